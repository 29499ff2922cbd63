"""A meld as one integer (see layout.py): its parts, its legality, its cards, its points and its class."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import highest, lowest, popcount
from buraco_sim.layout import CHOICES

NO_PLACE: Final = 15
WILD_JOKER: Final = 5
SET_FLAG: Final = 1 << 25
MELD_FLAG: Final = 1 << 26
ALL_PLACES: Final = 0x3FFF
TWO_PLACE: Final = 1
TWO_BIT: Final = 1 << TWO_PLACE
BOTH_ACES: Final = (1 << 13) | 1
SUIT_NATURALS: Final = 0x1FFF  # ace low to king
HIGH_NATURALS: Final = 0x3FFE  # 2 to ace high

CLASS_NONE, CLASS_CLEAN, CLASS_SEMI, CLASS_DIRTY = 0, 1, 2, 3
CLASS_ROYAL, CLASS_ROYAL_DIRTY, CLASS_ACE_TO_ACE = 4, 5, 6
CLASS_EIGHT, CLASS_EIGHT_DIRTY = 7, 8
LOW_ACE_ONLY: Final = CHOICES["melds.wild_low"].index("ace")
SEMI_AT_END: Final = CHOICES["canasta.semi_rule"].index("wild_at_end")
SEMI_SEVEN: Final = CHOICES["canasta.semi_rule"].index("seven_consecutive")
ROYAL_HIGH: Final = CHOICES["canasta.royal_ace"].index("high")


@kernel
def run_meld(suit: int, naturals: int, wild_place: int, wild: int) -> int:
    """A run from its places; `wild` 0 goes with `wild_place` NO_PLACE."""
    return naturals | (wild_place << 14) | (wild << 18) | (suit << 21) | MELD_FLAG


@kernel
def set_meld(rank: int, copies: int, wild: int) -> int:
    """A set from its copies, two bits a suit."""
    return copies | (NO_PLACE << 14) | (wild << 18) | (rank << 21) | SET_FLAG | MELD_FLAG


@kernel
def meld_at(now: Any, team: int, slot: int) -> Any:
    """The meld in a slot of a view, int64."""
    return np.int64(now.tables[team, slot])


@kernel
def is_set(meld: int) -> bool:
    """Whether a meld is a set."""
    return (meld & SET_FLAG) != 0


@kernel
def naturals_of(meld: int) -> int:
    """Natural places of a run, copies of a set."""
    return meld & ALL_PLACES


@kernel
def wild_place_of(meld: int) -> int:
    """Place of the wild of a run, NO_PLACE = none."""
    return (meld >> 14) & 15


@kernel
def wild_of(meld: int) -> int:
    """The wild: 0 none, 1..4 the 2 of suit 0..3, WILD_JOKER."""
    return (meld >> 18) & 7


@kernel
def suit_of(meld: int) -> int:
    """Suit of a run, rank of a set."""
    return (meld >> 21) & 15


@kernel
def places_of(meld: int) -> int:
    """All places that a run fills, the wild's included."""
    return (meld | (1 << wild_place_of(meld))) & ALL_PLACES  # NO_PLACE lies above them


@kernel
def n_naturals(meld: int) -> int:
    """Number of natural cards."""
    naturals = naturals_of(meld)
    if is_set(meld):
        return popcount(naturals & 0x55) + 2 * popcount(naturals & 0xAA)
    return popcount(naturals)


@kernel
def n_cards(meld: int) -> int:
    """Number of cards."""
    return n_naturals(meld) + (1 if wild_of(meld) else 0)


@inlined
def is_legal_run(rules: Any, suit: int, naturals: int, wild_place: int, wild: int) -> bool:
    """Whether these places form a run (rules 1, [melds])."""
    if suit > 3 or ((naturals >> TWO_PLACE) & 1 and not rules.melds_natural_two):
        return False
    if (naturals & BOTH_ACES) == BOTH_ACES and rules.melds_run_aces < 2:
        return False
    filled = naturals
    if wild:
        if wild_place > 13 or (naturals >> wild_place) & 1:
            return False
        if wild_place == TWO_PLACE and wild == suit + 1 and rules.melds_natural_two:
            return False  # an own-suit 2 on its own place is natural
        filled |= 1 << wild_place
    elif wild_place != NO_PLACE:
        return False
    low, size = lowest(filled), popcount(filled)
    if size < 3 or size > rules.melds_run_max or highest(filled) - low + 1 != size:
        return False
    if wild:
        if rules.melds_run_wild_min == 0 or size < rules.melds_run_wild_min:
            return False
        if rules.melds_wild_low == LOW_ACE_ONLY and wild_place == low and low != 0:
            return False
    return True


@inlined
def is_legal_set(rules: Any, rank: int, copies: int, wild: int) -> bool:
    """Whether these copies form a set (rules 1, [melds])."""
    if copies >> 8 or (copies & 0x55) & (copies >> 1) or rank > 12:
        return False
    size = popcount(copies & 0x55) + 2 * popcount(copies & 0xAA)
    if rank == TWO_PLACE:
        if wild or not rules.melds_set_of_twos:
            return False
    elif not (rules.melds_sets >> rank) & 1:
        return False
    if wild:
        if not rules.melds_set_wild:
            return False
        size += 1
    return 3 <= size <= rules.melds_set_max


