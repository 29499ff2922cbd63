"""Lists of legal actions and of layouts are complete: nothing is missing that the rules allow, nothing is there twice."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations

import pytest

from buraco_sim.cards import JOKER, TWO, Laid, card_of, format_cards, format_meld, is_wild_card, parse_meld
from buraco_sim.referee import describe_position, legal_actions, objection, read_action, read_position
from buraco_sim.referee.melds import layouts, objection_to_layout, read_meld
from buraco_sim.rules import Ruleset
from random_deals import random_positions

WILD_RULES = [
    {"melds.wild_moves": moves, "melds.wild_replaced": replaced, "melds.freed_wild": freed, "melds.natural_two": natural}
    for moves in ("locked", "replaced", "free_end", "any")
    for replaced in ("stays", "to_hand")
    for freed, natural in (("choice", True), ("low_first", True), ("high_first", False))
]


def every_layout(rules: Ruleset, cards: list[int]) -> set[str]:
    """All orders of the cards, with any one of them as the wild, that are legal melds: the slow and obvious way."""
    found = set()
    for order in set(permutations(cards)):
        for wild in (None, *range(len(order))):
            if wild is None or is_wild_card(order[wild]):
                laid = tuple(Laid(card, place == wild) for place, card in enumerate(order))
                meld = read_meld(laid)
                if meld is not None and meld.laid == laid and not objection_to_layout(rules, meld):
                    found.add(format_meld(laid))
    return found


def near_cards(rng: random.Random) -> list[int]:
    """Cards that often fit together: neighbours in a suit, its 2s, a foreign 2, jokers."""
    suit, low = rng.randrange(4), rng.randrange(9)
    pool = [card_of(suit, (low + i) % 13) for i in range(6)] + [card_of(suit, TWO)] * 2
    pool += [card_of((suit + 1) % 4, TWO), JOKER, JOKER, card_of((suit + 1) % 4, low), card_of((suit + 2) % 4, low)]
    return [card for card, count in Counter(pool).items() for _ in range(min(count, 2))]


def samples(rules: Ruleset, seed: int, count: int) -> Iterator[tuple[str, list[int]]]:
    """A meld on the table and cards of a hand that may change it."""
    rng = random.Random(seed)
    while count:
        pool = near_cards(rng)
        found = layouts(rules, tuple(rng.sample(pool, rng.choice((3, 4)))))
        if found:
            before = rng.choice(found)
            rest = Counter(pool) - Counter(one.card for one in parse_meld(before))
            yield before, rng.sample(sorted(rest.elements()), 2)
            count -= 1


def test_layouts_are_complete() -> None:
    rng = random.Random(1)
    rules = Ruleset.load("burraco-fibur")
    for _ in range(150):
        cards = rng.sample(near_cards(rng), rng.choice((3, 4, 5)))
        assert layouts(rules, tuple(cards)) == sorted(every_layout(rules, cards)), format_cards(cards)


@pytest.mark.parametrize("changes", WILD_RULES, ids=[" ".join(map(str, changes.values())) for changes in WILD_RULES])
def test_the_changes_of_a_meld_are_complete(changes: dict[str, object]) -> None:
    rules = Ruleset.load("burraco-fibur").override(changes)
    position = {"seat": 0, "phase": "play", "pile": "", "stock": 40, "mortos": 2, "taken": [False, False]}
    for before, hand in samples(rules, 2, 12):
        at = read_position(rules, {**position, "hand": format_cards(hand), "tables": [[before], []]})
        together = [*(one.card for one in parse_meld(before)), *hand]
        allowed = set()
        for size in range(3, len(together) + 1):
            for cards in set(combinations(sorted(together), size)):
                for after in every_layout(rules, list(cards)):
                    if not objection(rules, at, read_action({"do": "meld", "slot": 0, "after": after})):
                        allowed.add(after)
        listed = [action["after"] for action in legal_actions(rules, at) if action.get("slot") == 0]
        assert Counter(listed) == Counter(allowed), (before, format_cards(hand))


@pytest.mark.parametrize("variant", ["stbl", "burraco-internazionale", "buraco-brasiliano", "buraco-classico-50"])
def test_every_listed_action_is_legal_and_every_reached_position_has_one(variant: str) -> None:
    rules = Ruleset.load(variant)
    for game, actions, _ in random_positions(rules, random.Random(11)):
        if game.end_reason is None:
            assert actions
            assert len({json.dumps(action) for action in actions}) == len(actions)
            assert all(not objection(rules, game.position(), read_action(action)) for action in actions)


@pytest.mark.parametrize("variant", ["stbl", "tre-mortos"])
def test_a_position_can_be_written_and_read_again(variant: str) -> None:
    rules = Ruleset.load(variant)
    for game, actions, _ in random_positions(rules, random.Random(12)):
        if actions:
            at = game.position()
            again = read_position(rules, json.loads(json.dumps(describe_position(at))))
            assert again == replace(at, taken=again.taken)
            assert [count > 0 for count in again.taken] == [count > 0 for count in at.taken]
