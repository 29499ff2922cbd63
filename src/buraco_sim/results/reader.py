"""Run folders: starting one, writing its parts, reading it back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from buraco_sim.errors import InputError, RunError, shown
from buraco_sim.job import Job
from buraco_sim.results.columns import ARROW_SCHEMA
from buraco_sim.results.manifest import MANIFEST, Manifest
from buraco_sim.results.parts import PartEntry, read_part

RUN_TOML: Final = "run.toml"


@dataclass(frozen=True, slots=True)
class Run:
    """A run folder on disk.

    Attributes
    ----------
    root : Path
        The folder.
    manifest : Manifest
        What its manifest says.
    """

    root: Path
    manifest: Manifest

    @classmethod
    def open(cls, root: str | Path) -> Run:
        """Open a run folder.

        Raises
        ------
        RunError
            If the folder holds no readable manifest.
        """
        return cls(Path(root), Manifest.read(Path(root)))

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
            raise InputError(f"{len(jobs)} series of the run fit", where=str(self.root), expected=f"one of: {listed}")
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
            yield read_part(self.root / entry.path, entry)[0].replace_schema_metadata(None)

    def table(self, variant: str | None = None, players: str | None = None) -> pa.Table:
        """All rows of a job as one Arrow table; see :meth:`job` for the choice."""
        tables = list(self.tables(self.job(variant, players)))
        return pa.concat_tables(tables) if tables else ARROW_SCHEMA.empty_table()


def refuse_used_folder(root: Path) -> None:
    """Refuse a folder that holds a run, or anything that a run would write over.

    Raises
    ------
    RunError
        Names the folder and what lies in it.
    """
    if root.exists() and not root.is_dir():
        raise InputError("this is a file", where=f"--out {root}", expected="a folder")
    for name in (MANIFEST, RUN_TOML, "deals"):
        if (root / name).exists():
            raise RunError(f"--out {root}: the folder holds another run ({name}); choose another folder, or continue it with --resume")


def same_job(run: Run, manifest: Manifest, *, deals: bool = True) -> None:
    """Check that a run folder is of the same jobs as a manifest that starts, and was played by the same engine.

    Raises
    ------
    RunError
        Names the first thing that differs.
    """
    found, wanted = run.manifest, manifest
    pairs = list(zip(map(_all_of, wanted.jobs()), map(_all_of, found.jobs()), strict=False))
    differing = [(key, theirs[key], value) for mine, theirs in pairs for key, value in mine.items() if theirs.get(key) != value]
    differing += [("number of series", len(found.series), len(wanted.series))] * (len(found.series) != len(wanted.series))
    then, now = ([one["signature"] for one in each.series] for each in (found, wanted))
    differing += [("signature: engine or players have changed", then, now)] * (then != now)
    for key, theirs, mine in differing:
        if deals or key != "deals":
            what = f"another {key.replace('_', ' ')}: {shown(theirs)} instead of {shown(mine)}"
            raise RunError(f"{run.root}: cannot resume, the run there has {what}")


def _player_texts(job: Job) -> set[str]:
    """The ways to name the players of a job: one for everybody, one a team, one a seat."""
    teams = [job.team_name(team) for team in (0, 1)]
    return {",".join(dict.fromkeys(teams)), ",".join(teams), ",".join(one.name for one in job.seats)}


def _all_of(job: Job) -> dict[str, Any]:
    return job.describe() | {"matches": job.matches, "first_deal": job.first_deal, "deals": job.deals}
