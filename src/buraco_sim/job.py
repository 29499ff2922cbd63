"""What is to be played: rules, seats, seed and deals. Everything that decides the bytes of a run, and nothing else."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from buraco_sim import __version__
from buraco_sim.errors import InputError, shown
from buraco_sim.rules import Ruleset, variant_names
from buraco_sim.strategies import Strategy, strategy_names

SCHEMA_VERSION: Final = 1  # of run folders, parts and JSON output
DEFAULT_SEED: Final = 108  # the cards of two packs with four jokers
DEFAULT_DEALS: Final = 100_000
DEFAULT_VARIANT: Final = "stbl"
DEFAULT_PLAYERS: Final = "greedy"
DEFAULT_EFFECT: Final = 5.0  # points a pair that a comparison looks for
DEFAULT_BUDGET: Final = 1_000_000  # most pairs of a comparison
PART_DEALS: Final = 100_000  # deals of one Parquet part; the range of a part depends on nothing else
PART_MATCHES: Final = 10_000
MAX_DEAL: Final = 2**48  # deal indices stay below
MATCH_DEALS: Final = 256  # indices of a match: its deals are match * 256 + their number in it

Players = str | Strategy | Sequence[str | Strategy]


class PartRange(NamedTuple):
    """Deals ``first`` (included) to ``stop`` (excluded) of the part with this number."""

    number: int
    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class Shard:
    """The share `index` (from 1) of `count` in the parts of a job, for machines that share nothing else.

    Examples
    --------
    >>> shard = Shard.parse("2/3")
    >>> shard.of([PartRange(0, 0, 10), PartRange(1, 10, 20), PartRange(2, 20, 30), PartRange(3, 30, 40)])
    [PartRange(number=1, first=10, stop=20)]
    >>> str(shard)
    '2/3'
    """

    index: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``2/3``.

        Raises
        ------
        InputError
            If it is no share.
        """
        index, _, count = text.partition("/")
        if not (index.isdecimal() and count.isdecimal() and len(text) < 20 and 1 <= int(index) <= int(count)):
            raise InputError(f"shard {shown(text)}", expected="I/N, the I-th of N shares, such as 2/3")
        return cls(int(index), int(count))

    def of(self, parts: Iterable[PartRange]) -> list[PartRange]:
        """Every `count`-th part, so that shares are alike however long the run."""
        return list(parts)[self.index - 1 :: self.count]

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


