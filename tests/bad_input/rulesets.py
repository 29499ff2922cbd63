"""Malformed rulesets: every key with values that it cannot have, every contradiction, every mistake about keys."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bad_input import NOT_TOML, BadFile
from buraco_sim.rules import KEYS, TABLES

#: Settings that contradict each other, and the key to blame. One entry a line of the rules, and of what cannot be played.
CONTRADICTIONS: list[tuple[dict[str, object], str]] = [
    ({"melds.run_aces": 2, "melds.run_max": 13}, "melds.run_aces"),
    ({"canasta.ace_to_ace": 1000}, "canasta.ace_to_ace"),
    ({"table.mortos": [], "morto.untaken": 0}, "go_out.morto_gone"),
    ({"table.mortos": [], "go_out.morto_gone": "allowed"}, "morto.untaken"),
    ({"table.hand": 15, "table.mortos": [24, 24]}, "table.hand"),
    ({"table.mortos": [32, 31]}, "table.mortos"),  # the upcard is the last card
    ({"table.mortos": [31, 30], "stock.dead": 2}, "stock.dead"),  # two cards are left in the stock, both dead
    ({"table.mortos": [26, 26], "table.upcard_wild": "reshuffle"}, "table.upcard_wild"),  # twelve cards are left, and twelve wilds
    ({"table.mortos": [26, 26], "table.upcard_wild": "bury"}, "table.upcard_wild"),
    (
        {
            "match.kind": "target",
            "go_out.bonus": 0,
            **{key: 0 for key in KEYS if key.startswith("values.")},
            **dict.fromkeys(("canasta.clean", "canasta.dirty", "canasta.semi"), 0),
        },
        "match.kind",
    ),
]

#: Values that no rule has.
NEVER = (5.5, "twelve", "", -1_000_000, 1_000_000, [99], ["A", "A"], [1, "x"], {"a": 1}, [[]], True)

SPECIFIC: dict[str, tuple[object, ...]] = {
    "deck.jokers": (-1, 5),
    "table.seats": (3, 0),
    "table.mortos": ([1], [61], [2, 2, 2, 2], 11),
    "melds.sets": ("some", ["2"], ["A", "2"], ["1"], ["10"], [], ["A", "A"]),
    "melds.set_max": (2, 10),
    "melds.run_wild_min": (1, 2, 5),
    "canasta.clean": (201, -5, 10_005),
    "values.ace": (7, 1005),
    "morto.untaken": (5, -3, -10_005),
    "morto.per_team": (0, 2, "all"),
    "go_out.bonus": (99,),
    "stock.dead": (1, 3),
    "stock.max_turns": (99, 2001),
    "opening.min": (-1, 501),
    "match.vp": ([50], [0] * 10, list(range(10)), list(range(100, 0, -10)), [5.0] * 10),
}


def toml(values: dict[str, object]) -> bytes:
    """Return settings as the text of a TOML file."""
    return "".join(f"{key} = {_value(value)}\n" for key, value in values.items()).encode()


def _value(value: object) -> str:
    return "{a = 1}" if isinstance(value, dict) else json.dumps(value)


def _wrong_values() -> Iterator[BadFile]:
    for key, rule in KEYS.items():
        is_flag = rule.domain.expected == "true or false"
        for value in (*NEVER, *SPECIFIC.get(key, ())):
            if not (is_flag and value is True):
                yield BadFile(f"{key} = {value!r}", toml({key: value}), (f"{key} = ", "expected"))


def _wrong_keys() -> Iterator[BadFile]:
    for key in KEYS:
        yield BadFile(f"{key} mistyped", toml({key + "e": 1}), (f"unknown key '{key}e'", "expected", "did you mean"))
    for table in TABLES:
        yield BadFile(f"[{table}] mistyped", f"[{table}x]\n".encode(), (f"'{table}x'", "did you mean"))
        yield BadFile(f"{table} no table", f"{table} = 3\n".encode(), (f"{table} = 3", "table"))
    yield BadFile("key beside the tables", b"jokers = 4\n", ("unknown key 'jokers'", "[deck]"))


def _wrong_heads() -> Iterator[BadFile]:
    yield BadFile("name no text", b"name = 5\n", ("name = 5",))
    yield BadFile("name with capitals", b"name = 'My Game'\n", ("name = 'My Game'", "small letters"))
    yield BadFile("title no text", b"title = ['a']\n", ("title = ['a']", "text"))
    yield BadFile("base unknown", b"base = 'stlb'\n", ("'stlb'", "did you mean 'stbl'?"))
    yield BadFile("base no text", b"base = 1\n", ("base = 1",))
    yield BadFile("base missing", b"base = 'nowhere/at-all.toml'\n", ("at-all.toml", "cannot read"))
    yield BadFile("assumed no list", b"assumed = 'melds.run_max'\n", ("assumed = ", "list"))
    yield BadFile("assumed unknown", b"assumed = ['melds.run_mx']\n", ("'melds.run_mx'", "did you mean 'melds.run_max'?"))
    yield BadFile("assumed no keys", b"assumed = [1]\n", ("assumed", "1"))


def malformed_rulesets() -> list[BadFile]:
    """Return malformed rulesets, always the same ones in the same order."""
    contradictions = [BadFile(f"contradiction about {key}", toml(values), (f"{key} = ", "expected")) for values, key in CONTRADICTIONS]
    return [*NOT_TOML, *_wrong_heads(), *contradictions, *_wrong_keys(), *_wrong_values()]
