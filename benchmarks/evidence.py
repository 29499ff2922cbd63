"""The measured tables of docs/evidence.md, as Markdown.

python benchmarks/evidence.py [spread] [sizes] [shuffles] [controls] [coverage]     by default all; some minutes on 2 cores
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.cards import JOKER, is_wild_card, rank_of
from buraco_sim.engine import Seating
from buraco_sim.job import Job
from buraco_sim.pairs import margins_of, pairs_job
from buraco_sim.simulate import play_parts, signature
from buraco_sim.stats.pairs import PairEstimate, estimate_pairs
from buraco_sim.stats.planning import fixed_pairs, sequential_pairs
from buraco_sim.strategies import Strategy

PLAYERS: Final = ("steady", "greedy")
VARIANTS: Final = ("stbl", "burraco-fibur", "buraco-classico", "burraco-duel")
PAIRS: Final = 20_000
EFFECTS: Final = (20.0, 10.0, 5.0, 2.0)
SAMPLES, SAMPLE_PAIRS = 500, 1000

Floats = npt.NDArray[np.floating[Any]]


def tables_of(job: Job) -> npt.NDArray[np.int64]:
    """Margins of A at both tables of every pair."""
    return np.concatenate([margins_of(part.block) for part in play_parts(job)])


def margins(variant: str, players: tuple[str | Strategy, str | Strategy] = PLAYERS, pairs: int = PAIRS) -> Floats:
    """Margin of every pair."""
    return tables_of(pairs_job(variant, players, pairs)).mean(axis=1)


def rows(head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    print("\n| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for line in lines:
        print("| " + " | ".join(line) + " |", flush=True)


def spread() -> None:
    """Standard deviation of a pair, rho and the factor of mirroring."""
    lines = []
    for variant in VARIANTS:
        job = pairs_job(variant, PLAYERS, PAIRS)
        found: PairEstimate = estimate_pairs(tables_of(job))
        assert found.interval is not None
        assert found.rho is not None
        low, high = found.interval
        figures = f"{found.mean:+.1f} ({low:+.1f} to {high:+.1f})", f"{found.sd:.0f}", f"{found.rho:+.3f}", f"{1 + found.rho:.2f}"
        lines.append((f"`{variant}`", *figures, f"`{signature(job)}`"))
    rows(("variant", "margin, points a pair (95 %)", "SD of a pair", "rho", "1 + rho", "signature"), lines)


def sizes() -> None:
    """Pairs by effect, from the standard deviations."""
    for variant in VARIANTS:
        sd = float(margins(variant).std(ddof=1))
        print(f"\n`{variant}`, SD of a pair {sd:.0f}:")
        lines = []
        for effect in EFFECTS:
            needed = sequential_pairs(sd, effect)
            lines.append((f"{effect:g}", *(f"{needed[times]:,}" for times in (0, 1, 2)), f"{fixed_pairs(sd, effect):,}"))
        rows(("effect, points a pair", "if the truth is 0", "the effect", "twice the effect", "fixed sample"), lines)


def shuffles() -> None:
    """What the same shuffles are worth where variants or candidates are compared: variance of a difference against that of two samples."""
    steady = Strategy.load("steady")
    candidate = replace(steady, name="candidate", weights={name: value * 0.9 for name, value in steady.weights.items()})
    base = margins("stbl")
    others = {
        "`stbl` and `fechado-sujo`": margins("fechado-sujo"),
        "`stbl` and `buraco-aberto`": margins("buraco-aberto"),
        "`stbl` and `burraco-fibur`": margins("burraco-fibur"),
        "`steady` and `steady` with every weight x 0.9, against `greedy`": margins("stbl", (candidate, "greedy")),
    }
    lines = [
        (what, f"{np.corrcoef(base, one)[0, 1]:+.3f}", f"{(base - one).var() / (base.var() + one.var()):.2f}")
        for what, one in others.items()
    ]
    rows(("same shuffles for", "correlation of pair margins", "deals needed, times those with shuffles of their own"), lines)


def controls() -> None:
    """What control variates from the deal would save beyond mirroring: the share of a pair's variance that they explain."""
    lines = []
    for variant in VARIANTS:
        job = pairs_job(variant, PLAYERS, PAIRS)
        tables = tables_of(job)
        seating = Seating.of(job.rules, job.seats, job.seed)
        dealt = np.array([dealt_features(job, seating.dealt(deal)) for deal in range(PAIRS)])
        difference, total = dealt[:, 0] - dealt[:, 1], dealt[:, 0] + dealt[:, 1]
        starter = np.arange(PAIRS) % job.n_seats
        seats = np.stack([starter == seat for seat in range(1, job.n_seats)], axis=1).astype(float)
        one_table = explained(tables[:, 0], np.column_stack([difference, seats]))
        pair = explained(tables.mean(axis=1), np.column_stack([difference, total, difference**2, seats]))
        lines.append((f"`{variant}`", f"{one_table:.1%}", f"{pair:.1%}"))
    rows(("variant", "of one table", "of a mirrored pair"), lines)


def dealt_features(job: Job, cards: Sequence[int]) -> list[list[float]]:
    """Of each team's hands: wilds, points, and adjacent cards (neighbours in suit, or one between)."""
    values = job.rules.values
    points = [values.ace, values.two, *[values.three_to_seven] * 5, *[values.eight_to_king] * 6]
    found = [[0.0] * 3, [0.0] * 3]
    size = job.rules.table.hand
    for seat in range(job.n_seats):
        hand = cards[seat * size : (seat + 1) * size]
        held = {card for card in hand if card != JOKER}
        team = found[seat & 1]
        team[0] += sum(is_wild_card(card) for card in hand)
        team[1] += sum(values.joker if card == JOKER else points[rank_of(card)] for card in hand)
        team[2] += sum(card + step in held for card in held for step in (1, 2))
    return found


def explained(values: Floats, features: Floats) -> float:
    """Share of the variance that a linear regression explains, adjusted for its number of features, 0 or more."""
    design = np.column_stack([np.ones(len(values)), features])
    rest = values - design @ np.linalg.lstsq(design, values, rcond=None)[0]
    return max(0.0, 1 - float(rest @ rest) / (len(values) - design.shape[1]) / float(values.var(ddof=1)))


def coverage() -> None:
    """How many disjoint samples of real pairs have an ordinary interval that contains the mean of all."""
    pairs = margins("stbl", pairs=SAMPLES * SAMPLE_PAIRS).reshape(SAMPLES, SAMPLE_PAIRS)
    half = 1.959964 * pairs.std(axis=1, ddof=1) / SAMPLE_PAIRS**0.5
    inside = np.abs(pairs.mean(axis=1) - pairs.mean()) <= half
    share = f"{inside.mean():.1%} of the 95 % intervals contain the mean of all"
    print(f"\n{SAMPLES} disjoint samples of {SAMPLE_PAIRS:,} pairs of `stbl`: {share}")


TABLES: Final = {one.__name__: one for one in (spread, sizes, shuffles, controls, coverage)}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or TABLES:
        TABLES[chosen]()
