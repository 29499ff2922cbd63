"""Matches from the deals of a run: the built-in players do not look at the standing, so deals drawn at random make a match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.balance.estimates import Figure, figure_of_ratio
from buraco_sim.balance.series import Series
from buraco_sim.sql import connect, scan

Scores = npt.NDArray[np.int64]

TARGETS: Final = (1000, 2000, 3000)
ROUNDS: Final = (1, 4, 8, 16)
MOST_DEALS: Final = 64  # of a match; scores may be negative, so a target may be missed for long
_BLOCKS: Final = 20  # independent parts of the rows, whose spread gives the interval
_MATCHES: Final = 1000  # of a block
_ROWS: Final = 200_000
_SEED: Final = 108


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """Matches of a length.

    Attributes
    ----------
    series : str
        Label of the series whose deals make them.
    kind, length
        ``target`` and points, or ``rounds`` and deals.
    first : str
        Whose chances these are: the better player's, or the side's that starts the first deal.
    wins, deals, overshoot, vp : Figure
        Share of matches won by it, drawn ones count half; deals of a match; points of the winner beyond the target (None for
        rounds); Victory Points of 20 (None for targets and where the rules have no scale).
    """

    series: str
    kind: str
    length: int
    first: str
    wins: Figure
    deals: Figure
    overshoot: Figure | None
    vp: Figure | None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        figures = {name: getattr(self, name) for name in ("wins", "deals", "overshoot", "vp")}
        return asdict(self) | {name: None if one is None else one._asdict() for name, one in figures.items()}


def matches_of(series: Series) -> Iterator[MatchFigures]:
    """Play matches from the rows of a series, by the usual targets and numbers of deals.

    In a mirrored run of two strategies the first side is A, else it is the side that starts the first deal; the start
    rotates.
    """
    job = series.job
    a, b = (job.team_name(team) for team in (0, 1))
    blocks = np.array_split(_scores(series, by_player=a != b), _BLOCKS)
    first = a if a != b else "starter"
    rng = np.random.default_rng(_SEED)
    drawn = [_draw(block, rng, rotate=a == b) for block in blocks if len(block)]
    for target in TARGETS:
        yield _figures(series.label, "target", target, first, [_to_target(one, target) for one in drawn])
    for rounds in ROUNDS:
        yield _figures(series.label, "rounds", rounds, first, [_rounds(one, rounds, job.rules.match.vp) for one in drawn])


def _scores(series: Series, *, by_player: bool) -> Scores:
    """Scores of the first side and of the other, int64[rows, 2], some of the rows if there are very many."""
    first = '"table" = 0' if by_player else "starter % 2 = 0"
    sql = f"""select case when {first} then score_0 else score_1 end as mine, case when {first} then score_1 else score_0 end as theirs
              from {scan(series.paths()[: 1 + _ROWS // series.job.part_deals])} order by deal, "table" limit {_ROWS}"""
    with connect() as connection:
        found = connection.sql(sql).to_arrow_table()
    return np.stack([found.column(name).to_numpy() for name in ("mine", "theirs")], axis=1).astype(np.int64)


def _draw(rows: Scores, rng: np.random.Generator, *, rotate: bool) -> Scores:
    """Running totals of matches of the greatest length, int64[matches, deals, 2]."""
    deals = rows[rng.integers(0, len(rows), (_MATCHES, MOST_DEALS))]
    if rotate:  # the rows are (starter's side, other side): every other deal is the other side's to start
        deals[:, 1::2] = deals[:, 1::2, ::-1]
    return np.cumsum(deals, axis=1)


def _to_target(totals: Scores, target: int) -> dict[str, float]:
    over = totals.max(axis=2) >= target
    last = np.where(over.any(axis=1), over.argmax(axis=1), MOST_DEALS - 1)
    final = totals[np.arange(len(totals)), last]
    return {"wins": _wins(final), "deals": float(last.mean()) + 1, "overshoot": float((final.max(axis=1) - target).mean())}


def _rounds(totals: Scores, rounds: int, scale: tuple[int, ...]) -> dict[str, float]:
    final = totals[:, rounds - 1]
    found = {"wins": _wins(final), "deals": float(rounds)}
    if not scale:
        return found
    difference = final[:, 0] - final[:, 1]
    steps = np.searchsorted(np.array(scale), np.abs(difference))
    return found | {"vp": 10 + float((np.sign(difference) * steps).mean())}


def _wins(final: Scores) -> float:
    return float((final[:, 0] > final[:, 1]).mean() + 0.5 * (final[:, 0] == final[:, 1]).mean())


def _figures(label: str, kind: str, length: int, first: str, found: list[dict[str, float]]) -> MatchFigures:
    def figure(name: str) -> Figure | None:
        values = np.array([one[name] for one in found if name in one])
        if not len(values):
            return None
        variance = float(values.var(ddof=1)) / len(values) if len(values) > 1 else 0.0
        return figure_of_ratio(float(values.mean()), variance, _MATCHES * len(values), is_share=name == "wins")

    wins, deals = figure("wins"), figure("deals")
    assert wins is not None
    assert deals is not None
    return MatchFigures(label, kind, length, first, wins, deals, figure("overshoot"), figure("vp"))
