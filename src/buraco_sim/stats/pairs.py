"""Mirrored pairs: mean margin with interval, the correlation of the two tables, who won how many."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Margins = npt.NDArray[np.int64]


class PairEstimate(NamedTuple):
    """What a sample of mirrored pairs says.

    Attributes
    ----------
    pairs : int
        Number of pairs.
    mean : float
        Mean margin of A over B, points a pair: the mean of its two tables.
    interval : tuple of float, or None
        Ordinary normal interval of the mean; None for fewer than two pairs.
    sd : float
        Standard deviation of a pair's margin, points.
    rho : float or None
        Correlation of the margins at the two tables. None where it is undefined: a table or the pairs without variance.
    wins : tuple of int
        Pairs won by A, by B, and equal.
    """

    pairs: int
    mean: float
    interval: tuple[float, float] | None
    sd: float
    rho: float | None
    wins: tuple[int, int, int]


def quantile(level: float) -> float:
    """Quantile of the standard normal distribution.

    Examples
    --------
    >>> round(quantile(0.975), 4)
    1.96
    """
    return NormalDist().inv_cdf(level)


def estimate_pairs(tables: Margins, level: float = 0.95) -> PairEstimate:
    """Estimate the margin of A over B from mirrored pairs.

    The variance of a pair's mean is ``(1 + rho) / 2`` times that of one table: mirroring reaches a precision with
    ``1 + rho`` times the rows that independent deals would need.

    Parameters
    ----------
    tables : ndarray of int64, shape (n, 2)
        Margin of A over B in points, of each pair at table 0 and table 1.
    level : float
        Confidence of the interval, 0 to 1.

    Examples
    --------
    >>> import numpy as np
    >>> estimate_pairs(np.array([[10, -20], [30, 0], [50, -10], [-10, -30]]))[:2]
    (4, 2.5)
    """
    doubled = tables.sum(axis=1)  # whole numbers: sums are exact, and equal to zero where they should be
    n = len(doubled)
    mean = float(doubled.mean()) / 2 if n else 0.0
    sd = float(doubled.std(ddof=1)) / 2 if n > 1 else 0.0
    half = quantile((1 + level) / 2) * sd / sqrt(n) if n > 1 else 0.0
    wins = (int((doubled > 0).sum()), int((doubled < 0).sum()), int((doubled == 0).sum()))
    return PairEstimate(n, mean, (mean - half, mean + half) if n > 1 else None, sd, _correlation(tables, sd), wins)


def _correlation(tables: npt.NDArray[Any], sd_pair: float) -> float | None:
    if sd_pair == 0 or not tables.std(axis=0).all():
        return None
    return float(np.corrcoef(tables, rowvar=False)[0, 1])
