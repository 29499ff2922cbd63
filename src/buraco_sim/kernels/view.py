"""What a seat may see: the engine's view, copied for the player without the cards that are hidden from it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import JOKER, more_once, more_twice
from buraco_sim.kernels.records import copy_record
from buraco_sim.kernels.rng import word
from buraco_sim.layout import CHOICES, MAX_SEATS, PHASE_DRAW, VIEW, VIEW_BYTES

TOP_ONLY: Final = CHOICES["pile.visible"].index("top")
WHOLE_VIEW: Final = VIEW.itemsize
_ONE: Final = np.uint64(1)


@inlined
def show(rules: Any, state: Any, now: Any, view: Any, remembers: int) -> None:
    """Write the view of the seat to move: a copy of the truth, less what a closed pile hides, with a new random word."""
    # The rules change in no deal; a player that wrote into its own copy is shown them anew with its next turn.
    if now.phase == PHASE_DRAW:
        copy_record(view, now, WHOLE_VIEW)
    else:
        copy_record(view, now, VIEW_BYTES)
    seat = now.seat
    view.hand_counts[seat] = now.n_hand  # the truth's own count is that of the start of the turn
    view.random = np.int64(word(state.key[seat], state.counter[seat]) >> _ONE)
    state.counter[seat] += _ONE
    if rules.pile_visible == TOP_ONLY and not remembers:
        hide_pile(state, view)


@inlined
def hide_pile(state: Any, view: Any) -> None:
    """Leave the top of the pile only, and of piles that were taken what was on top."""
    view.pile_once, view.pile_twice, view.pile_jokers = 0, 0, 0
    if view.pile_top == JOKER:
        view.pile_jokers = 1
    elif view.pile_top >= 0:
        view.pile_once = 1 << view.pile_top
    for seat in range(MAX_SEATS):
        view.known_once[seat] = state.top_once[seat]
        view.known_twice[seat] = state.top_twice[seat]
        view.known_jokers[seat] = state.top_jokers[seat]


@kernel
def learn(now: Any, once: int, twice: int, jokers: int) -> None:
    """The seat to move has openly taken these cards into its hand: everybody who saw them knows."""
    seat = now.seat
    now.known_twice[seat] |= twice | (now.known_once[seat] & once)
    now.known_once[seat] |= once
    now.known_jokers[seat] += jokers


@kernel
def forget(state: Any, now: Any, once: int, twice: int, jokers: int) -> None:
    """The seat to move has played these cards: they are no longer known to be in its hand."""
    seat = now.seat
    k1, k2 = now.known_once[seat], now.known_twice[seat]
    now.known_once[seat], now.known_twice[seat] = more_once(k1, k2, once, twice), more_twice(k2, once)
    now.known_jokers[seat] = max(now.known_jokers[seat] - jokers, 0)
    k1, k2 = state.top_once[seat], state.top_twice[seat]
    state.top_once[seat], state.top_twice[seat] = more_once(k1, k2, once, twice), more_twice(k2, once)
    state.top_jokers[seat] = max(state.top_jokers[seat] - jokers, 0)
