"""Which cards form a meld: the sentences of [melds] about a meld as it lies."""

from __future__ import annotations

import pytest

from asking import Asker


def test_runs_are_of_one_suit(rule: Asker) -> None:
    assert rule.layouts("3h 4h 5h") == ["3h 4h 5h"]
    assert rule.layouts("3h 4d 5h") == []


def test_runs_have_three_cards_or_more(rule: Asker) -> None:
    assert rule.layouts("5h 6h") == []
    assert rule.layouts("5h JK") == []


def test_sets_have_three_cards_or_more(rule: Asker) -> None:
    assert rule.layouts("9h 9d") == []
    assert rule.layouts("9h JK") == []


@pytest.mark.parametrize("cards", ["5h JK 2c", "5h JK JK", "5h 6h 2c 2d", "9h 9d JK 2c", "9h 9d JK JK"])
def test_at_most_one_wild_a_meld(rule: Asker, cards: str) -> None:
    assert rule.layouts(cards) == []


def test_a_wild_is_a_two_or_a_joker(rule: Asker) -> None:
    for wild in ("JK", "2s", "2h", "2d", "2c"):
        assert rule.layouts(f"5h 7h {wild}") == [f"5h {wild}* 7h"]


def test_an_own_suit_two_in_its_place_is_natural_and_does_not_count_as_wild(rule: Asker) -> None:
    assert rule.layouts("Ah 2h 3h JK") == ["Ah 2h 3h JK*"]
    assert rule.layouts("2h 3h 2h 5h") == ["2h 3h 2h* 5h"]
    assert rule.layouts("Ah 2d 3h") == ["Ah 2d* 3h"]


def test_without_natural_two_a_two_is_a_wild_wherever_it_stands(rule: Asker) -> None:
    literal = rule.under({"melds.natural_two": False})
    assert literal.layouts("Ah 2h 3h") == ["Ah 2h* 3h"]
    assert literal.layouts("Ah 2h 3h JK") == []
    assert literal.layouts("2h 3h 2h 5h") == []


def test_the_ace_stands_before_the_two_or_after_the_king_never_between(rule: Asker) -> None:
    assert rule.layouts("Ah 2h 3h") == ["Ah 2h 3h"]
    assert rule.layouts("Qh Kh Ah") == ["Qh Kh Ah"]
    assert rule.layouts("Kh Ah 3h JK") == []
    assert "Kh Ah 2h" not in rule.layouts("Kh Ah 2h")


def test_a_meld_holds_no_more_copies_of_a_card_than_the_deck(rule: Asker) -> None:
    assert rule.layouts("7h 7h 7d") == ["7h 7h 7d"]
    assert rule.layouts("7h 7h 7h") == []
    assert rule.layouts("5h 6h JK") != []
    assert rule.under({"deck.jokers": 0}).layouts("5h 6h JK") == []


@pytest.mark.parametrize("cards", ["JK JK JK", "2h 2d 2c", "2h 2h JK", "JK 2s 2d 2c"])
def test_melds_of_wilds_only_are_illegal(rule: Asker, cards: str) -> None:
    assert rule.layouts(cards) == []


def test_sets_none_all_or_a_list_of_ranks(rule: Asker) -> None:
    some = rule.under({"melds.sets": ["A", "3"]})
    assert rule.under({"melds.sets": "none"}).layouts("3s 3h 3d") == []
    assert rule.under({"melds.sets": "all"}).layouts("9s 9h 9d") == ["9s 9h 9d"]
    assert some.layouts("3s 3h 3d") == ["3s 3h 3d"]
    assert some.layouts("As Ah JK") == ["As Ah JK*"]
    assert some.layouts("9s 9h 9d") == []


def test_sets_all_excludes_the_two(rule: Asker) -> None:
    assert rule.under({"melds.sets": "all"}).layouts("2s 2h 2d") == []


def test_set_wild_may_a_set_hold_one_wild(rule: Asker) -> None:
    assert rule.layouts("9s 9h JK") == ["9s 9h JK*"]
    assert rule.under({"melds.set_wild": False}).layouts("9s 9h JK") == []
    assert rule.under({"melds.set_wild": False}).layouts("5s 7s JK") == ["5s JK* 7s"]


def test_set_of_twos_whatever_sets_says_all_natural_no_joker_beside_them(rule: Asker) -> None:
    twos = rule.under({"melds.set_of_twos": True, "melds.sets": "none"})
    assert twos.layouts("2c 2s 2s 2d") == ["2s 2s 2d 2c"]
    assert twos.layouts("2s 2h JK") == []
    assert twos.layouts("2s 2h 2d JK") == []
    assert rule.under({"melds.set_of_twos": True, "melds.natural_two": False}).layouts("2s 2h 2d") == ["2s 2h 2d"]


def test_set_max_cards_at_most_the_wild_included(rule: Asker) -> None:
    five = rule.under({"melds.set_max": 5})
    assert five.layouts("9s 9h 9d 9c JK") == ["9s 9h 9d 9c JK*"]
    assert five.layouts("9s 9s 9h 9d 9c JK") == []
    assert rule.layouts("9s 9s 9h 9h 9d 9d 9c 9c JK") == ["9s 9s 9h 9h 9d 9d 9c 9c JK*"]


HEARTS = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh"


def test_run_max_cards_at_most(rule: Asker) -> None:
    assert rule.under({"melds.run_max": 14}).layouts(f"{HEARTS} JK") != []
    thirteen = rule.under({"melds.run_max": 13})
    assert thirteen.layouts(f"{HEARTS} JK") == []
    assert thirteen.layouts(HEARTS) == ["2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", HEARTS]


