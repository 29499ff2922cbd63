"""Parts made by Dask: processes of this machine, or workers anywhere that share a folder or an object store.

A task plays one part and writes it itself; to the client come sums and the entry of the part, never rows. Dask starts the
task of a lost worker again elsewhere; a part that is made twice is the same bytes.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import resource_tracker
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco_sim import __version__
from buraco_sim.chunks import Chunk
from buraco_sim.errors import BuracoError, InputError, RunError, shown
from buraco_sim.executors import Made, finish_part
from buraco_sim.job import Job, PartRange
from buraco_sim.results.store import FolderStore, Store
from buraco_sim.simulate import OnChunk, default_threads, play_parts, signature

if TYPE_CHECKING:
    from distributed import Client, Future, as_completed

RETRIES: Final = 2  # of a task that failed by its machine: a disk, a network; an error of the run is final
PARTS_A_THREAD: Final = 2  # in flight: one is played, the next waits at the worker
SECONDS_TO_CONNECT: Final = 30
SECONDS_TO_START: Final = 120
# Of processes that are started here: by default each looks at itself 10 to 100 times a second, a tenth of the rate where
# every process has one core; a part takes seconds.
SELDOM: Final = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "2s",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "2s",
    "distributed.scheduler.work-stealing-interval": "1s",
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1, "OPENBLAS_NUM_THREADS": 1},  # without its costly trimming of memory
}


@dataclass(frozen=True, slots=True)
class Dask:
    """Dask workers, started here or running elsewhere.

    Parameters
    ----------
    workers : int, optional
        Processes to start here, by default one a core; with a scheduler, how many workers to wait for, by default 1.
    threads : int, optional
        Threads of each process that is started here, by default 1.
    scheduler : str, optional
        Address of a running scheduler (``tcp://host:8786``), or its scheduler file.
    on_dashboard : callable, optional
        Called with the address of the dashboard.

    Raises
    ------
    InputError
        If Dask is not installed or a number is not valid.
    """

    workers: int | None = None
    threads: int | None = None
    scheduler: str | None = None
    on_dashboard: Callable[[str], None] | None = None

    def __post_init__(self) -> None:
        if find_spec("distributed") is None:
            raise InputError("Dask is not installed", where="--executor dask", expected="pip install 'buraco-sim[cluster]'")
        for name, value in (("workers", self.workers), ("threads", self.threads)):
            if value is not None and not 1 <= value <= 100_000:
                raise InputError(f"{name} = {value}", expected="a whole number 1..100000")
        if self.scheduler is not None and self.threads is not None:
            raise InputError("threads beside a scheduler", expected="--nthreads where the workers are started")
        if self.scheduler is not None and "://" not in self.scheduler and not Path(self.scheduler).is_file():
            expected = "an address such as tcp://host:8786, or the scheduler file of a running scheduler"
            raise InputError("there is no such file", where=f"--scheduler {self.scheduler}", expected=expected)

    @contextmanager
    def started(self) -> Iterator[DaskWorkers]:
        """Let processes start here while the caller gets ready, or connect to those elsewhere."""
        with ExitStack() as stack:
            client = _connected(self.scheduler, stack) if self.scheduler else self._starting(stack)
            yield DaskWorkers(self, client)

    def _starting(self, stack: ExitStack) -> Client:
        from dask import config
        from distributed import Client, LocalCluster

        stack.enter_context(config.set(SELDOM))
        options: dict[str, Any] = {"dashboard_address": "127.0.0.1:0", "silence_logs": logging.CRITICAL, "preload": __name__}
        with _ctrl_c_for_this_thread():
            cluster = stack.enter_context(LocalCluster(n_workers=0, threads_per_worker=self.threads or 1, **options))
        cluster.scale(self.n_workers)
        return stack.enter_context(Client(cluster, set_as_default=False))

    @property
    def n_workers(self) -> int:
        """Workers to wait for."""
        return self.workers or (1 if self.scheduler else default_threads())


@dataclass(frozen=True, slots=True)
class DaskWorkers:
    """Workers that run or are starting, and the client that gives them parts."""

    dask: Dask
    client: Client

    def make(self, job: Job, parts: Sequence[PartRange], store: Store | None, on_chunk: OnChunk | None) -> Generator[Made, None, None]:
        """Make the parts, in the order in which they become ready."""
        if isinstance(store, FolderStore):  # a worker has a current folder of its own
            store = FolderStore(store.root.absolute())
        task = _Task(job, store, __version__, signature(job))
        client = self.client
        self._wait()
        with _tasks(client) as running:
            todo = iter(parts)
            in_flight = 0
            while True:
                room = PARTS_A_THREAD * max(1, sum(client.nthreads().values())) - in_flight
                for part in (part for _, part in zip(range(room), todo, strict=False)):
                    running.add(client.submit(task, part, pure=False, retries=RETRIES))
                    in_flight += 1
                if not in_flight:
                    return
                made = _result(next(running))
                in_flight -= 1
                if on_chunk is not None:
                    on_chunk(_as_chunk(made))
                yield made

    def _wait(self) -> None:
        if self.dask.on_dashboard is not None and (self.dask.scheduler or find_spec("bokeh")):
            self.dask.on_dashboard(self.client.dashboard_link)
        try:
            self.client.wait_for_workers(self.dask.n_workers, timeout=None if self.dask.scheduler else SECONDS_TO_START)
        except TimeoutError:
            raise RunError(f"--workers {self.dask.n_workers}: not all of them have started after {SECONDS_TO_START} s") from None


@dataclass(frozen=True, slots=True)
class _Task:
    """What a worker does with a part; an error of the run comes back as a value, for Dask retries what is raised."""

    job: Job
    store: Store | None
    version: str
    signature: str

    def __call__(self, part: PartRange) -> Made | BuracoError:
        try:
            self._refuse_other_worker()
            job = replace(self.job, first_deal=part.first, deals=part.stop - part.first)
            (played,) = play_parts(job, threads=1)
            return finish_part(job, played, self.store)
        except BuracoError as error:
            return error

    def _refuse_other_worker(self) -> None:
        from distributed import get_worker

        if __version__ != self.version:
            raise RunError(f"worker {get_worker().address} has buraco-sim {__version__}, this is {self.version}: give all the same version")
        if (found := signature(self.job)) != self.signature:
            raise RunError(
                f"worker {get_worker().address} plays other deals than this machine: signature {found} instead of {self.signature}; "
                "give all the same sources of buraco-sim and the same packages"
            )


def dask_setup(worker: object) -> None:
    """Get a process that was started here ready: half a second, in which the client gets ready itself. Dask calls this."""
    import_module("numba")


@contextmanager
def _ctrl_c_for_this_thread() -> Iterator[None]:
    """Leave Ctrl-C, which a terminal sends to all processes, to this thread, whose process ends the others.

    What a thread blocks is blocked in the threads and processes that it starts, from their first moment; the first process of
    all, Python's resource tracker, unblocks it.
    """
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _connected(scheduler: str, stack: ExitStack) -> Client:
    from distributed import Client

    where = {"address": scheduler} if "://" in scheduler else {"scheduler_file": scheduler}
    try:
        return stack.enter_context(Client(**where, timeout=SECONDS_TO_CONNECT, set_as_default=False))
    except (OSError, ValueError) as error:
        raise RunError(f"--scheduler {scheduler}: cannot connect: {_line(error)}") from None


@contextmanager
def _tasks(client: Client) -> Iterator[as_completed]:
    """The tasks that run; whatever is left of them when the run ends is cancelled."""
    from distributed import as_completed

    running = as_completed(loop=client.loop)
    try:
        yield running
    finally:
        client.cancel(list(running.futures), force=True)


def _result(future: Future) -> Made:
    try:
        made = future.result()
    except OSError as error:  # names the file
        raise error from None
    except Exception as error:
        raise RunError(f"a worker failed: {type(error).__name__}: {_line(error)}") from None
    if isinstance(made, BuracoError):
        raise made
    return made  # type: ignore[no-any-return]


def _as_chunk(made: Made) -> Chunk:
    first, second = (side.score.total for side in made.summary.sides)
    return Chunk(made.summary.rows, (first, second), [], made.summary.job.rows)


def _line(error: Exception) -> str:
    return shown(" ".join(str(error).split()), 200)[1:-1]
