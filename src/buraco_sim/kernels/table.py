"""The one table action `before -> after` (rules 1.1), judged without the hand: which melds may become which.

Identical cards are not told apart, so an action is legal when some consistent reading of it is.
"""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import HIGH_ACE, highest, lowest, popcount
from buraco_sim.kernels.melds import (
    LOW_ACE_ONLY,
    NO_PLACE,
    TWO_BIT,
    TWO_PLACE,
    is_legal_run,
    is_set,
    naturals_of,
    places_of,
    run_meld,
    suit_of,
    wild_of,
    wild_place_of,
)
from buraco_sim.layout import CHOICES

ILLEGAL: Final = 0
LEGAL: Final = 1
RETURNS_WILD: Final = 2

LOCKED: Final = CHOICES["melds.wild_moves"].index("locked")
FREE_END: Final = CHOICES["melds.wild_moves"].index("free_end")
MOVES_ANY: Final = CHOICES["melds.wild_moves"].index("any")
TO_HAND: Final = CHOICES["melds.wild_replaced"].index("to_hand")
HIGH_FIRST: Final = CHOICES["melds.freed_wild"].index("high_first")
LOW_FIRST: Final = CHOICES["melds.freed_wild"].index("low_first")


@inlined
def set_change(before: int, after: int) -> int:
    """A set grows: no copy leaves it and its wild stays."""
    copies, more = naturals_of(before), naturals_of(after)
    for s in range(4):
        if (more >> (2 * s)) & 3 < (copies >> (2 * s)) & 3:
            return ILLEGAL
    if wild_of(before) and wild_of(after) != wild_of(before):
        return ILLEGAL
    return LEGAL


@kernel
def keeps_naturals(rules: Any, naturals: int, after: int) -> bool:
    """Whether the naturals of a run keep their places, a natural 2 turning wild apart."""
    lost = naturals & ~naturals_of(after)
    if lost == 0:
        return True
    turned = lost == TWO_BIT and wild_of(after) == suit_of(after) + 1
    return turned and rules.melds_two_may_turn_wild != 0


@inlined
def wild_is_free(rules: Any, before: int) -> bool:
    """Whether the wild of a run may move without being replaced."""
    if rules.melds_wild_moves == MOVES_ANY:
        return True
    filled, place = places_of(before), wild_place_of(before)
    return rules.melds_wild_moves == FREE_END and (place == lowest(filled) or place == highest(filled))


@kernel
def one_gap(naturals: int) -> int:
    """The place of the only gap in a lane of naturals, -1 without a gap, -2 with more."""
    span = (2 << highest(naturals)) - (1 << lowest(naturals))
    gaps = span & ~naturals
    if gaps == 0:
        return -1
    return lowest(gaps) if popcount(gaps) == 1 else -2


@kernel
def fits_home(rules: Any, naturals: int, wild: int, suit: int) -> bool:
    """Whether a wild own-suit 2 becomes natural below naturals that have no gap."""
    return wild == suit + 1 and lowest(naturals) == TWO_PLACE + 1 and rules.melds_natural_two != 0


@inlined
def freed_to_end(rules: Any, naturals: int, suit: int, wild: int, place: int) -> bool:
    """Whether a replaced wild may go to `place` as the wild, with all added naturals in place (`freed_wild`)."""
    gap = one_gap(naturals)
    if gap >= 0:
        return place == gap
    if fits_home(rules, naturals, wild, suit):
        return False
    low, high = lowest(naturals), highest(naturals)
    if rules.melds_freed_wild == HIGH_FIRST:
        return place == high + 1 or high == 13
    if rules.melds_freed_wild == LOW_FIRST:
        low_fits = low > 0 and (rules.melds_wild_low != LOW_ACE_ONLY or low == 1)
        return place == low - 1 or not low_fits
    return True


@kernel
def freed_to_home(rules: Any, naturals: int, suit: int, wild: int) -> bool:
    """Whether a replaced wild own-suit 2 goes to its natural place, `naturals` being all others after the action."""
    gap = one_gap(naturals)
    return gap == TWO_PLACE or (gap == -1 and fits_home(rules, naturals, wild, suit))


@inlined
def run_change(rules: Any, before: int, after: int) -> int:
    """A run becomes another legal run of its suit."""
    suit, old, new = suit_of(before), naturals_of(before), naturals_of(after)
    if suit_of(after) != suit:
        return ILLEGAL
    wild, now = wild_of(before), wild_of(after)
    if not wild:
        return LEGAL if keeps_naturals(rules, old, after) else ILLEGAL
    place, own = wild_place_of(before), wild == suit + 1
    replaced = (new >> place) & 1 != 0
    twos = ((new >> TWO_PLACE) & 1) + (now == suit + 1) - ((old >> TWO_PLACE) & 1) - 1  # own-suit 2s added, if `wild` is one
    if replaced and rules.melds_wild_replaced == TO_HAND:
        left = twos < 0 if own else now != wild  # as cards the wild must be gone
        return RETURNS_WILD if left and rules.melds_wild_moves != LOCKED and keeps_naturals(rules, old, after) else ILLEGAL
    if old & ~new:
        return ILLEGAL
    if now == wild and wild_place_of(after) == place:
        return LEGAL
    if rules.melds_wild_moves == LOCKED:
        return ILLEGAL
    goes_home = own and new & ~old & TWO_BIT != 0
    if not goes_home and now != wild:
        return ILLEGAL
    if wild_is_free(rules, before):
        return LEGAL
    if not replaced:
        return ILLEGAL
    if now == wild and freed_to_end(rules, new, suit, wild, wild_place_of(after)):
        return LEGAL
    return LEGAL if goes_home and freed_to_home(rules, new & ~TWO_BIT, suit, wild) else ILLEGAL


@kernel
def change(rules: Any, before: int, after: int) -> int:
    """Whether one legal meld may become another: ILLEGAL, LEGAL, or RETURNS_WILD to the hand.

    That at least one card is added and that the hand has it is not asked here.
    """
    if is_set(before) != is_set(after) or suit_of(before) != suit_of(after):
        return ILLEGAL
    if is_set(before):
        return set_change(before, after)
    return run_change(rules, before, after)


@kernel
def freed(rules: Any, meld: int) -> int:
    """The run after the natural card of its wild's place joins it; 0 if the wild may not go anywhere."""
    suit, wild = suit_of(meld), wild_of(meld)
    naturals = naturals_of(meld) | (1 << wild_place_of(meld))
    if rules.melds_wild_replaced == TO_HAND:
        after = run_meld(suit, naturals, NO_PLACE, 0)
        return after if is_legal_run(rules, suit, naturals, NO_PLACE, 0) and change(rules, meld, after) != ILLEGAL else 0
    if wild == suit + 1 and is_legal_run(rules, suit, naturals | TWO_BIT, NO_PLACE, 0):
        after = run_meld(suit, naturals | TWO_BIT, NO_PLACE, 0)
        if change(rules, meld, after) != ILLEGAL:
            return after
    for place in (highest(naturals) + 1, lowest(naturals) - 1):
        if 0 <= place <= HIGH_ACE and is_legal_run(rules, suit, naturals, place, wild):
            after = run_meld(suit, naturals, place, wild)
            if change(rules, meld, after) != ILLEGAL:
                return after
    return 0
