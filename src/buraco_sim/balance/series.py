"""What is compared: the rows of one variant with its players, wherever they lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from buraco_sim.errors import InputError, RunError
from buraco_sim.job import Job
from buraco_sim.results.reader import Run


@dataclass(frozen=True, slots=True)
class Series:
    """The rows of one job of a run.

    Attributes
    ----------
    label : str
        What it is called in tables, unique among the series compared.
    run : Run
    job : Job
    """

    label: str
    run: Run
    job: Job

    def paths(self) -> list[Path]:
        """The parts, in the order of their deals.

        Raises
        ------
        RunError
            Names a part that is missing.
        """
        paths = [self.run.root / entry.path for entry in self.run.entries(self.job)]
        missing = [path for path in paths if not path.exists()]
        if missing or not paths:
            raise RunError(f"{missing[0]}: this part is missing" if missing else f"{self.run.root}: no rows of {self.label}")
        return paths

    @property
    def shuffles(self) -> tuple[int, ...]:
        """Equal for series whose parts hold the same deals, so that they can be compared deal by deal."""
        job = self.job
        alone = id(self) if job.matches else 0  # a match has as many deals as it needs
        return (alone, job.seed, job.first_deal, job.part_deals, *(entry.stop_deal for entry in self.run.entries(job)))


def series_of(runs: Iterable[Run]) -> list[Series]:
    """Every series of some runs, named by variant, and by players, seed or a number where that is not enough."""
    jobs = [(run, job) for run in runs for job in run.manifest.jobs()]
    names = [(job.rules.name, players_text(job), f"seed {job.seed}") for _, job in jobs]
    different = [len({name[place] for name in names}) > 1 for place in range(3)]
    alone = len({name[0] for name in names}) == len(names)
    labels = [" ".join(word for place, word in enumerate(name) if place == 0 or (different[place] and not alone)) for name in names]
    numbered = [f"{label} #{labels[:at].count(label) + 1}" if labels.count(label) > 1 else label for at, label in enumerate(labels)]
    return [Series(label, run, job) for label, (run, job) in zip(numbered, jobs, strict=True)]


def players_text(job: Job) -> str:
    """Who plays: one name for everybody, else one a team."""
    return ",".join(dict.fromkeys(job.team_name(team) for team in (0, 1)))


def find_label(labels: Sequence[str], wanted: str | None) -> str:
    """The baseline among the labels: the first, unless one is named.

    Raises
    ------
    InputError
        If there is none of that name.
    """
    if wanted is None:
        return labels[0]
    if wanted not in labels:
        raise InputError(f"--baseline {wanted!r}", expected=f"one of {', '.join(labels)}")
    return wanted
