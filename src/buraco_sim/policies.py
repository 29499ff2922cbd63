"""The built-in players as declarations: name and weights. What they do is compiled, in `kernels/policies`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Weight:
    """A number that a player's decisions depend on, and the range in which it makes sense."""

    name: str
    default: float
    low: float
    high: float
    unit: str
    meaning: str


@dataclass(frozen=True)
class Policy:
    """A compiled player: its name is that of its module, its weights stand in the order in which it reads them."""

    name: str
    summary: str
    weights: tuple[Weight, ...]

    def index(self, name: str) -> int:
        """Place of a weight in the vector that the compiled function gets."""
        return [weight.name for weight in self.weights].index(name)


POLICIES: Final[dict[str, Policy]] = {
    policy.name: policy
    for policy in (
        Policy(
            "random",
            "draws from the full list of legal actions",
            (Weight("meld_probability", 0.7, 0.0, 1.0, "probability", "of a meld while there is one"),),
        ),
        Policy("greedy", "lays all it can with sense, takes the pile when it gains, goes out when it can", ()),
    )
}
