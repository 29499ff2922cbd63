"""The shipped champions: each says where its weights come from, and is the one that the file describes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import buraco_sim as b
from buraco_sim.errors import InputError
from buraco_sim.job import make_job
from buraco_sim.pairs import pairs_job
from buraco_sim.rules import Ruleset, variant_names
from buraco_sim.simulate import signature
from buraco_sim.strategies import Strategy, strategy_names, tuned_form

#: The presets whose source is a rule page, and the Italian federation's.
WITH_CHAMPION = [name for name in variant_names() if Ruleset.load(name).source[:3] in ("S0:", "S1:", "S2:", "S3:")] + ["burraco-fibur"]


def test_every_preset_of_a_page_has_a_champion_and_no_other_file_is_one() -> None:
    assert len(WITH_CHAMPION) == 15
    assert [name for name in strategy_names() if name.startswith("steady-")] == sorted(f"steady-{name}" for name in WITH_CHAMPION)


@pytest.mark.parametrize("variant", WITH_CHAMPION)
def test_a_champion_says_where_its_weights_come_from(variant: str) -> None:
    champion = Strategy.load(f"steady-{variant}")
    record: dict[str, Any] = champion.tuning
    assert record["variants"] == [variant]
    assert record.keys() >= {"budget_deals", "panel", "seed", "signature", "verdict", "gain", "interval", "fresh_pairs", "command"}
    low, high = record["fresh_interval"]
    assert low < record["fresh_gain"] < high
    assert record["adopted"] == (record["verdict"] == ["a"] and low > 0)
    if not record["adopted"]:
        assert "found no gain" in champion.summary
        assert champion.weights == Strategy.load("steady").weights


@pytest.mark.parametrize("variant", [name for name in WITH_CHAMPION if Strategy.load(f"steady-{name}").tuning["adopted"]])
def test_engine_and_players_are_those_that_the_champion_was_tuned_with(variant: str) -> None:
    """A champion is stale when `steady` or the engine plays otherwise: python benchmarks/champions.py."""
    champion = Strategy.load(f"steady-{variant}")
    assert champion.tuning["signature"] == [signature(pairs_job(variant, (champion, "steady"), 1))]


# ---- the word champion


def test_champion_is_the_tuned_form_of_whatever_variant_is_played() -> None:
    assert [one.name for one in make_job("stbl", "champion").seats] == ["steady-stbl"] * 4
    assert [one.name for one in make_job("burraco-fibur", "greedy,champion").seats] == ["greedy", "steady-burraco-fibur"] * 2
    assert tuned_form("steady", "burako") is None
    assert [one.name for one in make_job("burako", "champion").seats] == ["steady"] * 4


def test_champion_is_a_name_on_every_command_that_names_players() -> None:
    table = b.simulate("stbl", "champion,steady", deals=2)
    assert set(table.column("strategy_0").to_pylist()) == {"steady-stbl", "steady"}
    (found,) = b.compare("champion", "champion", "stbl", pairs=3).results
    assert (found.a, found.alike) == ("steady-stbl", True)
    assert "champion" in repr(Strategy.load("champion"))


def test_restrictions_of_a_champion_stay() -> None:
    restricted = replace(Strategy.load("champion"), name="champion-never-go-out", restrictions={"never_go_out": 1})
    (seat, *_) = make_job("stbl", [restricted, "greedy"]).seats
    assert (seat.name, seat.restrictions) == ("champion-never-go-out", {"never_go_out": 1})
    assert seat.weights == Strategy.load("steady-stbl").weights


def test_a_tuning_record_is_a_table() -> None:
    content = {**Strategy.load("greedy").to_dict(), "tuning": 3}
    with pytest.raises(InputError, match=r"tuning = 3; expected a table \[tuning\]"):
        Strategy.from_dict(content)
