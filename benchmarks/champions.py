"""The shipped champions: `steady` tuned for a variant each, proved on fresh deals, written to data/strategies.

`python benchmarks/champions.py [--deals N] [VARIANT ...]` tunes for the variants named, by default for all that are shipped with
a champion, and writes `data/strategies/steady-VARIANT.toml`. Where the verdict is that nothing better was found, the file says so
and holds the default weights. A search that was interrupted goes on, below runs/champions.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import buraco_sim as b
from buraco_sim.tune.outcome import strategy_text
from buraco_sim.tune.tuning import BUDGET_DEALS

#: The presets of the rule pages, and the Italian federation's.
VARIANTS = (
    "stbl", "burraco-fibur", "buraco-classico", "buraco-aberto", "buraco-aberto-sujo", "fechado-sujo", "burraco-duel",
    "cardgames-zone", "cardgames-zone-groups", "buraco-classico-50", "buraco-classico-due", "buraco-italiano", "buraco-brasiliano",
    "fechado", "tre-mortos",
)  # fmt: skip
PANEL = ("steady", "greedy", "lookahead", "hoarder")  # the start, not the champion so far: the same command gives the same file
PAIRS = 20_000
FRESH = 4  # added to the seed: deals of neither the search nor its own proof
ROOT = Path(__file__).parents[1]


def champion(variant: str, deals: int) -> str:
    """Tune for a variant and write its file; returns a line about it."""
    out = ROOT / "runs" / "champions" / variant
    found = b.tune("steady", variant, panel=PANEL, budget_deals=deals, budget=100_000, out=out, resume=(out / "journal.log").exists())
    start, best = found.start, found.champion
    (fresh,) = b.compare(best, start, variant, pairs=PAIRS, seed=found.record["seed"] + FRESH).results
    low, high = fresh.interval or (0.0, 0.0)
    adopted = found.is_better and low > 0
    record: dict[str, Any] = found.record | {
        "fresh_pairs": PAIRS,
        "fresh_gain": round(fresh.mean, 2),
        "fresh_interval": [round(low, 2), round(high, 2)],
        "adopted": adopted,
        "command": f"python benchmarks/champions.py --deals {deals} {variant}",
    }
    said = best.summary if adopted else f"steady for {variant}: the search found no gain, these are the default weights."
    weights = best.weights if adopted else start.weights
    shipped = b.Strategy(best.name, best.policy, said, weights)
    file = ROOT / "data" / "strategies" / f"{best.name}.toml"
    file.write_text(strategy_text(shipped, record, shipped.policy), encoding="utf-8")
    rivals = ", ".join(f"{one.opponent} {one.gain.mean:+.1f} ({one.gain.low:+.1f} to {one.gain.high:+.1f})" for one in found.rivals)
    return f"{variant}: {fresh.mean:+.1f} ({low:+.1f} to {high:+.1f}), adopted: {adopted}; against {rivals}"


def main() -> None:
    """Tune for the variants of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=BUDGET_DEALS)
    parser.add_argument("variants", nargs="*", default=VARIANTS, metavar="VARIANT")
    options = parser.parse_args()
    for variant in options.variants:
        print(champion(variant, options.deals), flush=True)


if __name__ == "__main__":
    main()