def test_run_aces_natural_aces_at_most_in_one_run(rule: Asker) -> None:
    assert rule.layouts(f"{HEARTS} Ah") == []
    assert rule.under({"melds.run_aces": 2}).layouts(f"{HEARTS} Ah") == [f"{HEARTS} Ah"]
    assert rule.under({"melds.run_aces": 2}).layouts("Ah Ah 2h 3h") == []


def test_a_wild_may_be_the_second_ace(rule: Asker) -> None:
    assert rule.layouts(f"{HEARTS} 2h") == ["2h* 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", f"{HEARTS} 2h*"]


def test_run_wild_min_cards_that_a_run_must_have_the_wild_counted_to_hold_a_wild(rule: Asker) -> None:
    four = rule.under({"melds.run_wild_min": 4})
    assert rule.layouts("5h 7h JK") == ["5h JK* 7h"]
    assert four.layouts("5h 7h JK") == []
    assert four.layouts("5h 7h 8h JK") == ["5h JK* 7h 8h"]
    assert four.layouts("Ah 2h 3h") == ["Ah 2h 3h"]
    assert four.layouts("9h 9d JK") == ["9h 9d JK*"]


def test_run_wild_min_zero_no_wild_in_runs(rule: Asker) -> None:
    none = rule.under({"melds.run_wild_min": 0})
    assert none.layouts("5h 7h 8h JK") == []
    assert none.layouts("2h 3h 4h") == ["2h 3h 4h"]
    assert none.layouts("9h 9d JK") == ["9h 9d JK*"]


def test_wild_low_may_a_wild_stand_at_the_low_end_anywhere_or_only_standing_for_the_low_ace(rule: Asker) -> None:
    ace = rule.under({"melds.wild_low": "ace"})
    assert rule.layouts("9h Th Jh JK") == ["9h Th Jh JK*", "JK* 9h Th Jh"]
    assert ace.layouts("9h Th Jh JK") == ["9h Th Jh JK*"]
    assert ace.layouts("2h 3h 4h JK") == ["2h 3h 4h JK*", "JK* 2h 3h 4h"]
    assert ace.layouts("Qh Kh Ah JK") == []
    assert ace.layouts("9h Jh JK") == ["9h JK* Jh"]


def test_a_wild_may_stand_in_the_place_of_a_card_that_is_also_in_the_hand(rule: Asker) -> None:
    found = rule.actions(hand="5h 6h 7h JK")
    assert {"open 5h JK* 7h", "open JK* 6h 7h", "open 5h 6h JK*", "open 5h 6h 7h JK*"} <= set(found)


def test_every_choice_of_wild_is_an_action_of_its_own(rule: Asker) -> None:
    found = rule.actions(hand="5h 7h JK 2s 2h 2c 2c")
    opened = {action for action in found if action.startswith("open 5h")}
    assert opened == {f"open 5h {wild}* 7h" for wild in ("JK", "2s", "2h", "2c")}


def test_one_set_per_rank_a_team_may_not_open_a_second_set_of_a_rank_that_it_has_on_the_table(rule: Asker) -> None:
    at = {"hand": "9s 9h 9d 9d Kc", "own": ["9h 9c 9c"]}
    assert not rule.legal("open 9s 9d 9d", **at)
    assert rule.legal("0: 9s 9h 9d 9d 9c 9c", **at)
    assert rule.legal("open 9s 9d 9d", hand="9s 9d 9d 9h Kc", other=["9h 9c 9c"])
    assert rule.under({"melds.one_set_per_rank": False}).legal("open 9s 9d 9d", **at)


def test_one_set_per_rank_says_nothing_about_runs(rule: Asker) -> None:
    assert rule.legal("open 5h 6h 7h", hand="5h 6h 7h Kc", own=["5h 6h 7h"])


def test_only_the_own_teams_melds_are_added_to(rule: Asker) -> None:
    assert rule.legal("0: 5h 6h 7h 8h", hand="8h Kc", own=["5h 6h 7h"])
    assert not rule.legal("0: 5h 6h 7h 8h", hand="8h Kc", other=["5h 6h 7h"])
    assert rule.legal("0: 5h 6h 7h 8h", hand="8h Kc", own=["5h 6h 7h"], seat=3)


def test_cards_never_move_from_one_meld_to_another(rule: Asker) -> None:
    assert not rule.legal("0: 5h 6h 7h 8h", hand="Kc Qd", own=["5h 6h 7h", "8h 8d 8c"])


def test_a_set_may_be_named_in_any_order(rule: Asker) -> None:
    assert rule.legal("open 9d JK* 9s", hand="9s 9d JK Kc")


def test_opening_min_points_that_the_first_meld_of_a_team_must_total_wild_included(rule: Asker) -> None:
    fifty = rule.under({"opening.min": 50})
    assert not fifty.legal("open Ts Js Qs Ks", hand="Ts Js Qs Ks 4h")
    assert fifty.legal("open Js Qs Ks JK*", hand="Js Qs Ks JK 4h")
    assert fifty.legal("open Ts Js Qs Ks", hand="Ts Js Qs Ks 4h", own=["3h 4h 5h"])
    assert not fifty.legal("open Ts Js Qs Ks", hand="Ts Js Qs Ks 4h", other=["3h 4h 5h"])


def test_opening_min_the_first_combination_must_reach_it_alone(rule: Asker) -> None:
    found = rule.under({"opening.min": 50}).actions(hand="7h 8h 9h Th Jh Qh 3c 4c 5c")
    assert [action for action in found if action.startswith("open")] == ["open 7h 8h 9h Th Jh Qh", "open 8h 9h Th Jh Qh"]
