"""The shipped champions: `steady` tuned for a variant each, proved on fresh deals, written to data/strategies.

`python benchmarks/champions.py [VARIANT ...]` tunes for the variants named, by default for all that are shipped with a champion,
and writes `data/strategies/steady-VARIANT.toml`. Where the verdict is that nothing better was found, the file says so and holds the
default weights. A search that was interrupted goes on, below runs/champions.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import buraco_sim as b
from buraco_sim.tune.outcome import strategy_text

#: The presets of the rule pages, and the Italian federation's: deals of each search.
VARIANTS = {"stbl": 2_000_000, "burraco-fibur": 3_000_000, "buraco-classico": 3_000_000} | dict.fromkeys(
    (
        "burraco-duel", "buraco-aberto-sujo", "buraco-aberto", "fechado-sujo", "cardgames-zone", "cardgames-zone-groups", "fechado",
        "buraco-italiano", "buraco-classico-due", "tre-mortos", "buraco-brasiliano", "buraco-classico-50",
    ),
    1_200_000,
)  # fmt: skip
#: Where the pile is free and going out is slow, who takes it nearly every time wins against everybody here (+300 and +600 points),
#: and two of them go on for 200 turns: there the pile is taken as by default.
PILE_AS_BY_DEFAULT = ("burraco-duel", "buraco-aberto")
PANEL = ("steady", "greedy", "lookahead", "hoarder")  # the start, not the champion so far: the same command gives the same file
#: Where the champion of that panel gained little or nothing against `top-card`, it sits in the panel too.
TOP_CARD_TOO = ("buraco-classico", "buraco-aberto", "cardgames-zone-groups")
PAIRS = 20_000
FRESH = 4  # added to the seed: deals of neither the search nor its own proof
ROOT = Path(__file__).parents[1]


def champion(variant: str) -> str:
    """Tune for a variant and write its file; returns a line about it."""
    out = ROOT / "runs" / "champions" / variant
    names = [one.name for one in b.Strategy.load("steady").policy_weights()]
    found = b.tune(
        "steady",
        variant,
        panel=(*PANEL, "top-card") if variant in TOP_CARD_TOO else PANEL,
        weights=[name for name in names if not (name.startswith("pile_") and variant in PILE_AS_BY_DEFAULT)],
        budget_deals=VARIANTS[variant],
        budget=100_000,
        out=out,
        resume=(out / "journal.log").exists(),
    )
    start, best = found.start, found.champion
    (fresh,) = b.compare(best, start, variant, pairs=PAIRS, seed=found.record["seed"] + FRESH).results
    low, high = fresh.interval or (0.0, 0.0)
    adopted = found.is_better and low > 0
    record: dict[str, Any] = found.record | {
        "fresh_pairs": PAIRS,
        "fresh_gain": round(fresh.mean, 2),
        "fresh_interval": [round(low, 2), round(high, 2)],
        "adopted": adopted,
        "command": f"python benchmarks/champions.py {variant}",
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
    parser.add_argument("variants", nargs="*", default=list(VARIANTS), metavar="VARIANT", help=", ".join(VARIANTS))
    for variant in parser.parse_args().variants:
        print(champion(variant), flush=True)


if __name__ == "__main__":
    main()
