"""Shards: whole parts, in one folder or copied together, the same bytes as the whole run; `verify` says what is missing."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from buraco_sim.errors import InputError, RunError
from buraco_sim.job import Job, Shard
from buraco_sim.results.manifest import Manifest
from buraco_sim.results.reader import Run
from buraco_sim.runs import run_job
from buraco_sim.verify import verify_run
from run_files import contents, temporary_files

SHARDS = [Shard(index, 3) for index in (1, 2, 3)]


def test_every_part_is_in_one_shard(job: Job) -> None:
    parts = [part for shard in SHARDS for part in shard.of(job.parts())]
    assert sorted(parts) == list(job.parts())
    assert [len(shard.of(job.parts())) for shard in SHARDS] == [2, 1, 1]


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "a/b", "1/" + "9" * 50])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="the I-th of N shares"):
        Shard.parse(text)


def test_shards_in_one_folder_are_the_run(job: Job, tmp_path: Path) -> None:
    whole, _ = run_job(job, tmp_path / "whole")
    for shard in reversed(SHARDS):
        run_job(job, tmp_path / "run", shard=shard)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    assert verify_run(tmp_path / "run").problems == []
    merged, single = Run.open(tmp_path / "run"), Run.open(tmp_path / "whole")
    assert merged.table().equals(single.table())
    assert (merged.manifest.state, merged.manifest.parts, merged.manifest.rows) == ("complete", single.manifest.parts, whole.rows)


def test_shards_that_were_copied_together_are_the_run(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "whole")
    for shard in SHARDS:
        run_job(job, tmp_path / str(shard.index), shard=shard)
        shutil.copytree(tmp_path / str(shard.index), tmp_path / "run", dirs_exist_ok=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    assert verify_run(tmp_path / "run").problems == []


def test_verify_says_which_parts_the_missing_shard_has(job: Job, tmp_path: Path) -> None:
    for shard in SHARDS[:2]:
        run_job(job, tmp_path / "run", shard=shard)
    (problem,) = verify_run(tmp_path / "run").problems
    assert "not complete: 1 of 4 parts are missing (part-000002.parquet)" in problem
    assert "manifest-1-of-3.json says complete, manifest-2-of-3.json says complete" in problem


def test_verify_says_which_parts_no_manifest_lists(job: Job, tmp_path: Path) -> None:
    for shard in SHARDS:
        run_job(job, tmp_path / "run", shard=shard)
    (tmp_path / "run" / "manifest-1-of-3.json").unlink()
    (problem,) = verify_run(tmp_path / "run").problems
    assert "2 of 4 parts are in no manifest (part-000000.parquet, part-000003.parquet)" in problem


def test_a_shard_goes_on_and_leaves_the_others_alone(job: Job, tmp_path: Path) -> None:
    for shard in SHARDS:
        run_job(job, tmp_path / "run", shard=shard)
    folder = next((tmp_path / "run").rglob("part-000000.parquet")).parent
    (folder / "part-000003.parquet").unlink()
    mine, others = folder / ".part-000003.parquet.host-1.tmp", folder / ".part-000001.parquet.host-2.tmp"
    mine.touch()
    others.touch()
    times = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}
    run_job(job, tmp_path / "run", shard=SHARDS[0], resume=True)
    assert temporary_files(tmp_path) == [others]
    assert times.items() <= {path.name: path.stat().st_mtime_ns for path in folder.glob("*.parquet")}.items()
    assert verify_run(tmp_path / "run").problems == []


def test_the_whole_run_goes_on_where_shards_were(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "whole")
    run_job(job, tmp_path / "run", shard=SHARDS[1])
    run_job(job, tmp_path / "run", resume=True)
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    assert verify_run(tmp_path / "run").problems == []


def test_the_same_shard_twice_and_a_shard_of_another_run_are_refused(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path, shard=SHARDS[0])
    with pytest.raises(RunError, match=r"manifest-1-of-3\.json.*--resume"):
        run_job(job, tmp_path, shard=SHARDS[0])
    with pytest.raises(RunError, match="another seed: 108 instead of 1"):
        run_job(replace(job, seed=1), tmp_path, shard=SHARDS[1])


def test_manifests_of_different_runs_in_one_folder_are_named(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "a", shard=SHARDS[0])
    run_job(replace(job, seed=1), tmp_path / "b", shard=SHARDS[1])
    shutil.copy(tmp_path / "b" / "manifest-2-of-3.json", tmp_path / "a")
    with pytest.raises(RunError, match=r"manifest-2-of-3\.json is of another run than manifest-1-of-3\.json: it has another seed"):
        Manifest.read(tmp_path / "a")
