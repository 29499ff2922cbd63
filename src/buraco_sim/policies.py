"""The built-in players as declarations: name and weights. What they do is compiled, in `kernels/policies`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Weight:
    """A number that a player's decisions depend on, and the range in which it makes sense.

    Attributes
    ----------
    name : str
    default, low, high : float
        In the unit.
    unit, meaning : str
    scale : float
        A change that is felt, in the unit: the steps of a search begin with it. 0: a twentieth of the range.

    Examples
    --------
    >>> Weight("caution", 0.5, 0, 1, "share", "of the turns in which the pile stays where it is").step
    0.05
    """

    name: str
    default: float
    low: float
    high: float
    unit: str
    meaning: str
    scale: float = 0.0

    @property
    def step(self) -> float:
        """The scale, or what stands for it."""
        return self.scale or (self.high - self.low) / 20


@dataclass(frozen=True)
class Policy:
    """A compiled player: its weights stand in the order in which it reads them."""

    name: str
    summary: str
    weights: tuple[Weight, ...]

    @property
    def module(self) -> str:
        """Name of its module in `kernels/policies`."""
        return self.name.replace("-", "_")

    def index(self, name: str) -> int:
        """Place of a weight in the vector that the compiled function gets."""
        return [weight.name for weight in self.weights].index(name)


_STEADY: Final = (
    Weight("pile_stock", 16.0, -50.0, 150.0, "points", "a card of the stock: what taking the pile has to gain"),
    Weight("pile_square", 1.0, 0.0, 5.0, "points", "a meld is worth the square of its cards, up to those of a canasta, so many times"),
    Weight("pile_dirty", 0.5, 0.0, 1.5, "share", "of that where a card of the meld lies as a wild"),
    Weight(
        "pile_held",
        12.0,
        -20.0,
        60.0,
        "points",
        "a card that is left in the hand, shared among the seats: the fewer they are, the sooner it is laid",
    ),
    Weight("pile_wild", 15.0, -30.0, 60.0, "points", "a wild that is left in the hand, more"),
    Weight("pile_near", -1.0, -10.0, 20.0, "points", "a card that is left in the hand beside another, more"),
    Weight("pile_deny", 0.0, -10.0, 30.0, "points", "a card of the pile that fits the opponents' table: the next player does not get it"),
    Weight("pile_race", 0.0, -30.0, 10.0, "points", "a card that is left in the hand, while racing for the morto or about to go out"),
    Weight("pile_late", 0.0, -30.0, 10.0, "points", "a card that is left in the hand, when the stock runs low"),
    Weight("low_stock", 12.0, 0.0, 40.0, "cards", "drawable cards from which on the stock runs low"),
    Weight("near_morto", 2.0, 2.0, 14.0, "cards", "hand from which on one races for the morto, the opponents' hands included", 1.0),
    Weight(
        "partner_near",
        0.0,
        0.0,
        8.0,
        "cards",
        "partner's hand up to which the morto is left to the partner, if that hand is the smaller one: one keeps two cards",
        1.0,
    ),
    Weight(
        "hold_rest",
        5.0,
        0.0,
        14.0,
        "cards",
        "where only a clean canasta lets one go out and the pile is not free: cards that would be left of the hand, above which nothing "
        "is laid while the morto can be had, for it is taken at once then",
        1.0,
    ),
    Weight("hold_stock", 8.0, 0.0, 40.0, "cards", "drawable cards from which on nothing is held back any more"),
    Weight("small_hand", 6.0, 2.0, 10.0, "cards", "hand from which on every meld action is looked at to empty it", 1.0),
    Weight(
        "wilds_to_open",
        1.0,
        1.0,
        4.0,
        "wilds",
        "wilds in the hand from which on a new meld is opened with one, where the hand may be emptied",
        0.5,
    ),
    Weight("dirt_stock", 60.0, 0.0, 80.0, "cards", "drawable cards above which a canasta that could still become clean gets no wild"),
    Weight("clean_first", 0.0, 0.0, 1.0, "switch", "from 0.5 on: no canasta gets a wild before the team has a clean one", 0.2),
    Weight("set_size", 3.0, 3.0, 5.0, "cards", "naturals from which on a set is opened", 0.3),
    Weight("race_wild_size", 7.0, 3.0, 7.0, "cards", "size of a meld with a wild that is laid while racing", 0.7),
    Weight("behind", 400.0, -300.0, 1000.0, "points", "estimated deficit up to which one goes out", 100.0),
    Weight("mean_card", 8.0, 0.0, 20.0, "points", "an unseen card in a hand, for the estimate of the score"),
    Weight("out_stock", 8.0, 0.0, 40.0, "cards", "drawable cards from which on going out always pays"),
    Weight("keep_near", 2.2, 0.0, 10.0, "value", "a neighbour of the card in the hand"),
    Weight("keep_second", 1.5, 0.0, 10.0, "value", "a card two places away in the hand"),
    Weight("keep_mate", 4.0, 0.0, 10.0, "value", "another card of its rank, where sets of it may be made"),
    Weight("keep_own", 1.5, 0.0, 10.0, "value", "a place two from the end of an own run"),
    Weight("keep_twin", -3.0, -5.0, 5.0, "value", "the second copy of a card where its rank makes no set"),
    Weight("keep_rank", 0.3, -1.0, 1.0, "value a rank", "high cards before low ones"),
    Weight("keep_points", -0.02, -0.5, 0.5, "value a point", "points of the card, when the stock runs low or an opponent is short"),
    Weight("keep_middle", 0.0, -5.0, 5.0, "value", "a spade or a heart from 5 to 9"),
    Weight("keep_dead", 0.0, -10.0, 10.0, "value", "a card of which no run can be made any more, for too many cards beside it are seen"),
    Weight("danger", 1.5, 0.0, 20.0, "value", "a card that fits the opponents' table"),
    Weight("danger_next", 0.5, 0.0, 10.0, "value", "a card two places from the end of a run of theirs"),
    Weight("danger_known", 4.0, 0.0, 10.0, "value", "a card next to one known in the next player's hand, or of its rank"),
    Weight("danger_pile", 0.3, -0.5, 1.0, "share a card", "how much all danger grows with each card of the pile"),
    Weight("give_partner", -0.3, -5.0, 5.0, "value", "a card next to one known in the partner's hand"),
    Weight("keep_wild", 12.0, 0.0, 30.0, "value", "a 2; a joker is worth twice as much"),
)

POLICIES: Final[dict[str, Policy]] = {
    policy.name: policy
    for policy in (
        Policy(
            "random",
            "draws from the full list of legal actions",
            (Weight("meld_probability", 0.7, 0.0, 1.0, "probability", "of a meld while there is one"),),
        ),
        Policy("steady", "weighs piles, wilds, the race for the morto, going out and discards by named weights", _STEADY),
        Policy("greedy", "lays all it can with sense, takes the pile when it gains, goes out when it can", ()),
        # The reference opponents. Once made they stay as they are, so that figures against them compare.
        Policy("max-lay", "always makes the meld action of the most points", ()),
        Policy("top-card", "takes the pile for its top card only, extends before it opens, keeps melds clean, discards safe cards", ()),
        Policy("hoarder", "holds its cards until it can take the morto at once", ()),
        Policy("lookahead", "takes the pile if its table is then worth more", ()),
    )
}
