"""Weights set badly on purpose, and found again: how many of the lost points `tune` regains, and how busy it keeps the cores.

`python benchmarks/planted.py [VARIANT] [DEALS]` (stbl, 4,000,000): the start has eight weights of `steady` at values that make no
sense. Lost and regained points are of 20,000 mirrored pairs that the search never saw.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from time import perf_counter

import buraco_sim as b
from buraco_sim.tune.outcome import Generation

SPOILT = {
    "pile_stock": 80.0, "pile_held": -10.0, "hold_rest": 0.0, "keep_near": 0.0, "keep_second": 5.0, "keep_rank": -0.7, "danger": 0.0,
    "keep_wild": 0.0,
}  # fmt: skip
PAIRS = 20_000
SEED = 5_000  # far from that of the search


def main() -> None:
    """Print the figures."""
    variant = sys.argv[1] if len(sys.argv) > 1 else "stbl"
    deals = int(sys.argv[2]) if len(sys.argv) > 2 else 4_000_000
    good = b.Strategy.load("steady")
    bad = replace(good, name="spoilt", weights=good.weights | SPOILT)
    marks: list[tuple[float, float]] = []

    def mark(_: Generation) -> None:
        times = os.times()
        marks.append((perf_counter(), times.user + times.system))

    found = b.tune(bad, variant, panel=["greedy", "lookahead", "hoarder"], budget_deals=deals, on_generation=mark)
    (lost,) = b.compare(good, bad, variant, pairs=PAIRS, seed=SEED).results
    (regained,) = b.compare(found.champion, bad, variant, pairs=PAIRS, seed=SEED).results
    (wall, busy) = (last - first for first, last in zip(marks[0], marks[-1], strict=True))
    played = found.generations[-1].deals
    print(f"{variant}: {lost.mean:+.1f} points a pair lost, {regained.mean:+.1f} regained after {played:,} deals", end=", ")
    print(f"{regained.mean / lost.mean:.0%}; cores busy {busy / wall / len(os.sched_getaffinity(0)):.0%} of the time")


if __name__ == "__main__":
    main()
