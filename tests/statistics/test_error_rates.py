"""Error rates, lengths and coverage by simulation: what the statistics promise, they keep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from buraco_sim.stats.planning import SEQUENTIAL_UNITS, fixed_pairs
from buraco_sim.stats.sequential import (
    A_BETTER,
    B_BETTER,
    FIRST_LOOK,
    LOOK_EVERY,
    NEITHER,
    UNDECIDED,
    SequentialTest,
    confidence_sequence,
    log_likelihood_ratios,
)

RUNS = 4000
SD = 350.0
EFFECT = 10.0
BLOCKS = 100_000
LOOKS = 700
SHAPES = ("normal", "heavy-tailed")


class Blocks(NamedTuple):
    """Sums and sums of squares of LOOK_EVERY pairs without any margin, in units of the standard deviation."""

    sums: np.ndarray[tuple[int], np.dtype[np.float64]]
    squares: np.ndarray[tuple[int], np.dtype[np.float64]]


@pytest.fixture(scope="module")
def blocks() -> dict[str, Blocks]:
    """Blocks of pairs from a normal distribution, and from Student's with 4 degrees of freedom."""
    rng = np.random.default_rng(1)
    pools = {"normal": [], "heavy-tailed": []}  # type: ignore[var-annotated]
    for _ in range(BLOCKS // 1000):
        for name, values in (
            ("normal", rng.standard_normal((1000, LOOK_EVERY), np.float32)),
            ("heavy-tailed", (rng.standard_t(4, (1000, LOOK_EVERY)) / 2**0.5).astype(np.float32)),
        ):
            pools[name].append((values.sum(axis=1, dtype=np.float64), np.square(values).sum(axis=1, dtype=np.float64)))
    found = {}
    for name, pool in pools.items():
        sums, squares = (np.concatenate([one[i] for one in pool]) for i in (0, 1))
        centre = sums.mean() / LOOK_EVERY  # of the pool itself: the truth of the simulation is exactly 0
        found[name] = Blocks(sums - centre * LOOK_EVERY, squares - 2 * centre * sums + LOOK_EVERY * centre**2)
    return found


class Ends(NamedTuple):
    verdicts: np.ndarray[tuple[int], np.dtype[np.int8]]
    pairs: np.ndarray[tuple[int], np.dtype[np.int64]]

    def share(self, verdict: int) -> float:
        return float((self.verdicts == verdict).mean())


def run_tests(blocks: Blocks, truth: float, seed: int, runs: int = RUNS) -> Ends:
    """Run the sequential test many times until all are decided."""
    rng = np.random.default_rng(seed)
    test = SequentialTest((runs, 1))
    sums, squares, pairs = np.zeros(runs), np.zeros(runs), np.zeros(runs, np.int64)
    for look in range(1, LOOKS + 1):
        going = np.flatnonzero(test.verdicts[:, 0] == UNDECIDED)
        if not len(going):
            break
        chosen = rng.integers(0, BLOCKS, len(going))
        sums[going] += SD * blocks.sums[chosen] + LOOK_EVERY * truth
        squares[going] += SD**2 * blocks.squares[chosen] + 2 * truth * SD * blocks.sums[chosen] + LOOK_EVERY * truth**2
        pairs[going] = n = look * LOOK_EVERY
        if n < FIRST_LOOK:
            continue
        ratios = np.full((runs, 1, 2), np.nan)
        mean = sums[going] / n
        ratios[going, 0] = log_likelihood_ratios(np.full(len(going), n), mean, np.sqrt((squares[going] - n * mean**2) / (n - 1)), EFFECT)
        test.look(ratios)
    return Ends(test.verdicts[:, 0], pairs)


@pytest.mark.parametrize("shape", SHAPES)
def test_where_there_is_no_margin_a_winner_is_named_in_at_most_6_percent(blocks: dict[str, Blocks], shape: str) -> None:
    ends = run_tests(blocks[shape], 0.0, seed=2)
    assert ends.share(A_BETTER) + ends.share(B_BETTER) <= 0.06
    assert ends.share(UNDECIDED) < 0.005
    assert ends.pairs.mean() <= 0.72 * fixed_pairs(SD, EFFECT)
    assert ends.pairs.mean() == pytest.approx(SEQUENTIAL_UNITS[0] * (SD / EFFECT) ** 2, rel=0.06)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("sign", "right", "wrong"), [(1, A_BETTER, B_BETTER), (-1, B_BETTER, A_BETTER)])
