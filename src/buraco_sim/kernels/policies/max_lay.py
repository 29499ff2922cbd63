"""`max-lay`: always makes the meld action of the most points, and takes the pile when it can lay more points with it."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import entry, kernel
from buraco_sim.kernels.bits import ALL_CARDS, ALL_TWOS, JOKER
from buraco_sim.kernels.pile import take
from buraco_sim.kernels.policies.plan import lowest_card
from buraco_sim.kernels.policies.trial import NEVER, copy_of, first_legal, most_points, trial_folder
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import action_of, may_discard
from buraco_sim.layout import ACT_DISCARD, ACT_DRAW_PILE, ACT_DRAW_STOCK, PENDING_NONE, PHASE_DRAW, PHASE_PLAY

FOLDER: Final = trial_folder("max-lay", __file__)


@kernel
def gains_by_pile(trials: Any) -> bool:
    """Whether one action lays more points with the pile than without; the copy is spent."""
    trial = trials[0]
    trial.phase = PHASE_PLAY
    without = most_points(trial, 0)[1]
    take(trial.rules, trial, trial.pile_once, trial.pile_twice, trial.pile_jokers, trial.pile_top)
    return most_points(trial, 0)[1] > without


@kernel
def choose_discard(view: Any) -> int:
    """The lowest natural card, wilds last; -1 if none may go."""
    once = view.once
    if 0 <= view.barred < JOKER:
        once &= ~(1 << view.barred)
    for cards in (once & ~ALL_TWOS, once & ALL_CARDS):
        if cards:
            card = lowest_card(cards)
            return action_of(ACT_DISCARD, 0, card) if may_discard(view.rules, view, card) else -1
    return -1


@entry(DECIDE_SIG, FOLDER)
def decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action."""
    if view.phase == PHASE_DRAW:
        return ACT_DRAW_PILE if view.take_legal and gains_by_pile(copy_of(view)) else ACT_DRAW_STOCK
    action = most_points(view, 0 if view.pending == PENDING_NONE else NEVER)[0]
    if action < 0:
        action = choose_discard(view)
    return action if action >= 0 else first_legal(view)
