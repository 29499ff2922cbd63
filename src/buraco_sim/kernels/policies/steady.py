"""`steady`, the default player: a heuristic with named weights (declared in policies.py, in the order of their use)."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import entry, kernel
from buraco_sim.kernels.bits import JOKER, lowest, popcount
from buraco_sim.kernels.fits import spread
from buraco_sim.kernels.legal import list_actions
from buraco_sim.kernels.melds import meld_at, n_cards, wild_of
from buraco_sim.kernels.pile import TAKE_FREE, take
from buraco_sim.kernels.policies import greedy
from buraco_sim.kernels.policies.moves import (
    CANASTA,
    empty_hand,
    grow,
    is_leaving,
    open_run,
    open_set,
    open_with_wild,
    spend_wild,
    usable,
)
from buraco_sim.kernels.policies.plan import (
    counted_ranks,
    lies_on_tables,
    live_runs,
    living_pairs,
    neighbours,
    ranks_of,
    set_ranks,
)
from buraco_sim.kernels.policies.trial import VIEW_SIZE, copy_of, lay_greedily, points_laid, trial_folder
from buraco_sim.kernels.records import copy_record, stack_words
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import OUT_CLEAN, action_of, may_discard, may_go_out, may_take_morto, n_wilds
from buraco_sim.kernels.view import TOP_ONLY
from buraco_sim.layout import ACT_DISCARD, ACT_DRAW_PILE, ACT_DRAW_STOCK, PENDING_NONE, PHASE_DRAW, PHASE_PLAY
from buraco_sim.policies import POLICIES

FOLDER: Final = trial_folder("steady", __file__)

(
    PILE_STOCK,
    PILE_SQUARE,
    PILE_DIRTY,
    PILE_HELD,
    PILE_WILD,
    PILE_NEAR,
    PILE_DENY,
    PILE_RACE,
    PILE_LATE,
    LOW_STOCK,
    NEAR_MORTO,
    PARTNER_NEAR,
    HOLD_REST,
    HOLD_STOCK,
    SMALL_HAND,
    WILDS_TO_OPEN,
    DIRT_STOCK,
    CLEAN_FIRST,
    SET_SIZE,
    RACE_WILD_SIZE,
    BEHIND,
    MEAN_CARD,
    OUT_STOCK,
    KEEP_NEAR,
    KEEP_SECOND,
    KEEP_MATE,
    KEEP_OWN,
    KEEP_TWIN,
    KEEP_RANK,
    KEEP_POINTS,
    KEEP_MIDDLE,
    KEEP_DEAD,
    DANGER,
    DANGER_NEXT,
    DANGER_KNOWN,
    DANGER_PILE,
    GIVE_PARTNER,
    KEEP_WILD,
) = range(len(POLICIES["steady"].weights))

MIDDLE: Final = 0x1F0 | 0x1F0 << 16  # 5 to 9 of spades and hearts
LONG: Final = 150  # turns after which only the stock is drawn, so that two who wait for each other come to an end
LYING: Final = 0  # the first of three words of the scratch where `lies_on_tables` keeps what it found


@kernel
def shortest_opponent(view: Any) -> int:
    """Cards in the smallest hand of the opponents."""
    least = JOKER
    for seat in range(1 - view.team, view.n_seats, 2):
        least = min(least, view.hand_counts[seat])
    return least


@kernel
def is_racing(view: Any, weights: Any) -> bool:
    """Whether the own morto is near, or an opponent is ahead of the team in the race for it."""
    if not may_take_morto(view.rules, view):
        return False
    near = weights[NEAR_MORTO]
    return view.n_hand <= near or view.taken[1 - view.team] > 0 or shortest_opponent(view) <= near


@kernel
def runs_low(view: Any, weights: Any) -> bool:
    """Whether the end is near: few cards to draw and no morto to come, or an opponent who may go out with a small hand."""
    return view.n_drawable + JOKER * (view.n_mortos > 0) * (view.rules.stock_exhausted != 0) <= weights[LOW_STOCK]


@kernel
def estimated_lead(view: Any, weights: Any) -> float:
    """Score of the team minus that of the opponents if the own team went out now, hidden cards at their mean value."""
    lead = float(view.rules.go_out_bonus)
    for team in range(2):
        score = float(view.table_points[team] + view.canasta_bonus[team] + view.penalty[team])
        for seat in range(team, view.n_seats, 2):
            if seat != view.seat:
                score -= weights[MEAN_CARD] * view.hand_counts[seat]
        lead += score if team == view.team else -score
    return lead


@kernel
def partner_is_nearer(view: Any, weights: Any) -> bool:
    """Whether the partner's hand is small, and smaller than the own one: the morto comes to the team by itself."""
    if view.n_seats == 2:
        return False
    partner = view.hand_counts[view.seat ^ 2]
    return partner <= weights[PARTNER_NEAR] and partner < view.n_hand


