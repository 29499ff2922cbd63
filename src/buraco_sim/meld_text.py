"""Melds between the integer of the compiled core and the laid cards of the notation.

The bits of a meld are declared in :mod:`buraco_sim.layout`; this module is pure Python, so that a trace can be read and
a position be written down without the compiled core.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from buraco_sim.cards import JOKER, RANKS, SUITS, TWO, Laid, card_of, format_meld, is_wild_card, rank_of, suit_of
from buraco_sim.errors import NotationError

N_PLACES: Final = 14  # of a run: 0 = low ace ... 12 = king, 13 = high ace
HIGH_ACE: Final = N_PLACES - 1
NO_PLACE: Final = 15

_PLACE_SHIFT: Final = 14
_WILD_SHIFT: Final = 18
_OWNER_SHIFT: Final = 21  # suit of a run, rank of a set
_SET_BIT: Final = 1 << 25
_MARK_BIT: Final = 1 << 26
_JOKER_KIND: Final = 5


def decode_meld(meld: int) -> tuple[Laid, ...]:
    """Return the cards of a meld integer, low to high.

    Parameters
    ----------
    meld : int
        A meld as the compiled core holds it, see :mod:`buraco_sim.layout`.

    Returns
    -------
    tuple of Laid
        A run from its low end to its high end; a set as its naturals in the order of the suits, then the wild.

    Raises
    ------
    NotationError
        If the bits are no meld: a gap, a wild on a natural card's place, an unknown suit, rank or wild.

    Examples
    --------
    >>> from buraco_sim.cards import format_meld, parse_meld
    >>> format_meld(decode_meld(encode_meld(parse_meld("5h 6h 2c* 8h"))))
    '5h 6h 2c* 8h'
    """
    owner = (meld >> _OWNER_SHIFT) & 15
    wild = _wild_of_kind((meld >> _WILD_SHIFT) & 7, meld)
    place = (meld >> _PLACE_SHIFT) & 15
    if not _MARK_BIT <= meld < 2 * _MARK_BIT:
        raise _nonsense(meld, "bit 26 must be the highest bit that is set")
    if meld & _SET_BIT:
        return _decode_set(meld, owner, wild, place)
    return _decode_run(meld, owner, wild, place)


def encode_meld(laid: Sequence[Laid]) -> int:
    """Return the integer of a meld that is written low to high.

    The inverse of :func:`decode_meld`. It asks only for a meld that can be written down (one suit in a row, or one rank,
    at most one wild), not for one that the rules of a variant allow.

    Parameters
    ----------
    laid : sequence of Laid
        A run low to high, or a set with its cards in any order.

    Returns
    -------
    int
        The meld, positive and below 2**27.

    Raises
    ------
    NotationError
        If the cards are neither a run nor a set in this order.

    Examples
    --------
    >>> from buraco_sim.cards import parse_meld
    >>> encode_meld(parse_meld("5h 7h 8h"))
    Traceback (most recent call last):
        ...
    buraco_sim.errors.NotationError: no meld: '5h 7h 8h': neither one rank nor one suit in a row, low to high
    """
    naturals = [one.card for one in laid if not one.wild]
    wilds = [one.card for one in laid if one.wild]
    if len(naturals) < 2 or len(wilds) > 1:
        raise _no_meld(laid, "two natural cards and at most one wild are expected")
    if any(not is_wild_card(card) for card in wilds):
        raise _no_meld(laid, "only a 2 or a joker can be a wild")
    if JOKER in naturals:
        raise _no_meld(laid, "a joker is always a wild, write JK*")
    if len({rank_of(card) for card in naturals}) == 1:
        return _encode_set(laid, naturals, wilds)
    return _encode_run(laid, naturals, wilds)


def _decode_set(meld: int, rank: int, wild: int | None, place: int) -> tuple[Laid, ...]:
    copies = [(meld >> (2 * suit)) & 3 for suit in range(len(SUITS))]
    if rank >= len(RANKS) or place != NO_PLACE or 3 in copies or (meld >> 8) & 63:
        raise _nonsense(meld, "a set has a rank, up to two copies a suit and no place of the wild")
    naturals = [Laid(card_of(suit, rank), False) for suit, n in enumerate(copies) for _ in range(n)]
    return (*naturals, *([] if wild is None else [Laid(wild, True)]))


def _decode_run(meld: int, suit: int, wild: int | None, place: int) -> tuple[Laid, ...]:
    naturals = meld & ((1 << N_PLACES) - 1)
    taken = naturals if wild is None else naturals | 1 << place
    has_place = place < N_PLACES and not naturals >> place & 1
    if suit >= len(SUITS) or naturals == 0 or (has_place if wild is None else not has_place) or (wild is None and place != NO_PLACE):
        raise _nonsense(meld, "a run has a suit, natural cards and a free place for its wild")
    low = (taken & -taken).bit_length() - 1
    high = taken.bit_length()
    if taken >> low != (1 << (high - low)) - 1:
        raise _nonsense(meld, "the places of a run have a gap")
    run = [Laid(card_of(suit, at % len(RANKS)), False) for at in range(low, high)]
    if wild is not None:
        run[place - low] = Laid(wild, True)
    return tuple(run)


def _encode_set(laid: Sequence[Laid], naturals: list[int], wilds: list[int]) -> int:
    copies = [0] * len(SUITS)
    for card in naturals:
        copies[suit_of(card)] += 1
    if max(copies) > 2:
        raise _no_meld(laid, "two copies of a card are all there are")
    bits = sum(n << (2 * suit) for suit, n in enumerate(copies))
    return bits | NO_PLACE << _PLACE_SHIFT | _kind_bits(wilds) | rank_of(naturals[0]) << _OWNER_SHIFT | _SET_BIT | _MARK_BIT


def _encode_run(laid: Sequence[Laid], naturals: list[int], wilds: list[int]) -> int:
    suit = suit_of(naturals[0])
    index, first = next((i, one.card) for i, one in enumerate(laid) if not one.wild)
    # An ace is low only where nothing stands below it.
    low = HIGH_ACE - index if rank_of(first) == 0 and index > 0 else rank_of(first) - index
    bits = 0
    place = NO_PLACE
    for at, one in enumerate(laid, start=low):
        if not 0 <= at < N_PLACES:
            raise _no_meld(laid, "a run goes from the low ace to the high ace")
        if one.wild:
            place = at
        elif one.card == card_of(suit, at % len(RANKS)):
            bits |= 1 << at
        else:
            raise _no_meld(laid, "neither one rank nor one suit in a row, low to high")
    return bits | place << _PLACE_SHIFT | _kind_bits(wilds) | suit << _OWNER_SHIFT | _MARK_BIT


def _kind_bits(wilds: list[int]) -> int:
    if not wilds:
        return 0
    return (_JOKER_KIND if wilds[0] == JOKER else 1 + suit_of(wilds[0])) << _WILD_SHIFT


def _wild_of_kind(kind: int, meld: int) -> int | None:
    if kind == 0:
        return None
    if kind > _JOKER_KIND:
        raise _nonsense(meld, f"wild kind {kind} does not exist")
    return JOKER if kind == _JOKER_KIND else card_of(kind - 1, TWO)


def _nonsense(meld: int, why: str) -> NotationError:
    return NotationError(f"no meld: {meld:#x}: {why}")


def _no_meld(laid: Sequence[Laid], why: str) -> NotationError:
    return NotationError(f"no meld: {format_meld(laid)!r}: {why}")
