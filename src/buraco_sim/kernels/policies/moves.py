"""Meld actions that players choose from: each function finds the one of its kind that is legal now, or -1."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import HIGH_ACE, highest, lowest, places, popcount
from buraco_sim.kernels.candidates import added_cards, candidates
from buraco_sim.kernels.fits import spread
from buraco_sim.kernels.legal import is_legal
from buraco_sim.kernels.melds import is_legal_run, is_set, meld_at, meld_points, n_cards, naturals_of, run_meld, set_meld, suit_of, wild_of
from buraco_sim.kernels.policies.plan import (
    counted_ranks,
    grown,
    held_of_rank,
    longest_run,
    pair_with_wild,
    run_through,
    set_ranks,
    triples,
    wild_for,
)
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.turn import action_of, has_card, may_go_out, may_lay, may_take_morto
from buraco_sim.layout import ACT_MELD

CANASTA: Final = 7
LOOK: Final = 128  # meld actions looked at


@kernel
def is_leaving(view: Any) -> bool:
    """Whether the hand may be emptied with the melds that the team has now."""
    return view.may_pass or may_take_morto(view.rules, view) or may_go_out(view.rules, view)


@kernel
def left_by(view: Any, slot: int, after: int) -> int:
    """How many cards a meld action leaves in the hand: what hand and meld hold together stays the same."""
    before = n_cards(meld_at(view, view.team, slot)) if slot < view.n_melds[view.team] else 0
    return view.n_hand + before - n_cards(after)


@inlined
def leaves_enough(view: Any, slot: int, after: int, keep: int) -> bool:
    """Whether a meld action leaves `keep` cards, and two unless it makes a canasta or the hand may be emptied."""
    left = left_by(view, slot, after)
    return left >= keep and (left > 1 or n_cards(after) >= CANASTA or is_leaving(view))


@kernel
def try_meld(view: Any, slot: int, after: int, keep: int) -> int:
    """The meld action if it is legal and leaves `keep` cards, else -1."""
    if not leaves_enough(view, slot, after, keep):
        return -1
    action = action_of(ACT_MELD, slot, after)
    return action if is_legal(view.rules, view, action) else -1


@kernel
def try_fitting(view: Any, slot: int, after: int, keep: int) -> int:
    """`try_meld` for what is known to fit hand and table: only whether the player has a way on is asked."""
    if not leaves_enough(view, slot, after, keep):
        return -1
    return action_of(ACT_MELD, slot, after) if may_lay(view.rules, view, slot, after) else -1


@kernel
def usable(view: Any, once: int, twice: int) -> int:
    """How many of these cards lie in runs and sets of naturals or fit the own table."""
    rules = view.rules
    mine = triples(once) | (once & view.fits[view.team])
    if set_ranks(rules):
        _, threes = counted_ranks(once, twice)
        mine |= once & spread(threes & set_ranks(rules))
    return popcount(mine)


@inlined
def grow(view: Any, keep: int) -> int:
    """Lay natural cards on the own meld that becomes the longest; -1 if none fits."""
    team = view.team
    best, best_size = -1, 0
    for slot in range(view.n_melds[team]):
        meld = meld_at(view, team, slot)
        after = grown(view.rules, meld, view.once, view.twice)
        if after != meld and n_cards(after) > best_size:
            action = try_fitting(view, slot, after, keep)
            if action >= 0:
                best, best_size = action, n_cards(after)
    return best


@inlined
def open_run(view: Any, keep: int) -> int:
    """Open the longest run of naturals; -1 without one."""
    run = longest_run(view.rules, view.once, view.twice)
    slot = view.n_melds[view.team]
    if run == 0 or (slot == 0 and meld_points(view.rules, run) < view.rules.opening_min):
        return -1
    return try_fitting(view, slot, run, keep)


@inlined
def open_set(view: Any, least: int, keep: int) -> int:
    """Open the set of the highest rank of which the hand has `least` naturals; -1 without one."""
    rules = view.rules
    ranks = set_ranks(rules)
    if ranks:
        ranks &= counted_ranks(view.once, view.twice)[1]
    while ranks:
        rank = highest(ranks)
        ranks &= ~(1 << rank)
        after = set_meld(rank, held_of_rank(rules, view.once, view.twice, rank), 0)
        if n_cards(after) >= least:
            action = try_meld(view, view.n_melds[view.team], after, keep)
            if action >= 0:
                return action
    return -1


@kernel
def with_wild(view: Any, meld: int) -> int:
    """A meld of the table without a wild after one of the hand joins it, with the naturals that it connects; 0 if none can."""
    rules = view.rules
    if is_set(meld):
        wild = wild_for(view.once, view.jokers, -2)
        return set_meld(suit_of(meld), naturals_of(meld), wild) if wild and rules.melds_set_wild else 0
    suit, naturals = suit_of(meld), naturals_of(meld)
    wild = wild_for(view.once, view.jokers, suit)
    if wild == 0:
        return 0
    lane = places(view.once, suit)
    low, high = lowest(naturals), highest(naturals)
    if high + 2 <= HIGH_ACE and (lane >> (high + 2)) & 1 and is_legal_run(rules, suit, naturals | 1 << (high + 2), high + 1, wild):
        return run_meld(suit, naturals | 1 << (high + 2), high + 1, wild)
    if low >= 2 and (lane >> (low - 2)) & 1 and is_legal_run(rules, suit, naturals | 1 << (low - 2), low - 1, wild):
        return run_meld(suit, naturals | 1 << (low - 2), low - 1, wild)
    for place in (high + 1, low - 1):
        if 0 <= place <= HIGH_ACE and is_legal_run(rules, suit, naturals, place, wild):
            return run_meld(suit, naturals, place, wild)
    return 0


@inlined
def spend_wild(view: Any, least: int, keep: int) -> int:
    """Lay a wild on a meld so that it has at least `least` cards; -1 if there is none."""
    team = view.team
    for slot in range(view.n_melds[team]):
        meld = meld_at(view, team, slot)
        size = n_cards(meld)
        if wild_of(meld) or size < least - 2 or (size >= CANASTA):
            continue
        after = with_wild(view, meld)
        if after and n_cards(after) >= least:
            action = try_meld(view, slot, after, keep)
            if action >= 0:
                return action
    return -1


@kernel
def empty_hand(view: Any, keep: int) -> int:
    """With few cards left: a meld action that empties the hand, or leaves one card for the discard; -1 without one."""
    rules = view.rules
    buffer = stack_words(LOOK)
    n = candidates(rules, view, view.once, view.twice, view.jokers, -1, True, 0, buffer)
    best, best_left = -1, min(view.n_hand, 3)
    for i in range(n):
        left = left_by(view, (buffer[i] >> 3) & 63, buffer[i] >> 9)
        if keep <= left < best_left and is_legal(rules, view, buffer[i]):
            best, best_left = buffer[i], left
    return best


@kernel
def open_with_wild(view: Any, keep: int) -> int:
    """Open two naturals and a wild; -1 if that is not possible."""
    after = pair_with_wild(view.rules, view.once, view.twice, view.jokers)
    return try_meld(view, view.n_melds[view.team], after, keep) if after else -1


@inlined
def meet_with_naturals(view: Any) -> int:
    """Meet the condition with naturals: the own meld that the top card joins, or a run or a set with it; -1 without one."""
    rules, team, card = view.rules, view.team, view.pending_card
    suit, rank = card >> 4, card & 15
    for slot in range(view.n_melds[team]):
        meld = meld_at(view, team, slot)
        if suit_of(meld) == (rank if is_set(meld) else suit):
            after = grown(rules, meld, view.once, view.twice)
            if after != meld:
                action = try_meld(view, slot, after, 0)
                if action >= 0 and has_card(added_cards(meld, after)[0], 0, card):
                    return action
    after = run_through(rules, view.once, card)
    if after == 0 and (rules.melds_sets >> rank) & 1:
        after = set_meld(rank, held_of_rank(rules, view.once, view.twice, rank), 0)
    return try_meld(view, view.n_melds[team], after, 0) if after else -1
