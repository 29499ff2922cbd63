"""The page and the text of a sweep: the main effects drawn, and every effect with its interval."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from buraco_sim import __version__
from buraco_sim.balance.estimates import Figure
from buraco_sim.balance.measures import MEASURES
from buraco_sim.balance.text import ALPHA, number
from buraco_sim.report.charts import Chart, dots, draw
from buraco_sim.report.templates import asset, command_text, render
from buraco_sim.sweep import Effect, Sweep

#: What is drawn, and printed as text; the JSON has every measure.
DRAWN: Final = (
    "starter_margin", "turns", "went_out", "score", "margin", "canastas", "clean", "dirty", "morto_none", "morto_turn", "piles",
    "half_leader_wins", "lead_changes",
)  # fmt: skip


def sweep_html(sweep: Sweep) -> str:
    """The page of a sweep."""
    manifest = sweep.run.manifest
    return render(
        "sweep.html.j2",
        title=f"{sweep.design.base.name}: what each rule does",
        intro=sweep_intro(sweep),
        charts=list(_charts(sweep)),
        effects=_rows(sweep.effects),
        interactions=_rows([one for one in sweep.interactions if one.p_holm < ALPHA]),
        n_interactions=len(sweep.interactions),
        invalid=[(sweep.design.describe(levels), reason) for levels, reason in sweep.design.invalid.items()],
        command=command_text(manifest.command),
        seed=manifest.seed,
        signature=manifest.signature,
        version=__version__,
        css=asset("page.css"),
    ).lstrip()


def sweep_intro(sweep: Sweep) -> str:
    """What was played, in a sentence."""
    design = sweep.design
    full = "every combination" if design.fraction == 1 else f"a balanced 1/{design.fraction} of the combinations"
    left_out = f", {len(design.invalid)} invalid ones left out" if design.invalid else ""
    pairs = "" if sweep.interactions or len(design.factors) == 1 else "; too few to tell interactions apart from main effects"
    rules = ", ".join(factor.key for factor in design.factors)
    return (
        f"{full} of {rules}: {len(design.cells)} rulesets{left_out}{pairs}, {sweep.run.manifest.deals:,} shuffles each, the same for all."
    )


def sweep_text(sweep: Sweep) -> str:
    """The effects on the measures that are drawn, and the interactions that hold."""
    lines = [sweep_intro(sweep)]
    lines += [f"invalid: {sweep.design.describe(levels)}: {reason}" for levels, reason in sweep.design.invalid.items()]
    for name in DRAWN:
        effects = [one for one in sweep.effects if one.measure == name]
        found = [one for one in sweep.interactions if one.measure == name and one.p_holm < ALPHA]
        if effects:
            lines += [
                "",
                f"{MEASURES[name].title}, {MEASURES[name].unit}",
                *(f"  {one.title:<48} {_text(one)}" for one in (*effects, *found)),
            ]
    return "\n".join([*lines, "", "Intervals are 95 %; * holds at 5 % after Holm over all effects. For these players, not for people."])


def _charts(sweep: Sweep) -> Iterator[Chart]:
    for name in DRAWN:
        effects = [one for one in sweep.effects if one.measure == name]
        if effects:
            measure = MEASURES[name]
            labels = [f"{key.partition('.')[2]}={value}" for ((key, value, _),) in (one.rules for one in effects)]
            figures = [Figure(*one.difference[:3]) for one in effects]
            axis = "percentage points" if measure.is_share else measure.unit
            spec = dots(labels, figures, axis, zero=0, percent=measure.is_share)
            yield draw(measure.title, f"Change against the first value of each rule. {measure.meaning}", spec)


def _rows(effects: list[Effect]) -> list[dict[str, Any]]:
    return [
        {
            "rules": one.title,
            "measure": MEASURES[one.measure].title,
            "value": number(one.difference.value, MEASURES[one.measure].unit, sign=True),
            "range": _range(one),
            "real": one.p_holm < ALPHA,
        }
        for one in effects
        if one.p_holm < ALPHA or one.measure in DRAWN
    ]


def _range(effect: Effect) -> str:
    unit = MEASURES[effect.measure].unit
    return " to ".join(number(end, unit, sign=True).removesuffix(" %") for end in (effect.difference.low, effect.difference.high))


def _text(effect: Effect) -> str:
    value = number(effect.difference.value, MEASURES[effect.measure].unit, sign=True)
    return f"{value} ({_range(effect)}){' *' if effect.p_holm < ALPHA else ''}"
