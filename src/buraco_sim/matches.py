"""Matches: deals until one is decided by the rules of the variant, many matches in step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from buraco_sim.errors import InputError, RunError
from buraco_sim.job import MATCH_DEALS
from buraco_sim.layout import COLUMN_INDEX
from buraco_sim.results.match_table import match_winners
from buraco_sim.rules import Ruleset

IntArray = npt.NDArray[np.int64]


class Scores(NamedTuple):
    """What a match needs of its deals: the scores, int64[n, 2], and who went out, int64[n], below 0 if nobody did."""

    scores: IntArray
    out_seats: IntArray

    @classmethod
    def of(cls, columns: npt.NDArray[np.int32]) -> Scores:
        """From the kernel's columns, int32[n, len(KERNEL_COLUMNS)]."""
        wide = columns.astype(np.int64)
        return cls(wide[:, [COLUMN_INDEX["score_0"], COLUMN_INDEX["score_1"]]], wide[:, COLUMN_INDEX["out_seat"]])


#: Plays the next deal of some matches: (their indices, number of the deal, starters, standings) -> scores.
PlayNext = Callable[[IntArray, int, IntArray, IntArray], Scores]


@dataclass(frozen=True, slots=True)
class Results:
    """How n matches ended, or how they stand.

    Attributes
    ----------
    deals, totals : ndarray of int64, shapes (n,) and (n, 2)
    winners : ndarray of int64, shape (n,)
        The winning team, -1 for drawn, and while a match is not over.
    starters : ndarray of int64, shape (n,)
        Seat that would start the next deal.
    """

    deals: IntArray
    totals: IntArray
    winners: IntArray
    starters: IntArray


def play_matches(rules: Ruleset, starters: IntArray, play_next: PlayNext, most: int | None = None) -> Results:
    """Play matches in step: the first deals of all, the second deals of those that go on, and so on.

    Parameters
    ----------
    rules : Ruleset
        Its table `match` says when a match is over, who wins a tie, and who starts.
    starters : ndarray of int64, shape (n,)
        Seat that starts each match.
    play_next : callable
        Plays one deal of each of some matches.
    most : int, optional
        Deals of a match to play; without, a match that is not over after MATCH_DEALS is an error.

    Raises
    ------
    RunError
        If a match is not over after MATCH_DEALS deals.
    """
    totals = np.zeros((len(starters), 2), np.int64)
    deals, winners = np.zeros(len(starters), np.int64), np.full(len(starters), -1)
    going, seats = np.arange(len(starters)), starters.copy()
    for number in range(MATCH_DEALS if most is None else most):
        played = play_next(going, number, seats[going], totals[going])
        totals[going] += played.scores
        deals[going] += 1
        is_over = over(rules, totals[going], number + 1)
        seats[going] = next_starters(rules, seats[going], played)
        winners[going[is_over]] = match_winners(rules, totals[going[is_over]], starters[going[is_over]])
        going = going[~is_over]
        if not len(going):
            break
    if most is not None or not len(going):
        return Results(deals, totals, winners, seats)
    at = int(going[0])
    scores = " : ".join(map(str, totals[at]))
    raise RunError(f"a match is not over after {MATCH_DEALS} deals, its score is {scores}; these players do not reach match.target")


def over(rules: Ruleset, totals: IntArray, n_deals: int) -> npt.NDArray[np.bool_]:
    """Which matches are over after so many deals; a tie that is replayed goes on."""
    match = rules.match
    due = {"deal": n_deals >= 1, "rounds": n_deals >= match.rounds, "target": totals.max(axis=1) >= match.target}[match.kind]
    tied = totals[:, 0] == totals[:, 1]
    return np.asarray(due & ~(tied & (match.tie == "replay")))


def next_starters(rules: Ruleset, starters: IntArray, played: Scores) -> IntArray:
    """Who starts the next deal, by `match.starter`."""
    n_seats = rules.table.seats
    following = (starters + 1) % n_seats
    if rules.match.starter == "fixed":
        return starters
    if rules.match.starter == "rotate":
        return following
    difference = played.scores[:, 0] - played.scores[:, 1]
    winning_team = np.where(difference > 0, 0, 1)
    of_winners = np.where((following & 1) == winning_team, following, (following + 1) % n_seats)
    return np.where(played.out_seats >= 0, played.out_seats, np.where(difference == 0, following, of_winners))


def resample_matches(rules: Ruleset, deals: pa.Table, n: int, seed: int = 0) -> Results:
    """Matches put together from deals that were played: what players that ignore the standing would do.

    Parameters
    ----------
    rules : Ruleset
        The match to play; target, rounds and ties may differ from those of the run.
    deals : pyarrow.Table
        Rows of single deals at one table, as of :func:`buraco_sim.simulate`, among them some that each seat started.
    n : int
        Matches to put together; the first seat to start rotates.
    seed : int
        Of the choice of deals.

    Returns
    -------
    Results
        Deals, totals and winners of each match.

    Raises
    ------
    InputError
        If no deal was started by some seat.
    RunError
        If a match is not over after MATCH_DEALS deals.

    Examples
    --------
    >>> import buraco_sim as b
    >>> deals = b.simulate("stbl", "greedy", deals=40)
    >>> rounds = b.Ruleset.load("stbl").with_(match_kind="rounds", match_rounds=3)
    >>> b.resample_matches(rounds, deals, n=5).deals.tolist()
    [3, 3, 3, 3, 3]
    """
    rng = np.random.default_rng(seed)
    names = ("score_0", "score_1", "starter", "out_seat")
    columns = {name: deals.column(name).fill_null(-1).to_numpy().astype(np.int64) for name in names}
    scores = np.stack([columns["score_0"], columns["score_1"]], axis=1)
    by_starter = [np.flatnonzero(columns["starter"] == seat) for seat in range(rules.table.seats)]
    if missing := [str(seat) for seat, pool in enumerate(by_starter) if not len(pool)]:
        raise InputError(f"no deal was started by seat {', '.join(missing)}", expected="deals that each seat started")

    def draw(_: IntArray, __: int, starters: IntArray, ___: IntArray) -> Scores:
        chosen = np.zeros(len(starters), np.int64)
        for seat, pool in enumerate(by_starter):
            wanted = starters == seat
            chosen[wanted] = rng.choice(pool, int(wanted.sum()))
        return Scores(scores[chosen], columns["out_seat"][chosen])

    return play_matches(rules, np.arange(n, dtype=np.int64) % rules.table.seats, draw)