@kernel
def is_legal_meld(rules: Any, meld: int) -> bool:
    """Whether an integer, any integer, is a legal meld."""
    if meld < 0 or meld >> 27 or not meld & MELD_FLAG:
        return False
    if wild_of(meld) > WILD_JOKER or (wild_of(meld) == WILD_JOKER and rules.deck_jokers == 0):
        return False
    if is_set(meld):
        return wild_place_of(meld) == NO_PLACE and is_legal_set(rules, suit_of(meld), naturals_of(meld), wild_of(meld))
    return is_legal_run(rules, suit_of(meld), naturals_of(meld), wild_place_of(meld), wild_of(meld))


@kernel
def meld_planes(meld: int) -> tuple[int, int, int]:
    """Cards of a meld as planes `once`, `twice` and a count of jokers."""
    naturals, suit, wild = naturals_of(meld), suit_of(meld), wild_of(meld)
    once, twice, jokers = 0, 0, 0
    if is_set(meld):
        for s in range(4):
            copies = (naturals >> (2 * s)) & 3
            if copies:
                once |= 1 << (16 * s + suit)
                if copies == 2:
                    twice |= 1 << (16 * s + suit)
    else:
        once = ((naturals & SUIT_NATURALS) | (naturals >> 13)) << (16 * suit)
        twice = (naturals & (naturals >> 13)) << (16 * suit)
    if wild == WILD_JOKER:
        jokers = 1
    elif wild:
        bit = 1 << (16 * (wild - 1) + TWO_PLACE)
        twice |= once & bit
        once |= bit
    return once, twice, jokers


@kernel
def wild_card(wild: int) -> int:
    """Card id of a wild: the 2 of a suit, or the joker."""
    return 64 if wild == WILD_JOKER else 16 * (wild - 1) + TWO_PLACE


@kernel
def meld_points(rules: Any, meld: int) -> int:
    """Points of the cards alone, a wild with its own value."""
    naturals = naturals_of(meld)
    if is_set(meld):
        points = n_naturals(meld) * rules.card_points[suit_of(meld)]
    else:
        points = (
            rules.card_points[2] * popcount(naturals & 0x007C)
            + rules.card_points[7] * popcount(naturals & 0x1F80)
            + rules.card_points[0] * popcount(naturals & BOTH_ACES)
            + rules.card_points[1] * ((naturals >> TWO_PLACE) & 1)
        )
    if wild_of(meld):
        points += rules.card_points[wild_card(wild_of(meld))]
    return points


@kernel
def is_semi(rules: Any, meld: int) -> bool:
    """Whether a canasta with a wild is semi-clean by its shape."""
    if rules.canasta_semi_rule == SEMI_AT_END:
        if n_naturals(meld) < 7:
            return False
        place = wild_place_of(meld)
        return is_set(meld) or place == lowest(places_of(meld)) or place == highest(places_of(meld))
    if rules.canasta_semi_rule == SEMI_SEVEN:
        if is_set(meld):
            return n_naturals(meld) >= 7
        x = naturals_of(meld)
        x &= x >> 1
        x &= x >> 2
        return (x & (x >> 3)) != 0
    return False


@kernel
def run_special(rules: Any, meld: int) -> int:
    """The special class that a run's cards qualify for, whether or not it exists in the rules."""
    naturals, wild = naturals_of(meld), wild_of(meld)
    if not wild:
        if popcount(naturals) == 14:
            return CLASS_ACE_TO_ACE
        if naturals == HIGH_NATURALS or (naturals == SUIT_NATURALS and rules.canasta_royal_ace != ROYAL_HIGH):
            return CLASS_ROYAL
        return CLASS_NONE
    if naturals == HIGH_NATURALS or (naturals == SUIT_NATURALS and rules.canasta_royal_ace != ROYAL_HIGH):
        return CLASS_ROYAL_DIRTY
    return CLASS_NONE


@kernel
def canasta_class(rules: Any, meld: int) -> int:
    """Class of a meld: the one of most points that it qualifies for, a special class before a common one on equal points."""
    size = n_cards(meld)
    if size < rules.canasta_min or (is_set(meld) and not rules.melds_set_canasta):
        return CLASS_NONE
    wild = wild_of(meld)
    best = CLASS_DIRTY if wild else CLASS_CLEAN
    points = rules.canasta_points
    if wild and points[CLASS_SEMI] > 0 and points[CLASS_SEMI] >= points[best] and is_semi(rules, meld):
        best = CLASS_SEMI
    special = CLASS_NONE
    if is_set(meld):
        if n_naturals(meld) == 8:
            special = CLASS_EIGHT_DIRTY if wild else CLASS_EIGHT
    elif size >= 13:
        special = run_special(rules, meld)
    if special != CLASS_NONE and points[special] > 0 and points[special] >= points[best]:
        best = special
    return best


@kernel
def is_clean_class(kind: int) -> bool:
    """Whether a class counts as a clean canasta for going out (semi-clean is not clean)."""
    return kind in (CLASS_CLEAN, CLASS_ROYAL, CLASS_ACE_TO_ACE, CLASS_EIGHT)
