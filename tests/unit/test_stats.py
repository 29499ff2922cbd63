"""The estimators, each against a case that can be worked out by hand or by another way."""

from __future__ import annotations

import itertools
from math import log

import numpy as np
import pytest
from scipy import stats

from buraco_sim.stats.multiple import holm
from buraco_sim.stats.pairs import estimate_pairs
from buraco_sim.stats.planning import SEQUENTIAL_UNITS, fixed_pairs, sequential_pairs
from buraco_sim.stats.resampling import bootstrap_interval
from buraco_sim.stats.sequential import (
    A_BETTER,
    B_BETTER,
    FIRST_LOOK,
    NEITHER,
    UNDECIDED,
    SequentialTest,
    bounds,
    confidence_sequence,
    log_likelihood_ratios,
    look_sizes,
)
from buraco_sim.stats.victory_points import VP_TABLES, victory_points

# ---- pairs


def test_the_margin_of_a_pair_is_the_mean_of_its_tables() -> None:
    found = estimate_pairs(np.array([[100, 20], [0, -40], [30, -30]]))
    assert (found.pairs, found.mean) == (3, pytest.approx((60 - 20 + 0) / 3))
    assert found.wins == (1, 1, 1)
    assert found.sd == pytest.approx(np.std([60, -20, 0], ddof=1))


def test_the_interval_is_the_ordinary_one_of_the_pairs() -> None:
    tables = np.random.default_rng(1).integers(-500, 500, (5000, 2))
    found = estimate_pairs(tables)
    low, high = stats.norm.interval(0.95, loc=tables.mean(), scale=stats.sem(tables.mean(axis=1)))
    assert found.interval == pytest.approx((low, high))


def test_mirroring_shortens_the_run_by_one_plus_rho() -> None:
    shared, own = np.random.default_rng(2).normal(0, 300, (2, 200_000, 2))
    tables = np.rint(np.stack([shared[:, 0] + own[:, 0], -shared[:, 0] + own[:, 1]], axis=1)).astype(np.int64)
    found = estimate_pairs(tables)
    assert found.rho is not None
    assert found.rho == pytest.approx(-0.5, abs=0.01)
    assert found.sd**2 == pytest.approx((1 + found.rho) / 2 * tables.var(), rel=0.01)


@pytest.mark.parametrize("tables", [[[0, 0]] * 5, [[5, -5], [9, -9], [-3, 3]], [[7, 3]]])
def test_rho_is_undefined_where_nothing_varies(tables: list[list[int]]) -> None:
    assert estimate_pairs(np.array(tables)).rho is None


# ---- the sequential test


def test_the_bounds_are_those_of_the_specification() -> None:
    assert bounds() == (pytest.approx(log(0.05 / 0.975)), pytest.approx(log(0.95 / 0.025)))


def test_the_ratio_is_that_of_two_normal_distributions() -> None:
    values = np.random.default_rng(3).normal(4, 50, 300)
    sd = values.std(ddof=1)
    for index, shift in enumerate((7.0, -7.0)):
        exact = stats.norm.logpdf(values, shift, sd).sum() - stats.norm.logpdf(values, 0, sd).sum()
        assert log_likelihood_ratios(300, values.mean(), sd, 7.0)[index] == pytest.approx(exact)


def looks(*ratios: tuple[float, float]) -> list[int]:
    """The verdicts after looks at the ratios of one comparison."""
    test = SequentialTest((1,))
    return [int(test.look(np.array([pair]))[0]) for pair in ratios]


def test_a_verdict_when_one_test_accepts_or_both_have_rejected() -> None:
    assert looks((1, -1), (3.7, -5)) == [UNDECIDED, A_BETTER]
    assert looks((-1, 1), (-5, 3.7)) == [UNDECIDED, B_BETTER]
    assert looks((-3, -1), (-1, -3)) == [UNDECIDED, NEITHER]


def test_a_test_that_has_rejected_is_over_and_a_verdict_stands() -> None:
    assert looks((-3, 0), (5, 0), (0, -3)) == [UNDECIDED, UNDECIDED, NEITHER]
    assert looks((5, -9), (-9, 5)) == [A_BETTER, A_BETTER]


