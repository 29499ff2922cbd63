"""The deal: a full deck, the same cards in the same places whatever the variant, and the upcard that is no wild."""

from __future__ import annotations

from typing import Any

import pytest

from buraco_sim.cards import full_deck, is_wild_card
from buraco_sim.engine import Seating
from buraco_sim.rules import Ruleset, variant_names
from buraco_sim.strategies import Strategy
from refereed import SEED

DEALS = range(200)


def dealt(rules: Ruleset, deal: int, seed: int = SEED) -> list[int]:
    """All cards as dealt: hands, mortos, upcard, stock."""
    return Seating.of(rules, [Strategy.load("random")] * rules.table.seats, seed).dealt(deal)


def before_upcard(rules: Ruleset) -> int:
    return rules.table.seats * rules.table.hand + sum(rules.table.mortos)


def under(way: str, **changes: Any) -> Ruleset:
    return Ruleset.load("burraco-fibur").with_(table_upcard_wild=way, **changes)


@pytest.mark.parametrize("variant", variant_names())
@pytest.mark.parametrize("seats", [2, 4])
def test_every_deal_is_the_whole_deck(variant: str, seats: int) -> None:
    rules = Ruleset.load(variant).with_(table_seats=seats)
    for deal in DEALS:
        assert sorted(dealt(rules, deal)) == sorted(full_deck(rules.deck.jokers))


def test_the_same_index_is_the_same_shuffle_in_every_variant_with_the_same_deck() -> None:
    rules = [Ruleset.load(name) for name in variant_names()]
    for deal in DEALS:
        hands = {tuple(dealt(one, deal)[:44]) for one in rules if one.deck.jokers == 4 and one.table.hand == 11}
        assert len(hands) == 1


def test_another_seed_or_index_is_another_shuffle() -> None:
    rules = Ruleset()
    assert len({tuple(dealt(rules, deal, seed)) for deal in range(20) for seed in (0, 1, SEED, 2**64 - 1)}) == 80


def test_a_wild_upcard_is_kept_where_the_rules_keep_it() -> None:
    rules = under("keep")
    assert any(is_wild_card(dealt(rules, deal)[before_upcard(rules)]) for deal in DEALS)


def test_a_buried_upcard_lies_under_the_stock() -> None:
    keep, bury = under("keep"), under("bury")
    buried = 0
    for deal in DEALS:
        kept = dealt(keep, deal)
        at = before_upcard(keep)
        stock = kept[at:]
        n_wild = next(i for i, card in enumerate(stock) if not is_wild_card(card))
        buried += n_wild
        assert dealt(bury, deal) == kept[:at] + stock[n_wild:] + stock[:n_wild]
    assert buried > 10


def test_a_reshuffled_upcard_lies_anywhere_in_the_stock_and_the_rest_as_before() -> None:
    keep, again = under("keep"), under("reshuffle")
    at = before_upcard(keep)
    places = []
    for deal in range(2000):
        kept, mixed = dealt(keep, deal), dealt(again, deal)
        assert not is_wild_card(mixed[at])
        if not is_wild_card(kept[at]):
            assert mixed == kept
        elif not is_wild_card(kept[at + 1]):
            place = next(i for i in range(at, len(kept)) if i == len(kept) - 1 or mixed[i] != kept[i + 1])
            assert mixed[:place] == kept[:at] + kept[at + 1 : place + 1]
            assert mixed[place] == kept[at]
            assert mixed[place + 1 :] == kept[place + 1 :]
            places.append((place - at) / (len(kept) - at))
    assert len(places) > 100
    assert min(places) < 0.1
    assert max(places) > 0.9
    assert 0.4 < sum(places) / len(places) < 0.6
