"""Which layouts are legal melds, and which melds a number of cards can form.

A run is laid on 14 places: 0 is the low ace, 1 the 2, ... 12 the king, 13 the high ace. A set has no places: its naturals
lie in the order of the suits, then comes the wild.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import product
from typing import Final, Literal, NamedTuple

from buraco_sim.cards import JOKER, RANKS, SUITS, TWO, Laid, card_of, format_meld, is_wild_card, rank_of, suit_of
from buraco_sim.rules import Ruleset

ACE: Final = 0  # rank
HIGH_ACE: Final = 13  # place; the low ace has place 0
PLACES: Final = range(14)
PLACE_OF_TWO: Final = 1
PACKS: Final = 2


class Meld(NamedTuple):
    """A layout that was read as a run or as a set.

    Attributes
    ----------
    kind : str
        ``"run"`` or ``"set"``.
    low : int
        Place of the first card of a run; 0 for a set.
    laid : tuple of Laid
        The cards in their order on the table.
    """

    kind: Literal["run", "set"]
    low: int
    laid: tuple[Laid, ...]

    def __str__(self) -> str:
        return format_meld(self.laid)

    @property
    def cards(self) -> list[int]:
        """The ids of all cards, wild included."""
        return [one.card for one in self.laid]

    @property
    def naturals(self) -> dict[int, int]:
        """The card on each place that is held by a natural card."""
        return {self.low + i: one.card for i, one in enumerate(self.laid) if not one.wild}

    @property
    def wild(self) -> tuple[int, int] | None:
        """The place of the wild and its card, or None for a clean meld."""
        return next(((self.low + i, one.card) for i, one in enumerate(self.laid) if one.wild), None)

    @property
    def suit(self) -> int:
        """The suit of a run."""
        return suit_of(next(one.card for one in self.laid if not one.wild))

    @property
    def rank(self) -> int:
        """The rank of a set."""
        return rank_of(next(one.card for one in self.laid if not one.wild))


def card_on(suit: int, place: int) -> int:
    """Return the natural card of a place in a run of a suit."""
    return card_of(suit, place % len(RANKS))


def make_run(suit: int, low: int, high: int, gap: int | None, wild: int) -> Meld:
    """Return the run from place `low` to place `high`, with the wild card on the place `gap` unless that is None."""
    places = range(low, high + 1)
    return Meld("run", low, tuple(Laid(wild, True) if place == gap else Laid(card_on(suit, place), False) for place in places))


def read_meld(laid: tuple[Laid, ...]) -> Meld | None:
    """Return the run or the set that a layout shows, or None if its naturals stand neither in a row nor on one rank."""
    naturals = [(i, one.card) for i, one in enumerate(laid) if not one.wild]
    if not naturals or any(card == JOKER for _, card in naturals):
        return None
    if len({rank_of(card) for _, card in naturals}) == 1:
        return Meld("set", 0, tuple(sorted(laid, key=lambda one: (one.wild, one.card))))
    index, card = next((i, card) for i, card in naturals if rank_of(card) != ACE)
    low = rank_of(card) - index
    in_row = all(low + i in PLACES and at == card_on(suit_of(card), low + i) for i, at in naturals)
    return Meld("run", low, laid) if in_row and low >= 0 and low + len(laid) <= len(PLACES) else None


def objection_to_layout(rules: Ruleset, meld: Meld) -> str:
    """Return why a run or a set is not legal under the rules, or an empty text."""
    if len(meld.laid) < 3:
        return "a meld has three cards or more"
    wilds = [one.card for one in meld.laid if one.wild]
    if len(wilds) > 1:
        return "a meld holds one wild at most"
    if JOKER in wilds and not rules.deck.jokers:
        return "there is no joker in the deck"
    return _objection_to_run(rules, meld) if meld.kind == "run" else _objection_to_set(rules, meld)


def _objection_to_run(rules: Ruleset, run: Meld) -> str:
    if len(run.laid) > rules.melds.run_max:
        return f"a run has {rules.melds.run_max} cards at most"
    naturals = run.naturals
    if rules.melds.run_aces < 2 and 0 in naturals and HIGH_ACE in naturals:
        return "a run holds one natural ace"
    if PLACE_OF_TWO in naturals and not rules.melds.natural_two:
        return "a 2 is a wild wherever it stands"
    if run.wild is None:
        return ""
    place, wild = run.wild
    if rules.melds.natural_two and place == PLACE_OF_TWO and wild == card_of(run.suit, TWO):
        return "an own-suit 2 in the place of the 2 is natural"
    if rules.melds.run_wild_min == 0:
        return "no wild in runs"
    if len(run.laid) < rules.melds.run_wild_min:
        return f"a run needs {rules.melds.run_wild_min} cards to hold a wild"
    if rules.melds.wild_low == "ace" and place == run.low and place != 0:
        return "at the low end a wild may stand only for the ace"
    return ""


def _objection_to_set(rules: Ruleset, group: Meld) -> str:
    if len(group.laid) > rules.melds.set_max:
        return f"a set has {rules.melds.set_max} cards at most"
    if any(count > PACKS for count in Counter(group.cards).values()):
        return "there are two of each card"
    if group.rank == TWO:
        if not rules.melds.set_of_twos:
            return "no set of 2s"
        return "no wild beside a set of 2s" if group.wild else ""
    if not _set_rank_allowed(rules, group.rank):
        return "no sets" if rules.melds.sets == "none" else f"no set of {RANKS[group.rank]}"
    if group.wild and not rules.melds.set_wild:
        return "a set may not hold a wild"
    return ""


def _set_rank_allowed(rules: Ruleset, rank: int) -> bool:
    if rank == TWO:
        return rules.melds.set_of_twos
    return rules.melds.sets == "all" or (rules.melds.sets != "none" and RANKS[rank] in rules.melds.sets)


def runs_from(rules: Ruleset, suit: int, held: Counter[int], fixed: Collection[int] = ()) -> Iterator[Meld]:
    """Yield every legal run of a suit that the held cards can form.

    A wild may also stand for a card that is held. Every place in `fixed` lies inside the run and has its natural card.
    """
    wilds = [card for card in held if is_wild_card(card)]
    first, last = min(fixed, default=HIGH_ACE), max(fixed, default=0)
    for low in range(first + 1):
        missing: list[int] = []
        for high in range(low, min(low + rules.melds.run_max, len(PLACES))):
            if not _holds_natural(rules, suit, held, low, high):
                missing.append(high)
            if len(missing) > 1:
                break
            if high >= last and high - low >= 2:
                for run in _runs_between(suit, held, low, high, missing, wilds):
                    if run.naturals.keys() >= set(fixed) and not objection_to_layout(rules, run):
                        yield run


def _holds_natural(rules: Ruleset, suit: int, held: Counter[int], low: int, place: int) -> bool:
    if place == PLACE_OF_TWO and not rules.melds.natural_two:
        return False
    both_aces = low == 0 and place == HIGH_ACE
    return held[card_on(suit, place)] >= (2 if both_aces else 1)


def _runs_between(suit: int, held: Counter[int], low: int, high: int, missing: list[int], wilds: list[int]) -> Iterator[Meld]:
    """Yield the runs from `low` to `high`: with naturals only, and with a wild on the missing place or on any place."""
    if not missing:
        yield make_run(suit, low, high, None, JOKER)
    one_ace_for_two = missing == [HIGH_ACE] and low == 0 and held[card_of(suit, ACE)] > 0
    gaps = [0, HIGH_ACE] if one_ace_for_two else missing or range(low, high + 1)
    two = card_of(suit, TWO)
    for gap, wild in product(gaps, wilds):
        natural_two_needed = low <= PLACE_OF_TWO <= high and gap != PLACE_OF_TWO
        if wild != two or held[two] > natural_two_needed:
            yield make_run(suit, low, high, gap, wild)


def sets_from(rules: Ruleset, rank: int, held: Counter[int]) -> Iterator[Meld]:
    """Yield every legal set of a rank that the held cards can form."""
    if not _set_rank_allowed(rules, rank):
        return
    suits = [card_of(suit, rank) for suit in range(len(SUITS))]
    wilds = [] if rank == TWO else [card for card in held if is_wild_card(card)]
    for copies in product(*(range(min(held[card], PACKS) + 1) for card in suits)):
        naturals = tuple(Laid(card, False) for card, count in zip(suits, copies, strict=True) for _ in range(count))
        if len(naturals) < 2:
            continue
        for wild in ((), *((Laid(card, True),) for card in wilds)):
            group = Meld("set", 0, naturals + wild)
            if not objection_to_layout(rules, group):
                yield group


def melds_from(rules: Ruleset, held: Counter[int]) -> Iterator[Meld]:
    """Yield every legal meld that the held cards can form."""
    for suit in range(len(SUITS)):
        yield from runs_from(rules, suit, held)
    for rank in range(len(RANKS)):
        yield from sets_from(rules, rank, held)


def layouts(rules: Ruleset, cards: tuple[int, ...]) -> list[str]:
    """Return every legal reading of exactly these cards as one meld, sorted as text."""
    return sorted(str(meld) for meld in melds_from(rules, Counter(cards)) if len(meld.laid) == len(cards))
