"""Dask workers: the same bytes, lost workers, workers that do not fit, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import buraco_sim as b
from buraco_sim.chunks import Chunk
from buraco_sim.cluster import Dask
from buraco_sim.errors import ExitCode, InputError, RunError
from buraco_sim.job import Job
from buraco_sim.runs import make_executor, run_job
from buraco_sim.summary import Summary
from buraco_sim.verify import verify_run
from fake_engine import FakeEngine
from run_files import contents, temporary_files

distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install 'buraco-sim[cluster]'")
pytestmark = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::DeprecationWarning", "ignore::pytest.PytestUnraisableExceptionWarning"
)


@pytest.fixture
def scheduler(engine: FakeEngine) -> Iterator[str]:
    """The address of a scheduler with two workers in this process, which play by the stand-in."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", protocol="tcp"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def whole(real_job: Job, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The parts of a run that nothing interrupted."""
    root = tmp_path_factory.mktemp("whole")
    run_job(real_job, root, threads=1)
    return contents(root)


def run_by(executor: Dask, job: Job, out: Path | None = None, **more: Any) -> tuple[Summary, float]:
    """Run a job with an executor that is started for it."""
    with executor.started() as maker:
        return run_job(job, out, maker=maker, **more)


@pytest.mark.parametrize("executor", [Dask(workers=2), Dask(workers=1, threads=2)], ids=["2x1", "1x2"])
def test_processes_write_the_same_bytes(executor: Dask, real_job: Job, whole: dict[str, bytes], tmp_path: Path) -> None:
    summary, _ = run_by(executor, real_job, tmp_path)
    assert contents(tmp_path) == whole
    assert summary.to_dict() == run_job(real_job)[0].to_dict()
    assert verify_run(tmp_path).problems == []


def test_workers_of_a_scheduler_write_and_the_client_sums_up(job: Job, scheduler: str, tmp_path: Path) -> None:
    counted: list[Chunk] = []
    summary, _ = run_by(Dask(scheduler=scheduler), job, tmp_path / "dask", on_chunk=counted.append)
    threads, _ = run_job(job, tmp_path / "threads")
    assert contents(tmp_path / "dask") == contents(tmp_path / "threads")
    assert summary.to_dict() == threads.to_dict()
    assert sum(chunk.counted for chunk in counted) == job.rows
    assert run_by(Dask(scheduler=scheduler), job)[0].to_dict() == threads.to_dict()


def test_only_what_is_missing_is_made(job: Job, scheduler: str, engine: FakeEngine, tmp_path: Path) -> None:
    run_job(job, tmp_path)
    lost = sorted(tmp_path.rglob("*.parquet"))[2]
    before = lost.read_bytes()
    lost.unlink()
    rows: list[int] = []
    run_by(Dask(scheduler=scheduler), job, tmp_path, resume=True, on_start=rows.append)
    assert rows == [40]
    assert lost.read_bytes() == before


def test_an_illegal_action_ends_the_run_and_keeps_other_parts(job: Job, scheduler: str, engine: FakeEngine, tmp_path: Path) -> None:
    engine.illegal = {45}
    with pytest.raises(RunError, match="deal 45, table 0: illegal action"):
        run_by(Dask(scheduler=scheduler), job, tmp_path)
    engine.illegal = set()
    run_by(Dask(scheduler=scheduler), job, tmp_path, resume=True)
    assert verify_run(tmp_path).problems == []


def test_a_worker_that_cannot_write_is_an_error_that_names_the_file(
    job: Job, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: Any) -> None:
        raise OSError(28, "No space left on device", "there/part-000000.parquet")

    monkeypatch.setattr("buraco_sim.executors.write_part", refuse)
    with pytest.raises(OSError, match=r"No space left on device: 'there/part-000000.parquet'"):
        run_by(Dask(scheduler=scheduler), job, tmp_path)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("__version__", "9.9", "has buraco-sim 9.9, this is .*: give all the same version"),
        ("signature", lambda job: "f00", "plays other deals"),
    ],
)
def test_a_worker_with_other_sources_is_refused(  # the client asked before the change
    job: Job, scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: Any, message: str
) -> None:
    with pytest.raises(RunError, match=f"worker tcp://.*{message}"):
        run_by(Dask(scheduler=scheduler), job, tmp_path, on_start=lambda rows: later(monkeypatch, name, value))
    assert contents(tmp_path) == {}


def later(monkeypatch: pytest.MonkeyPatch, name: str, value: Any) -> None:
    """Change a worker after the task was made: the client and the workers are one process here."""
    from buraco_sim import cluster

    refuse = cluster._Task._refuse_other_worker

    def changed(task: Any) -> None:
        monkeypatch.setattr(f"buraco_sim.cluster.{name}", value)
        refuse(task)

    monkeypatch.setattr(cluster._Task, "_refuse_other_worker", changed)


def test_a_lost_worker_is_made_up_for(real_job: Job, whole: dict[str, bytes], tmp_path: Path) -> None:
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50) as cluster:
        killed: list[int] = []

        def kill(chunk: Chunk) -> None:
            if not killed:
                killed.append(next(iter(cluster.workers.values())).process.pid)
                os.kill(killed[0], signal.SIGKILL)

        run_by(Dask(scheduler=cluster.scheduler_address), real_job, tmp_path, on_chunk=kill)
    assert killed
    assert contents(tmp_path) == whole
    assert temporary_files(tmp_path) == []


def when(condition: Callable[[], bool], then: Callable[[], None]) -> threading.Thread:
    """Do something as soon as a condition holds."""

    def wait() -> None:
        while not condition():
            time.sleep(0.02)
        then()

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def ends(group: int, seconds: float = 10) -> bool:
    """Whether no process of a group is left soon; that which cleans up after the others goes last."""
    for _ in range(int(seconds / 0.1)):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


INTERRUPTED = """
import sys
from pathlib import Path
from buraco_sim.cluster import Dask
from buraco_sim.job import make_job
from buraco_sim.interrupts import InterruptedRunError
from buraco_sim.runs import run_job
job = make_job("stbl", "random", deals=1_000_000, part_deals=500)
try:
    with Dask(workers=2).started() as maker:
        print("starting", flush=True)
        run_job(job, Path(sys.argv[1]), maker=maker)
except InterruptedRunError as error:
    print(error)
    sys.exit(error.exit_code)
"""


def interrupted_when(condition: Callable[[], bool], root: Path) -> str:
    """Press Ctrl-C in a run by two workers, which goes to all its processes; what it prints, after "starting"."""
    command = [sys.executable, "-c", INTERRUPTED, str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "starting\n"
        press = lambda: os.killpg(process.pid, signal.SIGINT)  # noqa: E731
        waiter = when(lambda: condition() or process.poll() is not None, press)
        out, err = process.communicate(timeout=100)
        waiter.join()
    assert (process.returncode, err) == (ExitCode.INTERRUPTED, "")
    assert ends(process.pid)
    return out


def test_ctrl_c_leaves_whole_parts_and_no_process(real_job: Job, tmp_path: Path) -> None:
    out = interrupted_when(lambda: any(tmp_path.rglob("*.parquet")), tmp_path)
    assert f"the parts that were written are kept in {tmp_path}" in out
    assert contents(tmp_path)
    assert temporary_files(tmp_path) == []


def after(seconds: float) -> Callable[[], bool]:
    """A condition that holds so long after it was first looked at."""
    looks: list[float] = []

    def is_over() -> bool:
        looks.append(time.monotonic())
        return looks[-1] - looks[0] > seconds

    return is_over


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.5, 0.8, 1.2])
def test_ctrl_c_while_the_workers_start_leaves_no_process(seconds: float, tmp_path: Path) -> None:
    interrupted_when(after(seconds), tmp_path)
    assert temporary_files(tmp_path) == []


def test_what_does_not_fit_together_is_refused(tmp_path: Path) -> None:
    for options, message in (
        ({"name": "daks"}, "expected threads or dask"),
        ({"name": "threads", "workers": 2}, "belong to the executor dask"),
        ({"name": "dask", "workers": 0}, "workers = 0"),
        ({"name": "dask", "threads": 2, "scheduler": "tcp://host:1"}, "threads beside a scheduler"),
        ({"name": "dask", "scheduler": tmp_path / "none.json"}, "there is no such file"),
    ):
        with pytest.raises(InputError, match=message):
            make_executor(**options)  # type: ignore[arg-type]


def test_no_scheduler_is_one_line(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buraco_sim.cluster.SECONDS_TO_CONNECT", 1)
    with pytest.raises(RunError, match="--scheduler tcp://127.0.0.1:1: cannot connect: .*"):
        run_by(Dask(scheduler="tcp://127.0.0.1:1"), job)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buraco_sim.cluster.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'buraco-sim\[cluster\]'"):
        Dask()


def test_from_python_too(real_job: Job, tmp_path: Path) -> None:
    run = b.simulate_to(tmp_path, "stbl", "random", deals=50, executor="dask", workers=1)
    assert run.table().equals(b.simulate("stbl", "random", deals=50))
