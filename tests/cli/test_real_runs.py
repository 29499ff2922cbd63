"""The commands with the compiled core: from a command line to files that others read, and back by replay."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from buraco_sim.results.columns import Block, block_of_table
from buraco_sim.results.reader import Run

PLAYERS = "random,random"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mirrored run of 30 deals of a game with sets, mortos and an upcard."""
    from buraco_sim.cli import main

    root = tmp_path_factory.mktemp("runs") / "run"
    assert (
        main(
            ["simulate", "--variant", "buraco-classico", "--players", "random", "--mirror", "--deals", "30", "--out", str(root), "--quiet"]
        )
        == 0
    )
    return root


def hashes(root: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in root.rglob("*.parquet")}


def test_one_and_two_threads_write_the_same_bytes(real: Any, tmp_path: Path) -> None:
    for threads in (1, 2):
        done = real("simulate", "--players", "random", "--deals", 1200, "--threads", threads, "--out", tmp_path / str(threads), "--quiet")
        assert done.code == 0, done.err
    assert hashes(tmp_path / "1") == hashes(tmp_path / "2")


def test_a_player_against_itself_mirrored_sums_to_exactly_zero(real: Any) -> None:
    value = json.loads(real("simulate", "--players", PLAYERS, "--mirror", "--deals", 50, "--json", "--quiet").out)
    assert value["margin"] == {"mean": 0.0, "low": 0.0, "high": 0.0}


def test_others_read_the_parts_at_once(folder: Path) -> None:
    query = f"select count(*), count(distinct deal), sum(score_0), min(variant), count(out_seat) from '{folder}/deals/**/*.parquet'"
    table = Run.open(folder).table()
    out = len([seat for seat in table.column("out_seat").to_pylist() if seat is not None])
    with duckdb.connect() as connection:
        found = connection.execute(query).fetchone()
    assert found == (60, 30, sum(table.column("score_0").to_pylist()), "buraco-classico", out)


def test_the_five_parts_of_a_score_add_up(folder: Path) -> None:
    for row in Run.open(folder).table().to_pylist():
        for team in (0, 1):
            assert row[f"score_{team}"] == sum(row[f"{part}_{team}"] for part in ("cards", "canastas", "go_out", "hand", "morto"))
            assert row[f"score_{team}"] % 5 == 0


def test_rows_are_those_of_a_replay_and_of_the_referee(real: Any, folder: Path) -> None:
    done = real("verify", folder, "--sample", 6)
    assert (done.code, done.out.strip()) == (0, "parts: 1, rows: 60, deals refereed: 6, problems: 0")


def test_a_changed_row_is_noticed_by_the_sample(real: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def spoiled(table: Any) -> Block:
        block = block_of_table(table)
        block["turns"][:] = 1
        return block

    monkeypatch.setattr("buraco_sim.verify.block_of_table", spoiled)
    done = real("verify", folder, "--sample", 2)
    assert done.code == 1
    assert "turns is 1, the replay gives" in done.out


def test_a_trace_passes_the_referee_and_a_changed_one_does_not(real: Any, folder: Path, tmp_path: Path) -> None:
    trace = real("replay", folder, "--deal", "3:5", "--table", 1, "--json").out
    (tmp_path / "trace.jsonl").write_text(trace)
    done = real("verify", tmp_path / "trace.jsonl")
    assert (done.code, done.out.strip()) == (0, "parts: 0, rows: 0, deals refereed: 2, problems: 0")
    lines = trace.splitlines()
    score = json.loads(lines[-1])
    (tmp_path / "trace.jsonl").write_text("\n".join([*lines[:-1], json.dumps(score | {"total": score["total"] + 5})]))
    done = real("verify", tmp_path / "trace.jsonl")
    assert done.code == 1
    assert "deal 4" in done.out


def test_a_run_and_its_parameters_replay_the_same_deal(real: Any, folder: Path) -> None:
    from_run = real("replay", folder, "--deal", 7)
    from_line = real("replay", "--variant", "buraco-classico", "--players", "random", "--deal", 7)
    assert from_run.code == 0
    assert from_run.out == from_line.out
    assert "buraco-classico, seed 108, deal 7, table 0" in from_run.out


def test_kernel_and_referee_judge_alike(real: Any, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text('{"id":"R09","rules":"stbl","ask":"meld","cards":"2h 3h 4h 2h 6h"}\n')
    for engine in ("kernel", "referee"):
        done = real("judge", tmp_path / "cases.jsonl", "--engine", engine)
        assert json.loads(done.out) == {"id": "R09", "legal": True, "layouts": ["2h 3h 4h 2h* 6h"]}


def test_a_run_of_an_engine_that_played_otherwise_is_not_replayed(real: Any, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "run")
    manifest = tmp_path / "run" / "manifest.json"
    manifest.write_text(manifest.read_text().replace(Run.open(folder).manifest.signature, "0" * 16))
    done = real("verify", tmp_path / "run", "--sample", 3)
    assert done.code == 1
    assert "engine or players have changed" in done.out
    assert real("verify", tmp_path / "run").code == 0
