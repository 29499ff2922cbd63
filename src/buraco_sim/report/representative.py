"""The deal of a series that stands for it: of median length, with a margin near the median."""

from __future__ import annotations

from typing import Any

from buraco_sim.balance.series import Series
from buraco_sim.balance.table import BalanceTable
from buraco_sim.errors import BuracoError
from buraco_sim.replay import replay_deal
from buraco_sim.report.frames import deal_frames
from buraco_sim.sql import connect, scan


def representative_deals(table: BalanceTable) -> tuple[list[dict[str, Any]], list[str]]:
    """The frames of one deal a series, and why some could not be replayed."""
    deals, failures = [], []
    for one, counts in zip(table.series, table.counts, strict=True):
        deal, at = _find(one, counts["turns"].quantile(0.5) or 0, counts["margin"].quantile(0.5) or 0)
        try:
            played = replay_deal(one.job, deal, at)
            frames = deal_frames(played.header, played.events)
        except BuracoError as error:
            failures.append(f"{one.label}: {error}")
            continue
        deals.append(frames | {"title": f"{one.label}, deal {deal}"})
    return deals, failures


def _find(series: Series, turns: int, margin: int) -> tuple[int, int]:
    """Deal and table nearest to this length, then to this margin; the first part is enough to find one."""
    sql = f"""select deal, "table" from {scan(series.paths()[:1])}
              order by abs(turns - {turns}), abs(abs(score_0 - score_1) - {margin}), deal, "table" limit 1"""
    with connect() as connection:
        deal, table = connection.sql(sql).fetchall()[0]
    return deal, table
