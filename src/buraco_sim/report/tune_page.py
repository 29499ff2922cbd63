"""The page of a search: how the mean of the distribution gained, what came of it, and what each weight is worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from buraco_sim import __version__
from buraco_sim.balance.estimates import Figure
from buraco_sim.interrupts import command_line
from buraco_sim.report.charts import Chart, dots, draw
from buraco_sim.report.templates import asset, command_text, render
from buraco_sim.tune.outcome import Gain, Tuning

PAGE: Final = "tuning.html"
MOST_POINTS: Final = 40  # of the history


def tune_html(found: Tuning) -> str:
    """The page of a search."""
    variants = ", ".join(one.variant for one in found.comparisons)
    return render(
        "tune.html.j2",
        title=f"{found.start.name} tuned for {variants}",
        intro=_intro(found),
        charts=list(_charts(found)),
        comparisons=[
            {
                "variant": one.variant,
                "pairs": f"{one.pairs:,}",
                "mean": f"{one.mean:+.1f}",
                "range": _bounds(one.interval),
                "verdict": one.verdict,
            }
            for one in found.comparisons
        ],
        rivals=[
            {
                "name": f"{one.variant}: {one.opponent}",
                "outside": one.outside,
                "start": f"{one.start:+.1f}",
                "champion": f"{one.champion:+.1f}",
                "gain": f"{one.gain.mean:+.1f}",
                "range": _bounds(one.gain[1:3]),
            }
            for one in found.rivals
        ],
        weights=list(_weights(found)),
        command=command_text(command_line()),
        record=found.record,
        version=__version__,
        css=asset("page.css"),
    ).lstrip()


def _intro(found: Tuning) -> str:
    last = found.generations[-1]
    adopted = "It is adopted." if found.is_better else "There is no verdict for it: nothing is adopted."
    return (
        f"{len(found.generations)} generations, {last.deals:,} deals against {', '.join(found.record['panel'])}. The champion is the mean "
        f"of the distribution. {adopted}"
    )


def _charts(found: Tuning) -> Iterator[Chart]:
    step = -(-len(found.generations) // MOST_POINTS)
    shown = found.generations[::-step][::-1]
    yield draw(
        "What the mean gained",
        "Points a pair over the start on the same deals, in the mean over the panel; each point is of ten generations, with 95 % interval.",
        dots([f"{one.deals:,}" for one in shown], [_figure(one.recent) for one in shown], "points a pair", zero=0.0),
    )
    steps = sorted(found.sensitivity, key=lambda one: one.effect.mean)
    if steps:
        yield draw(
            "What a step of a weight costs",
            "The champion with one weight moved, against itself as it is; points a pair with 95 % interval. Right of zero: a gain.",
            dots([f"{one.weight} {one.moved:g}" for one in steps], [_figure(one.effect) for one in steps], "points a pair", zero=0.0),
        )


def _weights(found: Tuning) -> Iterator[dict[str, Any]]:
    for weight in found.champion.policy_weights():
        if weight.name in found.record["weights"]:
            steps = [one for one in found.sensitivity if one.weight == weight.name]
            yield {
                "name": weight.name,
                "meaning": weight.meaning,
                "start": f"{found.start.weights[weight.name]:g}",
                "champion": f"{found.champion.weights[weight.name]:g}",
                "steps": [f"{one.moved:g}: {one.effect.mean:+.1f} {_bounds(one.effect[1:3])}" for one in steps],
            }


def _figure(gain: Gain) -> Figure:
    return Figure(gain.mean, gain.low, gain.high)


def _bounds(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"{interval[0]:+.1f} to {interval[1]:+.1f}"
