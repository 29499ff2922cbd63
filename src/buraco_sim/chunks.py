"""Chunks: the deals or matches that one thread plays at a time, as rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from buraco_sim.engine import IntArray, Matrix, Seating
from buraco_sim.errors import RunError
from buraco_sim.job import MATCH_DEALS, Job
from buraco_sim.layout import COLUMN_INDEX, COLUMNS, STATUS_OK
from buraco_sim.matches import Scores, play_matches
from buraco_sim.replay import replay_deal
from buraco_sim.results.columns import DEALS_OF_MATCHES, Block


class Chunk(NamedTuple):
    """What became of a chunk: its rows, their scores by side, the deals that failed, and what it counts for in `Job.rows`.

    Side 0 is who sits in team 0 at table 0, wherever they sit at the other table.
    """

    rows: int
    scores: tuple[int, int]
    failures: list[Failure]
    counted: int


class Failure(NamedTuple):
    """A deal that did not end normally: its status, and what it was a function of."""

    deal: int
    table: int
    status: int
    seat: int
    turn: int
    action: int
    starter: int
    standing: tuple[int, int] = (0, 0)


class DealsAt(NamedTuple):
    """Deals played at one table: indices, starters, the kernel's columns and status, and in matches the standings before them."""

    table: int
    deals: IntArray
    starters: IntArray
    columns: Matrix
    status: IntArray
    standings: IntArray | None = None


def play_chunk(job: Job, tables: tuple[Seating, ...], first: int, stop: int) -> tuple[Block, Chunk]:
    """Play deals `first` to `stop` (excluded) at all tables of a job; rows in the order of (deal, table)."""
    play = _matches_at if job.matches else _deals_of
    played = [one for table, seating in enumerate(tables) for one in play(job, seating, table, first, stop)]
    scores = [0, 0]
    failures: list[Failure] = []
    for at in played:
        for team in (0, 1):
            scores[team ^ at.table] += int(at.columns[:, COLUMN_INDEX[f"score_{team}"]].sum(dtype=np.int64))
        failures += failures_of(at)
    block = _block(job, played)
    counted = (stop - first) // MATCH_DEALS * len(tables) if job.matches else len(block)
    return block, Chunk(len(block), (scores[0], scores[1]), failures, counted)


def failure_error(job: Job, rows: int, failures: list[Failure]) -> RunError:
    """The error that names how many of some rows failed and says how to replay the first."""
    first = min(failures)
    played = replay_deal(job, first.deal, first.table, starter=first.starter, standing=first.standing)
    where = f"deal {first.deal}, table {first.table}"
    return RunError(
        f"{len(failures)} of {rows} rows failed; the first: {where}: {played.failure}\n"
        f"replay it: {job.replay_command(first.deal, first.table)}"
    )


def failures_of(at: DealsAt) -> list[Failure]:
    """The deals that did not end normally."""
    failures: list[Failure] = []
    for row in np.flatnonzero(at.status[:, 0] != STATUS_OK):
        status, seat, turn, action = (int(value) for value in at.status[row])
        standing = (0, 0) if at.standings is None else (int(at.standings[row, 0]), int(at.standings[row, 1]))
        failures.append(Failure(int(at.deals[row]), at.table, status, seat, turn, action, int(at.starters[row]), standing))
    return failures


def deals_at(seating: Seating, table: int, first: int, stop: int) -> DealsAt:
    """Play deals `first` to `stop` (excluded) at one table."""
    deals = np.arange(first, stop, dtype=np.int64)
    return DealsAt(table, deals, deals % seating.n_seats, *seating.play(first, stop))


def _deals_of(job: Job, seating: Seating, table: int, first: int, stop: int) -> list[DealsAt]:
    return [deals_at(seating, table, first, stop)]


def _matches_at(job: Job, seating: Seating, table: int, first: int, stop: int) -> list[DealsAt]:
    """All matches of a chunk in step: one call a number of the deal."""
    played: list[DealsAt] = []
    starts = np.arange(first, stop, MATCH_DEALS, dtype=np.int64)

    def play_next(matches: IntArray, number: int, starters: IntArray, standings: IntArray) -> Scores:
        deals = starts[matches] + number
        columns, status, _ = seating.play_deals(deals, starters, standings)
        at = DealsAt(table, deals, starters, columns, status, standings)
        played.append(at)
        failed = failures_of(at)
        if failed:  # a match cannot go on after a deal without a score
            raise failure_error(job, len(deals), failed)
        return Scores.of(columns)

    starters = (starts // MATCH_DEALS) % seating.n_seats
    play_matches(job.rules, starters, play_next)
    return played


def _block(job: Job, played: list[DealsAt]) -> Block:
    strategies = [[job.team_name(team, table) for table in job.tables] for team in (0, 1)]
    names = {"variant": [job.rules.name], **{f"strategy_{team}": list(dict.fromkeys(strategies[team])) for team in (0, 1)}}
    deals = np.concatenate([at.deals for at in played])
    tables = np.concatenate([np.full(len(at.deals), at.table, np.int8) for at in played])
    order = np.lexsort((tables, deals))
    block = Block(len(deals), names, DEALS_OF_MATCHES if job.matches else COLUMNS)
    block.fill(slice(None), np.concatenate([at.columns for at in played])[order])
    block["deal"][:], block["table"][:] = deals[order], tables[order]
    for team in (0, 1):
        places = [names[f"strategy_{team}"].index(name) for name in strategies[team]]
        block[f"strategy_{team}"][:] = np.array(places, np.int8)[block["table"]]
    if job.matches:
        standings: npt.NDArray[np.int64] = np.concatenate([at.standings for at in played if at.standings is not None])[order]
        block["match"][:] = block["deal"] // MATCH_DEALS
        block["standing_0"][:], block["standing_1"][:] = standings.T
    return block
