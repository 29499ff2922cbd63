"""Jobs to run folders: parts written as they are played, the manifest, the summary, going on after a stop."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from time import perf_counter
from typing import ClassVar

from buraco_sim.config import config_text
from buraco_sim.engine import seatings
from buraco_sim.errors import BuracoError, ExitCode, RunError
from buraco_sim.job import DEFAULT_DEALS, DEFAULT_PLAYERS, DEFAULT_SEED, Job, PartRange, Players, make_job
from buraco_sim.results.columns import block_of_table
from buraco_sim.results.manifest import MANIFEST, Manifest, State
from buraco_sim.results.parts import entry_of, footer_of, part_path, read_part, write_file, write_part
from buraco_sim.results.reader import RUN_TOML, Run, refuse_used_folder, same_job
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import OnChunk, Part, play_parts, signature
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
            _RunFolder(job, out, resume, summary).write(threads, on_chunk)
    except KeyboardInterrupt:
        raise InterruptedRunError(_interrupted_text(out)) from None
    return summary, perf_counter() - start


class _RunFolder:
    """A run folder while it is written."""

    def __init__(self, job: Job, root: Path, resume: bool, summary: Summary) -> None:
        self.job = job
        self.root = root
        self.summary = summary
        if resume and (root / MANIFEST).exists():
            same_job(Run.open(root), job)
        else:
            refuse_used_folder(root)
        self.manifest = Manifest.of_job(job, signature(job), _command_line())

    def write(self, threads: int | None, on_chunk: OnChunk | None) -> None:
        start = perf_counter()
        state: State = "interrupted"
        self.root.mkdir(parents=True, exist_ok=True)
        self.manifest.write(self.root)
        write_file(self.root / RUN_TOML, config_text(self.job).encode())
        try:
            kept = self._keep_parts()
            for part in play_parts(self.job, threads=threads, skip=kept, on_chunk=on_chunk):
                self._add(part)
            state = "complete"
        finally:
            self.manifest.end(state, perf_counter() - start)
            self._write_manifest(state)

    def _write_manifest(self, state: State) -> None:
        try:
            self.manifest.write(self.root)
        except OSError:
            if state == "complete":  # else the error that stopped the run counts: a full disk refuses the manifest too
                raise

    def _add(self, part: Part) -> None:
        self.manifest.parts.append(write_part(self.root, self.job, part.range, part.block))
        self.summary.add(part.block)

    def _keep_parts(self) -> set[int]:
        """Indices of the whole parts of this job that lie in the folder; temporary files of a killed run go."""
        for leftover in self.root.glob("**/.*.tmp"):
            leftover.unlink()
        return {part.number for part in self.job.parts() if self._keep(part)}

    def _keep(self, part: PartRange) -> bool:
        path = part_path(self.job, part.number)
        if not (self.root / path).exists():
            return False
        try:
            table, footer = read_part(self.root / path)
        except RunError:
            return False
        if footer != footer_of(self.job, part):
            return False
        self.manifest.parts.append(entry_of(path, part, table.num_rows, (self.root / path).read_bytes()))
        self.summary.add(block_of_table(table))
        return True


def _interrupted_text(out: Path | None) -> str:
    if out is None:
        return "interrupted; nothing was written (give --out to keep what was played)"
    if not (out / RUN_TOML).exists():
        return "interrupted; nothing was written yet"
    line = shlex.join(["buraco", "simulate", "--config", str(out / RUN_TOML), "--out", str(out), "--resume"])
    return f"interrupted; the parts that were written are kept\ncontinue: {line}"


def _command_line() -> list[str]:
    return ["buraco", *sys.argv[1:]] if Path(sys.argv[0]).stem in ("buraco", "__main__") else []
