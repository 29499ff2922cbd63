"""Is a run folder what it says, and are deals by the rules: bytes, footers, rows, and the referee's judgement."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from buraco_sim import referee
from buraco_sim.errors import BuracoError, RunError
from buraco_sim.job import Job, PartRange
from buraco_sim.replay import replay_deal
from buraco_sim.results.columns import block_of_table
from buraco_sim.results.manifest import Manifest
from buraco_sim.results.match_table import results_of
from buraco_sim.results.parts import PartEntry, StoredPart, footer_of, matches_name, part_name, read_part
from buraco_sim.results.reader import Run
from buraco_sim.results.store import Store
from buraco_sim.simulate import signature

PARTS_SHOWN: Final = 5
_UNLISTED: Final = "are in no manifest"


@dataclass(slots=True)
class Report:
    """What was checked and what is wrong.

    Attributes
    ----------
    parts, rows, deals : int
        Parts and rows that were read; deals that were refereed.
    problems : list of str
        One line each; empty if all is well.
    """

    parts: int = 0
    rows: int = 0
    deals: int = 0
    problems: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values."""
        return asdict(self)

    def text(self) -> str:
        """One line: what was checked, and how many problems there are."""
        checked = ((self.parts, "parts"), (self.rows, "rows"), (self.deals, "deals refereed"), (len(self.problems), "problems"))
        return ", ".join(f"{what}: {number:,}" for number, what in checked)


def verify_trace(lines: Iterable[bytes]) -> Report:
    """Referee every deal of a trace.

    Parameters
    ----------
    lines : iterable of bytes
        JSON lines, of one deal or of several.
    """
    report = Report()

    def read() -> Iterator[Any]:
        for line in lines:
            value = _json_or_text(line)
            report.deals += isinstance(value, dict) and value.get("type") == "deal"
            yield value

    report.problems = [str(breach) for breach in referee.verify_trace(read())]
    if report.deals == 0 and not report.problems:
        report.problems.append("the trace is empty, expected a deal line first")
    return report


def verify_run(where: str | Path | Store, *, sample: int = 0) -> Report:
    """Check every part of a run folder against its manifest, and replay some of its rows.

    Parameters
    ----------
    where : str, Path or Store
        The run folder, or an address such as ``s3://bucket/run``.
    sample : int
        Rows to replay: each is refereed, and recomputed from its trace by the referee.

    Raises
    ------
    RunError
        If the folder has no readable manifest.
    """
    run = Run.open(where)
    report = Report()
    names = run.store.names()
    parts = [
        _ExpectedPart(job, part, part_name(job, part), footer_of(description, part))
        for job, description in zip(run.manifest.jobs(), run.manifest.descriptions(), strict=True)
        for part in job.parts()
    ]
    whole = [part for part in parts if part.name in names and _check_part(run, part, report)]
    _check_names(run, {part.name for part in parts}, names, report)
    if sample and whole and _plays_as_then(run, report):
        random = Random(run.manifest.seed)
        for _ in range(sample):
            _check_row(run, random.choice(whole), random, report)
    return report


class _ExpectedPart(NamedTuple):
    """A part that a run has when it is complete; `footer` as the version that played it wrote it."""

    job: Job
    range: PartRange
    name: str
    footer: dict[str, Any]


def _json_or_text(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line.decode(errors="replace").strip()


def _check_part(run: Run, part: _ExpectedPart, report: Report) -> bool:
    """Whether a part is whole; adds what is wrong to the report."""
    entry = next((one for one in run.manifest.parts if one.path == part.name), None)
    try:
        stored = read_part(run.store, part.name, entry)
        _check_contents(run.store.at(part.name), part, stored, entry)
        if part.job.matches:
            _check_matches(run.store, part, stored, entry)
    except BuracoError as error:
        report.problems.append(str(error))
        return False
    report.parts += 1
    report.rows += stored.table.num_rows
    return True


def _check_contents(where: str, part: _ExpectedPart, stored: StoredPart, entry: PartEntry | None) -> None:
    for key, value in part.footer.items():
        if stored.footer.get(key) != value:
            raise RunError(f"{where}: the footer has another {key.replace('_', ' ')} than the manifest: a part of another run")
    first, stop = part.range.first, part.range.stop
    n_rows = stored.table.num_rows
    if entry is not None and entry.rows != n_rows:
        raise RunError(f"{where}: {n_rows} rows, expected {entry.rows}")
    deals, tables = (stored.table.column(name).to_numpy() for name in ("deal", "table"))
    if not _are_in_order(part.job, deals, tables, first, stop):
        raise RunError(f"{where}: the rows are not those of deals {first} to {stop - 1} in order")


def _check_matches(store: Store, part: _ExpectedPart, stored: StoredPart, entry: PartEntry | None) -> None:
    """The table of the matches of a part is what its deals say, and has the bytes of the manifest."""
    name = matches_name(part.job, part.range)
    try:
        data = store.read(name)
    except OSError as error:
        raise RunError(f"{store.at(name)}: cannot read the table of matches: {error.strerror or error}") from None
    try:
        found = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True).read()
    except (pa.ArrowException, OSError):
        raise RunError(f"{store.at(name)}: the table of matches is truncated or damaged") from None
    # Rows, not bytes: another version of Arrow encodes otherwise.
    if not found.replace_schema_metadata(None).equals(results_of(block_of_table(stored.table), part.job.rules).to_arrow()):
        raise RunError(f"{store.at(name)}: the table of matches is not that of the deals")
    if entry is not None and entry.matches_sha256 not in (None, hashlib.sha256(data).hexdigest()):
        raise RunError(f"{store.at(name)}: the bytes are not those of the manifest (sha256 differs): the table of matches is damaged")


