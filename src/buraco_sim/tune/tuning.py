"""Tune a player: search, then prove on deals that the search never saw."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import numpy as np

from buraco_sim import __version__
from buraco_sim.compare import compare
from buraco_sim.comparison import Comparison
from buraco_sim.errors import InputError
from buraco_sim.job import DEFAULT_BUDGET, DEFAULT_EFFECT, DEFAULT_SEED, DEFAULT_VARIANT, strategy_values
from buraco_sim.pairs import Rules, check_range, pairs_job
from buraco_sim.rules import Ruleset
from buraco_sim.runs import interruptible
from buraco_sim.simulate import signature
from buraco_sim.stats.pairs import quantile
from buraco_sim.strategies import CHAMPION, Strategy, tuned_form
from buraco_sim.tune.field import Cell, Field, Margins
from buraco_sim.tune.journal import Journal, Trial
from buraco_sim.tune.outcome import Gain, Generation, Rival, Sensitivity, Tuning, strategy_text
from buraco_sim.tune.search import Search
from buraco_sim.tune.space import Floats, Space

PANEL: Final = (CHAMPION, "greedy", "lookahead", "hoarder")
OUTSIDE: Final = ("top-card", "max-lay")  # against whom a gain has to hold that were not in the panel
BUDGET_DEALS: Final = 4_000_000
FORM_DEALS: Final = 2000  # of a form in a generation: many cheap looks beat few dear ones
RECENT: Final = 10
RIVAL_PAIRS: Final = 5000
STEP_PAIRS: Final = 2000
FELT_PAIRS: Final = 250  # in which a weight has to change a margin, at either end of its range

OnGeneration = Callable[[Generation], None]


@dataclass(frozen=True)
class _Plan:
    """A search before it is played."""

    space: Space
    rules: tuple[Ruleset, ...]
    panel: tuple[Cell, ...]
    seed: int
    threads: int | None

    @property
    def pairs(self) -> int:
        """Pairs of a form and cell in a generation."""
        return max(1, FORM_DEALS // (2 * len(self.panel)))

    def configuration(self) -> dict[str, Any]:
        """What decides every trial."""
        return {
            "version": __version__,
            "start": strategy_values(self.space.start),
            "weights": [one.name for one in self.space.weights],
            "steps": [one.step for one in self.space.weights],
            "variants": {one.name: one.to_dict() for one in self.rules},
            "panel": [{"variant": cell.rules.name, **strategy_values(cell.opponent)} for cell in self.panel],
            "seed": self.seed,
            "signature": [signature(pairs_job(one, (self.space.start, "greedy"), 1)) for one in self.rules],
        }


def tune(
    player: str | Strategy = "steady",
    variants: Rules | Sequence[Rules] = DEFAULT_VARIANT,
    *,
    panel: Sequence[str | Strategy] = PANEL,
    weights: Sequence[str] | None = None,
    budget_deals: int = BUDGET_DEALS,
    minutes: float | None = None,
    effect: float = DEFAULT_EFFECT,
    budget: int = DEFAULT_BUDGET,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_generation: OnGeneration | None = None,
) -> Tuning:
    """Search the weights with which a player wins, and compare them with the start on deals never used in the search.

    Parameters
    ----------
    player : str or Strategy
        The start.
    variants : rules, or sequence of rules
        Of several, one set of weights that serves all: margins then count by the standard deviation of a pair there.
    panel : sequence of str or Strategy
        Opponents; ``champion`` is the player as it is tuned for the variant so far, else the start.
    weights : sequence of str, optional
        Those that may move; by default all. Those that no deal notices under these variants stay as they are.
    budget_deals : int
        Most deals of the search, rows; whole generations.
    minutes : float, optional
        End the search when its deals took so long, if that comes first.
    effect, budget : float, int
        Of the comparison with the start, see :func:`buraco_sim.compare`.
    seed : int
        Of the search and its deals; comparison, rivals and sensitivity use the deals of ``seed + 1`` to ``seed + 3``.
    threads : int, optional
        By default one a core. The result does not depend on it.
    out : str or Path, optional
        Folder of the journal and of the strategy file; without, both are gone afterwards.
    resume : bool
        Go on with the journal that is there; the result is that of a search that was never stopped.
    on_generation : callable, optional
        Called after each generation.

    Returns
    -------
    Tuning

    Raises
    ------
    InputError, RunError
        If something is not valid, the folder holds another search, or a player chose an illegal action.

    Examples
    --------
    >>> import buraco_sim as b
    >>> found = b.tune("steady", "stbl", panel=["random"], weights=["pile_base", "danger"], budget_deals=10_000, budget=200)
    >>> found.is_better, len(found.generations)
    (False, 1)
    """
    plan = _plan(player, variants, panel, weights, seed, threads)
    check_range("budget_deals", budget_deals, 1, 10**12)
    check_range("minutes", 1.0 if minutes is None else minutes, 0.01, 10**6)
    with _folder(out) as folder, interruptible(out):
        plan = _felt(plan)
        journal = Journal(folder, plan.space, plan.configuration(), resume=resume)
        mean, generations = _Searching(plan, journal, budget_deals, minutes, on_generation).run()
        return _proven(plan, mean, generations, folder if out is not None else None, effect, budget)


def _plan(
    player: str | Strategy,
    variants: Rules | Sequence[Rules],
    panel: Sequence[str | Strategy],
    weights: Sequence[str] | None,
    seed: int,
    threads: int | None,
) -> _Plan:
    start = player if isinstance(player, Strategy) else Strategy.load(player)
    listed = [variants] if isinstance(variants, str | Path | Ruleset) else list(variants)
    rules = tuple(one if isinstance(one, Ruleset) else Ruleset.load(one) for one in listed)
    if not panel:
        raise InputError("panel: nobody", expected="at least one opponent")
    cells = tuple(Cell(one, _opponent(name, start, one.name)) for one in rules for name in panel)
    return _Plan(Space.of(start, weights), rules, cells, seed, threads)


def _felt(plan: _Plan) -> _Plan:
    """The plan without the weights that no deal notices, whatever their value: they would only add noise.

    Raises
    ------
    InputError
        If fewer than two are left.
    """
    start = plan.space.start
    ends = [(one.name, end) for one in plan.space.weights for end in (one.low, one.high)]
    forms = [start, *(replace(start, weights=start.weights | {name: end}) for name, end in ends)]
    cells = [Cell(one, start) for one in plan.rules]
    margins = Field(start, cells, seed=plan.seed, threads=plan.threads).margins(forms, 0, FELT_PAIRS)
    felt = {name for (name, _), played in zip(ends, margins[1:], strict=True) if (played != margins[0]).any()}
    return replace(plan, space=Space.of(start, [one.name for one in plan.space.weights if one.name in felt]))


def _opponent(name: str | Strategy, start: Strategy, variant: str) -> Strategy:
    if isinstance(name, Strategy):
        return name
    if name != CHAMPION:
        return Strategy.load(name)
    tuned = tuned_form(start.policy, variant)
    return replace(start if tuned is None else Strategy.load(tuned), name=CHAMPION)


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Path]:
    if out is not None:
        yield Path(out)
    else:
        with TemporaryDirectory() as folder:
            yield Path(folder)


class _Searching:
    """The generations of a search, from the journal as far as it goes, then played."""

    def __init__(self, plan: _Plan, journal: Journal, budget_deals: int, minutes: float | None, on_generation: OnGeneration | None) -> None:
        self.plan = plan
        self.journal = journal
        self.field = Field(plan.space.start, plan.panel, seed=plan.seed, threads=plan.threads)
        self.search = Search(len(plan.space.weights), plan.seed)
        self.deals = (self.search.population + 2) * len(plan.panel) * plan.pairs * 2  # of a generation, rows
        self.most = max(1, budget_deals // self.deals)
        self.seconds = None if minutes is None else 60 * minutes
        self.on_generation = on_generation
        self.units = self._units()
        self.means: list[Floats] = []
        self.done: list[Generation] = []

    def run(self) -> tuple[Floats, list[Generation]]:
        """Play to the end of the budget; returns what is recommended, and the history.

        That is the mean of the distribution, never the best point seen, over the generations in which it gained most.
        """
        there = self.journal.trials()
        size = self.search.population + 2
        for number in range(self.most):
            mean, points = self.search.mean, self.search.ask()
            self.means.append(mean)
            trials = there[number * size : (number + 1) * size]
            self._check(trials, points)
            if len(trials) < size:
                for trial in (played := self._play(number, mean, points))[len(trials) :]:
                    self.journal.add(trial)
                trials += played[len(trials) :]
            self.search.tell(points, [one.value for one in trials if one.role == "candidate"])
            self._note(number, trials)
            if self.seconds is not None and sum(one.seconds for one in self.done) >= self.seconds:
                break
        last = 1 + max(range(len(self.done)), key=lambda number: (min(number, RECENT - 1), self.done[number].recent.mean))
        return np.mean(self.means[max(0, last - RECENT) : last], axis=0), self.done

    def _check(self, trials: list[Trial], points: list[Floats]) -> None:
        """Refuse a journal whose points are not those of this search: another machine's arithmetic, or an edited file."""
        candidates = [one for one in trials if one.role == "candidate"]
        for trial, point in zip(candidates, points, strict=False):
            if trial.weights != self.plan.space.weights_at(point):
                raise InputError(f"trial of generation {trial.generation} is of another search", expected="the journal of this search")

    def _units(self) -> Floats:
        """What a point counts in each cell: one; of several variants, the inverse of the standard deviation of a pair there."""
        if len(self.plan.rules) == 1:
            return np.ones(len(self.plan.panel))
        margins = self._block([self.plan.space.start], 0)[0] / 2
        units: Floats = 1 / np.maximum(1.0, margins.std(axis=1, ddof=1))
        return units

    def _block(self, forms: list[Strategy], number: int) -> Margins:
        return self.field.margins(forms, number * self.plan.pairs, self.plan.pairs)

    def _play(self, number: int, mean: Floats, points: list[Floats]) -> list[Trial]:
        """The trials of a generation: start, mean, candidates."""
        space = self.plan.space
        weights = [
            {one.name: space.start.weights[one.name] for one in space.weights},
            *(space.weights_at(point) for point in (mean, *points)),
        ]
        began = perf_counter()
        margins = self._block([space.player(values, space.start.name) for values in weights], number)
        seconds = perf_counter() - began
        gain = _gain(margins[1], margins[0])
        trials = []
        for place, (values, played) in enumerate(zip(weights, margins, strict=True)):
            cells = played.mean(axis=1) / 2
            figures: dict[str, Any] = {"margins": dict(zip((one.name for one in self.plan.panel), cells.tolist(), strict=True))}
            if place == 1:
                figures |= {"gain": list(gain), "seconds": seconds}
            role = ("start", "mean")[place] if place < 2 else "candidate"
            trials.append(Trial(number, role, values, float((cells * self.units).mean()), figures))
        return trials

    def _note(self, number: int, trials: list[Trial]) -> None:
        mean = next(one for one in trials if one.role == "mean")
        gain = Gain(*mean.figures["gain"])
        recent = pooled([gain, *(one.gain for one in reversed(self.done[-RECENT + 1 :]))])
        best = max([recent.mean, *(one.best for one in self.done[-1:])])
        self.done.append(Generation(number, (number + 1) * self.deals, gain, recent, best, mean.figures["seconds"]))
        if self.on_generation is not None:
            self.on_generation(self.done[-1])


