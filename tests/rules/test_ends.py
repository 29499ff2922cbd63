"""[morto], [go_out] and [stock]: mortos, going out, and the end of the stock, as an action brings them about."""

from __future__ import annotations

import pytest

from asking import Asker

CLEAN = "3h 4h 5h 6h 7h 8h 9h"
SEMI = "3h 4h 5h 6h 7h 8h 9h JK*"
DIRTY = "3h 4h 5h 6h 7h 8h JK*"
HAD_MORTO = {"mortos": 1, "taken": (True, False)}


# [morto] ----------------------------------------------------------------------------------------------------------


def test_per_team_1_a_team_takes_one_morto(rule: Asker) -> None:
    assert rule.legal("discard Kc", hand="Kc", mortos=1, taken=(False, True))
    assert not rule.legal("discard Kc", hand="Kc", **HAD_MORTO)


def test_per_team_any_as_long_as_one_is_left(rule: Asker) -> None:
    any_team = rule.under({"morto.per_team": "any"})
    assert any_team.effect("discard Kc", hand="Kc", **HAD_MORTO) == ("indirect", None)
    assert any_team.effect("discard Kc", hand="Kc", own=[CLEAN], mortos=0, taken=(True, False)) == (None, "went_out")


def test_a_wild_may_be_the_discard_that_takes_a_morto(rule: Asker) -> None:
    assert rule.effect("discard JK", hand="JK") == ("indirect", None)


@pytest.mark.parametrize("after", ["next_turn", "same_turn"])
def test_emptied_by_melding_the_morto_is_played_in_the_same_turn(rule: Asker, after: str) -> None:
    at = {"hand": "7h 8h 9h", "stock": 2, "drew_last": True, "mortos": 1, "taken": (False, True)}
    assert rule.under({"morto.after_discard": after}).effect("open 7h 8h 9h", **at) == ("direct", None)


@pytest.mark.parametrize(("after", "ends"), [("next_turn", "stock_end"), ("same_turn", None)])
def test_emptied_by_the_discard_the_turn_passes_or_the_player_plays_on_at_once(rule: Asker, after: str, ends: str | None) -> None:
    """Seen in the turn that drew the last card: the deal ends with the turn, if the turn ends."""
    at = {"hand": "Kc", "stock": 2, "drew_last": True, "mortos": 1, "taken": (False, True)}
    assert rule.under({"morto.after_discard": after}).effect("discard Kc", **at) == ("indirect", ends)


# [go_out] ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("needed", "table", "legal"),
    [
        ("none", [], True),
        ("any", [], False),
        ("any", [DIRTY], True),
        ("clean", [DIRTY], False),
        ("clean", [SEMI], False),
        ("clean", [CLEAN], True),
        ("clean", ["9s 9s 9h 9h 9d 9d 9c"], True),
        ("clean", [DIRTY, "4c 5c 6c 7c 8c 9c Tc"], True),
    ],
)
def test_canasta_what_the_team_must_have_on_the_table(rule: Asker, needed: str, table: list[str], legal: bool) -> None:
    assert rule.under({"go_out.canasta": needed}).legal("discard Kc", hand="Kc", own=table, **HAD_MORTO) is legal


def test_canasta_of_the_other_team_does_not_count(rule: Asker) -> None:
    assert not rule.legal("discard Kc", hand="Kc", other=[CLEAN], **HAD_MORTO)


def test_canasta_a_set_counts_only_under_set_canasta(rule: Asker) -> None:
    at = {"hand": "Kc", "own": ["9s 9s 9h 9h 9d 9d 9c"], **HAD_MORTO}
    assert rule.legal("discard Kc", **at)
    assert not rule.under({"melds.set_canasta": False}).legal("discard Kc", **at)


@pytest.mark.parametrize("special", [{"canasta.royal": 500}, {"canasta.ace_to_ace": 1000, "melds.run_aces": 2}])
def test_canasta_the_special_clean_classes_are_clean(rule: Asker, special: dict[str, int]) -> None:
    run = "2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah"
    table = [f"Ah {run}" if "melds.run_aces" in special else run]
    assert rule.under({"go_out.canasta": "clean", **special}).legal("discard Kc", hand="Kc", own=table, **HAD_MORTO)


def test_canasta_royal_dirty_and_eight_dirty_are_not_clean(rule: Asker) -> None:
    special = rule.under({"go_out.canasta": "clean", "canasta.royal_dirty": 400, "canasta.eight_dirty": 400})
    for meld in ("JK* 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh Ah", "9s 9s 9h 9h 9d 9d 9c 9c 2d*"):
        assert not special.legal("discard Kc", hand="Kc", own=[meld], **HAD_MORTO)


def test_final_discard_required_the_last_card_may_not_be_melded(rule: Asker) -> None:
    at = {"hand": "9c", "own": [CLEAN, "6c 7c 8c"], **HAD_MORTO}
    assert not rule.legal("1: 6c 7c 8c 9c", **at)
    assert rule.legal("discard 9c", **at)


def test_final_discard_optional_the_last_card_may_be_melded(rule: Asker) -> None:
    at = {"hand": "9c", "own": [CLEAN, "6c 7c 8c"], **HAD_MORTO}
    optional = rule.under({"go_out.final_discard": "optional"})
    assert optional.effect("1: 6c 7c 8c 9c", **at) == (None, "went_out")
    assert optional.effect("discard 9c", **at) == (None, "went_out")


