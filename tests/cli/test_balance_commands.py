"""`balance`, `sweep`, `report`, `sql` and `replay --html` as command lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from buraco_sim.balance.measures import MEASURES


@pytest.fixture
def played(real: Any, tmp_path: Path) -> Path:
    """A folder that `buraco balance` wrote."""
    options = ["--deals", 60, "--ladder", "random,greedy", "--duel-deals", 3, "--restricted", "", "--players", "greedy"]
    done = real("balance", "stbl", "burraco-fibur", *options, "--out", tmp_path / "out", "--quiet")
    assert done.code == 0, done.err
    assert "Is it fair?" in done.out
    return tmp_path / "out"


def test_balance_writes_rows_summary_and_page(real: Any, played: Path) -> None:
    values = json.loads((played / "summary.json").read_text())
    assert values["schema_version"] == 1
    assert [one["name"] for one in values["measures"]] == list(MEASURES)
    assert len(values["duels"]) == 2
    assert "<title>Balance: stbl, burraco-fibur" in (played / "report.html").read_text()
    verified = real("verify", played, "--sample", 4)
    assert verified.code == 0, verified.out


def test_report_of_a_run_gives_the_same_figures(real: Any, played: Path, tmp_path: Path) -> None:
    done = real("report", played, "--json", "--out", tmp_path / "page.html", "--quiet")
    assert json.loads(done.out) == json.loads((played / "summary.json").read_text())
    assert (tmp_path / "page.html").exists()


def test_report_compares_two_runs(real: Any, played: Path, tmp_path: Path) -> None:
    assert (
        real("simulate", "--variant", "stbl", "--players", "greedy", "--deals", 40, "--seed", 9, "--out", tmp_path / "b", "--quiet").code
        == 0
    )
    done = real("report", tmp_path / "b", "--compare", played, "--sample", 0, "--json", "--quiet", "--baseline", "stbl seed 108")
    labels = [one["label"] for one in json.loads(done.out)["series"]]
    assert labels == ["stbl seed 9", "stbl seed 108", "burraco-fibur seed 108"]


def test_sql_answers_as_text_and_as_json(real: Any, played: Path) -> None:
    query = "select variant, count(*) as n, sum(clean_0 * 200) >= 0 as ok from deals group by variant order by variant"
    assert real("sql", played, query).out.splitlines()[0].split() == ["variant", "n", "ok"]
    assert json.loads(real("sql", played, query, "--json").out)["rows"] == [["burraco-fibur", "60", "True"], ["stbl", "60", "True"]]


@pytest.mark.parametrize(
    ("query", "text"),
    [("select nothing from deals", "nothing"), ("select", "SQL"), ("select * from 'x", "SQL"), ("drop table deals", "SQL"), ("", "SQL")],
)
def test_wrong_sql_is_one_line_and_exit_code_2(real: Any, played: Path, query: str, text: str) -> None:
    done = real("sql", played, query)
    assert done.code == 2
    assert len(done.err.splitlines()) == 1
    assert text in done.err


def test_a_missing_part_is_named(real: Any, played: Path) -> None:
    part = next(played.glob("deals/stbl/**/*.parquet"))
    part.unlink()
    for command in (["sql", played, "select 1"], ["report", played, "--quiet"]):
        done = real(*command)
        assert done.code == 1
        assert part.name in done.err


def test_sweep_prints_effects_and_writes_a_page(real: Any, tmp_path: Path) -> None:
    done = real(
        "sweep",
        "--base",
        "stbl",
        "--vary",
        "pile.take=free,use_top",
        "--deals",
        40,
        "--players",
        "greedy",
        "--out",
        tmp_path / "s",
        "--quiet",
    )
    assert done.code == 0, done.err
    assert "pile.take=use_top (free)" in done.out
    assert "<svg" in (tmp_path / "s" / "sweep.html").read_text()


def test_replay_writes_a_page(real: Any, tmp_path: Path) -> None:
    page = tmp_path / "deal.html"
    done = real("replay", "--variant", "stbl", "--players", "greedy", "--deal", "3:5", "--html", page, "--seat", 1)
    assert done.code == 0, done.err
    assert 'data-seat="1"' in page.read_text()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["balance", "stlb"], "did you mean 'stbl'"),
        (["balance", "stbl", "--baseline", "fechado"], "--baseline 'fechado'"),
        (["balance", "stbl", "--players", "nobody"], "nobody"),
        (["balance", "stbl", "--deals", "0"], "deals"),
        (["balance", "stbl", "stbl", "--deals", "5"], "twice"),
        (["sweep", "--vary", "pile.take=free"], "two or more"),
        (["replay", "--html", "x.html", "--seat", "3", "--variant", "burraco-duel"], "--seat 3"),
        (["replay", "--html", "x.html", "--deal", "0:500"], "at most 50 deals"),
    ],
)
def test_wrong_words_give_one_clear_line(real: Any, words: list[str], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = real(*words, "--quiet")
    assert done.code == 2
    assert text in done.err
    assert "Traceback" not in done.err
    assert not list(tmp_path.iterdir())
