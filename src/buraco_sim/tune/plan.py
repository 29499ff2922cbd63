"""What a search is to play: from where, under which variants, against whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from buraco_sim import __version__
from buraco_sim.errors import InputError
from buraco_sim.job import strategy_values
from buraco_sim.pairs import Rules, pairs_job
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import signature
from buraco_sim.strategies import CHAMPION, Strategy, tuned_form
from buraco_sim.tune.field import Cell, Field
from buraco_sim.tune.space import Space

PANEL: Final = (CHAMPION, "greedy", "lookahead", "hoarder")
FORM_DEALS: Final = 2000  # of a form in a generation: many cheap looks beat few dear ones
FELT_PAIRS: Final = 250  # in which a weight has to change a margin, at either end of its range


@dataclass(frozen=True)
class Plan:
    """A search before it is played.

    Attributes
    ----------
    space : Space
    rules : tuple of Ruleset
    panel : tuple of Cell
        Variants times opponents.
    seed : int
    threads : int or None
    """

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


def make_plan(
    player: str | Strategy,
    variants: Rules | Sequence[Rules],
    panel: Sequence[str | Strategy],
    weights: Sequence[str] | None,
    seed: int,
    threads: int | None,
) -> Plan:
    """The plan of the arguments of :func:`buraco_sim.tune`.

    Raises
    ------
    InputError
        If a name, a file or a weight is not valid, or the panel is empty.
    """
    listed = [variants] if isinstance(variants, str | Path | Ruleset) else list(variants)
    rules = tuple(one if isinstance(one, Ruleset) else Ruleset.load(one) for one in listed)
    if not rules:
        raise InputError("variants: none", expected="at least one")
    start = (player if isinstance(player, Strategy) else Strategy.load(player)).for_variant(rules[0].name)
    if not panel:
        raise InputError("panel: nobody", expected="at least one opponent")
    cells = tuple(Cell(one, _opponent(name, start, one.name)) for one in rules for name in panel)
    return Plan(Space.of(start, weights), rules, cells, seed, threads)


def without_silent_weights(plan: Plan) -> Plan:
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
