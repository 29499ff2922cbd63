"""A position: everything that the legality of the next action depends on, and how it is read and checked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from buraco_sim.cards import Laid, format_card, format_cards, format_meld, full_deck, parse_cards, parse_meld
from buraco_sim.errors import InputError, NotationError, shown
from buraco_sim.referee.melds import Meld, objection_to_layout, read_meld
from buraco_sim.rules import Ruleset

Table = tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The table as the seat to act sees it, and what happened earlier in its turn.

    Attributes
    ----------
    seat : int
        Who is to act.
    phase : str
        ``"draw"`` or ``"play"``.
    hand : Counter
        Cards of the seat to act; never changed in place.
    tables : (tuple of Meld, tuple of Meld)
        Melds by team, in the order in which they were opened.
    pile : tuple of int
        Bottom to top.
    stock : int
        Cards left in it, dead ones included.
    mortos : int
        Mortos left.
    taken : (int, int)
        Mortos taken by each team.
    took : tuple of int
        The pile that was taken this turn, empty if none was.
    used_top : bool
        The condition of the taken pile is met.
    twin : bool
        The player already held the twin of the single card taken.
    drew_last : bool
        This player drew the last card that can be drawn.
    may_pass : bool
        Emptied the hand by a discard, took a morto, plays on.
    hand_counts : tuple of int
        Cards of every seat, empty if not told.
    """

    seat: int
    phase: str
    hand: Counter[int]
    tables: tuple[Table, Table]
    pile: tuple[int, ...]
    stock: int
    mortos: int
    taken: tuple[int, int]
    took: tuple[int, ...] = ()
    used_top: bool = False
    twin: bool = False
    drew_last: bool = False
    may_pass: bool = False
    hand_counts: tuple[int, ...] = ()

    @property
    def team(self) -> int:
        """The team to act."""
        return self.seat % 2

    @property
    def own(self) -> Table:
        """The melds of the team to act."""
        return self.tables[self.team]

    def with_own(self, table: Table, **changes: Any) -> Position:
        """Return the position with another table of the team to act, and other changes."""
        tables = (table, self.tables[1]) if self.team == 0 else (self.tables[0], table)
        return replace(self, tables=tables, **changes)


class _Written(msgspec.Struct, forbid_unknown_fields=True):
    """A position as it is written in a case."""

    seat: int
    phase: Literal["draw", "play"]
    hand: str
    tables: list[list[str]]
    pile: str
    stock: int
    mortos: int
    taken: list[bool]
    took: str = ""
    used_top: bool = False
    twin: bool | None = None
    drew_last: bool = False
    may_pass: bool = False
    hand_counts: list[int] = []


def read_position(rules: Ruleset, position: object) -> Position:
    """Return the position that a case describes.

    Raises
    ------
    InputError
        When it cannot be read or contradicts itself or the rules.
    """
    try:
        written = msgspec.convert(position, _Written)
    except msgspec.ValidationError as error:
        raise InputError(_plain(str(error)), where="position") from None
    if len(written.tables) != 2 or len(written.taken) != 2:
        key = "tables" if len(written.tables) != 2 else "taken"
        raise _wrong(key, getattr(written, key), "one entry for each of the two teams")
    hand, took = Counter(_read_cards("hand", written.hand)), _read_cards("took", written.took)
    twin = len(took) == 1 and hand[took[0]] == 2 if written.twin is None else written.twin
    tables = tuple(tuple(_read_table_meld(rules, f"tables[{team}]", text) for text in written.tables[team]) for team in (0, 1))
    found = Position(
        seat=written.seat,
        phase=written.phase,
        hand=hand,
        tables=(tables[0], tables[1]),
        pile=_read_cards("pile", written.pile),
        stock=written.stock,
        mortos=written.mortos,
        taken=(int(written.taken[0]), int(written.taken[1])),
        took=took,
        used_top=written.used_top,
        twin=twin,
        drew_last=written.drew_last,
        may_pass=written.may_pass,
        hand_counts=tuple(written.hand_counts),
    )
    _check_counts(rules, found)
    _check_copies(rules, found)
    _check_turn(rules, found)
    return found


def _plain(text: str) -> str:
    """Return a validation message with the place first: "Expected `int`, got `str` - at `$.seat`" -> "seat: ..."."""
    problem, _, place = text.partition(" - at ")
    place = place.strip("`").removeprefix("$").removeprefix(".")
    problem = problem[:1].lower() + problem[1:].replace("`", "'")
    return f"{place}: {problem}" if place else problem


def _wrong(key: str, value: object, expected: str) -> InputError:
    return InputError(f"{key} = {shown(value)}", where="position", expected=expected)


