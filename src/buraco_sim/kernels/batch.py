"""The loop over deals: the compiled entry points of the engine."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np
from numba import types

from buraco_sim._jit import entry, kernel_sources, unit_folder
from buraco_sim.kernels.deal import deal_deck, play_deal
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.rng import shuffle
from buraco_sim.kernels.signature import PLAYER
from buraco_sim.kernels.state import MOST_EVENTS, STATE
from buraco_sim.layout import RULES, VIEW

ENGINE_FOLDER: Final = unit_folder("engine", kernel_sources())

_RULES = numba.from_dtype(RULES)[::1]
_WORDS = types.int64[::1]
STATES = numba.from_dtype(STATE)[::1]
VIEWS = numba.from_dtype(VIEW)[::1]


class Work(NamedTuple):
    """The memory of one thread."""

    state: Any  # STATE[1]
    now: Any  # VIEW[1], the truth
    view: Any  # VIEW[1], the player's copy


def new_work(rules: Any) -> Work:
    """Allocate the memory of one thread for deals under `rules`, RULES[1]."""
    work = Work(np.zeros(1, STATE), np.zeros(1, VIEW), np.zeros(1, VIEW))
    work.now["rules"] = rules
    work.view["rules"] = rules
    return work


@entry(
    types.int64(
        _RULES,
        PLAYER,
        PLAYER,
        PLAYER,
        PLAYER,
        types.float64[:, ::1],
        types.int64[::1],
        types.uint64,
        types.int64[::1],
        types.int64[::1],
        types.int64[:, ::1],
        STATES,
        VIEWS,
        VIEWS,
        types.int32[:, ::1],
        types.int64[:, ::1],
        types.int32[:, ::1],
    ),
    ENGINE_FOLDER,
)
def _play_batch(rules, f0, f1, f2, f3, weights, remembers, seed, deals, starters, standings, states, nows, views, out, status, events):  # type: ignore[no-untyped-def]
    state, now, view = states[0], nows[0], views[0]
    n = 0
    for i in range(len(deals)):
        state.room = min(len(events) - n, MOST_EVENTS) if n < len(events) else 0
        play_deal(
            rules[0], (f0, f1, f2, f3), weights, remembers, seed, deals[i], starters[i], standings[i], state, now, view, out[i], status[i]
        )
        for k in range(min(state.n_events, state.room)):
            for j in range(4):
                events[n + k, j] = state.events[k, j]
        n += state.n_events
    return n


def play_batch(
    rules: Any,
    f0: Any,
    f1: Any,
    f2: Any,
    f3: Any,
    weights: Any,
    remembers: Any,
    seed: int,
    deals: Any,
    starters: Any,
    standings: Any,
    out: Any,
    status: Any,
    events: Any,
    work: Work | None = None,
) -> int:
    """Play deals; releases the GIL.

    An error that a player raises ends the call: the rows of the deals before are written, and `work` is as it left it.

    Parameters
    ----------
    rules : RULES[1]
        The rules.
    f0, f1, f2, f3 : compiled functions of DECIDE_SIG
        The player of each seat (with two seats the last two are not called).
    weights, remembers : float64[4, w], int64[4]
        Weights of each seat; whether it remembers the cards of a closed pile.
    seed, deals, starters, standings : uint64, int64[n], int64[n], int64[n, 2]
        What each deal is a function of, besides rules and players.
    out, status : int32[n, len(KERNEL_COLUMNS)], int64[n, 4]
        Written: the rows, and (STATUS_*, seat, turn, action) of each deal.
    events : int32[m, 4]
        Written: the events of the deals while there is room (m = 0 for none).
    work : Work, optional
        Memory to play in, for who wants to look into it afterwards.

    Returns
    -------
    int
        Number of events of all deals, whether there was room or not.
    """
    return int(
        _play_batch(
            *(rules, f0, f1, f2, f3, weights, remembers, np.uint64(seed), deals, starters, standings),
            *(work or new_work(rules)),
            *(out, status, events),
        )
    )


@entry(types.int64(_RULES, types.uint64, types.uint64, _WORDS), ENGINE_FOLDER)
def _deal_cards(rules, seed, deal, order):  # type: ignore[no-untyped-def]
    return deal_deck(rules[0], seed, deal, order)


def deal_cards(rules: Any, seed: int, deal: int, order: Any) -> int:
    """Write the cards of a deal as dealt into `order`, int64[108].

    Hands of seat 0, 1, ..., mortos in taking order, the upcard if any, the stock top first. Returns the number of cards.
    """
    return int(_deal_cards(rules, np.uint64(seed), np.uint64(deal), order))


@entry(types.int64(types.uint64, types.int64), ENGINE_FOLDER)
def _bench_shuffles(seed, n):  # type: ignore[no-untyped-def]
    deck = stack_words(108)
    total = 0
    for deal in range(n):
        shuffle(seed, np.uint64(deal), 4, deck)
        total += deck[0]
    return total


def bench_shuffles(seed: int, n: int) -> int:
    """Shuffle `n` decks of 108 cards; returns a checksum, so that none is optimised away."""
    return int(_bench_shuffles(np.uint64(seed), n))