@kernel
def cards_to_keep(view: Any, weights: Any, leaving: bool) -> int:
    """How many cards a meld has to leave: two while the team may go out and it does not pay, or the morto is the partner's."""
    if not leaving:
        return 0
    if may_take_morto(view.rules, view):
        return 2 if partner_is_nearer(view, weights) else 0
    if view.n_drawable <= weights[OUT_STOCK]:
        return 0
    return 0 if estimated_lead(view, weights) >= -weights[BEHIND] else 2


@kernel
def holds_back(view: Any, weights: Any) -> bool:
    """Whether the hand is kept until it can be emptied at once for the morto."""
    rules = view.rules
    if rules.go_out_canasta != OUT_CLEAN or rules.pile_take == TAKE_FREE or view.n_drawable <= weights[HOLD_STOCK]:
        return False
    if view.n_hand <= weights[HOLD_REST] or not may_take_morto(rules, view):
        return False
    return view.n_hand - usable(view, view.once, view.twice) - n_wilds(view) > weights[HOLD_REST]


@kernel
def wants_dirt(view: Any, weights: Any) -> bool:
    """Whether a wild may make a canasta dirty: not while a clean one is needed for going out, nor early without need."""
    if view.rules.go_out_canasta == OUT_CLEAN and view.clean_canastas[view.team] == 0:
        return False
    if weights[CLEAN_FIRST] >= 0.5 and view.clean_canastas[view.team] == 0:
        return False
    return view.n_drawable <= weights[DIRT_STOCK] or view.canastas[view.team] == 0


@kernel
def choose_meld(view: Any, weights: Any) -> int:
    """The next meld action of this turn; -1 if nothing is to be laid."""
    if holds_back(view, weights):
        return -1
    rules = view.rules
    leaving = is_leaving(view)
    keep = cards_to_keep(view, weights, leaving)
    racing = is_racing(view, weights)
    action = grow(view, keep) if view.once & view.fits[view.team] else -1
    if action < 0:
        action = open_run(view, keep)
    if action < 0 and set_ranks(rules):
        action = open_set(view, 3 if racing else int(weights[SET_SIZE] + 0.5), keep)
    wilds = n_wilds(view)
    if action >= 0 or wilds == 0:
        return action
    if wants_dirt(view, weights):
        action = spend_wild(view, CANASTA, keep)
    if action < 0 and leaving and view.n_hand <= weights[SMALL_HAND]:
        action = empty_hand(view, keep)
    if action < 0 and leaving and (wilds >= weights[WILDS_TO_OPEN] or racing):
        action = open_with_wild(view, keep)
    if action < 0 and racing:
        action = spend_wild(view, int(weights[RACE_WILD_SIZE] + 0.5), keep)
    return action


@kernel
def worth(view: Any, weights: Any, crowded: bool, late: bool) -> float:
    """Points of the own table and hand, as far as they go: what is laid, what melds may become, what the hand may serve for."""
    value = float(points_laid(view))
    for slot in range(view.n_melds[view.team]):
        meld = meld_at(view, view.team, slot)
        size = min(n_cards(meld), CANASTA)
        share = weights[PILE_DIRTY] if wild_of(meld) else 1.0
        value += weights[PILE_SQUARE] * share * (size * size)
    held = weights[PILE_HELD] / view.n_seats + weights[PILE_RACE] * crowded + weights[PILE_LATE] * late
    value += held * view.n_hand + weights[PILE_WILD] * n_wilds(view)
    return value + weights[PILE_NEAR] * popcount(view.once & neighbours(view.once))


