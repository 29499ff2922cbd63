"""The measures of a variant, each declared once: its name, the question that it answers, and the SQL of its figure.

A measure is ``sum(value) / sum(per)`` over the rows of the deals, or a quantile of a distribution, or follows from others.
Everything else - intervals, differences, text, JSON, charts, the page - reads these declarations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from buraco_sim.layout import CANASTA_CLASSES, END_REASONS
from buraco_sim.rules import Ruleset

CANASTAS: Final = CANASTA_CLASSES[1:]

#: Question -> how it is asked in the report.
QUESTIONS: Final = {
    "fair": "Is it fair?",
    "length": "How long is a deal?",
    "end": "How does it end?",
    "scores": "What scores?",
    "canastas": "Which canastas are made?",
    "morto": "What is the morto worth?",
    "decided": "Is it decided early?",
    "comebacks": "Are there comebacks?",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of a variant that is a ratio of two sums over rows.

    Attributes
    ----------
    name, question : str
        Its name in tables and JSON, the key of :data:`QUESTIONS`.
    title, unit, meaning : str
        What people read. The unit ``share`` is shown as a percentage.
    value, per : str
        SQL of one row, numbers; a null counts as 0. Words in braces stand for values of the rules.
    """

    name: str
    question: str
    title: str
    unit: str
    meaning: str
    value: str
    per: str = "1"

    def sql(self, rules: Ruleset) -> tuple[str, str]:
        """The SQL of `value` and of `per` under these rules."""
        points = {name: getattr(rules.canasta, name) for name in CANASTAS}
        return self.value.format(seats=rules.table.seats, **points), self.per

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return self.unit == "share"


@dataclass(frozen=True, slots=True)
class Distribution:
    """Values of which the number of occurrences is counted: one for each SQL of `values` and row, nulls left out."""

    name: str
    title: str
    unit: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quantile:
    """The smallest value of a distribution that at least a share `at` of the values does not exceed."""

    name: str
    question: str
    title: str
    unit: str
    meaning: str
    distribution: str
    at: float

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return False


def _both(name: str) -> str:
    return f"{name}_0 + {name}_1"


_LEADER_WINS: Final = "2 * ((half_margin > 0 and winner = 0) or (half_margin < 0 and winner = 1))::int + (winner = -1)::int"
_BEHIND_WINS: Final = "2 * ((half_margin < 0 and winner = 0) or (half_margin > 0 and winner = 1))::int + (winner = -1)::int"
_FIRST_MORTO: Final = (
    "(case when coalesce(morto_turn_0, 9999) < coalesce(morto_turn_1, 9999) then 1 when morto_turn_1 is null then 0 else -1 end)"
)


def _fair() -> Iterator[Measure]:
    starts = "(1 - 2 * (starter % 2))"
    yield Measure(
        "starter_margin",
        "fair",
        "lead of the side that starts",
        "points",
        "score of the starter's side minus the other's, a deal",
        f"{starts} * (score_0 - score_1)",
    )
    yield Measure(
        "starter_score",
        "fair",
        "score of the side that starts",
        "points",
        "a deal",
        "case when starter % 2 = 0 then score_0 else score_1 end",
    )
    yield Measure(
        "other_score", "fair", "score of the other side", "points", "a deal", "case when starter % 2 = 0 then score_1 else score_0 end"
    )
    yield Measure(
        "starter_wins",
        "fair",
        "deals won by the side that starts",
        "share",
        "a drawn deal counts half",
        "2 * (winner = starter % 2)::int + (winner = -1)::int",
        "2",
    )
    yield Measure(
        "team_0_margin",
        "fair",
        "lead of team 0",
        "points",
        "score of team 0 minus team 1: luck of the shuffles, unless the teams differ",
        "score_0 - score_1",
    )
    yield Measure(
        "team_0_wins", "fair", "deals won by team 0", "share", "a drawn deal counts half", "2 * (winner = 0)::int + (winner = -1)::int", "2"
    )
    for place, who in enumerate(("the starter", "the second", "the third", "the fourth")):
        yield Measure(
            f"out_by_{place + 1}",
            "fair",
            f"goes out: {who} to play",
            "share",
            "of the deals in which somebody goes out",
            f"((out_seat - starter + {{seats}}) % {{seats}} = {place})::int",
            "(out_seat is not null)::int",
        )


