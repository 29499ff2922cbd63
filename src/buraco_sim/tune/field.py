"""The field: variants times opponents, against whom forms of one player play the same mirrored pairs on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.chunks import DealsAt, deals_at, failure_error, failures_of
from buraco_sim.engine import Seating, seatings
from buraco_sim.job import Job
from buraco_sim.layout import COLUMN_INDEX
from buraco_sim.pairs import pairs_job
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import thread_count
from buraco_sim.strategies import Strategy

FORM: Final = "form"  # name of whoever sits in team 0 at table 0
CALL_PAIRS: Final = 250  # some 10 ms a call and table: all cores are busy until the end of a round

Margins = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Cell:
    """An opponent under a variant."""

    rules: Ruleset
    opponent: Strategy

    @property
    def name(self) -> str:
        """Variant and opponent."""
        return f"{self.rules.name}: {self.opponent.name}"


class Field:
    """Plays forms of a player against all cells.

    Parameters
    ----------
    player : Strategy
        Whose weights are exchanged; policy, restrictions and memory are those of every form.
    cells : sequence of Cell
    seed : int
        Of the deals.
    threads : int, optional
        By default one a core; the margins do not depend on it.
    """

    def __init__(self, player: Strategy, cells: Sequence[Cell], *, seed: int, threads: int | None = None) -> None:
        self.cells = tuple(cells)
        self.threads = thread_count(threads)
        form = replace(player, name=FORM)
        self._jobs = [pairs_job(cell.rules, (form, cell.opponent), 1, seed=seed) for cell in cells]
        self._tables = [seatings(job) for job in self._jobs]

    def margins(self, forms: Sequence[Strategy], first: int, pairs: int) -> Margins:
        """Play every form against every cell.

        Each cell has deals of its own, the same for all forms: ``first * len(cells)`` and up.

        Parameters
        ----------
        forms : sequence of Strategy
        first : int
            Pairs of each cell that were played before.
        pairs : int
            Of each form and cell.

        Returns
        -------
        ndarray of int64, shape (forms, cells, pairs)
            Margin of the form over the opponent in points, summed over the two tables of the pair.

        Raises
        ------
        RunError
            If a player chose an illegal action.
        """
        result = np.zeros((len(forms), len(self.cells), pairs), np.int64)
        calls = list(product(range(len(forms)), range(len(self.cells)), range(0, pairs, CALL_PAIRS), (0, 1)))

        def play(call: tuple[int, int, int, int]) -> DealsAt:
            form, cell, start, table = call
            at = first * len(self.cells) + cell * pairs
            seating = _with_form(self._tables[cell][table], forms[form], table)
            return deals_at(seating, table, at + start, at + min(start + CALL_PAIRS, pairs))

        with ThreadPoolExecutor(self.threads, thread_name_prefix="buraco") as pool:
            for (form, cell, start, _), played in zip(calls, pool.map(play, calls), strict=True):
                failures = failures_of(played)
                if failures:
                    raise failure_error(self._job_of(cell, forms[form]), len(played.deals), failures)
                result[form, cell, start : start + len(played.deals)] += _margins_at(played)
        return result

    def _job_of(self, cell: int, form: Strategy) -> Job:
        job = self._jobs[cell]
        return replace(job, seats=tuple(replace(form, name=FORM) if one.name == FORM else one for one in job.seats))


def _with_form(seating: Seating, form: Strategy, table: int) -> Seating:
    """A seating with the weights of a form where it sits: in team 0 at table 0, in team 1 at table 1."""
    vector = form.weight_array()
    weights = seating.weights.copy()
    weights[table::2, : len(vector)] = vector
    return replace(seating, weights=weights, errors={})


def _margins_at(played: DealsAt) -> Any:
    scores = [played.columns[:, COLUMN_INDEX[f"score_{team}"]].astype(np.int64) for team in (0, 1)]
    return (scores[0] - scores[1]) * (1 - 2 * played.table)
