"""Bootstrap over pairs: intervals of medians, rates of rare events and match results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.errors import RunError

RESAMPLES: Final = 2000
_BATCH_VALUES: Final = 5_000_000  # bounds the memory


def bootstrap_interval(
    values: npt.NDArray[Any], statistic: Callable[..., Any] = np.mean, *, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile bootstrap interval of a statistic of independent units.

    Parameters
    ----------
    values : ndarray, shape (n,)
        One value a unit: a mirrored pair, a match.
    statistic : callable
        Takes ``axis``, such as `numpy.median`.
    level, seed
        Confidence, 0 to 1; seed of the resampling, fixed so that the same rows give the same interval.

    Raises
    ------
    RunError
        If SciPy, which does it, is not installed.

    Examples
    --------
    >>> import numpy as np
    >>> low, high = bootstrap_interval(np.arange(101), np.median)
    >>> low < 50 < high
    True
    """
    try:
        from scipy.stats import bootstrap
    except ImportError:
        raise RunError("bootstrap intervals need SciPy: pip install 'buraco-sim[analysis]'") from None
    if len(values) < 2 or (values == values[0]).all():
        only = float(statistic(values, axis=0))
        return only, only
    batch = max(1, _BATCH_VALUES // len(values))
    rng = np.random.default_rng(seed)
    result = bootstrap((values,), statistic, n_resamples=RESAMPLES, batch=batch, confidence_level=level, method="percentile", rng=rng)
    return float(result.confidence_interval.low), float(result.confidence_interval.high)