def test_wild_discard_may_the_discard_that_goes_out_be_a_wild(rule: Asker) -> None:
    for wild in ("JK", "2c"):
        at = {"hand": wild, "own": [CLEAN], **HAD_MORTO}
        assert not rule.legal(f"discard {wild}", **at)
        assert rule.under({"go_out.wild_discard": True}).effect(f"discard {wild}", **at) == (None, "went_out")


def test_morto_gone_forbidden_a_team_without_morto_may_not_go_out(rule: Asker) -> None:
    at = {"hand": "Kc", "own": [CLEAN], "mortos": 0, "taken": (False, True)}
    assert not rule.legal("discard Kc", **at)
    assert rule.under({"go_out.morto_gone": "allowed"}).legal("discard Kc", **at)


def test_morto_gone_allows_nothing_while_a_morto_is_left(rule: Asker) -> None:
    allowed = rule.under({"go_out.morto_gone": "allowed"})
    assert allowed.effect("discard Kc", hand="Kc", own=[CLEAN], mortos=1, taken=(False, True)) == ("indirect", None)


# [stock] ----------------------------------------------------------------------------------------------------------

LAST_TURN = {"hand": "Kc 4d", "stock": 2, "drew_last": True}


def test_dead_cards_at_the_bottom_of_the_stock_are_never_drawn(rule: Asker) -> None:
    at = {"hand": "Kc 4d", "phase": "draw", "mortos": 0, "taken": (True, True)}
    assert rule.legal("draw stock", stock=3, **at)
    assert not rule.legal("draw stock", stock=2, **at)
    assert rule.under({"stock.dead": 0}).legal("draw stock", stock=2, **at)


@pytest.mark.parametrize("mortos", [0, 1])
def test_exhausted_end_the_deal_ends_after_the_turn_in_which_the_last_card_was_drawn(rule: Asker, mortos: int) -> None:
    at = {**LAST_TURN, "mortos": mortos, "taken": (True, mortos == 0)}
    assert rule.effect("discard Kc", **at) == (None, "stock_end")
    assert rule.effect("discard Kc", **{**at, "stock": 3, "drew_last": False}) == (None, None)


def test_exhausted_end_nobody_goes_on_by_taking_the_pile(rule: Asker) -> None:
    assert rule.actions(hand="Kc 4d", pile="4s 5s", phase="draw", stock=2, **HAD_MORTO) == []


def test_exhausted_morto_an_untaken_morto_becomes_the_stock(rule: Asker) -> None:
    goes_on = rule.under({"stock.exhausted": "morto"})
    assert goes_on.effect("discard Kc", **LAST_TURN, **HAD_MORTO) == (None, None)


def test_exhausted_morto_the_deal_ends_only_if_none_is_left(rule: Asker) -> None:
    goes_on = rule.under({"stock.exhausted": "morto"})
    assert goes_on.effect("discard Kc", **LAST_TURN, mortos=0, taken=(True, True)) == (None, "stock_end")
    assert goes_on.actions(hand="Kc 4d", pile="4s 5s", phase="draw", stock=2, mortos=0, taken=(True, True)) == []


def test_exhausted_morto_the_morto_that_the_last_discard_takes_is_no_stock(rule: Asker) -> None:
    goes_on = rule.under({"stock.exhausted": "morto"})
    at = {"hand": "Kc", "stock": 2, "drew_last": True}
    assert goes_on.effect("discard Kc", **at, mortos=1, taken=(False, True)) == ("indirect", "stock_end")
    assert goes_on.effect("discard Kc", **at, mortos=2) == ("indirect", None)


def test_when_draw_until_a_player_draws_from_the_stock_the_pile_can_be_taken(rule: Asker) -> None:
    late = rule.under({"stock.exhausted": "morto", "stock.when": "draw"})
    assert late.actions(hand="Kc 4d", pile="4s 5s", phase="draw", stock=2, **HAD_MORTO) == ["draw pile", "draw stock"]


def test_when_draw_until_then_the_morto_can_still_be_taken_and_then_the_deal_is_over(rule: Asker) -> None:
    late = rule.under({"stock.exhausted": "morto", "stock.when": "draw"})
    at = {"hand": "Kc", "stock": 2, "took": "9s Kc", "mortos": 1, "taken": (False, True)}
    assert late.effect("discard Kc", **at) == ("indirect", "stock_end")
    assert late.effect("discard Kc", **{**at, "hand": "Kc 9s"}) == (None, None)


def test_going_out_in_the_last_turn_goes_first(rule: Asker) -> None:
    assert rule.effect("discard Kc", hand="Kc", stock=2, drew_last=True, own=[CLEAN], **HAD_MORTO) == (None, "went_out")


def test_a_pass_ends_the_turn_too(rule: Asker) -> None:
    same_turn = rule.under({"morto.after_discard": "same_turn"})
    assert same_turn.effect("pass", **LAST_TURN, may_pass=True, **HAD_MORTO) == (None, "stock_end")
    assert same_turn.effect("pass", hand="Kc 4d", may_pass=True, **HAD_MORTO) == (None, None)