def _read_cards(key: str, text: str) -> tuple[int, ...]:
    try:
        return parse_cards(text)
    except NotationError as error:
        raise NotationError(f"{key}: {error}", where="position") from None


def _read_table_meld(rules: Ruleset, key: str, text: str) -> Meld:
    try:
        laid: tuple[Laid, ...] = parse_meld(text)
    except NotationError as error:
        raise NotationError(f"{key}: {error}", where="position") from None
    meld = read_meld(laid)
    objection = objection_to_layout(rules, meld) if meld else "it is neither a run nor a set"
    if meld is None or objection:
        raise InputError(f"{key}: {shown(text)} is no legal meld: {objection}", where="position")
    return meld


def _check_counts(rules: Ruleset, at: Position) -> None:
    seats, mortos = rules.table.seats, len(rules.table.mortos)
    if not 0 <= at.seat < seats:
        raise _wrong("seat", at.seat, f"a seat 0..{seats - 1}")
    if not at.hand:
        raise _wrong("hand", "", "a card or more, for whoever has an empty hand has taken a morto or gone out")
    if at.stock < 0:
        raise _wrong("stock", at.stock, "0 or more cards")
    if not 0 <= at.mortos <= mortos - sum(at.taken):
        raise _wrong("mortos", at.mortos, f"0..{mortos - sum(at.taken)} left of {mortos}, {sum(at.taken)} taken")
    if at.hand_counts:
        if len(at.hand_counts) != seats or min(at.hand_counts) < 0:
            raise _wrong("hand_counts", list(at.hand_counts), f"the number of cards of each of {seats} seats")
        if at.hand_counts[at.seat] != at.hand.total():
            raise _wrong("hand_counts", list(at.hand_counts), f"{at.hand.total()} for seat {at.seat}, whose hand is shown")


def _check_copies(rules: Ruleset, at: Position) -> None:
    deck = Counter(full_deck(rules.deck.jokers))
    shown_cards = at.hand + Counter(at.pile)
    for meld in (*at.tables[0], *at.tables[1]):
        shown_cards.update(meld.cards)
    for card, count in shown_cards.items():
        if count > deck[card]:
            problem = f"{count} times {format_card(card)} in hand, tables and pile"
            raise InputError(problem, where="position", expected=f"{deck[card]} at most")
    hidden = sum(count for seat, count in enumerate(at.hand_counts) if seat != at.seat)
    total = shown_cards.total() + at.stock + sum(sorted(rules.table.mortos)[: at.mortos]) + hidden
    if total > deck.total():
        raise InputError(f"{total} cards in all", where="position", expected=f"{deck.total()} at most")


def _check_turn(rules: Ruleset, at: Position) -> None:
    """What happened in a turn has to fit: nothing before the draw, no condition without a pile."""
    if at.phase == "draw":
        for key in ("took", "used_top", "twin", "drew_last", "may_pass"):
            if getattr(at, key):
                raise InputError(f"{key} before the draw", where="position", expected='phase "play"')
    if at.used_top and not at.took:
        raise InputError("used_top without took", where="position", expected="the pile that was taken in took")
    if at.twin and len(at.took) != 1:
        raise InputError("twin without a single card taken", where="position", expected="one card in took")
    if at.drew_last and (at.took or at.stock > rules.stock.dead):
        raise InputError(f"drew_last with {at.stock} cards in the stock", where="position", expected="the last card drawn from the stock")
    if at.may_pass and rules.morto.after_discard != "same_turn":
        raise InputError("may_pass", where="position", expected="rules with morto.after_discard = same_turn")
    if at.took and rules.pile.take == "use_top" and not at.used_top and at.took[-1] not in at.hand:
        raise InputError(f"the top card {format_card(at.took[-1])} is not in the hand", where="position", expected='"used_top": true')
    if at.may_pass and at.took and rules.pile.take != "free" and not at.used_top:
        raise InputError("may_pass while the pile asks for a meld", where="position", expected='"used_top": true')


def describe_position(at: Position) -> dict[str, Any]:
    """Return a position as the JSON of a case, the inverse of `read_position`."""
    told: dict[str, Any] = {
        "seat": at.seat,
        "phase": at.phase,
        "hand": format_cards(sorted(at.hand.elements())),
        "tables": [[format_meld(meld.laid) for meld in table] for table in at.tables],
        "pile": format_cards(at.pile),
        "stock": at.stock,
        "mortos": at.mortos,
        "taken": [count > 0 for count in at.taken],
    }
    if at.took:
        told |= {"took": format_cards(at.took), "used_top": at.used_top, "twin": at.twin}
    told |= {key: True for key in ("drew_last", "may_pass") if getattr(at, key)}
    if at.hand_counts:
        told["hand_counts"] = list(at.hand_counts)
    return told
