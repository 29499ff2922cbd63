"""Every rule, declared once: name, kind of values, default, meaning. Validation, help and documentation follow from it.

The defaults are the rules of `burraco-fibur`, the Italian federation's game. The meanings are those of the rules,
part 1; where a word is not plain there (a wild that *moves*, a canasta that *strands*), that text decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Final

from buraco_sim.rules.domains import Choice, Domain, Flag, Number, Numbers, Ranks

CARD_POINTS: Final = Number(0, 1000, 5)
BONUS_POINTS: Final = Number(0, 10_000, 5)


def _rule(default: object, domain: Domain, meaning: str) -> Any:
    return field(default=default, metadata={"domain": domain, "meaning": meaning})


def _flag(default: bool, meaning: str) -> Any:
    return _rule(default, Flag(), meaning)


def _choice(default: str | int, values: tuple[str | int, ...], meaning: str) -> Any:
    return _rule(default, Choice(values), meaning)


@dataclass(frozen=True)
class Deck:
    """The cards: two packs of 52, and jokers."""

    jokers: int = _rule(4, Number(0, 4), "jokers in all")


@dataclass(frozen=True)
class Table:
    """Seats and deal."""

    seats: int = _choice(4, (2, 4), "4 = partners opposite (0 + 2 against 1 + 3), 2 = each alone")
    hand: int = _rule(11, Number(1, 15), "cards dealt to each seat")
    mortos: tuple[int, ...] = _rule((11, 11), Numbers(0, 3, Number(2, 60)), "cards of each morto, in taking order")
    upcard: bool = _flag(True, "a card is turned to start the pile; else the pile starts empty and the first player draws from the stock")
    upcard_wild: str = _choice(
        "keep",
        ("keep", "reshuffle", "bury"),
        "when the upcard is a wild: it stays; or it is shuffled into the stock, or put under it, and another is turned",
    )


@dataclass(frozen=True)
class Pile:
    """The pile of discards; it is always taken whole."""

    visible: str = _choice("all", ("all", "top"), "what a player may look at")
    take: str = _choice(
        "free",
        ("free", "meld_any", "use_top"),
        "free: no condition; meld_any: some card of hand and pile must be melded before the discard; "
        "use_top: the top card must be melded before the discard, and only cards of the hand may help",
    )
    use_top_with_wild: bool = _flag(True, "may a new meld that justifies the take hold a wild")
    return_single: str = _choice(
        "card",
        ("card", "face", "allowed"),
        "after taking a pile of one card: card = that face may be discarded this turn only by who held its twin; "
        "face = it may not be discarded this turn; allowed = no bar",
    )


@dataclass(frozen=True)
class Melds:
    """Runs and sets, and what wilds may do in them."""

    sets: str | tuple[str, ...] = _rule("all", Ranks(), "ranks of which a set may be made; all excludes the 2")
    set_wild: bool = _flag(True, "may a set hold one wild")
    natural_two: bool = _flag(True, "is an own-suit 2 on the place of the 2 natural; else a 2 is a wild wherever it stands")
    set_of_twos: bool = _flag(False, "is a set of 2s legal, all natural and without joker, whatever `sets` says")
    set_max: int = _rule(9, Number(3, 9), "cards of a set at most, the wild included")
    one_set_per_rank: bool = _flag(True, "a team may not open a second set of a rank that it has on the table")
    set_canasta: bool = _flag(True, "do sets of 7 and more count as canastas; else their class is none, for eight too")
    run_max: int = _choice(14, (13, 14), "cards of a run at most; a complete run takes no further card")
    run_aces: int = _choice(1, (1, 2), "natural aces at most in one run; 2 = ace to ace")
    run_wild_min: int = _choice(3, (0, 3, 4), "cards, the wild included, that a run must have to hold a wild; 0 = no wild in runs")
    wild_low: str = _choice("any", ("any", "ace"), "where a wild may stand at the low end: anywhere, or only for the low ace")
    wild_moves: str = _choice(
        "free_end",
        ("locked", "replaced", "free_end", "any"),
        "when a wild on the table may stand elsewhere after an action: never; when the natural card of its place is added; "
        "also when it stood at an end; freely",
    )
    wild_replaced: str = _choice(
        "stays",
        ("stays", "to_hand"),
        "a wild whose natural card is added stays in the meld, or must come back into the hand",
    )
    freed_wild: str = _choice(
        "low_first",
        ("choice", "high_first", "low_first"),
        "where a replaced wild goes that finds no gap and is no 2 for its natural place: to an end by choice, "
        "the high end if it fits, the low end if it fits",
    )
    two_may_turn_wild: bool = _flag(True, "may a natural 2 of a run on the table become its wild")


@dataclass(frozen=True)
class Canasta:
    """Bonus points of canastas; a meld scores the highest class that it qualifies for, 0 = no such class."""

    min: int = _choice(7, (7,), "cards of a canasta at least")
    clean: int = _rule(200, BONUS_POINTS, "points without a wild")
    dirty: int = _rule(100, BONUS_POINTS, "points with a wild")
    semi: int = _rule(150, BONUS_POINTS, "points of a semi-clean canasta")
    semi_rule: str = _choice(
        "wild_at_end",
        ("none", "wild_at_end", "seven_consecutive"),
        "semi-clean: the wild at an end of 7 or more naturals; or anywhere beside 7 consecutive naturals; a set: 7 naturals and a wild",
    )
    royal: int = _rule(0, BONUS_POINTS, "points of 13 naturals of a suit")
    royal_dirty: int = _rule(0, BONUS_POINTS, "points of a natural of each of the 13 ranks and a wild")
    royal_ace: str = _choice("either", ("high", "either"), "the ace of a royal canasta: high (2..A), or also low (A..K)")
    ace_to_ace: int = _rule(0, BONUS_POINTS, "points of 14 naturals, ace to ace")
    eight: int = _rule(0, BONUS_POINTS, "points of a set of 8 naturals")
    eight_dirty: int = _rule(0, BONUS_POINTS, "points of a set of 8 naturals and a wild")


@dataclass(frozen=True)
class Values:
    """Points of cards, on the table and in hands; a wild keeps its own."""

    three_to_seven: int = _rule(5, CARD_POINTS, "points of a 3, 4, 5, 6, 7")
    eight_to_king: int = _rule(10, CARD_POINTS, "points of an 8, 9, T, J, Q, K")
    ace: int = _rule(15, CARD_POINTS, "points of an ace")
    two: int = _rule(20, CARD_POINTS, "points of a 2")
    joker: int = _rule(30, CARD_POINTS, "points of a joker")


@dataclass(frozen=True)
class Morto:
    """Taking a morto, and the price of not doing so."""

    per_team: int | str = _choice(1, (1, "any"), "mortos that a team may take; any = as long as one is left")
    after_discard: str = _choice(
        "next_turn",
        ("next_turn", "same_turn"),
        "hand emptied by the discard: the morto is played next turn; or the player plays on at once and need not discard again",
    )
    untaken: int = _rule(-100, Number(-10_000, 0, 5), "points of a team that took none")
    untaken_when: str = _choice("always", ("always", "someone_took"), "when that is due: always, or only if the other team took one")
    unused: str = _choice(
        "cards",
        ("cards", "penalty", "penalty_and_cards", "none"),
        "a morto taken on a discard and never played: its cards count as hand cards; as untaken without the cards; both; neither",
    )


@dataclass(frozen=True)
class GoOut:
    """Going out."""

    canasta: str = _choice("any", ("none", "any", "clean"), "what the team must have on the table; semi-clean is not clean")
    final_discard: str = _choice("required", ("required", "optional"), "may the last card be melded (optional), or must it be discarded")
    wild_discard: bool = _flag(False, "may the discard that goes out be a wild")
    bonus: int = _rule(100, BONUS_POINTS, "points of the team that goes out")
    morto_gone: str = _choice("forbidden", ("allowed", "forbidden"), "may a team without morto go out when none is left")


@dataclass(frozen=True)
class Stock:
    """The end of the stock."""

    exhausted: str = _choice(
        "end", ("end", "morto"), "when the last card was drawn: the deal ends after that turn; or a morto becomes the stock"
    )
    when: str = _choice(
        "turn_end", ("turn_end", "draw"), "the morto becomes the stock at the end of that turn, or when a player draws from it"
    )
    dead: int = _choice(2, (0, 2), "cards at the bottom that are never drawn")
    max_turns: int = _rule(600, Number(100, 2000), "safety cap: draws after which the deal ends without a bonus, with a reason of its own")


@dataclass(frozen=True)
class Opening:
    """The first meld of a team."""

    min: int = _rule(0, Number(0, 500), "points that the first meld of a team must reach in one action, the wild included; 0 = none")


@dataclass(frozen=True)
class Match:
    """From deals to a match."""

    kind: str = _choice(
        "rounds", ("deal", "target", "rounds"), "one deal; deals until a team reaches the target; some deals in Victory Points"
    )
    target: int = _rule(2000, Number(5, 100_000), "points to reach; both over: the higher total wins")
    tie: str = _choice("draw", ("replay", "starter", "draw"), "another deal; the team that started the match wins; drawn")
    rounds: int = _rule(4, Number(1, 100), "deals of a match in Victory Points")
    vp: tuple[int, ...] = _rule(
        (100, 300, 500, 700, 900, 1100, 1300, 1500, 1700, 2000),
        Numbers(10, 10, Number(0, 100_000, 5), increasing=True),
        "largest difference for 10-10, 11-9, ... 19-1; beyond the last 20-0",
    )
    starter: str = _choice(
        "rotate",
        ("rotate", "winner", "fixed"),
        "who starts the next deal: the next seat; who went out, else the winners; always the same",
    )


@dataclass(frozen=True)
class RuleTables:
    """All tables of rules."""

    deck: Deck = field(default_factory=Deck)
    table: Table = field(default_factory=Table)
    pile: Pile = field(default_factory=Pile)
    melds: Melds = field(default_factory=Melds)
    canasta: Canasta = field(default_factory=Canasta)
    values: Values = field(default_factory=Values)
    morto: Morto = field(default_factory=Morto)
    go_out: GoOut = field(default_factory=GoOut)
    stock: Stock = field(default_factory=Stock)
    opening: Opening = field(default_factory=Opening)
    match: Match = field(default_factory=Match)

    def value(self, key: str) -> Any:
        """Return the value of the key `table.key`."""
        table, name = key.split(".")
        return getattr(getattr(self, table), name)


#: Table name -> its class, in the order of the rules.
TABLES: Final[dict[str, Any]] = {table.name: table.default_factory for table in fields(RuleTables)}


@dataclass(frozen=True)
class Key:
    """A rule: `name` is `table.key`."""

    name: str
    domain: Domain
    default: object
    meaning: str

    @property
    def choices(self) -> tuple[str | int, ...]:
        """The values of a key that has a few named ones, else none."""
        return self.domain.values if isinstance(self.domain, Choice) else ()


#: Every rule by its name `table.key`, in the order of the rules.
KEYS: Final[dict[str, Key]] = {
    f"{table}.{rule.name}": Key(f"{table}.{rule.name}", rule.metadata["domain"], rule.default, rule.metadata["meaning"])
    for table, record in TABLES.items()
    for rule in fields(record)
}
