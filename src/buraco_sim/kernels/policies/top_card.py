"""`top-card`: takes the pile only for its top card, extends before it opens, discards safe cards before low ones.

It gives no wild to a meld on the table before its team has a clean canasta.
"""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import entry, kernel
from buraco_sim.kernels.fits import spread
from buraco_sim.kernels.policies.greedy import cards_to_keep, is_racing, meet_condition
from buraco_sim.kernels.policies.moves import CANASTA, empty_hand, grow, is_leaving, open_run, open_set, open_with_wild, spend_wild
from buraco_sim.kernels.policies.plan import neighbours, ranks_of, set_ranks
from buraco_sim.kernels.policies.trial import first_legal, safe_discard, trial_folder
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import is_wild, n_wilds
from buraco_sim.layout import ACT_DRAW_PILE, ACT_DRAW_STOCK, PENDING_NONE, PHASE_DRAW

FOLDER: Final = trial_folder("top-card", __file__)
SMALL_HAND: Final = 6  # cards: from here on the hand may be emptied


@kernel
def wants_top(view: Any) -> bool:
    """Whether the top of the pile is a wild, fits the own table, or a card of the hand: in a run, or of its rank for a set."""
    if is_wild(view.pile_top):
        return True
    top = 1 << view.pile_top
    company = neighbours(view.once) | spread(ranks_of(view.once) & set_ranks(view.rules))
    return top & (view.fits[view.team] | (company & ~view.once)) != 0


@kernel
def choose_meld(view: Any) -> int:
    """Extend, else open; no wild on a meld before the team has a clean canasta. -1 if nothing is to be laid."""
    leaving = is_leaving(view)
    keep = cards_to_keep(view, leaving)
    action = grow(view, keep)
    if action < 0:
        action = open_run(view, keep)
    if action < 0:
        action = open_set(view, 3, keep)
    if action < 0 and view.clean_canastas[view.team]:
        action = spend_wild(view, CANASTA, keep)
    if action < 0 and leaving and view.n_hand <= SMALL_HAND:
        action = empty_hand(view, keep)
    if action < 0 and leaving and (n_wilds(view) > 1 or is_racing(view)):
        action = open_with_wild(view, keep)
    return action


@entry(DECIDE_SIG, FOLDER)
def decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action."""
    if view.phase == PHASE_DRAW:
        return ACT_DRAW_PILE if view.take_legal and wants_top(view) else ACT_DRAW_STOCK
    action = choose_meld(view) if view.pending == PENDING_NONE else meet_condition(view)
    if action < 0:
        action = safe_discard(view)
    return action if action >= 0 else first_legal(view)