def _gain(mine: Margins, theirs: Margins) -> Gain:
    """Of two forms on the same deals, in the mean over cells: shape (cells, pairs), summed over two tables."""
    difference = (mine - theirs) / 2
    cells, pairs = difference.shape
    mean = float(difference.mean())
    error = sqrt(float(difference.var(axis=1, ddof=1).sum()) / pairs) / cells if pairs > 1 else 0.0
    half = quantile(0.975) * error
    return Gain(mean, mean - half, mean + half, cells * pairs)


def pooled(gains: Sequence[Gain]) -> Gain:
    """The mean of gains on different deals.

    Examples
    --------
    >>> pooled([Gain(10, 6, 14, 100), Gain(0, -3, 3, 100)])
    Gain(mean=5.0, low=2.5, high=7.5, pairs=200)
    """
    mean = sum(one.mean for one in gains) / len(gains)
    half = sqrt(sum((one.high - one.mean) ** 2 for one in gains)) / len(gains)
    return Gain(mean, mean - half, mean + half, sum(one.pairs for one in gains))


def _proven(plan: _Plan, mean: Floats, generations: list[Generation], folder: Path | None, effect: float, budget: int) -> Tuning:
    """Compare what is recommended with the start on fresh deals; its file is written only if the verdict says so."""
    start = plan.space.start
    champion = _champion(plan, plan.space.weights_at(mean))
    before = replace(start, name=f"{start.name}-before") if start.name == champion.name else start
    seeds = [(plan.seed + more) % 2**64 for more in (1, 2, 3)]
    outcome = compare(champion, before, plan.rules, effect=effect, budget=budget, seed=seeds[0], threads=plan.threads)
    record = _record(plan, generations, outcome.results)
    found = Tuning(
        start,
        champion,
        outcome.results,
        generations,
        _rivals(plan, champion, seeds[1]),
        _sensitivity(plan, champion, seeds[2]),
        record,
    )
    if folder is None or not found.is_better:
        return found
    file = folder / f"{champion.name}.toml"
    source = champion.policy
    if champion.source:
        source = os.path.relpath(champion.source.rpartition(":")[0], folder) + ":" + champion.source.rpartition(":")[2]
    file.write_text(strategy_text(champion, record, source), encoding="utf-8")
    return replace(found, file=file)


