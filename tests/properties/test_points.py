"""Points add up, card by card, and are multiples of 5."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from buraco_sim.cards import Laid, format_cards, format_meld
from buraco_sim.rules import Ruleset
from engines import ENGINES
from given import CARDS, RULESETS, VARIANTS, melds
from refereed import line_ups, played


def hand_points(engine: str, variant: str, cards: list[int]) -> int:
    return ENGINES[engine]({"id": "1", "rules": variant, "ask": "hand", "cards": format_cards(cards)})["points"]


@given(st.sampled_from(sorted(ENGINES)), VARIANTS, st.lists(CARDS, max_size=25, unique=True), st.integers(0, 25))
def test_a_hand_is_worth_its_parts(engine: str, variant: str, cards: list[int], cut: int) -> None:
    whole = hand_points(engine, variant, cards)
    assert whole == hand_points(engine, variant, cards[:cut]) + hand_points(engine, variant, cards[cut:])
    assert whole % 5 == 0


@given(st.data(), st.sampled_from(sorted(ENGINES)), VARIANTS)
def test_a_meld_is_worth_its_cards(data: st.DataObject, engine: str, variant: str) -> None:
    laid: tuple[Laid, ...] = data.draw(melds(Ruleset.load(variant)))
    if laid:
        score = ENGINES[engine]({"id": "1", "rules": variant, "ask": "score", "meld": format_meld(laid)})
        assert score["points"] == hand_points(engine, variant, [one.card for one in laid])
        assert score["bonus"] % 5 == 0


@given(RULESETS, st.sampled_from(line_ups()), st.integers(0, 10_000))
def test_a_total_is_the_sum_of_its_parts_and_a_multiple_of_5(rules: Ruleset, players: str, deal: int) -> None:
    row = played(rules, players, deal)[0].row
    for team in (0, 1):
        parts = [row[f"{part}_{team}"] for part in ("cards", "canastas", "go_out", "hand", "morto")]
        assert sum(parts) == row[f"score_{team}"]
        assert all(part % 5 == 0 for part in parts)
        assert row[f"hand_{team}"] <= 0
        assert row[f"morto_{team}"] <= 0