def test_several_comparisons_share_the_error_and_a_verdict_leaves_its_share_to_the_others() -> None:
    alone, two = bounds()[1], bounds(comparisons=2)[1]
    assert alone < two
    between = (alone + two) / 2
    test = SequentialTest((2,))
    assert test.look(np.array([[between, -1], [0, 0]])).tolist() == [UNDECIDED, UNDECIDED]
    assert test.look(np.array([[between, -1], [two, -9]])).tolist() == [A_BETTER, A_BETTER]


def test_a_comparison_without_news_stays_as_it_is() -> None:
    test = SequentialTest((2,))
    assert test.look(np.array([[np.nan, np.nan], [9, -9]])).tolist() == [UNDECIDED, A_BETTER]


def test_without_any_variance_the_ratio_is_its_limit() -> None:
    assert log_likelihood_ratios(200, 0.0, 0.0, 5.0).tolist() == [-np.inf, -np.inf]
    assert log_likelihood_ratios(200, 2.5, 0.0, 5.0).tolist() == [0.0, -np.inf]
    assert looks((-np.inf, -np.inf)) == [NEITHER]


@pytest.mark.parametrize(("parts", "last"), [([1000], 1000), ([300, 300, 400], 1000), ([50] * 21, 1050), ([199, 1, 1], 201), ([90], 90)])
def test_looks_do_not_depend_on_the_parts(parts: list[int], last: int) -> None:
    edges = np.cumsum([0, *parts]).tolist()
    found = [n for before, after in itertools.pairwise(edges) for n in look_sizes(before, after, last)]
    assert found == look_sizes(0, last, last)
    assert found[-1] == last
    assert [n for n in found if n < FIRST_LOOK] in ([], [last])


def test_the_sequence_is_under_twice_as_wide_as_the_ordinary_interval() -> None:
    for n in (200, 2000, 20_000, 200_000):
        low, high = confidence_sequence(n, 0.0, 350.0)
        assert 1.5 < float(high - low) / (2 * 1.96 * 350 / n**0.5) < 2


# ---- planning, several comparisons, bootstrap


def test_a_fixed_sample_has_the_power_that_was_planned() -> None:
    n = fixed_pairs(350.0, 20.0)
    shift = 20 / (350 / n**0.5)
    assert stats.norm.sf(stats.norm.ppf(0.975) - shift) == pytest.approx(0.95, abs=0.001)


def test_the_sequential_test_is_planned_shorter_than_the_fixed_sample() -> None:
    fixed = fixed_pairs(350.0, 5.0)
    planned = sequential_pairs(350.0, 5.0)
    assert list(planned) == list(SEQUENTIAL_UNITS)
    assert planned[0] <= 0.72 * fixed
    assert planned[2] < planned[1] <= 0.6 * fixed


def test_holm_by_hand_and_in_any_order() -> None:
    p = np.array([0.04, 0.01, 0.5, 0.03])
    assert holm(p).tolist() == pytest.approx([0.09, 0.04, 0.5, 0.09])
    assert holm(p[::-1]).tolist() == pytest.approx(holm(p)[::-1].tolist())
    assert holm([0.9, 0.8]).tolist() == [1.0, 1.0]


def test_the_bootstrap_of_a_mean_agrees_with_the_ordinary_interval() -> None:
    values = np.random.default_rng(4).normal(10, 5, 4000)
    half = 1.96 * values.std(ddof=1) / 4000**0.5
    assert bootstrap_interval(values) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.02)
    assert bootstrap_interval(np.zeros(10)) == (0.0, 0.0)


# ---- Victory Points


@pytest.mark.parametrize("rounds", VP_TABLES)
def test_victory_points_change_just_above_each_limit(rounds: int) -> None:
    table = VP_TABLES[rounds]
    for step, limit in enumerate(table):
        assert victory_points([limit, limit + 5, -limit, -limit - 5], table).tolist() == [
            [10 + step, 10 - step],
            [11 + step, 9 - step],
            [10 - step, 10 + step],
            [9 - step, 11 + step],
        ]
    assert victory_points(100_000, table).tolist() == [20, 0]
