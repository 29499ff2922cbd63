"""Every preset, with both numbers of seats, by every built-in player: the referee accepts each deal and each column.

`BURACO_TEST_DEALS` sets how many deals a combination gets (20), for a longer look than the suite's; the players beside
`random` and `greedy` get a fifth of that.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import product
from typing import Any

import pytest

from buraco_sim.rules import Ruleset, variant_names
from refereed import differences, kinds, line_ups, played

DEALS = int(os.environ.get("BURACO_TEST_DEALS", "20"))
MOST_PLAYED = ("random", "greedy", "random,greedy")
LISTS = 0.02  # share of the positions at which the lists of legal actions are compared
PRESETS = [(name, {"table.seats": seats}) for name, seats in product(variant_names(), (4, 2))]
#: What no preset has, or not often enough.
BESIDE_PRESETS: list[tuple[str, dict[str, Any]]] = [
    ("burraco-duel", {"stock.max_turns": 100, "go_out.canasta": "clean", "table.hand": 5, "table.mortos": [5, 5]}),
    ("buraco-classico", {"melds.run_wild_min": 0, "melds.sets": "none", "table.hand": 15, "pile.take": "free"}),
    ("stbl", {"stock.when": "draw"}),
    ("burraco-fibur", {"morto.untaken_when": "someone_took"}),
    ("tre-mortos", {"stock.when": "draw", "stock.exhausted": "morto"}),
    ("tre-mortos", {"morto.after_discard": "next_turn", "table.mortos": [4, 4, 4], "go_out.canasta": "clean"}),
]

EVERY_KIND = {
    "draw from the stock",
    "draw from the pile",
    "discard",
    "pass",
    "open a run",
    "open a run with a wild",
    "open a set",
    "open a set with a wild",
    "open a set of twos",
    "add to a run",
    "add to a set",
    "a set gains a wild",
    "a wild moves and stays in the meld",
    "a replaced wild returns to the hand",
    "a natural two turns wild",
    "a wild two becomes natural",
    "direct morto",
    "indirect morto",
    "unused morto",
    "conversion at the end of a turn",
    "conversion at a draw",
    "end: went_out by a meld",
    "end: went_out by a discard",
    "end: stock_end",
    "end: turn_cap",
    "clean",
    "semi",
    "dirty",
    "cleaned",
    "dirtied",
}


@pytest.mark.parametrize("players", line_ups())
@pytest.mark.parametrize(("variant", "changes"), PRESETS + BESIDE_PRESETS, ids=str)
def test_the_engines_agree(variant: str, changes: dict[str, Any], players: str) -> None:
    rules = Ruleset.load(variant).override(changes)
    deals = DEALS if players in MOST_PLAYED else -(-DEALS // 5)
    assert [text for deal in range(deals) for text in differences(rules, players, deal, LISTS if deal % 4 == 0 else 0)] == []


def test_the_sample_has_every_kind_of_action_and_event() -> None:
    found: Counter[str] = Counter()
    for variant, changes in PRESETS + BESIDE_PRESETS:
        for deal in range(3):
            deal_played, lines = played(Ruleset.load(variant).override(changes), "random", deal)
            found += kinds(lines, deal_played.row)
    assert {kind: n for kind, n in found.items() if n < 3} == {}
    assert set(found) == EVERY_KIND
