"""1.2: emptying a hand, stranding, passing."""

from __future__ import annotations

from asking import Asker

CLEAN = "3h 4h 5h 6h 7h 8h 9h"
HAD_MORTO = {"mortos": 1, "taken": (True, False)}


def test_zero_cards_left_the_team_takes_a_morto_if_it_may_take_one_now(rule: Asker) -> None:
    assert rule.effect("open 7h 8h 9h", hand="7h 8h 9h") == ("direct", None)
    assert rule.effect("discard Kc", hand="Kc") == ("indirect", None)


def test_zero_cards_left_the_morto_comes_before_going_out(rule: Asker) -> None:
    out = rule.under({"go_out.morto_gone": "allowed"})
    assert out.effect("discard Kc", hand="Kc", own=[CLEAN]) == ("indirect", None)


def test_zero_cards_left_otherwise_it_must_be_allowed_to_go_out(rule: Asker) -> None:
    assert rule.effect("discard Kc", hand="Kc", own=[CLEAN], **HAD_MORTO) == (None, "went_out")


def test_zero_cards_left_otherwise_the_action_is_illegal(rule: Asker) -> None:
    assert not rule.legal("discard Kc", hand="Kc", **HAD_MORTO)
    assert not rule.legal("open 7h 8h 9h", hand="7h 8h 9h", **HAD_MORTO)


def test_a_discard_may_leave_any_number_of_cards_from_1_up(rule: Asker) -> None:
    assert rule.effect("discard Kc", hand="Kc JK", **HAD_MORTO) == (None, None)
    assert rule.effect("discard JK", hand="Kc JK", **HAD_MORTO) == (None, None)


def test_a_meld_may_leave_a_hand_of_which_a_card_may_be_discarded(rule: Asker) -> None:
    assert rule.legal("open 7h 8h 9h", hand="7h 8h 9h Kc Kc", **HAD_MORTO)
    assert rule.legal("open 7h 8h 9h", hand="7h 8h 9h Kc", own=[CLEAN], **HAD_MORTO)
    assert not rule.legal("open 7h 8h 9h", hand="7h 8h 9h Kc", **HAD_MORTO)


def test_a_meld_may_not_leave_only_a_wild_that_may_not_be_the_last_discard(rule: Asker) -> None:
    at = {"hand": "7h 8h 9h 2c", "own": [CLEAN], **HAD_MORTO}
    assert not rule.legal("open 7h 8h 9h", **at)
    assert rule.under({"go_out.wild_discard": True}).legal("open 7h 8h 9h", **at)


def test_a_meld_may_leave_a_card_that_one_single_meld_action_melds_out(rule: Asker) -> None:
    optional = rule.under({"go_out.final_discard": "optional"})
    at = {"hand": "7h 8h 9h 2c", "own": [CLEAN], **HAD_MORTO}
    assert optional.legal("open 7h 8h 9h", **at)
    assert optional.effect("1: 7h 8h 9h 2c*", hand="2c", own=[CLEAN, "7h 8h 9h"], **HAD_MORTO) == (None, "went_out")


def test_a_meld_may_not_leave_cards_that_only_two_meld_actions_would_empty(rule: Asker) -> None:
    """The barred 4s: each would join a set of its own, but the first meld action strands the second."""
    at = {"hand": "7h 8h 9h 4c 4c", "own": [CLEAN, "4s 4h 4d", "5c 6c 7c"], "took": "4c", "twin": True, **HAD_MORTO}
    face = rule.under({"pile.return_single": "face", "go_out.final_discard": "optional", "melds.one_set_per_rank": False})
    assert face.legal("open 7h 8h 9h", **at)  # both may join the set at once
    assert not face.legal("2: 4c 5c 6c 7c", hand="4c 4c Qh Kh Ah", own=[CLEAN, "5c 6c 7c", "8c 9c Tc"], took="4c", twin=True, **HAD_MORTO)
    assert not face.legal("open Qh Kh Ah", hand="4c 4c Qh Kh Ah", own=[CLEAN, "5c 6c 7c"], took="4c", twin=True, **HAD_MORTO)


