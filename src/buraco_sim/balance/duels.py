"""Two players in mirrored pairs under a variant: what the better one gains, and how much of a deal is luck."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import ceil
from typing import Any

import numpy as np

from buraco_sim.balance.estimates import LEVEL, Figure, figure_of_ratio
from buraco_sim.balance.series import Series
from buraco_sim.sql import connect, scan
from buraco_sim.stats.pairs import estimate_pairs, quantile


@dataclass(frozen=True, slots=True)
class Duel:
    """A against B under a variant.

    Attributes
    ----------
    variant, a, b : str
    restricted : bool
        Whether B is A with a restriction, so that the margin is what the restriction costs.
    pairs : int
        Mirrored pairs played.
    margin : Figure
        Points a deal of A over B.
    wins : Figure
        Share of deals that A wins, a drawn deal counts half.
    rho : float or None
        Correlation of the margins at the two tables of a pair.
    luck : float or None
        Share of the variance of a deal's margin that is due to the cards dealt: what both tables of a pair have in common
        when the teams have exchanged their places, ``-rho``. The rest is skill and the course of play.
    deals_to_tell : int or None
        Deals, not mirrored, after which the better one leads on points in 95 % of the cases; None if the interval holds 0.
    """

    variant: str
    a: str
    b: str
    restricted: bool
    pairs: int
    margin: Figure
    wins: Figure
    rho: float | None
    luck: float | None
    deals_to_tell: int | None

    def to_dict(self) -> dict[str, Any]:
        """The duel as JSON values."""
        return asdict(self) | {"margin": self.margin._asdict(), "wins": self.wins._asdict()}


def duel_of(series: Series, *, restricted: bool = False) -> Duel:
    """Sum up a mirrored run of two strategies; A sits in team 0 at table 0."""
    tables, draws = _margins(series)
    pairs = estimate_pairs(tables)
    wins = ((tables > 0).sum(axis=1) + 0.5 * (tables == 0).sum(axis=1)) / 2
    share = figure_of_ratio(float(wins.mean()), float(wins.var(ddof=1)) / len(wins) if len(wins) > 1 else 0.0, len(wins), is_share=True)
    low, high = pairs.interval or (None, None)
    a, b = (series.job.team_name(team) for team in (0, 1))
    rho = pairs.rho
    return Duel(
        series.job.rules.name,
        a,
        b,
        restricted,
        pairs.pairs,
        Figure(pairs.mean, low, high),
        share,
        rho,
        None if rho is None else max(0.0, -rho),
        _deals_to_tell(pairs.mean, low, high, float(draws.std(ddof=1)) if len(draws) > 1 else 0.0),
    )


def _margins(series: Series) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Margins of A at both tables, int64[pairs, 2], and all of them in one row."""
    sums = (f'sum((score_0 - score_1) * {sign}) filter ("table" = {table})::bigint as t{table}' for table, sign in ((0, 1), (1, -1)))
    sql = f"select {', '.join(sums)} from {scan(series.paths())} group by deal order by deal"
    with connect() as connection:
        found = connection.sql(sql).to_arrow_table()
    tables = np.stack([found.column(name).to_numpy() for name in ("t0", "t1")], axis=1)
    return tables, tables.ravel()


def _deals_to_tell(mean: float, low: float | None, high: float | None, sd: float) -> int | None:
    if low is None or high is None or low <= 0 <= high:
        return None
    return max(1, ceil((quantile(LEVEL) * sd / mean) ** 2))
