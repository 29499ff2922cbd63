"""Strategies: a policy with its weights by name, as data."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco_sim.data_files import data_names, find_file, read_name, read_text, read_toml
from buraco_sim.errors import InputError, did_you_mean, shown
from buraco_sim.policies import POLICIES, Policy, Weight
from buraco_sim.restrictions import as_written, read_restrictions, restriction_vector
from buraco_sim.user_policies import UserPolicy, file_of, is_location, policy_name, read_code, read_policy, strategy_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDER: Final = "strategies"
CHAMPION: Final = "champion"  # names the player that is tuned for the variant, whatever the variant
DEFAULT: Final = "steady"
FILE_KEYS: Final = ("name", "policy", "summary", "remembers_pile", "weights", "restrictions", "sha256", "tuning")


def strategy_names() -> list[str]:
    """Return the names of the shipped strategies, sorted, without reading them.

    Examples
    --------
    >>> "greedy" in strategy_names()
    True
    """
    return data_names(FOLDER)


def tuned_form(player: str, variant: str) -> str | None:
    """Name of the shipped strategy that is `player` with weights tuned for a variant, ``PLAYER-VARIANT``, or None."""
    name = f"{player}-{variant}"
    return name if name in strategy_names() else None


@dataclass(frozen=True)
class Strategy:
    """A player: which compiled policy decides, and with which weights.

    Attributes
    ----------
    name, policy, summary : str
        What it is called, the policy that decides (a function of a user's file as ``mine.py:decide``), what it does.
    weights : dict of str to float
        In the order of the policy.
    remembers_pile : bool
        Where the pile is closed, does it know the discards that it saw being made.
    path : str
        What it was read from, a file or ``lab/mine.py:decide``; empty if neither.
    source, sha256, code : str, str, bytes
        Of a user's function: where it is (``lab/mine.py:decide``), the hash and the contents of its file; else empty.
    restrictions : dict of str to int
        What it is kept from, see :mod:`buraco_sim.restrictions`; a switch as 1. Empty for an unrestricted player.
    tuning : dict
        What its file says of the search that found its weights; it does not decide how it plays.

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
    source: str = ""
    sha256: str = ""
    code: bytes = field(default=b"", repr=False)
    restrictions: dict[str, int] = field(default_factory=dict)
    tuning: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Strategy:
        """Return a shipped strategy by name, the strategy of a TOML file, or a function of one's own, ``mine.py:decide``.

        ``champion`` is the default player of whatever variant it is seated for: ``steady`` with the weights tuned for that variant,
        where such a strategy is shipped, else ``steady`` itself.

        Raises
        ------
        InputError
            For an unknown name, a file that cannot be read, an unknown key, a missing or a wrong weight.
        """
        if name_or_path == CHAMPION:
            return replace(cls.load(DEFAULT), name=CHAMPION, path=CHAMPION)
        if is_location(str(name_or_path)):
            location = str(name_or_path)
            return cls.from_dict({"name": strategy_name(location), "policy": location}, path=location, folder="")
        file = find_file(FOLDER, name_or_path)
        content = read_toml(file)
        return cls.from_dict({**content, "name": read_name(content, file)}, path=str(file))

    @classmethod
    def from_dict(
        cls, content: Mapping[str, Any], *, path: str = "", folder: str | Path | None = None, code: bytes | None = None
    ) -> Strategy:
        """Return the strategy of `to_dict`'s form.

        Parameters
        ----------
        content : mapping
            Name, policy, weights and so on, as in a strategy file.
        path : str, optional
            The file that it was read from.
        folder : str or Path, optional
            Where the file of a user's function lies; by default that of `path`.
        code : bytes, optional
            The contents of that file, where they are known already.

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
        remembers = content.get("remembers_pile", False)
        if not isinstance(remembers, bool):
            raise InputError(f"remembers_pile = {shown(remembers)}", where=where, expected="true or false")
        location = content.get("policy")
        source, sha256 = "", ""
        if isinstance(location, str) and is_location(location):
            source = str((Path(path).parent if folder is None else Path(folder)) / location)
            code = read_code(source) if code is None else code
            sha256 = read_text(content, "sha256", hashlib.sha256(code).hexdigest(), where)
            # What a run has resolved needs no file to be run before it is played.
            policy = _resolved_policy(content, location) if "sha256" in content else read_policy(source, code)
        else:
            policy, code = _read_policy(location, where), b""
        return cls(
            name=read_text(content, "name", policy.name, where),
            policy=policy.name,
            summary=read_text(content, "summary", policy.summary, where),
            weights=_read_weights(content.get("weights", {}), policy, where),
            remembers_pile=remembers,
            path=path or source,
            source=source,
            sha256=sha256,
            code=code,
            restrictions=read_restrictions(content.get("restrictions", {}), where),
            tuning=_read_tuning(content.get("tuning", {}), where),
        )

    def for_variant(self, variant: str) -> Strategy:
        """The strategy that sits down under a variant: itself, but for ``champion``.

        Examples
        --------
        >>> Strategy.load("greedy").for_variant("stbl").name, Strategy.load("champion").for_variant("house-rules").name
        ('greedy', 'steady')
        """
        if self.path != CHAMPION:
            return self
        tuned = Strategy.load(tuned_form(self.policy, variant) or self.policy)
        return replace(tuned, name=tuned.name if self.name == CHAMPION else self.name, restrictions=self.restrictions)

    @property
    def file_name(self) -> str:
        """Name of the file of a user's function, wherever it lies."""
        return self.policy.partition(":")[0]

    def to_dict(self) -> dict[str, Any]:
        """Return everything that decides how it plays, in the form of its file; not where that file is."""
        values = {
            "name": self.name,
            "policy": self.policy,
            "summary": self.summary,
            "remembers_pile": self.remembers_pile,
            "weights": dict(self.weights),
        }
        optional = {"restrictions": as_written(self.restrictions), "sha256": self.sha256}
        return values | {key: value for key, value in optional.items() if value}

    def user_policy(self) -> UserPolicy:
        """Run the file of a user's function, if it is the one that this strategy was made of.

        Raises
        ------
        InputError
            If the file is another one, or has other weights.
        """
        there = hashlib.sha256(self.code).hexdigest()
        if there != self.sha256:
            problem = f"another source than the run was played with: sha256 {there[:16]}..." if self.code else "the source is missing"
            raise InputError(problem, where=file_of(self.source), expected=f"sha256 {self.sha256[:16]}...")
        found = read_policy(self.source, self.code)
        _read_weights(self.weights, found, self.path)
        return found

    def policy_weights(self) -> tuple[Weight, ...]:
        """The weights of its policy, as they are declared."""
        return (self.user_policy() if self.source else POLICIES[self.policy]).weights

    def weight_array(self) -> NDArray[np.float64]:
        """Return the weights as float64[n], in the order of the policy, behind them the restrictions if there are any."""
        import numpy as np

        return np.array([*self.weights.values(), *restriction_vector(self.restrictions)], np.float64)


def _read_tuning(content: object, where: str) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise InputError(f"tuning = {shown(content)}", where=where, expected="a table [tuning]")
    return content


def _resolved_policy(content: Mapping[str, Any], location: str) -> Policy:
    """A user's policy as far as the weights that were resolved tell."""
    weights = content.get("weights", {})
    names = list(weights) if isinstance(weights, dict) else []
    return Policy(policy_name(location), "", tuple(Weight(name, 0.0, -math.inf, math.inf, "number", "") for name in names))


def _read_policy(name: object, where: str) -> Policy:
    if isinstance(name, str) and name in POLICIES:
        return POLICIES[name]
    problem = "no policy" if name is None else f"policy = {shown(name)}"
    hint = did_you_mean(str(name), POLICIES)
    expected = f"policy to be one of {', '.join(POLICIES)}, or a function of yours as mine.py:decide"
    raise InputError(problem, where=where, expected=expected, hint=hint)


def _read_weights(content: object, policy: Policy, where: str) -> dict[str, float]:
    if not isinstance(content, dict):
        raise InputError(f"weights = {shown(content)}", where=where, expected="a table [weights] of numbers")
    names = [weight.name for weight in policy.weights]
    listed = f"the weights of {policy.name}: {', '.join(names) or 'none'}"
    for name in content:
        if name not in names:
            raise InputError(f"unknown weight {shown(name)}", where=where, expected=listed, hint=did_you_mean(name, names))
    missing = [name for name in names if name not in content]
    if isinstance(policy, UserPolicy):  # declared beside the function, with defaults
        content = {weight.name: content.get(weight.name, weight.default) for weight in policy.weights}
    elif missing:
        raise InputError(f"missing weight {missing[0]!r}", where=where, expected=listed)
    return {weight.name: _read_weight(content[weight.name], weight, where) for weight in policy.weights}


def _read_weight(value: object, weight: Weight, where: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and weight.low <= value <= weight.high and math.isfinite(value):  # type: ignore[operator, arg-type]
        return float(value)  # type: ignore[arg-type]
    raise InputError(
        f"weights.{weight.name} = {shown(value)}", where=where, expected=f"a number {weight.low:g}..{weight.high:g} ({weight.unit})"
    )
