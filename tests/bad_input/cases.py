"""Malformed cases: every key missing or of a wrong type, unreadable cards, positions that contradict themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class BadCase:
    """A malformed case, and the words that its error line must hold."""

    label: str
    case: Any
    mentions: tuple[str, ...]


POSITION: dict[str, Any] = {
    "seat": 0,
    "phase": "play",
    "hand": "7h 8h Kc",
    "tables": [["4d 5d 6d"], []],
    "pile": "3d 9h",
    "stock": 40,
    "mortos": 2,
    "taken": [False, False],
}
#: A good case of each kind.
GOOD: dict[str, dict[str, Any]] = {
    "meld": {"id": "m", "rules": "burraco-fibur", "ask": "meld", "cards": "5h 6h 7h"},
    "score": {"id": "s", "rules": "burraco-fibur", "ask": "score", "meld": "5h 6h 7h"},
    "hand": {"id": "h", "rules": "burraco-fibur", "ask": "hand", "cards": "5h JK"},
    "legal": {"id": "l", "rules": "burraco-fibur", "ask": "legal", "position": POSITION, "action": {"do": "discard", "card": "Kc"}},
    "actions": {"id": "a", "rules": "burraco-fibur", "ask": "actions", "position": POSITION},
}

NO_TEXT = (None, 7, ["5h"], {"cards": "5h"}, True)
NO_CARDS = {
    "5x": "5x",
    "5h 6": "6",
    "5h,6h": "5h,6h",
    "10h": "did you mean 'Th'",
    "jk": "did you mean 'JK'",
    "5H": "did you mean '5h'",
    "5h*": "5h",
}


def malformed_cases() -> Iterator[BadCase]:
    """Yield every malformed case."""
    yield from _no_cases()
    for kind, good in GOOD.items():
        yield from _keys(kind, good)
    yield from _rules()
    yield from _cards()
    yield from _positions()
    yield from _actions()


def _no_cases() -> Iterator[BadCase]:
    for case in (None, 5, "hand", [], [GOOD["hand"]], True):
        yield BadCase(f"no object: {case!r:.20}", case, ("case",))
    yield BadCase("empty", {}, ("ask",))
    for ask in (None, "", "melds", "Hand", 5, ["hand"], {}):
        yield BadCase(f"ask {ask!r}", {**GOOD["hand"], "ask": ask}, ("ask",))


def _keys(kind: str, good: dict[str, Any]) -> Iterator[BadCase]:
    for key in good:
        without = {name: value for name, value in good.items() if name != key}
        yield BadCase(f"{kind} without {key}", without, (key,))
    yield BadCase(f"{kind} with a key too many", {**good, "sets": {}}, ("sets", "unknown"))


def _rules() -> Iterator[BadCase]:
    for name in ("stlb", "", 5, None, ["stbl"], "../stbl", "no/such/file.toml", "\x00"):
        yield BadCase(f"rules {name!r}", {**GOOD["hand"], "rules": name}, ())
    for changes, mentions in (
        ([], "set"),
        ("go_out.canasta", "set"),
        (None, "set"),
        ({"go_out.canaster": "any"}, "go_out.canaster"),
        ({"go_out": {"canasta": "any"}}, "go_out"),
        ({"go_out.canasta": "some"}, "go_out.canasta"),
        ({"deck.jokers": 5}, "deck.jokers"),
        ({"deck.jokers": True}, "deck.jokers"),
        ({"melds.run_aces": 2, "melds.run_max": 13}, "melds.run_aces"),
        ({"": 1}, ""),
    ):
        yield BadCase(f"set {changes!r:.50}", {**GOOD["hand"], "set": changes}, (mentions,))


def _cards() -> Iterator[BadCase]:
    for kind, key in (("meld", "cards"), ("hand", "cards"), ("score", "meld")):
        for value in NO_TEXT:
            yield BadCase(f"{kind} of {value!r}", {**GOOD[kind], key: value}, ())
        for text, mention in NO_CARDS.items():
            yield BadCase(f"{kind} of {text}", {**GOOD[kind], key: text}, (mention,))
    yield BadCase("hand with a star", {**GOOD["hand"], "cards": "2c*"}, ("2c*",))
    for meld in ("", "5h 6h", "5h 6h 8h", "7h 6h 5h", "5h 6h JK", "2d 2h 2c", "9h 9h 9h", "5h 2c* JK* 8h", "3h 4h 5h 2h", "As 2s* 3s"):
        yield BadCase(f"score of {meld!r}", {**GOOD["score"], "meld": meld}, ("meld",))
    no_joker = {**GOOD["score"], "set": {"deck.jokers": 0}, "meld": "5h 6h JK*"}
    yield BadCase("score with a joker that is not in the deck", no_joker, ("joker",))


def _at(label: str, *mentions: str, rules: dict[str, Any] | None = None, **changes: Any) -> BadCase:
    case = {**GOOD["actions"], "position": {**POSITION, **changes}}
    return BadCase(label, {**case, "set": rules} if rules else case, mentions)


def _positions() -> Iterator[BadCase]:
    for value in (None, 5, "hand", [], [POSITION]):
        yield BadCase(f"position {value!r:.20}", {**GOOD["actions"], "position": value}, ("position",))
    for key in POSITION:
        without = {name: value for name, value in POSITION.items() if name != key}
        yield BadCase(f"position without {key}", {**GOOD["actions"], "position": without}, ("position", key))
        yield _at(f"{key} of another type", "position", key, **{key: {"a": 1.5}})
        yield _at(f"{key} null", "position", key, **{key: None})
    yield _at("unknown key", "position", "hands", hands="5h")
    for key in ("used_top", "drew_last", "may_pass", "twin"):
        yield _at(f"{key} no bool", "position", key, **{key: 1})
    for key in ("hand", "pile", "took"):
        yield _at(f"{key} unreadable", key, "5x", **{key: "4s 5x"})
    yield from _wrong_counts()
    yield from _wrong_tables()
    yield from _wrong_turns()


def _wrong_counts() -> Iterator[BadCase]:
    for seat in (-1, 4, True, 1.0, "0"):
        yield _at(f"seat {seat!r}", "seat", seat=seat)
    yield _at("seat 2 of 2", "seat", rules={"table.seats": 2}, seat=2)
    for phase in ("", "Draw", "discard", 0):
        yield _at(f"phase {phase!r}", "phase", phase=phase)
    yield _at("empty hand", "hand", hand="")
    yield _at("stock below 0", "stock", stock=-1)
    yield _at("stock above the deck", "108", stock=109)
    yield _at("more cards than the deck", "108", stock=80)
    yield _at("mortos below 0", "mortos", mortos=-1)
    yield _at("mortos too many", "mortos", mortos=3)
    yield _at("mortos taken and left", "mortos", taken=[True, False])
    for taken in ([], [False], [False, False, False], [0, 1], "no"):
        yield _at(f"taken {taken!r}", "taken", taken=taken)
    yield _at("hand_counts of three", "hand_counts", hand_counts=[3, 11, 11])
    yield _at("hand_counts against the hand", "hand_counts", hand_counts=[4, 11, 11, 11])
    yield _at("hand_counts below 0", "hand_counts", hand_counts=[3, -1, 11, 11])
    yield _at("three times a card in the hand", "7h", hand="7h 7h 7h")
    yield _at("three times a card in hand, table and pile", "5d", hand="5d Kc", pile="5d")
    yield _at("five jokers", "JK", hand="JK JK JK JK JK")
    yield _at("a joker without jokers", "JK", rules={"deck.jokers": 0}, hand="JK Kc")


def _wrong_tables() -> Iterator[BadCase]:
    for tables in ([], [[]], [[], [], []], [[["5h"]], []], ["5h 6h 7h", []], [[5], []]):
        yield _at(f"tables {tables!r}", "tables", tables=tables)
    for meld in ("", "5h 6h", "5h 6h 8h", "5h 6h JK", "5h JK* 2c* 8h", "2s 2h 2d", "Kh Ah 2h"):
        yield _at(f"on the table {meld!r}", "tables[0]", "no legal meld", tables=[[meld], []])
    yield _at("unreadable on the other table", "tables[1]", "6", tables=[[], ["5h 6* 7h"]])


def _wrong_turns() -> Iterator[BadCase]:
    single = {"took": "7h", "pile": ""}
    yield _at("took before the draw", "took", phase="draw", **single)
    for key in ("drew_last", "may_pass"):
        yield _at(f"{key} before the draw", key, phase="draw", **{key: True})
    yield _at("used_top without took", "used_top", used_top=True)
    yield _at("twin without took", "twin", twin=True)
    yield _at("twin of two cards", "twin", took="7h 8h", pile="", twin=True)
    yield _at("drew_last with cards to draw", "drew_last", drew_last=True)
    yield _at("drew_last and took", "drew_last", stock=2, drew_last=True, **single)
    yield _at("may_pass under next_turn", "may_pass", may_pass=True)
    pending = {"pile.take": "use_top"}
    yield _at("the top card gone and not used", "top card", rules=pending, took="7h 9s", pile="")
    passing = {"pile.take": "meld_any", "morto.after_discard": "same_turn"}
    yield _at("may_pass and pending", "may_pass", rules=passing, may_pass=True, **single)


def _actions() -> Iterator[BadCase]:
    wrong: list[tuple[Any, str]] = [
        (None, "action"),
        ("pass", "action"),
        ([], "action"),
        ({}, "do"),
        ({"do": None}, "do"),
        ({"do": ["pass"]}, "do"),
        ({"do": "fold"}, "do"),
        ({"do": "draw"}, "from"),
        ({"do": "draw", "from": "deck"}, "from"),
        ({"do": "draw", "from": ["stock"]}, "from"),
        ({"do": "meld", "after": "5h 6h 7h"}, "slot"),
        ({"do": "meld", "slot": 0}, "after"),
        ({"do": "meld", "slot": "0", "after": "5h 6h 7h"}, "slot"),
        ({"do": "meld", "slot": 0.0, "after": "5h 6h 7h"}, "slot"),
        ({"do": "meld", "slot": False, "after": "5h 6h 7h"}, "slot"),
        ({"do": "meld", "slot": None, "after": ["5h"]}, "meld"),
        ({"do": "meld", "slot": None, "after": "5h 6h* 7h"}, "6h*"),
        ({"do": "meld", "slot": None, "after": "5h 6h 77"}, "77"),
        ({"do": "discard"}, "card"),
        ({"do": "discard", "card": "Kc 7h"}, "Kc 7h"),
        ({"do": "discard", "card": None}, "card"),
        ({"do": "discard", "card": "2c*"}, "2c*"),
        ({"do": "discard", "card": "Kc", "to": "pile"}, "to"),
        ({"do": "pass", "card": "Kc"}, "card"),
    ]
    for action, mention in wrong:
        yield BadCase(f"action {action!r:.60}", {**GOOD["legal"], "action": action}, (mention,))
