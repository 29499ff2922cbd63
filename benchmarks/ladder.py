"""The ladder: how far each player is above the one below it, in five variants, as tables for docs/players.md and the README.

`python benchmarks/ladder.py [PAIRS] [PLAYER ...]` plays mirrored pairs (20,000 by default) of neighbours, of every player against
`greedy`, and of the default player against every other; the players stand in the order of their margin against `greedy`, which
differs from variant to variant.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from buraco_sim.job import DEFAULT_SEED
from buraco_sim.pairs import margins_of, pairs_job, stream_pairs
from buraco_sim.policies import POLICIES
from buraco_sim.results.columns import Block
from buraco_sim.stats.pairs import PairEstimate, estimate_pairs
from buraco_sim.strategies import DEFAULT, strategy_names

VARIANTS = ("stbl", "burraco-fibur", "buraco-classico", "buraco-aberto-sujo", "burraco-duel")
YARDSTICK = "greedy"
PAIRS = 20_000
CLAIM = 0.55  # share of the pairs from which on an order of neighbours is claimed


def estimate(variant: str, a: str, b: str, pairs: int) -> PairEstimate:
    """Mirrored pairs of two players."""
    parts = stream_pairs(pairs_job(variant, (a, b), pairs, seed=DEFAULT_SEED))
    return estimate_pairs(margins_of(Block.concat([part.block for part in parts])))


def share(found: PairEstimate) -> float:
    """Share of the pairs won, a drawn one counted half."""
    won, _, drawn = found.wins
    return (won + drawn / 2) / found.pairs


def cells(found: PairEstimate) -> list[str]:
    """Mean margin with its interval, and the share of the pairs won, a drawn one counted half."""
    low, high = found.interval or (found.mean, found.mean)
    return [f"{found.mean:+.1f} [{low:+.1f}, {high:+.1f}]", f"{100 * share(found):.1f} %"]


def ladder(variant: str, players: Sequence[str], pairs: int) -> list[list[str]]:
    """The rows of a variant, the weakest player first; a rung higher is who wins CLAIM of the pairs against the one before."""
    against = {name: estimate(variant, name, YARDSTICK, pairs) for name in players if name != YARDSTICK}
    order = sorted(players, key=lambda name: against[name].mean if name in against else 0.0)
    rows, rung = [], 1
    for below, name in zip([None, *order], order, strict=False):
        step = ["", ""]
        if below is not None:
            found = against[name] if below == YARDSTICK else estimate(variant, name, below, pairs)
            rung += share(found) >= CLAIM
            step = cells(found)
        rows.append([variant, str(rung), f"`{name}`", *step, *(cells(against[name]) if name in against else ["", ""])])
    return rows


def against_all(variant: str, players: Sequence[str], pairs: int) -> list[str]:
    """The default player against each of the others."""
    return [variant, *(cells(estimate(variant, DEFAULT, name, pairs))[0] for name in players if name != DEFAULT)]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table as it is made."""
    for row in (header, ["---"] * len(header)):
        print(f"| {' | '.join(row)} |")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def main() -> int:
    """Print the three tables."""
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else PAIRS
    players = sorted({*(sys.argv[2:] or [name for name in strategy_names() if name in POLICIES]), YARDSTICK})
    header = ["variant", "rung", "player", "points above the one before", "pairs won", f"points above `{YARDSTICK}`", "pairs won"]
    rows = [row for variant in VARIANTS for row in ladder(variant, players, pairs)]
    table(header, rows)
    print()
    margins = {(row[0], row[2]): row[5] for row in rows}
    named = [f"`{name}`" for name in players if name != YARDSTICK]
    table([f"points above `{YARDSTICK}`", *VARIANTS], ([name, *(margins[variant, name] for variant in VARIANTS)] for name in named))
    print()
    header = [f"`{DEFAULT}` against", *(f"`{name}`" for name in players if name != DEFAULT)]
    table(header, (against_all(variant, players, pairs) for variant in VARIANTS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
