"""Many comparisons at once."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def holm(p_values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Adjust p-values for their number: reject where the result is at most alpha, and all rejections hold together.

    Sorted upward, the i-th of m is multiplied by ``m - i + 1``, and none is smaller than the one before.

    Source: S. Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted
