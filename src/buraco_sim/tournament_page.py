"""Standings as one HTML page, that loads nothing from elsewhere."""

from __future__ import annotations

from html import escape
from typing import Final

from buraco_sim.standings import Cell, Standings
from buraco_sim.stats.sequential import ALPHA

_STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #222; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; } th, td { padding: .3rem .6rem; text-align: right; border: 1px solid #ddd; }
th:first-child, td.name { text-align: left; } caption { text-align: left; color: #555; padding-bottom: .3rem; }
svg { width: 100%; height: auto; } .open { color: #a04000; }
"""
_WIDTH: Final = 800
_ROW: Final = 28
_LEFT: Final = 160


def page(standings: Standings) -> str:
    """The whole page: ranking as a chart, cross table shaded by significance, who beats whom against the ratings."""
    title = f"Tournament, {escape(standings.variant)}"
    pairs = sum(one.pairs for one in standings.cells)
    kind = "confidence sequence" if standings.sequential else "ordinary interval"
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>
<style>{_STYLE}</style></head><body>
<h1>{title}</h1>
<p>{len(standings.rows)} players, {pairs:,} mirrored pairs, seed {standings.seed}. Ratings in points a pair, 95 % ({kind}).</p>
{_chart(standings)}
{_ranking(standings)}
{_cross_table(standings)}
{_cycles(standings)}
</body></html>
"""


def _chart(standings: Standings) -> str:
    low, high = min(row.low for row in standings.rows), max(row.high for row in standings.rows)
    scale = (_WIDTH - _LEFT - 20) / ((high - low) or 1.0)

    def x(value: float) -> str:
        return f"{_LEFT + (value - low) * scale:.1f}"

    height = _ROW * len(standings.rows) + 10
    bars = []
    for place, row in enumerate(standings.rows):
        y = _ROW * place + _ROW / 2 + 5
        bars.append(
            f'<text x="0" y="{y + 5}">{escape(row.name)}</text>'
            f'<line x1="{x(row.low)}" x2="{x(row.high)}" y1="{y}" y2="{y}" stroke="#4a7ab5" stroke-width="3"/>'
            f'<circle cx="{x(row.rating)}" cy="{y}" r="5" fill="#1f4e8c"/>'
        )
    zero = f'<line x1="{x(0)}" x2="{x(0)}" y1="0" y2="{height}" stroke="#bbb"/>' if low < 0 < high else ""
    return f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="ratings with intervals">{zero}{"".join(bars)}</svg>'


def _ranking(standings: Standings) -> str:
    rows = []
    for place, row in enumerate(standings.rows):
        is_open = place < len(standings.separations) and standings.separations[place] < 1
        note = '<span class="open">not decided against the next</span>' if is_open else ""
        rows.append(
            f'<tr><td>{place + 1}</td><td class="name">{escape(row.name)}</td><td>{row.rating:+.1f}</td>'
            f'<td>{row.low:+.1f} to {row.high:+.1f}</td><td class="name">{note}</td></tr>'
        )
    return f"<table><tr><th></th><th>player</th><th>rating</th><th>95 %</th><th></th></tr>{''.join(rows)}</table>"


def _cross_table(standings: Standings) -> str:
    names = [row.name for row in standings.rows]
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    rows = [
        f'<tr><td class="name">{escape(name)}</td>'
        + "".join("<td>-</td>" if name == other else _cell(standings.cell(name, other)) for other in names)
        + "</tr>"
        for name in names
    ]
    caption = "Row against column, points a pair. Shaded where it differs from 0 at 5 %, strongly at 1 %, over all pairings."
    return f"<table><caption>{caption}</caption><tr><th></th>{head}</tr>{''.join(rows)}</table>"


def _cell(cell: Cell) -> str:
    strength = 0.45 if cell.p_value < 0.01 else 0.2 if cell.p_value < ALPHA else 0.0
    colour = "31, 120, 80" if cell.mean > 0 else "190, 70, 50"
    title = f"{cell.pairs:,} pairs, standard error {cell.error:.1f}, p = {cell.p_value:.2g}"
    return f'<td style="background: rgba({colour}, {strength})" title="{title}">{cell.mean:+.1f}</td>'


def _cycles(standings: Standings) -> str:
    found = standings.cycles()
    if not found:
        return "<p>Against the ratings: nobody does significantly better or worse than rated.</p>"
    items = "".join(
        f"<li>{escape(one.first)} against {escape(one.second)}: "
        f"{one.residual:+.1f} &plusmn; {one.residual_error:.1f} beyond the ratings</li>"
        for one in found
    )
    return f"<p>Against the ratings (5 % over all pairings):</p><ul>{items}</ul>"
