"""Whether the pile may be taken is most often said at a glance; the glance never says what a search would not."""

from __future__ import annotations

from rule_values import mixed, playable
from tables import first_difference

POSITIONS = 20_000
RULESETS = 90


def test_a_glance_at_the_pile_says_what_trying_every_meld_says() -> None:
    """Every value of every rule comes up; two of three rulesets want the top card used, where the glance has most to say."""
    asked = 0
    for seed, (variant, changes) in enumerate(mixed(5, RULESETS)):
        rules = playable(variant, changes | ({"pile.take": "use_top"} if seed % 3 else {}))
        if rules is not None:
            asked += 1
            assert first_difference(rules, seed, POSITIONS) == "", (variant, changes)
    assert asked > RULESETS // 3
