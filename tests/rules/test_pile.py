"""[pile]: taking the discards."""

from __future__ import annotations

import pytest

from asking import Asker


def draws(rule: Asker, hand: str, pile: str, **more: object) -> bool:
    return rule.legal("draw pile", hand=hand, pile=pile, phase="draw", **more)


def test_an_empty_pile_cannot_be_taken(rule: Asker) -> None:
    assert rule.actions(hand="4c Kd", phase="draw") == ["draw stock"]


def test_a_turn_starts_with_a_draw_and_has_one(rule: Asker) -> None:
    assert rule.actions(hand="7h 8h 9h", pile="4c 5d", phase="draw") == ["draw pile", "draw stock"]
    assert not rule.legal("draw stock", hand="4c Kd", pile="5d")
    assert not rule.legal("draw pile", hand="4c Kd", pile="5d")


def test_free_no_condition(rule: Asker) -> None:
    assert draws(rule, "4c Kd", "9h 6s")


def test_meld_any_only_if_some_card_of_hand_and_pile_can_then_be_melded(rule: Asker) -> None:
    some = rule.under({"pile.take": "meld_any"})
    assert draws(some, "7c 8c Kd", "9c Qh")
    assert draws(some, "7c 8c 9c", "4d Qh")
    assert draws(some, "7c 4d", "Qh Js", own=["8c 9c Tc"])
    assert draws(some, "4d Ks", "6c 7c 8c")
    assert not draws(some, "7c 8c Kd", "4d Qh")
    assert not draws(some, "7c 4d", "Qh Js", other=["8c 9c Tc"])


def test_use_top_only_if_the_top_card_can_be_melded(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    assert draws(top, "7c 8c Kd", "Qh 9c")
    assert draws(top, "Kd 4s", "Qh 9c", own=["6c 7c 8c"])
    assert not draws(top, "7c 8c Kd", "9c Qh")
    assert not draws(top, "5h 6h 7h", "9c Qs")


def test_use_top_buried_pile_cards_do_not_justify_the_take(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    assert not draws(top, "7c Kd", "8c 9c")
    assert draws(top, "7c 8c Kd", "8c 9c")


def test_use_top_an_own_meld_and_cards_of_the_hand_may_justify_together(rule: Asker) -> None:
    assert draws(rule.under({"pile.take": "use_top"}), "8c Kd", "4h 9c", own=["5c 6c 7c"])


def test_use_top_the_meld_action_that_justifies_must_itself_be_legal(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    stranded = {"own": ["6c 7c 8c"], "mortos": 1, "taken": (True, False)}
    assert not draws(top, "Kd", "9c", **stranded)
    assert draws(top, "Kd", "4h 9c", **stranded)
    assert not draws(top.under({"opening.min": 50}), "7c 8c Kd", "Qh 9c")


def test_use_top_one_set_per_rank_sends_the_top_card_to_the_set_on_the_table(rule: Asker) -> None:
    assert draws(rule.under({"pile.take": "use_top"}), "4s Kd", "4h 9c", own=["9s 9h 9d"])


def test_use_top_with_wild_may_a_new_meld_that_justifies_the_take_hold_a_wild(rule: Asker) -> None:
    with_wild = rule.under({"pile.take": "use_top"})
    without = with_wild.under({"pile.use_top_with_wild": False})
    assert draws(with_wild, "7c JK Kd", "4h 9c")
    assert not draws(without, "7c JK Kd", "4h 9c")
    assert draws(without, "JK Kd", "4h 9c", own=["5c 6c 7c"])  # no new meld
    assert draws(without, "2c 3c Kd", "4h Ac")  # the 2 is natural


def test_use_top_with_wild_is_asked_at_the_take_only(rule: Asker) -> None:
    without = rule.under({"pile.take": "use_top", "pile.use_top_with_wild": False})
    assert without.legal("open 7c JK* 9c", hand="7c JK 8c 9c Kd 4h", took="4h 9c")


@pytest.mark.parametrize(("bar", "legal"), [("card", False), ("face", False), ("allowed", True)])
def test_return_single_the_single_card_taken_may_not_be_discarded(rule: Asker, bar: str, legal: bool) -> None:
    single = rule.under({"pile.return_single": bar})
    assert single.legal("discard 9c", hand="9c Kd", took="9c") is legal
    assert single.legal("discard Kd", hand="9c Kd", took="9c")
    assert single.legal("discard 9c", hand="9c Kd 4h", took="4h 9c")


@pytest.mark.parametrize(("bar", "legal"), [("card", True), ("face", False), ("allowed", True)])
def test_return_single_card_is_lifted_by_a_twin_that_the_player_already_held_face_is_not(rule: Asker, bar: str, legal: bool) -> None:
    single = rule.under({"pile.return_single": bar})
    assert single.legal("discard 9c", hand="9c 9c Kd", took="9c") is legal
    assert single.legal("discard 9c", hand="9c Kd", took="9c", twin=True, own=["9s 9h 9c"]) is legal


def test_return_single_a_twin_that_arrives_later_with_a_morto_does_not_lift_the_bar(rule: Asker) -> None:
    assert not rule.legal("discard 9c", hand="9c 9c Kd", took="9c", twin=False, mortos=1, taken=(True, False))


def test_a_pile_take_needs_an_action_after_it(rule: Asker) -> None:
    """A one-card pile whose twin is the whole hand cannot be taken unless one meld action then empties the hand."""
    face = rule.under({"pile.return_single": "face"})
    assert not draws(face, "9c", "9c")
    assert draws(face, "9c", "9c", own=["9s 9h 9d"])
    assert not draws(face, "9c", "9c", own=["6c 7c 8c"])  # only one of them fits
    assert draws(face, "9c", "9d")
    assert draws(rule, "9c", "9c")
