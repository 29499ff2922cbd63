"""Verification of traces: the referee replays every deal from its header and compares line by line.

The referee knows after every action which lines must follow, so it writes them itself and looks for differences.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from buraco_sim.cards import parse_card, parse_meld
from buraco_sim.errors import InputError, shown
from buraco_sim.referee.actions import Action, Discard, Draw, Lay, Pass
from buraco_sim.referee.game import Game, IllegalActionError, Line
from buraco_sim.rules import Ruleset

FORMAT: Final = 1
ACTION_TYPES: Final = ("draw", "meld", "discard")


class Breach(NamedTuple):
    """Where a trace breaks the rules or its own format.

    Attributes
    ----------
    deal : int or None
        Index of the deal, None if its header does not tell.
    line : int
        Line of the trace, from 1.
    seat : int or None
        Who was to act, None before the first draw.
    problem : str
        What is wrong.
    """

    deal: int | None
    line: int
    seat: int | None
    problem: str

    def __str__(self) -> str:
        deal = "?" if self.deal is None else self.deal
        seat = "" if self.seat is None else f", seat {self.seat}"
        return f"deal {deal}, line {self.line}{seat}: {self.problem}"


class BreachError(InputError):
    """A trace that does not verify."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(str(breach))
        self.breach = breach


class Step(NamedTuple):
    """A legal action of a trace, the game after it, and the lines that it left."""

    action: Action
    game: Game
    lines: list[Line]


def verify_trace(lines: Iterable[Line]) -> list[Breach]:
    """Return the breaches of a trace of one or more deals: the first of each deal, as what follows one cannot be judged.

    Parameters
    ----------
    lines : iterable of dict
        The lines of the trace, read as JSON.

    Returns
    -------
    list of Breach
        Empty if every line is as the rules demand.
    """
    found = []
    for start, deal in _deals(lines):
        try:
            for _ in replay_deal(deal, start):
                pass
        except BreachError as error:
            found.append(error.breach)
    return found


def _deals(lines: Iterable[Line]) -> Iterator[tuple[int, list[Line]]]:
    """Yield the lines of each deal, and the number of its first line."""
    start = 1
    deal: list[Line] = []
    for number, line in enumerate(lines, start=1):
        if deal and isinstance(line, Mapping) and line.get("type") == "deal":
            yield start, deal
            start, deal = number, []
        deal.append(line)
    if deal:
        yield start, deal


def replay_deal(lines: list[Line], first_line: int = 1) -> Iterator[Step]:
    """Replay one deal and yield it step by step.

    Raises
    ------
    BreachError
        At the first line that is not as the rules demand.
    """
    reader = _Reader(lines, first_line)
    game = reader.header()
    while game.end_reason is None:
        action = reader.action(game)
        seat = game.seat
        try:
            expected = game.play(action)
        except IllegalActionError as illegal:
            raise reader.breach(f"illegal: {illegal}: {shown(reader.line(), 200)}", seat) from None
        for line in expected:
            reader.expect(line, seat)
        yield Step(action, game, expected)
    if reader.has_more():
        raise reader.breach("a line after the end of the deal", None)


class _Reader:
    """The lines of one deal, read one by one."""

    def __init__(self, lines: list[Line], first_line: int) -> None:
        self._lines = lines
        self._first_line = first_line
        self._next = 0
        head = lines[0]
        deal = head.get("deal") if isinstance(head, Mapping) else None
        self._deal = deal if isinstance(deal, int) and not isinstance(deal, bool) else None

    def breach(self, problem: str, seat: int | None) -> BreachError:
        return BreachError(Breach(self._deal, self._first_line + self._next, seat, problem))

    def has_more(self) -> bool:
        return self._next < len(self._lines)

    def line(self, seat: int | None = None) -> Line:
        """Return the line to read next, without moving on."""
        if not self.has_more():
            raise self.breach("the trace stops before the end of the deal", seat)
        line = self._lines[self._next]
        if not isinstance(line, Mapping):
            raise self.breach(f"no object: {shown(line)}", seat)
        return line

    def header(self) -> Game:
        line = self.line()
        try:
            game = Game(_read_rules(line), line)
            _check_header(game, line)
        except InputError as error:
            raise self.breach(f"header: {error}", None) from None
        self._next += 1
        return game

    def action(self, game: Game) -> Action:
        """Return the action that the next line tells; a pass has no line of its own."""
        line = self.line(game.seat)
        try:
            return _read_action(game, line)
        except InputError as error:
            raise self.breach(str(error), game.seat) from None

    def expect(self, expected: Line, seat: int) -> None:
        """Compare the next line with what it must be and move on."""
        line = self.line(seat)
        for key in (*expected, "returned"):
            if not _same(line.get(key), expected.get(key)):
                wanted = f"{expected['type']} line with {key} = {shown(expected.get(key), 200)}"
                raise self.breach(f"{wanted} expected, found {shown(line.get(key), 200)} in {shown(dict(line), 200)}", seat)
        self._next += 1


