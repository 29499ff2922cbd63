"""The manifest of a run folder: what was asked for, by which version, on which machine, and what came of it."""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal

from buraco_sim import __version__
from buraco_sim.errors import RunError, shown
from buraco_sim.job import SCHEMA_VERSION, Job, Shard, strategy_values
from buraco_sim.results.parts import PartEntry
from buraco_sim.results.store import Store, store_at
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy

MANIFEST: Final = "manifest.json"
SOURCES: Final = "strategies/"  # of a run folder: the files of users' strategies
READABLE: Final = range(1, SCHEMA_VERSION + 1)  # schema versions; what has been written stays readable
_SHARD_MANIFEST: Final = re.compile(r"manifest-[0-9]+-of-[0-9]+\.json")

State = Literal["running", "complete", "interrupted"]


@dataclass(slots=True)
class Manifest:
    """The contents of ``manifest.json``; the order of the attributes is that of the file.

    ``series`` lists what is played: variant, the names at the seats, whether mirrored, whether in matches, folder, deals,
    signature. ``rules`` and ``strategies`` hold the resolved values by name. ``deals`` and ``signature`` above them are
    the most deals of a series and the signature of the first.

    A shard (``2/3``) has a file of its own, ``manifest-2-of-3.json``, so that shards may be written into one folder at the
    same time, or be copied together: it describes the whole run, and lists its own parts.
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
    shard: str | None = None
    parts: list[PartEntry] = field(default_factory=list)
    sources: dict[str, bytes] = field(default_factory=dict)  # files of users' strategies by name: beside the manifest, not in it

    @classmethod
    def of_jobs(cls, jobs: Sequence[Job], signatures: Sequence[str], command: list[str], shard: Shard | None = None) -> Manifest:
        """The manifest of a run, or of a shard of it, that starts now; the jobs agree in seed, first deal and part size."""
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
            shard=None if shard is None else str(shard),
            sources={one.file_name: one.code for job in jobs for one in job.seats if one.code},
        )

    @classmethod
    def read(cls, where: Store | str | Path) -> Manifest:
        """Read the manifest of a run folder, or those of its shards as one.

        Raises
        ------
        RunError
            If there is none, or one is damaged, of a newer schema version, or of another run than the others.
        """
        found = cls.read_all(store_at(where))
        if not found:
            raise RunError(f"{where}: no run folder: it has no {MANIFEST}")
        return found[0] if found[0].shard is None and len(found) == 1 else _merged(where, found)

    @classmethod
    def read_all(cls, store: Store) -> list[Manifest]:
        """Every manifest of a run folder: that of the run, those of its shards."""
        try:
            names = manifest_names(store.names())
        except OSError as error:
            raise RunError(f"{store}: cannot read the folder: {error.strerror or error}") from None
        return [cls._read_one(store, name) for name in names]

    @classmethod
    def _read_one(cls, store: Store, name: str) -> Manifest:
        try:
            values = json.loads(store.read(name))
        except (OSError, ValueError, RecursionError) as error:
            raise RunError(f"{store.at(name)}: cannot read the manifest: {error}") from None
        manifest = cls._of_values(store.at(name), values)
        manifest.sources = {
            name.removeprefix(SOURCES): store.read(name)
            for name in store.names()
            if name.startswith(SOURCES) and any("sha256" in one for one in manifest.strategies.values())
        }
        return manifest

    @classmethod
    def _of_values(cls, where: str, values: Any) -> Manifest:
        if not isinstance(values, dict) or _REQUIRED - values.keys():
            missing = sorted(_REQUIRED - values.keys()) if isinstance(values, dict) else ["everything"]
            raise RunError(f"{where}: damaged manifest, missing: {', '.join(missing)}")
        if values["schema_version"] not in READABLE:
            raise RunError(f"{where}: schema version {shown(values['schema_version'])}, this version reads up to {SCHEMA_VERSION}")
        wrong = [key for key, kind in _KINDS.items() if key in values and not isinstance(values[key], kind)]
        if wrong:
            raise RunError(f"{where}: damaged manifest: {wrong[0]} = {shown(values[wrong[0]])}")
        try:
            names = {one.name for one in fields(PartEntry)}
            parts = [PartEntry(**{name: entry[name] for name in names & entry.keys()}) for entry in values["parts"]]
        except (TypeError, AttributeError) as error:
            raise RunError(f"{where}: damaged list of parts: {error}") from None
        known = {one.name for one in fields(cls)} - {"parts", "sources"}
        return cls(**{name: value for name, value in values.items() if name in known}, parts=parts)

    @property
    def file_name(self) -> str:
        """Name of the file within the run folder."""
        return MANIFEST if self.shard is None else f"manifest-{self.shard.replace('/', '-of-')}.json"

    def write(self, where: Store | str | Path) -> None:
        """Write the manifest into a run folder, whole or not at all."""
        values = asdict(self)
        del values["sources"]
        store_at(where).write(self.file_name, json.dumps(values, indent=1).encode() + b"\n")

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
        strategies = {name: strategy_of(values, self.sources) for name, values in self.strategies.items()}
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

    def descriptions(self) -> list[dict[str, Any]]:
        """What :meth:`Job.describe` said of each job, in the version that played it: so the footers of the parts say it."""
        return [
            {
                "schema_version": self.schema_version,
                "engine_version": self.engine_version,
                "variant": one["variant"],
                "rules": self.rules[one["variant"]],
                "strategies": {name: self.strategies[name] for name in one["seats"]},
                "seats": one["seats"],
                "mirror": one["mirror"],
                "seed": self.seed,
                "part_deals": self.part_deals,
            }
            | ({"matches": True} if one["matches"] else {})
            for one in self.series
        ]

    def difference_to(self, other: Manifest, *, deals: bool = True) -> str:
        """What this run plays otherwise than the other one, the first thing in words; empty if both are the same run.

        The numbers of deals count only if `deals`.
        """
        if len(self.series) != len(other.series):
            return f"another number of series: {len(self.series)} instead of {len(other.series)}"
        for mine, theirs in zip(self._played(), other._played(), strict=True):
            for key, value in theirs.items():
                if mine.get(key) != value and (deals or key != "deals"):
                    return f"another {key.replace('_', ' ')}: {shown(mine.get(key))} instead of {shown(value)}"
        return ""

    def _played(self) -> list[dict[str, Any]]:
        """What decides the rows of each series, and which they are."""
        return [
            description
            | {"matches": one["matches"], "first_deal": self.first_deal, "deals": one["deals"]}
            | {"signature: engine or players have changed": one["signature"]}
            for description, one in zip(self.descriptions(), self.series, strict=True)
        ]


_REQUIRED: Final = {one.name for one in fields(Manifest) if one.default is MISSING and one.default_factory is MISSING} | {"parts"}
_KINDS: Final[dict[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(("seed", "first_deal", "deals", "part_deals", "rows"), int),
    **dict.fromkeys(("rules", "strategies", "machine"), dict),
    **dict.fromkeys(("series", "parts", "command"), list),
    **dict.fromkeys(("engine_version", "signature", "state", "started"), str),
    "shard": (str, type(None)),
}


def strategy_of(values: dict[str, Any], sources: dict[str, bytes]) -> Strategy:
    """A strategy of a run; a user's file that is not there is an error only where it is played."""
    return Strategy.from_dict(values, folder=SOURCES, code=sources.get(str(values.get("policy")).partition(":")[0], b""))


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


def manifest_names(names: set[str]) -> list[str]:
    """Those of the names in a folder that are manifests: that of the run first, then those of shards."""
    return [name for name in (MANIFEST,) if name in names] + sorted(filter(_SHARD_MANIFEST.fullmatch, names))


def _merged(where: Store | str | Path, found: list[Manifest]) -> Manifest:
    """Several manifests of one run as one: complete if together they list every part."""
    first = found[0]
    for other in found[1:]:
        if difference := other.difference_to(first):
            raise RunError(f"{where}: {other.file_name} is of another run than {first.file_name}: it has {difference}")
    entries = {entry.path: entry for one in reversed(found) for entry in one.parts}
    n_parts = sum(1 for job in first.jobs() for _ in job.parts())
    ended = [one.ended for one in found if one.ended is not None]
    return replace(
        first,
        state="complete" if len(entries) == n_parts else "running" if any(one.state == "running" for one in found) else "interrupted",
        rows=sum(entry.rows for entry in entries.values()),
        started=min(one.started for one in found),
        ended=max(ended, default=None),
        seconds=round(sum(one.seconds or 0.0 for one in found), 3),
        shard=None,
        parts=sorted(entries.values(), key=lambda entry: entry.path),
    )


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
