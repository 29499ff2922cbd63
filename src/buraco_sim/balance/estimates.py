"""From sums to figures: a value with its 95 % interval, and the difference of two with its probability under "no difference".

Ratios of sums have normal intervals by linearisation, shares Wilson's. Quantiles have Woodruff's interval: that of the share of
values below, carried back through the distribution; two values of one shuffle count as one. The interval of the difference
of two quantiles follows from theirs (the method of variance estimates recovery), its p-value from the shares of values up
to the baseline's quantile: a distribution that is shifted by less than one step is not a difference.
"""

from __future__ import annotations

from math import erfc, isnan, sqrt
from typing import Final, NamedTuple

from buraco_sim.balance.aggregate import Counts
from buraco_sim.stats.pairs import quantile

LEVEL: Final = 0.95


class Figure(NamedTuple):
    """A value with its 95 % interval; all None where there is nothing to measure."""

    value: float | None
    low: float | None
    high: float | None


class Difference(NamedTuple):
    """A difference to the baseline with its 95 % interval and the two-sided p-value of "no difference"."""

    value: float
    low: float
    high: float
    p: float


NOTHING: Final = Figure(None, None, None)


def figure_of_ratio(value: float, variance: float, deals: int, is_share: bool, z: float | None = None) -> Figure:
    """The figure of a ratio of sums.

    Parameters
    ----------
    value, variance : float
        The ratio, NaN if there is nothing to divide by, and its variance.
    deals : int
        Different shuffles behind it.
    is_share : bool
        Whether it lies between 0 and 1: Wilson's interval for as many independent values as have this variance.
    z : float, optional
        Normal quantile, by default that of a two-sided 95 % interval.
    """
    if isnan(value):
        return NOTHING
    z = z or quantile((1 + LEVEL) / 2)
    if deals < 2:
        return Figure(value, None, None)
    if not is_share:
        half = z * sqrt(max(variance, 0.0))
        return Figure(value, value - half, value + half)
    spread = value * (1 - value)
    n = spread / variance if variance > 0 and spread > 0 else float(deals)
    centre = (value + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(max(spread, 0.0) / n + z * z / (4 * n * n))
    return Figure(value, min(value, max(0.0, centre - half)), max(value, min(1.0, centre + half)))


def figure_of_quantile(counts: Counts, level: float, deals: int) -> Figure:
    """The figure of a quantile of a distribution of values from so many shuffles."""
    value = counts.quantile(level)
    if value is None:
        return NOTHING
    half = quantile((1 + LEVEL) / 2) * sqrt(level * (1 - level) / min(deals, counts.total))
    low, high = (counts.quantile(min(1.0, max(0.0, at))) for at in (level - half, level + half))
    return Figure(value, low, high)


def balance_figure(shares: list[tuple[float, float]]) -> Figure:
    """1 minus the largest of the differences between a share and its complement; the interval holds for all of them together.

    Parameters
    ----------
    shares : list of (value, variance)
    """
    if any(isnan(value) for value, _ in shares):
        return NOTHING
    z = quantile(1 - (1 - LEVEL) / (2 * len(shares)))
    ranges = []
    for value, variance in shares:
        half = 2 * z * sqrt(max(variance, 0.0))
        gap = abs(2 * value - 1)
        ranges.append((gap, max(0.0, gap - half), min(1.0, gap + half)))
    gap, low, high = (max(values) for values in zip(*ranges, strict=True))
    return Figure(1 - gap, 1 - high, 1 - low)


def difference_of_ratios(mine: float, theirs: float, variance: float) -> Difference | None:
    """`mine` minus `theirs`, whose difference has this variance."""
    if isnan(mine) or isnan(theirs):
        return None
    value, error = mine - theirs, sqrt(max(variance, 0.0))
    half = quantile((1 + LEVEL) / 2) * error
    return Difference(value, value - half, value + half, two_sided_p(value, error))


def difference_of_quantiles(mine: Counts, theirs: Counts, level: float, deals: tuple[int, int]) -> Difference | None:
    """The difference of the same quantile of two distributions."""
    a, b = (figure_of_quantile(counts, level, n) for counts, n in zip((mine, theirs), deals, strict=True))
    if a.value is None or b.value is None or a.low is None or a.high is None or b.low is None or b.high is None:
        return None
    value = a.value - b.value
    low = value - sqrt((a.value - a.low) ** 2 + (b.high - b.value) ** 2)
    high = value + sqrt((a.high - a.value) ** 2 + (b.value - b.low) ** 2)
    shares = [counts.share_up_to(int(b.value)) for counts in (mine, theirs)]
    sizes = [min(n, counts.total) for n, counts in zip(deals, (mine, theirs), strict=True)]
    error = sqrt(sum(share * (1 - share) / size for share, size in zip(shares, sizes, strict=True)))
    return Difference(value, low, high, two_sided_p(shares[0] - shares[1], error))


def two_sided_p(value: float, error: float) -> float:
    """Probability of a normal value as far from 0 as this one.

    Examples
    --------
    >>> round(two_sided_p(1.96, 1.0), 3)
    0.05
    """
    if error == 0 or abs(value) < 1e-12:
        return 1.0 if abs(value) < 1e-12 else 0.0
    return erfc(abs(value) / error / sqrt(2))
