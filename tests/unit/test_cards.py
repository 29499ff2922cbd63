"""Cards and their notation."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco_sim.cards import (
    JOKER,
    RANKS,
    SUITS,
    TWO,
    Laid,
    card_of,
    format_card,
    format_cards,
    format_meld,
    full_deck,
    is_wild_card,
    parse_card,
    parse_cards,
    parse_meld,
    rank_of,
    suit_of,
)
from buraco_sim.errors import ExitCode, NotationError

CARDS = st.sampled_from(full_deck(1))


def laid(cards: st.SearchStrategy[int]) -> st.SearchStrategy[Laid]:
    return st.builds(lambda card, wild: Laid(card, wild and is_wild_card(card)), cards, st.booleans())


def test_ids_are_sixteen_a_suit_in_the_order_of_ranks_and_suits() -> None:
    assert [parse_card(text) for text in ("As", "2s", "Ks", "Ah", "Td", "Kc", "JK")] == [0, 1, 12, 16, 41, 60, 64]


@given(CARDS.filter(lambda card: card != JOKER))
def test_suit_and_rank_make_the_card(card: int) -> None:
    assert card_of(suit_of(card), rank_of(card)) == card
    assert format_card(card) == RANKS[rank_of(card)] + SUITS[suit_of(card)]


@given(st.lists(CARDS))
def test_cards_survive_the_round_trip(cards: list[int]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)


@given(st.lists(laid(CARDS)))
def test_melds_survive_the_round_trip(meld: list[Laid]) -> None:
    assert parse_meld(format_meld(meld)) == tuple(meld)


def test_a_star_says_that_a_card_lies_as_a_wild() -> None:
    assert parse_meld("2h 3h 2c* JK*") == (
        Laid(card_of(1, TWO), False),
        Laid(card_of(1, 2), False),
        Laid(card_of(3, TWO), True),
        Laid(JOKER, True),
    )


def test_wilds_are_the_twos_and_the_jokers() -> None:
    assert sum(map(is_wild_card, full_deck(4))) == 12


@pytest.mark.parametrize("jokers", range(5))
def test_a_deck_is_two_packs_and_jokers(jokers: int) -> None:
    copies = Counter(full_deck(jokers))
    assert copies.pop(JOKER, 0) == jokers
    assert len(copies) == 52
    assert set(copies.values()) == {2}


@pytest.mark.parametrize("text", ["", "1h", "hA", "Ax", "10h", "ah", "AH", "A", "JKs", "jk", "A♠", "Ah*", "2h*", None, 7, ["Ah"]])
def test_what_is_no_card_is_named(text: object) -> None:
    with pytest.raises(NotationError, match="no card .*expected a rank of A23456789TJQK") as caught:
        parse_card(text)  # type: ignore[arg-type]
    assert caught.value.exit_code == ExitCode.USAGE
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "meant"), [("10h", "Th"), ("ah", "Ah"), ("TH", "Th"), ("jk", "JK"), ("jS", "Js")])
def test_a_near_miss_gets_a_suggestion(text: str, meant: str) -> None:
    with pytest.raises(NotationError, match=f"did you mean '{meant}'"):
        parse_card(text)


@pytest.mark.parametrize("text", ["5h 6x", "5h,6h", "5h6h", "JK Jk"])
def test_a_wrong_word_among_cards_is_named(text: str) -> None:
    with pytest.raises(NotationError, match="no card"):
        parse_cards(text)


@pytest.mark.parametrize("text", [None, 5, ["5h"], {"5h": 1}])
def test_cards_that_are_no_text_are_refused(text: object) -> None:
    with pytest.raises(NotationError, match="expected a text of cards"):
        parse_cards(text)  # type: ignore[arg-type]
    with pytest.raises(NotationError, match="expected a text of cards"):
        parse_meld(text)  # type: ignore[arg-type]


def test_only_a_wild_lies_as_a_wild() -> None:
    with pytest.raises(NotationError, match="'5h\\*' lies as a wild; expected a star only after a 2 or JK"):
        parse_meld("4h 5h* 6h")
