"""A study of variants: the same shuffles under all of them, what players make of it, and one report's worth of figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from buraco_sim.balance.campaign import play_jobs
from buraco_sim.balance.choices import SAMPLE, Choices, choices_of
from buraco_sim.balance.duels import Duel, duel_of
from buraco_sim.balance.matches import MatchFigures, matches_of
from buraco_sim.balance.players import default_ladder, restricted_forms
from buraco_sim.balance.series import Series, series_of
from buraco_sim.balance.table import BalanceTable, balance_table
from buraco_sim.job import DEFAULT_PLAYERS, DEFAULT_SEED, Job, Players, make_job
from buraco_sim.results.manifest import MANIFEST
from buraco_sim.results.reader import Run
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import OnChunk
from buraco_sim.strategies import Strategy, tuned_form

DEALS: Final = 100_000
DUEL_DEALS: Final = 2_000  # mirrored pairs of a rung of the ladder, or of a restriction
DUELS: Final = "duels"  # folder within a study: the run of players against players


@dataclass(frozen=True, slots=True)
class Study:
    """What is known of some series.

    Attributes
    ----------
    table : BalanceTable
    choices : list of Choices
        From replayed deals, one a series; empty if none were replayed.
    duels : list of Duel
        Rungs of the ladder and restrictions, by variant.
    matches : list of MatchFigures
    """

    table: BalanceTable
    choices: list[Choices] = field(default_factory=list)
    duels: list[Duel] = field(default_factory=list)
    matches: list[MatchFigures] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        parts = {name: [one.to_dict() for one in getattr(self, name)] for name in ("choices", "duels", "matches")}
        return self.table.to_dict() | parts


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study is to play.

    Attributes
    ----------
    jobs : list of Job
        One a column of the table.
    duels : list of Job
        Players against players, mirrored.
    """

    jobs: list[Job]
    duels: list[Job]

    @property
    def rows(self) -> int:
        """Rows that will be played."""
        return sum(job.rows for job in (*self.jobs, *self.duels))


def plan(
    variants: Sequence[str | Path | Ruleset],
    players: Players = DEFAULT_PLAYERS,
    *,
    deals: int = DEALS,
    seed: int = DEFAULT_SEED,
    tuned: bool = True,
    ladder: Sequence[str | Strategy] | None = None,
    restricted: Sequence[str | Strategy] | None = None,
    duel_deals: int = DUEL_DEALS,
) -> Plan:
    """Say what a study is to play; see :func:`balance`."""
    rulesets = [one if isinstance(one, Ruleset) else Ruleset.load(one) for one in variants]
    jobs = [make_job(rules, players, deals=deals, seed=seed) for rules in rulesets]
    player = jobs[0].seats[0]
    if tuned:
        jobs += [make_job(rules, name, deals=deals, seed=seed) for rules in rulesets if (name := tuned_form(player.name, rules.name))]
    rungs = list(default_ladder(player.name) if ladder is None else ladder)
    pairs = [(upper, lower) for lower, upper in pairwise(rungs)]
    pairs += [(player, one) for one in (restricted_forms(player) if restricted is None else restricted)]
    duels = [make_job(rules, pair, deals=duel_deals, seed=seed, mirror=True) for rules in rulesets for pair in pairs]
    return Plan(jobs, duels)


def balance(
    variants: Sequence[str | Path | Ruleset],
    players: Players = DEFAULT_PLAYERS,
    *,
    deals: int = DEALS,
    seed: int = DEFAULT_SEED,
    out: str | Path | None = None,
    baseline: str | None = None,
    tuned: bool = True,
    ladder: Sequence[str | Strategy] | None = None,
    restricted: Sequence[str | Strategy] | None = None,
    duel_deals: int = DUEL_DEALS,
    threads: int | None = None,
) -> Study:
    """Play the same shuffles under several variants and compare them.

    Parameters
    ----------
    variants : sequence of str, Path or Ruleset
    players : str, Strategy or sequence of these
        As for :func:`buraco_sim.simulate`.
    deals, seed : int
        Shuffles under each variant.
    out : str or Path, optional
        Run folder to keep; without, the rows are gone afterwards.
    baseline : str, optional
        Variant that the others are compared with, by default the first.
    tuned : bool
        A second column for each variant that has weights of this player tuned for it.
    ladder : sequence of str or Strategy, optional
        Players from weak to strong, each against the one before; by default from random to this player. Empty: none.
    restricted : sequence of str or Strategy, optional
        Restricted forms of this player, each against the player itself; by default each restriction there is. Empty: none.
    duel_deals : int
        Mirrored pairs of each of these.
    threads : int, optional
        By default one a core; the rows do not depend on it.

    Returns
    -------
    Study

    Raises
    ------
    InputError, RunError
        If something is not valid, the folder holds another run, or a strategy chose an illegal action.

    Examples
    --------
    >>> import buraco_sim as b
    >>> study = b.balance(["stbl", "buraco-aberto"], "greedy", deals=50, duel_deals=2)
    >>> study.table.labels
    ['stbl', 'buraco-aberto']
    >>> study.table.figures["turns"][0].value > 20
    True
    """
    more: dict[str, Any] = {"tuned": tuned, "ladder": ladder, "restricted": restricted, "duel_deals": duel_deals}
    wanted = plan(variants, players, deals=deals, seed=seed, **more)
    if out is not None:
        return play_plan(wanted, Path(out), baseline=baseline, threads=threads)
    with TemporaryDirectory(prefix="buraco-") as folder:
        return play_plan(wanted, Path(folder), baseline=baseline, threads=threads)


def play_plan(
    wanted: Plan,
    out: Path,
    *,
    baseline: str | None = None,
    threads: int | None = None,
    resume: bool = False,
    on_chunk: OnChunk | None = None,
) -> Study:
    """Play a plan into a run folder, and study it."""
    play_jobs(wanted.jobs, out, threads=threads, resume=resume, on_chunk=on_chunk)
    if wanted.duels:
        play_jobs(wanted.duels, out / DUELS, threads=threads, resume=resume, on_chunk=on_chunk)
    return study_runs([Run.open(out)], baseline=baseline)


def study_runs(runs: Sequence[Run], *, baseline: str | None = None, sample: int = SAMPLE) -> Study:
    """Study run folders: every series in them, and the duels that lie with them.

    Parameters
    ----------
    runs : sequence of Run
    baseline : str, optional
        Label of a series, by default the first.
    sample : int
        Deals of each series to replay for what the columns do not tell; 0 replays none.

    Raises
    ------
    InputError, RunError
        If a part is missing, or there is no such baseline.
    """
    series = series_of(runs)
    duels = _duels(runs)
    return Study(
        table=balance_table(series, baseline),
        choices=[choices_of(one, sample) for one in series] if sample else [],
        duels=[duel_of(one, restricted=is_restricted(one)) for one in duels],
        matches=[figures for one in (*series, *(one for one in duels if not is_restricted(one))) for figures in matches_of(one)],
    )


def is_restricted(series: Series) -> bool:
    """Whether this is a player against a restricted form of itself."""
    a, b = series.job.seats_at(0)[:2]
    return a.policy == b.policy and bool(b.restrictions) and not a.restrictions


def _duels(runs: Sequence[Run]) -> list[Series]:
    found = [Run.open(run.root / DUELS) for run in runs if (run.root / DUELS / MANIFEST).exists()]
    return series_of(found) if found else []
