"""Traces that break the rules or their own format: a good trace with one thing changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Trace = list[Any]


@dataclass(frozen=True)
class BadTrace:
    """A spoilt trace, the number of the line that was spoilt, and whether only a later line shows it."""

    label: str
    lines: Trace
    line: int
    shows_later: bool = False


#: Values that a key of a line never has.
NEVER = (None, "x", -3, True, [])
#: What no reader of a header needs in order to judge the deal.
FREE_TEXT = ("variant", "seats")


def malformed_traces(good: Trace) -> Iterator[BadTrace]:
    """Yield a good trace with one line spoilt, for every kind of line and every key of it."""
    yield from _spoilt_keys(good)
    yield from _spoilt_lines(good)
    yield from _spoilt_header(good)


def _changed(good: Trace, index: int, line: Any) -> Trace:
    return [*good[:index], line, *good[index + 1 :]]


def _first_of_each_kind(good: Trace) -> Iterator[int]:
    seen = set()
    for index, line in enumerate(good):
        kind = (line["type"], line.get("from"), line.get("mode"), line.get("before") == "", "returned" in line, line.get("team"))
        if kind not in seen:
            seen.add(kind)
            yield index


def _spoilt_keys(good: Trace) -> Iterator[BadTrace]:
    for index in _first_of_each_kind(good):
        line = good[index]
        for key in line:
            without = {name: value for name, value in line.items() if name != key}
            if line[key] is not None and key != "standing":
                yield BadTrace(f"{line['type']} {index} without {key}", _changed(good, index, without), index + 1)
            for value in NEVER:
                if not (value == line[key] and type(value) is type(line[key])) and not (key in FREE_TEXT and value == "x"):
                    yield BadTrace(f"{line['type']} {index} with {key} = {value!r}", _changed(good, index, {**line, key: value}), index + 1)


def _spoilt_lines(good: Trace) -> Iterator[BadTrace]:
    for index in _first_of_each_kind(good):
        kind = good[index]["type"]
        for value in (None, 5, "draw", [], {}):
            yield BadTrace(f"{kind} {index} replaced by {value!r}", _changed(good, index, value), index + 1)
        if index:
            yield BadTrace(f"{kind} {index} left out", [*good[:index], *good[index + 1 :]], index + 1, shows_later=True)
            yield BadTrace(f"{kind} {index} twice", [*good[: index + 1], *good[index:]], index + 2)
        yield BadTrace(f"cut before {kind} {index}", good[:index], index + 1) if index else BadTrace("a lone header", good[:1], 2)
    yield BadTrace("a line after the end", [*good, {"type": "draw", "seat": 0, "from": "stock", "cards": "7h"}], len(good) + 1)


def _spoilt_header(good: Trace) -> Iterator[BadTrace]:
    header = good[0]

    def spoilt(label: str, **changes: Any) -> BadTrace:
        return BadTrace(label, _changed(good, 0, {**header, **changes}), 1)

    hands, stock = header["hands"], header["stock"].split()
    yield spoilt("a hand too many", hands=[*hands, ""])
    yield spoilt("a card moved from the stock to a hand", hands=[f"{hands[0]} {stock[0]}", *hands[1:]], stock=" ".join(stock[1:]))
    yield spoilt("a card lost", stock=" ".join(stock[1:]))
    yield spoilt("a card changed", stock=" ".join([stock[1], *stock[1:]]))
    yield spoilt("an unreadable card", stock=" ".join(["5x", *stock[1:]]))
    yield spoilt("a morto lost", mortos=header["mortos"][1:])
    yield spoilt("another starter", starter=(header["starter"] + 1) % len(hands))
    yield spoilt("no starter", starter=len(hands))
    yield spoilt("another deal", deal=header["deal"] + 1)
    yield spoilt("a later format", format=2)
    yield spoilt("a seat without a name", seats=header["seats"][1:])
    for standing in (5, [1], [1, 2, 3], ["0", "0"], [0.5, 1]):
        yield spoilt(f"standing {standing}", standing=standing)
    for table, key, value in (
        ("table", "hand", 12),
        ("table", "upcard", not header["rules"]["table"]["upcard"]),
        ("deck", "jokers", header["rules"]["deck"]["jokers"] - 1),
        ("go_out", "canasta", "some"),
        ("melds", "run_min", 3),
    ):
        rules = copy.deepcopy(header["rules"])
        rules[table][key] = value
        yield spoilt(f"rules with {table}.{key} = {value}", rules=rules)
    rules = copy.deepcopy(header["rules"])
    del rules["go_out"]["canasta"]
    yield spoilt("rules without go_out.canasta", rules=rules)
