"""The suits are equal: with the suits exchanged, rules and lists of legal actions are the same with the suits exchanged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from buraco_sim.cards import SUITS, format_card
from buraco_sim.judge import legal_actions as kernel_actions
from buraco_sim.referee import Position, describe_position, read_position
from buraco_sim.referee import legal_actions as referee_actions
from buraco_sim.rules import Ruleset
from engines import ENGINES
from given import CARDS, VARIANTS, positions

ORDERS = st.permutations(SUITS).map("".join)


def exchanged(value: Any, order: str) -> Any:
    """A JSON value with the suits of all cards in it exchanged; sets are written in the order of the suits again."""
    if isinstance(value, dict):
        return {key: _exchanged_under(key, text, order) for key, text in value.items()}
    if isinstance(value, list):
        return [exchanged(one, order) for one in value]
    if not isinstance(value, str):
        return value
    cards = _other_suits(value, order)
    if len({card[0] for card in cards if not card.endswith("*")}) == 1:
        cards.sort(key=lambda card: (card.endswith("*"), SUITS.find(card[1])))
    return " ".join(cards)


def _other_suits(text: str, order: str) -> list[str]:
    return [card[0] + order[SUITS.index(card[1])] + card[2:] if card[1] in SUITS else card for card in text.split()]


def _exchanged_under(key: str, value: Any, order: str) -> Any:
    """A value of a JSON object: what is no meld keeps its order (`Jd JK` is a pile, not a set)."""
    if key in ("do", "from", "phase"):
        return value
    if key in ("pile", "took", "hand", "card"):
        return " ".join(_other_suits(value, order))
    return exchanged(value, order)


def as_texts(actions: list[dict[str, Any]]) -> list[str]:
    return sorted(json.dumps(action, sort_keys=True) for action in actions)


@pytest.mark.parametrize("list_actions", [kernel_actions, referee_actions], ids=["kernel", "referee"])
@given(at=positions(), order=ORDERS)
@settings(max_examples=100)
def test_legal_actions(list_actions: Any, at: tuple[Ruleset, Position], order: str) -> None:
    rules, position = at
    other = read_position(rules, exchanged(describe_position(position), order))
    assert as_texts(exchanged(list_actions(rules, position), order)) == as_texts(list_actions(rules, other))


@pytest.mark.parametrize("engine", sorted(ENGINES))
@given(
    variant=VARIANTS,
    suit=st.sampled_from(SUITS),
    ranks=st.sets(st.sampled_from("A23456789TJQK"), min_size=2, max_size=8),
    more=CARDS,
    order=ORDERS,
)
@settings(max_examples=100)
def test_layouts(engine: str, variant: str, suit: str, ranks: set[str], more: int, order: str) -> None:
    cards = " ".join([*(rank + suit for rank in sorted(ranks)), format_card(more)])
    answer = ENGINES[engine]({"id": "1", "rules": variant, "ask": "meld", "cards": cards})
    other = ENGINES[engine]({"id": "1", "rules": variant, "ask": "meld", "cards": exchanged(cards, order)})
    assert sorted(exchanged(answer["layouts"], order)) == other["layouts"]
