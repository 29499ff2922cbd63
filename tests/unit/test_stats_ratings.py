"""Ratings by least squares: exact cases, error bars, cycles."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from buraco_sim.stats.ratings import covariance_of_means, rate

Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def pairings(k: int) -> list[tuple[int, int]]:
    return list(combinations(range(k), 2))


def tournament(rng: np.random.Generator, strengths: list[float], n: int, cycle: float = 0.0) -> tuple[Floats, Floats]:
    """Mean margins and their covariance of a synthetic round robin: every player has a deal-dependent form of its own."""
    form = rng.normal(0, 100, (len(strengths), n))
    samples = [strengths[i] - strengths[j] + form[i] - form[j] + rng.normal(0, 300, n) for i, j in pairings(len(strengths))]
    if cycle:  # 0 beats 1, 1 beats 2, 2 beats 0
        for pairing, sign in (((0, 1), 1), ((1, 2), 1), ((0, 2), -1)):
            samples[pairings(len(strengths)).index(pairing)] += sign * cycle
    return np.array([one.mean() for one in samples]), covariance_of_means(samples)


def test_ratings_sum_to_zero_or_hang_on_the_anchor() -> None:
    means, covariance = tournament(np.random.default_rng(1), [30, 10, 0, -40], 500)
    free, hung = rate(pairings(4), means, covariance), rate(pairings(4), means, covariance, anchor=2)
    assert free.ratings.sum() == pytest.approx(0, abs=1e-9)
    assert (hung.ratings[2], hung.covariance[2, 2]) == (pytest.approx(0), pytest.approx(0))
    assert hung.ratings - hung.ratings[0] == pytest.approx(free.ratings - free.ratings[0])
    assert hung.difference_sd(0, 3) == pytest.approx(free.difference_sd(0, 3))


def test_a_known_order_and_its_error_bars_are_recovered() -> None:
    strengths = [40.0, 25.0, 0.0, -20.0, -45.0]
    rng = np.random.default_rng(2)
    runs = [rate(pairings(5), *tournament(rng, strengths, 2000)) for _ in range(300)]
    found = np.array([one.ratings for one in runs])
    assert found.mean(axis=0) == pytest.approx(strengths, abs=1.0)
    assert np.mean([(np.diff(one) < 0).all() for one in found]) > 0.98
    errors = np.sqrt(np.array([np.diag(one.covariance) for one in runs]))
    inside = np.abs(found - strengths) < 1.96 * errors
    assert 0.92 < inside.mean() < 0.98
    differences = np.array([one.difference_sd(0, 4) for one in runs])
    assert differences.mean() == pytest.approx((found[:, 0] - found[:, 4]).std(), rel=0.12)


def test_without_a_cycle_residuals_are_noise_and_a_known_cycle_is_shown() -> None:
    rng = np.random.default_rng(3)
    plain = np.array(
        [(one.residuals / one.residual_sd) for one in (rate(pairings(4), *tournament(rng, [9, 3, 0, -9], 2000)) for _ in range(300))]
    )
    assert 0.02 < (np.abs(plain) > 1.96).mean() < 0.09
    cyclic = rate(pairings(4), *tournament(rng, [9, 3, 0, -9], 20_000, cycle=30))
    places = [pairings(4).index(one) for one in ((0, 1), (1, 2), (0, 2))]
    assert (np.sign(cyclic.residuals[places]) == [1, 1, -1]).all()
    assert (np.abs(cyclic.residuals / cyclic.residual_sd)[places] > 4).all()
    assert cyclic.ratings == pytest.approx([9 - 0.75, 3 - 0.75, -0.75, -9 - 0.75 + 3], abs=6)


def test_pairings_of_different_lengths_and_of_players_that_play_alike() -> None:
    rng = np.random.default_rng(4)
    samples = [rng.normal(5, 100, 400), rng.normal(10, 100, 1000), np.zeros(400)]  # 0-1, 0-2, 1-2
    result = rate(pairings(3), np.array([one.mean() for one in samples]), covariance_of_means(samples))
    assert np.isfinite(result.ratings).all()
    assert result.ratings[1] == pytest.approx(result.ratings[2], abs=0.5)


def test_the_covariance_of_means_is_that_of_repetitions() -> None:
    rng = np.random.default_rng(5)
    means, estimates = [], []
    for _ in range(2000):
        shared = rng.normal(0, 10, 60)
        first, second = shared[:30] + rng.normal(0, 5, 30), shared + rng.normal(0, 5, 60)
        means.append((first.mean(), second.mean()))
        estimates.append(covariance_of_means([first, second]))
    assert np.mean(estimates, axis=0) == pytest.approx(np.cov(np.array(means).T), rel=0.12)
