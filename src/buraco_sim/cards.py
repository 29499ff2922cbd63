"""Card ids, decks and the text notation.

A card id is ``16 * suit + rank`` with the suits ``shdc`` = 0..3 and the ranks ``A23456789TJQK`` = 0..12; the joker is 64.
In text a card is rank and suit (`Th`), the joker `JK`; a card that lies as a wild has a star (`2c*`, `JK*`).
Cards stand one space apart: a meld low to high, a pile bottom to top, a stock top first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from buraco_sim.errors import NotationError, shown

RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"
JOKER: Final = 64
TWO: Final = 1  # rank of the natural wilds
JOKER_TEXT: Final = "JK"
WILD_MARK: Final = "*"


class Laid(NamedTuple):
    """A card as it lies in a meld: its id, and whether it lies there as a wild."""

    card: int
    wild: bool


def card_of(suit: int, rank: int) -> int:
    """Return the id of a natural card from its suit 0..3 and rank 0..12."""
    return 16 * suit + rank


def suit_of(card: int) -> int:
    """Return the suit 0..3 of a card; the joker has none (4)."""
    return card >> 4


def rank_of(card: int) -> int:
    """Return the rank 0..12 of a card that is no joker."""
    return card & 15


def is_wild_card(card: int) -> bool:
    """Return whether a card can be laid as a wild: a 2 or a joker."""
    return card == JOKER or rank_of(card) == TWO


def full_deck(jokers: int) -> tuple[int, ...]:
    """Return two packs of 52 cards, suit by suit, and the jokers.

    Examples
    --------
    >>> len(full_deck(4))
    108
    """
    pack = tuple(card_of(suit, rank) for suit in range(len(SUITS)) for rank in range(len(RANKS)))
    return pack + pack + (JOKER,) * jokers


_TEXT: Final = {card: RANKS[rank_of(card)] + SUITS[suit_of(card)] for card in full_deck(0)} | {JOKER: JOKER_TEXT}
_CARD: Final = {text: card for card, text in _TEXT.items()}


def _hint(text: str) -> str:
    if text.replace("10", "T").upper() == JOKER_TEXT:
        return f"did you mean {JOKER_TEXT!r}?"
    right = text.replace("10", "T")
    right = right[:1].upper() + right[1:].lower()
    return f"did you mean {right!r}?" if right in _CARD else ""


def parse_card(text: str) -> int:
    """Return the id of a card.

    Raises
    ------
    NotationError
        When the text is no card.

    Examples
    --------
    >>> parse_card("Th"), parse_card("JK")
    (25, 64)
    """
    card = _CARD.get(text) if isinstance(text, str) else None
    if card is None:
        raise NotationError(
            f"no card {shown(text)}",
            expected=f"a rank of {RANKS} and a suit of {SUITS} such as 'Th', or {JOKER_TEXT!r}",
            hint=_hint(text) if isinstance(text, str) else "",
        )
    return card


def format_card(card: int) -> str:
    """Return the text of a card id.

    Examples
    --------
    >>> format_card(25)
    'Th'
    """
    return _TEXT[card]


def _words(text: str, what: str) -> list[str]:
    if not isinstance(text, str):
        raise NotationError(f"no {what} {shown(text)}", expected="a text of cards one space apart such as '5h 6h'")
    return text.split()


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the ids of cards one space apart, in the order of the text; an empty text has none.

    Raises
    ------
    NotationError
        When a word is no card.

    Examples
    --------
    >>> parse_cards("Ah JK")
    (16, 64)
    """
    return tuple(parse_card(word) for word in _words(text, "cards"))


def format_cards(cards: Iterable[int]) -> str:
    """Return card ids as text, one space apart, in the order given.

    Examples
    --------
    >>> format_cards((16, 64))
    'Ah JK'
    """
    return " ".join(format_card(card) for card in cards)


def _parse_laid(word: str) -> Laid:
    wild = word.endswith(WILD_MARK)
    card = parse_card(word.removesuffix(WILD_MARK))
    if wild and not is_wild_card(card):
        raise NotationError(f"{shown(word)} lies as a wild", expected=f"a star only after a 2 or {JOKER_TEXT}")
    return Laid(card, wild)


def parse_meld(text: str) -> tuple[Laid, ...]:
    """Return the layout of a meld as written; whether it is a legal meld is a question for the rules.

    Raises
    ------
    NotationError
        When a word is no card, or a star stands after a card that is no wild.

    Examples
    --------
    >>> parse_meld("5h 6h 2c*")[2]
    Laid(card=49, wild=True)
    """
    return tuple(_parse_laid(word) for word in _words(text, "meld"))


def format_meld(laid: Iterable[Laid]) -> str:
    """Return the layout of a meld as text.

    Examples
    --------
    >>> format_meld((Laid(20, False), Laid(21, False), Laid(49, True)))
    '5h 6h 2c*'
    """
    return " ".join(format_card(card) + WILD_MARK * wild for card, wild in laid)
