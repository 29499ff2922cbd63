"""Plans: from a pilot to pairs, deals and minutes."""

from __future__ import annotations

from typing import Any

import pytest

from buraco_sim.compare import compare
from buraco_sim.errors import InputError
from buraco_sim.plan import plan
from buraco_sim.stats.planning import fixed_pairs, sequential_pairs

pytestmark = pytest.mark.usefixtures("engine")


def test_a_plan_follows_from_the_standard_deviation_of_the_pilot() -> None:
    found = plan("greedy", "random", effect=20, pilot=300)
    assert found.fixed.pairs == fixed_pairs(found.sd_pair, 20)
    assert [need.pairs for need in found.sequential.values()] == list(sequential_pairs(found.sd_pair, 20).values())
    assert found.fixed.deals == 2 * found.fixed.pairs
    assert found.fixed.minutes == pytest.approx(found.fixed.deals / found.deals_per_second / 60)
    assert list(found.sequential) == ["if the margin is 0", "if it is 20", "if it is 40"]


def test_the_pilot_is_no_part_of_a_comparison_but_has_its_spread() -> None:
    pilot = plan("greedy", "random", pilot=1000)
    (sample,) = compare("greedy", "random", pairs=1000).results
    assert pilot.sd_pair != sample.sd_pair
    assert pilot.sd_pair == pytest.approx(sample.sd_pair, rel=0.1)


def test_text_and_json_values_have_the_same_figures() -> None:
    found = plan("greedy", "random", pilot=200)
    assert f"{found.fixed.pairs:,}" in found.text()
    assert found.to_dict()["fixed"]["pairs"] == found.fixed.pairs


@pytest.mark.parametrize(
    ("b", "options", "word"),
    [("greedy", {}, "same player"), ("random", {"effect": 0}, "effect"), ("random", {"pilot": 5}, "pilot"), ("nobody", {}, "nobody")],
)
def test_what_cannot_be_planned_is_refused(b: str, options: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        plan("greedy", b, **options)
