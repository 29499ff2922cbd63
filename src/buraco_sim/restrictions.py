"""Restrictions: switches that keep any player from something, for analysis. Declared here once, as data.

The compiled wrapper that imposes them is `kernels/policies/restricted.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from buraco_sim.errors import InputError, did_you_mean, shown


@dataclass(frozen=True)
class Restriction:
    """A switch that is on or off, or a number from `low` to `high`; where the rules leave nothing else, the forbidden is done."""

    name: str
    meaning: str
    low: int = 1
    high: int = 1
    unit: str = "switch"

    @property
    def is_switch(self) -> bool:
        """Whether its value is true or false."""
        return self.low == self.high

    @property
    def expected(self) -> str:
        """Its values in words."""
        return "true or false" if self.is_switch else f"a whole number {self.low}..{self.high} ({self.unit})"


RESTRICTIONS: Final[dict[str, Restriction]] = {
    one.name: one
    for one in (
        Restriction("never_take_pile", "draws from the stock only"),
        Restriction("no_wild_below", "gives a wild only to melds that then have so many cards", 4, 14, "cards"),
        Restriction("never_lay_set", "neither opens a set nor adds to one"),
        Restriction("never_free_wild", "leaves every wild of its table where it lies, though the natural card of that place is at hand"),
        Restriction("ignore_morto", "does not empty its hand while its team would take a morto by it"),
        Restriction("never_go_out", "does not go out"),
        Restriction("hold_back", "lays nothing until it can empty its hand for the morto in the same turn; afterwards as it likes"),
        Restriction("lay_at_once", "lays the most points that it can before it discards"),
        Restriction("random_discard", "discards any card that may be discarded, each with the same probability"),
    )
}
OPPOSITES: Final = ("hold_back", "lay_at_once")


def read_restrictions(content: object, where: str) -> dict[str, int]:
    """Return the restrictions of a strategy file that are on, in the order of their declaration, a switch as 1.

    Raises
    ------
    InputError
        For an unknown name, a wrong value, or two that contradict each other.
    """
    if not isinstance(content, Mapping):
        raise InputError(f"restrictions = {shown(content)}", where=where, expected="a table [restrictions]")
    for name in content:
        if name not in RESTRICTIONS:
            expected = f"one of {', '.join(RESTRICTIONS)}"
            raise InputError(f"unknown restriction {shown(name)}", where=where, expected=expected, hint=did_you_mean(name, RESTRICTIONS))
    read = {name: _read_value(content[name], one, where) for name, one in RESTRICTIONS.items() if name in content}
    found = {name: value for name, value in read.items() if value}
    if all(name in found for name in OPPOSITES):
        raise InputError(f"restrictions {' and '.join(OPPOSITES)}", where=where, expected="one of them at most")
    return found


def restriction_vector(restrictions: Mapping[str, int]) -> list[float]:
    """Return what the compiled wrapper reads behind the weights: a number a restriction, 0 = off; nothing without any."""
    return [float(restrictions.get(name, 0)) for name in RESTRICTIONS] if restrictions else []


def as_written(restrictions: Mapping[str, int]) -> dict[str, bool | int]:
    """Return restrictions as a strategy file has them."""
    return {name: True if RESTRICTIONS[name].is_switch else value for name, value in restrictions.items()}


def _read_value(value: object, one: Restriction, where: str) -> int:
    if isinstance(value, bool) and (one.is_switch or not value):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and not one.is_switch and one.low <= value <= one.high:
        return value
    raise InputError(f"restrictions.{one.name} = {shown(value)}", where=where, expected=one.expected)
