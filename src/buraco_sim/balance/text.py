"""The balance table as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from buraco_sim.balance.choices import Choices
from buraco_sim.balance.duels import Duel
from buraco_sim.balance.estimates import Difference, Figure
from buraco_sim.balance.matches import MatchFigures
from buraco_sim.balance.measures import MEASURES, QUESTIONS
from buraco_sim.balance.study import Study
from buraco_sim.balance.table import BalanceTable

ALPHA: Final = 0.05

CAVEAT: Final = (
    "The table ranks rules for these players, not for people. Intervals are 95 %; * is a difference that holds at 5 % after Holm."
)


def number(value: float | None, unit: str, *, sign: bool = False) -> str:
    """A value with the digits that its unit deserves.

    Examples
    --------
    >>> number(0.5136, "share"), number(-12.34, "points", sign=True), number(None, "points")
    ('51.36 %', '-12.3', '-')
    """
    if value is None:
        return "-"
    plus = "+" if sign else ""
    if isinstance(value, int):
        return f"{value:{plus},}"
    if unit == "share":
        return f"{100 * value:{plus}.2f} %"
    digits = {"points": 1, "draws": 1}.get(unit, 3)
    return f"{value:{plus},.{digits}f}"


def figure_text(figure: Figure, unit: str) -> str:
    """``value (low to high)``."""
    if figure.low is None:
        return number(figure.value, unit)
    low, high = (number(end, unit).removesuffix(" %") for end in (figure.low, figure.high))
    return f"{number(figure.value, unit)} ({low} to {high})"


def difference_text(difference: Difference | None, p_holm: float | None, unit: str) -> str:
    """The difference with a star if it holds after Holm."""
    if difference is None:
        return ""
    star = " *" if p_holm is not None and p_holm < ALPHA else ""
    return f"{number(difference.value, unit, sign=True)}{star}"


def table_text(table: BalanceTable) -> str:
    """The whole table: a block a question, a line a measure, a column a series."""
    lines: list[list[str]] = []
    titles: dict[int, str] = {}
    question = ""
    for name in table.shown():
        measure = MEASURES[name]
        if measure.question != question:
            question = measure.question
            titles[len(lines)] = QUESTIONS[question]
        unit = "" if measure.unit == "share" or measure.unit in measure.title else f", {measure.unit}"
        lines.append([f"  {measure.title}{unit}", *_cells(table, name)])
    head = [
        "",
        *(
            f"{label}{' (baseline)' if index == table.baseline and len(table.labels) > 1 else ''}"
            for index, label in enumerate(table.labels)
        ),
    ]
    return "\n".join(_aligned(head, lines, titles))


def study_text(study: Study) -> str:
    """The table, and what replayed deals, duels and matches add to it."""
    blocks = [table_text(study.table)]
    if study.choices:
        blocks.append(
            _block(
                f"How much is there to choose? ({study.choices[0].deals} deals replayed)", CHOICES_HEAD, map(_choices_row, study.choices)
            )
        )
    if study.duels:
        blocks.append(_block("What do players make of it?", DUELS_HEAD, map(_duel_row, study.duels)))
    if study.matches:
        blocks.append(_block("Matches", MATCHES_HEAD, map(_match_row, study.matches)))
    return "\n\n".join([*blocks, CAVEAT])


CHOICES_HEAD: Final = ["", "turns with a choice", "of the draw", "of a meld", "canastas that are sets"]
DUELS_HEAD: Final = ["", "", "points a deal", "deals won", "luck", "deals to tell", "pairs"]
MATCHES_HEAD: Final = ["", "", "won by", "share", "deals", "overshoot", "Victory Points"]


def _choices_row(one: Choices) -> list[str]:
    return [f"  {one.series}", *(figure_text(figure, "share") for figure in (one.turns, one.draws, one.melds, one.canasta_sets))]


def _duel_row(one: Duel) -> list[str]:
    what = f"{one.a} without its freedom: {one.b}" if one.restricted else f"{one.a} over {one.b}"
    tell = "-" if one.deals_to_tell is None else f"{one.deals_to_tell:,}"
    figures = [figure_text(one.margin, "points"), figure_text(one.wins, "share"), number(one.luck, "share"), tell, f"{one.pairs:,}"]
    return [f"  {one.variant}", what, *figures]


def _match_row(one: MatchFigures) -> list[str]:
    length = f"to {one.length:,}" if one.kind == "target" else f"{one.length} deals"
    overshoot = "" if one.overshoot is None else figure_text(one.overshoot, "points")
    vp = "" if one.vp is None else figure_text(one.vp, "VP")
    return [f"  {one.series}", length, one.first, figure_text(one.wins, "share"), figure_text(one.deals, "deals"), overshoot, vp]


def _block(title: str, head: list[str], rows: Iterable[list[str]]) -> str:
    return "\n".join([title, *_aligned(head, list(rows), {})])


def _cells(table: BalanceTable, name: str) -> list[str]:
    unit = MEASURES[name].unit
    cells = []
    for index, figure in enumerate(table.figures[name]):
        difference = difference_text(table.differences[name][index], table.adjusted[name][index], unit)
        cells.append(f"{figure_text(figure, unit)}  {difference}".rstrip())
    return cells


def _aligned(head: list[str], lines: Sequence[list[str]], titles: dict[int, str]) -> list[str]:
    widths = [max(len(row[column]) for row in (head, *lines)) for column in range(len(head))]

    def join(row: Sequence[str]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()

    text = [join(head)]
    for index, row in enumerate(lines):
        if index in titles:
            text += ["", titles[index]]
        text.append(join(row))
    return text
