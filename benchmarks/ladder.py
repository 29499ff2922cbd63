"""The ladder: how far each player is above the one below it, in five variants, as a table for docs/players.md.

`python benchmarks/ladder.py [PAIRS] [PLAYER ...]` plays mirrored pairs (20,000 by default) of neighbours and of every player
against `greedy`; the players stand in the order of their margin against `greedy`, which differs from variant to variant.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from buraco_sim.job import DEFAULT_SEED
from buraco_sim.pairs import margins_of, pairs_job, stream_pairs
from buraco_sim.policies import POLICIES
from buraco_sim.results.columns import Block
from buraco_sim.stats.pairs import PairEstimate, estimate_pairs
from buraco_sim.strategies import strategy_names

VARIANTS = ("stbl", "burraco-fibur", "buraco-classico", "buraco-aberto-sujo", "burraco-duel")
YARDSTICK = "greedy"
PAIRS = 20_000


def estimate(variant: str, a: str, b: str, pairs: int) -> PairEstimate:
    """Mirrored pairs of two players."""
    parts = stream_pairs(pairs_job(variant, (a, b), pairs, seed=DEFAULT_SEED))
    return estimate_pairs(margins_of(Block.concat([part.block for part in parts])))


def cells(found: PairEstimate) -> list[str]:
    """Mean margin with its interval, and the share of the pairs won, a drawn one counted half."""
    low, high = found.interval or (found.mean, found.mean)
    won, _, drawn = found.wins
    return [f"{found.mean:+.1f} [{low:+.1f}, {high:+.1f}]", f"{100 * (won + drawn / 2) / found.pairs:.1f} %"]


def ladder(variant: str, players: Sequence[str], pairs: int) -> list[list[str]]:
    """The rows of a variant, the weakest player first."""
    against = {name: estimate(variant, name, YARDSTICK, pairs) for name in players if name != YARDSTICK}
    order = sorted(players, key=lambda name: against[name].mean if name in against else 0.0)
    rows = []
    for below, name in zip([None, *order], order, strict=False):
        step = ["", ""]
        if below == YARDSTICK:
            step = cells(against[name])
        elif below is not None:
            step = cells(estimate(variant, name, below, pairs))
        rows.append([variant, f"`{name}`", *step, *(cells(against[name]) if name in against else ["", ""])])
    return rows


def main() -> int:
    """Print the table."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    players = sys.argv[2:] or [name for name in strategy_names() if name in POLICIES]
    players = sorted({*players, YARDSTICK})
    header = ["variant", "player", "points above the one before", "pairs won", f"points above `{YARDSTICK}`", "pairs won"]
    for row in (header, ["---"] * len(header)):
        print(f"| {' | '.join(row)} |")
    for variant in VARIANTS:
        for row in ladder(variant, players, pairs):
            print(f"| {' | '.join(row)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
