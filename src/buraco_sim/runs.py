"""Jobs to run folders: parts written as they are played, the manifest, the summary, going on after a stop."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Literal

from buraco_sim.engine import seatings
from buraco_sim.errors import InputError, shown
from buraco_sim.executors import Executor, Maker, Threads
from buraco_sim.interrupts import command_line, interruptible
from buraco_sim.job import DEFAULT_DEALS, DEFAULT_PLAYERS, DEFAULT_SEED, Job, PartRange, Players, Shard, make_job
from buraco_sim.results.folder import RunFolder
from buraco_sim.results.reader import Run
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import OnChunk, signature
from buraco_sim.summary import Summary

ExecutorName = Literal["threads", "dask"]
OnStart = Callable[[int], None]


def simulate_to(
    out: str | Path,
    rules: str | Path | Ruleset,
    players: Players = DEFAULT_PLAYERS,
    *,
    deals: int = DEFAULT_DEALS,
    matches: int | None = None,
    seed: int = DEFAULT_SEED,
    mirror: bool | None = None,
    first_deal: int = 0,
    threads: int | None = None,
    executor: ExecutorName = "threads",
    workers: int | None = None,
    scheduler: str | Path | None = None,
    shard: str | None = None,
    resume: bool = False,
) -> Run:
    """Play deals into a run folder; the memory needed does not depend on their number.

    Parameters
    ----------
    out : str or Path
        The run folder; it may not hold another run. Or an address such as ``s3://bucket/run`` or ``gs://bucket/run``.
    rules, players, deals, matches, seed, mirror, first_deal, threads
        As for :func:`buraco_sim.simulate`; with Dask, `threads` is per worker process started here, by default 1.
    executor : "threads" or "dask"
        The threads of this process, or Dask (the extra ``cluster``): every worker writes its parts itself.
    workers : int, optional
        With Dask: worker processes to start here, by default one a core; with a scheduler, how many workers to wait for.
    scheduler : str or Path, optional
        With Dask: the address of a running scheduler (``tcp://host:8786``), or its scheduler file.
    shard : str, optional
        ``"2/3"``: only the second of three shares of the parts. Shares may be written into one folder, or copied together.
    resume : bool
        Keep the whole parts that an earlier, interrupted run of the same configuration left in `out`.

    Returns
    -------
    Run
        The folder, ready to be read: ``run.table()``.

    Raises
    ------
    InputError, RunError
        If something is not valid, the folder holds another run, or a strategy chose an illegal action.
    OSError
        If the folder cannot be written.

    Examples
    --------
    >>> import buraco_sim as b
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     run = b.simulate_to(f"{folder}/run", "stbl", "greedy", deals=4, seed=1)
    ...     run.manifest.state, run.table().num_rows
    ('complete', 4)
    """
    job = make_job(rules, players, deals=deals, matches=matches, seed=seed, mirror=mirror, first_deal=first_deal)
    share = None if shard is None else Shard.parse(shard)
    with make_executor(executor, threads, workers, scheduler).started() as maker:
        run_job(job, out, maker=maker, shard=share, resume=resume)
    return Run.open(out)


def make_executor(
    name: str,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | Path | None = None,
    on_dashboard: Callable[[str], None] | None = None,
) -> Executor:
    """The executor of this name: ``threads``, or ``dask`` with its workers; see :func:`simulate_to`.

    Raises
    ------
    InputError
        If there is none of this name, it is not installed, or an option belongs to another one.
    """
    if name == "dask":
        from buraco_sim.cluster import Dask

        return Dask(workers, threads, None if scheduler is None else str(scheduler), on_dashboard)
    if name != "threads":
        raise InputError(f"executor = {shown(name)}", expected="threads or dask")
    if workers is not None or scheduler is not None:
        raise InputError("workers and scheduler belong to the executor dask", expected="--executor dask beside them")
    return Threads(threads)


def run_job(
    job: Job,
    out: str | Path | None = None,
    *,
    threads: int | None = None,
    maker: Maker | None = None,
    shard: Shard | None = None,
    resume: bool = False,
    on_start: OnStart | None = None,
    on_chunk: OnChunk | None = None,
) -> tuple[Summary, float]:
    """Play a job, into a run folder if one is given, and sum it up.

    Parameters
    ----------
    job : Job
        What to play.
    out : str or Path, optional
        The run folder, or an address such as ``s3://bucket/run``.
    threads : int, optional
        Of this process; by default one a core.
    maker : Maker, optional
        Who plays instead of the threads of this process: a started executor.
    shard : Shard, optional
        Play this share of the parts only.
    resume : bool
        Keep the whole parts that are there.
    on_start : callable, optional
        Called with the number of rows that will be played, when that is known.
    on_chunk : callable, optional
        Called as rows are played.

    Returns
    -------
    summary : Summary
        Over all rows, those of kept parts included.
    seconds : float
        Time of playing and writing, without compiling.

    Raises
    ------
    InterruptedRunError
        After Ctrl-C; what was written is kept.
    RunError
        If a strategy chose an illegal action: earlier parts are kept.
    """
    with interruptible(out):
        summary = Summary(job)
        who = maker or Threads(threads)
        seatings(job)  # compiling counts for no rate
        start = perf_counter()
        if out is None:
            _make(who, job, list(job.parts()), None, summary, on_start, on_chunk)
        else:
            with RunFolder(out, [job], [signature(job)], command_line(), shard=shard, resume=resume) as folder:
                missing = [part for part in folder.parts(job) if not _is_kept(folder, job, part, summary)]
                _make(who, job, missing, folder, summary, on_start, on_chunk)
    return summary, perf_counter() - start


def _is_kept(folder: RunFolder, job: Job, part: PartRange, summary: Summary) -> bool:
    """Whether the folder has a part, which then counts for the summary."""
    found = folder.find(job, part)
    if found is None or found.stop != part.stop:
        return False
    summary.add(found.block)
    return True


def _make(
    maker: Maker,
    job: Job,
    parts: list[PartRange],
    folder: RunFolder | None,
    summary: Summary,
    on_start: OnStart | None,
    on_chunk: OnChunk | None,
) -> None:
    if on_start is not None:
        on_start(sum(replace(job, first_deal=part.first, deals=part.stop - part.first).rows for part in parts))
    with closing(maker.make(job, parts, folder.store if folder else None, on_chunk)) as made:
        for one in made:
            summary.merge(one.summary)
            if folder is not None and one.entry is not None:
                folder.take(one.entry)
