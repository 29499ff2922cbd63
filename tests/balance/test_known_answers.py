"""Runs whose imbalance is known: what was put in is found, and where nothing was put in nothing is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from buraco_sim.balance.aggregate import Counts
from buraco_sim.balance.campaign import play_jobs
from buraco_sim.balance.estimates import difference_of_quantiles, figure_of_quantile, figure_of_ratio
from buraco_sim.balance.series import series_of
from buraco_sim.balance.study import study_runs
from buraco_sim.balance.table import balance_table
from buraco_sim.balance.text import ALPHA
from buraco_sim.job import make_job
from buraco_sim.report.verdict import verdict
from buraco_sim.results.reader import Run

GIFT = 50


def with_gift(run: Run, root: Path) -> Run:
    """A copy of a run in which the starter's side has 50 points more."""
    for path in run.root.rglob("*.json"):
        (root / path.relative_to(run.root)).parent.mkdir(parents=True, exist_ok=True)
        (root / path.relative_to(run.root)).write_bytes(path.read_bytes())
    for path in run.root.rglob("*.parquet"):
        table = pq.read_table(path)
        starts = table.column("starter").to_numpy() % 2
        scores = [table.column(f"score_{team}").to_numpy() + GIFT * (starts == team) for team in (0, 1)]
        winner = np.where(scores[0] > scores[1], 0, np.where(scores[0] < scores[1], 1, -1))
        for name, values in (("score_0", scores[0]), ("score_1", scores[1]), ("winner", winner)):
            at = table.schema.get_field_index(name)
            table = table.set_column(at, table.schema.field(name), pa.array(values, table.schema.field(name).type))
        (root / path.relative_to(run.root)).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(table, root / path.relative_to(run.root))
    return Run.open(root)


def test_fifty_points_to_the_starter_are_found(run: Run, folder: Path) -> None:
    both = balance_table(series_of([run, with_gift(run, folder)]))
    k = len(both.labels) // 2
    for index in range(k):
        name, figure = both.labels[index], both.figures["starter_margin"]
        assert figure[index + k].value == pytest.approx((figure[index].value or 0) + GIFT), name
        wins = both.figures["starter_wins"]
        assert (wins[index + k].value or 0) > (wins[index].value or 0)
        assert both.figures["team_0_margin"][index + k].value == pytest.approx(both.figures["team_0_margin"][index].value, abs=GIFT / 8)


def test_the_difference_of_fifty_points_is_known_to_the_point_deal_by_deal(run: Run, folder: Path) -> None:
    """The copy has the same deals, so nothing of the luck of the shuffle is left in the difference."""
    table = balance_table(series_of([run, with_gift(run, folder)]))
    difference = table.differences["starter_margin"][len(table.labels) // 2]
    assert difference is not None
    assert (difference.low, difference.high) == pytest.approx((GIFT, GIFT), abs=1e-3)


def test_a_handicapped_team_is_found(tmp_path: Path) -> None:
    job = make_job("stbl", "random,greedy", deals=300, mirror=False)
    study = study_runs([play_jobs([job], tmp_path / "run")], sample=0)
    margin, wins, balance = (study.table.figures[name][0] for name in ("team_0_margin", "team_0_wins", "balance"))
    assert margin.high is not None
    assert wins.high is not None
    assert balance.high is not None
    assert margin.high < -100
    assert wins.high < 0.35
    assert balance.high < 0.7


def test_a_variant_against_itself_on_other_shuffles_shows_no_difference(tmp_path: Path) -> None:
    """Every star would be false; Holm keeps the chance of even one at 5 %. Some 90 figures are compared."""
    runs = [play_jobs([make_job("stbl", "greedy", deals=1500, seed=seed)], tmp_path / str(seed)) for seed in (1, 2)]
    table = balance_table(series_of(runs))
    assert table.labels == ["stbl seed 1", "stbl seed 2"]
    false = [name for name, row in table.adjusted.items() if row[1] is not None and row[1] < ALPHA]
    assert false == []
    tested = [name for name, row in table.differences.items() if row[1] is not None]
    raw = [name for name in tested if (difference := table.differences[name][1]) is not None and difference.p < ALPHA]
    assert len(raw) < 0.2 * len(tested)  # many of them say the same, so more than one in twenty may come together
    assert "no real difference" in " ".join(sentence for _, sentences in verdict(study_runs(runs, sample=0)) for sentence in sentences)


# ---- error rates by simulation, in seconds


def test_intervals_of_ratios_hold_in_95_of_100_runs() -> None:
    rng = np.random.default_rng(1)
    n, inside, runs = 400, 0, 2000
    for _ in range(runs):
        per = rng.poisson(3.0, n)
        value = rng.binomial(per, 0.2)
        ratio = value.sum() / per.sum()
        variance = float(((value - ratio * per) ** 2).sum()) / per.sum() ** 2
        low, high = figure_of_ratio(ratio, variance, n, is_share=True)[1:]
        assert low is not None
        assert high is not None
        inside += low <= 0.2 <= high
    assert 0.935 < inside / runs < 0.965


@pytest.mark.parametrize(("share", "at_least"), [(0.0005, 0.91), (0.01, 0.94), (0.5, 0.94)])
def test_intervals_of_rare_shares_hold_too(share: float, at_least: float) -> None:
    """With one event expected, no interval of whole events can hold in exactly 95 %."""
    rng = np.random.default_rng(2)
    n = 2000
    inside = []
    for events in rng.binomial(n, share, 3000):
        low, high = figure_of_ratio(events / n, events / n * (1 - events / n) / n, n, is_share=True)[1:]
        assert low is not None
        assert high is not None
        inside.append(low <= share <= high)
    assert np.mean(inside) > at_least


@pytest.mark.parametrize("level", [0.05, 0.5, 0.95])
def test_intervals_of_quantiles_hold_in_95_of_100_runs(level: float) -> None:
    rng = np.random.default_rng(3)
    truth = int(np.quantile(rng.poisson(55, 1_000_000), level, method="inverted_cdf"))
    inside = []
    for _ in range(1000):
        low, high = figure_of_quantile(counted(rng.poisson(55, 500)), level, 500)[1:]
        assert low is not None
        assert high is not None
        inside.append(low <= truth <= high)
    assert np.mean(inside) > 0.93


@pytest.mark.parametrize("level", [0.05, 0.5, 0.95])
def test_equal_distributions_differ_in_5_of_100_runs_at_most(level: float) -> None:
    rng = np.random.default_rng(4)
    found = [difference_of_quantiles(counted(rng.poisson(55, 500)), counted(rng.poisson(55, 500)), level, (500, 500)) for _ in range(1000)]
    assert np.mean([one is not None and one.p < 0.05 for one in found]) < 0.075


def counted(values: np.ndarray) -> Counts:  # type: ignore[type-arg]
    different = pc.value_counts(pa.array(values))
    order = np.argsort(different.field("values").to_numpy())
    return Counts(different.field("values").to_numpy()[order], different.field("counts").to_numpy()[order])
