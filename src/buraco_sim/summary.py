"""What a run looks like: sums over blocks of rows, as JSON values and as text, with a warning when it looks degenerate."""

from __future__ import annotations

from math import sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from buraco_sim.job import Job
from buraco_sim.layout import CANASTA_CLASSES, END_REASONS, MORTO_MODES
from buraco_sim.results.columns import Block
from buraco_sim.results.match_table import results_of
from buraco_sim.rules import Ruleset

CANASTAS: Final = CANASTA_CLASSES[1:]
SCORE_PARTS: Final = ("cards", "canastas", "go_out", "hand", "morto")
_PART_LABELS: Final = dict(
    zip(SCORE_PARTS, ("cards melded", "canasta bonuses", "going out", "cards in hand", "morto penalties"), strict=True)
)
SUMMED: Final = ("score", *SCORE_PARTS, *CANASTAS, "runs", "sets", "mortos", "piles", "pile_cards", "wilds", "cleaned", "dirtied")

Z_95: Final = 1.959964  # normal quantile of a two-sided 95 % interval

# Below or beyond: a game that nobody would recognise. Public engines have 40 to 75 turns with four seats.
MIN_ROWS_TO_JUDGE: Final = 100
TURNS_EXPECTED: Final = (20.0, 110.0)
MELDS_EXPECTED: Final = 1.5  # a team and deal
CANASTAS_EXPECTED: Final = 0.05  # a team and deal
CAP_EXPECTED: Final = 0.001  # share of deals that end by the turn cap


class Interval(NamedTuple):
    """A mean with its 95 % interval; the interval is None for fewer than two values."""

    mean: float
    low: float | None
    high: float | None


class Sums:
    """Number, sum and sum of squares of whole numbers, exact however many there are."""

    def __init__(self) -> None:
        self.n = 0
        self.total = 0
        self.squares = 0

    def add(self, values: np.ndarray[Any, Any]) -> None:
        """Add an array of whole numbers."""
        wide = values.astype(np.int64)
        self.n += len(wide)
        self.total += int(wide.sum())
        self.squares += int((wide * wide).sum())

    def merge(self, other: Sums) -> None:
        """Add what another one has added."""
        self.n += other.n
        self.total += other.total
        self.squares += other.squares

    @property
    def mean(self) -> float:
        """Mean, 0 without values."""
        return self.total / self.n if self.n else 0.0

    @property
    def sd(self) -> float:
        """Standard deviation, 0 for fewer than two values."""
        return sqrt((self.squares * self.n - self.total**2) / (self.n * (self.n - 1))) if self.n > 1 else 0.0

    def interval(self, scale: float = 1.0) -> Interval:
        """Mean and 95 % interval of the values divided by `scale`."""
        if self.n < 2:
            return Interval(self.mean / scale, None, None)
        half = Z_95 * self.sd / sqrt(self.n)
        return Interval(self.mean / scale, (self.mean - half) / scale, (self.mean + half) / scale)


