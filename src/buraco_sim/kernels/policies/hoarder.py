"""`hoarder`: keeps its cards in the hand until it can empty it at once for the morto; otherwise it plays as `greedy` does."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import entry, kernel
from buraco_sim.kernels.policies.greedy import choose_discard, choose_meld, draw, meet_condition
from buraco_sim.kernels.policies.trial import copy_of, first_legal, lay_on, trial_folder
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import may_take_morto
from buraco_sim.layout import PENDING_NONE, PHASE_DRAW

FOLDER: Final = trial_folder("hoarder", __file__)
LAST_ROUNDS: Final = 2  # of the stock, in which nothing is kept back any more


@kernel
def can_empty_now(trials: Any) -> bool:
    """Whether laying on as `greedy` does empties the hand, but for a discard, in this turn; the copies are spent."""
    trial = trials[0]
    while trial.n_hand > 1:
        action = choose_meld(trial)
        if action < 0:
            return False
        lay_on(trial, action)
    return True


@kernel
def lays(view: Any) -> bool:
    """Whether the time for laying has come."""
    if not may_take_morto(view.rules, view) or view.n_drawable <= LAST_ROUNDS * view.n_seats:
        return True
    return can_empty_now(copy_of(view))


@entry(DECIDE_SIG, FOLDER)
def decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action."""
    if view.phase == PHASE_DRAW:
        return draw(view)
    action = -1
    if view.pending != PENDING_NONE:
        action = meet_condition(view)
    elif lays(view):
        action = choose_meld(view)
    if action < 0:
        action = choose_discard(view)
    return action if action >= 0 else first_legal(view)
