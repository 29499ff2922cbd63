"""Which players a study sets against each other."""

from __future__ import annotations

from importlib import import_module

import pytest

from buraco_sim.balance.players import default_ladder, restricted_forms
from buraco_sim.balance.study import plan
from buraco_sim.restrictions import RESTRICTIONS
from buraco_sim.strategies import Strategy, tuned_form


def test_every_restriction_gives_a_player_that_differs_in_it_alone() -> None:
    player = Strategy.load("greedy")
    forms = restricted_forms(player)
    assert [list(one.restrictions) for one in forms] == [[name] for name in RESTRICTIONS]
    assert all((one.policy, one.weights) == (player.policy, player.weights) for one in forms)
    assert len({one.name for one in forms}) == len(RESTRICTIONS)
    assert restricted_forms(forms[0]) == []


def test_weights_tuned_for_a_variant_are_found_by_name_and_get_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    assert tuned_form("greedy", "no-such-variant") is None
    monkeypatch.setattr("buraco_sim.strategies.strategy_names", lambda: ["greedy", "greedy-stbl"])
    assert tuned_form("greedy", "stbl") == "greedy-stbl"
    study = import_module("buraco_sim.balance.study")
    monkeypatch.setattr(study, "tuned_form", lambda player, variant: "random" if variant == "stbl" else None)
    jobs = plan(["stbl", "fechado"], "greedy", deals=5, ladder=[], restricted=[]).jobs
    assert [(job.rules.name, job.seats[0].name) for job in jobs] == [("stbl", "greedy"), ("fechado", "greedy"), ("stbl", "random")]


def test_a_ladder_sets_each_player_against_the_one_before_mirrored() -> None:
    assert default_ladder("greedy") == ("random", "greedy")
    assert default_ladder("random") == ()
    duels = plan(["stbl"], "greedy", deals=5, ladder=["random", "max-lay", "greedy"], restricted=[], duel_deals=7).duels
    assert [(job.team_name(0), job.team_name(1), job.mirror, job.deals) for job in duels] == [
        ("max-lay", "random", True, 7),
        ("greedy", "max-lay", True, 7),
    ]
