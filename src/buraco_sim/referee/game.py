"""A deal as it is played: every card in its place, action after action, and the trace lines that each action must leave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from buraco_sim.cards import format_card, format_cards, full_deck, is_wild_card, parse_cards
from buraco_sim.errors import InputError, NotationError, shown
from buraco_sim.referee.actions import Action, Discard, Draw, Lay, Pass
from buraco_sim.referee.leave import after_move, after_take
from buraco_sim.referee.legal import drawable, effect_of, is_over, objection
from buraco_sim.referee.melds import Meld, read_meld
from buraco_sim.referee.moves import make_move
from buraco_sim.referee.position import Position
from buraco_sim.referee.score import TeamScore, team_score
from buraco_sim.rules import Ruleset

Line = dict[str, Any]
TEAMS: Final = (0, 1)


class IllegalActionError(Exception):
    """An action that the rules do not allow here; its text is the reason."""


class Game:
    """One deal.

    Parameters
    ----------
    rules : Ruleset
    header : mapping
        The first line of a trace: the cards dealt and the starter.

    Attributes
    ----------
    turns : int
        Draws made.
    out_seat : int or None
        Who went out.
    end_reason : str or None
        Why the deal ended; None while it goes on.

    Raises
    ------
    InputError
        When the deal does not fit the rules.
    """

    def __init__(self, rules: Ruleset, header: Mapping[str, Any]) -> None:
        self.rules = rules
        seats = rules.table.seats
        dealt = {key: _read_list(header, key) for key in ("hands", "mortos")}
        self.pile = list(_read_text(header, "pile"))
        self.stock = list(_read_text(header, "stock"))
        self.hands = [Counter(cards) for cards in dealt["hands"]]
        self.mortos = dict(enumerate(dealt["mortos"]))
        _check_deal(rules, dealt["hands"], dealt["mortos"], self.pile, self.stock)
        self.seat = _read_starter(header, seats)
        self.tables: list[tuple[Meld, ...]] = [(), ()]
        self.taken = [0, 0]
        self.unused = [False] * seats
        self.turns = 0
        self.out_seat: int | None = None
        self.end_reason: str | None = None
        self._start_turn(self.seat)

    def _start_turn(self, seat: int) -> None:
        self.seat = seat
        self.phase = "draw"
        self.took: tuple[int, ...] = ()
        self.twin = self.used_top = self.drew_last = self.may_pass = False

    @property
    def team(self) -> int:
        """The team to act."""
        return self.seat % 2

    def position(self) -> Position:
        """Return the position of the seat to act."""
        return Position(
            seat=self.seat,
            phase=self.phase,
            hand=self.hands[self.seat],
            tables=(self.tables[0], self.tables[1]),
            pile=tuple(self.pile),
            stock=len(self.stock),
            mortos=len(self.mortos),
            taken=(self.taken[0], self.taken[1]),
            took=self.took,
            used_top=self.used_top,
            twin=self.twin,
            drew_last=self.drew_last,
            may_pass=self.may_pass,
            hand_counts=tuple(hand.total() for hand in self.hands),
        )

    def play(self, action: Action) -> list[Line]:
        """Make an action and return the trace lines that it leaves, with all that follows by itself.

        Raises
        ------
        IllegalActionError
            When the rules do not allow it.
        """
        at = self.position()
        reason = "the deal is over" if self.end_reason else objection(self.rules, at, action)
        if reason:
            raise IllegalActionError(reason)
        effect = effect_of(self.rules, at, action)
        self.unused[self.seat] = False
        match action:
            case Draw("stock"):
                return self._draw_from_stock()
            case Draw():
                return self._take_pile(at)
            case Lay():
                lines = self._lay(at, action)
            case Discard(card):
                lines = self._discard(card)
            case Pass():
                lines = []
        if effect.morto:
            lines += self._take_morto(effect.morto)
        if effect.ends == "went_out":
            return lines + self._end("went_out")
        plays_on = isinstance(action, Lay) or (self.may_pass and not isinstance(action, Pass))
        return lines if plays_on else lines + self._end_turn()

    def _draw_from_stock(self) -> list[Line]:
        lines = [] if drawable(self.rules, self.position()) else [self._convert_morto()]
        card = self.stock.pop(0)
        self.hands[self.seat] = self.hands[self.seat] + Counter([card])
        self._drawn()
        self.drew_last = drawable(self.rules, self.position()) == 0
        return [*lines, {"type": "draw", "seat": self.seat, "from": "stock", "cards": format_card(card)}]

    def _take_pile(self, at: Position) -> list[Line]:
        after = after_take(at)
        self.hands[self.seat], self.took, self.twin, self.pile = after.hand, after.took, after.twin, []
        self._drawn()
        return [{"type": "draw", "seat": self.seat, "from": "pile", "cards": format_cards(after.took)}]

    def _drawn(self) -> None:
        self.phase = "play"
        self.turns += 1

    def _lay(self, at: Position, lay: Lay) -> list[Line]:
        meld = read_meld(lay.after)
        assert meld is not None
        move = make_move(at.own, lay.slot, meld)
        after = after_move(self.rules, at, move)
        self.hands[self.seat], self.tables[self.team], self.used_top = after.hand, after.own, after.used_top
        before = "" if lay.slot is None else str(at.own[lay.slot])
        slot = len(at.own) if lay.slot is None else lay.slot
        line: Line = {"type": "meld", "seat": self.seat, "slot": slot, "before": before, "after": str(meld)}
        return [line | {"returned": format_cards(move.returned)} if move.returned else line]

    def _discard(self, card: int) -> list[Line]:
        self.hands[self.seat] = self.hands[self.seat] - Counter([card])
        self.pile.append(card)
        self.may_pass = False
        return [{"type": "discard", "seat": self.seat, "card": format_card(card)}]

    def _take_morto(self, mode: str) -> list[Line]:
        index = min(self.mortos)
        cards = self.mortos.pop(index)
        self.hands[self.seat] = Counter(cards)
        self.taken[self.team] += 1
        self.may_pass = mode == "indirect" and self.rules.morto.after_discard == "same_turn"
        self.unused[self.seat] = mode == "indirect" and not self.may_pass
        return [{"type": "morto", "seat": self.seat, "index": index, "mode": mode, "cards": format_cards(cards)}]

    def _convert_morto(self) -> Line:
        """The last morto in taking order is laid on the dead cards of the stock."""
        index = max(self.mortos)
        cards = self.mortos.pop(index)
        self.stock = [*cards, *self.stock]
        return {"type": "stock", "morto": index, "cards": format_cards(cards)}

    def _end_turn(self) -> list[Line]:
        at = self.position()
        lines = []
        if is_over(self.rules, at):
            return self._end("stock_end")
        if drawable(self.rules, at) == 0 and self.rules.stock.when == "turn_end":
            lines.append(self._convert_morto())
        if self.turns >= self.rules.stock.max_turns:
            return lines + self._end("turn_cap")
        self._start_turn((self.seat + 1) % self.rules.table.seats)
        return lines

    def _end(self, reason: str) -> list[Line]:
        self.end_reason = reason
        self.out_seat = self.seat if reason == "went_out" else None
        end: Line = {"type": "end", "reason": reason, "seat": self.out_seat, "turns": self.turns}
        return [end, *({"type": "score", "team": team, **self.score(team).as_dict()} for team in TEAMS)]

    def score(self, team: int) -> TeamScore:
        """Return the score of a team if the deal ended now; the final score once it has ended."""
        hands = [(hand.elements(), self.unused[seat]) for seat, hand in enumerate(self.hands) if seat % 2 == team]
        mortos = (self.taken[team], self.taken[1 - team])
        went_out = self.out_seat is not None and self.out_seat % 2 == team
        return team_score(self.rules, self.tables[team], hands, mortos, went_out)


def _read_text(header: Mapping[str, Any], key: str) -> tuple[int, ...]:
    try:
        return parse_cards(header.get(key))  # type: ignore[arg-type]  # what is no text is an error of its own
    except NotationError as error:
        raise InputError(f"{key}: {error}") from None


def _read_list(header: Mapping[str, Any], key: str) -> list[tuple[int, ...]]:
    texts = header.get(key)
    if not isinstance(texts, list):
        raise InputError(f"{key} = {shown(texts)}", expected="a list of texts of cards")
    return [_read_text({f"{key}[{i}]": text}, f"{key}[{i}]") for i, text in enumerate(texts)]


def _read_starter(header: Mapping[str, Any], seats: int) -> int:
    starter = header.get("starter")
    if not isinstance(starter, int) or isinstance(starter, bool) or not 0 <= starter < seats:
        raise InputError(f"starter = {shown(starter)}", expected=f"a seat 0..{seats - 1}")
    return starter


def _check_deal(rules: Ruleset, hands: list[tuple[int, ...]], mortos: list[tuple[int, ...]], pile: list[int], stock: list[int]) -> None:
    """The whole deck exactly once, dealt as the rules say."""
    sizes = [len(hand) for hand in hands]
    if sizes != [rules.table.hand] * rules.table.seats:
        raise InputError(f"hands of {sizes} cards", expected=f"{rules.table.seats} hands of {rules.table.hand}")
    sizes = [len(morto) for morto in mortos]
    if sizes != list(rules.table.mortos):
        raise InputError(f"mortos of {sizes} cards", expected=f"mortos of {list(rules.table.mortos)}")
    if len(pile) != int(rules.table.upcard):
        raise InputError(f"a pile of {len(pile)} cards", expected="one upcard" if rules.table.upcard else "no upcard")
    if pile and rules.table.upcard_wild != "keep" and is_wild_card(pile[0]):
        raise InputError(f"the upcard {format_card(pile[0])} is a wild", expected="a natural card")
    dealt = Counter([*pile, *stock])
    for cards in (*hands, *mortos):
        dealt.update(cards)
    deck = Counter(full_deck(rules.deck.jokers))
    wrong = next((card for card in deck | dealt if dealt[card] != deck[card]), None)
    if wrong is not None:
        problem = f"{dealt[wrong]} times {format_card(wrong)} in the deal"
        raise InputError(problem, expected=f"{deck[wrong]} times: the whole deck exactly once")