def _course() -> Iterator[Measure]:
    yield Measure("turns", "length", "turns", "draws", "mean of a deal; a turn is a draw", "turns")
    yield Measure("piles", "length", "piles taken", "piles", "mean of a deal, both teams", _both("piles"))
    yield Measure("pile_size", "length", "cards of a taken pile", "cards", "mean of the piles taken", _both("pile_cards"), _both("piles"))
    for reason, title in zip(END_REASONS, ("somebody goes out", "the stock runs out", "the safety cap on turns"), strict=True):
        yield Measure(reason, "end", f"ends: {title}", "share", "of all deals", f"(end_reason = '{reason}')::int")
    yield Measure(
        "out_wins",
        "end",
        "who goes out has the higher score",
        "share",
        "of the deals in which somebody goes out; a drawn one counts half",
        "2 * (out_seat % 2 = winner)::int + (winner = -1 and out_seat is not null)::int",
        "2 * (out_seat is not null)::int",
    )


def _scores() -> Iterator[Measure]:
    mean = "mean of a team and deal"
    yield Measure("score", "scores", "score", "points", mean, _both("score"), "2")
    yield Measure("margin", "scores", "margin of the winner", "points", "mean of a deal", "abs(score_0 - score_1)")
    yield Measure("cards", "scores", "from melded cards", "points", mean, _both("cards"), "2")
    for name in CANASTAS:
        label = name.replace("_", " ")
        yield Measure(f"{name}_points", "scores", f"from {label} canastas", "points", mean, f"{{{name}}} * ({_both(name)})", "2")
    yield Measure("go_out", "scores", "from going out", "points", mean, _both("go_out"), "2")
    yield Measure("hand", "scores", "from cards left in hand", "points", mean, _both("hand"), "2")
    yield Measure("morto", "scores", "from morto penalties", "points", mean, _both("morto"), "2")


def _canastas() -> Iterator[Measure]:
    mean = "a team and deal"
    every = {team: " + ".join(f"{name}_{team}" for name in CANASTAS) for team in (0, 1)}
    yield Measure("canastas", "canastas", "canastas", "melds", mean, f"{every[0]} + {every[1]}", "2")
    yield Measure(
        "with_canasta",
        "canastas",
        "teams with a canasta",
        "share",
        "of all teams and deals",
        f"({every[0]} > 0)::int + ({every[1]} > 0)::int",
        "2",
    )
    for name in CANASTAS:
        yield Measure(name, "canastas", f"{name.replace('_', ' ')} canastas", "melds", mean, _both(name), "2")
    yield Measure("runs", "canastas", "runs on the table", "melds", f"{mean}, of any length", _both("runs"), "2")
    yield Measure("sets", "canastas", "sets on the table", "melds", f"{mean}, of any length", _both("sets"), "2")
    yield Measure("wilds", "canastas", "wilds on the table", "cards", mean, _both("wilds"), "2")
    yield Measure("cleaned", "canastas", "canastas made clean", "actions", f"{mean}: a canasta that lost its wild", _both("cleaned"), "2")
    yield Measure("dirtied", "canastas", "canastas made dirty", "actions", f"{mean}: a canasta that got a wild", _both("dirtied"), "2")


def _morto() -> Iterator[Measure]:
    for mode, title in (("direct", "direct"), ("indirect", "indirect"), ("none", "never")):
        yield Measure(
            f"morto_{mode}",
            "morto",
            f"takes the morto: {title}",
            "share",
            "of all teams and deals, the first morto of a team",
            f"(morto_mode_0 = '{mode}')::int + (morto_mode_1 = '{mode}')::int",
            "2",
        )
    yield Measure(
        "morto_turn",
        "morto",
        "turn of the first morto",
        "draws",
        "mean of the teams that take one",
        "coalesce(morto_turn_0, 0) + coalesce(morto_turn_1, 0)",
        "(morto_turn_0 is not null)::int + (morto_turn_1 is not null)::int",
    )
    yield Measure(
        "first_morto_margin",
        "morto",
        "lead of the first to take one",
        "points",
        "of the deals in which one is taken",
        f"{_FIRST_MORTO} * (score_0 - score_1)",
        f"abs({_FIRST_MORTO})",
    )
    yield Measure(
        "first_morto_wins",
        "morto",
        "deals won by the first to take one",
        "share",
        "of deals in which one is taken; a drawn one counts half",
        f"abs({_FIRST_MORTO}) + {_FIRST_MORTO} * (winner = 0)::int - {_FIRST_MORTO} * (winner = 1)::int",
        f"2 * abs({_FIRST_MORTO})",
    )


