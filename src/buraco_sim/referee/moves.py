"""Which meld actions can be made with cards that are held: all of the rules but for what may be left in the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from buraco_sim.cards import RANKS, SUITS, is_wild_card, rank_of, suit_of
from buraco_sim.referee.change import objection_to_change
from buraco_sim.referee.melds import PLACE_OF_TWO, Meld, objection_to_layout, runs_from, sets_from
from buraco_sim.referee.score import points_of
from buraco_sim.rules import Ruleset


class Move(NamedTuple):
    """A meld action: the slot (None opens a meld), the meld after it, and the cards that leave and enter the hand."""

    slot: int | None
    after: Meld
    added: Counter[int]
    returned: Counter[int]


def make_move(table: Sequence[Meld], slot: int | None, after: Meld) -> Move:
    """Return the move that puts the meld `after` into a slot that exists."""
    before = Counter(table[slot].cards) if slot is not None else Counter[int]()
    cards = Counter(after.cards)
    return Move(slot, after, cards - before, before - cards)


def objection_to_move(rules: Ruleset, table: Sequence[Meld], held: Counter[int], move: Move) -> str:
    """Return why a team with this table and these cards in the hand may not make a meld action, or an empty text."""
    if not move.added <= held:
        return "a card is not in the hand"
    objection = objection_to_layout(rules, move.after)
    if objection:
        return objection
    if move.slot is not None:
        return objection_to_change(rules, table[move.slot], move.after)
    return _objection_to_opening(rules, table, move.after)


def _objection_to_opening(rules: Ruleset, table: Sequence[Meld], after: Meld) -> str:
    if rules.melds.one_set_per_rank and after.kind == "set" and any(meld.kind == "set" and meld.rank == after.rank for meld in table):
        return "the team has a set of this rank on the table"
    if not table and points_of(rules, after.cards) < rules.opening.min:
        return f"the first meld of a team must reach {rules.opening.min} points"
    return ""


def moves_with(rules: Ruleset, table: Sequence[Meld], held: Counter[int], using: int | None = None) -> Iterator[Move]:
    """Yield every meld action that can be made with the held cards; with `using`, only those that lay down that face."""
    for slot, after in _candidates(rules, table, held, using):
        move = make_move(table, slot, after)
        if (using is None or move.added[using]) and not objection_to_move(rules, table, held, move):
            yield move


def _candidates(rules: Ruleset, table: Sequence[Meld], held: Counter[int], using: int | None) -> Iterator[tuple[int | None, Meld]]:
    """Yield the melds that the held cards can form, alone or with a meld of the table."""
    bound = using is not None and not is_wild_card(using)  # a wild fits into every suit and rank
    for slot, meld in enumerate(table):
        if using is not None and bound and (meld.suit != suit_of(using) if meld.kind == "run" else meld.rank != rank_of(using)):
            continue
        for after in _grown(rules, meld, held):
            yield slot, after
    for suit in range(len(SUITS)):
        if using is None or not bound or suit == suit_of(using):
            for after in runs_from(rules, suit, held):
                yield None, after
    for rank in range(len(RANKS)):
        if using is None or not bound or rank == rank_of(using):
            for after in sets_from(rules, rank, held):
                yield None, after


def _grown(rules: Ruleset, meld: Meld, held: Counter[int]) -> Iterator[Meld]:
    """Yield the melds that a meld of the table and the held cards can form."""
    together = held + Counter(meld.cards)
    if meld.kind == "set":
        return (group for group in sets_from(rules, meld.rank, together) if group != meld)
    fixed = {place for place in meld.naturals if place != PLACE_OF_TWO or not rules.melds.two_may_turn_wild}
    return (run for run in runs_from(rules, meld.suit, together, fixed) if run != meld)
