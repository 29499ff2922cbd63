"""Every combination of rule values: what each value does to each measure, and where two of them work together.

A linear model of the cells' figures with main effects and, where the cells suffice, all interactions of two rules. The effect of a
value is its mean over all combinations of the others, against the first value of its rule. All cells play the same shuffles,
so the errors follow from the covariance of the cells, deal by deal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.balance.aggregate import Floats, Moments, moments_of
from buraco_sim.balance.campaign import play_jobs
from buraco_sim.balance.estimates import Difference, difference_of_ratios
from buraco_sim.balance.measures import RATIOS, Measure
from buraco_sim.balance.series import Series
from buraco_sim.errors import InputError, shown
from buraco_sim.job import DEFAULT_PLAYERS, DEFAULT_SEED, Job, Players, make_job
from buraco_sim.results.reader import Run
from buraco_sim.rules import KEYS, Ruleset
from buraco_sim.simulate import OnChunk
from buraco_sim.stats.multiple import holm

DEALS: Final = 20_000  # a cell
MOST_CELLS: Final = 128

Levels = tuple[int, ...]  # index of the value of each factor


@dataclass(frozen=True, slots=True)
class Factor:
    """A rule and the values that it takes, as texts; the first is what the others are compared with."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Design:
    """Which combinations are played.

    Attributes
    ----------
    base : Ruleset
    factors : tuple of Factor
    cells : dict of Levels to Ruleset
        The combinations that are played.
    invalid : dict of Levels to str
        Those that the rules refuse, and why.
    fraction : int
        One combination in so many is played.
    """

    base: Ruleset
    factors: tuple[Factor, ...]
    cells: dict[Levels, Ruleset]
    invalid: dict[Levels, str]
    fraction: int

    def describe(self, levels: Levels) -> str:
        """A combination in words: ``pile.take=free go_out.canasta=any``."""
        return " ".join(f"{factor.key}={factor.values[level]}" for factor, level in zip(self.factors, levels, strict=True))

    def jobs(self, players: Players, *, deals: int, seed: int) -> list[Job]:
        """The jobs of the cells."""
        return [make_job(rules, players, deals=deals, seed=seed) for rules in self.cells.values()]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a rule value, or two together, do to a measure.

    Attributes
    ----------
    measure : str
    rules : tuple of (key, value, compared with)
        One for a main effect, two for an interaction: how much the effect of the first changes with the second.
    difference : Difference
    p_holm : float
        After Holm over all effects of the sweep.
    """

    measure: str
    rules: tuple[tuple[str, str, str], ...]
    difference: Difference
    p_holm: float

    @property
    def title(self) -> str:
        """``pile.take=use_top (free)``, joined by ``with``."""
        return " with ".join(f"{key}={value} ({against})" for key, value, against in self.rules)

    def to_dict(self) -> dict[str, Any]:
        """The effect as JSON values."""
        return asdict(self) | {"difference": self.difference._asdict()}


@dataclass(frozen=True, slots=True)
class Sweep:
    """The result of a sweep.

    Attributes
    ----------
    design : Design
    figures : dict of Levels to dict of str to float
        Value of each measure in each cell; NaN where there is nothing to measure.
    effects, interactions : list of Effect
        Interactions are empty where the cells do not suffice to tell them apart.
    run : Run
        The folder of the cells; gone where none was asked for.
    """

    design: Design
    figures: dict[Levels, dict[str, float]]
    effects: list[Effect]
    interactions: list[Effect]
    run: Run

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        design = self.design
        cells = [
            {
                "name": rules.name,
                "rules": design.describe(levels),
                "figures": {name: _or_none(one) for name, one in self.figures[levels].items()},
            }
            for levels, rules in design.cells.items()
        ]
        return {
            "base": design.base.name,
            "fraction": design.fraction,
            "factors": [asdict(factor) for factor in design.factors],
            "invalid": [{"rules": design.describe(levels), "reason": reason} for levels, reason in design.invalid.items()],
            "cells": cells,
            "effects": [one.to_dict() for one in self.effects],
            "interactions": [one.to_dict() for one in self.interactions],
        }


def read_factors(vary: Sequence[str] | Mapping[str, Sequence[str]]) -> tuple[Factor, ...]:
    """Read ``table.key=a,b,c`` texts; commas within brackets belong to a value.

    Raises
    ------
    InputError
        If there are fewer than two values, or a rule stands twice.

    Examples
    --------
    >>> read_factors(["table.mortos=[11, 11],[11]"])[0].values
    ('[11, 11]', '[11]')
    """
    pairs = vary.items() if isinstance(vary, Mapping) else (_split(text) for text in vary)
    factors = tuple(Factor(key.strip(), tuple(dict.fromkeys(value.strip() for value in values))) for key, values in pairs)
    keys = [factor.key for factor in factors]
    if not factors or len(set(keys)) < len(keys):
        raise InputError(f"--vary {', '.join(keys) or 'nothing'}", expected="one or more rules, each once")
    for factor in factors:
        if len(factor.values) < 2:
            raise InputError(f"--vary {factor.key}: {len(factor.values)} value", expected="two or more: table.key=a,b")
    return factors


def _split(text: str) -> tuple[str, list[str]]:
    key, equals, values = text.partition("=")
    if not equals:
        raise InputError(f"--vary {shown(text)}", expected="table.key=a,b,...")
    return key, re.findall(r"(?:\[[^\]]*\]|[^,\[])+", values)


def make_design(base: str | Path | Ruleset, vary: Sequence[str] | Mapping[str, Sequence[str]], *, fraction: int = 1) -> Design:
    """Lay out the combinations: all of them, or a balanced fraction.

    A fraction of 1/N keeps the combinations whose numbers of values add up to a multiple of N. It must hold every value
    of every rule equally often.

    Raises
    ------
    InputError
        If a rule or value does not exist, no combination or too many are left, or the fraction is not balanced.
    """
    rules = base if isinstance(base, Ruleset) else Ruleset.load(base)
    factors = read_factors(vary)
    for factor in factors:
        for value in factor.values:
            _check_value(rules, factor.key, value)
    kept = [levels for levels in product(*(range(len(factor.values)) for factor in factors)) if sum(levels) % fraction == 0]
    _check_balance(kept, factors, fraction)
    if len(kept) > MOST_CELLS:
        raise InputError(f"{len(kept)} combinations", expected=f"at most {MOST_CELLS}; play a balanced part of them with --fraction N")
    cells: dict[Levels, Ruleset] = {}
    invalid: dict[Levels, str] = {}
    for number, levels in enumerate(kept, start=1):
        texts = [f"{factor.key}={factor.values[level]}" for factor, level in zip(factors, levels, strict=True)]
        try:
            cells[levels] = replace(rules.override_text(texts), name=f"{rules.name}-{number:03}")
        except InputError as error:
            invalid[levels] = str(error)
    if len(cells) < 2:
        raise InputError(f"{len(cells)} valid combinations", expected="two or more", hint="; ".join(invalid.values())[:200])
    return Design(rules, factors, cells, invalid, fraction)


def _check_value(rules: Ruleset, key: str, value: str) -> None:
    """Refuse what no combination could hold: an unknown rule, a value that is none. What depends on others stays."""
    try:
        rules.override_text([f"{key}={value}"])
    except InputError as error:
        if key not in KEYS or f"expected {KEYS[key].domain.expected}" in str(error):
            raise


def _check_balance(kept: Sequence[Levels], factors: Sequence[Factor], fraction: int) -> None:
    for place, factor in enumerate(factors):
        counts = {sum(levels[place] == level for levels in kept) for level in range(len(factor.values))}
        if len(counts) > 1 or not min(counts):
            sizes = "x".join(str(len(one.values)) for one in factors)
            raise InputError(
                f"--fraction {fraction} of {sizes}", expected="a part that holds every value equally often, such as 2 of 2x2x3"
            )


def sweep(
    base: str | Path | Ruleset,
    vary: Sequence[str] | Mapping[str, Sequence[str]],
    players: Players = DEFAULT_PLAYERS,
    *,
    deals: int = DEALS,
    seed: int = DEFAULT_SEED,
    fraction: int = 1,
    out: str | Path | None = None,
    threads: int | None = None,
) -> Sweep:
    """Play every combination of rule values and say what each does.

    Parameters
    ----------
    base : str, Path or Ruleset
        What all combinations have in common.
    vary : sequence of str, or dict of str to sequence of str
        ``["pile.take=free,use_top", ...]`` or ``{"pile.take": ["free", "use_top"]}``.
    players, deals, seed, threads
        As for :func:`buraco_sim.simulate`; `deals` of each combination.
    fraction : int
        Play one combination in so many, if that is balanced.
    out : str or Path, optional
        Run folder to keep.

    Returns
    -------
    Sweep

    Raises
    ------
    InputError, RunError
        If something is not valid, or the folder holds another run.

    Examples
    --------
    >>> import buraco_sim as b
    >>> result = b.sweep("stbl", {"pile.take": ["free", "use_top"]}, "greedy", deals=50)
    >>> [effect.title for effect in result.effects if effect.measure == "turns"]
    ['pile.take=use_top (free)']
    """
    design = make_design(base, vary, fraction=fraction)
    if out is not None:
        return play_design(design, players, Path(out), deals=deals, seed=seed, threads=threads)
    with TemporaryDirectory(prefix="buraco-") as folder:
        return play_design(design, players, Path(folder), deals=deals, seed=seed, threads=threads)


def play_design(
    design: Design,
    players: Players,
    out: Path,
    *,
    deals: int = DEALS,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    on_chunk: OnChunk | None = None,
) -> Sweep:
    """Play the cells of a design into a run folder, and analyse them."""
    jobs = design.jobs(players, deals=deals, seed=seed)
    run = play_jobs(jobs, out, threads=threads, on_chunk=on_chunk)
    found = moments_of([Series(job.rules.name, run, job) for job in jobs])
    figures = {
        levels: {measure.name: float(found.ratio[row, cell]) for row, measure in enumerate(RATIOS)}
        for cell, levels in enumerate(design.cells)
    }
    effects, interactions = analyse(design, found)
    return Sweep(design, figures, effects, interactions, run)


def analyse(design: Design, found: Moments) -> tuple[list[Effect], list[Effect]]:
    """Main effects and interactions of the cells' figures, adjusted together."""
    kept = np.array(list(design.cells))
    everything = np.array(list(product(*(range(len(factor.values)) for factor in design.factors))))
    model = _columns(kept, design.factors, two_way=True)
    two_way = np.linalg.matrix_rank(model) == model.shape[1] and len(design.factors) > 1
    if not two_way:
        model = _columns(kept, design.factors, two_way=False)
        if np.linalg.matrix_rank(model) < model.shape[1]:
            raise InputError("the valid combinations do not tell the rules apart", expected="every value beside every other")
    solve = np.linalg.pinv(model)
    contrasts = list(_contrasts(design, everything, _columns(everything, design.factors, two_way=two_way), two_way))
    raw: list[tuple[str, tuple[tuple[str, str, str], ...], Difference]] = []
    for row, measure in enumerate(RATIOS):
        for rules, contrast in contrasts:
            difference = _difference(measure, contrast @ solve, found.ratio[row], found.covariance[row])
            if difference is not None:
                raw.append((measure.name, rules, difference))
    adjusted = holm([difference.p for *_, difference in raw])
    effects = [Effect(name, rules, difference, float(p)) for (name, rules, difference), p in zip(raw, adjusted, strict=True)]
    return [one for one in effects if len(one.rules) == 1], [one for one in effects if len(one.rules) == 2]


