"""`random`: draws from the full list of legal actions, a meld with the probability of its weight while there is one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim._jit import allocating, entry, player_folder
from buraco_sim.kernels.legal import list_actions, list_melds, list_others
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.signature import DECIDE_SIG
from buraco_sim.layout import PHASE_DRAW
from buraco_sim.policies import POLICIES

FOLDER: Final = player_folder("random", __file__)
MELD_PROBABILITY: Final = POLICIES["random"].index("meld_probability")
MELDS: Final = 512
OTHERS: Final = 64


@allocating
def pick_meld(view: Any, draw: int) -> int:
    """A meld action, each with the same probability; -1 if there is none."""
    buffer = stack_words(MELDS)
    n = list_melds(view.rules, view, buffer, 0)
    if n > MELDS:
        buffer = np.empty(n, np.int64)
        list_melds(view.rules, view, buffer, 0)
    return buffer[draw % n] if n else -1


@entry(DECIDE_SIG, FOLDER)
def decide(view, weights, scratch):  # type: ignore[no-untyped-def]
    """Choose an action at random; `weights[0]` is the probability of a meld while there is one."""
    others = stack_words(OTHERS)
    draw = view.random >> 24
    if view.phase == PHASE_DRAW:
        return others[draw % list_actions(view.rules, view, others)]
    n = list_others(view.rules, view, others)
    if n == 0 or (view.random & 0xFFFFFF) < weights[MELD_PROBABILITY] * (1 << 24):
        action = pick_meld(view, draw)
        if action >= 0:
            return action
    return others[draw % n]
