"""[canasta] and [values]: what melds and hands are worth."""

from __future__ import annotations

import pytest

from asking import Asker

A_TO_K = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"
TWO_TO_A = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"
EIGHT = "9s 9s 9h 9h 9d 9d 9c 9c"


def canasta(rule: Asker, **points: object) -> Asker:
    return rule.under({f"canasta.{key}": value for key, value in points.items()})


def test_a_canasta_has_seven_cards(rule: Asker) -> None:
    assert rule.canasta("3h 4h 5h 6h 7h 8h") == ("none", 0)
    assert rule.canasta("3h 4h 5h 6h 7h 8h 9h") == ("clean", 200)


def test_clean_is_without_a_wild_dirty_with_one(rule: Asker) -> None:
    points = canasta(rule, clean=300, dirty=150)
    assert points.canasta("2h 3h 4h 5h 6h 7h 8h") == ("clean", 300)
    assert points.canasta("3h 4h JK* 6h 7h 8h 9h") == ("dirty", 150)
    assert points.canasta("9s 9s 9h 9h 9d 9d 2c*") == ("dirty", 150)


def test_semi_wild_at_end_the_wild_stands_at_an_end_of_seven_or_more_naturals(rule: Asker) -> None:
    assert rule.canasta("3h 4h 5h 6h 7h 8h 9h JK*") == ("semi", 150)
    assert rule.canasta("2c* 3h 4h 5h 6h 7h 8h 9h") == ("semi", 150)
    assert rule.canasta("3h 4h 5h 6h 7h 8h JK*") == ("dirty", 100)
    assert rule.canasta("3h JK* 5h 6h 7h 8h 9h Th Jh") == ("dirty", 100)


def test_semi_seven_consecutive_naturals_stand_somewhere_the_wild_anywhere(rule: Asker) -> None:
    seven = canasta(rule, semi_rule="seven_consecutive")
    assert seven.canasta("3h JK* 5h 6h 7h 8h 9h Th Jh") == ("semi", 150)
    assert seven.canasta("3h 4h 5h 6h 7h 8h 9h JK*") == ("semi", 150)
    assert seven.canasta("3h 4h JK* 6h 7h 8h 9h Th Jh") == ("dirty", 100)


def test_semi_a_set_has_seven_or_more_naturals_and_a_wild(rule: Asker) -> None:
    for semi_rule in ("wild_at_end", "seven_consecutive"):
        assert canasta(rule, semi_rule=semi_rule).canasta("9s 9s 9h 9h 9d 9d 9c JK*") == ("semi", 150)
        assert canasta(rule, semi_rule=semi_rule).canasta("9s 9s 9h 9h 9d 9d JK*") == ("dirty", 100)


def test_semi_exists_only_if_it_has_points_and_a_rule(rule: Asker) -> None:
    meld = "3h 4h 5h 6h 7h 8h 9h JK*"
    assert canasta(rule, semi=0).canasta(meld) == ("dirty", 100)
    assert canasta(rule, semi_rule="none").canasta(meld) == ("dirty", 100)
    assert canasta(rule, semi_rule="none").canasta("9s 9s 9h 9h 9d 9d 9c JK*") == ("dirty", 100)


def test_royal_high_the_ace_stands_high(rule: Asker) -> None:
    high = canasta(rule, royal=500, royal_ace="high")
    assert high.canasta(TWO_TO_A) == ("royal", 500)
    assert high.canasta(A_TO_K) == ("clean", 200)
    assert high.canasta("3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah") == ("clean", 200)


def test_royal_either_a_to_k_too(rule: Asker) -> None:
    either = canasta(rule, royal=500, royal_ace="either")
    assert either.canasta(TWO_TO_A) == ("royal", 500)
    assert either.canasta(A_TO_K) == ("royal", 500)


def test_royal_dirty_one_natural_of_each_of_the_thirteen_ranks_and_a_wild(rule: Asker) -> None:
    dirty = canasta(rule, royal=500, royal_dirty=400, royal_ace="either")
    assert dirty.canasta(f"{A_TO_K} JK*") == ("royal_dirty", 400)
    assert dirty.canasta(f"2c* {TWO_TO_A}") == ("royal_dirty", 400)
    assert dirty.canasta(TWO_TO_A.replace("5h", "JK*")) == ("dirty", 100)
    two_aces = dirty.under({"melds.run_aces": 2})
    assert two_aces.canasta(f"{A_TO_K} Ah".replace("5h", "JK*")) == ("dirty", 100)


