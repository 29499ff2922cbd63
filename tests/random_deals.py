"""Deals played by the referee with random legal actions: traces for the tests of everything that reads traces."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from buraco_sim.cards import format_cards, full_deck, is_wild_card
from buraco_sim.referee import Game, legal_actions, read_action
from buraco_sim.rules import Ruleset

Action = dict[str, Any]
Trace = list[dict[str, Any]]
Choose = Callable[[random.Random, list[Action]], Action]


def deal_header(rules: Ruleset, rng: random.Random, deal: int = 0) -> dict[str, Any]:
    """Shuffle and deal: the first line of a trace."""
    cards = list(full_deck(rules.deck.jokers))
    rng.shuffle(cards)
    seats = rules.table.seats
    if rules.table.upcard and rules.table.upcard_wild != "keep":
        place = seats * rules.table.hand + sum(rules.table.mortos)
        natural = next(i for i in range(place, len(cards)) if not is_wild_card(cards[i]))
        cards[place], cards[natural] = cards[natural], cards[place]

    def take(count: int) -> str:
        taken, cards[:] = cards[:count], cards[count:]
        return format_cards(taken)

    return {
        "type": "deal",
        "format": 1,
        "variant": rules.name,
        "rules": rules.to_dict(),
        "seed": 1,
        "deal": deal,
        "table": 0,
        "seats": ["random"] * seats,
        "starter": deal % seats,
        "hands": [take(rules.table.hand) for _ in range(seats)],
        "mortos": [take(size) for size in rules.table.mortos],
        "pile": take(int(rules.table.upcard)),
        "stock": take(len(cards)),
    }


def eager(rng: random.Random, actions: list[Action]) -> Action:
    """Choose a meld with probability 0.7 while there is one, else anything."""
    melds = [action for action in actions if action["do"] == "meld"]
    return rng.choice(melds if melds and rng.random() < 0.7 else actions)


def random_positions(
    rules: Ruleset, rng: random.Random, deal: int = 0, choose: Choose = eager
) -> Iterator[tuple[Game, list[Action], Trace]]:
    """Play a deal and yield, before every action, the game, its legal actions and the trace so far."""
    header = deal_header(rules, rng, deal)
    game, lines = Game(rules, header), [header]
    while game.end_reason is None:
        actions = legal_actions(rules, game.position())
        assert actions, f"no legal action: {json.dumps(lines[-5:])}"
        yield game, actions, lines
        lines += game.play(read_action(choose(rng, actions)))
    yield game, [], lines


def random_trace(rules: Ruleset, rng: random.Random, deal: int = 0, choose: Choose = eager) -> Trace:
    """Play a deal and return its trace."""
    *_, (_, _, lines) = random_positions(rules, rng, deal, choose)
    return lines
