"""Bit primitives for players: what a hand can do, without listing every legal action.

A player that plans with these asks `is_legal` before it acts: the primitives do not look at stranding or conditions.
"""

from __future__ import annotations

from typing import Any

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import ALL_CARDS, ALL_TWOS, HIGH_ACE, highest, in_threes, lowest, places, popcount, widened
from buraco_sim.kernels.candidates import wild_codes
from buraco_sim.kernels.fits import folded, spread
from buraco_sim.kernels.melds import (
    BOTH_ACES,
    NO_PLACE,
    TWO_PLACE,
    is_legal_run,
    is_set,
    meld_at,
    meld_planes,
    naturals_of,
    places_of,
    run_meld,
    set_meld,
    suit_of,
    wild_of,
    wild_place_of,
)
from buraco_sim.kernels.table import freed


@kernel
def triples(once: int) -> int:
    """Cards that stand in three or more in a row of their suit."""
    return folded(in_threes(widened(once)))


@kernel
def neighbours(once: int) -> int:
    """Cards next to a card of the set, in its suit."""
    lanes = widened(once)
    return folded((lanes << 1) | (lanes >> 1))


@kernel
def seconds(once: int) -> int:
    """Cards two places from a card of the set, in its suit."""
    lanes = widened(once)
    return folded((lanes << 2) | (lanes >> 2))


@kernel
def ranks_of(once: int) -> int:
    """Ranks that a plane holds, as a mask of 13 bits."""
    half = once | (once >> 32)
    return (half | (half >> 16)) & 0x1FFF


@kernel
def counted_ranks(once: int, twice: int) -> tuple[int, int]:
    """Ranks of which a hand holds two or more, and three or more cards."""
    ones, twos, threes = 0, 0, 0
    for suit in range(4):
        for plane in (once, twice):
            lane = (plane >> (16 * suit)) & 0x1FFF
            threes |= twos & lane
            twos |= ones & lane
            ones |= lane
    return twos, threes


@kernel
def set_ranks(rules: Any) -> int:
    """Ranks of which a set may be made."""
    return rules.melds_sets | (rules.melds_set_of_twos << TWO_PLACE)


@kernel
def naturals_for_runs(rules: Any, once: int) -> int:
    """Cards of a plane that may stand in a run as naturals."""
    return once if rules.melds_natural_two else once & ~ALL_TWOS


@kernel
def held_of_rank(rules: Any, once: int, twice: int, rank: int) -> int:
    """Cards of a rank in a hand, as the copies of a set."""
    copies = 0
    for suit in range(4):
        card = 16 * suit + rank
        copies |= (((once >> card) & 1) + ((twice >> card) & 1)) << (2 * suit)
    return copies


@kernel
def one_ace_too_many(rules: Any, naturals: int, twin_ace: bool) -> bool:
    """Whether a lane uses two aces where the rules or the hand allow one."""
    return (naturals & BOTH_ACES) == BOTH_ACES and (rules.melds_run_aces < 2 or not twin_ace)


@inlined
def longest_run(rules: Any, once: int, twice: int) -> int:
    """The longest run of naturals in a hand as a meld; 0 without one."""
    lanes = widened(naturals_for_runs(rules, once))
    starts = lanes & (lanes >> 1) & (lanes >> 2) & 0x0FFF0FFF0FFF0FFF
    best, best_size = 0, 2
    for suit in range(4):
        open_starts = (starts >> (16 * suit)) & 0x0FFF
        if open_starts == 0:
            continue
        lane = (lanes >> (16 * suit)) & 0x3FFF
        twin_ace = (twice >> (16 * suit)) & 1 != 0
        while open_starts:
            low = lowest(open_starts)
            span = lane >> low
            size = lowest(~span)
            if low == 0 and size == 14 and (rules.melds_run_aces < 2 or not twin_ace):
                low, size = 1, 13
            size = min(size, rules.melds_run_max)
            if size > best_size:
                best, best_size = run_meld(suit, ((1 << size) - 1) << low, NO_PLACE, 0), size
            open_starts &= ~((1 << (low + size)) - 1)
    return best


@inlined
def grown_run(rules: Any, meld: int, once: int, twice: int) -> int:
    """A run on the table with what the hand adds to it: first its wild's card, then cards at its ends; the run itself if nothing."""
    suit = suit_of(meld)
    lane = places(naturals_for_runs(rules, once), suit)
    filled, naturals = places_of(meld), naturals_of(meld)
    if not lane & ((filled << 1) | (filled >> 1) | (filled & ~naturals)) & ~naturals:
        return meld
    if wild_of(meld) and (lane >> wild_place_of(meld)) & 1:
        after = freed(rules, meld)
        if after and after != meld:
            return after
    low, high, size = lowest(filled), highest(filled), popcount(filled)
    aces = naturals & BOTH_ACES
    twin_ace = (twice >> (16 * suit)) & 1 != 0
    while high < HIGH_ACE and (lane >> (high + 1)) & 1 and size < rules.melds_run_max:
        if high + 1 == HIGH_ACE and aces and rules.melds_run_aces < 2:
            break
        high += 1
        size += 1
        naturals |= 1 << high
    spent = (naturals >> HIGH_ACE) & 1 and not aces
    while low > 0 and (lane >> (low - 1)) & 1 and size < rules.melds_run_max:
        if low == 1 and ((naturals >> HIGH_ACE) & 1 and (rules.melds_run_aces < 2 or (spent and not twin_ace))):
            break
        low -= 1
        size += 1
        naturals |= 1 << low
    if naturals == naturals_of(meld):
        return meld
    after = run_meld(suit, naturals, wild_place_of(meld), wild_of(meld))
    if wild_of(meld) and not is_legal_run(rules, suit, naturals, wild_place_of(meld), wild_of(meld)):
        return meld
    return after


