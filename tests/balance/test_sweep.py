"""Sweeps: the design, the effects against what plain means say, what is refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from buraco_sim.balance.aggregate import Moments
from buraco_sim.balance.measures import RATIOS
from buraco_sim.errors import InputError
from buraco_sim.rules import Ruleset
from buraco_sim.sweep import Sweep, analyse, make_design, play_design, read_factors

VARY = ["pile.take=free,use_top", "go_out.canasta=any,clean"]


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    return play_design(make_design("stbl", VARY), "greedy", tmp_path_factory.mktemp("sweep") / "run", deals=200)


def test_a_design_has_every_combination_with_its_rules() -> None:
    design = make_design("stbl", [*VARY, 'melds.sets=none,all,["A", "3"]'])
    assert len(design.cells) == 12
    for (take, canasta, sets), rules in design.cells.items():
        assert rules.pile.take == ("free", "use_top")[take]
        assert rules.go_out.canasta == ("any", "clean")[canasta]
        assert rules.melds.sets == ("none", "all", ("A", "3"))[sets]
    assert len({rules.name for rules in design.cells.values()}) == 12


def test_invalid_combinations_are_listed_and_left_out() -> None:
    design = make_design("stbl", ["melds.run_max=14,13", "canasta.ace_to_ace=1000,0"])
    assert len(design.cells) + len(design.invalid) == 4
    assert design.invalid
    assert all("run_max" in reason for reason in design.invalid.values())


def test_a_main_effect_is_the_mean_over_the_other_rules_and_an_interaction_the_difference_of_differences(swept: Sweep) -> None:
    for measure in ("turns", "score", "went_out"):
        y = {levels: values[measure] for levels, values in swept.figures.items()}
        expected = ((y[1, 0] - y[0, 0]) + (y[1, 1] - y[0, 1])) / 2
        effect = next(one for one in swept.effects if one.measure == measure and one.rules[0][0] == "pile.take")
        assert effect.difference.value == pytest.approx(expected)
        joint = next(one for one in swept.interactions if one.measure == measure)
        assert joint.difference.value == pytest.approx(y[1, 1] - y[0, 1] - y[1, 0] + y[0, 0])


def test_the_error_of_an_effect_follows_from_the_covariance_of_the_cells() -> None:
    design = make_design("stbl", VARY)
    rng = np.random.default_rng(5)
    root = rng.normal(size=(4, 4))
    covariance = np.broadcast_to(root @ root.T, (len(RATIOS), 4, 4)).copy()
    effects, _ = analyse(design, Moments(1000, np.ones((len(RATIOS), 4)), covariance))
    weights = np.array([-0.5, -0.5, 0.5, 0.5])
    half = 1.959964 * np.sqrt(weights @ root @ root.T @ weights)
    assert effects[0].difference.high == pytest.approx(half, rel=1e-5)


def test_a_balanced_fraction_holds_every_value_equally_often() -> None:
    design = make_design("stbl", [*VARY, "table.upcard=false,true"], fraction=2)
    kept = list(design.cells) + list(design.invalid)
    assert len(kept) == 4
    assert all(sum(levels[place] for levels in kept) == 2 for place in range(3))
    assert set(kept) < set(product((0, 1), repeat=3))


@pytest.mark.parametrize(
    ("vary", "fraction", "text"),
    [
        (["pile.take=free"], 1, "two or more"),
        (["pile.take"], 1, "table.key=a,b"),
        ([], 1, "one or more rules"),
        (["pile.take=free,use_top", "pile.take=free,meld_any"], 1, "each once"),
        (["pile.take=free,sometimes"], 1, "sometimes"),
        (["pile.tkae=free,use_top"], 1, "pile.take"),
        (["pile.take=free,use_top,meld_any", "go_out.canasta=any,clean"], 2, "equally often"),
        ([f"canasta.clean={','.join(str(5 * n) for n in range(1, 131))}"], 1, "at most 128"),
    ],
)
def test_what_cannot_be_swept_is_refused_in_one_line(vary: list[str], fraction: int, text: str) -> None:
    with pytest.raises(InputError, match=text) as caught:
        make_design("stbl", vary, fraction=fraction)
    assert "\n" not in str(caught.value)


def test_commas_within_brackets_belong_to_the_value() -> None:
    assert read_factors(["table.mortos=[11, 11],[11]"])[0].values == ("[11, 11]", "[11]")


def test_a_ruleset_may_be_the_base(tmp_path: Path) -> None:
    rules = Ruleset.load("stbl").with_(go_out_canasta="any")
    assert all(cell.go_out.canasta == "any" for cell in make_design(rules, VARY[:1]).cells.values())