@kernel
def gain_by_pile(view: Any, trials: Any, weights: Any) -> float:
    """What table and hand are worth more after taking the pile and laying than after laying without a draw; the copy is spent."""
    trial = trials[0]
    crowded = is_racing(view, weights) or may_go_out(view.rules, view)
    late = runs_low(view, weights)
    trial.phase = PHASE_PLAY
    laid = lay_greedily(trial)
    without = worth(trial, weights, crowded, late)
    if laid:
        copy_record(trial, view, VIEW_SIZE)
        trial.phase = PHASE_PLAY
    take(trial.rules, trial, trial.pile_once, trial.pile_twice, trial.pile_jokers, trial.pile_top)
    lay_greedily(trial)
    return worth(trial, weights, crowded, late) - without


@kernel
def draw(view: Any, weights: Any) -> int:
    """Take the pile where table and hand are worth more with it, by more than a card of the stock is worth.

    A pile of which only the top card is seen is taken whenever it may be: its other cards are a gain that nobody sees.
    """
    if not view.take_legal or view.turn > LONG:
        return ACT_DRAW_STOCK
    if view.rules.pile_visible == TOP_ONLY:
        return ACT_DRAW_PILE
    gain = gain_by_pile(view, copy_of(view), weights)
    theirs = view.fits[1 - view.team]
    gain += weights[PILE_DENY] * (popcount(view.pile_once & theirs) + popcount(view.pile_twice & theirs))
    return ACT_DRAW_PILE if gain > weights[PILE_STOCK] else ACT_DRAW_STOCK


@kernel
def companions(view: Any, cards: int) -> int:
    """Cards next to those of a plane, and where sets are made those of their ranks."""
    if cards == 0:
        return 0
    return neighbours(cards) | (spread(ranks_of(cards) & set_ranks(view.rules)))


@kernel
def choose_discard(view: Any, weights: Any, scratch: Any) -> int:
    """The card of the least value in the own hand and the least danger in the next; -1 if none may go."""
    rules, team = view.rules, view.team
    lie1, lie2 = lies_on_tables(view, scratch, LYING)
    gone = lie2 | (lie1 & view.once) | view.twice
    near, second = living_pairs(view.once, gone)
    joins = live_runs(gone)
    twos, _ = counted_ranks(view.once, view.twice)
    mates = spread(twos & set_ranks(rules))
    own, their_fit, their_next = view.nearly_fits[team], view.fits[1 - team], view.nearly_fits[1 - team]
    known = companions(view, view.known_once[(view.seat + 1) % view.n_seats])
    partner = companions(view, view.known_once[view.seat ^ 2]) if view.n_seats > 2 else 0
    growth = 1.0 + weights[DANGER_PILE] * view.n_pile
    short = runs_low(view, weights) or shortest_opponent(view) <= 3
    best, best_value = -1, 1e9
    rest = view.once
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        rank = card & 15
        value = (
            weights[KEEP_NEAR] * ((near >> card) & 1)
            + weights[KEEP_SECOND] * ((second >> card) & 1)
            + weights[KEEP_MATE] * ((mates >> card) & 1)
            + weights[KEEP_OWN] * ((own >> card) & 1)
            + weights[KEEP_MIDDLE] * ((MIDDLE >> card) & 1)
            + weights[KEEP_DEAD] * (1 - ((joins >> card) & 1))
            + weights[KEEP_RANK] * (rank if rank else 13)
            + weights[GIVE_PARTNER] * ((partner >> card) & 1)
            + growth
            * (
                weights[DANGER] * ((their_fit >> card) & 1)
                + weights[DANGER_NEXT] * ((their_next >> card) & 1)
                + weights[DANGER_KNOWN] * ((known >> card) & 1)
            )
        )
        if (view.twice >> card) & 1 and not (mates >> card) & 1:
            value += weights[KEEP_TWIN]
        if short:
            value += weights[KEEP_POINTS] * rules.card_points[card]
        if rank == 1:
            value += weights[KEEP_WILD]
        if value < best_value and card != view.barred:
            best, best_value = card, value
    if view.jokers and view.barred != JOKER and (best < 0 or 2 * weights[KEEP_WILD] < best_value):
        best = JOKER
    return action_of(ACT_DISCARD, 0, best) if best >= 0 and may_discard(rules, view, best) else -1


@entry(DECIDE_SIG, FOLDER)
def decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action."""
    if view.phase == PHASE_DRAW:
        return draw(view, weights)
    action = greedy.meet_condition(view) if view.pending != PENDING_NONE else choose_meld(view, weights)
    if action < 0:
        action = choose_discard(view, weights, scratch)
    if action < 0:
        buffer = stack_words(1)
        list_actions(view.rules, view, buffer)
        action = buffer[0]
    return action
