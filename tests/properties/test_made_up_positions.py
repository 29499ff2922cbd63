"""Positions that no game need ever reach: both engines list the same actions there, under rules of every kind.

Games lead to the same few kinds of positions again and again. Here tables, hands and piles are drawn at random, most cards
from one suit, so that runs, wilds and the pile have to do with each other.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from buraco_sim.cards import JOKER, RANKS, TWO, card_of, format_cards, full_deck
from buraco_sim.errors import InputError
from buraco_sim.judge import legal_actions as kernel_actions
from buraco_sim.referee.melds import layouts
from buraco_sim.referee.position import read_position
from buraco_sim.rules import Ruleset
from refereed import differences_at
from rule_values import mixed, playable

RULESETS, POSITIONS = 200, 40
LENGTHS = (3, 3, 4, 5, 6, 7, 8, 12)


class Deck:
    """Cards that are still to be had."""

    def __init__(self, rules: Ruleset, rng: random.Random) -> None:
        self.rng, self.suit = rng, rng.randrange(4)
        self.left = Counter(full_deck(rules.deck.jokers))

    def give(self, cards: list[int]) -> bool:
        """Whether the deck has all these cards; they are gone then."""
        if any(self.left[card] < n for card, n in Counter(cards).items()):
            return False
        self.left.subtract(cards)
        return True

    def any_suit(self) -> int:
        return self.suit if self.rng.random() < 0.6 else self.rng.randrange(4)

    def card(self) -> int:
        """A card, a wild more often than its share."""
        while True:
            kind = self.rng.random()
            rank = TWO if kind < 0.1 else self.rng.randrange(len(RANKS))
            card = JOKER if kind > 0.94 else card_of(self.any_suit(), rank)
            if self.give([card]):
                return card

    def cards(self, n: int) -> list[int]:
        return [self.card() for _ in range(n)]

    def meld(self, rules: Ruleset) -> list[str]:
        """A legal meld, three of four times a run, most often with a wild; none where chance wants none."""
        rng, suit, low = self.rng, self.any_suit(), self.rng.randrange(len(RANKS))
        if rng.random() < 0.75:
            cards = [card_of(suit, (low + i) % len(RANKS)) for i in range(rng.choice(LENGTHS))]
        else:
            cards = [card_of(rng.randrange(4), low) for _ in range(rng.randrange(3, 8))]
        if rng.random() < 0.6:
            cards[rng.randrange(len(cards))] = rng.choice([JOKER, card_of(suit, TWO), card_of((suit + 1) % 4, TWO)])
        found = layouts(rules, tuple(cards)) if max(Counter(cards).values()) <= 2 else []
        return [rng.choice(found)] if found and self.give(cards) else []


def position(rules: Ruleset, rng: random.Random) -> dict[str, Any]:
    """A position as it is written in a case; it need not agree with the rules in every number."""
    deck = Deck(rules, rng)
    tables = [[text for _ in range(rng.randrange(most)) for text in deck.meld(rules)] for most in (5, 2)]
    taken = [rng.random() < 0.5, rng.random() < 0.5]
    mortos = max(0, len(rules.table.mortos) - sum(taken) - (rng.random() < 0.2))
    hand, pile = deck.cards(rng.randrange(1, 8)), deck.cards(rng.choice((0, 1, 1, 2, 4)))
    found = {"seat": 0, "phase": rng.choice(("draw", "play")), "tables": tables, "stock": 20, "mortos": mortos, "taken": taken}
    if found["phase"] == "play" and pile and rng.random() < 0.6:
        used_top = rng.random() < 0.4
        found |= {"took": format_cards(pile), "used_top": used_top}
        hand, pile = hand + pile[: len(pile) - used_top], []
    elif found["phase"] == "play" and rng.random() < 0.2:
        found["may_pass"] = True
    return found | {"hand": format_cards(hand), "pile": format_cards(pile)}


def test_both_engines_list_the_same_actions_in_positions_made_up_at_random() -> None:
    """Half of the rulesets want the top of the pile used; of the positions some contradict the rules and are not asked."""
    rng = random.Random(3)
    asked = actions = 0
    for variant, changes in mixed(3, RULESETS):
        rules = playable(variant, changes | ({"pile.take": "use_top"} if rng.random() < 0.5 else {}))
        for _ in range(POSITIONS if rules else 0):
            assert rules
            written = position(rules, rng)
            try:
                at = read_position(rules, written)
            except InputError:
                continue
            assert differences_at(rules, at) == [], (variant, changes)
            asked, actions = asked + 1, actions + len(kernel_actions(rules, at))
    assert asked > 1000
    assert actions > 3 * asked
