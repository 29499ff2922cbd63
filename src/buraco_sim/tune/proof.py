"""The proof of a search: what it recommends against the start and others, on deals that it never saw; the strategy file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from buraco_sim import __version__
from buraco_sim.compare import compare
from buraco_sim.comparison import Comparison
from buraco_sim.results.store import FolderStore
from buraco_sim.strategies import Strategy
from buraco_sim.tune.field import Cell, Field
from buraco_sim.tune.outcome import Generation, Rival, Sensitivity, Tuning, gain_of, strategy_text
from buraco_sim.tune.plan import Plan
from buraco_sim.tune.space import Floats

OUTSIDE: Final = ("top-card", "max-lay")  # against whom a gain has to hold that were not in the panel
RIVAL_PAIRS: Final = 5000
STEP_PAIRS: Final = 2000


def prove(plan: Plan, mean: Floats, generations: list[Generation], folder: Path | None, effect: float, budget: int) -> Tuning:
    """Compare what is recommended with the start on fresh deals; its file is written only if the verdict says so."""
    start = plan.space.start
    champion = _champion(plan, plan.space.weights_at(mean))
    before = replace(start, name=f"{start.name}-before") if start.name == champion.name else start
    seeds = [(plan.seed + more) % 2**64 for more in (1, 2, 3)]
    outcome = compare(champion, before, plan.rules, effect=effect, budget=budget, seed=seeds[0], threads=plan.threads)
    record = _record(plan, generations, outcome.results)
    found = Tuning(
        start,
        champion,
        outcome.results,
        generations,
        _rivals(plan, champion, seeds[1]),
        _sensitivity(plan, champion, seeds[2]),
        record,
    )
    if folder is None or not found.is_better:
        return found
    name = f"{champion.name}.toml"
    policy = os.path.relpath(champion.source, folder) if champion.source else champion.policy  # a file's own is found from there
    FolderStore(folder).write(name, strategy_text(champion, record, policy).encode())
    return replace(found, file=folder / name)


def _champion(plan: Plan, values: dict[str, float]) -> Strategy:
    start = plan.space.start
    stem = start.policy if not start.source else start.name.partition("-tuned")[0]
    name = f"{stem}-{plan.rules[0].name}" if len(plan.rules) == 1 else f"{stem}-tuned"
    variants = ", ".join(one.name for one in plan.rules)
    return replace(plan.space.player(values, name), summary=f"{stem} with weights tuned for {variants}.", path="")


def _record(plan: Plan, generations: list[Generation], results: Sequence[Comparison]) -> dict[str, Any]:
    deals, seconds = generations[-1].deals, sum(one.seconds for one in generations)
    return {
        "start": plan.space.start.name,
        "variants": [one.name for one in plan.rules],
        "panel": list(dict.fromkeys(cell.opponent.name for cell in plan.panel)),
        "weights": [one.name for one in plan.space.weights],
        "budget_deals": deals,
        "deals_per_second": round(deals / seconds) if seconds else 0,
        "seed": plan.seed,
        "signature": [one.signature for one in results],
        "verdict": [one.verdict for one in results],
        "gain": [round(one.mean, 2) for one in results],
        "interval": [[round(bound, 2) for bound in one.interval or ()] for one in results],
        "pairs": [one.pairs for one in results],
        "engine_version": __version__,
    }


def _rivals(plan: Plan, champion: Strategy, seed: int) -> list[Rival]:
    """Champion and start against everybody of the panel, and some outside of it, on the same deals."""
    inside = {cell.opponent.name for cell in plan.panel}
    outside = [Cell(one, Strategy.load(name)) for one in plan.rules for name in OUTSIDE if name not in inside]
    cells = [*plan.panel, *outside]
    margins = Field(plan.space.start, cells, seed=seed, threads=plan.threads).margins([plan.space.start, champion], 0, RIVAL_PAIRS)
    return [
        Rival(
            cell.rules.name,
            cell.opponent.name,
            cell in outside,
            float(margins[0, place].mean()) / 2,
            float(margins[1, place].mean()) / 2,
            gain_of(margins[1, [place]], margins[0, [place]]),
        )
        for place, cell in enumerate(cells)
    ]


def _sensitivity(plan: Plan, champion: Strategy, seed: int) -> list[Sensitivity]:
    """Each weight a step down and a step up, as far as its range allows, against the champion as it is."""
    moves = [
        (one, value)
        for one in plan.space.weights
        for value in (champion.weights[one.name] - one.step, champion.weights[one.name] + one.step)
        if one.low <= value <= one.high
    ]
    forms = [replace(champion, weights=champion.weights | {one.name: value}) for one, value in moves]
    cells = [Cell(one, champion) for one in plan.rules]
    margins = Field(champion, cells, seed=seed, threads=plan.threads).margins(forms, 0, STEP_PAIRS)
    return [
        Sensitivity(one.name, champion.weights[one.name], value, gain_of(played, np.zeros_like(played)))
        for (one, value), played in zip(moves, margins, strict=True)
    ]
