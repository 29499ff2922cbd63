"""Ratings of a round robin: least squares on mean margins, with the full covariance, and what the ratings do not explain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Pairing = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings of k players from p pairings.

    Attributes
    ----------
    ratings : ndarray of float64, shape (k,)
        Points a pair; their sum is zero, or that of the anchor is.
    covariance : ndarray of float64, shape (k, k)
        Of the ratings.
    residuals : ndarray of float64, shape (p,)
        Mean margin of each pairing minus the difference of the ratings: a cycle shows here.
    residual_sd : ndarray of float64, shape (p,)
        Standard errors of the residuals; 0 where the pairing alone determines a rating.
    """

    ratings: Floats
    covariance: Floats
    residuals: Floats
    residual_sd: Floats

    def difference_sd(self, first: int, second: int) -> float:
        """Standard error of the difference of two ratings."""
        c = self.covariance
        return float(np.sqrt(max(0.0, c[first, first] + c[second, second] - 2 * c[first, second])))


def rate(pairings: Sequence[Pairing], means: Floats, covariance: Floats, *, anchor: int | None = None) -> Ratings:
    """Rate the players of a round robin by weighted least squares.

    With ``X`` the matrix of +1 and -1, ``W`` the inverse variances and ``M = pinv(X' W X) X' W``: ratings ``M y``,
    their covariance ``M V M'``, residuals ``(I - X M) y`` with covariance ``(I - X M) V (I - X M)'``.

    Source: the Gauss-Markov model with a sandwich covariance, as in H. A. David (1988), The Method of Paired Comparisons.

    Parameters
    ----------
    pairings : sequence of (int, int)
        Numbers of the two players of each pairing; every player is connected with every other.
    means : ndarray, shape (p,)
        Mean margin of the first over the second, points a pair.
    covariance : ndarray, shape (p, p)
        Covariance of the means: of pairings on the same deals they depend on each other.
    anchor : int, optional
        Player whose rating is 0, without error; by default the sum of all is.

    Examples
    --------
    >>> import numpy as np
    >>> result = rate([(0, 1), (1, 2), (0, 2)], np.array([10.0, 4.0, 17.0]), np.eye(3))
    >>> result.ratings.round(6).tolist(), result.residuals.round(6).tolist()
    ([9.0, -2.0, -7.0], [-1.0, -1.0, 1.0])
    """
    k = 1 + max(max(pair) for pair in pairings)
    design = np.zeros((len(pairings), k))
    for row, (first, second) in enumerate(pairings):
        design[row, first], design[row, second] = 1.0, -1.0
    variances = np.diag(covariance)
    known = variances[variances > 0]
    weights = 1 / np.maximum(variances, known.min() * 1e-3 if len(known) else 1.0)  # players that play alike leave no variance
    solve = np.linalg.pinv(design.T @ (weights[:, None] * design), hermitian=True) @ (design.T * weights)
    if anchor is not None:
        solve = solve - solve[anchor]
    rest = np.eye(len(pairings)) - design @ solve
    rest_variance = np.einsum("ij,jk,ik->i", rest, covariance, rest)
    rest_variance[rest_variance < 1e-9 * max(1e-9, variances.max())] = 0.0
    return Ratings(solve @ means, solve @ covariance @ solve.T, rest @ means, np.sqrt(rest_variance))


def covariance_of_means(samples: Sequence[npt.NDArray[np.floating]]) -> Floats:
    """Covariance of the means of pairings that played the same deals, from the first deal on.

    ``cov(x, y) * common / (n_x * n_y)``, where the covariance is that over the deals that both have played.

    Parameters
    ----------
    samples : sequence of ndarray, shapes (n_i,)
        Margins by deal, points a pair; two or more each.

    Examples
    --------
    >>> import numpy as np
    >>> covariance_of_means([np.array([0.0, 2.0]), np.array([0.0, 2.0, 1.0, 1.0])]).round(3).tolist()
    [[1.0, 0.5], [0.5, 0.167]]
    """
    p = len(samples)
    result = np.zeros((p, p))
    for i in range(p):
        for j in range(i, p):
            common = min(len(samples[i]), len(samples[j]))
            covariance = np.cov(samples[i][:common], samples[j][:common], ddof=1)[0, 1]
            result[i, j] = result[j, i] = covariance * common / (len(samples[i]) * len(samples[j]))
    return result
