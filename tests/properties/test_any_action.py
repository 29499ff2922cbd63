"""Actions that nobody lists: both engines find the same melds and changes legal, and the same ones not.

A list of legal actions says nothing about what is refused when a strategy asks for it all the same. So cards near each
other are laid out in every way that the loosest rules know, and stricter rules are asked about them.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from buraco_sim.cards import JOKER, TWO, card_of, format_cards
from buraco_sim.judge import judge
from buraco_sim.referee import answer
from buraco_sim.referee.melds import layouts
from buraco_sim.rules import Ruleset
from rule_values import values_of

LOOSE = Ruleset().override({"melds.run_aces": 2, "melds.set_of_twos": True, "melds.wild_moves": "any"})
SPELT = [LOOSE, LOOSE.override({"melds.natural_two": False})]  # two ways to read a 2 at home
KEYS = ["natural_two", "set_of_twos", "set_max", "run_max", "run_aces", "run_wild_min", "wild_low", "wild_moves", "wild_replaced"]
KEYS += ["freed_wild", "two_may_turn_wild", "sets", "set_wild", "one_set_per_rank"]


def near_cards(rng: random.Random) -> tuple[list[int], list[int]]:
    """Up to a whole suit from some card on, or a rank; and wilds for it."""
    suit, low = rng.randrange(4), rng.randrange(13)
    run = [card_of(suit, (low + i) % 13) for i in range(rng.choice((3, 4, 5, 7, 12, 13, 14)))]
    group = [card_of(suit, low) for suit in range(4)] * 2
    cards = rng.sample(group, rng.randrange(2, 8)) if rng.random() < 0.4 else run
    return cards, [JOKER, card_of(suit, TWO), card_of((suit + 1) % 4, TWO)]


def readings(rng: random.Random, cards: list[int]) -> list[str]:
    return layouts(rng.choice(SPELT), tuple(cards)) if len(set(cards)) > 1 else []


def question(rng: random.Random) -> dict[str, Any] | None:
    """A meld on the table, or none, and another one with more cards or fewer, and the same wild or another."""
    changes = {f"melds.{key}": rng.choice(values_of(f"melds.{key}")) for key in KEYS if rng.random() < 0.5}
    if changes.get("melds.run_max") == 13:
        changes["melds.run_aces"] = 1
    naturals, wilds = near_cards(rng)
    if rng.random() < 0.5:
        wild, other = [], rng.sample(wilds, rng.randrange(2))
    else:
        wild = rng.sample(wilds, 1)
        other = wild if rng.random() < 0.6 else rng.sample(wilds, rng.randrange(2))
    cards = naturals + wild
    after = readings(rng, cards)
    before = readings(rng, naturals[rng.randrange(3) : len(naturals) - rng.randrange(3)] + other) if rng.random() < 0.8 else []
    if not after:
        return None
    position = {"seat": 0, "phase": "play", "pile": "", "stock": 30, "mortos": 2, "taken": [False, False]}
    hand = format_cards([*rng.sample(cards, rng.randrange(1, min(len(cards), 5) + 1)), card_of(rng.randrange(4), 7)])
    table = [rng.choice(before)] if before else []
    action = {"do": "meld", "slot": 0 if table else None, "after": rng.choice(after)}
    full = hand if table else format_cards(cards)
    return {
        "id": "1",
        "rules": "burraco-fibur",
        "set": changes,
        "position": position | {"hand": full, "tables": [table, []]},
        "action": action,
    }


@given(st.integers(0, 10**9))
@settings(max_examples=800)
def test_both_engines_judge_alike(seed: int) -> None:
    asked = question(random.Random(seed))
    if asked:
        kernel, referee = judge(asked | {"ask": "legal"}), answer(asked | {"ask": "legal"})
        assert ("error" in kernel) == ("error" in referee), asked
        assert kernel.get("legal") == referee.get("legal"), asked


def test_the_questions_are_of_every_sort() -> None:
    found = {True: 0, False: 0, None: 0}
    for seed in range(500):
        asked = question(random.Random(seed))
        if asked:
            found[answer(asked | {"ask": "legal"}).get("legal")] += 1
    assert min(found[True], found[False]) > 50, found
