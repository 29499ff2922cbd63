"""Charts as SVG that stands in the page: Vega-Lite draws them here, so the page needs no script for them.

Colours are tokens that become CSS variables of the page: a chart follows light, dark and print. What is drawn was
aggregated before; a chart holds some hundred numbers whatever the number of rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from buraco_sim.balance.aggregate import Counts
from buraco_sim.balance.estimates import Figure
from buraco_sim.errors import InputError

if TYPE_CHECKING:
    from markupsafe import Markup

Spec = dict[str, Any]

WIDTH: Final = 360  # of the drawing: it is as wide as a phone, so that nothing shrinks there
ROW: Final = 26  # height of a series in a chart of rows
MOST_LINES: Final = 8  # colours that can be told apart; a chart of lines shows the first series
BINS: Final = 60

_INK, _RULE, _CARD = "#0a0a01", "#0a0a02", "#0a0a03"
PALETTE: Final = tuple(f"#0c000{index}" for index in range(1, MOST_LINES + 1))
_TOKENS: Final = {_INK: "currentColor", _RULE: "var(--line)", _CARD: "var(--card)"} | {
    token: f"var(--c{index})" for index, token in enumerate(PALETTE, start=1)
}
_SHAPES: Final = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")

_CONFIG: Final[Spec] = {
    "background": None,
    "font": "sans-serif",
    "view": {"stroke": None},
    "aria": False,  # the drawing is one image with a name of its own; the numbers stand in the tables
    "axis": {
        "labelColor": _INK,
        "titleColor": _INK,
        "gridColor": _RULE,
        "domainColor": _RULE,
        "tickColor": _RULE,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 170,
    },
    "legend": {
        "labelColor": _INK,
        "titleColor": _INK,
        "labelFontSize": 12,
        "orient": "top",
        "columns": 2,
        "title": None,
        "labelLimit": 165,
        "symbolStrokeWidth": 2,
        "rowPadding": 2,
        "columnPadding": 8,
        "offset": 6,
    },
    "range": {"category": list(PALETTE)},
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with its title, what it shows in a sentence, and the SVG."""

    title: str
    caption: str
    svg: Markup


def draw(title: str, caption: str, spec: Spec) -> Chart:
    """Draw a Vega-Lite specification.

    Raises
    ------
    InputError
        If vl-convert is not installed.
    """
    from markupsafe import Markup

    try:
        import vl_convert
    except ImportError:
        raise InputError("vl-convert is not installed", expected="pip install 'buraco-sim[report]'") from None
    fit = {"autosize": {"type": "fit", "contains": "padding"}, "padding": 2, "config": _CONFIG}
    svg = vl_convert.vegalite_to_svg({"width": WIDTH, **fit, **spec})
    for token, colour in _TOKENS.items():
        svg = re.sub(token, colour, svg, flags=re.IGNORECASE)
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*" height="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r' (?:role|aria-\w+)="[^"]*"', "", svg)  # one image, not hundreds
    name = escape(f"{title}. {caption}", quote=True)
    return Chart(title, caption, Markup(svg.replace("<svg", f'<svg role="img" aria-label="{name}"', 1)))


def dots(labels: Sequence[str], figures: Sequence[Figure], axis: str, *, zero: float | None = None, percent: bool = False) -> Spec:
    """One row a series: a point with its interval; a line at `zero` if given."""
    scale = 100 if percent else 1
    rows = [
        {
            "label": label,
            "value": figure.value * scale,
            "low": _or(figure.low, figure.value) * scale,
            "high": _or(figure.high, figure.value) * scale,
        }
        for label, figure in zip(labels, figures, strict=True)
        if figure.value is not None
    ]
    x = {"type": "quantitative", "title": axis, "scale": {"zero": False, "nice": True}, "axis": {"tickCount": 6}}
    layers: list[Spec] = [
        {
            "mark": {"type": "rule", "strokeWidth": 3, "color": PALETTE[0], "opacity": 0.55},
            "encoding": {"x": {"field": "low", **x}, "x2": {"field": "high"}},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70, "color": PALETTE[0], "opacity": 1},
            "encoding": {"x": {"field": "value", **x}},
        },
    ]
    if zero is not None:
        layers.insert(
            0,
            {
                "data": {"values": [{"x": zero}]},
                "mark": {"type": "rule", "color": _INK, "strokeDash": [4, 3]},
                "encoding": {"x": {"field": "x", **x}},
            },
        )
        for layer in layers[1:]:
            layer["encoding"]["y"] = _rows_axis(labels)
    else:
        for layer in layers:
            layer["encoding"]["y"] = _rows_axis(labels)
    return {"height": _height(labels), "data": {"values": rows}, "layer": layers}