def test_a_margin_of_the_effect_is_missed_in_at_most_6_percent(
    blocks: dict[str, Blocks], shape: str, sign: int, right: int, wrong: int
) -> None:
    ends = run_tests(blocks[shape], sign * EFFECT, seed=3)
    assert 1 - ends.share(right) <= 0.06
    assert ends.share(wrong) <= 0.005
    assert ends.share(NEITHER) > 0.02  # the error is spent, not saved: the test is not longer than it need be
    assert ends.pairs.mean() <= 0.60 * fixed_pairs(SD, EFFECT)
    assert ends.pairs.mean() == pytest.approx(SEQUENTIAL_UNITS[1] * (SD / EFFECT) ** 2, rel=0.06)


def test_twice_the_effect_is_found_in_a_third_of_the_pairs(blocks: dict[str, Blocks]) -> None:
    ends = run_tests(blocks["normal"], 2 * EFFECT, seed=4)
    assert ends.share(A_BETTER) > 0.995
    assert ends.pairs.mean() == pytest.approx(SEQUENTIAL_UNITS[2] * (SD / EFFECT) ** 2, rel=0.06)


def test_of_three_comparisons_without_margin_all_are_right_together(blocks: dict[str, Blocks]) -> None:
    rng = np.random.default_rng(5)
    runs = 2000
    test = SequentialTest((runs, 3))
    sums, squares = np.zeros((runs, 3)), np.zeros((runs, 3))
    truth = np.array([0.0, 2 * EFFECT, 0.0])  # a true winner leaves its share of the error to the others
    pool = blocks["normal"]
    for look in range(1, 240):
        chosen = rng.integers(0, BLOCKS, (runs, 3))
        sums += SD * pool.sums[chosen] + LOOK_EVERY * truth
        squares += SD**2 * pool.squares[chosen] + 2 * truth * SD * pool.sums[chosen] + LOOK_EVERY * truth**2
        n = look * LOOK_EVERY
        mean = sums / n
        if n < FIRST_LOOK:
            continue
        test.look(log_likelihood_ratios(np.full((runs, 3), n), mean, np.sqrt((squares - n * mean**2) / (n - 1)), EFFECT))
    assert np.isin(test.verdicts[:, [0, 2]], (A_BETTER, B_BETTER)).any(axis=1).mean() <= 0.06
    assert (test.verdicts[:, 1] == A_BETTER).mean() > 0.98


@pytest.mark.parametrize("shape", SHAPES)
def test_the_sequence_holds_at_all_looks_together_in_95_percent(shape: str) -> None:
    """Looked at after every single pair from the first look on."""
    rng = np.random.default_rng(6)
    runs, most = 3000, 20_000
    ever_out = np.zeros(runs, np.bool_)
    sums = squares = np.zeros(runs)
    for start in range(0, most, 500):
        values = rng.standard_normal((runs, 500)) if shape == "normal" else rng.standard_t(4, (runs, 500))
        running, running_squares = sums[:, None] + values.cumsum(axis=1), squares[:, None] + (values**2).cumsum(axis=1)
        n = np.arange(start + 1, start + 501)
        mean = running / n
        low, high = confidence_sequence(n, mean, np.sqrt(np.maximum(running_squares - n * mean**2, 0) / np.maximum(n - 1, 1)))
        ever_out |= (((low > 0) | (high < 0)) & (n >= 200)).any(axis=1)
        sums, squares = running[:, -1], running_squares[:, -1]
    assert ever_out.mean() <= 0.05
    assert ever_out.mean() > 0.002  # not so wide that it could not fail


def test_a_naive_interval_looked_at_again_and_again_does_not_hold() -> None:
    """What the sequence is for."""
    rng = np.random.default_rng(7)
    running = rng.standard_normal((1000, 20_000)).cumsum(axis=1)[:, 499::500]
    n = np.arange(500, 20_001, 500)
    assert (np.abs(running / n) > 1.96 / np.sqrt(n)).any(axis=1).mean() > 0.2