def test_royal_dirty_high_the_natural_ace_stands_high(rule: Asker) -> None:
    high = canasta(rule, royal=500, royal_dirty=400, royal_ace="high")
    assert high.canasta(f"{A_TO_K} JK*") == ("semi", 150)
    assert high.canasta(f"JK* {TWO_TO_A}") == ("royal_dirty", 400)


def test_ace_to_ace_fourteen_naturals_clean_only_and_not_royal(rule: Asker) -> None:
    two_aces = canasta(rule.under({"melds.run_aces": 2}), royal=500, royal_ace="either")
    assert two_aces.canasta(f"{A_TO_K} Ah") == ("clean", 200)
    most = canasta(two_aces, ace_to_ace=1000)
    assert most.canasta(f"{A_TO_K} Ah") == ("ace_to_ace", 1000)
    assert most.canasta(f"{A_TO_K} Ah".replace("5h", "JK*")) == ("dirty", 100)


def test_eight_a_set_of_eight_naturals_and_eight_dirty_with_a_wild(rule: Asker) -> None:
    eight = canasta(rule, eight=250, eight_dirty=220)
    assert eight.canasta(EIGHT) == ("eight", 250)
    assert eight.canasta(f"{EIGHT} JK*") == ("eight_dirty", 220)
    assert eight.canasta("9s 9s 9h 9h 9d 9d 9c JK*") == ("semi", 150)
    assert eight.canasta("2h 3h 4h 5h 6h 7h 8h 9h") == ("clean", 200)
    assert rule.canasta(EIGHT) == ("clean", 200)


def test_set_canasta_if_sets_do_not_count_their_class_is_none_also_for_eight(rule: Asker) -> None:
    none = canasta(rule.under({"melds.set_canasta": False}), eight=250, eight_dirty=220)
    for meld in ("9s 9s 9h 9h 9d 9d 9c", EIGHT, f"{EIGHT} JK*"):
        assert none.canasta(meld) == ("none", 0)
    assert none.canasta("3h 4h 5h 6h 7h 8h 9h") == ("clean", 200)


def test_a_meld_scores_the_highest_class_that_it_qualifies_for(rule: Asker) -> None:
    assert canasta(rule, eight_dirty=120).canasta(f"{EIGHT} JK*") == ("semi", 150)
    assert canasta(rule, semi=50).canasta("3h 4h 5h 6h 7h 8h 9h JK*") == ("dirty", 100)
    assert canasta(rule, eight=150).canasta(EIGHT) == ("clean", 200)


def test_on_equal_points_the_special_class_is_reported(rule: Asker) -> None:
    assert canasta(rule, semi=100).canasta("3h 4h 5h 6h 7h 8h 9h JK*") == ("semi", 100)
    assert canasta(rule, eight=200).canasta(EIGHT) == ("eight", 200)


VALUES = {"three_to_seven": 15, "eight_to_king": 25, "ace": 35, "two": 45, "joker": 55}


@pytest.mark.parametrize(
    ("cards", "points"),
    [*((card, 15) for card in "34567"), *((card, 25) for card in "89TJQK"), ("A", 35), ("2", 45)],
)
def test_values_of_the_cards_in_a_hand(rule: Asker, cards: str, points: int) -> None:
    valued = rule.under({f"values.{key}": value for key, value in VALUES.items()})
    assert valued.hand_points(f"{cards}s {cards}d") == 2 * points
    assert valued.hand_points("JK") == 55


def test_a_wild_keeps_its_own_value_on_the_table(rule: Asker) -> None:
    valued = rule.under({f"values.{key}": value for key, value in VALUES.items()})
    assert valued.points("3h 2c* 5h") == 15 + 45 + 15
    assert valued.points("3h 4h JK*") == 15 + 15 + 55
    assert valued.points("Ah 2h 3h") == 35 + 45 + 15
