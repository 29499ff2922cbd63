"""`lookahead`: takes the pile when table and hand, laid greedily with it, are worth more than without.

It lays as `greedy` does; once its team has no morto to race for it discards safe cards first.
"""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import entry, kernel
from buraco_sim.kernels.melds import meld_at, n_cards, wild_of
from buraco_sim.kernels.pile import take
from buraco_sim.kernels.policies.greedy import choose_discard, choose_meld, meet_condition
from buraco_sim.kernels.policies.moves import CANASTA
from buraco_sim.kernels.policies.trial import copy_of, first_legal, lay_greedily, points_laid, safe_discard, trial_folder
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import may_take_morto
from buraco_sim.layout import ACT_DRAW_PILE, ACT_DRAW_STOCK, PENDING_NONE, PHASE_DRAW, PHASE_PLAY

FOLDER: Final = trial_folder("lookahead", __file__)
HELD: Final = 12  # points of a card in the hand, shared among the seats: the fewer they are, the sooner it is played
CARD: Final = 15  # points of a card of the stock
LONG: Final = 150  # turns after which only the stock is drawn, so that two who wait for each other come to an end


@kernel
def worth(view: Any) -> int:
    """Value of the own table and hand in points: a meld grows with the square of its cards, half as much with a wild."""
    value = points_laid(view) + HELD * view.n_hand // view.n_seats
    for slot in range(view.n_melds[view.team]):
        meld = meld_at(view, view.team, slot)
        size = min(n_cards(meld), CANASTA)
        value += size * size >> (wild_of(meld) != 0)
    return value


@kernel
def worth_laid(trials: Any, with_pile: bool) -> int:
    """`worth` after laying on as `greedy` does, with the pile or without a draw; the copies are spent."""
    trial = trials[0]
    trial.phase = PHASE_PLAY
    if with_pile:
        take(trial.rules, trial, trial.pile_once, trial.pile_twice, trial.pile_jokers, trial.pile_top)
    lay_greedily(trial)
    return worth(trial)


@kernel
def draw(view: Any) -> int:
    """Compare the table with the pile and without."""
    if not view.take_legal or view.turn > LONG:
        return ACT_DRAW_STOCK
    gain = worth_laid(copy_of(view), True) - worth_laid(copy_of(view), False)
    return ACT_DRAW_PILE if gain > CARD else ACT_DRAW_STOCK


@entry(DECIDE_SIG, FOLDER)
def decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action."""
    if view.phase == PHASE_DRAW:
        return draw(view)
    action = choose_meld(view) if view.pending == PENDING_NONE else meet_condition(view)
    if action < 0:
        action = choose_discard(view) if may_take_morto(view.rules, view) else safe_discard(view)
    return action if action >= 0 else first_legal(view)
