"""Run folders: starting one, writing its parts, reading it back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pyarrow as pa

from buraco_sim.errors import InputError, RunError
from buraco_sim.job import Job
from buraco_sim.results.columns import ARROW_SCHEMA
from buraco_sim.results.manifest import MANIFEST, Manifest, manifest_names
from buraco_sim.results.parts import PartEntry, read_part
from buraco_sim.results.store import FolderStore, Store, store_at

RUN_TOML: Final = "run.toml"


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder, on disk or in an object store.

    Attributes
    ----------
    store : Store
        Where its files lie.
    manifest : Manifest
        What its manifest says, or those of its shards together.
    """

    store: Store
    manifest: Manifest

    @classmethod
    def open(cls, where: str | Path | Store) -> Run:
        """Open a run folder, or what lies at an address such as ``s3://bucket/run``.

        Raises
        ------
        RunError
            If the folder holds no readable manifest.
        """
        store = store_at(where)
        return cls(store, Manifest.read(store))

    @property
    def root(self) -> Path:
        """The folder on disk.

        Raises
        ------
        RunError
            If the run lies in an object store.
        """
        if not isinstance(self.store, FolderStore):
            raise RunError(f"{self.store}: this needs a run on disk; copy the run to a folder first")
        return self.store.root

    def job(self, variant: str | None = None, players: str | None = None) -> Job:
        """The job of this run, chosen by variant and players where there are several.

        Raises
        ------
        InputError
            If none or more than one fits.
        """
        jobs = [job for job in self.manifest.jobs() if variant in (None, job.rules.name) and players in (None, *_player_texts(job))]
        if len(jobs) != 1:
            listed = "; ".join(f"--variant {one['variant']} --players {','.join(one['seats'])}" for one in self.manifest.series)
            raise InputError(f"{len(jobs)} series of the run fit", where=str(self.store), expected=f"one of: {listed}")
        return jobs[0]

    def entries(self, job: Job) -> list[PartEntry]:
        """What the manifest lists of a job's parts, in order."""
        folder = job.folder.as_posix() + "/"
        return [entry for entry in self.manifest.parts if entry.path.startswith(folder)]

    def tables(self, job: Job) -> Iterator[pa.Table]:
        """The parts of a job as Arrow tables, one at a time, every byte checked.

        Raises
        ------
        RunError
            Names the part that is missing, truncated or damaged.
        """
        for entry in self.entries(job):
            yield read_part(self.store, entry.path, entry).table.replace_schema_metadata(None)

    def table(self, variant: str | None = None, players: str | None = None) -> pa.Table:
        """All rows of a job as one Arrow table; see :meth:`job` for the choice."""
        tables = list(self.tables(self.job(variant, players)))
        return pa.concat_tables(tables) if tables else ARROW_SCHEMA.empty_table()


def refuse_other_run(store: Store, manifest: Manifest, *, resume: bool, deals: bool = True) -> dict[str, PartEntry]:
    """Refuse a folder that holds another run, or this one if it is not to be resumed.

    Parameters
    ----------
    store : Store
        The folder; it need not exist.
    manifest : Manifest
        Of the run, or the shard, that is about to be written. Other shards of the run may lie in the folder in any case.
    resume : bool
        Whether it goes on.
    deals : bool
        Whether a run of another number of deals is another run.

    Returns
    -------
    dict of str to PartEntry
        What is known of the parts that are there, by name.

    Raises
    ------
    InputError, RunError
        Names the folder and what lies in it, or what differs.
    """
    if isinstance(store, FolderStore) and store.root.exists() and not store.root.is_dir():
        raise InputError("this is a file", where=f"--out {store}", expected="a folder")
    used = _used_names(store, manifest)
    found = Manifest.read_all(store) if resume or not used else []
    if used and not found:
        raise RunError(f"--out {store}: the folder holds another run ({used[0]}); choose another folder, or continue it with --resume")
    for other in found:
        if difference := other.difference_to(manifest, deals=deals):
            raise RunError(f"{store}: cannot {'resume' if resume else 'add to it'}, the run there has {difference}")
    return {entry.path: entry for other in found for entry in other.parts}


def _used_names(store: Store, manifest: Manifest) -> list[str]:
    """Names that the run would write over; the other shards of a run are none."""
    names = store.names()
    manifests = manifest_names(names)
    if manifest.shard is not None and manifests and MANIFEST not in manifests:
        return [name for name in manifests if name == manifest.file_name]
    folders = {name.partition("/")[0] for name in names}
    return [*manifests, *(name for name in (RUN_TOML, "deals") if name in folders)]


def _player_texts(job: Job) -> set[str]:
    """The ways to name the players of a job: one for everybody, one a team, one a seat."""
    teams = [job.team_name(team) for team in (0, 1)]
    return {",".join(dict.fromkeys(teams)), ",".join(teams), ",".join(one.name for one in job.seats)}
