"""A run folder while it is written: the manifest first, whole parts, the manifest last; what an earlier run left is kept."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import NamedTuple

from buraco_sim.config import config_text
from buraco_sim.errors import InputError, RunError
from buraco_sim.job import Job, PartRange, Shard
from buraco_sim.results.columns import Block, block_of_table
from buraco_sim.results.manifest import SOURCES, Manifest
from buraco_sim.results.parts import PartEntry, encode_part, entry_of, footer_of, matches_name, part_name, read_part, write_part
from buraco_sim.results.reader import RUN_TOML, refuse_other_run
from buraco_sim.results.store import Store, store_at


class Kept(NamedTuple):
    """Rows that an earlier run left: from the first deal of their part up to `stop`."""

    stop: int
    block: Block


class RunFolder(AbstractContextManager["RunFolder"]):
    """Writes a run folder of one or more jobs.

    Parameters
    ----------
    where : str, Path or Store
        The folder, or an address such as ``s3://bucket/run``; it may not hold another run.
    jobs : sequence of Job
        They differ in variant or players; a part of each lies in its own folder.
    signatures : sequence of str
        One a job.
    command : list of str
        The command line, for the manifest.
    shard : Shard, optional
        Only this share of the parts will be written; others may be written into the folder at the same time.
    resume : bool
        Keep what an earlier run of the same jobs left.
    grows : bool
        The number of deals is found while playing, and may differ from that of the earlier run.

    Raises
    ------
    InputError, RunError
        If two jobs would share a folder, or `where` holds another run.
    """

    def __init__(
        self,
        where: str | Path | Store,
        jobs: Sequence[Job],
        signatures: Sequence[str],
        command: list[str],
        *,
        shard: Shard | None = None,
        resume: bool = False,
        grows: bool = False,
    ) -> None:
        self.store = store_at(where)
        self.jobs = tuple(jobs)
        folders = [job.folder for job in jobs]
        if twice := next((folder for folder in folders if folders.count(folder) > 1), None):
            raise InputError(f"{twice.parts[1]} with {twice.name} twice", expected="variants or players of different names")
        self.manifest = Manifest.of_jobs(jobs, signatures, command, shard)
        self.shard = shard
        self.known = refuse_other_run(self.store, self.manifest, resume=resume, deals=not grows)
        self.stops: dict[str, int] = {}

    def __enter__(self) -> RunFolder:
        """Write the manifest and the configuration; temporary files of a killed run go."""
        self.started = perf_counter()
        self.store.prepare("")
        with ExitStack() as opening:
            opening.push(self)  # an interruption from here on is noted too
            self._write_heads()
            self._make_room()
            opening.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Note how it ended, also after an error."""
        self.manifest.end("complete" if kind is None else "interrupted", perf_counter() - self.started)
        try:
            self._write_heads()
        except OSError:
            if kind is None:  # else the error that stopped the run counts: a full disk refuses the manifest too
                raise

    def _make_room(self) -> None:
        if self.manifest.sources:
            self.store.prepare(SOURCES)
        for file, code in self.manifest.sources.items():
            self.store.write(SOURCES + file, code)
        for job in self.jobs:
            for name in (part_name, matches_name) if job.matches else (part_name,):
                self.store.prepare(name(job, PartRange(0, 0, 0)).rpartition("/")[0])
        mine = {part_name(job, part) for job in self.jobs for part in self.parts(job)}
        self.store.clean(mine | {RUN_TOML, self.manifest.file_name})
        self.there = self.store.names()

    def parts(self, job: Job) -> list[PartRange]:
        """The parts of a job that are to be written here."""
        return list(job.parts()) if self.shard is None else self.shard.of(job.parts())

    def find(self, job: Job, part: PartRange) -> Kept | None:
        """The rows of a part that lie in the folder, whole or (of a run that grows) from the first deal on; None if damaged or missing.

        A part that no manifest lists must be, to the last byte, what would be written of its rows.
        """
        name = part_name(job, part)
        if name not in self.there or (job.matches and matches_name(job, part) not in self.there):
            return None
        entry = self.known.get(name)
        try:
            stored = read_part(self.store, name, entry)
            matches = self.store.read(matches_name(job, part)) if job.matches else None
        except (RunError, OSError):
            return None
        first, stop = stored.footer.get("deals", (0, 0))
        found = PartRange(part.number, first, stop)
        footer = footer_of(job.describe(), found)
        if first != part.first or stored.footer != footer:
            return None
        block = block_of_table(stored.table)
        if entry is None and stored.data != encode_part(block, footer):
            return None
        mine = entry_of(name, found, len(block), stored.data, matches)
        if entry is not None and entry.matches_sha256 not in (None, mine.matches_sha256):
            return None
        self.stops[name] = stop
        self.manifest.parts.append(mine)
        return Kept(stop, block)

    def add(self, job: Job, part: PartRange, block: Block) -> None:
        """Write a part, unless the folder has these rows already."""
        if self.stops.get(part_name(job, part), -1) < part.stop:
            self.take(write_part(self.store, job, part, block))

    def take(self, entry: PartEntry) -> None:
        """List a part that was written, in the place of what was there of it."""
        self.manifest.parts = [one for one in self.manifest.parts if one.path != entry.path]
        self.manifest.parts.append(entry)
        self.stops[entry.path] = entry.stop_deal

    def end_at(self, job: Job, stop: int) -> None:
        """Say how many deals a job had, where that was found while playing; rows of an earlier run beyond stay."""
        index = self.jobs.index(job)
        beyond = [at for name, at in self.stops.items() if name.startswith(f"{job.folder.as_posix()}/")]
        self.manifest.series[index]["deals"] = max([stop, *beyond]) - job.first_deal
        self.manifest.deals = max(one["deals"] for one in self.manifest.series)

    def _write_heads(self) -> None:
        self.manifest.write(self.store)
        if len(self.jobs) == 1:
            self.store.write(RUN_TOML, config_text(self.manifest.jobs()[0]).encode())
