"""Which of two players is better: mirrored pairs until a sequential test decides, or a fixed sample."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from math import erfc, isfinite, sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt

from buraco_sim.comparison import VERDICTS, Comparison, MatchFigures, Verdict, common_code
from buraco_sim.engine import seatings
from buraco_sim.errors import ExitCode, InputError, RunError, shown
from buraco_sim.interrupts import command_line, interruptible
from buraco_sim.job import DEFAULT_BUDGET, DEFAULT_EFFECT, DEFAULT_SEED, DEFAULT_VARIANT, MATCH_DEALS, Job, player_word, strategy_values
from buraco_sim.pairs import Rules, check_range, head_of, margins_of, pairs_job, plays_alike, stream_pairs
from buraco_sim.results.columns import Block
from buraco_sim.results.folder import RunFolder
from buraco_sim.results.match_table import results_of
from buraco_sim.results.reader import Run
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import OnChunk, Part, signature
from buraco_sim.stats.multiple import holm
from buraco_sim.stats.pairs import estimate_pairs
from buraco_sim.stats.resampling import bootstrap_interval
from buraco_sim.stats.sequential import SequentialTest, bounds, confidence_sequence, log_likelihood_ratios, look_sizes
from buraco_sim.strategies import Strategy


@dataclass(frozen=True, slots=True)
class Look:
    """What a live display shows after a look: pairs so far, mean, interval and ratios of the first undecided variant."""

    variant: str
    pairs: int
    mean: float
    low: float
    high: float
    ratios: tuple[float, float]

    def expected_pairs(self) -> int:
        """Pairs until a test ends, if its ratio goes on as it went so far: acceptance of one, or rejection of both."""
        low, high = bounds()
        accept = [high / ratio for ratio in self.ratios if ratio > 0]
        factor = min(accept) if accept else max(low / ratio for ratio in self.ratios if ratio < 0)
        return int(self.pairs * max(1.0, factor)) if isfinite(factor) else self.pairs

    def text(self) -> str:
        """The look in a line."""
        low, high = bounds()
        return (
            f"{self.variant} {self.mean:+.1f} ({self.low:+.1f} to {self.high:+.1f}), "
            f"llr {self.ratios[0]:+.2f} {self.ratios[1]:+.2f} of {low:+.2f} {high:+.2f}"
        )


OnLook = Callable[[Look], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What :func:`compare` returns.

    Attributes
    ----------
    results : tuple of Comparison
        One a variant.
    exit_code : ExitCode
        That of the command.
    """

    results: tuple[Comparison, ...]

    @property
    def exit_code(self) -> ExitCode:
        """Exit code of the command: that which all results share, else that of undecided."""
        return common_code(self.results)


def compare(
    a: str | Strategy,
    b: str | Strategy,
    variants: Rules | Sequence[Rules] | None = None,
    *,
    effect: float = DEFAULT_EFFECT,
    pairs: int | None = None,
    budget: int = DEFAULT_BUDGET,
    matches: bool = False,
    seed: int | None = None,
    threads: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    append: str | Path | None = None,
    on_look: OnLook | None = None,
    on_chunk: OnChunk | None = None,
) -> Outcome:
    """Compare two players by mirrored pairs, by default until it is decided.

    Parameters
    ----------
    a, b : str or Strategy
        Names, TOML files, or strategies.
    variants : rules, or sequence of rules
        By default ``stbl``, or those of `append`; several share the error by Holm's procedure and the shuffles.
    effect : float
        Points a pair that matter.
    pairs : int, optional
        Play a fixed sample of so many pairs instead.
    budget : int
        Most pairs of each variant.
    matches : bool
        A pair is one of matches, by the table `match` of the rules; points are those of the totals.
    seed : int, optional
        By default 108, or that of `append`.
    threads : int, optional
        By default one a core. The result does not depend on it.
    out, resume
        Run folder for the rows, and whether to go on with what it holds.
    append : str or Path, optional
        Go on from the pairs of an earlier run, in its folder.
    on_look, on_chunk : callable, optional
        Called while playing.

    Returns
    -------
    Outcome

    Raises
    ------
    InputError, RunError
        If something is not valid, a folder holds another run, or a player chose an illegal action.

    Examples
    --------
    >>> import buraco_sim as b
    >>> (result,) = b.compare("greedy", "random").results
    >>> result.verdict, result.pairs
    ('a', 200)
    """
    check_range("effect", effect, 0.01, 100_000)
    most = budget if pairs is None else pairs
    if append is None:
        listed = [variants] if isinstance(variants, str | Path | Ruleset) else list(variants or [DEFAULT_VARIANT])
        jobs = [pairs_job(one, (a, b), most, seed=DEFAULT_SEED if seed is None else seed, matches=matches) for one in listed]
        root = None if out is None else Path(out)
    else:
        if out is not None:
            raise InputError("both out and append", expected="one folder: append goes on in the folder of the earlier run")
        jobs = _jobs_to_append(Path(append), (a, b), variants, most, seed, matches)
        root = Path(append)
    with interruptible(root):
        for job in jobs:
            seatings(job)  # compiling counts for no rate
        play = _Comparing(jobs, effect, fixed=pairs is not None, on_look=on_look)
        with ExitStack() as stack:
            folder = None
            if root is not None:
                writer = RunFolder(root, jobs, play.signatures, command_line(), resume=resume or append is not None, grows=True)
                folder = stack.enter_context(writer)
            play.run(folder, threads, on_chunk)
    return Outcome(play.results())


