"""Randomness by key: every random word is a function of (seed, deal, stream, counter), never of what happened before.

SplitMix64 (Steele, Lea, Flood 2014) in counter mode, bounded draws without bias (Lemire 2019). All arithmetic is uint64.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim._jit import kernel

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)
_M1: Final = np.uint64(0xBF58476D1CE4E5B9)
_M2: Final = np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S32, _S1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32), np.uint64(1)
_LOW32: Final = np.uint64(0xFFFFFFFF)
_TWO32: Final = np.uint64(1 << 32)

STREAM_DECK: Final = np.uint64(0)
STREAM_UPCARD: Final = np.uint64(1)
STREAM_SEAT: Final = np.uint64(2)  # and the three after it


@kernel
def mix(x: Any) -> Any:
    """SplitMix64's finaliser, a bijection of uint64."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)


@kernel
def stream_key(seed: Any, deal: Any, stream: Any) -> Any:
    """Key of one stream of one deal."""
    return mix(mix(mix(seed + GOLDEN) + deal * GOLDEN) + stream * _M1 + _M2)


@kernel
def word(key: Any, counter: Any) -> Any:
    """The random word number `counter` of a stream, uint64."""
    return mix(key + (counter + _S1) * GOLDEN)


@kernel
def bounded(key: Any, counter: Any, n: Any) -> Any:
    """A draw from 0..n-1 without bias and the next counter, `n` up to 2**32."""
    m = (word(key, counter) >> _S32) * n
    counter += _S1
    if (m & _LOW32) < n:
        threshold = (_TWO32 - n) % n
        while (m & _LOW32) < threshold:
            m = (word(key, counter) >> _S32) * n
            counter += _S1
    return m >> _S32, counter


@kernel
def shuffle(seed: Any, deal: Any, jokers: int, deck: Any) -> int:
    """Write the permutation of a deal into `deck`, int64[108]; its top is `deck[0]`. Returns the number of cards."""
    n = 0
    for pack in range(2):  # noqa: B007
        for suit in range(4):
            for rank in range(13):
                deck[n] = 16 * suit + rank
                n += 1
    for joker in range(jokers):  # noqa: B007
        deck[n] = 64
        n += 1
    key, counter = stream_key(seed, deal, STREAM_DECK), np.uint64(0)
    for i in range(n - 1):
        j, counter = bounded(key, counter, np.uint64(n - i))
        k = i + np.int64(j)
        deck[i], deck[k] = deck[k], deck[i]
    return n
