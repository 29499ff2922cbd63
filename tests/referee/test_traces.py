"""Verification of traces: good ones pass, spoilt ones are named by deal, line and seat."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from bad_input.traces import BadTrace, malformed_traces
from buraco_sim.cards import full_deck
from buraco_sim.referee import BreachError, Game, course_of_deal, verify_trace
from buraco_sim.rules import Ruleset, variant_names
from random_deals import random_positions, random_trace


def trace_of(rules: Ruleset, deal: int) -> list[dict[str, object]]:
    return random_trace(rules, random.Random(deal), deal)


#: Rules under which a short deal has every kind of line.
RICH_RULES = Ruleset.load("buraco-brasiliano").override(
    {
        "table.hand": 13,
        "table.mortos": [6, 6, 26],
        "morto.per_team": "any",
        "stock.exhausted": "morto",
        "go_out.canasta": "clean",
        "canasta.semi": 150,
    }
)


RICH = trace_of(RICH_RULES, 3)
BAD = list(malformed_traces(RICH))


def test_the_trace_that_is_spoilt_has_every_kind_of_line() -> None:
    assert {line["type"] for line in RICH} == {"deal", "draw", "meld", "discard", "morto", "stock", "end", "score"}
    assert {line["mode"] for line in RICH if line["type"] == "morto"} == {"direct", "indirect"}
    assert {line["from"] for line in RICH if line["type"] == "draw"} == {"stock", "pile"}
    assert any("returned" in line for line in RICH)
    assert verify_trace(RICH) == []


def all_cards(game: Game) -> Counter[int]:
    cards = Counter([*game.pile, *game.stock])
    for part in (*game.hands, *game.mortos.values(), *(meld.cards for table in game.tables for meld in table)):
        cards.update(part)
    return cards


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("variant", variant_names())
def test_a_deal_played_by_the_rules_loses_no_card_and_has_no_breach(variant: str, seats: int) -> None:
    rules = Ruleset.load(variant).override({"table.seats": seats})
    deck = Counter(full_deck(rules.deck.jokers))
    played = []
    for game, _, played in random_positions(rules, random.Random(seats)):  # noqa: B007 - the trace grows to the last step
        assert all_cards(game) == deck
    assert verify_trace(played) == []


def test_a_trace_may_hold_several_deals() -> None:
    rules = Ruleset.load("stbl")
    deals = [trace_of(rules, deal) for deal in range(3)]
    assert verify_trace([line for deal in deals for line in deal]) == []
    deals[1][-2] = {**deals[1][-2], "total": 5}
    (breach,) = verify_trace([line for deal in deals for line in deal])
    assert breach.deal == 1
    assert breach.line == len(deals[0]) + len(deals[1]) - 1
    assert "total" in breach.problem


def test_an_empty_trace_has_no_breach() -> None:
    assert verify_trace([]) == []


def test_lines_may_have_more_keys() -> None:
    assert verify_trace([{**line, "note": "a remark"} for line in RICH]) == []


def test_in_a_match_the_starter_depends_on_earlier_deals() -> None:
    header = {**RICH[0], "deal": RICH[0]["deal"] + 1}
    assert verify_trace([header, *RICH[1:]])[0].line == 1
    assert verify_trace([{**header, "standing": [120, -40]}, *RICH[1:]]) == []


def test_the_generator_spoils_every_kind_of_line() -> None:
    assert len(BAD) > 300
    assert {bad.label.split()[0] for bad in BAD} >= {"deal", "draw", "meld", "discard", "morto", "stock", "end", "score"}


@pytest.mark.parametrize("bad", BAD, ids=[bad.label for bad in BAD])
def test_a_spoilt_trace_has_a_breach_that_names_the_line(bad: BadTrace) -> None:
    breaches = verify_trace(bad.lines)
    assert len(breaches) == 1
    assert bad.line <= breaches[0].line
    assert bad.shows_later or breaches[0].line <= bad.line + 1
    text = str(breaches[0])
    assert "\n" not in text
    assert f"line {breaches[0].line}" in text


def test_a_breach_names_deal_line_seat_and_what_is_wrong() -> None:
    index = next(i for i, line in enumerate(RICH) if line["type"] == "discard")
    held = set(" ".join(RICH[0]["hands"]).split())
    absent = next(card for card in ("As", "Ks", "Qs", "Js", "9s", "8s", "Ah", "Kh", "Qh") if card not in held)
    (breach,) = verify_trace([*RICH[:index], {**RICH[index], "card": absent}, *RICH[index + 1 :]])
    assert breach[:3] == (RICH[0]["deal"], index + 1, RICH[index]["seat"])
    assert "not in the hand" in breach.problem


def test_the_course_of_a_spoilt_deal_is_refused() -> None:
    with pytest.raises(BreachError, match="line 2"):
        course_of_deal([RICH[0], *RICH[2:]])
