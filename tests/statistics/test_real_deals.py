"""The statistics on deals of the compiled core: what holds for made-up numbers holds for these."""

from __future__ import annotations

import numpy as np
import pytest

from buraco_sim.compare import compare
from buraco_sim.matches import resample_matches
from buraco_sim.pairs import margins_of, pairs_job
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import play_parts, simulate

SAMPLES, PAIRS = 100, 100


@pytest.mark.slow
def test_ordinary_intervals_of_disjoint_samples_contain_the_mean_of_all() -> None:
    """A small form of `benchmarks/evidence.py coverage`, with a wider margin for its fewer samples."""
    job = pairs_job("stbl", ("steady", "greedy"), SAMPLES * PAIRS)
    pairs = np.concatenate([margins_of(part.block) for part in play_parts(job)]).mean(axis=1).reshape(SAMPLES, PAIRS)
    half = 1.96 * pairs.std(axis=1, ddof=1) / PAIRS**0.5
    assert 0.88 <= (np.abs(pairs.mean(axis=1) - pairs.mean()) <= half).mean() <= 0.995


@pytest.mark.slow
@pytest.mark.parametrize("players", ["greedy", "random"])
def test_a_against_a_is_exactly_zero(players: str) -> None:
    (found,) = compare(players, players).results
    assert (found.mean, found.sd_pair, found.wins, found.verdict) == (0.0, 0.0, (0, 0, 200), "null")


@pytest.mark.slow
def test_played_and_resampled_matches_agree() -> None:
    """`greedy` does not read the standing."""
    rules = Ruleset.load("burraco-fibur")
    n = 1000
    played = simulate(rules, "greedy", matches=n, first_deal=1000)
    resampled = resample_matches(rules, simulate(rules, "greedy", deals=8000), 20_000)
    totals = np.stack([played.column(f"score_{team}").to_numpy().reshape(n, 4).sum(axis=1) for team in (0, 1)], axis=1)
    for mine, theirs in ((totals[:, 0], resampled.totals[:, 0]), (np.diff(totals)[:, 0], np.diff(resampled.totals)[:, 0])):
        assert abs(mine.mean() - theirs.mean()) < 4 * np.sqrt(mine.var() / n + theirs.var() / 2000)
        assert mine.std() == pytest.approx(theirs.std(), rel=0.12)
