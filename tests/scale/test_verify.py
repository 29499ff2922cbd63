"""`verify` names what is wrong with a run, each thing once, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from buraco_sim.job import Job, make_job
from buraco_sim.runs import run_job
from buraco_sim.verify import verify_run


def flip_one_bit(path: Path, other: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def remove(path: Path, other: Path) -> None:
    path.unlink()


def put_another(path: Path, other: Path) -> None:
    path.write_bytes(other.read_bytes())


def truncate(path: Path, other: Path) -> None:
    path.write_bytes(path.read_bytes()[:-6])


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (flip_one_bit, "the bytes are not those of the manifest"),
        (remove, "this part is missing"),
        (put_another, "bytes where the manifest says|the bytes are not those of the manifest"),
        (truncate, "the part is truncated or changed"),
    ],
)
@pytest.mark.parametrize("number", range(4))
def test_one_thing_wrong_is_one_line(job: Job, tmp_path: Path, spoil: Callable[[Path, Path], None], message: str, number: int) -> None:
    run_job(job, tmp_path / "run")
    run_job(replace(job, seed=1), tmp_path / "other")
    path, other = (sorted((tmp_path / root).rglob("*.parquet"))[number] for root in ("run", "other"))
    spoil(path, other)
    (problem,) = verify_run(tmp_path / "run").problems
    assert problem.startswith(f"{path}: ")
    assert any(part in problem for part in message.split("|"))


def test_a_part_too_many_is_named(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path)
    path = next(tmp_path.rglob("*.parquet"))
    path.with_name("part-000099.parquet").write_bytes(path.read_bytes())
    (problem,) = verify_run(tmp_path).problems
    assert problem == f"{path.with_name('part-000099.parquet')}: a part that does not belong to this run"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [(remove, "cannot read the table of matches"), (put_another, "is not that of the deals"), (truncate, "truncated or damaged")],
)
def test_a_table_of_matches_is_checked_against_its_deals(
    engine: object, tmp_path: Path, spoil: Callable[[Path, Path], None], message: str
) -> None:
    job = make_job("stbl", "greedy,random", matches=3)
    for seed, root in ((job.seed, "run"), (1, "other")):
        run_job(replace(job, seed=seed), tmp_path / root)
    assert verify_run(tmp_path / "run").problems == []
    path, other = (next((tmp_path / root / "matches").rglob("*.parquet")) for root in ("run", "other"))
    spoil(path, other)
    (problem,) = verify_run(tmp_path / "run").problems
    assert problem.startswith(f"{path}: ")
    assert message in problem
