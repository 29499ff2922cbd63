"""The one table action, `before -> after`: which changes of a meld on the table are legal (rules 1.1).

Identical cards are not told apart, so a change is legal when some way of saying which card went where is legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from buraco_sim.cards import TWO, card_of
from buraco_sim.referee.melds import PLACE_OF_TWO, PLACES, Meld, make_run, objection_to_layout
from buraco_sim.rules import Ruleset


def objection_to_change(rules: Ruleset, before: Meld, after: Meld) -> str:
    """Return why a legal meld `before` may not become the legal meld `after`, or an empty text."""
    added = Counter(after.cards) - Counter(before.cards)
    gone = Counter(before.cards) - Counter(after.cards)
    if not added:
        return "at least one card must be added"
    if before.kind == "set" or after.kind == "set":
        return "the cards of the meld stay in it" if gone or before.kind != after.kind else ""
    return _objection_to_naturals(rules, before, after) or _objection_to_wild(rules, before, after, list(gone.elements()))


def _two_turned_wild(before: Meld, after: Meld) -> bool:
    return PLACE_OF_TWO in before.naturals and PLACE_OF_TWO not in after.naturals


def _objection_to_naturals(rules: Ruleset, before: Meld, after: Meld) -> str:
    """The natural cards keep their places; only a natural 2 may leave its own, as the wild of the run."""
    stay = after.naturals
    for place, card in before.naturals.items():
        if place != PLACE_OF_TWO and stay.get(place) != card:
            return "the natural cards keep their places"
    if _two_turned_wild(before, after):
        if not rules.melds.two_may_turn_wild:
            return "a natural 2 may not turn wild"
        if after.wild is None or after.wild[1] != card_of(before.suit, TWO):
            return "the 2 stays in the meld"
    return ""


def _objection_to_wild(rules: Ruleset, before: Meld, after: Meld, gone: list[int]) -> str:
    if before.wild is None:
        return "the cards of the meld stay in it" if gone else ""
    if gone:
        return _objection_to_return(rules, before, after, gone)
    if after.wild == before.wild:
        return ""
    objections = [_objection_to_move(rules, before, after, place) for place in _new_places(before, after)]
    if not objections:
        return "the wild stays in the meld"
    return "" if "" in objections else objections[0]


def _objection_to_return(rules: Ruleset, before: Meld, after: Meld, gone: list[int]) -> str:
    """A replaced wild comes back into the hand, if the rules send it there."""
    assert before.wild is not None
    place, wild = before.wild
    if rules.melds.wild_replaced == "stays" or gone != [wild]:
        return "the cards of the meld stay in it"
    if rules.melds.wild_moves == "locked":
        return "a locked wild may not be replaced"
    return "" if place in after.naturals else "only the natural card of its place sends a wild back into the hand"


def _new_places(before: Meld, after: Meld) -> Iterator[int]:
    """Yield the places to which the wild of `before` can have moved."""
    assert before.wild is not None
    wild = before.wild[1]
    if after.wild is not None and after.wild[1] == wild and not _two_turned_wild(before, after):
        yield after.wild[0]
    went_home = PLACE_OF_TWO in after.naturals and PLACE_OF_TWO not in before.naturals
    if wild == card_of(before.suit, TWO) and went_home:
        yield PLACE_OF_TWO


def _objection_to_move(rules: Ruleset, before: Meld, after: Meld, goal: int) -> str:
    """Why the wild of `before` may not leave its place for the place `goal` of `after`."""
    assert before.wild is not None
    place, wild = before.wild
    replaced = place in after.naturals
    moves = rules.melds.wild_moves
    if moves == "locked":
        return "a locked wild keeps its place"
    if replaced and rules.melds.wild_replaced == "to_hand":
        return "the replaced wild must come back into the hand"
    at_end = place in (before.low, before.low + len(before.laid) - 1)
    if moves == "any" or (moves == "free_end" and at_end):
        return ""
    if not replaced:
        return "the wild moves only when the natural card of its place is added"
    naturals = after.naturals.keys() - {goal}
    return "" if goal in freed_places(rules, before.suit, naturals, wild) else "the freed wild has to go elsewhere"


def freed_places(rules: Ruleset, suit: int, naturals: set[int], wild: int) -> set[int]:
    """Return the places that a replaced wild may take, the natural cards standing on `naturals`."""
    low, high = min(naturals), max(naturals)
    gaps = [place for place in range(low, high) if place not in naturals]
    if gaps:
        return set(gaps) if len(gaps) == 1 else set()
    if wild == card_of(suit, TWO) and low == PLACE_OF_TWO + 1 and rules.melds.natural_two:
        home = make_run(suit, PLACE_OF_TWO, high, None, wild)
        if not objection_to_layout(rules, home):
            return {PLACE_OF_TWO}
    fits = [end for end in (low - 1, high + 1) if _fits_at_end(rules, suit, low, high, end, wild)]
    match rules.melds.freed_wild:
        case "low_first":
            return set(fits[:1])
        case "high_first":
            return set(fits[-1:])
        case _:
            return set(fits)


def _fits_at_end(rules: Ruleset, suit: int, low: int, high: int, end: int, wild: int) -> bool:
    if end not in PLACES:
        return False
    run = make_run(suit, min(low, end), max(high, end), end, wild)
    return not objection_to_layout(rules, run)
