"""Which way of searching weights wins, on a noisy quadratic: the method of `buraco tune` against others, as a table for docs/tuning.md.

`python benchmarks/tuners.py [RUNS]` (8 by default). Twenty weights, of which five matter ten times as much as the others; the start
costs 100 points a pair. An evaluation is the true value with the noise of 1,000 mirrored pairs, whose standard deviation was measured
(docs/evidence.md: 387 points on stbl). What counts is the true value of what a method recommends, as a share of the 100 points.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import optuna
from cmaes import CMA

from buraco_sim.tune.search import SIGMA, Search

Floats = npt.NDArray[np.float64]
Problem = Callable[[Floats], float]
N, LOST, PAIR_SD, PAIRS = 20, 100.0, 387.0, 1000
EVALUATIONS = (500, 1000, 2000)
TPE_MOST = 1000  # it takes longer with every trial
AT = np.full(N, 4.0)  # the optimum, in steps from the start
COST = np.where(np.arange(N) < 5, 10.0, 1.0)
COST *= LOST / float(COST @ AT**2)


def value(point: Floats) -> float:
    """Points a pair that a point has over the start; 100 at the optimum."""
    return LOST - float(COST @ (point - AT) ** 2)


def noisy(seed: int) -> Problem:
    """The value as mirrored pairs show it."""
    rng = np.random.default_rng(seed)
    return lambda point: value(point) + float(rng.normal(0, PAIR_SD / PAIRS**0.5))


def evolution(seed: int) -> Iterator[Floats]:
    """`buraco tune`: recommends the mean of the distribution."""
    search, ask = Search(N, seed), noisy(seed)
    while True:
        points = search.ask()
        search.tell(points, [ask(point) for point in points])
        yield from [search.mean] * len(points)


def plain_evolution(seed: int, *, best: bool = False) -> Iterator[Floats]:
    """CMA-ES without the adaptation of its learning rate: recommends the mean, or the best point that was seen."""
    search, ask = CMA(mean=np.zeros(N), sigma=SIGMA, seed=seed), noisy(seed)
    seen = (-np.inf, np.zeros(N))
    while True:
        points = [search.ask() for _ in range(search.population_size)]
        found = [(ask(point), point) for point in points]
        search.tell([(point, -worth) for worth, point in found])
        seen = max([seen, *found], key=lambda one: one[0])
        yield from [seen[1] if best else np.array(search.mean)] * len(points)


def parzen(seed: int) -> Iterator[Floats]:
    """Optuna's TPE: recommends the best trial."""
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    ask = noisy(seed)
    ranges = {f"w{i}": optuna.distributions.FloatDistribution(-10.0, 10.0) for i in range(N)}
    while True:
        trial = study.ask(ranges)
        study.tell(trial, ask(np.array([trial.params[name] for name in ranges])))
        yield np.array([study.best_params[name] for name in ranges])


def at_random(seed: int) -> Iterator[Floats]:
    """Points at random within ten steps: recommends the best that was seen."""
    rng, ask = np.random.default_rng(seed), noisy(seed)
    seen = (-np.inf, np.zeros(N))
    while True:
        point = rng.uniform(-10, 10, N)
        seen = max(seen, (ask(point), point), key=lambda one: one[0])
        yield seen[1]


METHODS: dict[str, Callable[[int], Iterator[Floats]]] = {
    "CMA-ES, adapted learning rate, its mean (`buraco tune`)": evolution,
    "plain CMA-ES, its mean": plain_evolution,
    "plain CMA-ES, best point seen": lambda seed: plain_evolution(seed, best=True),
    "TPE, best trial": parzen,
    "at random, best point seen": at_random,
}


def row(name: str, runs: int) -> list[str]:
    """Share of the lost points that a method regains, in the mean over runs, at each number of evaluations."""
    counts = [count for count in EVALUATIONS if METHODS[name] is not parzen or count <= TPE_MOST]
    found = np.zeros((runs, len(counts)))
    for run in range(runs):
        recommended = METHODS[name](run)
        for done in range(1, counts[-1] + 1):
            point = next(recommended)
            if done in counts:
                found[run, counts.index(done)] = value(point)
    shown = [f"{mean:+.0f} ± {sd:.0f}" for mean, sd in zip(found.mean(axis=0), found.std(axis=0, ddof=1), strict=True)]
    return [name, *shown, *[""] * (len(EVALUATIONS) - len(shown))]


def main() -> None:
    """Print the table."""
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore")
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    header = ["method", *(f"{count:,} evaluations" for count in EVALUATIONS)]
    print(f"| {' | '.join(header)} |\n|{' --- |' * len(header)}")
    for name in METHODS:
        print(f"| {' | '.join(row(name, runs))} |", flush=True)


if __name__ == "__main__":
    main()
