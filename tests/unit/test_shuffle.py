"""The shuffle: every card on every place equally often, no deck twice, nothing in common between neighbouring seeds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2

from buraco_sim.job import DEFAULT_SEED
from decks import CARDS, KINDS, count_places, hash_decks, n_equal, top_cards

MILLION = 1_000_000
SEEDS = [0, DEFAULT_SEED]
#: Two-sided: a shuffle that is too even is not random either. The tests are fixed, so this is no matter of luck.
LEAST, MOST = 1e-4, 1 - 1e-4


COPIES = np.array([2] * 52 + [4])


def upper_tail(counts: np.ndarray, expected: np.ndarray, freedom: int, factor: float = 1) -> float:
    return float(chi2.sf(factor * ((counts - expected) ** 2 / expected).sum(), freedom))


def evenness(counts: np.ndarray) -> float:
    """Upper tail of card x place. A deck is a permutation, so rows and columns are tied; (n - 1) / n makes that a chi-square."""
    expected = np.repeat(COPIES[:, None] / CARDS * MILLION, CARDS, axis=1)
    return upper_tail(counts, expected, (KINDS - 1) * (CARDS - 1), (CARDS - 1) / CARDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_lies_on_every_place_equally_often(seed: int) -> None:
    counts = count_places(seed, MILLION)
    assert LEAST < evenness(counts) < MOST
    assert (counts.sum(axis=0) == MILLION).all()
    assert (counts.sum(axis=1) == COPIES * MILLION).all()


def test_an_uneven_shuffle_would_be_noticed() -> None:
    """A suit that lies on top one time in 250 too often, a suit that lies there less often."""
    counts = count_places(0, MILLION)
    counts[:13, 0] += 800
    counts[13:26, 0] -= 800
    assert evenness(counts) < LEAST


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbouring_places_are_independent(seed: int) -> None:
    tops = top_cards(seed, MILLION, 2)
    counts = np.zeros((65, 65))
    np.add.at(counts, (tops[:, 0], tops[:, 1]), 1)
    copies = np.zeros(65)
    for suit in range(4):
        copies[16 * suit : 16 * suit + 13] = 2
    copies[64] = 4
    kinds = np.flatnonzero(copies)
    pairs = copies[kinds, None] * (copies[kinds] - np.eye(KINDS))
    expected = pairs / (CARDS * (CARDS - 1)) * MILLION
    assert LEAST < upper_tail(counts[np.ix_(kinds, kinds)], expected, KINDS * KINDS - 1) < MOST


def test_no_deck_comes_twice() -> None:
    assert n_equal(hash_decks(DEFAULT_SEED, 0, MILLION), hash_decks(DEFAULT_SEED, 2**40, MILLION)) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_neighbouring_seeds_have_no_deck_in_common(seed: int) -> None:
    assert n_equal(hash_decks(seed, 0, MILLION), hash_decks(seed + 1, 0, MILLION)) == 0


@pytest.mark.parametrize("shift", [0, 1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_decks_of_neighbouring_seeds_and_indices_agree_as_often_as_any_two(seed: int, shift: int) -> None:
    here, there = top_cards(seed, MILLION // 5, CARDS), top_cards(seed + 1, MILLION // 5, CARDS)
    pairs = here[: len(here) - shift], there[shift:]
    for one, other in (pairs, (here[:-1], here[1:])):
        same = (one == other).sum()
        share = (52 * 2 * 2 + 4 * 4) / CARDS**2
        n = one.size
        assert abs(same - n * share) < 4.5 * np.sqrt(n * share)