def _same(found: object, expected: object) -> bool:
    return type(found) is type(expected) and found == expected


def _read_rules(header: Line) -> Ruleset:
    if header.get("type") != "deal":
        raise InputError(f"type = {shown(header.get('type'))}", expected="a deal line first")
    rules = header.get("rules")
    if not isinstance(rules, Mapping):
        raise InputError(f"rules = {shown(rules)}", expected="the whole ruleset")
    return _rules_from(json.dumps(rules, sort_keys=True, default=str))


@lru_cache(maxsize=64)
def _rules_from(text: str) -> Ruleset:
    tables = json.loads(text)
    rules = Ruleset.from_dict(tables)
    missing = [f"{table}.{key}" for table, keys in rules.to_dict().items() for key in keys if key not in tables.get(table, {})]
    if missing:
        raise InputError(f"rules without {missing[0]}", expected="the whole resolved ruleset")
    return rules


def _check_header(game: Game, header: Line) -> None:
    seats = game.rules.table.seats
    if not _same(header.get("format"), FORMAT):
        raise InputError(f"format = {shown(header.get('format'))}", expected=str(FORMAT))
    for key in ("seed", "deal"):
        if not isinstance(header.get(key), int) or isinstance(header[key], bool) or header[key] < 0:
            raise InputError(f"{key} = {shown(header.get(key))}", expected="a whole number from 0")
    if not any(_same(header.get("table"), table) for table in (0, 1)):
        raise InputError(f"table = {shown(header.get('table'))}", expected="0 or 1")
    if not isinstance(header.get("variant"), str):
        raise InputError(f"variant = {shown(header.get('variant'))}", expected="a name")
    names = header.get("seats")
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(name, str) for name in names):
        raise InputError(f"seats = {shown(names)}", expected=f"the names of {seats} strategies")
    standing = header.get("standing")
    if standing is not None:  # a deal of a match, where the starter depends on earlier deals
        if not isinstance(standing, list) or [type(points) for points in standing] != [int, int]:
            raise InputError(f"standing = {shown(standing)}", expected="the points of both teams")
    elif game.seat != header["deal"] % seats:
        raise InputError(f"starter = {game.seat}", expected=f"seat {header['deal'] % seats}, the deal's index modulo {seats}")


def _read_action(game: Game, line: Line) -> Action:
    kind = line.get("type")
    acts = kind in ACTION_TYPES and line.get("seat") == game.seat
    if game.phase == "draw":
        if kind == "stock":  # a morto that becomes the stock stands before the draw that needs it
            return Draw("stock")
        if kind != "draw":
            raise InputError(f"type = {shown(kind)}", expected=f"a draw of seat {game.seat}")
        if not acts:
            raise InputError(f"seat {shown(line.get('seat'))} draws", expected=f"seat {game.seat}")
        if line.get("from") not in ("stock", "pile"):
            raise InputError(f"from = {shown(line.get('from'))}", expected="stock or pile")
        return Draw(str(line["from"]))
    if kind == "meld" and acts:
        slot = line.get("slot")
        if not isinstance(slot, int) or isinstance(slot, bool):
            raise InputError(f"slot = {shown(slot)}", expected="the number of a meld")
        return Lay(None if slot == len(game.tables[game.team]) else slot, parse_meld(line.get("after")))  # type: ignore[arg-type]
    if kind == "discard" and acts:
        return Discard(parse_card(line.get("card")))  # type: ignore[arg-type]
    if game.may_pass:
        return Pass()
    raise InputError(f"line {shown(dict(line), 200)}", expected=f"a meld or a discard of seat {game.seat}")
