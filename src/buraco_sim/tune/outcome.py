"""What a search found: its history, the champion, the verdict on fresh deals, what each weight is worth; as values and text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

from buraco_sim.comparison import Comparison, common_code
from buraco_sim.errors import ExitCode
from buraco_sim.stats.pairs import quantile
from buraco_sim.strategies import Strategy
from buraco_sim.tune.field import Margins


class Gain(NamedTuple):
    """A difference in points a pair with its 95 % interval, and the pairs that it is of."""

    mean: float
    low: float
    high: float
    pairs: int


def gain_of(mine: Margins, theirs: Margins) -> Gain:
    """Of two forms on the same deals, in the mean over cells: shape (cells, pairs), summed over two tables."""
    difference = (mine - theirs) / 2
    cells, pairs = difference.shape
    mean = float(difference.mean())
    error = sqrt(float(difference.var(axis=1, ddof=1).sum()) / pairs) / cells if pairs > 1 else 0.0
    half = quantile(0.975) * error
    return Gain(mean, mean - half, mean + half, cells * pairs)


def pooled(gains: Sequence[Gain]) -> Gain:
    """The mean of gains on different deals.

    Examples
    --------
    >>> pooled([Gain(10, 6, 14, 100), Gain(0, -3, 3, 100)])
    Gain(mean=5.0, low=2.5, high=7.5, pairs=200)
    """
    mean = sum(one.mean for one in gains) / len(gains)
    half = sqrt(sum((one.high - one.mean) ** 2 for one in gains)) / len(gains)
    return Gain(mean, mean - half, mean + half, sum(one.pairs for one in gains))


@dataclass(frozen=True, slots=True)
class Generation:
    """A generation of the search.

    Attributes
    ----------
    number : int
        From 0.
    deals : int
        Played until its end, rows.
    gain : Gain
        Of the mean of the distribution over the start, on the same deals, in the mean over the field.
    recent : Gain
        The same over the last generations, up to ten.
    best : float
        Largest `recent` so far.
    seconds : float
        That the players took.
    """

    number: int
    deals: int
    gain: Gain
    recent: Gain
    best: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent under a variant: what the champion and the start make of it, on the same fresh deals.

    Attributes
    ----------
    variant, opponent : str
    outside : bool
        It was not in the panel.
    start, champion : float
        Margin, points a pair.
    gain : Gain
        Champion less start.
    """

    variant: str
    opponent: str
    outside: bool
    start: float
    champion: float
    gain: Gain


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """What happens to the champion when one weight moves by a step.

    Attributes
    ----------
    weight : str
    value : float
        The champion's.
    moved : float
        The value with which it was played.
    effect : Gain
        Points a pair against the champion itself: negative where the champion is right.
    """

    weight: str
    value: float
    moved: float
    effect: Gain


@dataclass(frozen=True, slots=True)
class Tuning:
    """The result of a search.

    Attributes
    ----------
    start, champion : Strategy
    comparisons : tuple of Comparison
        Champion against start on deals never used in the search, one a variant.
    generations : list of Generation
    rivals : list of Rival
    sensitivity : list of Sensitivity
    record : dict
        Budget, panel, seed, signature and verdict: what the strategy file says of itself.
    file : Path or None
        The strategy file; None where the verdict does not say that the champion is better.
    """

    start: Strategy
    champion: Strategy
    comparisons: tuple[Comparison, ...]
    generations: list[Generation]
    rivals: list[Rival]
    sensitivity: list[Sensitivity]
    record: dict[str, Any]
    file: Path | None = None

    @property
    def exit_code(self) -> ExitCode:
        """Of the command: that of the comparisons; 0 only if the champion is better under every variant."""
        return common_code(self.comparisons)

    @property
    def is_better(self) -> bool:
        """Whether the champion is better than the start, by the verdict."""
        return self.exit_code == ExitCode.DONE

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            "start": self.start.to_dict(),
            "champion": self.champion.to_dict(),
            "is_better": self.is_better,
            "comparisons": [one.to_dict() for one in self.comparisons],
            "record": self.record,
            "rivals": [_plain(one) for one in self.rivals],
            "sensitivity": [_plain(one) for one in self.sensitivity],
            "generations": [_plain(one) for one in self.generations],
            "file": None if self.file is None else str(self.file),
        }

    def text(self) -> str:
        """The result for people."""
        last = self.generations[-1]
        lines = [
            f"{self.start.name}: {len(self.generations)} generations, {last.deals:,} deals, {self.record['deals_per_second']:,} deals/s",
            *(one.text() for one in self.comparisons),
            "  against                     start   champion   difference",
            *(
                f"  {(one.opponent + (' (outside)' if one.outside else '')):<24} {one.start:+8.1f} {one.champion:+10.1f} {_range(one.gain)}"
                for one in self.rivals
            ),
            "weights that moved, and what a step costs the champion (points a pair):",
            *self._moved(),
        ]
        if self.file is None:
            lines.append("no verdict for the champion: nothing is adopted, no strategy file is written")
        else:
            lines.append(f"adopted: {self.file}")
        return "\n".join(lines)

    def _moved(self) -> list[str]:
        lines = []
        for name, value in self.champion.weights.items():
            steps = [one for one in self.sensitivity if one.weight == name]
            if steps:
                costs = ", ".join(f"{one.moved:g}: {_range(one.effect)}" for one in steps)
                lines.append(f"  {name:<16} {self.start.weights[name]:>8g} -> {value:<8g}  {costs}")
        return lines


def _plain(value: Any) -> dict[str, Any]:
    return {key: one._asdict() if isinstance(one, Gain) else one for key, one in asdict(value).items()}


def _range(gain: Gain) -> str:
    return f"{gain.mean:+.1f} ({gain.low:+.1f} to {gain.high:+.1f})"


def strategy_text(strategy: Strategy, record: Mapping[str, Any], policy: str) -> str:
    """A strategy as the text of its file, with a table ``[tuning]`` that says where the weights come from."""
    head = {"name": strategy.name, "policy": policy, "summary": strategy.summary, "remembers_pile": strategy.remembers_pile}
    tables = {"weights": strategy.weights, "restrictions": strategy.to_dict().get("restrictions", {}), "tuning": record}
    lines = [f"{key} = {_toml(value)}" for key, value in head.items()]
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    """A number, text, truth value or list of these: JSON writes them as TOML does."""
    return json.dumps(value, ensure_ascii=False)
