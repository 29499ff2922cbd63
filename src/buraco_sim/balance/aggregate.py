"""Sums over the rows of deals: what all figures are made of. DuckDB computes the values, part by part.

The unit of evidence is the shuffle: the rows of one deal, at two tables or under several variants, are not independent. So
what is kept of each measure are the sums over deals and the sums of products of all pairs of series, from which follow the
errors of every figure and of every difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from buraco_sim.balance.measures import DISTRIBUTIONS, RATIOS, Measure
from buraco_sim.balance.series import Series
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import default_threads
from buraco_sim.sql import connect, scan

Floats = npt.NDArray[np.float64]

_BATCH_VALUES: Final = 4_000_000  # numbers in memory of a batch, all series together

#: Measures whose `per` is the same for every row need no column of their own for it.
_CONSTANT: Final = {measure.name: float(measure.per) for measure in RATIOS if measure.per.isdecimal()}


@dataclass(frozen=True, slots=True)
class Moments:
    """Ratios of sums of K series that are compared deal by deal, with their errors.

    Attributes
    ----------
    deals : int
        Number of different shuffles, of each series.
    ratio : ndarray of float64, shape (M, K)
        Value of each measure of :data:`RATIOS`; NaN where there is nothing to divide by.
    covariance : ndarray of float64, shape (M, K, K)
        Of the ratios (to first order).
    """

    deals: int
    ratio: Floats
    covariance: Floats


@dataclass(slots=True)
class _Sums:
    """Sums over deals of values (v) and pers (p) and their products, all series with all series."""

    deals: int
    v: Floats  # (M, K)
    p: Floats  # (M, K)
    vv: Floats  # (M, K, K)
    vp: Floats
    pp: Floats

    def __add__(self, other: _Sums) -> _Sums:
        arrays = zip((self.v, self.p, self.vv, self.vp, self.pp), (other.v, other.p, other.vv, other.vp, other.pp), strict=True)
        return _Sums(self.deals + other.deals, *(mine + theirs for mine, theirs in arrays))

    def moments(self) -> Moments:
        """Ratios and, by linearisation, their covariance."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = self.v / self.p
            rows, columns = ratio[:, :, None], ratio[:, None, :]
            residuals = self.vv - columns * self.vp - rows * self.vp.transpose(0, 2, 1) + rows * columns * self.pp
            scale = self.p[:, :, None] * self.p[:, None, :] * (1 - 1 / self.deals)
            return Moments(self.deals, ratio, residuals / scale)


def moments_of(series: Sequence[Series], measures: Sequence[Measure] = RATIOS) -> Moments:
    """The moments of series with the same shuffles.

    Parameters
    ----------
    series : sequence of Series
        Their parts hold the same deals (:attr:`Series.shuffles`).
    measures : sequence of Measure
    """
    parts = list(zip(*(one.paths() for one in series), strict=True))
    with ThreadPoolExecutor(default_threads()) as pool:
        found = pool.map(lambda paths: _sums_of_part(series, paths, measures), parts)
        total = next(found)
        for sums in found:
            total += sums
    return total.moments()


def unit_sql(measures: Sequence[Measure], rules: Ruleset, n_tables: int, source: str) -> str:
    """The query of one row a shuffle, in the order of the deals: every value, and every `per` that is not constant."""
    columns = []
    for index, measure in enumerate(measures):
        value, per = measure.sql(rules)
        columns.append((f"v{index}", value))
        if measure.name not in _CONSTANT:
            columns.append((f"p{index}", per))
    values = [f"coalesce({expression}, 0)::double as {name}" for name, expression in columns]
    rows = f"select deal, {', '.join(values)} from {source}"
    if n_tables == 1:
        return rows
    return f"select deal, {', '.join(f'sum({name}) as {name}' for name, _ in columns)} from ({rows}) group by deal order by deal"


