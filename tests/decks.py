"""Many shuffles in one go, for tests of their quality."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import types

from buraco_sim._jit import entry, kernel_sources, unit_folder
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.rng import mix, shuffle

FOLDER = unit_folder("decks", [*kernel_sources(), Path(__file__)])
CARDS = 108
KINDS = 53  # 52 faces and the joker


@entry(types.void(types.uint64, types.int64, types.int64[:, ::1]), FOLDER)
def _count_places(seed, deals, counts):  # type: ignore[no-untyped-def]
    deck = stack_words(CARDS)
    for deal in range(deals):
        shuffle(seed, np.uint64(deal), 4, deck)
        for place in range(108):
            card = deck[place]
            counts[52 if card == 64 else 13 * (card >> 4) + (card & 15), place] += 1


@entry(types.void(types.uint64, types.uint64, types.uint64[::1]), FOLDER)
def _hash_decks(seed, first, hashes):  # type: ignore[no-untyped-def]
    deck = stack_words(CARDS)
    for i in range(len(hashes)):
        shuffle(seed, first + np.uint64(i), 4, deck)
        found = np.uint64(0)
        for place in range(108):
            found = mix(found + np.uint64(deck[place] + 1) * np.uint64(0x9E3779B97F4A7C15))
        hashes[i] = found


@entry(types.void(types.uint64, types.int64[:, ::1]), FOLDER)
def _top_cards(seed, tops):  # type: ignore[no-untyped-def]
    deck = stack_words(CARDS)
    for deal in range(len(tops)):
        shuffle(seed, np.uint64(deal), 4, deck)
        for place in range(tops.shape[1]):
            tops[deal, place] = deck[place]


def count_places(seed: int, deals: int) -> npt.NDArray[np.int64]:
    """How often each of the 53 kinds of cards lay on each of the 108 places, int64[53, 108]."""
    counts = np.zeros((KINDS, CARDS), np.int64)
    _count_places(np.uint64(seed), deals, counts)
    return counts


def hash_decks(seed: int, first: int, deals: int) -> npt.NDArray[np.uint64]:
    """A hash of 64 bits of each deck, uint64[deals]."""
    hashes = np.empty(deals, np.uint64)
    _hash_decks(np.uint64(seed), np.uint64(first), hashes)
    return hashes


def top_cards(seed: int, deals: int, places: int) -> npt.NDArray[np.int64]:
    """The cards on the first places of each deck, int64[deals, places]."""
    tops = np.empty((deals, places), np.int64)
    _top_cards(np.uint64(seed), tops)
    return tops


def n_equal(*hashes: npt.NDArray[np.uint64]) -> int:
    """How many of the hashes have been there before."""
    together = np.sort(np.concatenate(hashes))
    return int((together[1:] == together[:-1]).sum())
