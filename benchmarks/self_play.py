"""How `steady` plays against itself, beside `greedy`, and what both make of the same deals at one table: tables for docs/players.md.

`python benchmarks/self_play.py [DEALS]` (20,000 shuffles each). Figures of a team and deal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np
import pyarrow as pa

import buraco_sim as b

VARIANTS = ("stbl", "burraco-fibur", "buraco-classico", "buraco-aberto-sujo", "burraco-duel")
DEALS = 20_000
Column = Callable[[str], float]


def figures(mean: Column, turns: float, out: float) -> list[str]:
    """The cells of a row: length, end, canastas, morto, hands."""
    return [
        f"{turns:.1f}",
        f"{out:.1%}",
        f"{mean('clean'):.3f}",
        f"{mean('semi') + mean('dirty'):.2f}",
        f"{mean('morto_turn'):.1f}",
        f"{-mean('hand'):.1f}",
    ]


def averages(table: pa.Table, teams: np.ndarray) -> Column:
    """The mean of a team's column, over the team that is named for each row; rows without a value are left out."""

    def mean(name: str) -> float:
        both = np.stack([table.column(f"{name}_{team}").cast(pa.float64()).to_numpy() for team in (0, 1)])
        return float(np.nanmean(both[teams, np.arange(both.shape[1])]))

    return mean


def main() -> None:
    """Print the two tables."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    head = ["turns", "somebody goes out", "clean canastas", "other canastas", "turn of the morto", "points left in the hand"]
    for title in ("everybody", "one team against the other, mirrored"):
        print(f"| variant | {title} | {' | '.join(head)} |\n|---|---|{'---:|' * len(head)}")
        for variant in VARIANTS:
            for player in ("greedy", "steady"):
                table = b.simulate(variant, player if title == "everybody" else "steady,greedy", deals=deals)
                turns = float(np.mean(table.column("turns")))
                out = float(np.mean(np.array(table.column("end_reason").to_pylist()) == "went_out"))
                teams = np.array([int(name != player) for name in table.column("strategy_0").to_pylist()])
                print(f"| `{variant}` | `{player}` | {' | '.join(figures(averages(table, teams), turns, out))} |", flush=True)
        print()


if __name__ == "__main__":
    main()
