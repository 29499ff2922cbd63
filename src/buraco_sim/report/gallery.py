"""Which charts a report has, question by question: data from the study, drawn by :mod:`buraco_sim.report.charts`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from buraco_sim.balance.aggregate import Counts
from buraco_sim.balance.duels import Duel
from buraco_sim.balance.measures import BANDS, CANASTAS
from buraco_sim.balance.series import Series
from buraco_sim.balance.study import Study
from buraco_sim.balance.table import BalanceTable
from buraco_sim.report.charts import Chart, dots, draw, lines, ridges, stacked
from buraco_sim.sql import connect, scan

TURNS_BIN = 6
MARGIN_BIN = 25
FEWEST = 200  # deals of a bin whose median is drawn


def gallery(study: Study) -> dict[str, list[Chart]]:
    """The charts of a study by question; ``players`` holds those of duels."""
    charts = {question: list(make(study.table)) for question, make in _CHARTS.items()}
    return charts | {"players": list(_players(study.duels))}


def _figure_values(table: BalanceTable, name: str) -> list[float | None]:
    return [figure.value for figure in table.figures[name]]


def _counts(table: BalanceTable, name: str) -> list[Counts]:
    return [one[name] for one in table.counts]


def _fair(table: BalanceTable) -> Iterator[Chart]:
    caption = "Points a deal that the side that starts scores more than the other, with the 95 % interval."
    yield draw("What is it worth to start?", caption, dots(table.labels, table.figures["starter_margin"], "points a deal", zero=0))
    caption = "Share of the deals that the side that starts wins, with the 95 % interval. At 50 % starting is worth nothing."
    yield draw(
        "Does the starter win more?", caption, dots(table.labels, table.figures["starter_wins"], "% of deals", zero=50, percent=True)
    )


def _length(table: BalanceTable) -> Iterator[Chart]:
    caption = "How often a deal has so many turns; the upright line is the median."
    yield draw("How many turns?", caption, ridges(table.labels, _counts(table, "turns"), "turns"))
    caption = "Median margin of the winner in deals of a length: does a long deal end closer?"
    spec = lines(table.labels, [row for one in table.series for row in _margins_by_turns(one)], "turns", "margin, points")
    yield draw("Margins against turns", caption, spec)


def _end(table: BalanceTable) -> Iterator[Chart]:
    parts = [
        (title, _figure_values(table, name))
        for name, title in (("went_out", "somebody goes out"), ("stock_end", "stock runs out"), ("turn_cap", "safety cap"))
    ]
    yield draw("How do deals end?", "Share of all deals.", stacked(table.labels, parts, "% of deals", percent=True))
    caption = "Share of the deals in which who goes out also has the higher score."
    yield draw("Does going out win?", caption, dots(table.labels, table.figures["out_wins"], "% of deals", percent=True))


def _scores(table: BalanceTable) -> Iterator[Chart]:
    caption = "How often a team scores so many points; the upright line is the median."
    yield draw("What does a team score?", caption, ridges(table.labels, _counts(table, "score"), "points"))
    classes = [(name.replace("_", " "), _figure_values(table, f"{name}_points")) for name in CANASTAS]
    parts = [("melded cards", _figure_values(table, "cards")), *classes]
    parts += [
        (title, _figure_values(table, name))
        for name, title in (("go_out", "going out"), ("hand", "cards in hand"), ("morto", "morto penalties"))
    ]
    yield draw(
        "Where do the points come from?",
        "Mean of a team and deal; what costs points stands left of 0.",
        stacked(table.labels, _largest(parts), "points"),
    )


def _canastas(table: BalanceTable) -> Iterator[Chart]:
    parts = [(name.replace("_", " "), _figure_values(table, name)) for name in CANASTAS]
    yield draw("Which canastas?", "Canastas of a team and deal by kind.", stacked(table.labels, parts, "canastas"))
    caption = "Share of the teams that have a canasta at the end of a deal."
    yield draw("Who gets one at all?", caption, dots(table.labels, table.figures["with_canasta"], "% of teams", percent=True))


def _morto(table: BalanceTable) -> Iterator[Chart]:
    if any(one.total for one in _counts(table, "morto_turn")):
        caption = "Turn of a team's first morto; the upright line is the median."
        yield draw("When is the morto taken?", caption, ridges(table.labels, _counts(table, "morto_turn"), "turn"))
    parts = [
        (mode, _figure_values(table, f"morto_{key}")) for key, mode in (("direct", "direct"), ("indirect", "indirect"), ("none", "never"))
    ]
    yield draw("How is it taken?", "Share of teams; direct: playing on at once.", stacked(table.labels, parts, "% of teams", percent=True))


def _decided(table: BalanceTable) -> Iterator[Chart]:
    caption = "Share of the deals that the leader after half of the turns wins. 50 %: nothing is decided; 100 %: all is."
    yield draw("Does the leader at half win?", caption, dots(table.labels, table.figures["half_leader_wins"], "% of deals", percent=True))
    caption = "Mean place of the last change of the lead, as a share of the turns."
    yield draw("When does the lead change last?", caption, dots(table.labels, table.figures["last_lead"], "% of the turns", percent=True))


def _comebacks(table: BalanceTable) -> Iterator[Chart]:
    rows: list[dict[str, Any]] = [
        {"label": label, "x": _band(title), "y": 100 * figure.value}
        for name, title, *_ in BANDS
        for label, figure in zip(table.labels, table.figures[name], strict=True)
        if figure.value is not None
    ]
    caption = "Chance to win of the team that is so many points behind after half of the turns."
    order = [_band(title) for _, title, *_ in BANDS]
    yield draw("Who comes back?", caption, lines(table.labels, rows, "points behind at half", "% of deals won", order=order))
    groups = [("none", 0, 0), ("1", 1, 1), ("2 or 3", 2, 3), ("4 to 7", 4, 7), ("8 or more", 8, 10_000)]
    counts = _counts(table, "lead_changes")
    parts: list[tuple[str, list[float | None]]] = [
        (title, [float(one.counts[(one.values >= low) & (one.values <= high)].sum() / one.total) for one in counts])
        for title, low, high in groups
    ]
    yield draw(
        "How often does the lead change?",
        "Share of deals by the number of changes.",
        stacked(table.labels, parts, "% of deals", percent=True),
    )


def _players(duels: list[Duel]) -> Iterator[Chart]:
    restricted = [duel for duel in duels if duel.restricted]
    ladder = [duel for duel in duels if not duel.restricted]
    if ladder:
        labels = _duel_labels(ladder, lambda duel: f"{duel.a} v {duel.b}")
        caption = "Points a deal of the stronger player over the weaker, mirrored pairs, with the 95 % interval."
        yield draw("What is skill worth?", caption, dots(labels, [duel.margin for duel in ladder], "points a deal", zero=0))
    if restricted:
        labels = _duel_labels(restricted, lambda duel: duel.b)
        caption = "Points a deal that a player loses by each restriction: what the freedom is worth."
        yield draw("What is each freedom worth?", caption, dots(labels, [duel.margin for duel in restricted], "points a deal", zero=0))


def _duel_labels(duels: list[Duel], name: Any) -> list[str]:
    alone = len({duel.variant for duel in duels}) == 1
    return [name(duel) if alone else f"{duel.variant}: {name(duel)}" for duel in duels]


def _band(title: str) -> str:
    return title.replace(" to ", "-").replace("more than ", "> ")


def _largest(parts: list[tuple[str, list[float | None]]]) -> list[tuple[str, list[float | None]]]:
    """At most as many parts as there are colours: the smallest canasta classes become one."""
    kept = [part for part in parts if any(part[1])]
    while len(kept) > 8:
        small = sorted(kept, key=lambda part: max(abs(value or 0) for value in part[1]))[:2]
        joined: list[float | None] = [(a or 0) + (b or 0) for a, b in zip(small[0][1], small[1][1], strict=True)]
        kept = [part for part in kept if part not in small] + [("other", joined)]
    return kept


def _margins_by_turns(series: Series) -> Iterator[dict[str, Any]]:
    """The median margin of the winner for deals of similar length."""
    turns, margin = f"turns // {TURNS_BIN}", f"abs(score_0 - score_1) // {MARGIN_BIN}"
    sql = f"select {turns} as t, {margin} as m, count(*) as n from {scan(series.paths())} group by t, m order by t, m"
    with connect() as connection:
        found = connection.sql(sql).to_arrow_table()
    t, m, n = (found.column(name).to_numpy() for name in ("t", "m", "n"))
    for at in np.unique(t):
        inside = t == at
        if n[inside].sum() >= FEWEST:
            median = Counts(m[inside], n[inside]).quantile(0.5) or 0
            yield {"label": series.label, "x": int(at) * TURNS_BIN + TURNS_BIN / 2, "y": (median + 0.5) * MARGIN_BIN}


_CHARTS = {
    "fair": _fair,
    "length": _length,
    "end": _end,
    "scores": _scores,
    "canastas": _canastas,
    "morto": _morto,
    "decided": _decided,
    "comebacks": _comebacks,
}
