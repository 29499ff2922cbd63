"""What cards and melds are worth, and the score of a deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from buraco_sim.cards import JOKER, RANKS, TWO, rank_of
from buraco_sim.referee.melds import ACE, HIGH_ACE, Meld
from buraco_sim.rules import Ruleset

SEVEN: Final = 6  # rank
CLEAN_CLASSES: Final = ("clean", "royal", "ace_to_ace", "eight")
CANASTA_CLASSES: Final = ("clean", "semi", "dirty", "royal", "royal_dirty", "ace_to_ace", "eight", "eight_dirty")
NO_CANASTA: Final = "none"


def points_of_card(rules: Ruleset, card: int) -> int:
    """Return the value of a card; a wild keeps its own value."""
    if card == JOKER:
        return rules.values.joker
    rank = rank_of(card)
    if rank == ACE:
        return rules.values.ace
    if rank == TWO:
        return rules.values.two
    return rules.values.three_to_seven if rank <= SEVEN else rules.values.eight_to_king


def points_of(rules: Ruleset, cards: Iterable[int]) -> int:
    """Return the points of cards, in a meld or in a hand."""
    return sum(points_of_card(rules, card) for card in cards)


def canasta_of(rules: Ruleset, meld: Meld) -> tuple[str, int]:
    """Return the class of a legal meld and its bonus: the highest one that it qualifies for.

    Examples
    --------
    >>> from buraco_sim.cards import parse_meld
    >>> from buraco_sim.referee.melds import read_meld
    >>> canasta_of(Ruleset.load("stbl"), read_meld(parse_meld("5h 6h 7h 8h 9h Th JK*")))
    ('dirty', 100)
    """
    if len(meld.laid) < rules.canasta.min or (meld.kind == "set" and not rules.melds.set_canasta):
        return NO_CANASTA, 0
    # The plain class stands first, the rarest last, so that on equal points the special class is reported.
    classes = {"dirty": rules.canasta.dirty} if meld.wild else {"clean": rules.canasta.clean}
    classes |= {name: points for name, points, qualifies in _special_classes(rules, meld) if qualifies and points > 0}
    best = max(classes.values())
    return [name for name, points in classes.items() if points == best][-1], best


def _special_classes(rules: Ruleset, meld: Meld) -> list[tuple[str, int, bool]]:
    """Return name, points and whether the meld qualifies, of the special classes of its kind."""
    canasta = rules.canasta
    naturals = meld.naturals.keys()
    if meld.kind == "set":
        all_eight = len(naturals) == 8
        if meld.wild:
            semi = canasta.semi_rule != "none" and len(naturals) >= 7
            return [("semi", canasta.semi, semi), ("eight_dirty", canasta.eight_dirty, all_eight)]
        return [("eight", canasta.eight, all_eight)]
    if meld.wild:
        every_rank = len({place % len(RANKS) for place in naturals}) == len(RANKS)
        ace_fits = canasta.royal_ace == "either" or HIGH_ACE in naturals
        return [("semi", canasta.semi, _is_semi_run(rules, meld)), ("royal_dirty", canasta.royal_dirty, every_rank and ace_fits)]
    ace_fits = canasta.royal_ace == "either" or meld.low > 0
    return [("royal", canasta.royal, len(naturals) == 13 and ace_fits), ("ace_to_ace", canasta.ace_to_ace, len(naturals) == 14)]


def _is_semi_run(rules: Ruleset, run: Meld) -> bool:
    assert run.wild is not None
    place = run.wild[0]
    below, above = place - run.low, run.low + len(run.laid) - 1 - place
    match rules.canasta.semi_rule:
        case "wild_at_end":
            return min(below, above) == 0 and max(below, above) >= 7
        case "seven_consecutive":
            return max(below, above) >= 7
        case _:
            return False


def is_canasta(rules: Ruleset, meld: Meld) -> bool:
    """Return whether a legal meld counts as a canasta of any class."""
    return canasta_of(rules, meld)[0] != NO_CANASTA


def has_canasta_to_go_out(rules: Ruleset, table: Sequence[Meld]) -> bool:
    """Return whether a team's table has the canasta that going out asks for (semi-clean is not clean)."""
    if rules.go_out.canasta == "none":
        return True
    classes = [canasta_of(rules, meld)[0] for meld in table]
    if rules.go_out.canasta == "any":
        return any(name != NO_CANASTA for name in classes)
    return any(name in CLEAN_CLASSES for name in classes)


@dataclass(frozen=True, slots=True)
class TeamScore:
    """The five parts of a team's score of a deal, in points; `hand` and `morto` are 0 or below."""

    cards: int
    canastas: int
    go_out: int
    hand: int
    morto: int

    @property
    def total(self) -> int:
        """The score."""
        return self.cards + self.canastas + self.go_out + self.hand + self.morto

    def as_dict(self) -> dict[str, int]:
        """Return the parts and the total, as in the score lines of a trace."""
        return asdict(self) | {"total": self.total}


def team_score(
    rules: Ruleset, table: Sequence[Meld], hands: Sequence[tuple[Iterable[int], bool]], mortos: tuple[int, int], went_out: bool
) -> TeamScore:
    """Return what a team would score if the deal ended now.

    Parameters
    ----------
    rules : Ruleset
    table : sequence of Meld
        The melds of the team.
    hands : sequence of (cards, bool)
        The hand of each player of the team, and whether it is a morto taken on a discard and never played.
    mortos : (int, int)
        Mortos taken by the team and by the other team.
    went_out : bool
        Whether the team ended the deal.
    """
    hand = penalty = 0
    for cards, unused in hands:
        if not unused or rules.morto.unused in ("cards", "penalty_and_cards"):
            hand -= points_of(rules, cards)
        if unused and rules.morto.unused in ("penalty", "penalty_and_cards"):
            penalty += rules.morto.untaken
    own, other = mortos
    if own == 0 and (rules.morto.untaken_when == "always" or other > 0):
        penalty += rules.morto.untaken
    return TeamScore(
        cards=sum(points_of(rules, meld.cards) for meld in table),
        canastas=sum(canasta_of(rules, meld)[1] for meld in table),
        go_out=rules.go_out.bonus if went_out else 0,
        hand=hand,
        morto=penalty,
    )
