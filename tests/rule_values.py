"""Values of every rule, from its declaration: what rulesets made up by the tests are made of."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

from buraco_sim.errors import InputError
from buraco_sim.rules import Ruleset, variant_names
from buraco_sim.rules.domains import Choice, Flag, Number
from buraco_sim.rules.keys import KEYS

#: Keys of a match of several deals; a single deal knows nothing of them.
MATCH: Final = tuple(key for key in KEYS if key.startswith("match."))
#: Values that lie in the ranges but make deals of another kind; the ends of a range are among them anyway.
NUMBERS: Final[dict[str, list[Any]]] = {
    "table.mortos": [[], [2], [11], [2, 60], [15, 3], [11, 11, 11], [5, 6, 7]],
    "melds.sets": ["none", "all", ["A", "3"], ["K"]],
    "table.hand": [1, 2, 7, 13, 15],
    "melds.set_max": [3, 4, 7, 8, 9],
    "stock.max_turns": [100],
    "opening.min": [0, 30, 50, 120],
    "deck.jokers": [0, 1, 2, 3, 4],
}


def values_of(key: str) -> list[Any]:
    """Some values of a rule: all of a choice or a flag, the ends of a range and what lies between."""
    domain = KEYS[key].domain
    if key in NUMBERS:
        return NUMBERS[key]
    if isinstance(domain, Flag):
        return [False, True]
    if isinstance(domain, Choice):
        return list(domain.values)
    assert isinstance(domain, Number)
    return [domain.low, domain.high, (domain.low + domain.high) // 20 * 10 + domain.step]


def one_change_each() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every value of every rule, set in three presets each; presets take turns."""
    names = variant_names()
    turn = 0
    for key in KEYS:
        if key not in MATCH:
            for value in values_of(key):
                for _ in range(3):
                    turn += 7
                    yield names[turn % len(names)], {key: value}


def mixed(seed: int, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Presets in which each rule is changed with a probability of its own, up to rules where nothing is left of the preset."""
    rng = random.Random(seed)
    for _ in range(count):
        share = rng.choice((0.1, 0.3, 1.0))
        changes = {key: rng.choice(values_of(key)) for key in KEYS if key not in MATCH and rng.random() < share}
        yield rng.choice(variant_names()), changes


def playable(variant: str, changes: dict[str, Any]) -> Ruleset | None:
    """The ruleset, or None where the changes contradict each other or the rest."""
    try:
        return Ruleset.load(variant).override(changes)
    except InputError:
        return None
