"""Taking the pile: when it is allowed and what it brings with it (rules 1, [pile], and 1.2)."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import (
    ALL_ACES,
    ALL_TWOS,
    HIGH_ACE,
    JOKER,
    highest,
    in_threes,
    lowest,
    mask_of,
    near,
    places,
    popcount,
    widened,
)
from buraco_sim.kernels.candidates import SHORTEST, has_set_of
from buraco_sim.kernels.melds import (
    LOW_ACE_ONLY,
    TWO_BIT,
    TWO_PLACE,
    is_set,
    meld_at,
    n_cards,
    naturals_of,
    places_of,
    suit_of,
    wild_of,
    wild_place_of,
)
from buraco_sim.kernels.table import LOCKED, freed, wild_is_free
from buraco_sim.kernels.turn import can_meet, holds, is_wild, may_leave, n_wilds
from buraco_sim.layout import CHOICES, PENDING_ANY, PENDING_NONE, PENDING_TOP, PHASE_DRAW, PHASE_PLAY

TAKE_FREE: Final = CHOICES["pile.take"].index("free")
TAKE_MELD_ANY: Final = CHOICES["pile.take"].index("meld_any")
TAKE_USE_TOP: Final = CHOICES["pile.take"].index("use_top")
RETURN_FACE: Final = CHOICES["pile.return_single"].index("face")
RETURN_ALLOWED: Final = CHOICES["pile.return_single"].index("allowed")
STOCK_MORTO: Final = CHOICES["stock.exhausted"].index("morto")
TO_JOIN: Final = 3  # cards of hand and pile: one may join a meld and two are left
TO_OPEN: Final = 5  # three may open a meld and two are left


@kernel
def is_over(rules: Any, now: Any) -> bool:
    """Whether no card can be drawn and no morto can become the stock: the deal ends with the turn."""
    return now.n_drawable == 0 and not (rules.stock_exhausted == STOCK_MORTO and now.n_mortos > 0)


@kernel
def take(rules: Any, now: Any, once: int, twice: int, jokers: int, top: int) -> None:
    """Take the pile of these cards: hand, what is barred from the discard, and what is pending."""
    if now.n_pile == 1 and rules.pile_return_single != RETURN_ALLOWED and (rules.pile_return_single == RETURN_FACE or not holds(now, top)):
        now.barred = top
    now.twice |= twice | (now.once & once)
    now.once |= once
    now.jokers += jokers
    now.n_hand += now.n_pile
    now.phase = PHASE_PLAY
    if rules.pile_take == TAKE_MELD_ANY:
        now.pending = PENDING_ANY
    elif rules.pile_take != TAKE_FREE:
        now.pending = PENDING_TOP
        now.pending_card = top


@inlined
def has_wild_to_move(rules: Any, meld: int, lane: int) -> bool:
    """Whether the wild of a run might go elsewhere, or its natural 2 turn wild: a necessary condition."""
    if not wild_of(meld):
        return lowest(naturals_of(meld)) == TWO_PLACE and rules.melds_two_may_turn_wild != 0
    if rules.melds_wild_moves == LOCKED:
        return False
    return wild_is_free(rules, meld) or (lane >> wild_place_of(meld)) & 1 != 0


@kernel
def reaches_run(rules: Any, now: Any, lane: int, suit: int, place: int, has_wild: bool) -> bool:
    """Whether a place may join an own run of its suit with cards of a lane, which holds it: a necessary condition, quickly asked."""
    team = now.team
    if not places(now.nearly_fits[team], suit) & lane and not (has_wild and place == 0):
        return False  # with a wild something lies within two places of a run, or it is an ace, the 2 gone home, the wild for the 3
    for slot in range(now.n_melds[team]):
        meld = meld_at(now, team, slot)
        if is_set(meld) or suit_of(meld) != suit:
            continue
        filled = places_of(meld)
        low, high = lowest(filled), highest(filled)
        if low <= place <= high:
            if not (naturals_of(meld) >> place) & 1:
                return True  # the wild's place
            continue
        between = mask_of(place, low - 1) if place < low else mask_of(high + 1, place)
        moves = has_wild_to_move(rules, meld, lane)
        home = TWO_BIT if moves and wild_of(meld) == suit + 1 else 0  # the 2 gone home leaves the run room for a wild
        missing = popcount(between & ~(lane | home) & ~(1 << place))
        if missing == 0 or (missing == 1 and (moves or (has_wild and not wild_of(meld)))):
            return True
    return False


@inlined
def top_may_fit(rules: Any, now: Any, top: int) -> bool:
    """Whether the top of the pile might be melded: a necessary condition, so that most turns need no search."""
    if is_wild(top):
        return True
    suit, rank = top >> 4, top & 15
    wilds = n_wilds(now)
    has_wild = wilds > 0
    if (rules.melds_sets >> rank) & 1:
        held = popcount((now.once >> rank) & ALL_ACES) + popcount((now.twice >> rank) & ALL_ACES) + has_wild
        if held >= 2 or has_set_of(now, rank):
            return True
    lane = places(now.once | (1 << top), suit)
    naturals = lane if wilds > 1 else lane & ~TWO_BIT  # the only wild is not the natural 2 beside it
    spots = 1 << rank | ((rank == 0) << HIGH_ACE)
    if in_threes(lane) & spots or (has_wild and naturals & near(naturals) & spots):
        return True
    return reaches_run(rules, now, lane, suit, rank, has_wild) or (rank == 0 and reaches_run(rules, now, lane, suit, HIGH_ACE, has_wild))


@kernel
def allows_pair_with_wild(rules: Any) -> bool:
    """Whether two naturals near each other and a wild always make a new run that justifies a take."""
    return rules.pile_use_top_with_wild != 0 and rules.melds_run_wild_min == SHORTEST and rules.melds_wild_low != LOW_ACE_ONLY


@kernel
def wild_surely_fits(rules: Any, now: Any) -> bool:
    """`top_surely_fits` for a wild: an own meld without one takes it, or a pair of the hand makes a run with it."""
    if allows_pair_with_wild(rules):
        lanes = widened(now.once & ~ALL_TWOS)
        if lanes & ((lanes >> 1) | (lanes >> 2)):
            return True
    team = now.team
    for slot in range(now.n_melds[team]):
        meld = meld_at(now, team, slot)
        size = n_cards(meld)
        if wild_of(meld):
            continue
        if is_set(meld):
            if rules.melds_set_wild and suit_of(meld) != TWO_PLACE and size < rules.melds_set_max:
                return True
        elif (
            rules.melds_run_wild_min
            and rules.melds_run_wild_min <= size + 1 <= rules.melds_run_max
            and highest(naturals_of(meld)) < HIGH_ACE
        ):
            return True
    return False


@inlined
def surely_opens(rules: Any, now: Any, top: int) -> bool:
    """Whether the top of the pile makes a new run with naturals of the hand, or with one and a wild."""
    suit, rank = top >> 4, top & 15
    lane = places((now.once | (1 << top)) & ~ALL_TWOS, suit)
    spots = 1 << rank | ((rank == 0) << HIGH_ACE)
    if in_threes(lane) & spots:
        return True
    return lane & near(lane) & spots != 0 and n_wilds(now) > 0 and allows_pair_with_wild(rules)


@inlined
def surely_joins(rules: Any, now: Any, top: int) -> bool:
    """Whether the top of the pile joins an own set, the end of an own run, or a run whose wild has its place and goes elsewhere."""
    team, suit, rank = now.team, top >> 4, top & 15
    if not (now.fits[team] >> top) & 1:
        return False
    for slot in range(now.n_melds[team]):
        meld = meld_at(now, team, slot)
        if is_set(meld):
            if suit_of(meld) == rank and n_cards(meld) < rules.melds_set_max:
                return True
        elif suit_of(meld) == suit and rank != 0:
            filled = places_of(meld)
            if ((filled << 1) | (filled >> 1)) & ~filled & (1 << rank) and n_cards(meld) < rules.melds_run_max:
                return True
            if wild_place_of(meld) == rank and freed(rules, meld):
                return True
    return False


@inlined
def top_surely_fits(rules: Any, now: Any, top: int) -> bool:
    """Whether the top of the pile can be melded in a simple way with two cards to spare: a sufficient condition, quickly asked."""
    n = now.n_hand + now.n_pile
    if n < TO_JOIN or (now.n_melds[now.team] == 0 and rules.opening_min > 0):
        return False
    if is_wild(top):
        spare = top != JOKER or now.jokers == 0 or now.n_pile > 1  # not jokers alone, which may not be discarded after one was taken
        return n >= TO_OPEN and spare and wild_surely_fits(rules, now)
    return (n >= TO_OPEN and surely_opens(rules, now, top)) or surely_joins(rules, now, top)


@kernel
def try_take(rules: Any, now: Any, pile_once: int, pile_twice: int, pile_jokers: int, top: int) -> bool:
    """Whether the player has a way on after taking the pile of these cards: every one is looked for."""
    once, twice, jokers, n_hand = now.once, now.twice, now.jokers, now.n_hand
    # what may justify the take: the hand and the top card, buried cards do not
    with_top_twice = twice if top == JOKER else twice | (once & (1 << top))
    with_top_once = once if top == JOKER else once | (1 << top)
    with_top_jokers = jokers + (top == JOKER)
    take(rules, now, pile_once, pile_twice, pile_jokers, top)
    if now.pending == PENDING_TOP:
        legal = can_meet(rules, now, with_top_once, with_top_twice, with_top_jokers, top, rules.pile_use_top_with_wild != 0)
    else:
        legal = may_leave(rules, now)
    now.once, now.twice, now.jokers, now.n_hand = once, twice, jokers, n_hand
    now.phase, now.barred, now.pending, now.pending_card = PHASE_DRAW, -1, PENDING_NONE, -1
    return legal


@kernel
def may_take(rules: Any, now: Any, pile_once: int, pile_twice: int, pile_jokers: int, top: int) -> bool:
    """Whether the pile of these cards may be taken (rules 1, [pile], and 1.2)."""
    if now.n_pile == 0 or is_over(rules, now):
        return False
    if rules.pile_take == TAKE_FREE and now.n_hand > 0 and (now.n_pile > 1 or rules.pile_return_single != RETURN_FACE):
        return True
    if rules.pile_take == TAKE_USE_TOP:
        if top_surely_fits(rules, now, top):
            return True
        if not top_may_fit(rules, now, top):
            return False
    return try_take(rules, now, pile_once, pile_twice, pile_jokers, top)