class Side:
    """Sums of one side: a team, or a strategy that plays in team 0 at table 0 and in team 1 at table 1."""

    def __init__(self) -> None:
        self.rows = 0
        self.sums = dict.fromkeys(SUMMED, 0)
        self.score = Sums()
        self.morto_turn = Sums()
        self.modes = np.zeros(len(MORTO_MODES), np.int64)
        self.wins = 0
        self.with_canasta = 0

    def add(self, block: Block, team: int, rows: Any) -> None:
        """Add the rows in which this side sat in `team`."""
        values = {name: block[f"{name}_{team}"][rows] for name in SUMMED}
        self.rows += len(values["score"])
        for name, column in values.items():
            self.sums[name] += int(column.sum(dtype=np.int64))
        self.score.add(values["score"])
        taken = ~block.nulls[f"morto_turn_{team}"][rows]
        self.morto_turn.add(block[f"morto_turn_{team}"][rows][taken])
        self.modes += np.bincount(block[f"morto_mode_{team}"][rows], minlength=len(MORTO_MODES))
        self.wins += int((block["winner"][rows] == team).sum())
        self.with_canasta += int(np.count_nonzero(sum(values[name] for name in CANASTAS)))

    def merge(self, other: Side) -> None:
        """Add what another one has added."""
        self.rows += other.rows
        for name in SUMMED:
            self.sums[name] += other.sums[name]
        self.score.merge(other.score)
        self.morto_turn.merge(other.morto_turn)
        self.modes += other.modes
        self.wins += other.wins
        self.with_canasta += other.with_canasta

    def to_dict(self, name: str) -> dict[str, Any]:
        """Means a deal, shares of deals."""
        n = max(1, self.rows)
        means = {key: value / n for key, value in self.sums.items()}
        return {
            "name": name,
            "score": self.score.mean,
            "score_sd": self.score.sd,
            "parts": {key: means[key] for key in SCORE_PARTS},
            "wins": self.wins / n,
            "melds": {key: means[key] for key in ("runs", "sets", "wilds", "cleaned", "dirtied")},
            "canastas": sum(means[key] for key in CANASTAS),
            "canastas_by_class": {key: means[key] for key in CANASTAS},
            "with_canasta": self.with_canasta / n,
            "mortos": means["mortos"],
            "morto_turn": self.morto_turn.mean if self.morto_turn.n else None,
            "morto_modes": {mode: int(count) / n for mode, count in zip(MORTO_MODES, self.modes, strict=True)},
            "piles": means["piles"],
            "pile_cards": means["pile_cards"],
        }


class Matches:
    """Sums over matches: who won, how long they are, Victory Points. Side 0 is who sits in team 0 at table 0."""

    def __init__(self) -> None:
        self.won = np.zeros(3, np.int64)  # by side 0, by side 1, drawn
        self.deals = Sums()
        self.victory_points = Sums()  # of side 0

    def add(self, block: Block, rules: Ruleset) -> None:
        """Add the matches of rows of deals."""
        results = results_of(block, rules)
        table, winner = results["table"].astype(np.int64), results["winner"].astype(np.int64)
        self.won += np.bincount(np.where(winner < 0, 2, winner ^ table), minlength=3)
        self.deals.add(results["deals"])
        have = ~results.nulls["vp_0"]
        self.victory_points.add(np.where(table == 0, results["vp_0"], results["vp_1"])[have])

    def merge(self, other: Matches) -> None:
        """Add what another one has added."""
        self.won += other.won
        self.deals.merge(other.deals)
        self.victory_points.merge(other.victory_points)

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return {
            "matches": self.deals.n,
            "won": dict(zip(("first", "second", "drawn"), map(int, self.won), strict=True)),
            "deals": self.deals.mean,
            "victory_points": self.victory_points.mean if self.victory_points.n else None,
        }