class _Side:
    """One variant of a comparison while it is played."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.alike = plays_alike(job)
        self.margins: list[npt.NDArray[np.int64]] = []
        self.match_rows: list[Block] = []
        self.pairs = self.total = self.squares = 0  # before the part that is looked at; sums of margins of both tables
        self.ratios: tuple[float, float] | None = None

    def moments(self, margins: npt.NDArray[np.int64], n: int) -> tuple[float, float]:
        """Mean and standard deviation of the first `n` pairs, of which the last are the first of `margins`; exact sums."""
        doubled = margins[: n - self.pairs].sum(axis=1)
        total, squares = self.total + int(doubled.sum()), self.squares + int((doubled * doubled).sum())
        variance = (n * squares - total * total) / (n * (n - 1)) if n > 1 else 0.0
        return total / (2 * n), sqrt(variance) / 2

    def add(self, part: Part) -> None:
        """Count the pairs of a part."""
        margins = margins_of(part.block)
        doubled = margins.sum(axis=1)
        if self.alike and doubled.any():
            at = part.range.first + int(np.flatnonzero(doubled)[0])
            raise RunError(f"the same player twice, but pair {at} is not zero: a fault of the engine or of the player")
        self.margins.append(margins)
        self.pairs += len(margins)
        self.total += int(doubled.sum())
        self.squares += int((doubled * doubled).sum())
        if self.job.matches:
            self.match_rows.append(results_of(part.block, self.job.rules))


class _Comparing:
    """Plays all variants in step, looks at fixed numbers of pairs, and stops each where it is decided."""

    def __init__(self, jobs: Sequence[Job], effect: float, *, fixed: bool, on_look: OnLook | None) -> None:
        self.sides = [_Side(job) for job in jobs]
        self.signatures = [signature(job) for job in jobs]
        self.effect = effect
        self.fixed = fixed
        self.on_look = on_look
        self.test = SequentialTest((len(jobs),))
        self.unit = MATCH_DEALS if jobs[0].matches else 1

    def run(self, folder: RunFolder | None, threads: int | None, on_chunk: OnChunk | None) -> None:
        """Play until every variant is decided or at its end."""
        with ExitStack() as stack:
            streams: dict[int, Iterator[Part]] = {
                index: stack.enter_context(closing(stream_pairs(side.job, folder, threads=threads, on_chunk=on_chunk)))  # type: ignore[type-var]
                for index, side in enumerate(self.sides)
            }
            while streams:
                parts = {index: part for index, stream in streams.items() if (part := next(stream, None)) is not None}
                stops = self._look({index: margins_of(part.block) for index, part in parts.items()})
                for index in list(streams):
                    side = self.sides[index]
                    if index in parts:
                        part = parts[index]
                        if index in stops:
                            part = head_of(part, part.range.first + (stops[index] - side.pairs) * self.unit)
                        side.add(part)
                        if folder is not None:
                            folder.add(side.job, part.range, part.block)
                    if index in stops or index not in parts:
                        streams.pop(index).close()  # type: ignore[attr-defined]
                        if folder is not None:
                            folder.end_at(side.job, side.job.first_deal + side.pairs * self.unit)

    def _look(self, parts: dict[int, npt.NDArray[np.int64]]) -> dict[int, int]:
        """Look at the pairs of new parts; returns where variants are decided: index -> number of pairs."""
        stops: dict[int, int] = {}
        tested = [index for index in parts if not self.fixed or self.sides[index].alike]
        if not tested:
            return stops
        before = self.sides[tested[0]].pairs
        last = self.sides[tested[0]].job.deals // self.unit
        for n in look_sizes(before, before + max(len(parts[index]) for index in tested), last):
            ratios = np.full((len(self.sides), 2), np.nan)
            for index in tested:
                if index not in stops:
                    mean, sd = self.sides[index].moments(parts[index], n)
                    ratios[index] = log_likelihood_ratios(n, mean, sd, self.effect)
                    self.sides[index].ratios = (float(ratios[index, 0]), float(ratios[index, 1]))
            verdicts = self.test.look(ratios)
            stops |= {index: n for index in tested if index not in stops and verdicts[index]}
        if self.on_look is not None:
            self._show(next((index for index in tested if index not in stops), tested[0]), parts, stops)
        return stops

    def _show(self, index: int, parts: dict[int, npt.NDArray[np.int64]], stops: dict[int, int]) -> None:
        side = self.sides[index]
        n = stops.get(index, side.pairs + len(parts[index]))
        mean, sd = side.moments(parts[index], n)
        low, high = confidence_sequence(n, mean, sd)
        if self.on_look is not None and side.ratios is not None:
            self.on_look(Look(side.job.rules.name, n, mean, float(low), float(high), side.ratios))

    def results(self) -> tuple[Comparison, ...]:
        """The comparisons, in the order of the jobs."""
        found = tuple(self._result(index) for index in range(len(self.sides)))
        values = [one.p_value for one in found if one.p_value is not None]
        adjusted = iter(holm(values).tolist() if values else ())
        return tuple(one if one.p_value is None else replace(one, p_value=next(adjusted)) for one in found)

    def _result(self, index: int) -> Comparison:
        side = self.sides[index]
        job = side.job
        estimate = estimate_pairs(np.concatenate(side.margins))
        verdict: Verdict = "fixed" if self.fixed and not side.alike else VERDICTS[int(self.test.verdicts[index])]
        interval = estimate.interval
        if verdict != "fixed" and interval is not None:
            low, high = confidence_sequence(estimate.pairs, estimate.mean, estimate.sd)
            interval = (float(low), float(high))
        z = abs(estimate.mean) / (estimate.sd / sqrt(estimate.pairs)) if estimate.sd else 0.0
        return Comparison(
            a=job.team_name(0),
            b=job.team_name(1),
            variant=job.rules.name,
            pairs=estimate.pairs,
            mean=estimate.mean,
            interval=interval,
            sd_pair=estimate.sd,
            rho=estimate.rho,
            wins=estimate.wins,
            llr=side.ratios if side.ratios and all(map(isfinite, side.ratios)) else None,
            verdict=verdict,
            effect=self.effect,
            p_value=erfc(z / sqrt(2)) if verdict == "fixed" and estimate.sd else None,
            alike=side.alike,
            seed=job.seed,
            signature=self.signatures[index],
            command=self._command(job),
            matches=_match_figures(side) if job.matches else None,
        )

    def _command(self, job: Job) -> str:
        words = ["buraco", "compare", *(player_word(job.seats[team]) for team in (0, 1)), *job.rule_words()]
        words += [
            "--effect",
            f"{self.effect:g}",
            "--seed",
            str(job.seed),
            "--pairs" if self.fixed else "--budget",
            str(job.deals // self.unit),
        ]
        return shlex.join([*words, *["--matches"] * job.matches])


def _match_figures(side: _Side) -> MatchFigures:
    """Match results of the pairs that were played: values of A, from either table."""
    rows = Block.concat(side.match_rows)
    table = rows["table"].astype(np.int64)
    winner = rows["winner"].astype(np.int64)
    winner_side = np.where(winner < 0, 2, winner ^ table)
    won = np.bincount(winner_side, minlength=3)
    shares = np.array([1.0, 0.0, 0.5])[winner_side].reshape(-1, 2).mean(axis=1)
    points = None
    if not rows.nulls["vp_0"].any():
        points = np.where(table == 0, rows["vp_0"], rows["vp_1"]).reshape(-1, 2).mean(axis=1)
    return MatchFigures(
        won=(int(won[0]), int(won[1]), int(won[2])),
        share=float(shares.mean()),
        share_interval=bootstrap_interval(shares),
        deals=float(rows["deals"].mean()),
        victory_points=None if points is None else float(points.mean()),
        victory_points_interval=None if points is None else bootstrap_interval(points),
    )


def _jobs_to_append(
    root: Path,
    players: tuple[str | Strategy, str | Strategy],
    variants: Rules | Sequence[Rules] | None,
    pairs: int,
    seed: int | None,
    matches: bool,
) -> list[Job]:
    """The jobs of an earlier run with the new number of pairs, checked against what is asked for now."""
    found = Run.open(root).manifest.jobs()
    listed = [variants] if isinstance(variants, str | Path | Ruleset) else list(variants or [job.rules for job in found])
    wanted = [pairs_job(one, players, pairs, seed=found[0].seed if seed is None else seed, matches=matches) for one in listed]
    if len(found) != len(wanted):
        raise InputError(f"{len(wanted)} variants", where=f"--append {root}", expected=f"the {len(found)} of that run")
    jobs = []
    for mine, theirs in zip(wanted, found, strict=True):
        for name in ("variant", "rules", "strategies", "seats", "mirror", "seed"):
            asked, there = (_described(job)[name] for job in (mine, theirs))
            if asked != there:
                raise InputError(f"another {name} than the run: {shown(asked)}", where=f"--append {root}", expected=shown(there, 200))
        if mine.matches != theirs.matches:
            raise InputError("matches and single deals", where=f"--append {root}", expected="what the run has")
        jobs.append(replace(theirs, deals=mine.deals))
    return jobs


def _described(job: Job) -> dict[str, object]:
    return job.describe() | {"strategies": {one.name: strategy_values(one) for one in job.seats}}
