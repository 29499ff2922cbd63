"""The kinds of values that a rule can have: each reads a TOML or JSON value and says what it expects."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from buraco_sim.cards import RANKS, TWO

SET_RANKS = RANKS.replace(RANKS[TWO], "")


class Domain(Protocol):
    """A kind of values."""

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        ...

    def read(self, value: object) -> object:
        """Return the value as the ruleset keeps it, or raise `ValueError`."""
        ...


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError


@dataclass(frozen=True)
class Flag:
    """true or false."""

    expected: str = "true or false"

    def read(self, value: object) -> bool:
        """Return the flag."""
        _require(isinstance(value, bool))
        return bool(value)


@dataclass(frozen=True)
class Choice:
    """One of a few values: words, numbers, or both."""

    values: tuple[str | int, ...]

    @property
    def expected(self) -> str:
        """The values."""
        words = [f'"{value}"' if isinstance(value, str) else str(value) for value in self.values]
        return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))

    def read(self, value: object) -> str | int:
        """Return the value (`True` is not 1)."""
        _require(isinstance(value, str | int) and not isinstance(value, bool) and value in self.values)
        return value  # type: ignore[return-value]


@dataclass(frozen=True)
class Number:
    """A whole number in a range."""

    low: int
    high: int
    step: int = 1

    @property
    def expected(self) -> str:
        """The range."""
        return f"a whole number {self.low}..{self.high}" + (f", a multiple of {self.step}" if self.step > 1 else "")

    def read(self, value: object) -> int:
        """Return the number (`True` is not 1, 5.0 is not 5)."""
        _require(isinstance(value, int) and not isinstance(value, bool))
        number = int(value)  # type: ignore[call-overload]
        _require(self.low <= number <= self.high and number % self.step == 0)
        return int(number)


@dataclass(frozen=True)
class Numbers:
    """A list of whole numbers."""

    least: int
    most: int
    each: Number
    increasing: bool = False

    @property
    def expected(self) -> str:
        """The length, and what each entry must be."""
        count = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"a list of {count} {'increasing ' if self.increasing else ''}entries, each {self.each.expected}"

    def read(self, value: object) -> tuple[int, ...]:
        """Return the numbers."""
        _require(isinstance(value, list | tuple))
        numbers = tuple(self.each.read(entry) for entry in value)  # type: ignore[attr-defined]
        _require(self.least <= len(numbers) <= self.most)
        _require(not self.increasing or all(a < b for a, b in pairwise(numbers)))
        return numbers


@dataclass(frozen=True)
class Ranks:
    """The ranks of which a set may be made."""

    expected: str = f'"none", "all", or a list of different ranks of {SET_RANKS} such as ["A", "3"]'

    def read(self, value: object) -> str | tuple[str, ...]:
        """Return the word, or the ranks in their order (a 2 makes no set here, see `melds.set_of_twos`)."""
        if isinstance(value, str):
            _require(value in ("none", "all"))
            return value
        _require(isinstance(value, list | tuple))
        ranks = list(value)  # type: ignore[call-overload]
        _require(all(isinstance(rank, str) and len(rank) == 1 and rank in SET_RANKS for rank in ranks))
        _require(bool(ranks) and len(set(ranks)) == len(ranks))
        return tuple(sorted(ranks, key=RANKS.index))
