"""Is an action legal, and what does it bring about? And the list of all legal actions."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

from buraco_sim.referee.actions import Action, Discard, Draw, Lay, Pass, describe_action, sort_actions
from buraco_sim.referee.leave import (
    after_move,
    legal_moves,
    may_take_morto,
    objection_to_discard,
    objection_to_leaving,
    objection_to_take,
)
from buraco_sim.referee.melds import read_meld
from buraco_sim.referee.moves import make_move, objection_to_move
from buraco_sim.referee.position import Position
from buraco_sim.rules import Ruleset


class Effect(NamedTuple):
    """How a morto is taken by an action (``"direct"``, ``"indirect"`` or None), and the reason why the deal ends, or None."""

    morto: str | None = None
    ends: str | None = None


def drawable(rules: Ruleset, at: Position) -> int:
    """Return how many cards can be drawn before a morto becomes the stock."""
    return max(0, at.stock - rules.stock.dead)


def is_over(rules: Ruleset, at: Position) -> bool:
    """Return whether no card can be drawn and no morto can become the stock: the deal ends with the turn."""
    return drawable(rules, at) == 0 and (rules.stock.exhausted == "end" or at.mortos == 0)


def objection(rules: Ruleset, at: Position, action: Action) -> str:
    """Return why an action is not legal in a position, or an empty text."""
    if isinstance(action, Draw):
        return _objection_to_draw(rules, at, action)
    if at.phase == "draw":
        return "a turn starts with a draw"
    match action:
        case Lay():
            return _objection_to_lay(rules, at, action)
        case Discard(card):
            return objection_to_discard(rules, at, card)
        case Pass():
            return "" if at.may_pass else "a turn ends with a discard"


def _objection_to_draw(rules: Ruleset, at: Position, draw: Draw) -> str:
    if at.phase != "draw":
        return "one draw a turn"
    if is_over(rules, at):
        return "the stock is out, so the deal is over"
    if draw.source == "stock":
        return ""
    return objection_to_take(rules, at) if at.pile else "the pile is empty"


def _objection_to_lay(rules: Ruleset, at: Position, lay: Lay) -> str:
    if lay.slot is not None and not 0 <= lay.slot < len(at.own):
        return f"the team has no meld {lay.slot}"
    after = read_meld(lay.after)
    if after is None:
        return "that is neither a run nor a set"
    move = make_move(at.own, lay.slot, after)
    return objection_to_move(rules, at.own, at.hand, move) or objection_to_leaving(rules, after_move(rules, at, move))


def effect_of(rules: Ruleset, at: Position, action: Action) -> Effect:
    """Return what a legal action brings about."""
    match action:
        case Draw():
            return Effect()
        case Lay(slot, laid):
            after = read_meld(laid)
            assert after is not None
            if after_move(rules, at, make_move(at.own, slot, after)).hand:
                return Effect()
            return Effect(morto="direct") if may_take_morto(rules, at) else Effect(ends="went_out")
        case Discard():
            return _effect_of_discard(rules, at)
        case Pass():
            return Effect(ends=_end_of_turn(rules, at))


def _effect_of_discard(rules: Ruleset, at: Position) -> Effect:
    if at.hand.total() > 1:
        return Effect(ends=_end_of_turn(rules, at))
    if not may_take_morto(rules, at):
        return Effect(ends="went_out")
    if rules.morto.after_discard == "same_turn":
        return Effect(morto="indirect")
    return Effect(morto="indirect", ends=_end_of_turn(rules, replace(at, mortos=at.mortos - 1)))


def _end_of_turn(rules: Ruleset, at: Position) -> str | None:
    return "stock_end" if is_over(rules, at) else None


def legal_actions(rules: Ruleset, at: Position) -> list[dict[str, Any]]:
    """Return every legal action of a position as the JSON of a case, sorted as text with sorted keys.

    Examples
    --------
    >>> from buraco_sim.referee.position import read_position
    >>> rules = Ruleset.load("stbl")
    >>> at = {"seat": 0, "phase": "draw", "hand": "7h 8h Kc", "tables": [[], []], "pile": "3d 9h", "stock": 51,
    ...       "mortos": 2, "taken": [False, False]}
    >>> legal_actions(rules, read_position(rules, at))
    [{'do': 'draw', 'from': 'pile'}, {'do': 'draw', 'from': 'stock'}]
    """
    if at.phase == "draw":
        actions: list[Action] = [Draw("stock"), Draw("pile")]
    else:
        actions = [Pass(), *(Discard(card) for card in Counter(at.hand))]
    legal: list[Action] = [action for action in actions if not objection(rules, at, action)]
    if at.phase == "play":
        legal += [Lay(move.slot, move.after.laid) for move in legal_moves(rules, at)]
    return sort_actions([describe_action(action) for action in legal])
