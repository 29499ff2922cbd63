"""Jobs to run folders: parts written as they are played, the manifest, the summary, going on after a stop."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import ClassVar

from buraco_sim.engine import seatings
from buraco_sim.errors import BuracoError, ExitCode
from buraco_sim.job import DEFAULT_DEALS, DEFAULT_PLAYERS, DEFAULT_SEED, Job, Players, make_job
from buraco_sim.results.folder import RunFolder
from buraco_sim.results.reader import RUN_TOML, Run
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import OnChunk, play_parts, signature
from buraco_sim.summary import Summary


class InterruptedRunError(BuracoError):
    """A run stopped by Ctrl-C; the text says how to go on."""

    exit_code: ClassVar[ExitCode] = ExitCode.INTERRUPTED


def simulate_to(
    out: str | Path,
    rules: str | Path | Ruleset,
    players: Players = DEFAULT_PLAYERS,
    *,
    deals: int = DEFAULT_DEALS,
    seed: int = DEFAULT_SEED,
    mirror: bool | None = None,
    first_deal: int = 0,
    threads: int | None = None,
    resume: bool = False,
) -> Run:
    """Play deals into a run folder; the memory needed does not depend on their number.

    Parameters
    ----------
    out : str or Path
        The run folder; it may not hold another run.
    rules, players, deals, seed, mirror, first_deal, threads
        As for :func:`buraco_sim.simulate`.
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
    job = make_job(rules, players, deals=deals, seed=seed, mirror=mirror, first_deal=first_deal)
    run_job(job, Path(out), threads=threads, resume=resume)
    return Run.open(out)


def run_job(
    job: Job, out: Path | None = None, *, threads: int | None = None, resume: bool = False, on_chunk: OnChunk | None = None
) -> tuple[Summary, float]:
    """Play a job, into a run folder if one is given, and sum it up.

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
    summary = Summary(job)
    try:
        seatings(job)  # compiling counts for no rate
        start = perf_counter()
        if out is None:
            for part in play_parts(job, threads=threads, on_chunk=on_chunk):
                summary.add(part.block)
        else:
            with RunFolder(out, [job], [signature(job)], command_line(), resume=resume) as folder:
                _play_into(folder, job, summary, threads, on_chunk)
    except KeyboardInterrupt:
        raise InterruptedRunError(_interrupted_text(out)) from None
    return summary, perf_counter() - start


@contextmanager
def interruptible(root: Path | None) -> Iterator[None]:
    """Turn Ctrl-C into an error that says how the same command goes on with what is in its run folder.

    Raises
    ------
    InterruptedRunError
    """
    try:
        yield
    except KeyboardInterrupt:
        if root is None:
            raise InterruptedRunError("interrupted; nothing was written") from None
        words = [word for word in command_line() if word != "--resume"]
        how = shlex.join([*words, "--resume"]) if words else "the same call with resume=True"
        raise InterruptedRunError(f"interrupted; the parts that were written are kept in {root}\ncontinue: {how}") from None


def _play_into(folder: RunFolder, job: Job, summary: Summary, threads: int | None, on_chunk: OnChunk | None) -> None:
    """Play the parts that the folder has not; the parts that it has count for the summary."""
    kept = set()
    for part in job.parts():
        found = folder.find(job, part)
        if found is not None and found.stop == part.stop:
            kept.add(part.number)
            summary.add(found.block)
    for played in play_parts(job, threads=threads, skip=kept, on_chunk=on_chunk):
        folder.add(job, played.range, played.block)
        summary.add(played.block)


def _interrupted_text(out: Path | None) -> str:
    if out is None:
        return "interrupted; nothing was written (give --out to keep what was played)"
    if not (out / RUN_TOML).exists():
        return "interrupted; nothing was written yet"
    line = shlex.join(["buraco", "simulate", "--config", str(out / RUN_TOML), "--out", str(out), "--resume"])
    return f"interrupted; the parts that were written are kept\ncontinue: {line}"


def command_line() -> list[str]:
    """The command line of this process if it is ours, else nothing."""
    return ["buraco", *sys.argv[1:]] if Path(sys.argv[0]).stem in ("buraco", "__main__") else []