def _champion(plan: _Plan, values: dict[str, float]) -> Strategy:
    start = plan.space.start
    stem = start.policy if not start.source else start.name.partition("-tuned")[0]
    name = f"{stem}-{plan.rules[0].name}" if len(plan.rules) == 1 else f"{stem}-tuned"
    variants = ", ".join(one.name for one in plan.rules)
    return replace(plan.space.player(values, name), summary=f"{stem} with weights tuned for {variants}.", path="")


def _record(plan: _Plan, generations: list[Generation], results: Sequence[Comparison]) -> dict[str, Any]:
    deals, seconds = generations[-1].deals, sum(one.seconds for one in generations)
    return {
        "start": plan.space.start.name,
        "variants": [one.name for one in plan.rules],
        "panel": list(dict.fromkeys(cell.opponent.name for cell in plan.panel)),
        "weights": [one.name for one in plan.space.weights],
        "budget_deals": deals,
        "deals_per_second": round(deals / seconds) if seconds else 0,
        "seed": plan.seed,
        "signature": [one.signature for one in results],
        "verdict": [one.verdict for one in results],
        "gain": [round(one.mean, 2) for one in results],
        "interval": [[round(bound, 2) for bound in one.interval or ()] for one in results],
        "pairs": [one.pairs for one in results],
        "engine_version": __version__,
    }


