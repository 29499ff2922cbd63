"""A run folder while it is written: the manifest first, whole parts, the manifest last; what an earlier run left is kept."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import NamedTuple

from buraco_sim.config import config_text
from buraco_sim.errors import InputError, RunError
from buraco_sim.job import Job, PartRange
from buraco_sim.results.columns import Block, block_of_table
from buraco_sim.results.manifest import MANIFEST, Manifest
from buraco_sim.results.parts import entry_of, footer_of, part_path, read_part, write_file, write_part
from buraco_sim.results.reader import RUN_TOML, Run, refuse_used_folder, same_job


class Kept(NamedTuple):
    """Rows that an earlier run left: from the first deal of their part up to `stop`."""

    stop: int
    block: Block


class RunFolder(AbstractContextManager["RunFolder"]):
    """Writes a run folder of one or more jobs.

    Parameters
    ----------
    root : Path
        The folder; it may not hold another run.
    jobs : sequence of Job
        They differ in variant or players; a part of each lies in its own folder.
    signatures : sequence of str
        One a job.
    command : list of str
        The command line, for the manifest.
    resume : bool
        Keep what an earlier run of the same jobs left.
    grows : bool
        The number of deals is found while playing, and may differ from that of the earlier run.

    Raises
    ------
    InputError, RunError
        If two jobs would share a folder, or `root` holds another run.
    """

    def __init__(
        self, root: Path, jobs: Sequence[Job], signatures: Sequence[str], command: list[str], *, resume: bool = False, grows: bool = False
    ) -> None:
        self.root = root
        self.jobs = tuple(jobs)
        folders = [job.folder for job in jobs]
        if twice := next((folder for folder in folders if folders.count(folder) > 1), None):
            raise InputError(f"{twice.parts[1]} with {twice.name} twice", expected="variants or players of different names")
        self.manifest = Manifest.of_jobs(jobs, signatures, command)
        if resume and (root / MANIFEST).exists():
            same_job(Run.open(root), self.manifest, deals=not grows)
        else:
            refuse_used_folder(root)
        self.stops: dict[Path, int] = {}

    def __enter__(self) -> RunFolder:
        """Write the manifest and the configuration; temporary files of a killed run go."""
        self.started = perf_counter()
        self.root.mkdir(parents=True, exist_ok=True)
        self._write_heads()
        for leftover in self.root.glob("**/.*.tmp"):
            leftover.unlink()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Note how it ended, also after an error."""
        self.manifest.end("complete" if kind is None else "interrupted", perf_counter() - self.started)
        try:
            self._write_heads()
        except OSError:
            if kind is None:  # else the error that stopped the run counts: a full disk refuses the manifest too
                raise

    def find(self, job: Job, part: PartRange) -> Kept | None:
        """The rows of a part that lie in the folder, whole or (of a run that grows) from the first deal on; None if damaged or missing."""
        path = part_path(job, part.number)
        if not (self.root / path).exists():
            return None
        try:
            table, footer = read_part(self.root / path)
        except RunError:
            return None
        first, stop = footer.get("deals", (0, 0))
        if first != part.first or footer != footer_of(job, PartRange(part.number, first, stop)):
            return None
        self.stops[path] = stop
        found = PartRange(part.number, first, stop)
        self.manifest.parts.append(entry_of(path, found, table.num_rows, (self.root / path).read_bytes()))
        return Kept(stop, block_of_table(table))

    def add(self, job: Job, part: PartRange, block: Block) -> None:
        """Write a part, unless the folder has these rows already."""
        path = part_path(job, part.number)
        if self.stops.get(path, -1) >= part.stop:
            return
        self.manifest.parts = [entry for entry in self.manifest.parts if entry.path != path.as_posix()]
        self.manifest.parts.append(write_part(self.root, job, part, block))
        self.stops[path] = part.stop

    def end_at(self, job: Job, stop: int) -> None:
        """Say how many deals a job had, where that was found while playing; rows of an earlier run beyond stay."""
        index = self.jobs.index(job)
        beyond = [at for path, at in self.stops.items() if path.parent == job.folder]
        self.manifest.series[index]["deals"] = max([stop, *beyond]) - job.first_deal
        self.manifest.deals = max(one["deals"] for one in self.manifest.series)

    def _write_heads(self) -> None:
        self.manifest.write(self.root)
        if len(self.jobs) == 1:
            write_file(self.root / RUN_TOML, config_text(self.manifest.jobs()[0]).encode())
