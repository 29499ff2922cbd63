"""How many pairs: of a fixed sample, and of the sequential test."""

from __future__ import annotations

from math import ceil
from typing import Final

from buraco_sim.stats.pairs import quantile
from buraco_sim.stats.sequential import ALPHA, BETA

#: Mean length of the sequential test in units of ``(sd / effect)**2``, by the true margin in units of the effect, at the
#: default errors; measured by simulation, and held by a test.
SEQUENTIAL_UNITS: Final = {0: 8.8, 1: 6.9, 2: 2.5}


def fixed_pairs(sd: float, effect: float, alpha: float = ALPHA, beta: float = BETA) -> int:
    """Pairs of a fixed sample that finds a margin of `effect` by a two-sided test.

    ``((z(1 - alpha / 2) + z(1 - beta)) * sd / effect)**2`` with the normal quantiles z.

    Parameters
    ----------
    sd : float
        Standard deviation of a pair, points.
    effect : float
        Points a pair, > 0.
    alpha, beta : float
        Chance to find what is not there; chance to miss the effect.

    Examples
    --------
    >>> fixed_pairs(350.0, 5.0)
    63675
    """
    return ceil(((quantile(1 - alpha / 2) + quantile(1 - beta)) * sd / effect) ** 2)


def sequential_pairs(sd: float, effect: float) -> dict[int, int]:
    """Pairs that the sequential test needs in the mean, if the true margin is 0, once or twice the effect.

    Examples
    --------
    >>> sequential_pairs(350.0, 5.0)[0] < fixed_pairs(350.0, 5.0)
    True
    """
    return {times: ceil(units * (sd / effect) ** 2) for times, units in SEQUENTIAL_UNITS.items()}
