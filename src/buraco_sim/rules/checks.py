"""Combinations of rules that contradict each other or cannot be played, one function each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from buraco_sim.rules.keys import RuleTables

PACKS: Final = 104  # natural cards of two packs
TWOS: Final = 8


class Contradiction(NamedTuple):
    """The key to blame, what it should be, and how to get out."""

    key: str
    expected: str
    hint: str


def undealt(rules: RuleTables) -> int:
    """Return how many cards are left for the upcard and the stock."""
    return PACKS + rules.deck.jokers - rules.table.seats * rules.table.hand - sum(rules.table.mortos)


def two_aces_need_fourteen(rules: RuleTables) -> Contradiction | None:
    """Two aces make a run of 14."""
    if rules.melds.run_aces == 2 and rules.melds.run_max == 13:
        return Contradiction("melds.run_aces", "1 where melds.run_max = 13", "ace to ace needs melds.run_max = 14")
    return None


def ace_to_ace_needs_two_aces(rules: RuleTables) -> Contradiction | None:
    """A canasta from ace to ace holds two aces."""
    if rules.canasta.ace_to_ace > 0 and rules.melds.run_aces == 1:
        return Contradiction("canasta.ace_to_ace", "0 where melds.run_aces = 1", "ace to ace needs melds.run_aces = 2")
    return None


def no_morto_going_out(rules: RuleTables) -> Contradiction | None:
    """Without mortos nobody could ever go out."""
    if not rules.table.mortos and rules.go_out.morto_gone == "forbidden":
        return Contradiction("go_out.morto_gone", '"allowed" where table.mortos = []', "nobody could go out")
    return None


def no_morto_penalty(rules: RuleTables) -> Contradiction | None:
    """Without mortos everybody would pay for not taking one."""
    if not rules.table.mortos and rules.morto.untaken != 0:
        return Contradiction("morto.untaken", "0 where table.mortos = []", "nobody could take one")
    return None


def a_card_to_draw(rules: RuleTables) -> Contradiction | None:
    """The first player must find a card in the stock."""
    stock = undealt(rules) - rules.table.upcard
    if stock >= 1 and rules.stock.dead >= stock:
        return Contradiction("stock.dead", f"fewer than the {stock} cards of the stock", "deal fewer cards")
    if stock < 1:
        biggest = max((rules.table.seats * rules.table.hand, "table.hand"), (sum(rules.table.mortos), "table.mortos"))[1]
        dealt = PACKS + rules.deck.jokers - stock
        return Contradiction(biggest, f"a stock after dealing {dealt} of {PACKS + rules.deck.jokers} cards", "deal fewer cards")
    return None


def a_natural_upcard(rules: RuleTables) -> Contradiction | None:
    """Turning until a natural card comes must end, however the wilds are dealt."""
    if rules.table.upcard and rules.table.upcard_wild != "keep" and undealt(rules) <= TWOS + rules.deck.jokers:
        return Contradiction(
            "table.upcard_wild",
            f'"keep" where only {undealt(rules)} cards are left to turn, no more than the {TWOS + rules.deck.jokers} wilds',
            "they may all be wilds; deal fewer cards",
        )
    return None


def points_to_reach(rules: RuleTables) -> Contradiction | None:
    """A match to a target needs something that scores."""
    sources = (*vars(rules.values).values(), rules.go_out.bonus)
    bonuses = (value for key, value in vars(rules.canasta).items() if isinstance(value, int) and key != "min")
    if rules.match.kind == "target" and not any(sources) and not any(bonuses):
        return Contradiction("match.kind", '"deal" or "rounds" where no card, canasta or bonus scores', "no team could reach the target")
    return None


CHECKS: Final[tuple[Callable[[RuleTables], Contradiction | None], ...]] = (
    two_aces_need_fourteen,
    ace_to_ace_needs_two_aces,
    no_morto_going_out,
    no_morto_penalty,
    a_card_to_draw,
    a_natural_upcard,
    points_to_reach,
)
