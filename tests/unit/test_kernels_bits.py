"""Lanes against sets of cards, the slow and obvious way."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from buraco_sim.cards import JOKER, full_deck, is_wild_card
from buraco_sim.kernels import bits
from buraco_sim.kernels.rng import bounded, stream_key, word
from buraco_sim.rules import Ruleset

RNG = np.random.default_rng(5)
MASKS = [0, 1, bits.ALL_CARDS, *(int(mask) & bits.ALL_CARDS for mask in RNG.integers(0, 2**62, 50))]
U64 = np.uint64


@pytest.fixture(autouse=True)
def _wrapping() -> Iterator[None]:
    """Without the compiler, uint64 that wraps would be a warning."""
    with np.errstate(over="ignore"):
        yield


def counts(once: int, twice: int) -> list[int]:
    return [(once >> card & 1) + (twice >> card & 1) for card in range(64)]


@pytest.mark.parametrize("mask", MASKS)
def test_counting_bits(mask: int) -> None:
    held = [bit for bit in range(64) if mask >> bit & 1]
    assert bits.popcount(mask) == len(held)
    assert bits.lowest(mask) == (held[0] if held else 64)
    assert bits.highest(mask) == (held[-1] if held else -1)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("suit", range(4))
def test_the_ace_has_two_places(mask: int, suit: int) -> None:
    places = bits.places(mask, suit)
    for place in range(14):
        assert places >> place & 1 == mask >> (16 * suit + place % 13) & 1
    assert places >> 14 == 0


@pytest.mark.parametrize("i", range(50))
def test_taking_cards_out_of_a_hand(i: int) -> None:
    a1, b1 = MASKS[i], MASKS[-i]
    a2, b2 = a1 & MASKS[i // 2], b1 & MASKS[i // 3]
    left = [max(a - b, 0) for a, b in zip(counts(a1, a2), counts(b1, b2), strict=True)]
    once, twice = bits.more_once(a1, a2, b1, b2), bits.more_twice(a2, b1)
    assert [n >= 1 for n in left] == [bool(once >> card & 1) for card in range(64)]
    assert [n == 2 for n in left] == [bool(twice >> card & 1) for card in range(64)]


@pytest.mark.parametrize("variant", ["burraco-fibur", "stbl"])
def test_points_and_wilds_of_cards(variant: str) -> None:
    points = Ruleset.load(variant).pack()["card_points"][0]
    for mask in MASKS:
        cards = [card for card in range(64) if mask >> card & 1]
        assert bits.plane_points(points, mask) == sum(points[card] for card in cards)
        assert bits.wilds_in(mask, mask & MASKS[7], 3) == 3 + sum(map(is_wild_card, cards)) + sum(
            is_wild_card(card) for card in cards if MASKS[7] >> card & 1
        )


def test_a_mask_of_places() -> None:
    assert bits.mask_of(2, 4) == 0b11100
    assert bits.mask_of(3, 3) == 0b1000
    assert bits.mask_of(3, 2) == 0  # none


def test_the_deck_is_that_of_the_notation() -> None:
    assert {card for card in range(64) if bits.ALL_CARDS >> card & 1} | {JOKER} == set(full_deck(1))


def test_words_depend_on_every_part_of_their_key() -> None:
    keys = {int(stream_key(U64(seed), U64(deal), U64(stream))) for seed in (0, 1, 2**64 - 1) for deal in range(10) for stream in range(6)}
    assert len(keys) == 180
    assert len({int(word(U64(5), U64(counter))) for counter in range(1000)}) == 1000


@pytest.mark.parametrize("n", [1, 2, 3, 52, 108, 2**32 - 5])
def test_bounded_draws_stay_in_range(n: int) -> None:
    counter, drawn = U64(0), []
    for _ in range(2000):
        value, counter = bounded(U64(9), U64(counter), U64(n))  # compiled code hands an int back
        drawn.append(int(value))
    assert min(drawn) >= 0
    assert max(drawn) < n
    assert abs(sum(drawn) / len(drawn) - (n - 1) / 2) < 0.05 * n