def _are_in_order(job: Job, deals: Any, tables: Any, first: int, stop: int) -> bool:
    """Whether rows are those of these deals by (deal, table); a match leaves out the deals that it did not need."""
    n_tables = len(job.tables)
    if not job.matches:
        expected = np.repeat(np.arange(first, stop), n_tables), np.tile(job.tables, stop - first)
        return np.array_equal(deals, expected[0]) and np.array_equal(tables, expected[1])
    place = deals * n_tables + tables
    return bool(np.isin(tables, job.tables).all() and (np.diff(place) > 0).all() and ((deals >= first) & (deals < stop)).all())


def _check_names(run: Run, expected: set[str], names: set[str], report: Report) -> None:
    """Whether every part is there, and no other."""
    foreign = {name for name in names if name.startswith("deals/")} - expected
    missing = sorted(expected - names)
    report.problems += [f"{run.store.at(name)}: a part that does not belong to this run" for name in sorted(foreign)]
    if run.manifest.state == "complete":
        report.problems += [f"{run.store.at(name)}: this part is missing" for name in missing]
        return
    unlisted = expected & names - {entry.path for entry in run.manifest.parts}
    counted = ", ".join(
        f"{len(some)} of {len(expected)} parts {what}" for some, what in ((missing, "are missing"), (unlisted, _UNLISTED)) if some
    )
    counted = counted or "all its parts are there"
    named = [name.rpartition("/")[2] for name in [*missing, *sorted(unlisted)]]
    states = ", ".join(f"{one.file_name} says {one.state}" for one in Manifest.read_all(run.store))
    listed = f" ({', '.join(named[:PARTS_SHOWN])}{', ...' if len(named) > PARTS_SHOWN else ''})" if named else ""
    report.problems.append(f"{run.store}: the run is not complete: {counted}{listed}; {states}")


def _plays_as_then(run: Run, report: Report) -> bool:
    """Whether engine and players still play the run's deals as they did; a replay would prove nothing otherwise."""
    then, now = run.manifest.signature, signature(run.manifest.jobs()[0])
    if then != now:
        report.problems.append(f"{run.store}: not replayed: engine or players have changed since (signature {then}, now {now})")
    return then == now


def _check_row(run: Run, part: _ExpectedPart, random: Random, report: Report) -> None:
    """Replay a random row of a part, referee it, and compare it with the stored row."""
    table = read_part(run.store, part.name).table
    index = random.randrange(table.num_rows)
    stored = block_of_table(table.slice(index, 1)).row(0)
    deal, at = stored["deal"], stored["table"]
    replayed = replay_deal(part.job, deal, at)
    lines = [json.loads(line) for line in replayed.lines()]
    where = f"{run.store.at(part.name)}: deal {deal}, table {at}"
    report.deals += 1
    try:
        refereed = referee.course_of_deal(lines)
    except referee.BreachError as error:
        report.problems.append(f"{where}: {error}")
        return
    for found, who in ((replayed.row, "the replay gives"), (refereed, "the referee counts")):
        wrong = [name for name in found if stored[name] != found[name]]
        if wrong:
            others = f", and {len(wrong) - 1} other columns" if len(wrong) > 1 else ""
            report.problems.append(f"{where}: {wrong[0]} is {stored[wrong[0]]}, {who} {found[wrong[0]]}{others}")
            return
