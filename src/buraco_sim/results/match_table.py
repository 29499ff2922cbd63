"""The table of matches: one row a match and table, from the rows of its deals."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from buraco_sim.layout import Column
from buraco_sim.results.columns import Block
from buraco_sim.rules import Ruleset
from buraco_sim.stats.victory_points import victory_points

IntArray = npt.NDArray[np.int64]

#: The columns of the match table, one row a match and table.
RESULT_COLUMNS: Final[tuple[Column, ...]] = (
    Column("variant", "dictionary", "name", "ruleset", source="run"),
    Column("strategy_0", "dictionary", "name", "who sat in team 0, two different names as a+c", source="run"),
    Column("strategy_1", "dictionary", "name", "who sat in team 1, two different names as a+c", source="run"),
    Column("match", "int64", "index", "which match", source="run"),
    Column("table", "int8", "0 or 1", "which of the mirrored pair", source="run"),
    Column("first_deal", "int64", "index", "its first deal", source="run"),
    Column("deals", "int16", "deals", "how many deals it has, one after the other from the first", source="run"),
    Column("starter", "int8", "seat", "who drew first in its first deal", source="run"),
    Column("total_0", "int32", "points", "score of the match (team 0)", source="run"),
    Column("total_1", "int32", "points", "score of the match (team 1)", source="run"),
    Column("winner", "int8", "team", "who won the match, after the rule for ties, -1 for drawn", source="run"),
    Column("vp_0", "int8", "points", "Victory Points (team 0), null where the match is not of rounds", source="run", nullable=True),
    Column("vp_1", "int8", "points", "Victory Points (team 1), null where the match is not of rounds", source="run", nullable=True),
)


def match_winners(rules: Ruleset, totals: IntArray, starters: IntArray) -> IntArray:
    """The winning teams of matches that are over: the higher total, on a tie who started or nobody, by `match.tie`."""
    tied = starters & 1 if rules.match.tie == "starter" else np.full(len(starters), -1)
    difference = totals[:, 0] - totals[:, 1]
    return np.where(difference > 0, 0, np.where(difference < 0, 1, tied))


def results_of(block: Block, rules: Ruleset) -> Block:
    """The match table of rows of deals: whole matches, in the order of (deal, table)."""
    keys = block["match"] * 2 + block["table"]
    _, first, place, count = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    results = Block(len(first), {name: block.names[name] for name in ("variant", "strategy_0", "strategy_1")}, RESULT_COLUMNS)
    for name in ("variant", "strategy_0", "strategy_1", "match", "table", "starter"):
        results[name][:] = block[name][first]
    results["first_deal"][:], results["deals"][:] = block["deal"][first], count
    totals = np.zeros((len(first), 2), np.int64)
    for team in (0, 1):
        np.add.at(totals[:, team], place, block[f"score_{team}"].astype(np.int64))
        results[f"total_{team}"][:] = totals[:, team]
    results["winner"][:] = match_winners(rules, totals, results["starter"].astype(np.int64))
    points = victory_points(totals[:, 0] - totals[:, 1], rules.match.vp) if rules.match.kind == "rounds" else None
    for team in (0, 1):
        results.nulls[f"vp_{team}"][:] = points is None
        results[f"vp_{team}"][:] = 0 if points is None else points[:, team]
    return results
