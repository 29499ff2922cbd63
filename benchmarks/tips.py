"""The pages' advice, measured: what `steady` gains by following each tip, in the page's own variant, as a table for docs/players.md.

`python benchmarks/tips.py [PAIRS]` plays 20,000 mirrored pairs a tip: the player that follows it against the same player without.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace

from buraco_sim.job import DEFAULT_SEED
from buraco_sim.pairs import margins_of, pairs_job, stream_pairs
from buraco_sim.results.columns import Block
from buraco_sim.stats.pairs import estimate_pairs
from buraco_sim.strategies import Strategy

PAIRS = 20_000
S0, S3 = "cardgames-zone", "buraco-classico"


@dataclass(frozen=True)
class Tip:
    """A sentence of a page, and what makes `steady` follow it and not follow it."""

    variant: str
    text: str
    follows: dict[str, float] = field(default_factory=dict)
    ignores: dict[str, float] = field(default_factory=dict)
    restriction: str = ""

    def players(self) -> tuple[Strategy, Strategy]:
        """The player that follows the tip, and the one that does not."""
        steady = Strategy.load("steady")
        off = {self.restriction: 1} if self.restriction else {}
        return (
            replace(steady, name="follows", weights=steady.weights | self.follows),
            replace(steady, name="ignores", weights=steady.weights | self.ignores, restrictions=off),
        )

    def how(self) -> str:
        """What differs, in words."""
        words = [f"`{name}` {self.follows.get(name, Strategy.load('steady').weights[name]):g} against {self.ignores.get(name, 0):g}"
                 for name in self.follows | self.ignores]  # fmt: skip
        return ", ".join([*words, *([f"restriction `{self.restriction}`"] if self.restriction else [])])


TIPS = (
    Tip(S0, "Keep the cards that lie close to each other", ignores={"keep_near": 0, "keep_second": 0}),
    Tip(S0, "Keep the wilds, a clean canasta is worth double", {"keep_wild": 12, "wilds_to_open": 4}, {"keep_wild": 0, "wilds_to_open": 1}),
    Tip(S0, "Take the morto early", restriction="ignore_morto"),
    Tip(S0, "Use the discard pile", restriction="never_take_pile"),
    Tip(S0, "Do not discard what the opponents can lay", ignores={"danger": 0, "danger_next": 0, "danger_known": 0}),
    Tip(S0, "Lay the high cards: in the hand they cost points at the end", {"keep_points": -0.05}, {"keep_points": 0}),
    Tip(S0, "Plan together: complete your runs together", ignores={"keep_own": 0, "give_partner": 0}),
    Tip(S3, "Run for the first clean canasta", {"clean_first": 1}, {"clean_first": 0}),
    Tip(S3, "Take the pile when it is large", {"pile_held": 12}, {"pile_held": 0}),
    Tip(S3, "Leave the morto to a partner who is near it", {"partner_near": 4}, {"partner_near": 0}),
    Tip(S3, "Do not discard what completes or lengthens their melds", ignores={"danger": 0, "danger_next": 0, "danger_known": 0}),
    Tip(S3, "Middle spades and hearts are the safest discards", {"keep_middle": -1}, {"keep_middle": 0}),
    Tip(S3, "Replace the wild of a dirty canasta as soon as you can", restriction="never_free_wild"),
)


def row(tip: Tip, pairs: int) -> list[str]:
    """The row of a tip."""
    job = pairs_job(tip.variant, tip.players(), pairs, seed=DEFAULT_SEED)
    found = estimate_pairs(margins_of(Block.concat([part.block for part in stream_pairs(job)])))
    low, high = found.interval or (found.mean, found.mean)
    return [f"`{tip.variant}`", tip.text, tip.how(), f"{found.mean:+.1f} [{low:+.1f}, {high:+.1f}]"]


def main() -> None:
    """Print the table."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    header = ["variant", "tip", "measured by", "points a deal"]
    print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for tip in TIPS:
        print(f"| {' | '.join(row(tip, pairs))} |", flush=True)


if __name__ == "__main__":
    main()
