"""Answers to rule questions (cases), one JSON object each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from buraco_sim.cards import parse_cards, parse_meld
from buraco_sim.errors import BuracoError, InputError, did_you_mean, shown
from buraco_sim.referee.actions import read_action
from buraco_sim.referee.legal import effect_of, legal_actions, objection
from buraco_sim.referee.melds import layouts, objection_to_layout, read_meld
from buraco_sim.referee.position import read_position
from buraco_sim.referee.score import canasta_of, points_of
from buraco_sim.rules import Ruleset

Respond = Callable[[Ruleset, Mapping[str, Any]], dict[str, Any]]

_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "meld": ("cards",),
    "score": ("meld",),
    "hand": ("cards",),
    "legal": ("position", "action"),
    "actions": ("position",),
}
_COMMON: Final = {"id", "rules", "set", "ask", "expect", "why"}


def answer(case: object, engine: Mapping[str, Respond] | None = None) -> dict[str, Any]:
    """Answer a rule question; what cannot be read is answered by one line under the key `error`.

    Parameters
    ----------
    case : dict
        `id`, `rules` (the name of a variant), optionally `set` (`table.key` -> value), `ask` and what is asked about;
        `expect` and `why` are ignored.
    engine : mapping, optional
        What answers each kind of question, by `ask`; the referee if it is left out.

    Returns
    -------
    dict
        The id and the answer.

    Examples
    --------
    >>> answer({"id": "R09", "rules": "stbl", "ask": "meld", "cards": "2h 3h 4h 2h 6h"})
    {'id': 'R09', 'legal': True, 'layouts': ['2h 3h 4h 2h* 6h']}
    """
    name = case.get("id") if isinstance(case, Mapping) else None
    try:
        return {"id": name} | _answer(case, REFEREE if engine is None else engine)
    except BuracoError as error:
        return {"id": name, "error": " ".join(str(error).split())}


def _answer(case: object, engine: Mapping[str, Respond]) -> dict[str, Any]:
    if not isinstance(case, Mapping):
        raise InputError(f"no case {shown(case)}", expected='an object such as {"id": "H1", "rules": "stbl", "ask": "hand", "cards": "As"}')
    ask = case.get("ask")
    if not isinstance(ask, str) or ask not in _KEYS:
        hint = did_you_mean(ask, _KEYS) if isinstance(ask, str) else ""
        raise InputError(f"ask = {shown(ask)}", expected=f"one of {', '.join(_KEYS)}", hint=hint)
    keys = _KEYS[ask]
    for key in ("id", "rules", *keys):
        if key not in case:
            raise InputError(f"missing key {key!r}", expected=f"the keys id, rules, ask, {', '.join(keys)}")
    for key in case:
        if key not in _COMMON and key not in keys:
            known = ("id", "rules", "set", "ask", *keys)
            raise InputError(f"unknown key {shown(key)}", expected=f"the keys {', '.join(known)}", hint=did_you_mean(str(key), known))
    return engine[ask](_rules_of(case), case)


def _rules_of(case: Mapping[str, Any]) -> Ruleset:
    name, changes = case["rules"], case.get("set", {})
    if not isinstance(name, str):
        raise InputError(f"rules = {shown(name)}", expected="the name of a variant")
    if not isinstance(changes, Mapping):
        raise InputError(f"set = {shown(changes)}", expected='an object such as {"go_out.canasta": "any"}')
    return _load(name, json.dumps(changes, sort_keys=True, default=str))


@lru_cache(maxsize=256)
def _load(name: str, changes: str) -> Ruleset:
    return Ruleset.load(name).override(json.loads(changes))


def _meld(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    found = layouts(rules, parse_cards(case["cards"]))
    return {"legal": bool(found), "layouts": found}


def _score(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    meld = read_meld(parse_meld(case["meld"]))
    reason = objection_to_layout(rules, meld) if meld else "it is neither a run nor a set"
    if meld is None or reason:
        raise InputError(f"meld = {shown(case['meld'])} is no legal meld: {reason}")
    name, bonus = canasta_of(rules, meld)
    return {"class": name, "bonus": bonus, "points": points_of(rules, meld.cards)}


def _hand(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    return {"points": points_of(rules, parse_cards(case["cards"]))}


def _legal(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    at, action = read_position(rules, case["position"]), read_action(case["action"])
    reason = objection(rules, at, action)
    if reason:
        return {"legal": False, "reason": reason}
    return {"legal": True, "reason": "", "effect": effect_of(rules, at, action)._asdict()}


def _actions(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    return {"actions": legal_actions(rules, read_position(rules, case["position"]))}


REFEREE: Final[Mapping[str, Respond]] = {"meld": _meld, "score": _score, "hand": _hand, "legal": _legal, "actions": _actions}
