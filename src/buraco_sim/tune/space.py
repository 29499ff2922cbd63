"""The space of a search: which weights of a player move, in steps of their scales, within their ranges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from buraco_sim.errors import InputError, did_you_mean, shown
from buraco_sim.policies import Weight
from buraco_sim.strategies import Strategy

Floats = npt.NDArray[np.float64]

DIGITS = 6  # of a weight: a file that people read


@dataclass(frozen=True)
class Space:
    """The weights that move.

    Attributes
    ----------
    start : Strategy
        Where the search begins.
    weights : tuple of Weight
        Those that move, as they are declared.
    """

    start: Strategy
    weights: tuple[Weight, ...]

    @classmethod
    def of(cls, start: Strategy, names: Sequence[str] | None = None) -> Space:
        """The space of some weights of a player, by default of all.

        Raises
        ------
        InputError
            For an unknown weight, or fewer than two.
        """
        declared = {weight.name: weight for weight in start.policy_weights()}
        for name in names or ():
            if name not in declared:
                expected = f"weights of {start.policy}: {', '.join(declared) or 'none'}"
                raise InputError(f"unknown weight {shown(name)}", where="weights", expected=expected, hint=did_you_mean(name, declared))
        chosen = tuple(weight for weight in declared.values() if names is None or weight.name in names)
        if len(chosen) < 2:
            raise InputError(f"{len(chosen)} weights of {start.name} to tune", expected="a player with at least two")
        return cls(start, chosen)

    def weights_at(self, point: npt.ArrayLike) -> dict[str, float]:
        """The moving weights at a point, float64[n] in steps from the start; what leaves a range comes back reflected.

        Examples
        --------
        >>> space = Space.of(Strategy.load("steady"), ["set_size", "keep_near"])
        >>> space.weights_at([0.0, 0.0]), space.weights_at([-1.0, 0.0])["set_size"]
        ({'set_size': 3.0, 'keep_near': 2.2}, 3.3)
        """
        values = {}
        for weight, steps in zip(self.weights, np.asarray(point, np.float64), strict=True):
            span = weight.high - weight.low
            moved = self.start.weights[weight.name] + float(steps) * weight.step - weight.low
            values[weight.name] = float(f"{weight.low + span - abs(moved % (2 * span) - span):.{DIGITS}g}")
        return values

    def player(self, values: dict[str, float], name: str) -> Strategy:
        """The player with these values of the moving weights."""
        return replace(self.start, name=name, weights=self.start.weights | values)
