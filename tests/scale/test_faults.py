"""Killed processes, full disks, read-only and vanished folders: one line, the right exit code, and a run that can go on."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from buraco_sim.chunks import Chunk
from buraco_sim.cli import main
from buraco_sim.errors import ExitCode
from buraco_sim.interrupts import InterruptedRunError
from buraco_sim.job import Job
from buraco_sim.results.reader import Run
from buraco_sim.results.store import FolderStore
from buraco_sim.runs import run_job
from buraco_sim.verify import verify_run
from run_files import contents, temporary_files

KILLED = """
import sys
from pathlib import Path
from buraco_sim.job import make_job
from buraco_sim.runs import run_job
run_job(make_job("stbl", "random", deals=3000, part_deals=100), Path(sys.argv[1]), threads=2, resume=True)
"""
COMMAND = [sys.executable, "-m", "buraco_sim", "simulate", "--players", "random", "--deals", "3000", "--quiet", "--out"]


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    """The one line of an error."""
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    return line


def test_killed_at_random_moments_and_resumed_it_ends_with_the_same_bytes(real_job: Job, tmp_path: Path) -> None:
    """Thirty kills are in benchmarks/scale.py; here only so many that the suite stays quick."""
    rng = random.Random(1)
    whole, root = tmp_path / "whole", tmp_path / "run"
    subprocess.run([sys.executable, "-c", KILLED, str(whole)], check=True, timeout=120)
    kills = 0
    for _ in range(4):
        with subprocess.Popen([sys.executable, "-c", KILLED, str(root)]) as process:
            while process.poll() is None and not (root / "manifest.json").exists():
                time.sleep(0.02)
            time.sleep(rng.uniform(0, 0.6))
            process.kill()
        kills += process.returncode == -signal.SIGKILL
    subprocess.run([sys.executable, "-c", KILLED, str(root)], check=True, timeout=120)
    assert kills
    assert contents(root) == contents(whole)
    assert temporary_files(root) == []
    assert Run.open(root).manifest.parts == Run.open(whole).manifest.parts


@pytest.mark.parametrize("at", ["write", "prepare", "clean", "names"])
def test_an_interruption_while_a_folder_is_opened_is_noted_in_it(
    at: str, real_job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the folder is asked for after its manifest is there."""
    asked, plain = tmp_path / "run" / "manifest.json", getattr(FolderStore, at)

    def interrupted(self: FolderStore, *args: Any) -> Any:
        if asked.exists() and '"running"' in asked.read_text():
            monkeypatch.setattr(FolderStore, at, plain)
            raise KeyboardInterrupt
        return plain(self, *args)

    monkeypatch.setattr(FolderStore, at, interrupted)
    with pytest.raises(InterruptedRunError):
        run_job(real_job, tmp_path / "run")
    assert Run.open(tmp_path / "run").manifest.state == "interrupted"


def test_terminated_like_interrupted(real_job: Job, tmp_path: Path) -> None:
    root = tmp_path / "run"
    command = [*COMMAND[:-2], "--deals", "10000000", "--out", str(root)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and not (root / "run.toml").exists():
            time.sleep(0.02)
        process.terminate()
        _, err = process.communicate(timeout=30)
    assert process.returncode == ExitCode.INTERRUPTED
    kept, line = err.splitlines()
    assert kept == f"buraco: interrupted; the parts that were written are kept in {root}"
    assert line.startswith("continue: ")
    assert line.endswith(f"--deals 10000000 --out {root} --resume")
    assert '"interrupted"' in (root / "manifest.json").read_text()


def test_a_full_disk_is_one_line_and_the_run_goes_on_when_there_is_room(real_job: Job, tmp_path: Path) -> None:
    """The limit of the size of a file stands in for the disk: the write fails in its middle."""
    root = tmp_path / "run"
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))  # noqa: E731
    done = subprocess.run([*COMMAND, str(root)], capture_output=True, text=True, preexec_fn=limit, check=False, timeout=60)
    assert done.returncode == ExitCode.FAILURE
    assert last_line(done).startswith(f"buraco: {root}/deals/stbl/random-vs-random/part-000000.parquet: ")
    assert contents(root) == {}
    assert temporary_files(root) == []
    assert subprocess.run([*COMMAND, str(root), "--resume"], capture_output=True, check=False, timeout=60).returncode == 0
    assert verify_run(root).problems == []


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that also others than its owner may reach."""
    root = Path(tempfile.mkdtemp(dir="/tmp" if Path("/tmp").is_dir() else None))
    root.chmod(0o755)
    yield root
    shutil.rmtree(root)


def test_a_folder_without_write_permission_is_one_line(job: Job, open_folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    root = open_folder / "run"
    root.mkdir(mode=0o555)
    me = os.geteuid()
    try:
        if me == 0:  # who may write anywhere
            os.seteuid(65534)
        code = main(["simulate", "--deals", "30", "--out", str(root), "--quiet"])
    finally:
        os.seteuid(me)
    assert code == ExitCode.FAILURE
    assert capfd.readouterr().err == f"buraco: {root}/manifest.json: Permission denied\n"
    assert list(root.iterdir()) == []


def test_a_folder_that_vanishes_is_an_error_and_no_folder_comes_back(job: Job, tmp_path: Path) -> None:
    root = tmp_path / "run"

    def remove(chunk: Chunk) -> None:
        shutil.rmtree(root, ignore_errors=True)

    with pytest.raises(FileNotFoundError) as error:
        run_job(job, root, threads=1, on_chunk=remove)
    assert error.value.filename == str(root / "deals/stbl/greedy-vs-random/part-000000.parquet")
    assert not root.exists()
    run_job(job, root, resume=True)
    assert verify_run(root).problems == []


def test_a_part_with_one_bit_changed_anywhere_is_made_again(job: Job, tmp_path: Path) -> None:
    """Also where no checksum of Parquet looks, and no manifest lists it: the run was killed."""
    run_job(job, tmp_path)
    path, *_ = sorted(tmp_path.rglob("*.parquet"))
    whole = path.read_bytes()
    rng = random.Random(2)
    for at in [4, len(whole) - 1, len(whole) - 9, *(rng.randrange(len(whole)) for _ in range(20))]:
        (tmp_path / "manifest.json").unlink()
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        run_like_killed(job, tmp_path)
        run_job(job, tmp_path, resume=True)
        assert path.read_bytes() == whole, at


def run_like_killed(job: Job, root: Path) -> None:
    """Write the manifest that a killed run leaves: running, no part listed."""
    from buraco_sim.results.manifest import Manifest
    from buraco_sim.simulate import signature

    Manifest.of_jobs([job], [signature(job)], []).write(root)