def _leads() -> Iterator[Measure]:
    yield Measure(
        "last_lead",
        "decided",
        "last change of the lead",
        "share",
        "of the turns of the deal, 0 if the first to lead leads to the end",
        "coalesce(last_lead_turn / turns, 0)",
    )
    yield Measure(
        "half_leader_wins",
        "decided",
        "the leader at half wins",
        "share",
        "of the deals with a leader then; a drawn deal counts half",
        f"({_LEADER_WINS}) * (half_margin <> 0)::int",
        "2 * (half_margin <> 0)::int",
    )
    yield Measure("lead_changes", "comebacks", "changes of the lead", "changes", "mean of a deal", "lead_changes")
    yield Measure("no_lead_change", "comebacks", "the first to lead leads to the end", "share", "of all deals", "(lead_changes = 0)::int")
    yield Measure(
        "deficit",
        "comebacks",
        "how far the winner was behind",
        "points",
        "at the worst moment, mean of the decided deals",
        "worst_deficit",
        "(worst_deficit is not null)::int",
    )
    for name, title, low, high in BANDS:
        inside = f"(abs(half_margin) between {low} and {high})::int"
        yield Measure(
            name,
            "comebacks",
            f"wins though {title} behind at half",
            "share",
            "of the deals that stand so; a drawn deal counts half",
            f"({_BEHIND_WINS}) * {inside}",
            f"2 * {inside}",
        )


#: How far behind after half of the turns: name, words, lowest and highest number of points.
BANDS: Final = (
    ("back_from_5", "5 to 100", 5, 100),
    ("back_from_105", "105 to 200", 105, 200),
    ("back_from_205", "205 to 400", 205, 400),
    ("back_from_405", "405 to 700", 405, 700),
    ("back_from_705", "more than 700", 705, 1_000_000),
)

RATIOS: Final[tuple[Measure, ...]] = (*_fair(), *_course(), *_scores(), *_canastas(), *_morto(), *_leads())

DISTRIBUTIONS: Final[dict[str, Distribution]] = {
    one.name: one
    for one in (
        Distribution("turns", "turns of a deal", "draws", ("turns",)),
        Distribution("piles", "piles taken in a deal", "piles", ("piles_0 + piles_1",)),
        Distribution("score", "score of a team", "points", ("score_0", "score_1")),
        Distribution("margin", "margin of the winner", "points", ("abs(score_0 - score_1)",)),
        Distribution("morto_turn", "turn of the first morto of a team", "draws", ("morto_turn_0", "morto_turn_1")),
        Distribution("deficit", "how far the winner was behind", "points", ("worst_deficit",)),
        Distribution("lead_changes", "changes of the lead", "changes", ("lead_changes",)),
    )
}


def _quantiles() -> Iterator[Quantile]:
    for name, question, levels in (
        ("turns", "length", (5, 50, 95)),
        ("piles", "length", (5, 50, 95)),
        ("score", "scores", (5, 50, 95)),
        ("margin", "scores", (50, 95)),
        ("morto_turn", "morto", (5, 50, 95)),
        ("deficit", "comebacks", (50, 95)),
    ):
        of = DISTRIBUTIONS[name]
        for level in levels:
            words = "median" if level == 50 else f"{level} % are at most"
            yield Quantile(f"{name}_p{level}", question, f"{of.title}: {words}", of.unit, f"{level}th percentile", name, level / 100)


QUANTILES: Final[tuple[Quantile, ...]] = tuple(_quantiles())


@dataclass(frozen=True, slots=True)
class Balance:
    """The one measure that follows from others: 1 minus the largest difference of win shares."""

    name: str = "balance"
    question: str = "fair"
    title: str = "balance"
    unit: str = "share"
    meaning: str = "1 minus the largest difference of win shares: between starter's side and the other, between team 0 and team 1"
    of: tuple[str, ...] = ("starter_wins", "team_0_wins")

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return True


BALANCE: Final = Balance()

AnyMeasure = Measure | Quantile | Balance


def _in_order() -> Iterator[AnyMeasure]:
    everything: tuple[AnyMeasure, ...] = (BALANCE, *RATIOS, *QUANTILES)
    for question in QUESTIONS:
        yield from (one for one in everything if one.question == question)


#: Every measure by name, question by question.
MEASURES: Final[dict[str, AnyMeasure]] = {one.name: one for one in _in_order()}