class Summary:
    """Sums over the rows of a job, block by block; the order of the blocks does not matter.

    Parameters
    ----------
    job : Job
        What is played.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.rows = 0
        self.sides = (Side(), Side())
        self.turns = Sums()
        self.turns_range = (0, 0)
        self.ends = np.zeros(len(END_REASONS), np.int64)
        # One value a shuffle, or a match: the sum over its tables. Rows of one pair are not independent.
        self.margin = Sums()
        self.starter = Sums()
        self.matches = Matches()

    def add(self, block: Block) -> None:
        """Add the rows of a block, whole pairs in the order of (deal, table)."""
        n_tables = len(self.job.tables)
        for table in self.job.tables:
            rows = block["table"] == table if self.job.matches else slice(table, None, n_tables)
            for team in (0, 1):
                self.sides[team ^ table].add(block, team, rows)
        difference = block["score_0"].astype(np.int64) - block["score_1"]
        side_sign = 1 - 2 * block["table"].astype(np.int64)
        starter_sign = 1 - 2 * (block["starter"].astype(np.int64) & 1)
        self.margin.add(self._by_shuffle(block, difference * side_sign))
        self.starter.add(self._by_shuffle(block, difference * starter_sign))
        if self.job.matches:
            self.matches.add(block, self.job.rules)
        turns = block["turns"]
        self.turns.add(turns)
        self._widen((int(turns.min()), int(turns.max())))
        self.ends += np.bincount(block["end_reason"], minlength=len(END_REASONS))
        self.rows += len(block)

    def _by_shuffle(self, block: Block, values: Any) -> Any:
        """Sums over the tables of each shuffle, or of each match."""
        if not self.job.matches:
            return values.reshape(-1, len(self.job.tables)).sum(axis=1)
        _, place = np.unique(block["match"], return_inverse=True)
        sums = np.zeros(int(place.max()) + 1, np.int64)
        np.add.at(sums, place, values)
        return sums

    def merge(self, other: Summary) -> None:
        """Add what another summary of the same job has added."""
        for mine, theirs in zip(self.sides, other.sides, strict=True):
            mine.merge(theirs)
        for name in ("turns", "margin", "starter", "matches"):
            getattr(self, name).merge(getattr(other, name))
        if other.rows:
            self._widen(other.turns_range)
        self.ends += other.ends
        self.rows += other.rows

    def _widen(self, turns: tuple[int, int]) -> None:
        low, high = self.turns_range if self.rows else turns
        self.turns_range = (min(low, turns[0]), max(high, turns[1]))

    @property
    def names(self) -> tuple[str, str]:
        """What the sides are called: by strategy where they differ, else by team."""
        first, second = self.job.team_name(0), self.job.team_name(1)
        return (first, second) if first != second else ("team 0", "team 1")

    def warnings(self) -> list[str]:
        """What looks degenerate, in words; empty for few rows."""
        if self.rows < MIN_ROWS_TO_JUDGE:
            return []
        found = []
        sides = [side.sums for side in self.sides]
        melds = sum(s["runs"] + s["sets"] for s in sides) / (2 * self.rows)
        canastas = sum(s[name] for s in sides for name in CANASTAS) / (2 * self.rows)
        cap = int(self.ends[END_REASONS.index("turn_cap")]) / self.rows
        if melds < MELDS_EXPECTED:
            found.append(f"hardly any melds: {melds:.2f} a team and deal")
        if canastas < CANASTAS_EXPECTED:
            found.append(f"hardly any canastas: {canastas:.3f} a team and deal")
        if not TURNS_EXPECTED[0] <= self.turns.mean <= TURNS_EXPECTED[1]:
            found.append(f"{self.turns.mean:.1f} turns a deal in the mean, {TURNS_EXPECTED[0]:.0f} to {TURNS_EXPECTED[1]:.0f} are usual")
        if cap > CAP_EXPECTED:
            found.append(f"{cap:.2%} of the deals were stopped by the turn cap")
        if self.ends[END_REASONS.index("went_out")] == 0:
            found.append("nobody ever went out")
        return found

    def to_dict(self, *, played_rows: int = 0, seconds: float = 0.0) -> dict[str, Any]:
        """The summary as JSON values: means a deal and table, shares from 0 to 1, points.

        `played_rows` were played in `seconds`; the rows of kept parts are not among them.
        """
        job = self.job
        scale = float(len(job.tables))
        return {
            "variant": job.rules.name,
            "players": [one.name for one in job.seats],
            "seed": job.seed,
            "first_deal": job.first_deal,
            "deals": self.rows if job.matches else self.margin.n,
            "rows": self.rows,
            "mirror": job.mirror,
            "seconds": seconds,
            "deals_per_second": played_rows / seconds if played_rows and seconds else None,
            "sides": [side.to_dict(name) for side, name in zip(self.sides, self.names, strict=True)],
            "margin": self.margin.interval(scale)._asdict(),
            "starter_advantage": self.starter.interval(scale)._asdict(),
            **({"match": self.matches.to_dict()} if job.matches else {}),
            "end_reasons": {reason: int(count) / max(1, self.rows) for reason, count in zip(END_REASONS, self.ends, strict=True)},
            "turns": {"mean": self.turns.mean, "sd": self.turns.sd, "min": self.turns_range[0], "max": self.turns_range[1]},
            "warnings": self.warnings(),
        }


def summary_text(values: dict[str, Any]) -> str:
    """The text of a summary from its JSON values (:meth:`Summary.to_dict`)."""
    pairs = ", each at two tables with the strategies exchanged" if values["mirror"] else ""
    seats = values["players"]
    who = seats[0] if len(set(seats)) == 1 else ",".join(seats)
    match = values.get("match")
    what = f"{match['matches']:,} matches of {match['deals']:.1f} deals" if match else f"{values['deals']:,} deals"
    unit = "match" if match else "deal"
    first, second = values["sides"]
    lines = [f"{values['variant']}, players {who}, seed {values['seed']}: {what}{pairs}", ""]
    lines += [_row("a deal", first["name"], second["name"])]
    lines += [_row(label, left, right) for label, left, right in _side_rows(first, second)]
    ends = values["end_reasons"]
    turns = values["turns"]
    lines += [
        "",
        f"margin             {_interval_text(values['margin'])} points a {unit}, {first['name']} minus {second['name']}",
        f"starter advantage  {_interval_text(values['starter_advantage'])} points a {unit}",
        "ended by           " + ", ".join(f"{reason.replace('_', ' ')} {share:.2%}" for reason, share in ends.items()),
        f"turns              {turns['mean']:.1f} in the mean, sd {turns['sd']:.1f}, {turns['min']} to {turns['max']}",
    ]
    if match:
        won = match["won"]
        points = "" if match["victory_points"] is None else f", {match['victory_points']:.2f} Victory Points of 20"
        lines.append(f"matches            {won['first']:,} : {won['second']:,}, drawn {won['drawn']:,}{points}")
    if values["deals_per_second"]:
        lines.append(f"rate               {values['deals_per_second']:,.0f} deals/s, {values['seconds']:.1f} s")
    lines += [f"WARNING: the picture is degenerate: {warning}" for warning in values["warnings"]]
    return "\n".join(lines)


def _side_rows(first: dict[str, Any], second: dict[str, Any]) -> list[tuple[str, str, str]]:
    def both(label: str, pick: Any, form: str = ".2f") -> tuple[str, str, str]:
        left, right = (pick(side) for side in (first, second))
        return label, *("-" if value is None else format(value, form) for value in (left, right))  # type: ignore[return-value]

    rows = [both("score", lambda s: s["score"], ".1f"), both("  standard deviation", lambda s: s["score_sd"], ".1f")]
    rows += [both(f"  {_PART_LABELS[part]}", lambda s, part=part: s["parts"][part], ".1f") for part in SCORE_PARTS]
    rows += [both("won", lambda s: s["wins"], ".1%"), both("canastas", lambda s: s["canastas"], ".3f")]
    classes = [name for name in CANASTAS if first["canastas_by_class"][name] or second["canastas_by_class"][name]]
    rows += [both(f"  {name.replace('_', ' ')}", lambda s, name=name: s["canastas_by_class"][name], ".4f") for name in classes]
    rows += [both("with a canasta", lambda s: s["with_canasta"], ".1%")]
    rows += [both(key, lambda s, key=key: s["melds"][key]) for key in ("runs", "sets", "wilds")]
    rows += [both("mortos taken", lambda s: s["mortos"]), both("  turn of the first", lambda s: s["morto_turn"], ".1f")]
    rows += [both(f"  {mode}", lambda s, mode=mode: s["morto_modes"][mode], ".1%") for mode in MORTO_MODES[1:]]
    rows += [both("piles taken", lambda s: s["piles"]), both("  cards", lambda s: s["pile_cards"])]
    return rows


def _row(label: str, left: str, right: str) -> str:
    return f"{label:<24}{left:>14}{right:>14}"


def _interval_text(values: dict[str, Any]) -> str:
    if values["low"] is None:
        return f"{values['mean']:+.2f}"
    return f"{values['mean']:+.2f} (95 % {values['low']:+.2f} to {values['high']:+.2f})"
