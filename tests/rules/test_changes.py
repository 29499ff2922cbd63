"""1.1: a meld action is `slot: before -> after`."""

from __future__ import annotations

import pytest

from asking import Asker

MODES = ("locked", "replaced", "free_end", "any")


def by_mode(*legal: bool) -> list[tuple[str, bool]]:
    return list(zip(MODES, legal, strict=True))


def moves(rule: Asker, mode: str, **more: object) -> Asker:
    return rule.under({"melds.wild_moves": mode, **{f"melds.{key}": value for key, value in more.items()}})


def test_an_empty_slot_opens_a_meld(rule: Asker) -> None:
    assert rule.legal("open 5h 6h 7h", hand="5h 6h 7h Kc")
    assert not rule.legal("0: 5h 6h 7h", hand="5h 6h 7h Kc")
    assert not rule.legal("1: 5h 6h 7h", hand="5h 6h 7h Kc", own=["9h 9d 9c"])


def test_after_is_a_legal_meld(rule: Asker) -> None:
    assert not rule.change("5h 6h 7h", "5h 6h 7h 9h", "9h Kc")
    assert not rule.change("5h 6h 7h", "5h 6h 7h JK* 2c*", "JK 2c Kc")


def test_at_least_one_card_is_added(rule: Asker) -> None:
    assert not moves(rule, "any").change("5h 6h JK*", "JK* 5h 6h", "9h Kc")
    assert not rule.change("5h 6h 7h", "5h 6h 7h", "9h Kc")


def test_before_s_cards_are_all_in_after(rule: Asker) -> None:
    assert not rule.change("5h 6h 7h 8h", "5h 6h 7h", "9h Kc")
    assert not rule.change("5h 6h 7h JK*", "5h 6h 7h 8h", "8h Kc")
    assert not rule.change("9s 9h 9d", "9s 9h 9c", "9c Kc")
    assert not rule.change("9s 9h JK*", "9s 9h 9d", "9d Kc")


def test_the_cards_added_are_in_the_hand(rule: Asker) -> None:
    assert not rule.change("5h 6h 7h", "5h 6h 7h 8h", "9h Kc")
    assert not rule.change("5h 6h 7h", "5h 6h 7h JK*", "2c Kc")
    assert not rule.legal("open 5h 6h 7h", hand="5h 6h Kc")


@pytest.mark.parametrize("mode", MODES)
def test_the_natural_cards_keep_their_places_an_ace_too(rule: Asker, mode: str) -> None:
    low = "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh"
    assert not moves(rule, mode).change(low, "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", "Kh 4c")
    assert moves(rule, mode).change(low, f"{low} Kh", "Kh 4c")


def test_a_natural_two_may_turn_wild_only_under_two_may_turn_wild(rule: Asker) -> None:
    assert rule.change("2h 3h 4h", "3h 4h 2h* 6h", "6h Kc")
    assert not rule.under({"melds.two_may_turn_wild": False}).change("2h 3h 4h", "3h 4h 2h* 6h", "6h Kc")


def test_a_natural_two_may_turn_wild_also_without_need(rule: Asker) -> None:
    assert rule.changes_of("2h 3h 4h", "5h") == ["2h 3h 4h 5h", "3h 4h 5h 2h*"]
    assert rule.under({"melds.two_may_turn_wild": False}).changes_of("2h 3h 4h", "5h") == ["2h 3h 4h 5h"]


def test_a_natural_two_behind_a_low_ace_cannot_leave(rule: Asker) -> None:
    assert rule.changes_of("Ah 2h 3h", "4h") == ["Ah 2h 3h 4h"]


def test_a_natural_two_may_not_turn_wild_beside_another_wild(rule: Asker) -> None:
    assert not moves(rule, "any").change("2h 3h 4h JK*", "3h 4h JK* 6h 2h*", "6h Kc")


@pytest.mark.parametrize("mode", MODES)
def test_the_wild_may_keep_its_place(rule: Asker, mode: str) -> None:
    assert moves(rule, mode).change("5h JK* 7h", "5h JK* 7h 8h", "8h Kc")
    assert moves(rule, mode).change("2s* 4s 5s", "2s 2s* 4s 5s", "2s Kc")


@pytest.mark.parametrize(("mode", "legal"), by_mode(False, True, True, True))
def test_replaced_the_wild_moves_because_the_natural_card_for_its_place_is_among_the_cards_added(
    rule: Asker, mode: str, legal: bool
) -> None:
    assert moves(rule, mode).change("6h JK* 8h", "6h 7h 8h JK* Th", "7h Th Kc") is legal


@pytest.mark.parametrize(("mode", "legal"), by_mode(False, False, True, True))
def test_free_end_the_wild_moves_because_it_stood_at_either_end_of_before(rule: Asker, mode: str, legal: bool) -> None:
    assert moves(rule, mode).change("JK* 6h 7h", "6h 7h 8h JK*", "8h Kc") is legal
    assert moves(rule, mode).change("6h 7h JK*", "6h 7h JK* 9h Th", "9h Th Kc")
    assert moves(rule, mode).change("6h 7h JK*", "5h 6h 7h JK*", "5h Kc")
    assert moves(rule, mode).change("6h 7h JK*", "JK* 5h 6h 7h", "5h Kc") is legal


