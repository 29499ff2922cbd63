"""Is a run folder what it says, and are deals by the rules: bytes, footers, rows, and the referee's judgement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa

from buraco_sim import referee
from buraco_sim.errors import BuracoError, RunError
from buraco_sim.job import Job, PartRange
from buraco_sim.replay import replay_deal
from buraco_sim.results.columns import block_of_table
from buraco_sim.results.parts import PART_GLOB, PartEntry, footer_of, part_path, read_part
from buraco_sim.results.reader import Run
from buraco_sim.simulate import signature


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


def verify_run(root: Path, *, sample: int = 0) -> Report:
    """Check every part of a run folder against its manifest, and replay some of its rows.

    Parameters
    ----------
    root : Path
        The run folder.
    sample : int
        Rows to replay: each is refereed, and recomputed from its trace by the referee.

    Raises
    ------
    RunError
        If the folder has no readable manifest.
    """
    run = Run.open(root)
    report = Report()
    jobs = run.manifest.jobs()
    parts = [(job, part) for job in jobs for part in job.parts()]
    present = [(job, part) for job, part in parts if (run.root / part_path(job, part.number)).exists()]
    whole = [(job, part) for job, part in present if _check_part(run, job, part, report)]
    _check_manifest(run, parts, report)
    if sample and whole and _plays_as_then(run, jobs, report):
        random = Random(run.manifest.seed)
        for _ in range(sample):
            _check_row(run, *random.choice(whole), random, report)
    return report


def _json_or_text(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return line.decode(errors="replace").strip()


def _check_part(run: Run, job: Job, part: PartRange, report: Report) -> bool:
    """Whether a part is whole; adds what is wrong to the report."""
    path = part_path(job, part.number)
    entry = next((one for one in run.manifest.parts if one.path == path.as_posix()), None)
    try:
        table, footer = read_part(run.root / path, entry)
        _check_contents(run.root / path, job, part, table, footer, entry)
    except BuracoError as error:
        report.problems.append(str(error))
        return False
    report.parts += 1
    report.rows += table.num_rows
    return True


def _check_contents(path: Path, job: Job, part: PartRange, table: pa.Table, footer: dict[str, Any], entry: PartEntry | None) -> None:
    expected = footer_of(job, part)
    for key, value in expected.items():
        if footer.get(key) != value:
            raise RunError(f"{path}: the footer has another {key.replace('_', ' ')} than the manifest: a part of another run")
    n_tables = len(job.tables)
    if table.num_rows != (part.stop - part.first) * n_tables or (entry is not None and entry.rows != table.num_rows):
        raise RunError(f"{path}: {table.num_rows} rows, expected {(part.stop - part.first) * n_tables}")
    deals, tables = (table.column(name).to_numpy() for name in ("deal", "table"))
    if not np.array_equal(deals, np.repeat(np.arange(part.first, part.stop), n_tables)) or not np.array_equal(
        tables, np.tile(job.tables, part.stop - part.first)
    ):
        raise RunError(f"{path}: the rows are not those of deals {part.first} to {part.stop - 1} in order")


def _check_manifest(run: Run, parts: list[tuple[Job, PartRange]], report: Report) -> None:
    expected = {part_path(job, part.number) for job, part in parts}
    found = {path.relative_to(run.root) for path in (run.root / "deals").rglob(PART_GLOB)}
    missing = sorted(expected - found)
    report.problems += [f"{run.root / path}: a part that does not belong to this run" for path in sorted(found - expected)]
    if run.manifest.state == "complete":
        report.problems += [f"{run.root / path}: this part is missing" for path in missing]
    else:
        state = f"its state is {run.manifest.state}, {len(missing)} of {len(expected)} parts are missing"
        report.problems.append(f"{run.root}: the run is not complete: {state}")


def _plays_as_then(run: Run, jobs: list[Job], report: Report) -> bool:
    """Whether engine and players still play the run's deals as they did; a replay would prove nothing otherwise."""
    then, now = run.manifest.signature, signature(jobs[0])
    if then != now:
        report.problems.append(f"{run.root}: not replayed: engine or players have changed since (signature {then}, now {now})")
    return then == now


def _check_row(run: Run, job: Job, part: PartRange, random: Random, report: Report) -> None:
    """Replay a random row of a part, referee it, and compare it with the stored row."""
    table, _ = read_part(run.root / part_path(job, part.number))
    index = random.randrange(table.num_rows)
    stored = block_of_table(table.slice(index, 1)).row(0)
    deal, at = stored["deal"], stored["table"]
    replayed = replay_deal(job, deal, at)
    lines = [json.loads(line) for line in replayed.lines()]
    where = f"{run.root / part_path(job, part.number)}: deal {deal}, table {at}"
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
