"""Every figure of the table, recomputed from the Parquet rows with plain SQL."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import pytest

from buraco_sim.balance.measures import BANDS, CANASTAS, MEASURES, QUESTIONS
from buraco_sim.balance.series import Series, series_of
from buraco_sim.balance.table import BalanceTable, balance_table
from buraco_sim.results.reader import Run
from buraco_sim.rules import Ruleset

Sql = str | Callable[[Ruleset], str]

STARTS_0 = "starter in (0, 2)"
EVERY_CANASTA = {team: "+".join(f"{name}_{team}" for name in CANASTAS) for team in (0, 1)}


def teams(value: str) -> str:
    """The mean of a value over teams and deals; T stands for the team."""
    both = " union all ".join(f"select {value.replace('_T', f'_{team}')} as x from deals" for team in (0, 1))
    return f"select avg(x) from ({both})"


def won(side: str, where: str = "true") -> str:
    """Share of deals won by a side, drawn ones half."""
    return f"select avg(case when winner = -1 then 0.5 when winner = ({side}) then 1 else 0 end) from deals where {where}"


def behind(low: int, high: int) -> str:
    return won("case when half_margin < 0 then 0 else 1 end", f"abs(half_margin) >= {low} and abs(half_margin) <= {high}")


def points(name: str) -> Callable[[Ruleset], str]:
    return lambda rules: teams(f"{name}_T::int * {getattr(rules.canasta, name)}")


def out_by(place: int) -> Callable[[Ruleset], str]:
    def sql(rules: Ruleset) -> str:
        seats = rules.table.seats
        is_out = f"case when out_seat::int = (starter::int + {place}) % {seats} then {int(place < seats)} else 0 end"
        return f"select avg({is_out}) from deals where out_seat is not null"

    return sql


FIRST_MORTO = "(case when morto_turn_1 is null or morto_turn_0 < morto_turn_1 then 0 else 1 end)"
SOME_MORTO = "(morto_turn_0 is not null or morto_turn_1 is not null)"

PLAIN: dict[str, Sql] = {
    "starter_margin": f"select avg(case when {STARTS_0} then score_0 - score_1 else score_1 - score_0 end) from deals",
    "starter_score": f"select avg(case when {STARTS_0} then score_0 else score_1 end) from deals",
    "other_score": f"select avg(case when {STARTS_0} then score_1 else score_0 end) from deals",
    "starter_wins": won(f"case when {STARTS_0} then 0 else 1 end"),
    "team_0_margin": "select avg(score_0) - avg(score_1) from deals",
    "team_0_wins": won("0"),
    **{f"out_by_{place + 1}": out_by(place) for place in range(4)},
    "turns": "select avg(turns) from deals",
    "piles": "select avg(piles_0) + avg(piles_1) from deals",
    "pile_size": "select (sum(pile_cards_0) + sum(pile_cards_1)) / (sum(piles_0) + sum(piles_1)) from deals",
    **{name: f"select avg((end_reason = '{name}')::int) from deals" for name in ("went_out", "stock_end", "turn_cap")},
    "out_wins": won("out_seat & 1", "out_seat is not null"),
    "score": teams("score_T"),
    "margin": "select avg(greatest(score_0, score_1) - least(score_0, score_1)) from deals",
    **{name: teams(f"{name}_T") for name in ("cards", "go_out", "hand", "morto")},
    **{f"{name}_points": points(name) for name in CANASTAS},
    **{name: teams(f"{name}_T") for name in (*CANASTAS, "runs", "sets", "wilds", "cleaned", "dirtied")},
    "canastas": teams("+".join(f"{name}_T" for name in CANASTAS)),
    "with_canasta": teams("({} > 0)::int".format("+".join(f"{name}_T" for name in CANASTAS))),
    **{f"morto_{mode}": teams(f"(morto_mode_T = '{mode}')::int") for mode in ("direct", "indirect", "none")},
    "morto_turn": teams("morto_turn_T"),
    "first_morto_margin": f"select avg((score_0 - score_1) * (1 - 2 * {FIRST_MORTO})) from deals where {SOME_MORTO}",
    "first_morto_wins": won(FIRST_MORTO, SOME_MORTO),
    "last_lead": "select avg(case when last_lead_turn is null then 0 else last_lead_turn / turns end) from deals",
    "half_leader_wins": won("case when half_margin > 0 then 0 else 1 end", "half_margin != 0"),
    "lead_changes": "select avg(lead_changes) from deals",
    "no_lead_change": "select count(*) filter (lead_changes = 0) / count(*) from deals",
    "deficit": "select avg(worst_deficit) from deals",
    **{name: behind(low, high) for name, _, low, high in BANDS},
    **{f"turns_p{at}": f"select quantile_disc(turns, {at / 100}) from deals" for at in (5, 50, 95)},
    **{f"piles_p{at}": f"select quantile_disc(piles_0 + piles_1, {at / 100}) from deals" for at in (5, 50, 95)},
    **{f"margin_p{at}": f"select quantile_disc(abs(score_0 - score_1), {at / 100}) from deals" for at in (50, 95)},
    **{f"deficit_p{at}": f"select quantile_disc(worst_deficit, {at / 100}) from deals" for at in (50, 95)},
    **{f"score_p{at}": teams("score_T").replace("avg(x)", f"quantile_disc(x, {at / 100})") for at in (5, 50, 95)},
    **{f"morto_turn_p{at}": teams("morto_turn_T").replace("avg(x)", f"quantile_disc(x, {at / 100})") for at in (5, 50, 95)},
    "balance": f"select 1 - greatest(abs(2 * ({won('0')}) - 1), abs(2 * ({won(f'case when {STARTS_0} then 0 else 1 end')}) - 1))",
}  # fmt: skip


@pytest.fixture(scope="module")
def table(run: Run) -> BalanceTable:
    return balance_table(series_of([run]))


@pytest.fixture(scope="module")
def pairs(mirrored: Run) -> BalanceTable:
    return balance_table(series_of([mirrored]))


def plain_value(series: Series, name: str) -> Any:
    """A figure from the files alone."""
    sql = PLAIN[name]
    text = sql if isinstance(sql, str) else sql(series.job.rules)
    with duckdb.connect() as connection:
        connection.execute(f"create view deals as select * from '{series.run.root}/{series.job.folder}/*.parquet'")
        found = connection.execute(text).fetchone()
        assert found is not None
        return found[0]


def test_the_plain_queries_cover_every_measure() -> None:
    assert PLAIN.keys() == MEASURES.keys()


@pytest.mark.parametrize("name", MEASURES)
def test_a_figure_is_what_plain_sql_finds(table: BalanceTable, name: str) -> None:
    for series, figure in zip(table.series, table.figures[name], strict=True):
        expected = plain_value(series, name)
        assert figure.value == (None if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-15)), series.label


@pytest.mark.parametrize("name", MEASURES)
def test_a_figure_of_mirrored_pairs_is_what_plain_sql_finds(pairs: BalanceTable, name: str) -> None:
    expected = plain_value(pairs.series[0], name)
    assert pairs.figures[name][0].value == (None if expected is None else pytest.approx(expected, rel=1e-12, abs=1e-15))


def test_differences_are_those_of_the_figures(table: BalanceTable) -> None:
    for name, row in table.differences.items():
        base = table.figures[name][table.baseline].value
        for figure, difference in zip(table.figures[name], row, strict=True):
            if difference is not None:
                assert figure.value is not None
                assert base is not None
                assert difference.value == pytest.approx(figure.value - base, abs=1e-12)
                assert difference.low <= difference.value <= difference.high


def test_an_interval_holds_its_value_and_shares_stay_within_0_and_1(table: BalanceTable) -> None:
    for name, row in table.figures.items():
        for figure in row:
            if figure.low is not None and figure.value is not None and figure.high is not None:
                assert figure.low <= figure.value <= figure.high, name
                assert not MEASURES[name].is_share or 0 <= figure.low <= figure.high <= 1


def test_every_question_has_measures_and_every_measure_a_question() -> None:
    assert list(dict.fromkeys(measure.question for measure in MEASURES.values())) == list(QUESTIONS)


def test_the_table_is_the_same_as_json(table: BalanceTable) -> None:
    values = table.to_dict()
    assert [one["label"] for one in values["series"]] == table.labels
    assert {one["name"]: one["figures"][0]["value"] for one in values["measures"]} == {
        name: row[0].value for name, row in table.figures.items()
    }