@pytest.mark.parametrize(("mode", "legal"), by_mode(False, False, False, True))
def test_any_the_wild_moves_freely(rule: Asker, mode: str, legal: bool) -> None:
    assert moves(rule, mode).change("3c 2c* 5c", "2c 3c JK* 5c", "JK Kd") is legal


def test_several_cards_may_be_added_in_one_action(rule: Asker) -> None:
    assert rule.change("6h JK* 8h", "6h 7h 8h JK* Th", "7h Th Kc")
    assert not rule.change("6h JK* 8h", "6h JK* 8h Th", "7h Th Kc")
    assert rule.change("6h 7h 8h", "4h 5h 6h 7h 8h JK* Th", "4h 5h Th JK Kc")


def test_naturals_and_a_wild_may_be_added_in_one_action(rule: Asker) -> None:
    assert rule.change("9s 9h 9d", "9s 9s 9h 9d JK*", "9s JK Kc")


def test_identical_cards_a_card_that_stands_on_the_same_place_has_not_moved(rule: Asker) -> None:
    """Both 2s are hearts: the one on the 4 stays there, whichever came from the hand."""
    locked = moves(rule, "locked", two_may_turn_wild=False)
    assert locked.change("3h 2h* 5h", "2h 3h 2h* 5h", "2h Kc")
    assert locked.change("2h 3h 2h* 5h", "2h 3h 2h* 5h 6h", "6h Kc")
    assert not moves(rule, "replaced").change("2h 3h 2h* 5h", "2h 3h 4h 5h 2h*", "4h Kc")  # low_first: it has to be the ace


def test_identical_cards_one_reading_that_is_legal_is_enough(rule: Asker) -> None:
    """The freed 2 goes home and the one from the hand goes high; read the other way round low_first would forbid it."""
    assert moves(rule, "replaced").change("4h 2h* 6h", "2h 3h 4h 5h 6h 2h*", "2h 3h 5h Kc")


# freed_wild -------------------------------------------------------------------------------------------------------


def freed(rule: Asker, where: str) -> Asker:
    return moves(rule, "replaced", freed_wild=where)


@pytest.mark.parametrize("where", ["choice", "high_first", "low_first"])
def test_freed_wild_if_the_added_naturals_leave_one_gap_it_fills_the_gap(rule: Asker, where: str) -> None:
    assert freed(rule, where).change("6h JK* 8h", "6h 7h 8h JK* Th", "7h Th Kc")
    assert not freed(rule, where).change("6h JK* 8h", "JK* 6h 7h 8h Th", "7h Th Kc")


@pytest.mark.parametrize("where", ["choice", "high_first", "low_first"])
def test_freed_wild_a_two_that_can_stand_on_the_place_of_the_two_becomes_natural_there(rule: Asker, where: str) -> None:
    assert freed(rule, where).changes_of("2d* 4d 5d", "3d") == ["2d 3d 4d 5d"]
    assert freed(rule, where).changes_of("3d 4d 2d* 6d", "5d") == ["2d 3d 4d 5d 6d"]


def test_freed_wild_a_two_that_cannot_stand_at_home_goes_to_an_end(rule: Asker) -> None:
    assert freed(rule, "choice").changes_of("4d 5d 2d* 7d", "6d") == ["2d* 4d 5d 6d 7d", "4d 5d 6d 7d 2d*"]


def test_freed_wild_without_natural_two_a_two_has_no_home(rule: Asker) -> None:
    literal = freed(rule, "high_first").under({"melds.natural_two": False})
    assert literal.changes_of("3d 4d 2d* 6d", "5d") == ["3d 4d 5d 6d 2d*"]


@pytest.mark.parametrize(
    ("where", "places"),
    [("choice", ["5c 6c 7c JK*", "JK* 5c 6c 7c"]), ("high_first", ["5c 6c 7c JK*"]), ("low_first", ["JK* 5c 6c 7c"])],
)
def test_freed_wild_otherwise_by_choice_of_an_end_or_one_end_first(rule: Asker, where: str, places: list[str]) -> None:
    assert freed(rule, where).changes_of("5c JK* 7c", "6c") == places


def test_freed_wild_the_other_end_if_the_first_does_not_fit(rule: Asker) -> None:
    assert freed(rule, "low_first").changes_of("Ac JK* 3c", "2c") == ["Ac 2c 3c JK*"]
    assert freed(rule, "high_first").changes_of("Qc JK* Ac", "Kc") == ["JK* Qc Kc Ac"]
    high_only = freed(rule, "low_first").under({"melds.wild_low": "ace"})
    assert high_only.changes_of("5c JK* 7c", "6c") == ["5c 6c 7c JK*"]


