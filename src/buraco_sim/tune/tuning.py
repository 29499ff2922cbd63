"""Tune a player: search, then prove on deals that the search never saw."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final

import numpy as np

from buraco_sim.errors import InputError
from buraco_sim.interrupts import interruptible
from buraco_sim.job import DEFAULT_BUDGET, DEFAULT_EFFECT, DEFAULT_SEED, DEFAULT_VARIANT
from buraco_sim.pairs import Rules, check_range
from buraco_sim.strategies import Strategy
from buraco_sim.tune.field import Field, Margins
from buraco_sim.tune.journal import Journal, Trial
from buraco_sim.tune.outcome import Gain, Generation, Tuning, gain_of, pooled
from buraco_sim.tune.plan import PANEL, Plan, make_plan, without_silent_weights
from buraco_sim.tune.proof import prove
from buraco_sim.tune.search import Search
from buraco_sim.tune.space import Floats

BUDGET_DEALS: Final = 4_000_000
RECENT: Final = 10
LOSS: Final = 4.0  # how often an opponent counts against whom the mean has lost of late: who wins has to win against everybody

OnGeneration = Callable[[Generation], None]


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
    >>> found = b.tune("steady", "stbl", panel=["random"], weights=["keep_near", "danger"], budget_deals=10_000, budget=200)
    >>> found.is_better, len(found.generations)
    (False, 1)
    """
    plan = make_plan(player, variants, panel, weights, seed, threads)
    check_range("budget_deals", budget_deals, 1, 10**12)
    check_range("minutes", 1.0 if minutes is None else minutes, 0.01, 10**6)
    with _folder(out) as folder, interruptible(out):
        plan = without_silent_weights(plan)
        journal = Journal(folder, plan.space, plan.configuration(), resume=resume)
        mean, generations = _Searching(plan, journal, budget_deals, minutes, on_generation).run()
        return prove(plan, mean, generations, folder if out is not None else None, effect, budget)


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Path]:
    if out is not None:
        yield Path(out)
    else:
        with TemporaryDirectory() as folder:
            yield Path(folder)


class _Searching:
    """The generations of a search, from the journal as far as it goes, then played."""

    def __init__(self, plan: Plan, journal: Journal, budget_deals: int, minutes: float | None, on_generation: OnGeneration | None) -> None:
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
        self.cell_gains: list[Floats] = []
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
        last = 1 + max(range(len(self.done)), key=lambda number: (min(number, RECENT - 1), self._worth(number)))
        return np.mean(self.means[max(0, last - RECENT) : last], axis=0), self.done

    def _check(self, trials: list[Trial], points: list[Floats]) -> None:
        """Refuse a journal whose points are not those of this search: another machine's arithmetic, or an edited file."""
        candidates = [one for one in trials if one.role == "candidate"]
        for trial, point in zip(candidates, points, strict=False):
            if trial.weights != self.plan.space.weights_at(point):
                raise InputError(f"trial of generation {trial.generation} is of another search", expected="the journal of this search")

    def _units(self) -> Floats:
        """What a point counts in each cell: one; of several variants, less where the standard deviation of a pair is large."""
        if len(self.plan.rules) == 1:
            return np.ones(len(self.plan.panel))
        margins = self._block([self.plan.space.start], 0)[0] / 2
        deviations = np.maximum(1.0, margins.std(axis=1, ddof=1))
        units: Floats = deviations.mean() / deviations
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
        gain = gain_of(margins[1], margins[0])
        counted = _counted(self._recent(number - 1))
        trials = []
        for place, (values, played) in enumerate(zip(weights, margins, strict=True)):
            cells = played.mean(axis=1) / 2
            figures: dict[str, Any] = {"margins": dict(zip((one.name for one in self.plan.panel), cells.tolist(), strict=True))}
            if place == 1:
                figures |= {"gain": list(gain), "seconds": seconds}
            role = ("start", "mean")[place] if place < 2 else "candidate"
            trials.append(Trial(number, role, values, float(np.average(cells * self.units, weights=counted)), figures))
        return trials

    def _recent(self, number: int) -> Floats:
        """What the mean gained in each cell over the last generations, up to ten."""
        gains = self.cell_gains[max(0, number + 1 - RECENT) : number + 1]
        recent: Floats = np.mean(gains, axis=0) if gains else np.zeros(len(self.plan.panel))
        return recent

    def _worth(self, number: int) -> float:
        """What recommends a generation: its recent gains, losses counted as in the search."""
        recent = self._recent(number)
        return float((_counted(recent) * recent).mean())

    def _note(self, number: int, trials: list[Trial]) -> None:
        start, mean = (next(one for one in trials if one.role == role) for role in ("start", "mean"))
        self.cell_gains.append(np.subtract(list(mean.figures["margins"].values()), list(start.figures["margins"].values())))
        gain = Gain(*mean.figures["gain"])
        recent = pooled([gain, *(one.gain for one in reversed(self.done[-RECENT + 1 :]))])
        best = max([recent.mean, *(one.best for one in self.done[-1:])])
        self.done.append(Generation(number, (number + 1) * self.deals, gain, recent, best, mean.figures["seconds"]))
        if self.on_generation is not None:
            self.on_generation(self.done[-1])


def _counted(recent: Floats) -> Floats:
    """How often each cell counts, by what the mean gained there of late."""
    return np.where(recent < 0, LOSS, 1.0)
