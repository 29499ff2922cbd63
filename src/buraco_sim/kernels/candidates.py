"""Every meld action that hand and table allow: what `before -> after` a set of cards can carry out, stranding apart."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import kernel
from buraco_sim.kernels.bits import HIGH_ACE, JOKER, RANK_LANE, highest, lowest, mask_of, more_once, more_twice, places, popcount
from buraco_sim.kernels.melds import (
    NO_PLACE,
    SUIT_NATURALS,
    TWO_BIT,
    TWO_PLACE,
    WILD_JOKER,
    is_legal_meld,
    is_set,
    meld_at,
    meld_planes,
    meld_points,
    naturals_of,
    run_meld,
    set_meld,
    suit_of,
    wild_of,
)
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.table import ILLEGAL, TO_HAND, change
from buraco_sim.layout import ACT_MELD

ALL_PLACES: Final = 14
SHORTEST: Final = 3  # cards of a meld
LAST_START: Final = 11  # place of the lowest card of the highest run


@kernel
def added_cards(before: int, after: int) -> tuple[int, int, int]:
    """Cards of `after` that `before` (0 = no meld) lacks, as planes and jokers."""
    if before and not is_set(after) and wild_of(after) == wild_of(before):
        suit, naturals = 16 * suit_of(after), naturals_of(after) & ~naturals_of(before)
        return ((naturals & SUIT_NATURALS) | (naturals >> HIGH_ACE)) << suit, (naturals & (naturals >> HIGH_ACE)) << suit, 0
    a1, a2, a_jokers = meld_planes(after)
    if before == 0:
        return a1, a2, a_jokers
    b1, b2, b_jokers = meld_planes(before)
    return more_once(a1, a2, b1, b2), more_twice(a2, b1), max(a_jokers - b_jokers, 0)


@kernel
def may_return(before: int, after: int) -> bool:
    """Whether a card of `before` may come back to the hand: its wild, or a natural 2 that is now wild."""
    return (naturals_of(before) & ~naturals_of(after)) != 0 or (wild_of(before) != 0 and wild_of(before) != wild_of(after))


@kernel
def has_set_of(now: Any, rank: int) -> bool:
    """Whether the own table has a set of a rank."""
    team = now.team
    for i in range(now.n_melds[team]):
        meld = meld_at(now, team, i)
        if is_set(meld) and suit_of(meld) == rank:
            return True
    return False


@kernel
def fitting_cards(rules: Any, now: Any, once: int, twice: int, jokers: int, slot: int, after: int) -> tuple[int, int, int]:
    """The cards that `slot: before -> after` adds, if these cards of a hand can carry it out, stranding apart; else none."""
    team = now.team
    n_melds = now.n_melds[team]
    if slot > n_melds or not is_legal_meld(rules, after):
        return 0, 0, 0
    before = 0
    if slot < n_melds:
        before = meld_at(now, team, slot)
        if change(rules, before, after) == ILLEGAL:
            return 0, 0, 0
    else:
        if n_melds == 0 and meld_points(rules, after) < rules.opening_min:
            return 0, 0, 0
        if rules.melds_one_set_per_rank and is_set(after) and has_set_of(now, suit_of(after)):
            return 0, 0, 0
    need1, need2, need_jokers = added_cards(before, after)
    if need1 & ~once or need2 & ~twice or need_jokers > jokers:
        return 0, 0, 0
    return need1, need2, need_jokers


@kernel
def offer(
    rules: Any, now: Any, once: int, twice: int, jokers: int, must: int, slot: int, after: int, skip: int, buffer: Any, n: int
) -> int:
    """Count a candidate and store it if it is the turn of its number."""
    need1, _, need_jokers = fitting_cards(rules, now, once, twice, jokers, slot, after)
    if need1 == 0 and need_jokers == 0:
        return n
    if must >= 0 and (need_jokers == 0 if must == JOKER else not (need1 >> must) & 1):
        return n
    if skip <= n < skip + len(buffer):
        buffer[n - skip] = ACT_MELD | (slot << 3) | (after << 9)
    return n + 1


@kernel
def wild_codes(once: int, jokers: int) -> int:
    """Wilds that a hand holds, as a mask of their codes in a meld."""
    codes = 0
    for suit in range(4):
        codes |= ((once >> (16 * suit + TWO_PLACE)) & 1) << (suit + 1)
    if jokers:
        codes |= 1 << WILD_JOKER
    return codes


@kernel
def must_places(must: int, suit: int) -> int:
    """Places of a run of which one must be filled by the natural card `must`; 0 if any card will do or it is a wild."""
    if must < 0 or must == JOKER or must & 15 == TWO_PLACE or must >> 4 != suit:
        return 0
    return 1 << (must & 15) | (must & 15 == 0) << (ALL_PLACES - 1)


@kernel
def lowest_start(have: int, first: int, wilds: int) -> int:
    """The lowest place at which a run that holds `first` can start, with one gap if there is a wild for it."""
    low, gaps = first, 0
    while low > 0:
        gaps += 1 - ((have >> (low - 1)) & 1)
        if gaps > (wilds != 0):
            break
        low -= 1
    return low


@kernel
def material(rules: Any, lane: int, wilds: int, before: int, suit: int) -> tuple[int, int, int]:
    """What a run can be made of: places for which there is a natural, naturals that keep their places, wilds."""
    old, fixed = 0, 0
    if before:
        old = naturals_of(before)
        fixed = old
        if rules.melds_two_may_turn_wild and old & TWO_BIT:
            fixed &= ~TWO_BIT
            wilds |= 1 << (suit + 1)
        held = wild_of(before)
        if held == suit + 1:
            lane |= TWO_BIT  # the wild may go home
        elif held and rules.melds_wild_replaced != TO_HAND:
            wilds = 0  # it stays, so no other comes in
        if held:
            wilds |= 1 << held
    if not rules.melds_natural_two:
        lane &= ~TWO_BIT
    return lane | old, fixed, wilds if rules.melds_run_wild_min else 0


@kernel
def run_candidates(
    rules: Any,
    now: Any,
    once: int,
    twice: int,
    jokers: int,
    must: int,
    wilds: int,
    slot: int,
    before: int,
    suit: int,
    skip: int,
    buffer: Any,
    n: int,
) -> int:
    """Runs of a suit that the cards make of `before` (0 = none); `wilds` is a mask of the wilds that may be used."""
    have, fixed, wilds = material(rules, places(once, suit), wilds, before, suit)
    wanted = must_places(must, suit)
    if wanted and before:
        wanted &= ~naturals_of(before)  # it has to be added
        if wanted == 0:
            return n
    first, last = (lowest(fixed), highest(fixed)) if fixed else (LAST_START, 2)
    start = lowest_start(have, first, wilds) if fixed else 0
    if popcount(wanted) == 1:
        first, last = min(first, lowest(wanted)), max(last, lowest(wanted))
        start = max(start, lowest_start(have, first, wilds))
    for low in range(start, first + 1):
        gap = low + lowest(~(have >> low))
        end = gap + 1 + lowest(~(have >> (gap + 1))) if wilds else gap
        for high in range(max(low + 2, last), min(end, low + rules.melds_run_max, ALL_PLACES)):
            span = mask_of(low, high)
            if wanted and not span & wanted:
                continue
            if high < gap:
                n = offer(rules, now, once, twice, jokers, must, slot, run_meld(suit, span, NO_PLACE, 0), skip, buffer, n)
                if n >= skip + len(buffer):
                    return n
            spots = (span if high < gap else 1 << gap) & ~fixed if wilds else 0
            if popcount(span & wanted) == 1:
                spots &= ~wanted
            while spots:
                place, codes = lowest(spots), wilds
                spots &= spots - 1
                while codes:
                    after = run_meld(suit, span & ~(1 << place), place, lowest(codes))
                    codes &= codes - 1
                    n = offer(rules, now, once, twice, jokers, must, slot, after, skip, buffer, n)
                    if n >= skip + len(buffer):
                        return n
    return n


@kernel
def set_candidates(
    rules: Any,
    now: Any,
    once: int,
    twice: int,
    jokers: int,
    must: int,
    wilds: int,
    slot: int,
    before: int,
    rank: int,
    skip: int,
    buffer: Any,
    n: int,
) -> int:
    """Sets of a rank that the cards make of `before` (0 = none)."""
    old = naturals_of(before) if before else 0
    if before and wild_of(before):
        wilds = 1 << wild_of(before)
    elif not rules.melds_set_wild or rank == TWO_PLACE:
        wilds = 0
    if not before or not wild_of(before):
        wilds |= 1  # code 0: no wild
    held, twin = (once >> rank) & 0x0001000100010001, (twice >> rank) & 0x0001000100010001
    most = stack_words(4)
    for suit in range(4):
        most[suit] = ((held >> (16 * suit)) & 1) + ((twin >> (16 * suit)) & 1)
    for s in range(most[0] + 1):
        for h in range(most[1] + 1):
            for d in range(most[2] + 1):
                for c in range(most[3] + 1):
                    copies = old + s + (h << 2) + (d << 4) + (c << 6)
                    for wild in range(WILD_JOKER + 1):
                        if (wilds >> wild) & 1:
                            n = offer(rules, now, once, twice, jokers, must, slot, set_meld(rank, copies, wild), skip, buffer, n)
                            if n >= skip + len(buffer):
                                return n
    return n


@kernel
def candidates(rules: Any, now: Any, once: int, twice: int, jokers: int, must: int, new_wild: bool, skip: int, buffer: Any) -> int:
    """Meld actions that cards of a hand can carry out on the own table, stranding apart, in a fixed order.

    Parameters
    ----------
    rules, now : records RULES, VIEW
        The rules and the table.
    once, twice, jokers : int64
        The cards that may be used.
    must : int64
        A face that has to be among the added cards, -1 = none.
    new_wild : bool
        Whether a new meld may hold a wild.
    skip, buffer : int64, int64[m]
        The candidates `skip` to `skip + m - 1` are written, as far as there are any.

    Returns
    -------
    int64
        How many were written; fewer than `m` when there are no more.
    """
    team = now.team
    wilds = wild_codes(once, jokers)
    any_suit = must < 0 or must == JOKER or (must & 15) == TWO_PLACE
    must_suit, must_rank = must >> 4, must & 15
    n, stop = 0, skip + len(buffer)
    n_melds = now.n_melds[team]
    for slot in range(n_melds):
        if n >= stop:
            break
        before = meld_at(now, team, slot)
        part = suit_of(before)
        if is_set(before):
            if any_suit or part == must_rank:
                n = set_candidates(rules, now, once, twice, jokers, must, wilds, slot, before, part, skip, buffer, n)
        elif (any_suit or part == must_suit) and (wilds or (once >> (16 * part)) & RANK_LANE):
            n = run_candidates(rules, now, once, twice, jokers, must, wilds, slot, before, part, skip, buffer, n)
    if popcount(once) + popcount(twice) + jokers < SHORTEST:
        return n - skip
    if not new_wild:
        wilds = 0
    for suit in range(4):
        if n < stop and (any_suit or suit == must_suit):
            n = run_candidates(rules, now, once, twice, jokers, must, wilds, n_melds, 0, suit, skip, buffer, n)
    ranks = rules.melds_sets | (rules.melds_set_of_twos << TWO_PLACE)
    for rank in range(13):
        if n < stop and (ranks >> rank) & 1 and (any_suit or rank == must_rank):
            held = popcount((once >> rank) & 0x0001000100010001) + popcount((twice >> rank) & 0x0001000100010001)
            if held + (wilds != 0) >= 3:
                n = set_candidates(rules, now, once, twice, jokers, must, wilds, n_melds, 0, rank, skip, buffer, n)
    return n - skip