@inlined
def grown_set(rules: Any, meld: int, once: int, twice: int) -> int:
    """A set on the table with all that the hand adds to it."""
    rank = suit_of(meld)
    copies = naturals_of(meld) + held_of_rank(rules, once, twice, rank)
    after = set_meld(rank, copies, wild_of(meld))
    n = popcount(copies & 0x55) + 2 * popcount(copies & 0xAA) + (wild_of(meld) != 0)
    return after if n <= rules.melds_set_max else meld


@inlined
def grown(rules: Any, meld: int, once: int, twice: int) -> int:
    """A meld on the table with the natural cards that the hand can add to it."""
    return grown_set(rules, meld, once, twice) if is_set(meld) else grown_run(rules, meld, once, twice)


@kernel
def lies_on_tables(view: Any, scratch: Any, place: int) -> tuple[int, int]:
    """Cards that lie on both tables once or more, and twice; kept in three words of the scratch until a table changes."""
    actions = view.meld_actions[0] + view.meld_actions[1] + 1
    if scratch[place] != actions:
        scratch[place] = actions
        once, twice = 0, 0
        for team in range(2):
            for slot in range(view.n_melds[team]):
                more, both, _ = meld_planes(meld_at(view, team, slot))
                twice |= both | (once & more)
                once |= more
        scratch[place + 1], scratch[place + 2] = once, twice
    return scratch[place + 1], scratch[place + 2]


@kernel
def living_pairs(once: int, gone: int) -> tuple[int, int]:
    """Cards of a hand next to another one, and two places from another one, where a card that would join them is not gone."""
    lanes, alive = widened(once), widened(ALL_CARDS & ~gone)
    pair = lanes & (lanes >> 1) & ((alive << 1) | (alive >> 2))
    gap = lanes & (lanes >> 2) & (alive >> 1)
    return folded(pair | (pair << 1)), folded(gap | (gap << 2))


@kernel
def live_runs(gone: int) -> int:
    """Cards of which a run of three can still be made, with cards that are not gone."""
    alive = widened(ALL_CARDS & ~gone)
    below, above = alive << 1, alive >> 1
    return folded((below & above) | (below & (alive << 2)) | (above & (alive >> 2)))


@kernel
def lowest_card(cards: int) -> int:
    """A card of the lowest rank in a plane that is not empty, the ace being high."""
    ranks = ranks_of(cards)
    return lowest(cards & spread(1 << lowest(ranks & ~1 if ranks != 1 else ranks)))


@kernel
def run_through(rules: Any, once: int, card: int) -> int:
    """The longest run of naturals without a high ace below it that a plane makes through a card; 0 without one."""
    suit, place = card >> 4, card & 15
    lane = places(naturals_for_runs(rules, once), suit)
    if place == 0 and (lane >> (HIGH_ACE - 2)) & 3 == 3:
        place = HIGH_ACE
    lane &= ~1 if place > 1 and (lane >> HIGH_ACE) & 1 else lane
    if not (lane >> place) & 1:
        return 0
    high = place + lowest(~(lane >> place)) - 1
    below = ~lane & ((1 << place) - 1)
    low = highest(below) + 1
    if high - low < 2 or high - low >= rules.melds_run_max:
        return 0
    return run_meld(suit, (2 << high) - (1 << low), NO_PLACE, 0)


@kernel
def wild_for(once: int, jokers: int, suit: int) -> int:
    """A wild of the hand for a run of a suit (-2: for a set), the least precious first; 0 without one."""
    codes = wild_codes(once, jokers)
    others = codes & ~(1 << (suit + 1)) if suit >= 0 else codes
    return lowest(others) if others else (suit + 1 if codes else 0)


@kernel
def pair_with_wild(rules: Any, once: int, twice: int, jokers: int) -> int:
    """Two naturals and a wild as a new meld; 0 where the hand or the rules have none."""
    lanes = widened(once & ~ALL_TWOS)
    close, apart = lanes & (lanes >> 1), lanes & (lanes >> 2)
    if rules.melds_run_wild_min == 3:
        for suit in range(4):
            pair = ((close | apart) >> (16 * suit)) & 0x1FFF
            if pair == 0:
                continue
            low, wild = lowest(pair), wild_for(once, jokers, suit)
            if (apart >> (16 * suit + low)) & 1 and not (close >> (16 * suit + low)) & 1:
                naturals, place = 5 << low, low + 1
            else:
                naturals, place = 3 << low, (low + 2 if low + 2 <= HIGH_ACE else low - 1)
            if is_legal_run(rules, suit, naturals, place, wild):
                return run_meld(suit, naturals, place, wild)
    if rules.melds_set_wild and rules.melds_sets:
        ranks = counted_ranks(once, twice)[0] & rules.melds_sets
        if ranks:
            rank = highest(ranks)
            return set_meld(rank, held_of_rank(rules, once, twice, rank), wild_for(once, jokers, -2))
    return 0