def stacked(labels: Sequence[str], parts: Sequence[tuple[str, Sequence[float | None]]], axis: str, *, percent: bool = False) -> Spec:
    """One bar a series, stacked of its parts; parts that are 0 everywhere are left out."""
    scale = 100 if percent else 1
    kept = [(name, values) for name, values in parts if any(values)]
    rows = [
        {"label": label, "part": name, "order": order, "value": (value or 0) * scale}
        for order, (name, values) in enumerate(kept)
        for label, value in zip(labels, values, strict=True)
    ]
    names = [name for name, _ in kept]
    return {
        "height": _height(labels) + 24 * ((len(names) + 1) // 2),
        "data": {"values": rows},
        "mark": {"type": "bar", "stroke": _CARD, "strokeWidth": 1},
        "encoding": {
            "y": _rows_axis(labels),
            "x": {
                "field": "value",
                "type": "quantitative",
                "title": axis,
                "axis": {"tickCount": 6},
                **({"scale": {"domain": [0, 100]}} if percent else {}),
            },
            "color": {
                "field": "part",
                "type": "nominal",
                "scale": {"domain": names, "range": [PALETTE[i % MOST_LINES] for i in range(len(names))]},
            },
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def ridges(labels: Sequence[str], counts: Sequence[Counts], axis: str) -> Spec:
    """One row a series: the shape of a distribution, its median marked; the outermost 0.1 % on each side are cut."""
    filled = [one for one in counts if one.total]
    low = min(one.quantile(0.001) or 0 for one in filled)
    high = max(one.quantile(0.999) or 0 for one in filled)
    width = max(1, -(-(high - low + 1) // BINS))
    rows, medians = [], []
    for index, one in enumerate(counts):
        if not one.total:
            continue
        heights = _binned(one, low, high, width)
        base = len(labels) - 1 - index
        rows += [
            {"row": base, "x": low + place * width, "y0": base, "y": base + 0.92 * float(value)}
            for place, value in enumerate(heights / heights.max())
        ]
        median = one.quantile(0.5)
        if median is not None:
            medians.append({"row": base, "x": median, "y0": base, "y": base + 0.92})
    names = list(reversed(labels))
    y_axis = {
        "title": None,
        "values": list(range(len(labels))),
        "grid": False,
        "ticks": False,
        "domain": False,
        "labelBaseline": "bottom",
        "labelExpr": f"{names!r}[datum.value]",
    }
    y = {"field": "y", "type": "quantitative", "scale": {"domain": [0, len(labels)], "nice": False}, "axis": y_axis}
    x = {"field": "x", "type": "quantitative", "title": axis, "scale": {"domain": [low, high], "nice": False}, "axis": {"tickCount": 6}}
    area = {"type": "area", "interpolate": "step-after", "color": PALETTE[0], "opacity": 0.75, "line": False}
    return {
        "height": 40 + max(34, 46 - len(labels)) * len(labels),
        "layer": [
            {"data": {"values": rows}, "mark": area, "encoding": {"x": x, "y": y, "y2": {"field": "y0"}, "detail": {"field": "row"}}},
            {
                "data": {"values": medians},
                "mark": {"type": "rule", "color": PALETTE[1], "strokeWidth": 2},
                "encoding": {"x": x, "y": y, "y2": {"field": "y0"}},
            },
        ],
    }


def lines(labels: Sequence[str], rows: Iterable[Spec], x_title: str, y_title: str, *, order: Sequence[str] | None = None) -> Spec:
    """A line a series over x, told apart by colour and by the shape of its points; rows have ``label``, ``x``, ``y``."""
    shown = list(labels[:MOST_LINES])
    data = [row for row in rows if row["label"] in shown]
    x: Spec = {"field": "x", "title": x_title}
    x |= (
        {"type": "ordinal", "sort": list(order), "axis": {"labelAngle": 0, "labelOverlap": True}}
        if order
        else {"type": "quantitative", "scale": {"zero": False}}
    )
    scale = {"domain": shown, "range": list(PALETTE[: len(shown)])}
    encoding = {
        "x": x,
        "y": {"field": "y", "type": "quantitative", "title": y_title, "axis": {"tickCount": 6}},
        "color": {"field": "label", "type": "nominal", "scale": scale},
    }
    shape = {"field": "label", "type": "nominal", "scale": {"domain": shown, "range": list(_SHAPES[: len(shown)])}}
    return {
        "height": 210 + 22 * ((len(shown) + 1) // 2),
        "data": {"values": data},
        "layer": [
            {"mark": {"type": "line", "strokeWidth": 2}, "encoding": encoding},
            {"mark": {"type": "point", "filled": True, "size": 45, "opacity": 1}, "encoding": encoding | {"shape": shape}},
        ],
    }


def _rows_axis(labels: Sequence[str]) -> Spec:
    return {
        "field": "label",
        "type": "nominal",
        "title": None,
        "sort": list(labels),
        "scale": {"domain": list(labels)},
        "axis": {"domain": False, "ticks": False},
    }


def _height(labels: Sequence[str]) -> int:
    return 56 + ROW * len(labels)


def _or(value: float | None, other: float) -> float:
    return other if value is None else value


def _binned(counts: Counts, low: int, high: int, width: int) -> np.ndarray[Any, Any]:
    places = (counts.values - low) // width
    inside = (counts.values >= low) & (counts.values <= high)
    return np.bincount(places[inside], weights=counts.counts[inside], minlength=(high - low) // width + 1)
