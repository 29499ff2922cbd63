"""Melds as integers and as cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from buraco_sim.cards import JOKER, RANKS, TWO, Laid, card_of, format_meld, parse_meld
from buraco_sim.errors import NotationError
from buraco_sim.meld_text import decode_meld, encode_meld

WILDS = [*(card_of(suit, TWO) for suit in range(4)), JOKER]


@st.composite
def runs(draw: st.DrawFn) -> tuple[Laid, ...]:
    suit, low = draw(st.integers(0, 3)), draw(st.integers(0, 11))
    high = draw(st.integers(low + 3, 14))
    laid = [Laid(card_of(suit, place % 13), False) for place in range(low, high)]
    if draw(st.booleans()):
        laid[draw(st.integers(0, len(laid) - 1))] = Laid(draw(st.sampled_from(WILDS)), True)
    return tuple(laid)


@st.composite
def sets(draw: st.DrawFn) -> tuple[Laid, ...]:
    rank, copies = draw(st.integers(0, 12)), draw(st.lists(st.integers(0, 2), min_size=4, max_size=4).filter(lambda n: sum(n) >= 2))
    naturals = [Laid(card_of(suit, rank), False) for suit, n in enumerate(copies) for _ in range(n)]
    wild = draw(st.sampled_from([None, *WILDS]))
    return (*naturals, *([] if wild is None else [Laid(wild, True)]))


@given(st.one_of(runs(), sets()))
def test_a_meld_comes_back_as_it_was(laid: tuple[Laid, ...]) -> None:
    assert decode_meld(encode_meld(laid)) == laid


@given(st.lists(st.one_of(runs(), sets()), min_size=2, max_size=2, unique=True))
def test_different_melds_have_different_integers(pair: list[tuple[Laid, ...]]) -> None:
    assert encode_meld(pair[0]) != encode_meld(pair[1])


@given(st.integers(0, 2**27 - 1))
def test_an_integer_is_a_meld_or_refused(meld: int) -> None:
    try:
        laid = decode_meld(meld)
    except NotationError:
        return
    if len([one for one in laid if not one.wild]) >= 2:
        assert encode_meld(laid) == meld


@pytest.mark.parametrize(
    ("text", "bits"),
    [
        ("As 2s 3s", 1 << 26 | 15 << 14 | 0b111),
        ("Qs Ks As", 1 << 26 | 15 << 14 | 0b11 << 11 | 1 << 13),
        ("5h 6h 2c* 8h", 1 << 26 | 1 << 21 | 4 << 18 | 6 << 14 | 0b10110000),
        ("JK* 2s 3s", 1 << 26 | 5 << 18 | 0 << 14 | 0b110),
        ("7s 7s 7d 2h*", 1 << 26 | 1 << 25 | 6 << 21 | 2 << 18 | 15 << 14 | 0b010010),
        ("2s 2h 2c", 1 << 26 | 1 << 25 | 1 << 21 | 15 << 14 | 0b1000101),
    ],
)
def test_the_bits_are_those_of_the_contract(text: str, bits: int) -> None:
    assert encode_meld(parse_meld(text)) == bits
    assert format_meld(decode_meld(bits)) == text


def test_the_cards_of_a_set_may_be_named_in_any_order() -> None:
    assert format_meld(decode_meld(encode_meld(parse_meld("2c* 7d 7s")))) == "7s 7d 2c*"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5h",
        "5h 2c*",
        "5h 7h 8h",
        "5h 6s 7h",
        "6h 5h 4h",
        "Kh Ah 2h",
        "JK* Ah 2h",
        "Qh Kh Ah JK*",
        "5h 2c* JK* 8h",
        "JK 5h 6h",
        "7s 7s 7s",
    ],
)
def test_what_is_no_meld_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(NotationError, match="no meld"):
        encode_meld(parse_meld(text))


@pytest.mark.parametrize(
    "meld",
    [
        0,
        -1,
        1 << 27,
        15 << 14 | 0b111,  # the mark is missing
        1 << 26 | 15 << 14 | 0b1011,  # a gap
        1 << 26 | 15 << 14,  # no cards
        1 << 26 | 1 << 18 | 1 << 14 | 0b111,  # the wild on a natural card's place
        1 << 26 | 1 << 18 | 15 << 14 | 0b111,  # a wild without a place
        1 << 26 | 3 << 14 | 0b111,  # a place without a wild
        1 << 26 | 6 << 18 | 3 << 14 | 0b111,  # a wild that does not exist
        1 << 26 | 4 << 21 | 15 << 14 | 0b111,  # a fifth suit
        1 << 26 | 1 << 25 | len(RANKS) << 21 | 15 << 14 | 0b0101,  # a fourteenth rank
        1 << 26 | 1 << 25 | 15 << 14 | 0b11,  # three copies
    ],
)
def test_bits_that_are_no_meld_are_refused(meld: int) -> None:
    with pytest.raises(NotationError, match="no meld"):
        decode_meld(meld)
