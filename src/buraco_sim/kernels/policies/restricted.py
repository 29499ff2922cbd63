"""Restricted players: any player behind a wrapper that keeps it from something, for analysis (see RESTRICTIONS).

The player itself stays as it is. The wrapper shows it a world in which the forbidden is against the rules: it edits the
rules and a few fields of the view copy, asks, and puts everything back. So the player plans with what is left to it. Where
the rules of the real deal leave no action but a forbidden one, the player is asked in the real world: the forced wins.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from numba.core.errors import NumbaWarning

from buraco_sim._jit import entry, kernel
from buraco_sim.kernels.bits import ALL_CARDS, popcount
from buraco_sim.kernels.legal import is_legal, list_actions, list_others
from buraco_sim.kernels.melds import is_set, meld_at, n_cards, wild_of
from buraco_sim.kernels.pile import TAKE_FREE, TAKE_USE_TOP, may_take
from buraco_sim.kernels.policies.trial import NEVER, copy_of, first_legal, lay_on, most_points, put_back, trial_folder
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.kernels.turn import can_discard, may_take_morto
from buraco_sim.layout import ACT_DISCARD, ACT_MELD, CHOICES, PENDING_NONE, PHASE_DRAW, SCRATCH_WORDS
from buraco_sim.restrictions import RESTRICTIONS
from buraco_sim.restrictions import __file__ as declarations

(
    NEVER_TAKE_PILE,
    NO_WILD_BELOW,
    NEVER_LAY_SET,
    NEVER_FREE_WILD,
    IGNORE_MORTO,
    NEVER_GO_OUT,
    HOLD_BACK,
    LAY_AT_ONCE,
    RANDOM_DISCARD,
) = range(len(RESTRICTIONS))

LOCKED: Final = CHOICES["melds.wild_moves"].index("locked")
GONE_FORBIDDEN: Final = CHOICES["go_out.morto_gone"].index("forbidden")
PLAYER: Any = None  # the player behind the wrapper: each compiled unit has its own, see `restricted`
FIRST: int = 0  # where the restrictions begin, behind its weights
NO_RUN: Final = 2  # the longest run, where none may be laid
OTHERS: Final = 64  # discards and a pass


@kernel
def forbid_leaving(view: Any) -> None:
    """Show a world in which the hand may not be emptied: no morto for this team, and no going out without one."""
    view.rules.morto_per_team = 0
    view.rules.go_out_morto_gone = GONE_FORBIDDEN
    view.taken[view.team] = 0


@kernel
def forbid_sets(view: Any) -> None:
    """Show a world without sets."""
    view.rules.melds_sets = 0
    view.rules.melds_set_of_twos = 0


@kernel
def forbid_melds(view: Any) -> None:
    """Show a world without melds."""
    forbid_sets(view)
    view.rules.melds_run_max = NO_RUN


@kernel
def still_may_take(view: Any) -> bool:
    """Whether a pile that may be taken may be taken in the world of the restrictions too."""
    rules, once = view.rules, view.pile_once
    if popcount(once) + popcount(view.pile_twice) + view.pile_jokers < view.n_pile:
        if rules.pile_take != TAKE_USE_TOP:
            return True  # cards that nobody sees may justify the take
        once |= ALL_CARDS  # any cards in their place: they justify nothing, but one of them can be discarded
    return may_take(rules, view, once, view.pile_twice, view.pile_jokers, view.pile_top)


@kernel
def edit(view: Any, limits: Any) -> None:
    """Show the world of the restrictions."""
    rules = view.rules
    if limits[IGNORE_MORTO if may_take_morto(rules, view) else NEVER_GO_OUT]:
        forbid_leaving(view)
    if limits[NEVER_LAY_SET]:
        forbid_sets(view)
    if limits[NEVER_FREE_WILD]:
        rules.melds_wild_moves = LOCKED
    if limits[NO_WILD_BELOW]:
        if rules.melds_run_wild_min:
            rules.melds_run_wild_min = max(rules.melds_run_wild_min, int(limits[NO_WILD_BELOW]))
        if view.phase == PHASE_DRAW:
            rules.melds_set_wild = 0  # no pile that only a set with a wild could justify
    if view.take_legal and view.phase == PHASE_DRAW:
        if limits[NEVER_TAKE_PILE]:
            view.take_legal = 0
        elif rules.pile_take != TAKE_FREE:
            view.take_legal = still_may_take(view)


@kernel
def is_early_wild(view: Any, action: int, limits: Any) -> bool:
    """Whether a meld action gives a wild to a set that stays shorter than the restriction asks for (runs: see `edit`)."""
    if action & 7 != ACT_MELD:
        return False
    slot, after = (action >> 3) & 63, action >> 9
    if not is_set(after) or wild_of(after) == 0 or n_cards(after) >= limits[NO_WILD_BELOW]:
        return False
    return slot >= view.n_melds[view.team] or wild_of(meld_at(view, view.team, slot)) == 0


@kernel
def has_action(view: Any) -> bool:
    """Whether some action is legal in the world that the view shows."""
    if view.phase == PHASE_DRAW or view.may_pass or (view.pending == PENDING_NONE and can_discard(view.rules, view)):
        return True
    return list_actions(view.rules, view, stack_words(1)) > 0


def ask_without_melds(view: Any, weights: Any, scratch: Any) -> int:
    """What the player does where it may lay nothing."""
    forbid_melds(view)
    return PLAYER(view, weights, scratch)


def empties_hand(trials: Any, action: int, weights: Any, notes: Any) -> bool:
    """Whether the player, which begins its turn with a meld action, lays all but one card; the copies are spent."""
    trial = trials[0]
    while action & 7 == ACT_MELD and is_legal(trial.rules, trial, action):
        lay_on(trial, action)
        if trial.n_hand <= 1:
            return True
        action = PLAYER(trial, weights, notes)
    return False


@kernel
def copied(notes: Any, scratch: Any) -> Any:
    """The player's memory, copied."""
    for i in range(SCRATCH_WORDS):
        notes[i] = scratch[i]
    return notes


