"""What Hypothesis draws: cards, melds, deals and moments in deals."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from buraco_sim.cards import Laid, full_deck, parse_meld
from buraco_sim.referee import Game, Position, replay_deal
from buraco_sim.referee.melds import layouts
from buraco_sim.rules import Ruleset, variant_names
from refereed import line_ups, played

CARDS = st.sampled_from(full_deck(1))
VARIANTS = st.sampled_from(variant_names())
RULESETS = st.builds(lambda name, seats: Ruleset.load(name).override({"table.seats": seats}), VARIANTS, st.sampled_from((2, 4)))


@st.composite
def melds(draw: Any, rules: Ruleset) -> tuple[Laid, ...]:
    """A legal meld of a ruleset, of any size."""
    by_suit = st.integers(0, 3).map(lambda suit: [16 * suit + rank for rank in range(13)] * 2)
    by_rank = st.integers(0, 12).map(lambda rank: [16 * suit + rank for suit in range(4)] * 2)
    wilds = [card for card in full_deck(rules.deck.jokers) if card == 64 or card & 15 == 1]
    naturals = sorted(draw(st.one_of(by_suit, by_rank)))
    start, size = draw(st.integers(0, 20)), draw(st.integers(2, 8))
    cards = list(dict.fromkeys(naturals))[start % 11 :][:size] if naturals[0] >> 4 == naturals[-1] >> 4 else naturals[:size]
    cards += draw(st.lists(st.sampled_from(wilds), max_size=1))
    found = layouts(rules, tuple(cards))
    return parse_meld(draw(st.sampled_from(found))) if found else ()


@st.composite
def positions(draw: Any) -> tuple[Ruleset, Position]:
    """A position that a real deal has come to."""
    rules = draw(RULESETS)
    _, lines = played(rules, draw(st.sampled_from(line_ups())), draw(st.integers(0, 300)))
    moment = draw(st.integers(0, len(lines) // 2))
    for i, step in enumerate(replay_deal(lines)):
        if i >= moment and step.game.end_reason is None:
            return rules, step.game.position()
    return rules, Game(rules, lines[0]).position()
