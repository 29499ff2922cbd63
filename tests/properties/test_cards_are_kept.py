"""After every action of a deal all cards of the deck are somewhere, once each, and whoever is to move can move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from buraco_sim.cards import JOKER, full_deck
from buraco_sim.meld_text import decode_meld
from buraco_sim.replay import replay
from buraco_sim.rules import Ruleset
from given import RULESETS
from plain import Decide, plain_engine
from refereed import built_in_players


def cards_in(once: int, twice: int, jokers: int) -> Iterator[int]:
    for plane in (int(once), int(twice)):
        yield from (card for card in range(64) if plane >> card & 1)
    yield from [JOKER] * int(jokers)


def all_cards(rules: Any, state: Any, now: Any) -> Counter[int]:
    """Every card of the engine's memory: hands, tables, pile, stock with its dead cards, mortos."""
    found = Counter(cards_in(now.once, now.twice, now.jokers))
    for seat in range(rules.table_seats):
        if seat != now.seat:
            found.update(cards_in(state.once[seat], state.twice[seat], state.jokers[seat]))
    for team in (0, 1):
        for meld in now.tables[team][: now.n_melds[team]]:
            found.update(laid.card for laid in decode_meld(int(meld)))
    pile = state.pile[: now.n_pile]
    assert Counter(map(int, pile)) == Counter(cards_in(now.pile_once, now.pile_twice, now.pile_jokers))
    stock = state.deck[state.stock_next : state.stock_end]
    assert len(stock) == now.n_drawable == now.n_stock - state.dead
    n_cards = 104 + rules.deck_jokers
    found.update(map(int, [*pile, *stock, *state.deck[n_cards - state.dead : n_cards]]))
    for i in range(state.next_morto, state.end_morto):
        found.update(map(int, state.deck[state.morto_start[i] :][: state.morto_size[i]]))
    return found


@pytest.mark.parametrize("players", built_in_players())
@given(rules=RULESETS, deal=st.integers(0, 10_000))
@settings(max_examples=8)
def test_no_card_is_lost_and_nobody_is_stuck(players: str, rules: Ruleset, deal: int) -> None:
    deck = Counter(full_deck(rules.deck.jokers))
    n_actions = 0

    with plain_engine() as plain:
        legal, deal_module = plain.module("legal"), plain.module("deal")
        step = deal_module.step

        def checked(rules: Any, state: Any, now: Any, action: int) -> int:
            nonlocal n_actions
            n_actions += 1
            assert legal.list_actions(rules, now, np.empty(1, np.int64)) > 0
            status = step(rules, state, now, action)
            assert all_cards(rules, state, now) == deck
            return int(status)

        with mock.patch.object(deal_module, "step", checked):
            played = replay(rules, players, deal=deal)
    assert not played.failure
    assert n_actions > played.row["turns"]


@pytest.mark.parametrize("players", built_in_players())
@given(rules=RULESETS, deal=st.integers(0, 10_000))
@settings(max_examples=8)
def test_what_a_player_writes_into_its_view_changes_nothing(players: str, rules: Ruleset, deal: int) -> None:
    """Its rules apart: they are not copied at every decision, and no player has a reason to write there."""

    def scribbling(decide: Decide) -> Decide:
        def decide_and_scribble(view: Any, weights: Any, scratch: Any) -> int:
            action = decide(view, weights, scratch)
            for name in view.dtype.names:
                if name != "rules":
                    view[name] = 77
            return action

        return decide_and_scribble

    with plain_engine(scribbling):
        scribbled = replay(rules, players, deal=deal)
    assert scribbled == replay(rules, players, deal=deal)
