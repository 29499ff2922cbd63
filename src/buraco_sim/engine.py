"""The door to the compiled core: a job as arrays and functions, and the calls of `play_batch`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.job import Job
from buraco_sim.layout import KERNEL_COLUMNS, MAX_CARDS, MAX_SEATS
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy

IntArray = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int32]

_EVENT_ROOM: Final = 2048  # rows; a longer deal is played a second time with room enough
_NO_EVENTS: Final[Matrix] = np.empty((0, 4), np.int32)


def play_batch() -> Callable[..., int]:
    """The compiled entry point; importing it compiles it once a machine."""
    return import_module("buraco_sim.kernels.batch").play_batch  # type: ignore[no-any-return]


def decide_of(strategy: Strategy) -> Any:
    """The compiled function of a strategy's policy."""
    return import_module(f"buraco_sim.kernels.policies.{strategy.policy}").decide


@dataclass(frozen=True, slots=True)
class Seating:
    """Rules and strategies of one table, as the compiled core takes them.

    Attributes
    ----------
    batch : callable
        The compiled `play_batch`.
    rules : ndarray, shape (1,), dtype layout.RULES
    decide : tuple of 4 compiled functions
        With two seats the last two are never called.
    weights : ndarray of float64, shape (4, W)
    remembers : ndarray of int64, shape (4,)
    seed : uint64
    n_seats : int
    """

    batch: Callable[..., int]
    rules: npt.NDArray[Any]
    decide: tuple[Any, ...]
    weights: npt.NDArray[np.float64]
    remembers: IntArray
    seed: np.uint64
    n_seats: int

    @classmethod
    def of(cls, rules: Ruleset, seats: Sequence[Strategy], seed: int) -> Seating:
        """Seat the strategies, one a seat; loads the engine and the players, compiling what is not compiled yet."""
        four = [seats[seat % len(seats)] for seat in range(MAX_SEATS)]
        width = max(1, *(len(one.weight_array()) for one in four))
        weights = np.zeros((MAX_SEATS, width), np.float64)
        for seat, one in enumerate(four):
            weights[seat, : len(one.weight_array())] = one.weight_array()
        remembers = np.array([one.remembers_pile for one in four], np.int64)
        decide = tuple(decide_of(one) for one in four)
        return cls(play_batch(), rules.pack(), decide, weights, remembers, np.uint64(seed), len(seats))

    def play(self, first: int, stop: int) -> tuple[Matrix, IntArray]:
        """Play deals `first` to `stop` (excluded), the starter rotating; see :meth:`play_deals`."""
        deals = np.arange(first, stop, dtype=np.int64)
        return self.play_deals(deals, deals % self.n_seats, np.zeros((len(deals), 2), np.int64))[:2]

    def play_deals(
        self, deals: IntArray, starters: IntArray, standings: IntArray, events: Matrix = _NO_EVENTS
    ) -> tuple[Matrix, IntArray, int]:
        """Play deals.

        Parameters
        ----------
        deals, starters : ndarray of int64, shape (n,)
            Deal indices; the seat that draws first.
        standings : ndarray of int64, shape (n, 2)
            Score of the match before the deal, by team.
        events : ndarray of int32, shape (m, 4), optional
            Filled with the events of the deals, as far as there is room.

        Returns
        -------
        columns : ndarray of int32, shape (n, len(KERNEL_COLUMNS))
        status : ndarray of int64, shape (n, 4)
            (layout.STATUS_*, seat, turn, action).
        n_events : int
            Events of all deals, whether or not there was room.
        """
        n = len(deals)
        columns = np.empty((n, len(KERNEL_COLUMNS)), np.int32)
        status = np.empty((n, 4), np.int64)
        played = (self.rules, *self.decide, self.weights, self.remembers, self.seed, deals, starters, standings)
        n_events = self.batch(*played, columns, status, events)
        return columns, status, int(n_events)

    def play_one(self, deal: int, starter: int, standing: Sequence[int] = (0, 0)) -> tuple[Matrix, IntArray, Matrix]:
        """Play one deal and keep its events: the row of columns, the row of status, the events int32[m, 4]."""
        room = _EVENT_ROOM
        while True:
            events = np.empty((room, 4), np.int32)
            columns, status, n_events = self.play_deals(np.array([deal]), np.array([starter]), np.array([standing]), events)
            if n_events <= room:
                return columns, status, events[:n_events]
            room = n_events

    def dealt(self, deal: int) -> list[int]:
        """The cards of a deal as they are dealt: hands, mortos, upcard if any, stock top first."""
        order = np.empty(MAX_CARDS, np.int64)
        n_cards = import_module("buraco_sim.kernels.batch").deal_cards(self.rules, self.seed, deal, order)
        return [int(card) for card in order[:n_cards]]


def seatings(job: Job) -> tuple[Seating, ...]:
    """The seating of each table of a job."""
    return tuple(Seating.of(job.rules, job.seats_at(table), job.seed) for table in job.tables)
