"""Run folders: whole parts, the manifest, what is refused, what is kept after a stop."""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from buraco_sim import __version__
from buraco_sim.chunks import Chunk
from buraco_sim.errors import BuracoError, ExitCode, RunError
from buraco_sim.interrupts import InterruptedRunError
from buraco_sim.job import Job, make_job
from buraco_sim.results.manifest import Manifest
from buraco_sim.results.parts import FOOTER_KEY, encode_part, footer_of, read_part
from buraco_sim.results.reader import Run
from buraco_sim.results.store import store_at
from buraco_sim.runs import run_job
from buraco_sim.simulate import CHUNK_DEALS, play_parts
from buraco_sim.summary import Summary
from buraco_sim.verify import verify_run
from fake_engine import FakeEngine


@pytest.fixture
def job(engine: FakeEngine) -> Job:
    """Four parts of mirrored deals."""
    return make_job("stbl", "greedy,random", deals=70, part_deals=20)


def contents(root: Path) -> dict[str, bytes]:
    """The bytes of all parts by name."""
    return {path.name: path.read_bytes() for path in sorted(root.rglob("*.parquet"))}


def files(root: Path) -> set[str]:
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}


# ---- what is written


def test_a_run_folder_has_manifest_configuration_and_one_file_a_range_of_deals(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run", threads=2)
    folder = "deals/stbl/greedy-vs-random"
    assert files(tmp_path / "run") == {"manifest.json", "run.toml", *(f"{folder}/part-{i:06d}.parquet" for i in range(4))}
    manifest = Manifest.read(tmp_path / "run")
    assert (manifest.state, manifest.rows, manifest.part_deals) == ("complete", 140, 20)
    assert [(entry.first_deal, entry.stop_deal, entry.rows) for entry in manifest.parts] == [
        (0, 20, 40),
        (20, 40, 40),
        (40, 60, 40),
        (60, 70, 20),
    ]
    assert manifest.rules == {"stbl": job.rules.to_dict()}
    assert manifest.engine_version == __version__
    assert manifest.ended is not None


def test_the_manifest_is_written_first(job: Job, tmp_path: Path, engine: FakeEngine) -> None:
    states = []

    def look(chunk: Chunk) -> None:
        states.append(json.loads((tmp_path / "run" / "manifest.json").read_bytes())["state"])

    run_job(job, tmp_path / "run", on_chunk=look)
    assert set(states) == {"running"}


def test_a_footer_says_what_was_played(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run")
    path = sorted((tmp_path / "run").rglob("*.parquet"))[1]
    footer = json.loads(pq.read_metadata(path).metadata[FOOTER_KEY])
    assert footer["deals"] == [20, 40]
    assert footer["seed"] == job.seed
    assert footer["rules"] == job.rules.to_dict()
    assert footer["strategies"]["random"]["weights"] == {"meld_probability": 0.7}
    assert footer["seats"] == ["greedy", "random", "greedy", "random"]
    assert footer["config_hash"] == job.config_hash()
    assert footer["engine_version"] == __version__


def test_deals_are_stored_as_deltas_and_pages_have_checksums(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run")
    group = pq.read_metadata(sorted((tmp_path / "run").rglob("*.parquet"))[0]).row_group(0)
    columns = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert "DELTA_BINARY_PACKED" in columns["deal"].encodings
    assert {column.compression for column in columns.values()} == {"ZSTD"}


def test_parts_are_the_same_bytes_for_any_number_of_threads_and_any_order(job: Job, tmp_path: Path) -> None:
    for threads in (1, 2, 5):
        run_job(job, tmp_path / str(threads), threads=threads)
    first = contents(tmp_path / "1")
    assert len(first) == 4
    assert contents(tmp_path / "2") == contents(tmp_path / "5") == first
    backwards = [encode_part(part.block, footer_of(job.describe(), part.range)) for part in reversed(list(play_parts(job)))]
    assert backwards == list(reversed(first.values()))


def test_a_part_depends_on_its_own_deals_only(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "all")
    run_job(replace(job, first_deal=20, deals=20), tmp_path / "one")
    assert contents(tmp_path / "one") == {"part-000001.parquet": contents(tmp_path / "all")["part-000001.parquet"]}


def test_chunks_leave_no_trace_in_the_rows(engine: FakeEngine) -> None:
    deals = 2 * CHUNK_DEALS + 7
    job = make_job("stbl", "greedy", deals=deals)
    (part,) = play_parts(job, threads=2)
    assert engine.calls == 3
    assert np.array_equal(part.block["deal"], np.arange(deals))
    pieces = [pa.concat_tables([p.block.to_arrow() for p in play_parts(replace(job, first_deal=i, deals=1))]) for i in (0, 999, 1000, 2006)]
    assert part.block.to_arrow().take([0, 999, 1000, 2006]).equals(pa.concat_tables(pieces).combine_chunks())


def test_a_strategy_against_itself_mirrored_sums_to_exactly_zero(engine: FakeEngine) -> None:
    summary, _ = run_job(make_job("stbl", "random", mirror=True, deals=40))
    assert (summary.margin.total, summary.margin.squares) == (0, 0)


def test_run_toml_holds_the_resolved_configuration(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run")
    values = tomllib.loads((tmp_path / "run" / "run.toml").read_text())
    assert values["variants"]["stbl"] == job.rules.to_dict()
    assert (values["players"], values["deals"], values["seed"], values["mirror"]) == ("greedy,random,greedy,random", 70, job.seed, True)


def test_the_table_of_a_run_is_all_its_rows(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run")
    table = Run.open(tmp_path / "run").table()
    assert table.equals(pa.concat_tables([part.block.to_arrow() for part in play_parts(job)]))
    assert Run.open(tmp_path / "run").job().describe() == job.describe()


# ---- what is refused


@pytest.mark.parametrize("name", ["manifest.json", "run.toml", "deals"])
def test_a_folder_that_holds_another_run_is_refused(job: Job, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(RunError, match=f"holds another run.*{name}"):
        run_job(job, tmp_path)
    assert files(tmp_path) == {name}


def test_an_illegal_action_ends_the_run_and_keeps_the_parts_before(job: Job, tmp_path: Path, engine: FakeEngine) -> None:
    engine.illegal = {45, 47}
    with pytest.raises(RunError) as error:
        run_job(job, tmp_path / "run", threads=2)
    assert error.value.exit_code == ExitCode.FAILURE
    first, second = str(error.value).splitlines()
    assert first.startswith("4 of 40 rows failed; the first: deal 45, table 0: illegal action: seat 1 (random), turn 7, action 12345")
    assert second.endswith(job.replay_command(45, 0))
    assert sorted(contents(tmp_path / "run")) == ["part-000000.parquet", "part-000001.parquet"]
    assert Manifest.read(tmp_path / "run").state == "interrupted"


# ---- going on


def interrupt(job: Job, root: Path, chunks: int) -> InterruptedRunError:
    """Play a job and press Ctrl-C after so many chunks."""
    left = [chunks]

    def press(chunk: Chunk) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError) as error:
        run_job(job, root, threads=1, on_chunk=press)
    return error.value


def test_after_an_interruption_what_was_written_stays_and_the_line_that_continues_is_named(
    job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["simulate", "--deals", "70", "--out", str(tmp_path / "run")]
    monkeypatch.setattr("sys.argv", ["/somewhere/bin/buraco", *words])
    monkeypatch.setattr("shutil.which", lambda name: name)
    error = interrupt(job, tmp_path / "run", 3)
    assert error.exit_code == ExitCode.INTERRUPTED
    assert sorted(contents(tmp_path / "run")) == ["part-000000.parquet", "part-000001.parquet"]
    assert Manifest.read(tmp_path / "run").state == "interrupted"
    assert shlex.split(re.search(r"continue: (.*)", str(error)).group(1)) == ["buraco", *words, "--resume"]  # type: ignore[union-attr]


def test_a_resumed_run_keeps_whole_parts_makes_the_others_and_ends_as_if_never_stopped(
    job: Job, tmp_path: Path, engine: FakeEngine
) -> None:
    whole, _ = run_job(job, tmp_path / "whole")
    interrupt(job, tmp_path / "run", 4)
    damaged, kept, _ = sorted((tmp_path / "run").rglob("*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-100])
    (damaged.parent / ".part-000003.parquet.tmp").write_bytes(b"half")
    before = kept.stat().st_mtime_ns
    engine.calls = 0
    resumed, _ = run_job(job, tmp_path / "run", resume=True)
    assert engine.calls == 2 * 2 + 2  # two parts at two tables, and the signature
    assert kept.stat().st_mtime_ns == before
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    assert not list(tmp_path.rglob(".*.tmp"))
    assert resumed.to_dict() == whole.to_dict()
    assert Manifest.read(tmp_path / "run").parts == Manifest.read(tmp_path / "whole").parts


def test_resuming_where_nothing_is_starts_the_run(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run", resume=True)
    assert len(contents(tmp_path / "run")) == 4


@pytest.mark.parametrize("change", [{"seed": 1}, {"deals": 30}, {"mirror": False}])
def test_resuming_another_run_names_what_differs(job: Job, tmp_path: Path, change: dict[str, int]) -> None:
    run_job(job, tmp_path / "run")
    with pytest.raises(RunError, match=f"another {next(iter(change))}"):
        run_job(replace(job, **change), tmp_path / "run", resume=True)  # type: ignore[arg-type]


def test_a_full_disk_leaves_no_half_part(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append(descriptor)
        if len(synced) >= 4:  # manifest, configuration, one part
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match=r"No space left on device: '.*part-000001.parquet'"):
        run_job(job, tmp_path / "run")
    assert files(tmp_path / "run") == {"manifest.json", "run.toml", "deals/stbl/greedy-vs-random/part-000000.parquet"}


# ---- damage


def damage(path: Path, how: str) -> None:
    """Damage a part."""
    data = bytearray(path.read_bytes())
    if how == "truncated":
        del data[len(data) // 2 :]
    elif how == "empty":
        data.clear()
    elif how == "flipped":
        data[len(data) // 3] ^= 1
    else:
        path.unlink()
        return
    path.write_bytes(data)


@pytest.mark.parametrize("how", ["truncated", "empty", "flipped", "missing"])
def test_a_damaged_part_is_named_and_nothing_else_is_lost(job: Job, tmp_path: Path, how: str) -> None:
    root = tmp_path / "run"
    run_job(job, root)
    parts = sorted(root.rglob("*.parquet"))
    damage(parts[2], how)
    report = verify_run(root)
    assert len(report.problems) == 1
    assert str(parts[2]) in report.problems[0]
    assert (report.parts, report.rows) == (3, 100)
    run = Run.open(root)
    with pytest.raises(RunError, match=re.escape(str(parts[2]))):
        run.table()
    readable = run.tables(run.job())
    assert [next(readable).num_rows for _ in range(2)] == [40, 40]


def test_damage_is_seen_without_a_manifest_too(job: Job, tmp_path: Path) -> None:
    """A run that was killed has no list of parts; the checksums of the pages remain."""
    run_job(job, tmp_path / "run")
    path = sorted((tmp_path / "run").rglob("*.parquet"))[0]
    data = path.read_bytes()
    metadata = pq.read_metadata(path).row_group(0)
    for i in range(0, metadata.num_columns, 7):
        column = metadata.column(i)
        start = column.dictionary_page_offset or column.data_page_offset
        at = start + column.total_compressed_size - 3  # a page ends with its data
        path.write_bytes(data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :])
        with pytest.raises(RunError, match=re.escape(str(path))):
            read_part(store_at(path.parent), path.name)


def test_verify_names_a_foreign_part_and_an_unfinished_run(job: Job, tmp_path: Path) -> None:
    root = tmp_path / "run"
    run_job(job, root)
    run_job(replace(job, seed=1, deals=20), tmp_path / "other")
    (mine, *_), (foreign,) = sorted(root.rglob("*.parquet")), sorted((tmp_path / "other").rglob("*.parquet"))
    (mine.parent / "part-000009.parquet").write_bytes(foreign.read_bytes())
    assert ["does not belong" in problem for problem in verify_run(root).problems] == [True]
    manifest = Manifest.read(root)
    manifest.state = "running"
    manifest.parts = []
    manifest.write(root)
    mine.write_bytes(foreign.read_bytes())
    problems = verify_run(root).problems
    assert any("another seed" in problem and str(mine) in problem for problem in problems)
    assert any("not complete" in problem for problem in problems)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema_version": 99}', "[" * 100_000])
def test_a_damaged_manifest_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(BuracoError, match=re.escape(str(tmp_path))) as error:
        Run.open(tmp_path)
    assert "\n" not in str(error.value)


def test_blocks_may_be_summed_up_in_any_order(job: Job) -> None:
    forwards, backwards = Summary(job), Summary(job)
    blocks = [part.block for part in play_parts(job)]
    for block in blocks:
        forwards.add(block)
    for block in reversed(blocks):
        backwards.add(block)
    assert forwards.to_dict() == backwards.to_dict()
