"""Evolution: CMA-ES whose learning rate adapts to the noise, as a function of its seed and of what it was told."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim.errors import InputError
from buraco_sim.tune.space import Floats

SIGMA: Final = 0.5  # steps: the first standard deviation of each weight
PULL: Final = 0.15  # points for the square of a step from the mean: without, noise makes the steps grow until nothing is learned


class Search:
    """A search for the largest value; asking and telling the same gives the same, so that it needs no file of its own.

    Parameters
    ----------
    n : int
        Number of weights, at least two.
    seed : int
    sigma : float
        First standard deviation, steps.

    Examples
    --------
    >>> search = Search(2, seed=1)
    >>> for _ in range(200):
    ...     points = search.ask()
    ...     search.tell(points, [-10 * float(((point - 3) ** 2).sum()) for point in points])
    >>> bool(abs(search.mean - 3).max() < 0.1)
    True
    """

    def __init__(self, n: int, seed: int, sigma: float = SIGMA) -> None:
        self._cma: Any = _cma()(mean=np.zeros(n), sigma=sigma, lr_adapt=True, seed=seed % 2**32)

    @property
    def population(self) -> int:
        """Points of a generation."""
        return int(self._cma.population_size)

    @property
    def mean(self) -> Floats:
        """Mean of the distribution, float64[n] in steps from the start."""
        return np.array(self._cma.mean)

    def ask(self) -> list[Floats]:
        """The points of the next generation."""
        return [self._cma.ask() for _ in range(self.population)]

    def tell(self, points: list[Floats], values: list[float]) -> None:
        """What the points of a generation are worth, in points a pair."""
        mean = self.mean
        told = [(point, PULL * float((point - mean) @ (point - mean)) - value) for point, value in zip(points, values, strict=True)]
        self._cma.tell(told)


def _cma() -> Any:
    try:
        from cmaes import CMA
    except ImportError:
        raise InputError("cmaes is not installed", expected="pip install 'buraco-sim[tune]'") from None
    return CMA
