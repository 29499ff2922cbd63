"""Compiled entry points that ask about one position; simulation does not need them, so they compile when first asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
from numba import types

from buraco_sim._jit import entry, kernel, kernel_sources, unit_folder
from buraco_sim.kernels.batch import STATES, VIEWS
from buraco_sim.kernels.candidates import candidates
from buraco_sim.kernels.deal import end_turn
from buraco_sim.kernels.fits import note_fits
from buraco_sim.kernels.legal import list_actions
from buraco_sim.kernels.melds import canasta_class, is_legal_meld, meld_points
from buraco_sim.kernels.objection import OK, objection
from buraco_sim.kernels.pile import may_take
from buraco_sim.kernels.step import DEAL_GOES_ON, TURN_OVER, step
from buraco_sim.layout import PHASE_DRAW, RULES

FOLDER: Final = unit_folder("probe", [*kernel_sources(), Path(__file__)])
_RULES = numba.from_dtype(RULES)[::1]
_WORDS = types.int64[::1]


@kernel
def complete(rules: Any, now: Any) -> None:
    """Fill in what the engine derives from hand, pile and tables."""
    note_fits(now, 0)
    note_fits(now, 1)
    if now.phase == PHASE_DRAW:
        now.take_legal = may_take(rules, now, now.pile_once, now.pile_twice, now.pile_jokers, now.pile_top)


@entry(types.int64(_RULES, VIEWS, _WORDS), FOLDER)
def probe_actions(rules, nows, buffer):  # type: ignore[no-untyped-def]
    """Write the legal actions of the position; returns their number, which may exceed the buffer."""
    now = nows[0]
    complete(rules[0], now)
    return list_actions(rules[0], now, buffer)


@entry(types.UniTuple(types.int64, 2)(_RULES, STATES, VIEWS, types.int64), FOLDER)
def probe_action(rules, states, nows, action):  # type: ignore[no-untyped-def]
    """Judge an action and carry it out: (objection, end reason or DEAL_GOES_ON); its events stay in the state."""
    state, now = states[0], nows[0]
    complete(rules[0], now)
    found = objection(rules[0], now, action)
    if found != OK:
        return found, DEAL_GOES_ON
    if step(rules[0], state, now, action) == TURN_OVER:
        return OK, end_turn(rules[0], state, now)
    return OK, DEAL_GOES_ON


@entry(types.int64(_RULES, VIEWS, _WORDS), FOLDER)
def probe_layouts(rules, nows, buffer):  # type: ignore[no-untyped-def]
    """Write the meld actions of the hand as far as there is room; returns their number."""
    now = nows[0]
    return candidates(rules[0], now, now.once, now.twice, now.jokers, -1, True, 0, buffer)


@entry(types.UniTuple(types.int64, 3)(_RULES, types.int64), FOLDER)
def probe_meld(rules, meld):  # type: ignore[no-untyped-def]
    """(1 if legal, class, points of the cards) of a meld."""
    if not is_legal_meld(rules[0], meld):
        return 0, 0, 0
    return 1, canasta_class(rules[0], meld), meld_points(rules[0], meld)


def probe_points(rules: Any, cards: Any) -> int:
    """Points of cards, int64[n], in a hand."""
    return int(np.sum(rules["card_points"][0][cards]))