def _sums_of_part(series: Sequence[Series], paths: Sequence[Path], measures: Sequence[Measure]) -> _Sums:
    if len(series) == 1:
        return _sums_by_sql(series[0], paths[0], measures)
    size = max(2048, _BATCH_VALUES // (2 * len(measures) * len(series)) // 2048 * 2048)
    readers = [_batches(one, path, measures, size) for one, path in zip(series, paths, strict=True)]
    total: _Sums | None = None
    for batches in zip(*readers, strict=True):
        sums = _sums_of_batch(batches, measures, [len(one.job.tables) for one in series])
        total = sums if total is None else total + sums
    assert total is not None
    return total


def _sums_by_sql(series: Series, path: Path, measures: Sequence[Measure]) -> _Sums:
    """The sums of one series: without products of pairs of series, DuckDB needs to hand out no rows."""
    n_tables = len(series.job.tables)
    constant = {index: _CONSTANT[one.name] * n_tables for index, one in enumerate(measures) if one.name in _CONSTANT}
    wanted = ["count(*)"]
    for index in range(len(measures)):
        value, parts = f"v{index}", f"p{index}"
        products = (
            [f"{value} * {value}"] if index in constant else [f"{value} * {value}", parts, f"{value} * {parts}", f"{parts} * {parts}"]
        )
        wanted += [f"sum({one})" for one in (value, *products)]
    units = unit_sql(measures, series.job.rules, n_tables, scan([path]))
    with connect(threads=1) as connection:
        n, *found = connection.sql(f"select {', '.join(wanted)} from ({units})").fetchall()[0]
    sums, values = np.empty((5, len(measures))), iter(found)
    for index in range(len(measures)):
        v, vv = next(values), next(values)
        if index in constant:
            per = constant[index]
            sums[:, index] = v, per * n, vv, per * v, per * per * n
        else:
            p, vp, pp = next(values), next(values), next(values)
            sums[:, index] = v, p, vv, vp, pp
    return _Sums(n, sums[0][:, None], sums[1][:, None], *(one[:, None, None] for one in sums[2:]))


def _batches(series: Series, path: Path, measures: Sequence[Measure], size: int) -> Iterator[pa.RecordBatch]:
    sql = unit_sql(measures, series.job.rules, len(series.job.tables), scan([path]))
    with connect(threads=1) as connection:
        connection.execute("set preserve_insertion_order = true")
        table = connection.sql(sql).to_arrow_table().combine_chunks()
    yield from (table.slice(start, size) for start in range(0, table.num_rows, size))


def _sums_of_batch(batches: Sequence[Any], measures: Sequence[Measure], tables: Sequence[int]) -> _Sums:
    if any(batch.column("deal") != batches[0].column("deal") for batch in batches[1:]):
        raise AssertionError("series that are compared deal by deal hold the same deals")
    deals = batches[0].num_rows
    n, k = len(measures), len(batches)
    sums = _Sums(deals, np.zeros((n, k)), np.zeros((n, k)), np.zeros((n, k, k)), np.zeros((n, k, k)), np.zeros((n, k, k)))
    for index, measure in enumerate(measures):
        v = _stack(batches, f"v{index}")
        sums.v[index] = v.sum(axis=1)
        sums.vv[index] = v @ v.T
        if measure.name in _CONSTANT:
            per = _CONSTANT[measure.name] * np.array(tables)
            sums.p[index] = per * deals
            sums.vp[index] = sums.v[index][:, None] * per
            sums.pp[index] = per[:, None] * per * deals
        else:
            p = _stack(batches, f"p{index}")
            sums.p[index] = p.sum(axis=1)
            sums.vp[index] = v @ p.T
            sums.pp[index] = p @ p.T
    return sums


def _stack(batches: Sequence[Any], name: str) -> Floats:
    return np.stack([batch.column(name).to_numpy() for batch in batches])


# ---- distributions


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each value occurs.

    Attributes
    ----------
    values, counts : ndarray of int64, shape (n,)
        Different values in increasing order, and their numbers.
    """

    values: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @property
    def total(self) -> int:
        """Number of values."""
        return int(self.counts.sum())

    def quantile(self, level: float) -> int | None:
        """The smallest value that at least a share `level` of the values does not exceed; None without values."""
        if not len(self.values):
            return None
        below = np.cumsum(self.counts)
        place = int(np.searchsorted(below, level * below[-1] * (1 - 1e-12)))
        return int(self.values[min(place, len(self.values) - 1)])

    def share_up_to(self, value: int) -> float:
        """Share of the values that do not exceed `value`."""
        return float(self.counts[self.values <= value].sum() / self.total)


def counts_of(series: Series) -> dict[str, Counts]:
    """How often each value of every distribution occurs."""
    source = scan(series.paths())
    with connect() as connection:
        return {name: _counts(connection, source, one.values) for name, one in DISTRIBUTIONS.items()}


def _counts(connection: Any, source: str, values: Sequence[str]) -> Counts:
    rows = " union all ".join(f"select {value} as value, count(*) as n from {source} group by all" for value in values)
    sql = f"select value::bigint as value, sum(n)::bigint as n from ({rows}) where value is not null group by value order by value"
    found = connection.sql(sql).to_arrow_table()
    return Counts(found.column("value").to_numpy(), found.column("n").to_numpy())


def groups_of(series: Sequence[Series]) -> list[list[int]]:
    """The indices of series that hold the same shuffles, group by group."""
    order = sorted(range(len(series)), key=lambda index: series[index].shuffles)
    return [list(group) for _, group in groupby(order, key=lambda index: series[index].shuffles)]
