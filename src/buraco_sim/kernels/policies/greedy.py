"""`greedy`: lays all it can with sense, takes the pile when it gains, keeps runs together, feeds nobody, goes out."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import entry, inlined, kernel, player_folder
from buraco_sim.kernels.bits import ALL_CARDS, ALL_TWOS, JOKER, popcount
from buraco_sim.kernels.candidates import candidates
from buraco_sim.kernels.fits import spread
from buraco_sim.kernels.legal import is_legal, list_actions
from buraco_sim.kernels.melds import (
    n_cards,
    wild_of,
)
from buraco_sim.kernels.pile import TAKE_FREE, TAKE_MELD_ANY
from buraco_sim.kernels.policies.moves import (
    CANASTA,
    LOOK,
    empty_hand,
    grow,
    is_leaving,
    meet_with_naturals,
    open_run,
    open_set,
    open_with_wild,
    spend_wild,
    usable,
)
from buraco_sim.kernels.policies.plan import (
    counted_ranks,
    lowest_card,
    neighbours,
    seconds,
    set_ranks,
)
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import OUT_CLEAN, action_of, is_wild, may_discard, may_go_out, may_take_morto, n_wilds
from buraco_sim.layout import ACT_DISCARD, ACT_DRAW_PILE, ACT_DRAW_STOCK, PENDING_NONE, PENDING_TOP, PHASE_DRAW

FOLDER: Final = player_folder("greedy", __file__)

SMALL_HAND: Final = 6  # from here on the hand may be emptied: look at every meld action
NEAR: Final = 6  # cards of a hand that is near its morto
STUCK: Final = 4  # cards of hand and pile with which nothing can be laid without stranding
BEHIND: Final = 200  # points: so far behind one waits for canastas before going out
MEAN_CARD: Final = 8  # points of an unseen card
LONG: Final = 150  # turns
PILE: Final = 3  # cards of a pile that is taken for its number alone


@inlined
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


@inlined
def cards_to_keep(view: Any, leaving: bool) -> int:
    """How many cards a meld has to leave: two while the team may go out and it does not pay."""
    if leaving and not may_take_morto(view.rules, view) and not pays_to_go_out(view):
        return 2
    return 0


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


@inlined
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
def wants_dirt(view: Any) -> bool:
    """Whether a wild may make a canasta dirty: not while a clean one is still needed for going out."""
    return view.rules.go_out_canasta != OUT_CLEAN or view.clean_canastas[view.team] > 0


@inlined
def choose_meld(view: Any) -> int:
    """The next meld action of this turn; -1 if nothing is to be laid."""
    leaving = is_leaving(view)
    keep = cards_to_keep(view, leaving)
    action = grow(view, keep) if view.once & view.fits[view.team] else -1
    if action < 0:
        action = open_run(view, keep)
    if action < 0:
        action = open_set(view, 3, keep)
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


@inlined
def meet_condition(view: Any) -> int:
    """Meet the condition of the taken pile: the meld action of most cards, without a wild if possible."""
    rules = view.rules
    if view.pending == PENDING_TOP and not is_wild(view.pending_card):
        action = meet_with_naturals(view)
        if action >= 0:
            return action
    buffer = stack_words(LOOK)
    n = candidates(rules, view, view.once, view.twice, view.jokers, view.pending_card, True, 0, buffer)
    best, best_value = -1, -1
    for i in range(n):
        after = buffer[i] >> 9
        value = 2 * n_cards(after) - 5 * (wild_of(after) != 0)
        if value > best_value and is_legal(rules, view, buffer[i]):
            best, best_value = buffer[i], value
    return best


@inlined
def choose_discard(view: Any) -> int:
    """The card that helps least in the own hand and does not fit the opponents' melds; -1 if none may go."""
    rules = view.rules
    once = view.once
    if 0 <= view.barred < JOKER:
        once &= ~(1 << view.barred)
    naturals = once & ~ALL_TWOS
    own, danger = view.nearly_fits[view.team], view.fits[1 - view.team]
    near, second = neighbours(view.once), seconds(view.once)
    mates = 0
    if set_ranks(rules):
        twos, _ = counted_ranks(view.once, view.twice)
        mates = spread(twos & set_ranks(rules))
    else:
        twin = naturals & view.twice
        near &= ~twin
        second &= ~twin
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
    action = meet_condition(view) if view.pending != PENDING_NONE else choose_meld(view)
    if action < 0:
        action = choose_discard(view)
    if action < 0:
        buffer = stack_words(1)
        list_actions(view.rules, view, buffer)
        action = buffer[0]
    return action
