"""Strategies: a policy with its weights by name, as data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco_sim.data_files import data_names, find_file, read_name, read_text, read_toml
from buraco_sim.errors import InputError, did_you_mean, shown
from buraco_sim.policies import POLICIES, Policy, Weight

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER: Final = "strategies"
FILE_KEYS: Final = ("name", "policy", "summary", "remembers_pile", "weights")


def strategy_names() -> list[str]:
    """Return the names of the shipped strategies, sorted, without reading them.

    Examples
    --------
    >>> "greedy" in strategy_names()
    True
    """
    return data_names(FOLDER)


@dataclass(frozen=True)
class Strategy:
    """A player: which compiled policy decides, and with which weights.

    Attributes
    ----------
    name, policy, summary : str
        What it is called, the policy that decides, what it does.
    weights : dict of str to float
        In the order of the policy.
    remembers_pile : bool
        Where the pile is closed, does it know the discards that it saw being made.
    path : str
        The file that it was read from, empty if none.

    Examples
    --------
    >>> Strategy.load("random").weights
    {'meld_probability': 0.7}
    """

    name: str
    policy: str
    summary: str = ""
    weights: dict[str, float] = field(default_factory=dict)
    remembers_pile: bool = False
    path: str = ""

    @classmethod
    def load(cls, name_or_path: str | Path) -> Strategy:
        """Return a shipped strategy by name, or the strategy of a TOML file.

        Raises
        ------
        InputError
            For an unknown name, a file that cannot be read, an unknown key, a missing or a wrong weight.
        """
        file = find_file(FOLDER, name_or_path)
        content = read_toml(file)
        return cls.from_dict({**content, "name": read_name(content, file)}, path=str(file))

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], *, path: str = "") -> Strategy:
        """Return the strategy of `to_dict`'s form.

        Raises
        ------
        InputError
            For an unknown key, a missing or a wrong weight.
        """
        where = path or "strategy"
        for key in content:
            if key not in FILE_KEYS:
                expected = f"one of {', '.join(FILE_KEYS)}"
                raise InputError(f"unknown key {shown(key)}", where=where, expected=expected, hint=did_you_mean(key, FILE_KEYS))
        policy = _read_policy(content.get("policy"), where)
        remembers = content.get("remembers_pile", False)
        if not isinstance(remembers, bool):
            raise InputError(f"remembers_pile = {shown(remembers)}", where=where, expected="true or false")
        return cls(
            name=read_text(content, "name", policy.name, where),
            policy=policy.name,
            summary=read_text(content, "summary", policy.summary, where),
            weights=_read_weights(content.get("weights", {}), policy, where),
            remembers_pile=remembers,
            path=path,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything that decides how it plays, in the form of its file; not where that file is."""
        return {
            "name": self.name,
            "policy": self.policy,
            "summary": self.summary,
            "remembers_pile": self.remembers_pile,
            "weights": dict(self.weights),
        }

    def weight_array(self) -> NDArray[np.float64]:
        """Return the weights as float64[n], in the order of the policy."""
        import numpy as np

        return np.array(list(self.weights.values()), np.float64)


def _read_policy(name: object, where: str) -> Policy:
    if isinstance(name, str) and name in POLICIES:
        return POLICIES[name]
    problem = "no policy" if name is None else f"policy = {shown(name)}"
    hint = did_you_mean(str(name), POLICIES)
    raise InputError(problem, where=where, expected=f"policy to be one of {', '.join(POLICIES)}", hint=hint)


def _read_weights(content: object, policy: Policy, where: str) -> dict[str, float]:
    if not isinstance(content, dict):
        raise InputError(f"weights = {shown(content)}", where=where, expected="a table [weights] of numbers")
    names = [weight.name for weight in policy.weights]
    listed = f"the weights of {policy.name}: {', '.join(names) or 'none'}"
    for name in content:
        if name not in names:
            raise InputError(f"unknown weight {shown(name)}", where=where, expected=listed, hint=did_you_mean(name, names))
    missing = [name for name in names if name not in content]
    if missing:
        raise InputError(f"missing weight {missing[0]!r}", where=where, expected=listed)
    return {weight.name: _read_weight(content[weight.name], weight, where) for weight in policy.weights}


def _read_weight(value: object, weight: Weight, where: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and weight.low <= value <= weight.high and math.isfinite(value):  # type: ignore[operator, arg-type]
        return float(value)  # type: ignore[arg-type]
    raise InputError(
        f"weights.{weight.name} = {shown(value)}", where=where, expected=f"a number {weight.low:g}..{weight.high:g} ({weight.unit})"
    )