def test_freed_wild_if_it_fits_nowhere_the_action_is_illegal(rule: Asker) -> None:
    complete = freed(rule, "choice").under({"melds.run_max": 13})
    before = "Ah 2h 3h 4h JK* 6h 7h 8h 9h Th Jh Qh Kh"
    assert complete.changes_of(before, "5h 9c 8d") == []


def test_freed_wild_binds_only_a_wild_that_moves_because_of_a_replacement(rule: Asker) -> None:
    both_ends = ["5c 6c 7c JK*", "JK* 5c 6c 7c"]
    assert moves(rule, "any", freed_wild="low_first").changes_of("5c JK* 7c", "6c") == both_ends
    at_end = moves(rule, "free_end", freed_wild="low_first").changes_of("5c 6c JK*", "7c")
    assert at_end == both_ends


# wild_replaced ----------------------------------------------------------------------------------------------------


def to_hand(rule: Asker, mode: str = "replaced") -> Asker:
    return moves(rule, mode, wild_replaced="to_hand")


@pytest.mark.parametrize("mode", ["replaced", "free_end", "any"])
def test_to_hand_the_replaced_wild_must_come_back_into_the_hand_in_that_action(rule: Asker, mode: str) -> None:
    assert to_hand(rule, mode).changes_of("5d JK* 7d 8d", "6d") == ["5d 6d 7d 8d"]
    assert to_hand(rule, mode).changes_of("5d 6d 7d JK*", "8d") == ["5d 6d 7d 8d"]


def test_stays_the_replaced_wild_stays_in_the_meld(rule: Asker) -> None:
    assert not moves(rule, "any").change("5d JK* 7d 8d", "5d 6d 7d 8d", "6d Kc")


def test_to_hand_an_own_suit_two_comes_back_too(rule: Asker) -> None:
    assert to_hand(rule).changes_of("3d 4d 2d* 6d", "5d") == ["3d 4d 5d 6d"]


def test_to_hand_laying_the_wild_again_is_another_action(rule: Asker) -> None:
    assert not to_hand(rule).change("5d JK* 7d 8d", "5d 6d 7d 8d JK*", "6d JK Kc")
    assert to_hand(rule).legal("0: 5d 6d 7d 8d JK*", own=["5d 6d 7d 8d"], hand="JK Kc")


def test_to_hand_another_wild_may_be_added_in_the_same_action(rule: Asker) -> None:
    assert to_hand(rule).change("5d JK* 7d 8d", "5d 6d 7d 8d 2c*", "6d 2c Kc")


def test_to_hand_nobody_has_to_replace_other_cards_may_be_added_beside_the_wild(rule: Asker) -> None:
    assert to_hand(rule).change("5d JK* 7d 8d", "5d JK* 7d 8d 9d", "9d 6d Kc")


def test_to_hand_only_the_replaced_wild_may_come_back(rule: Asker) -> None:
    assert not to_hand(rule, "any").change("5d JK* 7d 8d", "5d 2c* 7d 8d", "2c Kc")
    assert not to_hand(rule, "any").change("5d JK* 7d 8d", "6d 7d 8d", "6d Kc")
    assert not to_hand(rule, "any").change("5d 6d JK*", "4d 5d 6d", "4d Kc")


@pytest.mark.parametrize("where", ["stays", "to_hand"])
def test_locked_forbids_replacing_in_both(rule: Asker, where: str) -> None:
    locked = moves(rule, "locked", wild_replaced=where)
    assert locked.changes_of("5d JK* 7d 8d", "6d 9d") == ["5d JK* 7d 8d 9d"]


def test_run_max_a_complete_run_takes_no_further_card_but_a_wild_may_come_back_from_it(rule: Asker) -> None:
    before = "Ah 2h 3h 4h JK* 6h 7h 8h 9h Th Jh Qh Kh"
    after = before.replace("JK*", "5h")
    assert not moves(rule, "any", run_max=13).change(before, after, "5h 9c")
    assert to_hand(rule).under({"melds.run_max": 13}).change(before, after, "5h 9c")


def test_the_returned_wild_is_in_the_hand_after_the_action(rule: Asker) -> None:
    """It may be discarded, so the last card of the hand may replace it."""
    at = {"own": ["5d JK* 7d 8d"], "hand": "6d", "mortos": 1, "taken": (True, False)}
    out = to_hand(rule).under({"go_out.wild_discard": True, "go_out.canasta": "none"})
    assert out.effect("0: 5d 6d 7d 8d", **at) == (None, None)
    assert not to_hand(rule).under({"go_out.canasta": "none"}).legal("0: 5d 6d 7d 8d", **at)


# sets -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_a_set_has_no_replacement(rule: Asker, mode: str) -> None:
    for where in ("stays", "to_hand"):
        changes = moves(rule, mode, wild_replaced=where).changes_of("9h 9d JK*", "9c 2s")
        assert changes == ["9h 9d 9c JK*"]


def test_a_wild_joins_a_set_that_has_none(rule: Asker) -> None:
    assert rule.changes_of("9h 9d 9c", "2s") == ["9h 9d 9c 2s*"]
