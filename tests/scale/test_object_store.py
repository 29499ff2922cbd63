"""Runs in an object store: one put a part, the same bytes, resumed by listing, errors in one line. Against a real server."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyarrow import fs

from buraco_sim.cli import main
from buraco_sim.errors import ExitCode, InputError, RunError
from buraco_sim.job import Job, Shard
from buraco_sim.results.reader import Run
from buraco_sim.results.store import ObjectStore, store_at
from buraco_sim.runs import run_job
from buraco_sim.verify import verify_run
from fake_engine import FakeEngine
from run_files import contents


def objects(address: str) -> dict[str, bytes]:
    """The parts at an address, by name."""
    store = store_at(address)
    return {name: store.read(name) for name in sorted(store.names()) if name.endswith(".parquet")}


def test_parts_are_the_same_bytes_as_on_disk(job: Job, s3: str, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run")
    run_job(job, s3)
    assert objects(s3) == contents(tmp_path / "run")
    assert store_at(s3).names() == {path.relative_to(tmp_path / "run").as_posix() for path in tmp_path.rglob("*.*")}
    assert verify_run(s3).problems == []
    assert Run.open(s3).table().equals(Run.open(tmp_path / "run").table())


def test_a_run_goes_on_by_what_is_listed(job: Job, s3: str, engine: FakeEngine) -> None:
    whole, _ = run_job(job, s3)
    before = objects(s3)
    store = store_at(s3)
    damaged, missing, *_ = before
    store.write(damaged, before[damaged][:-100])
    system, prefix = store._place  # type: ignore[attr-defined]
    system.delete_file(f"{prefix}/{missing}")
    problems = verify_run(s3).problems
    assert [name in problem for name, problem in zip((damaged, missing), problems, strict=True)] == [True, True]
    engine.calls = 0
    resumed, _ = run_job(job, s3, resume=True)
    assert engine.calls == 2 * 2 + 2  # two parts at two tables, and the signature
    assert objects(s3) == before
    assert resumed.to_dict() == whole.to_dict()


def test_shards_meet_in_a_bucket(job: Job, s3: str) -> None:
    for index in (1, 2):
        run_job(job, s3, shard=Shard(index, 2))
    assert verify_run(s3).problems == []


def test_a_part_is_one_put(s3: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        store_at(s3).write("deals/part", b"x" * 6_000_000)
    requests = [record.getMessage() for record in caplog.records if "/bucket/run/deals/part" in record.getMessage()]
    assert len(requests) == 1
    assert '"PUT /bucket/run/deals/part HTTP/1.1" 200' in requests[0]


def test_the_commands_take_an_address(engine: FakeEngine, s3: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--deals", "30", "--out", s3, "--json", "--quiet"]) == 0
    assert json.loads(capfd.readouterr().out)["out"] == s3
    assert main(["simulate", "--deals", "30", "--out", s3, "--quiet"]) == ExitCode.FAILURE
    assert "s3://bucket/run: the folder holds another run (manifest.json)" in capfd.readouterr().err
    assert main(["verify", s3]) == 0
    assert "rows: 30" in capfd.readouterr().out


def test_errors_name_the_object_in_one_line(job: Job, s3: str, capfd: pytest.CaptureFixture[str]) -> None:
    nowhere = s3.replace("bucket/", "no-such-bucket/")
    assert main(["simulate", "--deals", "3", "--out", nowhere, "--quiet"]) == ExitCode.FAILURE
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("buraco: s3://no-such-bucket/run")
    assert len(line) < 500
    with pytest.raises(RunError, match="s3://bucket/other: no run folder"):
        Run.open(s3.replace("/run", "/other"))
    with pytest.raises(RunError, match="needs a run on disk"):
        _ = simulate_to_store(job, s3).root


def simulate_to_store(job: Job, address: str) -> Run:
    run_job(job, address)
    return Run.open(address)


@pytest.mark.parametrize("address", ["foo://bucket/run", "file:///tmp/run", "s3://key:secret@bucket/run"])
def test_what_is_no_address_is_refused_and_no_secret_is_shown(address: str) -> None:
    with pytest.raises(InputError) as error:
        store_at(address)
    assert "secret@" not in str(error.value)


def test_other_stores_of_arrow_serve_too(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Google's and Azure's by the same interface: here Arrow's own file system of this machine in their place."""
    (tmp_path / "run/deals/stbl/greedy-vs-random").mkdir(parents=True)

    class OnDisk:
        @staticmethod
        def from_uri(address: str) -> tuple[fs.FileSystem, str]:
            assert address == "gs://bucket/run"
            return fs.LocalFileSystem(), str(tmp_path / "run")

    monkeypatch.setattr("buraco_sim.results.store.fs", SimpleNamespace(**vars(fs) | {"FileSystem": OnDisk}))
    run_job(job, "gs://bucket/run")
    assert isinstance(store_at("gs://bucket/run"), ObjectStore)
    assert len(contents(tmp_path / "run")) == 4
