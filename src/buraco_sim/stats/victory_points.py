"""Victory Points: the difference of a match as a split of 20 points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

#: Largest difference for 10-10, 11-9, ... 19-1, by the rounds of a match; beyond the last 20-0. Italian federation.
VP_TABLES: Final[dict[int, tuple[int, ...]]] = {
    3: (50, 150, 250, 350, 500, 650, 800, 1000, 1250, 1500),
    4: (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
}


def victory_points(differences: npt.ArrayLike, table: Sequence[int]) -> npt.NDArray[Any]:
    """Victory Points of the two teams.

    Parameters
    ----------
    differences : array_like of int, shape (...)
        Total of team 0 minus total of team 1, points.
    table : sequence of int
        Largest difference for 10-10, 11-9 and so on, as `match.vp` of a ruleset; beyond the last: 20-0.

    Returns
    -------
    ndarray of int64, shape (..., 2)

    Examples
    --------
    >>> victory_points([0, 301, -2005], VP_TABLES[4]).tolist()
    [[10, 10], [12, 8], [0, 20]]
    """
    d = np.asarray(differences)
    steps = np.sign(d) * np.searchsorted(np.asarray(table), np.abs(d), side="left")
    return np.stack([10 + steps, 10 - steps], axis=-1)
