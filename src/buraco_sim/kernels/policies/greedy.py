"""`greedy`: lays all it can with sense, takes the pile when it gains, keeps runs together, feeds nobody, goes out."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from buraco_sim._jit import entry, kernel, kernel_sources, unit_folder
from buraco_sim.kernels.bits import ALL_CARDS, ALL_TWOS, HIGH_ACE, JOKER, highest, lowest, places, popcount
from buraco_sim.kernels.candidates import added_cards, candidates
from buraco_sim.kernels.legal import is_legal, list_actions
from buraco_sim.kernels.melds import (
    is_legal_run,
    is_set,
    meld_at,
    n_cards,
    naturals_of,
    run_meld,
    set_meld,
    suit_of,
    wild_of,
)
from buraco_sim.kernels.pile import TAKE_FREE, TAKE_MELD_ANY
from buraco_sim.kernels.plan import (
    counted_ranks,
    grown,
    held_of_rank,
    longest_run,
    lowest_card,
    n_wilds,
    neighbours,
    pair_with_wild,
    run_through,
    seconds,
    set_ranks,
    spread,
    triples,
    welcome,
    welcome_again,
    wild_for,
)
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import OUT_CLEAN, action_of, has_card, is_wild, lay, may_discard, may_go_out, may_take_morto, restore, snapshot
from buraco_sim.layout import ACT_DISCARD, ACT_DRAW_PILE, ACT_DRAW_STOCK, ACT_MELD, PENDING_NONE, PENDING_TOP, PHASE_DRAW

FOLDER: Final = unit_folder("greedy", [*kernel_sources(), Path(__file__)])

CANASTA: Final = 7
SMALL_HAND: Final = 6  # from here on the hand may be emptied: look at every meld action
NEAR: Final = 6  # cards of a hand that is near its morto
STUCK: Final = 4  # cards of hand and pile with which nothing can be laid without stranding
LOOK: Final = 128  # meld actions looked at
BEHIND: Final = 200  # points: so far behind one waits for canastas before going out
MEAN_CARD: Final = 8  # points of an unseen card
OWN, DANGER = 0, 2  # words of the scratch: cards that fit the own table, the opponents' table
LONG: Final = 150  # turns
PILE: Final = 3  # cards of a pile that is taken for its number alone


@kernel
def is_leaving(view: Any) -> bool:
    """Whether the hand may be emptied with the melds that the team has now."""
    return view.may_pass or may_take_morto(view.rules, view) or may_go_out(view.rules, view)


@kernel
def try_meld(view: Any, slot: int, after: int, keep: int) -> int:
    """The meld action if it is legal and leaves `keep` cards, else -1."""
    before = n_cards(meld_at(view, view.team, slot)) if slot < view.n_melds[view.team] else 0
    left = view.n_hand + before - n_cards(after)
    if left < keep or (left < 2 and n_cards(after) < CANASTA and not is_leaving(view)):
        return -1
    action = action_of(ACT_MELD, slot, after)
    return action if is_legal(view.rules, view, action) else -1


@kernel
def pays_to_go_out(view: Any) -> bool:
    """Whether the deal would be won by going out now, as far as one can see; near the end of the stock it always pays."""
    mine, theirs = view.rules.go_out_bonus, 0
    for team in range(2):
        score = view.table_points[team] + view.canasta_bonus[team] + view.penalty[team]
        for seat in range(team, view.n_seats, 2):
            if seat != view.seat:
                score -= MEAN_CARD * view.hand_counts[seat]
        if team == view.team:
            mine += score
        else:
            theirs += score
    return mine >= theirs - BEHIND or view.n_drawable <= 2 * view.n_seats


@kernel
def cards_to_keep(view: Any, leaving: bool) -> int:
    """How many cards a meld has to leave: two while the team may go out and it does not pay."""
    if leaving and not may_take_morto(view.rules, view) and not pays_to_go_out(view):
        return 2
    return 0


@kernel
def usable(view: Any, once: int, twice: int) -> int:
    """How many of these cards lie in runs and sets of naturals or fit the own table."""
    rules = view.rules
    mine = triples(once) | (once & welcome(rules, view, view.team, 1))
    if set_ranks(rules):
        _, threes = counted_ranks(once, twice)
        mine |= once & spread(threes & set_ranks(rules))
    return popcount(mine)


@kernel
def is_racing(view: Any) -> bool:
    """Whether the own morto is near, or an opponent is ahead: wilds are then for getting rid of cards."""
    if not may_take_morto(view.rules, view):
        return False
    if view.n_hand <= NEAR or view.taken[1 - view.team]:
        return True
    least = NEAR + 1
    for seat in range(1 - view.team, view.n_seats, 2):
        least = min(least, view.hand_counts[seat])
    return least <= NEAR


@kernel
def draw(view: Any) -> int:
    """Take the pile if it is needed and allowed, or if enough of its cards can be used."""
    rules = view.rules
    if not view.take_legal:
        return ACT_DRAW_STOCK
    if rules.pile_take != TAKE_FREE and rules.pile_take != TAKE_MELD_ANY:
        return ACT_DRAW_PILE
    if view.turn > LONG:
        return ACT_DRAW_STOCK  # so that two who wait for each other come to an end
    if view.n_hand + view.n_pile <= STUCK and not may_take_morto(rules, view) and not may_go_out(rules, view):
        return ACT_DRAW_STOCK  # nothing could be laid without stranding
    once, twice = view.once | view.pile_once, view.twice | view.pile_twice | (view.once & view.pile_once)
    gain = usable(view, once, twice) - usable(view, view.once, view.twice)
    gain += view.pile_jokers + popcount(view.pile_once & ALL_TWOS)
    return ACT_DRAW_PILE if gain > 0 or view.n_pile >= PILE else ACT_DRAW_STOCK


@kernel
def grow(view: Any, keep: int) -> int:
    """Lay natural cards on the own meld that becomes the longest; -1 if none fits."""
    team = view.team
    best, best_size = -1, 0
    for slot in range(view.n_melds[team]):
        meld = meld_at(view, team, slot)
        after = grown(view.rules, meld, view.once, view.twice)
        if after != meld and n_cards(after) > best_size:
            action = try_meld(view, slot, after, keep)
            if action >= 0:
                best, best_size = action, n_cards(after)
    return best


@kernel
def open_naturals(view: Any, keep: int) -> int:
    """Open the longest run or the largest set of naturals; -1 without one."""
    rules, slot = view.rules, view.n_melds[view.team]
    run = longest_run(rules, view.once, view.twice)
    if run:
        action = try_meld(view, slot, run, keep)
        if action >= 0:
            return action
    if set_ranks(rules):
        _, threes = counted_ranks(view.once, view.twice)
        ranks = threes & set_ranks(rules)
        while ranks:
            rank = highest(ranks)
            ranks &= ~(1 << rank)
            action = try_meld(view, slot, set_meld(rank, held_of_rank(rules, view.once, view.twice, rank), 0), keep)
            if action >= 0:
                return action
    return -1


@kernel
def wants_dirt(view: Any) -> bool:
    """Whether a wild may make a canasta dirty: not while a clean one is still needed for going out."""
    return view.rules.go_out_canasta != OUT_CLEAN or view.clean_canastas[view.team] > 0


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


@kernel
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
    buffer = np.empty(LOOK, np.int64)
    n = candidates(rules, view, view.once, view.twice, view.jokers, -1, True, 0, buffer)
    best, best_left = -1, min(view.n_hand, 3)
    for i in range(n):
        slot, after = (buffer[i] >> 3) & 63, buffer[i] >> 9
        saved = snapshot(view, slot)
        lay(rules, view, slot, after)
        left = view.n_hand
        restore(view, slot, saved)
        if keep <= left < best_left and is_legal(rules, view, buffer[i]):
            best, best_left = buffer[i], left
    return best


@kernel
def open_with_wild(view: Any, keep: int) -> int:
    """Open two naturals and a wild; -1 if that is not possible."""
    after = pair_with_wild(view.rules, view.once, view.twice, view.jokers)
    return try_meld(view, view.n_melds[view.team], after, keep) if after else -1


@kernel
def choose_meld(view: Any, scratch: Any) -> int:
    """The next meld action of this turn; -1 if nothing is to be laid."""
    leaving = is_leaving(view)
    keep = cards_to_keep(view, leaving)
    action = grow(view, keep) if view.once & welcome_again(view.rules, view, view.team, scratch, OWN) else -1
    if action < 0:
        action = open_naturals(view, keep)
    wilds = n_wilds(view)
    if action >= 0 or wilds == 0:
        return action
    if wants_dirt(view):
        action = spend_wild(view, CANASTA, keep)
    if action < 0 and leaving and view.n_hand <= SMALL_HAND:
        action = empty_hand(view, keep)
    racing = is_racing(view)
    if action < 0 and leaving and (wilds > 1 or racing):
        action = open_with_wild(view, keep)
    if action < 0 and racing:
        action = spend_wild(view, 4, keep)
    return action


@kernel
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


@kernel
def meet_condition(view: Any) -> int:
    """Meet the condition of the taken pile: the meld action of most cards, without a wild if possible."""
    rules = view.rules
    if view.pending == PENDING_TOP and not is_wild(view.pending_card):
        action = meet_with_naturals(view)
        if action >= 0:
            return action
    buffer = np.empty(LOOK, np.int64)
    n = candidates(rules, view, view.once, view.twice, view.jokers, view.pending_card, True, 0, buffer)
    best, best_value = -1, -1
    for i in range(n):
        after = buffer[i] >> 9
        value = 2 * n_cards(after) - 5 * (wild_of(after) != 0)
        if value > best_value and is_legal(rules, view, buffer[i]):
            best, best_value = buffer[i], value
    return best


@kernel
def choose_discard(view: Any, scratch: Any) -> int:
    """The card that helps least in the own hand and does not fit the opponents' melds; -1 if none may go."""
    rules = view.rules
    once = view.once
    if 0 <= view.barred < JOKER:
        once &= ~(1 << view.barred)
    naturals = once & ~ALL_TWOS
    danger = welcome_again(rules, view, 1 - view.team, scratch, DANGER)
    near, second = neighbours(view.once), seconds(view.once)
    mates = 0
    if set_ranks(rules):
        twos, _ = counted_ranks(view.once, view.twice)
        mates = spread(twos & set_ranks(rules))
    else:
        twin = naturals & view.twice
        near &= ~twin
        second &= ~twin
    own = welcome(rules, view, view.team, 2)
    for cards in (
        naturals & ~near & ~second & ~mates & ~own & ~danger,
        naturals & ~near & ~mates & ~danger,
        naturals & ~near & ~second & ~mates,
        naturals & ~mates & ~danger,
        naturals & ~danger,
        naturals,
        once & ALL_CARDS,
    ):
        if cards:
            card = lowest_card(cards)
            return action_of(ACT_DISCARD, 0, card) if may_discard(rules, view, card) else -1
    return action_of(ACT_DISCARD, 0, JOKER) if view.jokers and may_discard(rules, view, JOKER) else -1


@entry(DECIDE_SIG, FOLDER)
def decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action."""
    if view.phase == PHASE_DRAW:
        return draw(view)
    action = meet_condition(view) if view.pending != PENDING_NONE else choose_meld(view, scratch)
    if action < 0:
        action = choose_discard(view, scratch)
    if action < 0:
        buffer = np.empty(1, np.int64)
        list_actions(view.rules, view, buffer)
        action = buffer[0]
    return action