def test_the_bar_on_a_single_card_counts_when_a_meld_leaves_it(rule: Asker) -> None:
    assert not rule.legal("open 7h 8h 9h", hand="7h 8h 9h 4c", took="4c", twin=False)
    assert rule.legal("open 7h 8h 9h", hand="7h 8h 9h 4c Kc", took="4c", twin=False)


# the pile's condition ---------------------------------------------------------------------------------------------


def test_while_the_condition_is_pending_no_discard_is_legal(rule: Asker) -> None:
    for take in ("use_top", "meld_any"):
        found = rule.under({"pile.take": take}).actions(hand="7h 8h 9h 4c Kc", took="4c 9h")
        assert found
        assert all(action.startswith("open") for action in found)


def test_once_the_condition_is_met_a_discard_is_legal(rule: Asker) -> None:
    for take in ("use_top", "meld_any"):
        assert rule.under({"pile.take": take}).legal("discard 4c", hand="4c Kc", own=["7h 8h 9h"], took="4c 9h", used_top=True)


def test_without_a_condition_a_discard_is_legal_after_the_take(rule: Asker) -> None:
    assert rule.legal("discard 4c", hand="4c Kc 7h", took="4c 7h")


def test_pending_a_meld_action_is_legal_if_it_meets_the_condition(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    assert top.legal("open 7h 8h 9h", hand="7h 8h 9h 4c Kc", took="4c 9h")


def test_pending_a_meld_action_is_legal_if_it_leaves_one_single_meld_action_legal_that_does(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    assert top.legal("open 5c 6c 7c", hand="5c 6c 7c 7h 8h 9h Kc", took="Kc 9h")
    assert not top.legal("open 7s 7h 7c", hand="7s 7h 7c 8h 9h Kc", took="Kc 9h")
    assert top.legal("open 7s 7h 7c", hand="7s 7h 7h 7c 8h 9h Kc", took="Kc 9h")


def test_pending_the_meld_action_that_would_meet_the_condition_must_itself_be_legal(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    at = {"own": ["3s 4s 5s"], "took": "Kc 9h", **HAD_MORTO}
    assert top.legal("open Qs Qh Qd", hand="Qs Qh Qd 7h 8h 9h Kc 4d", **at)
    assert not top.legal("open Qs Qh Qd", hand="Qs Qh Qd 7h 8h 9h Kc", **at)  # 7-8-9 would then strand the king


def test_pending_under_meld_any_any_meld_action_meets_the_condition(rule: Asker) -> None:
    some = rule.under({"pile.take": "meld_any"})
    assert some.legal("open 5c 6c 7c", hand="5c 6c 7c Qd 9h Kc", took="Kc 9h")


def test_pending_cards_are_compared_by_face_not_by_copy(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    assert top.legal("open 7h 8h 9h", hand="7h 8h 9h 9h Kc", took="Kc 9h")


def test_pending_buried_cards_may_be_used_after_the_take(rule: Asker) -> None:
    top = rule.under({"pile.take": "use_top"})
    assert top.legal("open 7h 8h 9h Th", hand="7h 8h 9h Th Kc 4d", took="Th 9h")


# passing ----------------------------------------------------------------------------------------------------------


def same_turn(rule: Asker) -> Asker:
    return rule.under({"morto.after_discard": "same_turn"})


PASSING = {"may_pass": True, **HAD_MORTO}


def test_same_turn_after_the_discard_and_the_morto_the_player_may_meld_discard_once_more_or_pass(rule: Asker) -> None:
    found = same_turn(rule).actions(hand="7h 8h 9h Kc", **PASSING)
    assert found == ["discard 7h", "discard 8h", "discard 9h", "discard Kc", "open 7h 8h 9h", "pass"]


def test_without_may_pass_there_is_no_pass(rule: Asker) -> None:
    assert not same_turn(rule).legal("pass", hand="4c Kc", **HAD_MORTO)
    assert not rule.legal("pass", hand="4c Kc", **HAD_MORTO)


def test_nothing_strands_while_a_pass_is_open(rule: Asker) -> None:
    assert same_turn(rule).legal("open 7h 8h 9h", hand="7h 8h 9h Kc", **PASSING)
    assert not same_turn(rule).legal("open 7h 8h 9h", hand="7h 8h 9h Kc", **HAD_MORTO)


def test_while_a_pass_is_open_the_hand_may_not_be_emptied_without_morto_or_going_out(rule: Asker) -> None:
    assert not same_turn(rule).legal("open 7h 8h 9h", hand="7h 8h 9h", **PASSING)
    assert not same_turn(rule).legal("discard Kc", hand="Kc", **PASSING)


def test_a_second_discard_that_empties_the_hand_takes_another_morto_if_any_team_may(rule: Asker) -> None:
    more = same_turn(rule).under({"morto.per_team": "any"})
    assert more.effect("discard Kc", hand="Kc", stock=0, **PASSING) == ("indirect", None)


def test_a_direct_take_while_a_pass_is_open_plays_on(rule: Asker) -> None:
    more = same_turn(rule).under({"morto.per_team": "any"})
    assert more.effect("open 7h 8h 9h", hand="7h 8h 9h", **PASSING) == ("direct", None)


# going out --------------------------------------------------------------------------------------------------------


def test_a_team_may_go_out_when_it_has_taken_a_morto(rule: Asker) -> None:
    assert rule.legal("discard Kc", hand="Kc", own=[CLEAN], mortos=0, taken=(True, True))
    assert not rule.legal("discard Kc", hand="Kc", own=[CLEAN], mortos=0, taken=(False, True))


def test_a_team_may_go_out_when_no_morto_was_left_for_it_and_morto_gone_applies(rule: Asker) -> None:
    allowed = rule.under({"go_out.morto_gone": "allowed"})
    assert allowed.effect("discard Kc", hand="Kc", own=[CLEAN], mortos=0, taken=(False, True)) == (None, "went_out")


def test_a_team_may_go_out_when_it_has_the_canasta_counted_after_the_action(rule: Asker) -> None:
    optional = rule.under({"go_out.final_discard": "optional"})
    at = {"hand": "9h", "own": ["3h 4h 5h 6h 7h 8h"], **HAD_MORTO}
    assert optional.effect("0: 3h 4h 5h 6h 7h 8h 9h", **at) == (None, "went_out")
    clean = optional.under({"go_out.canasta": "clean"})
    assert not clean.legal(f"0: {CLEAN} JK*", hand="JK", own=[CLEAN], **HAD_MORTO)
    assert clean.legal("0: 2h 3h 4h 5h 6h 7h 8h", hand="3h", own=["2h* 4h 5h 6h 7h 8h"], **HAD_MORTO)


# asking -----------------------------------------------------------------------------------------------------------


def test_drawing_never_triggers_a_morto_or_an_end(rule: Asker) -> None:
    at = {"hand": "Kc", "phase": "draw", "pile": "4d 5s", "stock": 3, "mortos": 0, "taken": (True, True)}
    assert rule.effect("draw stock", **at) == (None, None)
    assert rule.effect("draw pile", **at) == (None, None)


def test_an_action_that_cannot_be_made_is_answered_legal_false_with_the_reason(rule: Asker) -> None:
    assert rule.judge("discard Kc", hand="4d 5s")["reason"]
    assert rule.judge("open 5s 5h 6d", hand="5s 5h 6d")["reason"]
    assert rule.judge("7: 5s 6s 7s 8s", hand="8s", own=["5s 6s 7s"])["reason"]
    assert rule.under({"deck.jokers": 0}).judge("open 5s 6s JK*", hand="5s 6s")["reason"]