def _difference(measure: Measure, weights: Floats, values: Floats, covariance: Floats) -> Difference | None:
    """The contrast of the cells' values; None where a cell has none, or nothing differs."""
    if np.isnan(values).any() or not values.any():
        return None
    return difference_of_ratios(float(weights @ values), 0.0, float(weights @ covariance @ weights))


def _columns(levels: npt.NDArray[Any], factors: Sequence[Factor], *, two_way: bool) -> Floats:
    """The columns of the model: constant, an indicator of each value but the first, and their products."""
    single = [[levels[:, place] == value for value in range(1, len(factor.values))] for place, factor in enumerate(factors)]
    columns = [np.ones(len(levels))] + [column for group in single for column in group]
    if two_way:
        columns += [a & b for one, other in combinations(single, 2) for a in one for b in other]
    return np.stack(columns, axis=1).astype(np.float64)


def _contrasts(
    design: Design, levels: npt.NDArray[Any], model: Floats, two_way: bool
) -> Iterator[tuple[tuple[tuple[str, str, str], ...], Floats]]:
    """Each effect as weights of the model's coefficients: means over all combinations of the other rules."""
    factors = design.factors

    def mean(*fixed: tuple[int, int]) -> Floats:
        inside = np.all([levels[:, place] == value for place, value in fixed], axis=0)
        return np.asarray(model[inside].mean(axis=0))

    def rule(place: int, value: int) -> tuple[str, str, str]:
        return factors[place].key, factors[place].values[value], factors[place].values[0]

    for place, factor in enumerate(factors):
        for value in range(1, len(factor.values)):
            yield (rule(place, value),), mean((place, value)) - mean((place, 0))
    for a, b in combinations(range(len(factors)), 2) if two_way else ():
        for v, w in product(range(1, len(factors[a].values)), range(1, len(factors[b].values))):
            corners = mean((a, v), (b, w)) - mean((a, 0), (b, w)) - mean((a, v), (b, 0)) + mean((a, 0), (b, 0))
            yield (rule(a, v), rule(b, w)), corners


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else value
