"""What the figures say, in plain words with the numbers behind them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from buraco_sim.balance.estimates import Figure
from buraco_sim.balance.measures import MEASURES
from buraco_sim.balance.study import Study
from buraco_sim.balance.table import BalanceTable
from buraco_sim.balance.text import ALPHA, number

#: A share of wins within this of one half is as good as even.
EVEN: Final = 0.01
#: Share of deals that the leader at half wins: below the first open, above the second decided.
OPEN, DECIDED = 0.60, 0.75
#: What a comparison with the baseline tells of, most telling first.
TOLD: Final = ("turns_p50", "score", "went_out", "clean", "dirty", "morto_none", "half_leader_wins", "starter_margin")
MOST_TOLD: Final = 3


def verdict(study: Study) -> list[tuple[str, list[str]]]:
    """Paragraphs: a heading (a series, or nothing) and its sentences."""
    table = study.table
    found: list[tuple[str, list[str]]] = []
    if len(table.labels) > 1:
        found.append(("", list(_superlatives(table))))
    for index, label in enumerate(table.labels):
        found.append((label, [*_sentences(table, index), *_against_baseline(table, index)]))
    return found


def _sentences(table: BalanceTable, index: int) -> Iterator[str]:
    def value(name: str) -> str:
        return _short(table.figures[name][index].value, MEASURES[name].unit)

    yield _fairness(table, index)
    yield f"A deal has {value('turns_p50')} turns in the middle; nine of ten have {value('turns_p5')} to {value('turns_p95')}."
    yield f"{value('went_out')} of the deals end because somebody goes out; that side then has the higher score in {value('out_wins')}."
    capped = table.figures["turn_cap"][index].value
    if capped:
        yield f"Careful: {value('turn_cap')} were stopped by the safety cap on turns."
    yield f"A team scores {value('score')} points a deal and makes {value('canastas')} canastas, {value('clean')} of them clean."
    leader = table.figures["half_leader_wins"][index].value
    if leader is not None:
        word = "open" if leader < OPEN else "decided early" if leader > DECIDED else "leaning, not decided"
        yield f"At half the deal is {word}: the leader then wins {value('half_leader_wins')}."
    first = table.figures["first_morto_margin"][index]
    if first.value is not None:
        yield f"The first team to take a morto ends {_range(first, 'points')} points ahead and wins {value('first_morto_wins')}."


def _fairness(table: BalanceTable, index: int) -> str:
    wins, margin = table.figures["starter_wins"][index], table.figures["starter_margin"][index]
    if wins.value is None or wins.low is None or wins.high is None:
        return "Too few deals to say whether starting matters."
    numbers = f"{_range(wins, 'share')} of the deals are won by the side that starts, {_signed(margin)} points a deal"
    if wins.low > 0.5 - EVEN and wins.high < 0.5 + EVEN:
        return f"As good as even for both sides: {numbers}."
    if wins.low <= 0.5 <= wins.high:
        return f"No advantage of starting was found; there may be a small one: {numbers}."
    return f"Starting {'helps' if wins.value > 0.5 else 'hurts'}: {numbers}."


def _superlatives(table: BalanceTable) -> Iterator[str]:
    """Which series is extreme in what people ask first."""
    yield f"{len(table.labels)} variants side by side. A difference is called real only if it holds at 5 % after Holm's correction."
    for name, most, least in (
        ("turns_p50", "longest deals", "shortest"),
        ("half_leader_wins", "deals that are decided most early", "most open"),
        ("went_out", "deals that end most often by going out", "least often"),
        ("score", "highest scores", "lowest"),
    ):
        known = [(figure.value, label) for figure, label in zip(table.figures[name], table.labels, strict=True) if figure.value is not None]
        if len({value for value, _ in known}) > 1:
            unit = MEASURES[name].unit
            (low, lowest), (high, highest) = min(known), max(known)
            yield f"The {most}: {highest} ({_short(high, unit)}); the {least}: {lowest} ({_short(low, unit)})."


def _against_baseline(table: BalanceTable, index: int) -> Iterator[str]:
    told = []
    for name in TOLD:
        difference, p = table.differences[name][index], table.adjusted[name][index]
        if difference is not None and p is not None and p < ALPHA:
            told.append(f"{MEASURES[name].title} {number(difference.value, MEASURES[name].unit, sign=True)}")
    if told:
        yield f"Against {table.labels[table.baseline]}, really different: {'; '.join(told[:MOST_TOLD])}."
    elif index != table.baseline:
        yield f"Against {table.labels[table.baseline]}, no real difference was found in what this box tells of."


def _range(figure: Figure, unit: str) -> str:
    low, high = (_short(end, unit).removesuffix(" %") for end in (figure.low, figure.high))
    return f"{_short(figure.value, unit)} (95 %: {low} to {high})"


def _short(value: float | None, unit: str) -> str:
    """A number as one says it: shares to a tenth of a percent, points whole, canastas to a hundredth."""
    if value is None or isinstance(value, int):
        return number(value, unit)
    return f"{100 * value:.1f} %" if unit == "share" else f"{value:,.0f}" if unit in ("points", "draws") else f"{value:.2f}"


def _signed(figure: Figure) -> str:
    value, low, high = (number(one, "points", sign=True) for one in figure)
    return value if figure.low is None else f"{value} (95 %: {low} to {high})"
