"""Every declared weight does something: at one end of its range some deal of some variant ends otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from buraco_sim.policies import POLICIES
from buraco_sim.rules import Ruleset, variant_names
from buraco_sim.strategies import Strategy
from buraco_sim.tune.field import Cell, Field

PAIRS = 100
VARIANTS = sorted(variant_names(), key=lambda name: (name not in ("stbl", "burraco-fibur", "buraco-classico", "burraco-duel"), name))


@pytest.mark.parametrize("policy", [one.name for one in POLICIES.values() if one.weights])
def test_every_weight_is_felt_in_some_variant(policy: str) -> None:
    player = Strategy.load(policy)
    silent = {one.name: one for one in player.policy_weights()}
    for variant in VARIANTS:
        ends = [(name, end) for name, one in silent.items() for end in (one.low, one.high)]
        forms = [player, *(replace(player, weights=player.weights | {name: end}) for name, end in ends)]
        margins = Field(player, [Cell(Ruleset.load(variant), player)], seed=11).margins(forms, 0, PAIRS)
        for (name, _), played in zip(ends, margins[1:], strict=True):
            if (played != margins[0]).any():
                silent.pop(name, None)
        if not silent:
            return
    pytest.fail(f"{policy}: nobody notices {', '.join(silent)}")


def test_the_shipped_player_has_the_weights_of_its_declaration() -> None:
    declared = {one.name: one.default for one in POLICIES["steady"].weights}
    assert Strategy.load("steady").weights == declared
