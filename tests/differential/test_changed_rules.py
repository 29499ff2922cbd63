"""Rules that no preset has: each value of each rule somewhere, and mixtures of everything with everything."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from buraco_sim.rules.keys import KEYS
from refereed import built_in_players, differences
from rule_values import MATCH, mixed, one_change_each, playable

DEALS = 3
MIXTURES = 250

CHANGES: dict[str, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
for _variant, _change in one_change_each():
    CHANGES[next(iter(_change))].append((_variant, _change))


def players_for(deal: int) -> str:
    """A player for a deal; all have their turn."""
    players = built_in_players()
    return players[deal % len(players)]


def differences_under(variant: str, changes: dict[str, Any]) -> list[str]:
    rules = playable(variant, changes)
    return [] if rules is None else [text for deal in range(DEALS) for text in differences(rules, players_for(deal), deal, 0.02)]


def test_every_rule_of_a_deal_is_changed() -> None:
    assert set(CHANGES) == set(KEYS) - set(MATCH)
    for key, changes in CHANGES.items():
        assert sum(playable(*change) is not None for change in changes) >= 3, key


@pytest.mark.parametrize("key", CHANGES)
def test_a_changed_rule_makes_no_difference_between_the_engines(key: str) -> None:
    assert [text for variant, changes in CHANGES[key] for text in differences_under(variant, changes)] == []


@pytest.mark.parametrize("seed", range(10))
def test_mixed_rules_make_no_difference_between_the_engines(seed: int) -> None:
    mixtures = list(mixed(seed, MIXTURES // 10))
    assert [f"{changes}: {text}" for variant, changes in mixtures for text in differences_under(variant, changes)] == []
