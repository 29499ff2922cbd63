"""What a player can do, between the JSON of cases and traces and the referee's own words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from buraco_sim.cards import Laid, format_card, format_meld, parse_card, parse_meld
from buraco_sim.errors import InputError, did_you_mean, shown


class Draw(NamedTuple):
    """Draw a card from the stock, or take the pile."""

    source: str  # "stock" or "pile"


class Lay(NamedTuple):
    """Change the meld in a slot into another one; slot None opens a meld."""

    slot: int | None
    after: tuple[Laid, ...]


class Discard(NamedTuple):
    """Discard a card."""

    card: int


class Pass(NamedTuple):
    """End the turn without a discard."""


Action = Draw | Lay | Discard | Pass

_KEYS: Final = {"draw": {"do", "from"}, "meld": {"do", "slot", "after"}, "discard": {"do", "card"}, "pass": {"do"}}
WHERE: Final = "action"


def read_action(action: object) -> Action:
    """Return the action that a case describes.

    Raises
    ------
    InputError
        When it cannot be read.

    Examples
    --------
    >>> read_action({"do": "draw", "from": "pile"})
    Draw(source='pile')
    """
    if not isinstance(action, Mapping):
        raise InputError(f"no action {shown(action)}", where=WHERE, expected='an object such as {"do": "discard", "card": "Kc"}')
    do = action.get("do")
    if not isinstance(do, str) or do not in _KEYS:
        hint = did_you_mean(do, _KEYS) if isinstance(do, str) else ""
        raise InputError(f"do = {shown(do)}", where=WHERE, expected=f"one of {', '.join(_KEYS)}", hint=hint)
    if set(action) != _KEYS[do]:
        wrong = sorted(set(action) ^ _KEYS[do], key=str)[0]
        problem = "unknown" if wrong in action else "missing"
        raise InputError(f"{problem} key {shown(wrong)}", where=WHERE, expected=f"the keys {', '.join(sorted(_KEYS[do]))} to {do}")
    match do:
        case "draw":
            return Draw(_read_source(action["from"]))
        case "meld":
            return Lay(_read_slot(action["slot"]), parse_meld(action["after"]))
        case "discard":
            return Discard(parse_card(action["card"]))
        case _:
            return Pass()


def _read_source(source: object) -> str:
    if source not in ("stock", "pile"):
        raise InputError(f"from = {shown(source)}", where=WHERE, expected="stock or pile")
    return str(source)


def _read_slot(slot: object) -> int | None:
    if slot is not None and (not isinstance(slot, int) or isinstance(slot, bool)):
        raise InputError(f"slot = {shown(slot)}", where=WHERE, expected="the number of a meld of the team from 0, or null to open one")
    return slot


def describe_action(action: Action) -> dict[str, Any]:
    """Return an action as the JSON of a case, the inverse of `read_action`."""
    match action:
        case Draw(source):
            return {"do": "draw", "from": source}
        case Lay(slot, after):
            return {"do": "meld", "slot": slot, "after": format_meld(after)}
        case Discard(card):
            return {"do": "discard", "card": format_card(card)}
        case Pass():
            return {"do": "pass"}


def sort_actions(actions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return actions in the order of their JSON texts, `do` first: the discards, the draws, the meld actions, a pass."""
    return sorted(actions, key=json.dumps)
