"""The built-in players as declarations: name and weights. What they do is compiled, in `kernels/policies`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Weight:
    """A number that a player's decisions depend on, and the range in which it makes sense."""

    name: str
    default: float
    low: float
    high: float
    unit: str
    meaning: str


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
    Weight("pile_base", -1.0, -10.0, 10.0, "value", "of taking the pile as such, against one card of the stock"),
    Weight("pile_use", 2.5, 0.0, 10.0, "value a card", "a card that can be laid after taking the pile and not before"),
    Weight("pile_near", 0.3, -2.0, 5.0, "value a card", "a card that gets a neighbour in the hand by the pile"),
    Weight("pile_wild", 2.0, 0.0, 10.0, "value a card", "a wild in the pile"),
    Weight("pile_canasta", 4.0, 0.0, 20.0, "value", "an own meld that the pile makes a canasta"),
    Weight("pile_card", 0.4, -2.0, 3.0, "value a card", "the number of cards in the pile: cards for me that the next player does not get"),
    Weight("pile_two", 2.0, -2.0, 5.0, "value a card", "added to pile_card where two play: what one leaves the other takes"),
    Weight(
        "pile_race",
        -0.3,
        -3.0,
        3.0,
        "value a card",
        "a pile card that cannot be laid, while racing for the morto or about to go out",
    ),
    Weight("pile_late", -0.2, -3.0, 3.0, "value a card", "a card of the pile that cannot be laid, when the stock runs low"),
    Weight("pile_top_wild", 3.0, -10.0, 10.0, "value", "a top card that has to be used and can only be melded with a wild"),
    Weight("low_stock", 12.0, 0.0, 40.0, "cards", "drawable cards from which on the stock runs low"),
    Weight("near_morto", 2.0, 2.0, 14.0, "cards", "hand from which on one races for the morto, the opponents' hands included"),
    Weight("small_hand", 6.0, 2.0, 10.0, "cards", "hand from which on every meld action is looked at to empty it"),
    Weight(
        "wilds_to_open",
        2.0,
        1.0,
        4.0,
        "wilds",
        "wilds in the hand from which on a new meld is opened with one, where the hand may be emptied",
    ),
    Weight("dirt_stock", 60.0, 0.0, 80.0, "cards", "drawable cards above which a canasta that could still become clean gets no wild"),
    Weight("set_size", 3.0, 3.0, 5.0, "cards", "naturals from which on a set is opened"),
    Weight("race_wild_size", 7.0, 3.0, 7.0, "cards", "size of a meld with a wild that is laid while racing"),
    Weight("behind", 200.0, -300.0, 1000.0, "points", "estimated deficit up to which one goes out"),
    Weight("mean_card", 8.0, 0.0, 20.0, "points", "an unseen card in a hand, for the estimate of the score"),
    Weight("out_stock", 8.0, 0.0, 40.0, "cards", "drawable cards from which on going out always pays"),
    Weight("keep_near", 2.2, 0.0, 10.0, "value", "a neighbour of the card in the hand"),
    Weight("keep_second", 1.5, 0.0, 10.0, "value", "a card two places away in the hand"),
    Weight("keep_mate", 7.0, 0.0, 10.0, "value", "another card of its rank, where sets of it may be made"),
    Weight("keep_own", 1.5, 0.0, 10.0, "value", "a place two from the end of an own run"),
    Weight("keep_twin", -3.0, -5.0, 5.0, "value", "the second copy of a card where its rank makes no set"),
    Weight("keep_rank", 0.3, -1.0, 1.0, "value a rank", "high cards before low ones"),
    Weight("keep_points", -0.02, -0.5, 0.5, "value a point", "points of the card, when the stock runs low or an opponent is short"),
    Weight("danger", 3.0, 0.0, 20.0, "value", "a card that fits the opponents' table"),
    Weight("danger_next", 0.5, 0.0, 10.0, "value", "a card two places from the end of a run of theirs"),
    Weight("danger_known", 4.0, 0.0, 10.0, "value", "a card next to one known in the next player's hand, or of its rank"),
    Weight("danger_pile", 0.1, -0.5, 1.0, "share a card", "how much all danger grows with each card of the pile"),
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