@dataclass(frozen=True, slots=True)
class Job:
    """Deals ``first_deal`` to ``first_deal + deals`` of one variant with one strategy a seat.

    Attributes
    ----------
    rules : Ruleset
    seats : tuple of Strategy
        Who sits where at table 0, one a seat.
    mirror : bool
        Whether each deal is played at two tables, the teams' strategies exchanged at table 1.
    seed : int
        0 .. 2**64 - 1
    first_deal, deals : int
        Index of the first shuffle, number of different shuffles.
    part_deals : int
        Deals of a part: part ``i`` holds deals ``i * part_deals`` up to the next one's first.
    matches : bool
        Whether the deals are those of matches: then the three numbers above are multiples of :data:`MATCH_DEALS`, the
        indices of whole matches, of which those are played that each match needs.
    """

    rules: Ruleset
    seats: tuple[Strategy, ...]
    mirror: bool
    seed: int = DEFAULT_SEED
    first_deal: int = 0
    deals: int = DEFAULT_DEALS
    part_deals: int = PART_DEALS
    matches: bool = False

    def __post_init__(self) -> None:
        _check_range("seed", self.seed, 0, 2**64 - 1)
        _check_range("first_deal", self.first_deal, 0, MAX_DEAL - 1)
        _check_range("deals", self.deals, 1, MAX_DEAL - self.first_deal)
        _check_range("part_deals", self.part_deals, 1, 10_000_000)
        if len(self.seats) != self.n_seats:
            raise InputError(f"players: {len(self.seats)} strategies", expected=f"one for each of the {self.n_seats} seats")
        _check_names(self.seats)
        if self.matches and any(number % MATCH_DEALS for number in (self.first_deal, self.deals, self.part_deals)):
            raise InputError(f"deals {self.first_deal}:{self.stop_deal}", expected=f"whole matches: multiples of {MATCH_DEALS}")

    @property
    def n_seats(self) -> int:
        """Number of seats, 2 or 4."""
        return self.rules.table.seats

    @property
    def tables(self) -> tuple[int, ...]:
        """Tables at which each deal is played."""
        return (0, 1) if self.mirror else (0,)

    @property
    def rows(self) -> int:
        """Number of rows: deals times tables; of matches, which have as many deals as they need, matches times tables."""
        return self.deals // (MATCH_DEALS if self.matches else 1) * len(self.tables)

    @property
    def stop_deal(self) -> int:
        """Index after the last deal."""
        return self.first_deal + self.deals

    @property
    def folder(self) -> Path:
        """Where the parts lie within a run folder."""
        return Path("deals", self.rules.name, f"{self.team_name(0)}-vs-{self.team_name(1)}")

    def seats_at(self, table: int) -> tuple[Strategy, ...]:
        """Who sits where at a table: at table 1 the teams have exchanged their strategies."""
        return tuple(self.seats[seat ^ table] for seat in range(self.n_seats))

    def team_name(self, team: int, table: int = 0) -> str:
        """Name of the strategies that sit in a team: ``a``, or ``a+c`` if they differ."""
        names = [one.name for one in self.seats_at(table)[team::2]]
        return "+".join(dict.fromkeys(names))

    def starter(self, deal: int) -> int:
        """Seat that draws first, the same at both tables of a pair; of a match, in its first deal."""
        return (deal // MATCH_DEALS if self.matches else deal) % self.n_seats

    def parts(self) -> Iterator[PartRange]:
        """The fixed ranges of deals that the parts hold, in order."""
        for number in range(self.first_deal // self.part_deals, (self.stop_deal - 1) // self.part_deals + 1):
            start = number * self.part_deals
            yield PartRange(number, max(start, self.first_deal), min(start + self.part_deals, self.stop_deal))

    def describe(self) -> dict[str, Any]:
        """What decides the bytes of every row, as JSON values: the same for every part of a run."""
        return {
            "schema_version": SCHEMA_VERSION,
            "engine_version": __version__,
            "variant": self.rules.name,
            "rules": self.rules.to_dict(),
            "strategies": {one.name: strategy_values(one) for one in self.seats},
            "seats": [one.name for one in self.seats],
            "mirror": self.mirror,
            "seed": self.seed,
            "part_deals": self.part_deals,
        } | ({"matches": True} if self.matches else {})

    def config_hash(self) -> str:
        """Hash of :meth:`describe`: equal for jobs whose parts may lie in one run."""
        return config_hash(self.describe())

    def rule_words(self) -> list[str]:
        """The options of a command line that name these rules."""
        shipped = self.rules.name in variant_names()
        base = Ruleset.load(self.rules.name) if shipped else Ruleset()
        words = ["--variant", base.name]
        for key, _, value in base.diff(self.rules):
            words += ["--set", f"{key}={json.dumps(value)}"]
        return words

    def replay_command(self, deal: int, table: int) -> str:
        """The command line that replays one deal."""
        words = ["buraco", "replay", *self.rule_words(), "--players", ",".join(map(player_word, self.seats))]
        words += ["--seed", str(self.seed), "--deal", str(deal), "--table", str(table)]
        words += ["--matches"] * self.matches
        return shlex.join(words)


def config_hash(description: Mapping[str, Any]) -> str:
    """Hash of what :meth:`Job.describe` says."""
    text = json.dumps(description, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def make_job(
    rules: str | Path | Ruleset,
    players: Players = DEFAULT_PLAYERS,
    *,
    mirror: bool | None = None,
    deals: int = DEFAULT_DEALS,
    matches: int | None = None,
    seed: int = DEFAULT_SEED,
    first_deal: int = 0,
    part_deals: int | None = None,
) -> Job:
    """Build a job from names or objects.

    Parameters
    ----------
    rules : str, Path or Ruleset
        Name of a preset, a TOML file, or a ruleset.
    players : str, Strategy or sequence of these
        One for everybody, two for team 0 and team 1, or one a seat; as a string with commas: ``"greedy,random"``.
    mirror : bool, optional
        By default, whenever the teams differ.
    deals, seed, first_deal, part_deals : int
        See :class:`Job`.
    matches : int, optional
        Play so many matches instead; `first_deal` and `part_deals` then count matches too.

    Raises
    ------
    InputError
        If a name is unknown, a file is invalid or a number is out of range.
    """
    ruleset = rules if isinstance(rules, Ruleset) else Ruleset.load(rules)
    seats = tuple(one.for_variant(ruleset.name) for one in seat_players(players, ruleset.table.seats))
    mirrored = seats[0::2] != seats[1::2] if mirror is None else mirror
    if matches is None:
        return Job(ruleset, seats, mirrored, seed, first_deal, deals, PART_DEALS if part_deals is None else part_deals)
    _check_range("matches", matches, 1, MAX_DEAL // MATCH_DEALS)
    _check_range("first_deal", first_deal, 0, MAX_DEAL // MATCH_DEALS - 1)
    first, indices, part = (number * MATCH_DEALS for number in (first_deal, matches, PART_MATCHES if part_deals is None else part_deals))
    return Job(ruleset, seats, mirrored, seed, first, indices, part, matches=True)


def seat_players(players: Players, n_seats: int) -> tuple[Strategy, ...]:
    """Seat one strategy for everybody, one a team, or one a seat.

    Raises
    ------
    InputError
        If there is another number of them.
    """
    if isinstance(players, Strategy):
        named: Sequence[str | Strategy] = [players]
    else:
        named = [name.strip() for name in players.split(",")] if isinstance(players, str) else list(players)
    if len(named) not in (1, 2, n_seats):
        raise InputError(f"players: {len(named)} names", expected=f"one for everybody, one a team (A,B), or one a seat ({n_seats})")
    loaded: dict[str, Strategy] = {name: Strategy.load(name) for name in named if isinstance(name, str)}
    chosen = [loaded[one] if isinstance(one, str) else one for one in named]
    return tuple(chosen[seat % len(chosen)] for seat in range(n_seats))


def strategy_values(strategy: Strategy) -> dict[str, Any]:
    """What decides how a strategy plays, as JSON values: no path, no summary."""
    return {key: value for key, value in strategy.to_dict().items() if key != "summary"}


def player_word(strategy: Strategy) -> str:
    """What names a strategy on a command line: its name if it is shipped so, else its file."""
    shipped = strategy.name in strategy_names() and strategy_values(Strategy.load(strategy.name)) == strategy_values(strategy)
    return strategy.name if shipped else strategy.path or strategy.name


def _check_names(seats: Sequence[Strategy]) -> None:
    by_name: dict[str, Mapping[str, Any]] = {}
    for one in seats:
        values = strategy_values(one)
        if by_name.setdefault(one.name, values) != values:
            raise InputError(f"players: two different strategies are called {one.name!r}", hint="give one of them another name")
    files = {one.file_name: one.sha256 for one in seats if one.sha256}
    for one in seats:
        if one.sha256 != files.get(one.file_name, one.sha256):
            raise InputError(f"players: two different files are called {one.file_name!r}", hint="give one of them another name")


def _check_range(name: str, value: int, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InputError(f"{name} = {shown(value)}", expected=f"a whole number {low}..{high}")
