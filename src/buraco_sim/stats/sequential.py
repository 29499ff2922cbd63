"""Looking while playing: the generalised sequential test of a margin, and an interval that is valid at every look.

The test is the generalised sequential probability ratio test (GSPRT) of the mean of a normal distribution whose variance
is estimated from the same data [1]_, two of them side by side: is the mean ``+effect`` rather than 0, is it ``-effect``
rather than 0. Several comparisons at once share the error by the sequential form of Holm's procedure [2]_.

References
----------
.. [1] X. Li, J. Liu, Z. Ying (2014), Generalized sequential probability ratio test for separate families of hypotheses,
   Sequential Analysis 33.
.. [2] J. Bartroff, J. Song (2014), Sequential tests of multiple hypotheses controlling type I and II familywise error
   rates, Journal of Statistical Planning and Inference 153.
.. [3] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas (2024), Time-uniform central limit theory and
   asymptotic confidence sequences, Annals of Statistics 52.
"""

from __future__ import annotations

from math import log
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ALPHA: Final = 0.05  # chance to name a winner where there is none
BETA: Final = 0.05  # chance to miss a margin of the effect
FIRST_LOOK: Final = 200  # pairs; earlier the variance is too badly known
LOOK_EVERY: Final = 100  # pairs
TIGHTEST_AT: Final = 2000  # pairs at which the confidence sequence is relatively tightest: under twice the usual width from 200 on

UNDECIDED, A_BETTER, B_BETTER, NEITHER = range(4)


def bounds(alpha: float = ALPHA, beta: float = BETA, comparisons: int = 1) -> tuple[float, float]:
    """Lower and upper bound of the log-likelihood ratio of one of the two tests.

    ``ln(beta / (1 - alpha / 2))`` and ``ln((1 - beta) / (alpha / 2))``, with ``alpha`` divided by the comparisons that
    share it.

    Examples
    --------
    >>> [round(bound, 3) for bound in bounds()]
    [-2.97, 3.638]
    """
    share = alpha / (2 * comparisons)
    return log(beta / (1 - share)), log((1 - beta) / share)


def log_likelihood_ratios(pairs: Any, mean: Any, sd: Any, effect: float) -> Floats:
    """Log-likelihood ratios of ``+effect`` and of ``-effect`` against 0.

    ``pairs * d * (2 * mean - d) / (2 * sd**2)`` with ``d = +effect`` and ``d = -effect``. Without any variance, the limit.

    Parameters
    ----------
    pairs, mean, sd : array_like, shape (...)
        Number of pairs, their mean and standard deviation in points.
    effect : float
        Points a pair, > 0.

    Returns
    -------
    ndarray of float64, shape (..., 2)
        For A better, for B better.

    Examples
    --------
    >>> log_likelihood_ratios(1000, 10.0, 100.0, 5.0).round(3).tolist()
    [3.75, -6.25]
    """
    d = np.array([effect, -effect])
    n, centre, spread = (np.asarray(values, np.float64)[..., None] for values in (pairs, mean, sd))
    with np.errstate(divide="ignore"):
        distance = n * d * (2 * centre - d)  # 0: both are as likely, also where there is no variance
        return np.asarray(np.divide(distance, 2 * spread**2, out=np.zeros(distance.shape), where=distance != 0))


class SequentialTest:
    """Two one-sided sequential tests side by side for each comparison; looks come one after the other.

    A one-sided test is over when its ratio reaches a bound. A comparison is over when one of its tests accepts (A or B is
    better) or both have rejected (neither, by the effect). With several comparisons, each that is decided for A or B leaves
    its share of the error to the others, as in Holm's procedure.

    Parameters
    ----------
    shape : tuple of int
        ``(..., m)``: m comparisons that share the error; axes before are independent families.
    alpha, beta : float
        Error of the first and of the second kind.

    Attributes
    ----------
    verdicts : ndarray of int8, shape (..., m)
        UNDECIDED, A_BETTER, B_BETTER or NEITHER.

    Examples
    --------
    >>> test = SequentialTest((1,))
    >>> test.look(log_likelihood_ratios([200], [1.0], [100.0], 10.0)).tolist()
    [0]
    >>> test.look(log_likelihood_ratios([400], [20.0], [100.0], 10.0)).tolist()
    [1]
    """

    def __init__(self, shape: tuple[int, ...], alpha: float = ALPHA, beta: float = BETA) -> None:
        self.alpha, self.beta = alpha, beta
        self.verdicts = np.zeros(shape, np.int8)
        self.rejected = np.zeros((*shape, 2), np.bool_)

    def look(self, ratios: Floats) -> npt.NDArray[np.int8]:
        """Take one more look at ratios of shape ``(..., m, 2)`` and return the verdicts."""
        m = self.verdicts.shape[-1]
        undecided = self.verdicts == UNDECIDED
        self.rejected |= undecided[..., None] & (ratios <= bounds(self.alpha, self.beta, m)[0])
        upper = np.array([bounds(self.alpha, self.beta, left)[1] for left in range(1, m + 1)])
        while True:
            won = ((self.verdicts == A_BETTER) | (self.verdicts == B_BETTER)).sum(axis=-1)
            bound = upper[np.minimum(m - won, m) - 1][..., None, None]
            accepted = (self.verdicts == UNDECIDED)[..., None] & ~self.rejected & (ratios >= bound)
            if not accepted.any():
                break
            self.verdicts[accepted[..., 0]] = A_BETTER
            self.verdicts[accepted[..., 1]] = B_BETTER
        self.verdicts[(self.verdicts == UNDECIDED) & self.rejected.all(axis=-1)] = NEITHER
        return self.verdicts


def confidence_sequence(pairs: Any, mean: Any, sd: Any, alpha: float = ALPHA, tightest_at: int = TIGHTEST_AT) -> tuple[Floats, Floats]:
    """Interval of the mean that holds at all looks together, however many there are and whenever one stops.

    ``mean +- sd * sqrt(2 (n r + 1) / (n**2 r) * ln(sqrt(n r + 1) / alpha))``, the asymptotic confidence sequence of [3]_
    (theorem 2.2), with ``r`` such that it is tightest at `tightest_at` pairs.

    Parameters
    ----------
    pairs, mean, sd : array_like, shape (...)
        Number of pairs (FIRST_LOOK or more), their mean and standard deviation in points.

    Returns
    -------
    low, high : ndarray of float64, shape (...)

    Examples
    --------
    >>> low, high = confidence_sequence(2000, 10.0, 350.0)
    >>> round(float(low), 1), round(float(high), 1)
    (-13.8, 33.8)
    """
    n = np.asarray(pairs, np.float64)
    logs = -2 * log(alpha)
    r = (logs + log(logs) + 1) / tightest_at
    half = np.asarray(sd) * np.sqrt(2 * (n * r + 1) / (n**2 * r) * np.log(np.sqrt(n * r + 1) / alpha))
    return np.asarray(mean - half), np.asarray(mean + half)


def look_sizes(before: int, after: int, last: int | None = None) -> list[int]:
    """Numbers of pairs at which one looks, above `before` and up to `after`; `last` is looked at in any case.

    Examples
    --------
    >>> look_sizes(0, 700)
    [200, 300, 400, 500, 600, 700]
    >>> look_sizes(700, 950, last=950)
    [800, 900, 950]
    """
    sizes = [n for n in range(before // LOOK_EVERY * LOOK_EVERY, after + 1, LOOK_EVERY) if before < n and n >= FIRST_LOOK]
    return sizes if last is None or last in sizes or not before < last <= after else [*sizes, last]