def _rivals(plan: _Plan, champion: Strategy, seed: int) -> list[Rival]:
    """Champion and start against everybody of the panel, and some outside of it, on the same deals."""
    inside = {cell.opponent.name for cell in plan.panel}
    outside = [Cell(one, Strategy.load(name)) for one in plan.rules for name in OUTSIDE if name not in inside]
    cells = [*plan.panel, *outside]
    margins = Field(plan.space.start, cells, seed=seed, threads=plan.threads).margins([plan.space.start, champion], 0, RIVAL_PAIRS)
    return [
        Rival(
            cell.rules.name,
            cell.opponent.name,
            cell in outside,
            float(margins[0, place].mean()) / 2,
            float(margins[1, place].mean()) / 2,
            _gain(margins[1, [place]], margins[0, [place]]),
        )
        for place, cell in enumerate(cells)
    ]


def _sensitivity(plan: _Plan, champion: Strategy, seed: int) -> list[Sensitivity]:
    """Each weight a step down and a step up, as far as its range allows, against the champion as it is."""
    moves = [
        (one, value)
        for one in plan.space.weights
        for value in (champion.weights[one.name] - one.step, champion.weights[one.name] + one.step)
        if one.low <= value <= one.high
    ]
    forms = [replace(champion, weights=champion.weights | {one.name: value}) for one, value in moves]
    cells = [Cell(one, champion) for one in plan.rules]
    margins = Field(champion, cells, seed=seed, threads=plan.threads).margins(forms, 0, STEP_PAIRS)
    return [
        Sensitivity(one.name, champion.weights[one.name], value, _gain(played, np.zeros_like(played)))
        for (one, value), played in zip(moves, margins, strict=True)
    ]