@kernel
def any_discard(view: Any) -> int:
    """A discard at random; a pass where that is all."""
    others = stack_words(OTHERS)
    n = list_others(view.rules, view, others)
    n -= n > 1 and view.may_pass  # the pass comes last
    return others[(view.random >> 20) % n]


def restrain(view: Any, action: int, limits: Any, holds: bool, weights: Any, scratch: Any) -> int:
    """What becomes of the player's choice in the world of the restrictions."""
    if limits[NO_WILD_BELOW] and is_early_wild(view, action, limits):
        set_wild, view.rules.melds_set_wild = view.rules.melds_set_wild, 0
        if has_action(view):
            action = PLAYER(view, weights, scratch)
        else:
            view.rules.melds_set_wild = set_wild
    if view.pending == PENDING_NONE and view.phase != PHASE_DRAW:
        if (
            holds
            and action & 7 == ACT_MELD
            and not empties_hand(copy_of(view), action, weights, copied(stack_words(SCRATCH_WORDS), scratch))
        ):
            action = ask_without_melds(view, weights, scratch)
        elif limits[LAY_AT_ONCE] and action & 7 != ACT_MELD:
            found = most_points(view, NEVER)[0]
            action = found if found >= 0 else action
        if limits[RANDOM_DISCARD] and action & 7 == ACT_DISCARD:
            action = any_discard(view)
    return action


def _decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action."""
    limits, real = weights[FIRST:], copy_of(view)
    holds = limits[HOLD_BACK] != 0 and may_take_morto(view.rules, view)
    edit(view, limits)
    if not has_action(view):
        put_back(view, real)
        return PLAYER(view, weights, scratch)
    action = restrain(view, PLAYER(view, weights, scratch), limits, holds, weights, scratch)
    instead = -1 if is_legal(view.rules, view, action) else first_legal(view)
    put_back(view, real)
    return instead if instead >= 0 and is_legal(view.rules, view, action) else action


#: Functions that call the player. Numba caches no unit that gets a function as an argument, so each unit has copies of them
#: that find its player under a name of their own module.
TEMPLATES: Final = (ask_without_melds, empties_hand, restrain)


@cache
def restricted(player: Any, n_weights: int, source: str) -> Callable[..., int]:
    """Compile a player behind its restrictions.

    Parameters
    ----------
    player : compiled function of DECIDE_SIG
        Who decides.
    n_weights : int
        How many weights the player has; the restrictions come behind them, see :func:`restriction_vector`.
    source : str
        The file of the player.
    """
    folder = trial_folder(f"restricted-{Path(source).stem}-{n_weights}", __file__, declarations or "", source)
    own_names = globals() | {"PLAYER": player, "FIRST": n_weights}
    for template in TEMPLATES:
        own_names[template.__name__] = kernel(FunctionType(template.__code__, own_names, template.__name__))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)  # a user's function in plain Python cannot be cached
        return entry(DECIDE_SIG, folder)(FunctionType(_decide.__code__, own_names, "decide"))
