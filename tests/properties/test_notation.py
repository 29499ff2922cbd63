"""What is written is read as it was, and the other way round."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from buraco_sim.cards import JOKER, format_card, format_cards, format_meld, parse_card, parse_cards, parse_meld
from buraco_sim.judge import action_number, describe_number
from buraco_sim.meld_text import decode_meld, encode_meld
from buraco_sim.referee import describe_position, legal_actions, read_action, read_position
from buraco_sim.rules import Ruleset
from given import CARDS, RULESETS, melds, positions


@given(CARDS)
def test_a_card(card: int) -> None:
    assert parse_card(format_card(card)) == card
    assert len(format_card(card)) == 2
    assert (format_card(card) == "JK") == (card == JOKER)


@given(st.lists(CARDS, max_size=30))
def test_cards(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)


@given(st.data(), RULESETS)
def test_a_meld_as_text_and_as_a_number(data: st.DataObject, rules: Ruleset) -> None:
    laid = data.draw(melds(rules))
    if laid:
        assert parse_meld(format_meld(laid)) == laid
        assert decode_meld(encode_meld(laid)) == laid


@given(positions())
def test_a_position_and_its_actions(at: tuple) -> None:
    rules, position = at
    assert read_position(rules, describe_position(position)) == position
    for action in legal_actions(rules, position):
        assert describe_number(action_number(read_action(action), len(position.own)), len(position.own)) == action


@given(RULESETS)
def test_rules_as_values(rules: Ruleset) -> None:
    assert Ruleset.from_dict(rules.to_dict()).to_dict() == rules.to_dict()
