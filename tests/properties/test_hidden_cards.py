"""No decision depends on a card that the seat has not seen: exchange all of them, and it plays as before.

A deal is played once. Then all cards that one seat has not seen up to some moment (in other hands, in the stock, in the
mortos) change places at random, the other seats repeat what they did, and the seat plays again by itself.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count, islice
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from buraco_sim.cards import parse_cards
from buraco_sim.engine import Seating
from buraco_sim.job import make_job
from buraco_sim.referee import replay_deal
from buraco_sim.replay import Line, replay
from buraco_sim.rules import Ruleset
from given import RULESETS
from plain import Decide, plain_engine, plain_kernels, recorded
from refereed import SEED, built_in_players

STOP = -5  # no action: ends the deal where it stands


class Places:
    """Where each card of the deck lies, by its place in the deal, as the lines of a trace move it."""

    def __init__(self, rules: Ruleset, deck: Sequence[int]) -> None:
        self.deck = deck
        order = iter(range(len(deck)))
        self.hands = [[next(order) for _ in range(rules.table.hand)] for _ in range(rules.table.seats)]
        self.mortos = [[next(order) for _ in range(size)] for size in rules.table.mortos]
        self.pile = [next(order) for _ in range(int(rules.table.upcard))]
        self.stock = list(order)
        self.melds: dict[tuple[int, int], list[int]] = {}
        self.shown = set(self.pile)

    def follow(self, line: Line) -> None:
        """Move the cards as a line of the trace says."""
        seat = line.get("seat")
        match line["type"]:
            case "draw" if line["from"] == "pile":
                self.hands[seat] += self.pile
                self.pile = []
            case "draw":
                self.hands[seat].append(self.stock.pop(0))
            case "meld":
                meld = self.melds.setdefault((seat % 2, line["slot"]), [])
                before, after = (Counter(parse_cards(line[key].replace("*", ""))) for key in ("before", "after"))
                self._move(self.hands[seat], meld, after - before)
                self._move(meld, self.hands[seat], before - after)
            case "discard":
                self._move(self.hands[seat], self.pile, parse_cards(line["card"]))
            case "morto":
                self.hands[seat] += self.mortos[line["index"]]
                self.mortos[line["index"]] = []
            case "stock":
                self.stock, self.mortos[line["morto"]] = self.mortos[line["morto"]] + self.stock, []

    def _move(self, here: list[int], there: list[int], cards: Iterable[int]) -> None:
        for card in cards.elements() if isinstance(cards, Counter) else cards:
            place = next(one for one in here if self.deck[one] == card)
            here.remove(place)
            there.append(place)
            self.shown.add(place)

    def hidden_from(self, seat: int) -> list[int]:
        """Places of the cards that a seat has not seen."""
        return sorted(set(range(len(self.deck))) - self.shown - set(self.hands[seat]))


def exchanged(deck: Sequence[int], hidden: Sequence[int], rng: random.Random) -> list[int]:
    """The deck with the cards of the hidden places in another order."""
    cards = [deck[place] for place in hidden]
    rng.shuffle(cards)
    other = list(deck)
    for place, card in zip(hidden, cards, strict=True):
        other[place] = card
    return other


def hidden_cards(rules: Ruleset, lines: list[Line], deck: Sequence[int], last: int, seat: int) -> list[int]:
    """Places of the cards that a seat has not seen when the decision `last` is due."""
    places = Places(rules, deck)
    for step in islice(replay_deal(lines), last):
        for line in step.lines:
            places.follow(line)
    return places.hidden_from(seat)


def changed_decision(rules: Ruleset, players: str, deal: int, share: float, seed: int) -> str:
    """Play the deal twice as said above; what the seat saw or did otherwise, empty if nothing."""
    views, decisions, lines = recorded(rules, players, deal)
    last = int(share * (len(decisions) - 1))
    seat = int(views[last]["seat"])
    deck = Seating.of(rules, make_job(rules, players).seats, SEED).dealt(deal)
    other = exchanged(deck, hidden_cards(rules, lines, deck, last, seat), random.Random(seed))
    now = count()
    found: list[str] = []

    def deal_other(rules: Any, seed: Any, deal: Any, order: Any) -> int:
        order[: len(other)] = other
        return len(other)

    def again(decide: Decide) -> Decide:
        def decide_again(view: Any, weights: Any, scratch: Any) -> int:
            i = next(now)
            if i > last or found:
                return STOP
            if view["seat"] == seat:
                found.extend(f"sees another {name}" for name in view.dtype.names if not np.array_equal(view[name], views[i][name]))
                if decide(view, weights, scratch) != decisions[i]:
                    found.append("decides otherwise")
            return decisions[i]

        return decide_again

    with plain_engine(again) as plain, mock.patch.object(plain.module("deal"), "deal_deck", deal_other):
        replay(rules, players, deal=deal, seed=SEED)
    assert next(now)  # the deal was played
    return ", ".join(found)


DEALS = {"rules": RULESETS, "deal": st.integers(0, 10_000), "share": st.floats(0.1, 1), "seed": st.integers(0, 1000)}


@pytest.mark.parametrize("players", built_in_players())
@given(**DEALS)
@settings(max_examples=15)
def test_hidden_cards_change_no_decision(players: str, rules: Ruleset, deal: int, share: float, seed: int) -> None:
    assert not changed_decision(rules, players, deal, share, seed)


@given(**DEALS)
@settings(max_examples=4)
def test_a_hidden_card_that_shows_would_be_noticed(rules: Ruleset, deal: int, share: float, seed: int) -> None:
    show = plain_kernels().module("deal").show

    def leaky(rules: Any, state: Any, now: Any, view: Any, remembers: int) -> None:
        show(rules, state, now, view, remembers)
        view.random ^= state.once[(now.seat + 1) % now.n_seats] & 0xFFFF

    with mock.patch.object(plain_kernels().module("deal"), "show", leaky):
        assert changed_decision(rules, "random", deal, share, seed)
