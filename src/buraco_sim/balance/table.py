"""The balance table: series by measure, each figure with its interval, and the differences to a baseline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from buraco_sim.balance.aggregate import Counts, Moments, counts_of, groups_of, moments_of
from buraco_sim.balance.estimates import (
    Difference,
    Figure,
    balance_figure,
    difference_of_quantiles,
    difference_of_ratios,
    figure_of_quantile,
    figure_of_ratio,
)
from buraco_sim.balance.measures import BALANCE, MEASURES, QUANTILES, RATIOS, Measure
from buraco_sim.balance.series import Series, find_label, players_text
from buraco_sim.stats.multiple import holm

INDEX: Final = {measure.name: index for index, measure in enumerate(RATIOS)}


@dataclass(frozen=True, slots=True)
class BalanceTable:
    """Figures of several series, and what differs from the baseline.

    Attributes
    ----------
    series : list of Series
    baseline : int
        Index of the series that the others are compared with.
    figures : dict of str to list of Figure
        Measure -> one figure a series.
    differences : dict of str to list of (Difference or None)
        Measure -> series minus baseline; None for the baseline and where there is nothing to compare.
    adjusted : dict of str to list of (float or None)
        Measure -> p-value after Holm over all differences of this table.
    counts : list of dict of str to Counts
        The distributions of each series.
    """

    series: list[Series]
    baseline: int
    figures: dict[str, list[Figure]]
    differences: dict[str, list[Difference | None]]
    adjusted: dict[str, list[float | None]]
    counts: list[dict[str, Counts]]

    @property
    def labels(self) -> list[str]:
        """What the series are called."""
        return [one.label for one in self.series]

    def shown(self) -> list[str]:
        """The measures that say something: not those that are 0 or empty in every series."""
        return [name for name in MEASURES if any(figure.value for figure in self.figures[name])]

    def to_dict(self) -> dict[str, Any]:
        """The table as JSON values."""
        measures = []
        for name, measure in MEASURES.items():
            rows = [self._cell(name, index) for index in range(len(self.series))]
            about = {key: getattr(measure, key) for key in ("question", "title", "unit", "meaning")}
            measures.append({"name": name, **about, "figures": rows})
        return {
            "baseline": self.labels[self.baseline],
            "series": [
                {
                    "label": one.label,
                    "variant": one.job.rules.name,
                    "players": players_text(one.job),
                    "seed": one.job.seed,
                    "deals": one.job.deals,
                    "mirror": one.job.mirror,
                    "signature": one.run.manifest.signature,
                }
                for one in self.series
            ],
            "measures": measures,
        }

    def _cell(self, name: str, index: int) -> dict[str, Any]:
        cell: dict[str, Any] = {"label": self.labels[index], **self.figures[name][index]._asdict()}
        difference = self.differences[name][index]
        if difference is not None:
            cell["difference"] = difference._asdict() | {"p_holm": self.adjusted[name][index]}
        return cell


def balance_table(series: Sequence[Series], baseline: str | None = None) -> BalanceTable:
    """Compute every measure of some series from their rows.

    Parameters
    ----------
    series : sequence of Series
    baseline : str, optional
        Label of the series that the others are compared with, by default the first.

    Raises
    ------
    InputError, RunError
        If there is no series of that label, or a part is missing.
    """
    base = [one.label for one in series].index(find_label([one.label for one in series], baseline))
    joint, deals = _joint(series)
    counts = [counts_of(one) for one in series]
    figures = {name: [_figure(name, joint, counts[index], index, deals[index]) for index in range(len(series))] for name in MEASURES}
    differences: dict[str, list[Difference | None]] = {
        name: [None if index == base else _difference(name, joint, counts, index, base, deals) for index in range(len(series))]
        for name in MEASURES
    }
    return BalanceTable(list(series), base, figures, differences, _adjusted(differences), counts)


def _joint(series: Sequence[Series]) -> tuple[Moments, list[int]]:
    """The moments of all series, and the shuffles of each; series of different shuffles are independent."""
    k = len(series)
    ratio = np.full((len(RATIOS), k), np.nan)
    covariance = np.zeros((len(RATIOS), k, k))
    deals = [0] * k
    for group in groups_of(series):
        found = moments_of([series[index] for index in group])
        for index in group:
            deals[index] = found.deals
        ratio[:, group] = found.ratio
        covariance[np.ix_(range(len(RATIOS)), group, group)] = found.covariance
    return Moments(min(deals), ratio, covariance), deals


def _figure(name: str, joint: Moments, counts: dict[str, Counts], index: int, deals: int) -> Figure:
    measure = MEASURES[name]
    if isinstance(measure, Measure):
        row = INDEX[name]
        return figure_of_ratio(float(joint.ratio[row, index]), float(joint.covariance[row, index, index]), deals, measure.is_share)
    if measure is BALANCE:
        rows = [INDEX[part] for part in BALANCE.of]
        return balance_figure([(float(joint.ratio[row, index]), float(joint.covariance[row, index, index])) for row in rows])
    quantile = next(one for one in QUANTILES if one.name == name)
    return figure_of_quantile(counts[quantile.distribution], quantile.at, deals)


def _difference(
    name: str, joint: Moments, counts: list[dict[str, Counts]], mine: int, base: int, deals: Sequence[int]
) -> Difference | None:
    measure = MEASURES[name]
    if isinstance(measure, Measure):
        row = INDEX[name]
        cov = joint.covariance[row]
        variance = float(cov[mine, mine] + cov[base, base] - 2 * cov[mine, base])
        return difference_of_ratios(float(joint.ratio[row, mine]), float(joint.ratio[row, base]), variance)
    if measure is BALANCE:
        return None  # what it follows from is compared
    quantile = next(one for one in QUANTILES if one.name == name)
    of = quantile.distribution
    return difference_of_quantiles(counts[mine][of], counts[base][of], quantile.at, (deals[mine], deals[base]))


def _adjusted(differences: dict[str, list[Difference | None]]) -> dict[str, list[float | None]]:
    """Holm over every difference that is tested; what is 0 in both series is no test."""
    tested = [
        (name, index, one.p)
        for name, row in differences.items()
        for index, one in enumerate(row)
        if one is not None and (one.value, one.low, one.high) != (0, 0, 0)
    ]
    adjusted: dict[str, list[float | None]] = {name: [None] * len(row) for name, row in differences.items()}
    if tested:
        for (name, index, _), p in zip(tested, holm([p for _, _, p in tested]), strict=True):
            adjusted[name][index] = float(p)
    return adjusted
