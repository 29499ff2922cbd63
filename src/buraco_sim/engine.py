"""The door to the compiled core: a job as arrays and functions, and the calls of `play_batch`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.job import Job
from buraco_sim.layout import KERNEL_COLUMNS, MAX_CARDS, MAX_SEATS, STATUS_ERROR
from buraco_sim.policies import POLICIES
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy

IntArray = npt.NDArray[np.int64]
Matrix = npt.NDArray[np.int32]

_EVENT_ROOM: Final = 2048  # rows; a longer deal is played a second time with room enough
_NOT_PLAYED: Final = -1  # status of a deal that the compiled core has not come to
_NO_EVENTS: Final[Matrix] = np.empty((0, 4), np.int32)


def play_batch() -> Callable[..., int]:
    """The compiled entry point; importing it compiles it once a machine."""
    return import_module("buraco_sim.kernels.batch").play_batch  # type: ignore[no-any-return]


def decide_of(strategy: Strategy) -> Any:
    """The compiled function of a strategy's policy, built in or of a user's file, behind its restrictions if it has any."""
    if strategy.source:
        policy = strategy.user_policy()
        player, file = import_module("buraco_sim.players").compiled_player(policy), str(policy.source)
    else:
        module = import_module(f"buraco_sim.kernels.policies.{POLICIES[strategy.policy].module}")
        player, file = module.decide, str(module.__file__)
    if not strategy.restrictions:
        return player
    return import_module("buraco_sim.kernels.policies.restricted").restricted(player, len(strategy.weights), file)


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
    errors : dict of int to Exception
        What players raised while they decided, by the index of the deal.
    """

    batch: Callable[..., int]
    rules: npt.NDArray[Any]
    decide: tuple[Any, ...]
    weights: npt.NDArray[np.float64]
    remembers: IntArray
    seed: np.uint64
    n_seats: int
    errors: dict[int, Exception] = field(default_factory=dict, compare=False)

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
        n_events, at = 0, 0
        while at < n:
            status[at:, 0] = _NOT_PLAYED
            rest = (deals[at:], starters[at:], standings[at:], columns[at:], status[at:])
            try:
                n_events += self._play(*rest, events[n_events:])
                break
            except Exception as error:  # what a user's function raised: that deal has failed, the others go on
                at += int(np.argmax(status[at:, 0] == _NOT_PLAYED))
                self.errors[int(deals[at])] = error
                columns[at] = 0
                status[at] = (STATUS_ERROR, -1, -1, -1)
                at += 1
        return columns, status, n_events

    def _play(
        self, deals: IntArray, starters: IntArray, standings: IntArray, columns: Matrix, status: IntArray, events: Matrix, *work: Any
    ) -> int:
        players = (*self.decide, self.weights, self.remembers)
        return int(self.batch(self.rules, *players, self.seed, deals, starters, standings, columns, status, events, *work))

    def play_one(self, deal: int, starter: int, standing: Sequence[int] = (0, 0)) -> tuple[Matrix, IntArray, Matrix]:
        """Play one deal and keep its events: the row of columns, the row of status, the events int32[m, 4]."""
        room = _EVENT_ROOM
        while True:
            events = np.empty((room, 4), np.int32)
            columns, status, n_events = self.play_deals(np.array([deal]), np.array([starter]), np.array([standing]), events)
            if status[0, 0] == STATUS_ERROR:
                state = self.until_error(deal, starter, standing).state[0]
                return columns, status, np.array(state["events"][: min(state["n_events"], _EVENT_ROOM)])
            if n_events <= room:
                return columns, status, events[:n_events]
            room = n_events

    def until_error(self, deal: int, starter: int, standing: Sequence[int] = (0, 0)) -> Any:
        """Play a deal in which a player raises an error, and return the engine's memory as it left it."""
        work = import_module("buraco_sim.kernels.batch").new_work(self.rules)
        columns, status = np.empty((1, len(KERNEL_COLUMNS)), np.int32), np.empty((1, 4), np.int64)
        with suppress(Exception):
            given = (np.array([deal]), np.array([starter]), np.array([standing]))
            self._play(*given, columns, status, np.empty((_EVENT_ROOM, 4), np.int32), work)
        return work

    def dealt(self, deal: int) -> list[int]:
        """The cards of a deal as they are dealt: hands, mortos, upcard if any, stock top first."""
        order = np.empty(MAX_CARDS, np.int64)
        n_cards = import_module("buraco_sim.kernels.batch").deal_cards(self.rules, self.seed, deal, order)
        return [int(card) for card in order[:n_cards]]


def seatings(job: Job) -> tuple[Seating, ...]:
    """The seating of each table of a job."""
    return tuple(Seating.of(job.rules, job.seats_at(table), job.seed) for table in job.tables)
