"""Strategies as data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bad_input import BadFile
from bad_input.strategies import GOOD, malformed_strategies
from buraco_sim.errors import ExitCode, InputError
from buraco_sim.policies import POLICIES
from buraco_sim.strategies import Strategy, strategy_names


@pytest.mark.parametrize("name", strategy_names())
def test_every_shipped_strategy_loads_under_its_name(name: str) -> None:
    strategy = Strategy.load(name)
    assert strategy.name == name
    assert strategy.summary
    assert list(strategy.weights) == [weight.name for weight in POLICIES[strategy.policy].weights]


def test_every_policy_has_a_strategy_of_its_name_with_the_default_weights() -> None:
    for name, policy in POLICIES.items():
        assert Strategy.load(name).weights == {weight.name: weight.default for weight in policy.weights}


def test_defaults_lie_in_their_ranges_and_everything_is_explained() -> None:
    for policy in POLICIES.values():
        for weight in policy.weights:
            assert weight.low <= weight.default <= weight.high
            assert weight.low < weight.high
            assert weight.unit
            assert weight.meaning


def test_a_strategy_is_read_from_a_file_anywhere(tmp_path: Path) -> None:
    file = tmp_path / "patient.toml"
    file.write_bytes(b"remembers_pile = true\n" + GOOD)
    strategy = Strategy.load(str(file))
    assert (strategy.name, strategy.policy, strategy.remembers_pile) == ("patient", "random", True)
    assert strategy.path == str(file)
    assert strategy.weight_array().dtype == np.float64
    assert strategy.weight_array().tolist() == [0.5]


def test_weights_are_kept_in_the_order_of_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    policy = POLICIES["random"]
    second = type(policy.weights[0])("another", 2.0, 0.0, 9.0, "points", "a second weight")
    monkeypatch.setitem(POLICIES, "random", type(policy)("random", "", (*policy.weights, second)))
    strategy = Strategy.from_dict({"policy": "random", "weights": {"another": 3, "meld_probability": 0.25}})
    assert strategy.weight_array().tolist() == [0.25, 3.0]


def test_the_dictionary_makes_the_same_strategy_again() -> None:
    strategy = Strategy.load("random")
    again = Strategy.from_dict(strategy.to_dict())
    assert again.to_dict() == strategy.to_dict()
    assert "path" not in strategy.to_dict()


@pytest.mark.parametrize("bad", malformed_strategies(), ids=lambda bad: bad.label)
def test_malformed_strategies_get_one_clear_line(bad: BadFile, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(bad.content)
    with pytest.raises(InputError) as caught:
        Strategy.load(file)
    line = str(caught.value)
    assert line.startswith(f"{file}: ")
    assert "\n" not in line
    assert all(words in line for words in bad.mentions), line
    assert caught.value.exit_code == ExitCode.USAGE


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown strategy 'gredy'.*greedy.*random.*did you mean 'greedy'\?"):
        Strategy.load("gredy")
