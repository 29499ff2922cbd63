"""The commands, with a stand-in for the compiled core."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from buraco_sim import __version__
from buraco_sim.cli.options import complete_players, complete_variant
from buraco_sim.job import DEFAULT_DEALS, DEFAULT_SEED
from buraco_sim.layout import COLUMNS
from buraco_sim.results.reader import Run
from buraco_sim.rules import KEYS, Ruleset, variant_names
from buraco_sim.strategies import strategy_names


def object_of(text: str) -> dict[str, Any]:
    """The JSON object that a command printed."""
    value: dict[str, Any] = json.loads(text)
    assert value["schema_version"] == 1
    return value


# ---- simulate


def test_simulate_without_out_prints_the_summary_and_writes_nothing(buraco: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = buraco("simulate", "--deals", 50)
    assert done.code == 0
    assert "stbl, players greedy, seed 108: 50 deals" in done.out
    assert list(tmp_path.iterdir()) == []


def test_simulate_alone_plays_the_documented_default(buraco: Any) -> None:
    config = tomllib.loads(buraco("simulate", "--print-config").out)
    assert (config["variant"], config["players"], config["deals"], config["seed"]) == (
        "stbl",
        "greedy,greedy,greedy,greedy",
        DEFAULT_DEALS,
        DEFAULT_SEED,
    )
    assert DEFAULT_DEALS == 100_000


def test_simulate_json_is_one_object(buraco: Any, tmp_path: Path) -> None:
    value = object_of(buraco("simulate", "--players", "greedy,random", "--deals", 30, "--json", "--out", tmp_path / "run").out)
    assert (value["variant"], value["deals"], value["rows"], value["mirror"]) == ("stbl", 30, 60, True)
    assert [side["name"] for side in value["sides"]] == ["greedy", "random"]
    assert value["out"] == str(tmp_path / "run")
    assert value["deals_per_second"] == pytest.approx(60 / value["seconds"])


def test_quiet_leaves_stderr_empty(buraco: Any) -> None:
    assert buraco("simulate", "--deals", 20, "--quiet").err == ""


def test_the_stored_configuration_repeats_the_run(buraco: Any, tmp_path: Path) -> None:
    strategy = tmp_path / "eager.toml"
    strategy.write_text("policy = 'random'\n[weights]\nmeld_probability = 0.9\n")
    first = buraco(
        *("simulate", "--variant", "burako", "--players", f"greedy,{strategy}", "--set", "go_out.bonus=50", "--seed", 9),
        *("--deals", 25, "--first-deal", 3, "--out", tmp_path / "a"),
    )
    assert first.code == 0, first.err
    strategy.unlink()  # all that is needed stands in the run
    second = buraco("simulate", "--config", tmp_path / "a/run.toml", "--out", tmp_path / "b")
    assert second.code == 0, second.err
    assert [entry.sha256 for entry in Run.open(tmp_path / "a").manifest.parts] == [
        entry.sha256 for entry in Run.open(tmp_path / "b").manifest.parts
    ]


def test_a_flag_goes_before_the_environment_before_the_file_before_the_default(
    buraco: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "c.toml"
    file.write_text("seed = 1\ndeals = 10\nset = ['go_out.bonus=50']\n")

    def config(*more: object) -> dict[str, Any]:
        return tomllib.loads(buraco("simulate", "--print-config", *more).out)

    assert config()["seed"] == DEFAULT_SEED
    assert config("--config", file)["seed"] == 1
    assert config("--config", file)["variants"]["stbl"]["go_out"]["bonus"] == 50
    monkeypatch.setenv("BURACO_SEED", "2")
    assert config("--config", file)["seed"] == 2
    assert config("--config", file, "--seed", 3)["seed"] == 3
    assert config("--config", file, "--seed", 3)["deals"] == 10
    monkeypatch.setenv("BURACO_CONFIG", str(file))
    assert config()["deals"] == 10


def test_resuming_a_whole_run_changes_nothing(buraco: Any, run_folder: Path) -> None:
    before = {path: path.read_bytes() for path in run_folder.rglob("*.parquet")}
    done = buraco("simulate", "--config", run_folder / "run.toml", "--out", run_folder, "--resume")
    assert done.code == 0
    assert "40 deals" in done.out
    assert {path: path.read_bytes() for path in run_folder.rglob("*.parquet")} == before


# ---- verify, judge


def test_verify_says_that_a_run_is_whole(buraco: Any, run_folder: Path) -> None:
    done = buraco("verify", run_folder)
    assert (done.code, done.out.strip()) == (0, "parts: 1, rows: 40, deals refereed: 0, problems: 0")
    value = object_of(buraco("verify", run_folder, "--json").out)
    assert (value["parts"], value["rows"], value["problems"]) == (1, 40, [])


def test_verify_names_a_damaged_part(buraco: Any, run_folder: Path) -> None:
    (part,) = run_folder.rglob("*.parquet")
    part.write_bytes(part.read_bytes()[:-1])
    done = buraco("verify", run_folder)
    assert done.code == 1
    assert str(part) in done.out


NO_TRACES = [b"", b"{", b"[]", b'{"type":"deal"}', b"\xff\xfe", b"[" * 100_000, b"9" * 10_000]


@pytest.mark.parametrize("content", NO_TRACES, ids=lambda text: str(text[:9]))
def test_verify_of_what_is_no_trace_is_a_breach(buraco: Any, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "trace.jsonl"
    file.write_bytes(content + b"\n")
    done = buraco("verify", file)
    assert done.code == 1
    assert len(done.out.splitlines()) == 2
    assert done.err == ""


def test_judge_answers_every_line_and_fails_at_the_end_if_one_is_malformed(buraco: Any, tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    good = '{"id":"H","rules":"stbl","ask":"hand","cards":"JK 2h As Kd 7c 3s"}'
    file.write_text(f'{good}\n\n{{"id":"X","rules":"nope","ask":"hand","cards":"As"}}\nno json\n{good}\n')
    done = buraco("judge", file, "--engine", "referee")
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 1
    assert answers[0] == answers[3] == {"id": "H", "points": 65}
    assert answers[1]["id"] == "X"
    assert "nope" in answers[1]["error"]
    assert answers[2]["id"] is None
    assert "no json" in answers[2]["error"]


NO_CASES = [b"[" * 100_000, b"9" * 10_000, b"\xff", b"null", b"[1]", b'"x"', b'{"id":1}']


@pytest.mark.parametrize("line", NO_CASES, ids=lambda line: str(line[:9]))
def test_judge_of_what_is_no_case_is_an_error_line(buraco: Any, tmp_path: Path, line: bytes) -> None:
    (tmp_path / "cases.jsonl").write_bytes(line)
    done = buraco("judge", tmp_path / "cases.jsonl", "--engine", "referee")
    assert done.code == 1
    assert json.loads(done.out)["error"]
    assert done.err == ""


# ---- what there is


def test_variants_and_strategies_are_listed_by_name_and_title(buraco: Any) -> None:
    variants = object_of(buraco("variants", "list", "--json").out)["variants"]
    assert [one["name"] for one in variants] == variant_names()
    assert all(set(one) == {"name", "title"} and one["title"] for one in variants)
    strategies = object_of(buraco("strategies", "list", "--json").out)["strategies"]
    assert [one["name"] for one in strategies] == strategy_names()
    assert buraco("variants", "list").out.split()[0] == variant_names()[0]


def test_show_prints_every_rule_and_marks_what_is_assumed(buraco: Any) -> None:
    out = buraco("variants", "show", "stbl").out
    assert all(key in out for key in KEYS)
    assert out.count("(assumed)") == len(Ruleset.load("stbl").assumed)
    assert object_of(buraco("variants", "show", "stbl", "--json").out)["rules"] == Ruleset.load("stbl").to_dict()
    assert object_of(buraco("variants", "show", "stbl", "--set", "table.seats=2", "--json").out)["rules"]["table"]["seats"] == 2


def test_diff_prints_what_differs(buraco: Any) -> None:
    value = object_of(buraco("variants", "diff", "buraco-classico", "buraco-classico-50", "--json").out)
    assert value["differences"] == [{"key": "opening.min", "a": 0, "b": 50}]
    assert "opening.min" in buraco("variants", "diff", "buraco-classico", "buraco-classico-50").out


def test_check_says_which_files_are_valid(buraco: Any, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("base = 'stbl'\n")
    bad.write_text("base = 'stlb'\n")
    done = buraco("variants", "check", bad, good)
    assert done.code == 2
    assert str(good) in done.out
    assert str(bad) in done.err
    assert buraco("variants", "check", good, "stbl").code == 0
    assert buraco("strategies", "check", "greedy").code == 0


def test_schema_lists_every_column(buraco: Any) -> None:
    columns = object_of(buraco("schema", "--json").out)["columns"]
    assert [one["name"] for one in columns] == [c.name for c in COLUMNS]
    assert all(one["type"] and one["unit"] and one["meaning"] for one in columns)
    assert len(buraco("schema").out.splitlines()) == len(COLUMNS)


def test_version(buraco: Any) -> None:
    assert buraco("--version").out == f"buraco-sim {__version__}\n"


def test_completion_knows_the_names() -> None:
    assert "stbl" in complete_variant("st")
    assert complete_players("greedy,ran") == ["greedy,random"]
    assert complete_variant("nothing") == []
