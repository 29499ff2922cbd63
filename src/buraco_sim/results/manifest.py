"""The manifest of a run folder: what was asked for, by which version, on which machine, and what came of it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from buraco_sim import __version__
from buraco_sim.errors import RunError
from buraco_sim.job import SCHEMA_VERSION, Job, strategy_values
from buraco_sim.results.parts import PartEntry, write_file
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy

MANIFEST: Final = "manifest.json"

State = Literal["running", "complete", "interrupted"]


@dataclass(slots=True)
class Manifest:
    """The contents of ``manifest.json``; the order of the attributes is that of the file.

    ``series`` lists what is played: variant, the names at the seats, whether mirrored, whether in matches, folder, deals,
    signature. ``rules`` and ``strategies`` hold the resolved values by name. ``deals`` and ``signature`` above them are
    the most deals of a series and the signature of the first.
    """

    schema_version: int
    engine_version: str
    git_commit: str | None
    signature: str
    command: list[str]
    state: State
    seed: int
    first_deal: int
    deals: int
    part_deals: int
    rows: int
    series: list[dict[str, Any]]
    rules: dict[str, Any]
    strategies: dict[str, Any]
    machine: dict[str, Any]
    started: str
    ended: str | None = None
    seconds: float | None = None
    parts: list[PartEntry] = field(default_factory=list)

    @classmethod
    def of_job(cls, job: Job, signature: str, command: list[str]) -> Manifest:
        """The manifest of a run of one job that starts now."""
        return cls.of_jobs([job], [signature], command)

    @classmethod
    def of_jobs(cls, jobs: Sequence[Job], signatures: Sequence[str], command: list[str]) -> Manifest:
        """The manifest of a run that starts now; the jobs agree in seed, first deal and part size."""
        first = jobs[0]
        return cls(
            schema_version=SCHEMA_VERSION,
            engine_version=__version__,
            git_commit=git_commit(),
            signature=signatures[0],
            command=command,
            state="running",
            seed=first.seed,
            first_deal=first.first_deal,
            deals=max(job.deals for job in jobs),
            part_deals=first.part_deals,
            rows=0,
            series=[_series(job, signature) for job, signature in zip(jobs, signatures, strict=True)],
            rules={job.rules.name: job.rules.to_dict() for job in jobs},
            strategies={one.name: strategy_values(one) for job in jobs for one in job.seats},
            machine=machine(),
            started=now(),
        )

    @classmethod
    def read(cls, root: Path) -> Manifest:
        """Read the manifest of a run folder.

        Raises
        ------
        RunError
            If there is none, or it is damaged, or of another schema version.
        """
        path = root / MANIFEST
        try:
            values = json.loads(path.read_bytes())
        except FileNotFoundError:
            raise RunError(f"{root}: no run folder: it has no {MANIFEST}") from None
        except (OSError, ValueError, RecursionError) as error:
            raise RunError(f"{path}: cannot read the manifest: {error}") from None
        return cls._of_values(path, values)

    @classmethod
    def _of_values(cls, path: Path, values: Any) -> Manifest:
        names = {one.name for one in fields(cls)}
        if not isinstance(values, dict) or names - values.keys():
            missing = sorted(names - values.keys()) if isinstance(values, dict) else ["everything"]
            raise RunError(f"{path}: damaged manifest, missing: {', '.join(missing)}")
        if values["schema_version"] != SCHEMA_VERSION:
            raise RunError(f"{path}: schema version {values['schema_version']!r}, this version reads {SCHEMA_VERSION}")
        try:
            parts = [PartEntry(**entry) for entry in values["parts"]]
        except TypeError as error:
            raise RunError(f"{path}: damaged list of parts: {error}") from None
        return cls(**{name: values[name] for name in names - {"parts"}}, parts=parts)

    def write(self, root: Path) -> None:
        """Write the manifest into a run folder, whole or not at all."""
        write_file(root / MANIFEST, json.dumps(asdict(self), indent=1).encode() + b"\n")

    def end(self, state: State, seconds: float) -> None:
        """Note how the run ended; `seconds` is the time of playing and writing."""
        self.state = state
        self.ended = now()
        self.seconds = round(seconds, 3)
        self.parts.sort(key=lambda entry: entry.path)
        self.rows = sum(entry.rows for entry in self.parts)

    def jobs(self) -> list[Job]:
        """The jobs of this run, rebuilt from the resolved rules and strategies.

        Raises
        ------
        InputError
            If the stored rules or strategies are no longer valid.
        """
        strategies = {name: Strategy.from_dict(values) for name, values in self.strategies.items()}
        return [
            Job(
                rules=Ruleset.from_dict(self.rules[one["variant"]], name=one["variant"]),
                seats=tuple(strategies[name] for name in one["seats"]),
                mirror=one["mirror"],
                seed=self.seed,
                first_deal=self.first_deal,
                deals=one["deals"],
                part_deals=self.part_deals,
                matches=one["matches"],
            )
            for one in self.series
        ]


def _series(job: Job, signature: str) -> dict[str, Any]:
    return {
        "variant": job.rules.name,
        "seats": [one.name for one in job.seats],
        "mirror": job.mirror,
        "matches": job.matches,
        "folder": job.folder.as_posix(),
        "deals": job.deals,
        "signature": signature,
    }


def now() -> str:
    """The time in UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def machine() -> dict[str, Any]:
    """What matters of this machine for speed: never part of a Parquet file."""
    return {"system": platform.platform(), "cpus": os.cpu_count(), "python": sys.version.split()[0], "processor": platform.machine()}


def git_commit() -> str | None:
    """Commit of the source if it lies in a git checkout, else None."""
    try:
        run = subprocess.run(["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, timeout=5, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return run.stdout.strip() or None
