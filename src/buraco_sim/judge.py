"""A position in words -> kernel state -> answer: the compiled engine asked about a rule (cases)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from buraco_sim.cards import JOKER, format_card, format_meld, full_deck, parse_cards, parse_meld
from buraco_sim.errors import InputError, NotationError, shown
from buraco_sim.kernels.batch import Work, new_work
from buraco_sim.kernels.objection import OK, REASONS
from buraco_sim.kernels.pile import RETURN_ALLOWED, RETURN_FACE, TAKE_FREE, TAKE_MELD_ANY
from buraco_sim.kernels.probe import probe_action, probe_actions, probe_layouts, probe_meld, probe_points
from buraco_sim.kernels.state import MOST_EVENTS
from buraco_sim.layout import (
    ACT_DISCARD,
    ACT_DRAW_PILE,
    ACT_DRAW_STOCK,
    ACT_MELD,
    ACT_PASS,
    CANASTA_CLASSES,
    END_REASONS,
    EVENT_MORTO,
    MORTO_MODES,
    PENDING_ANY,
    PENDING_NONE,
    PENDING_TOP,
    PHASE_DRAW,
    PHASE_PLAY,
)
from buraco_sim.meld_text import decode_meld, encode_meld
from buraco_sim.referee.actions import Action, Discard, Draw, Lay, read_action, sort_actions
from buraco_sim.referee.cases import answer
from buraco_sim.referee.position import Position, read_position
from buraco_sim.rules import Ruleset

_ACTIONS: Final = 1 << 14
_NO_SLOT: Final = 63
_NO_MELD: Final = 0


def judge(case: object) -> dict[str, Any]:
    """Answer a rule question by the compiled engine; what cannot be read is answered by one line under `error`.

    Parameters
    ----------
    case : dict
        `id`, `rules` (the name of a variant), optionally `set` (`table.key` -> value), `ask` and what is asked about.

    Returns
    -------
    dict
        The id and the answer.

    Examples
    --------
    >>> judge({"id": "R09", "rules": "stbl", "ask": "meld", "cards": "2h 3h 4h 2h 6h"})
    {'id': 'R09', 'legal': True, 'layouts': ['2h 3h 4h 2h* 6h']}
    """
    return answer(case, _RESPONDERS)


def _planes(cards: Counter[int]) -> tuple[int, int, int]:
    once = sum(1 << card for card in cards if card != JOKER)
    twice = sum(1 << card for card, n in cards.items() if card != JOKER and n > 1)
    return once, twice, cards[JOKER]


def _set_hand(packed: Any, now: Any, hand: Counter[int]) -> None:
    now["once"], now["twice"], now["jokers"] = _planes(hand)
    now["n_hand"] = hand.total()
    now["hand_points"] = probe_points(packed, np.fromiter(hand.elements(), np.int64))


def work_of(rules: Ruleset, at: Position) -> tuple[Any, Work]:
    """Return the packed rules and the engine's memory set to a position; hidden cards are placeholders."""
    packed = rules.pack()
    work = new_work(packed)
    now, state = work.now[0], work.state[0]
    now["seat"], now["team"], now["n_seats"] = at.seat, at.team, rules.table.seats
    now["phase"] = PHASE_DRAW if at.phase == "draw" else PHASE_PLAY
    _set_hand(packed, now, at.hand)
    now["pile_once"], now["pile_twice"], now["pile_jokers"] = _planes(Counter(at.pile))
    now["pile_top"], now["n_pile"] = at.pile[-1] if at.pile else -1, len(at.pile)
    state["pile"][: len(at.pile)] = at.pile
    now["n_stock"], now["n_drawable"] = at.stock, max(at.stock - rules.stock.dead, 0)
    state["out_seat"], state["room"] = -1, MOST_EVENTS
    state["stock_end"], state["dead"] = now["n_drawable"], min(at.stock, rules.stock.dead)
    now["n_mortos"], state["end_morto"] = at.mortos, at.mortos
    state["morto_size"][: at.mortos] = rules.table.mortos[: at.mortos]
    now["may_pass"], now["taken"] = at.may_pass, at.taken
    _set_condition(packed, now, at)
    for team in (0, 1):
        _set_table(packed, now, team, [encode_meld(meld.laid) for meld in at.tables[team]])
    return packed, work


def _set_condition(packed: Any, now: Any, at: Position) -> None:
    """What the pile taken this turn still asks for, and what it bars from the discard."""
    now["pending"], now["pending_card"], now["barred"] = PENDING_NONE, -1, -1
    if not at.took:
        return
    take, back = packed["pile_take"][0], packed["pile_return_single"][0]
    if take != TAKE_FREE and not at.used_top:
        now["pending"] = PENDING_ANY if take == TAKE_MELD_ANY else PENDING_TOP
        now["pending_card"] = -1 if take == TAKE_MELD_ANY else at.took[-1]
    if len(at.took) == 1 and back != RETURN_ALLOWED and (back == RETURN_FACE or not at.twin):
        now["barred"] = at.took[0]


def _set_table(packed: Any, now: Any, team: int, melds: list[int]) -> None:
    now["n_melds"][team] = len(melds)
    now["tables"][team, : len(melds)] = melds
    for meld in melds:
        _, kind, points = probe_meld(packed, meld)
        now["table_points"][team] += points
        now["canasta_bonus"][team] += packed["canasta_points"][0][kind]
        now["canastas"][team] += kind != 0
        now["clean_canastas"][team] += CANASTA_CLASSES[kind] in ("clean", "royal", "ace_to_ace", "eight")


def action_number(action: Action, n_melds: int) -> int:
    """Return the engine's integer of an action; where `after` is no meld or the slot does not exist, of one that is never legal."""
    match action:
        case Draw(source):
            return ACT_DRAW_STOCK if source == "stock" else ACT_DRAW_PILE
        case Lay(slot, after):
            number = n_melds if slot is None else (slot if slot < n_melds else _NO_SLOT)
            try:
                return ACT_MELD | number << 3 | encode_meld(after) << 9
            except NotationError:
                return ACT_MELD | number << 3 | _NO_MELD << 9
        case Discard(card):
            return ACT_DISCARD | card << 9
        case _:
            return ACT_PASS


def describe_number(action: int, n_melds: int) -> dict[str, Any]:
    """Return an action of the engine as the JSON of a case."""
    kind, slot, payload = action & 7, (action >> 3) & 63, action >> 9
    if kind == ACT_MELD:
        return {"do": "meld", "slot": None if slot == n_melds else slot, "after": format_meld(decode_meld(payload))}
    if kind == ACT_DISCARD:
        return {"do": "discard", "card": format_card(payload)}
    return {"do": "pass"} if kind == ACT_PASS else {"do": "draw", "from": "stock" if kind == ACT_DRAW_STOCK else "pile"}


def legal_actions(rules: Ruleset, at: Position) -> list[dict[str, Any]]:
    """Return every legal action of a position, sorted as JSON text with sorted keys."""
    packed, work = work_of(rules, at)
    buffer = np.empty(_ACTIONS, np.int64)
    n = probe_actions(packed, work.now, buffer)
    if n > len(buffer):
        buffer = np.empty(n, np.int64)
        probe_actions(packed, work.now, buffer)
    return sort_actions([describe_number(int(action), len(at.own)) for action in buffer[:n]])


def reason_against(rules: Ruleset, at: Position, action: int) -> str:
    """Why an action of the engine, any integer, is illegal in a position; empty if it is legal."""
    packed, work = work_of(rules, at)
    return REASONS[probe_action(packed, work.state, work.now, action)[0]]


def _meld(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    cards = Counter(parse_cards(case["cards"]))
    deck = Counter(full_deck(rules.deck.jokers))
    if any(n > deck[card] for card, n in cards.items()):
        return {"legal": False, "layouts": []}
    packed = rules.override({"opening.min": 0}).pack()
    work = new_work(packed)
    _set_hand(packed, work.now[0], cards)
    buffer = np.empty(_ACTIONS, np.int64)
    melds = [decode_meld(int(action) >> 9) for action in buffer[: probe_layouts(packed, work.now, buffer)]]
    layouts = sorted(format_meld(laid) for laid in melds if len(laid) == cards.total())
    return {"legal": bool(layouts), "layouts": layouts}


def _score(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    packed, laid = rules.pack(), parse_meld(case["meld"])
    legal, kind, points = probe_meld(packed, encode_meld(laid))
    if not legal:
        joker = rules.deck.jokers == 0 and any(one.card == JOKER for one in laid)
        reason = "there is no joker in the deck" if joker else "the rules do not allow it"
        raise InputError(f"meld = {shown(case['meld'])} is no legal meld: {reason}")
    return {"class": CANASTA_CLASSES[kind], "bonus": int(packed["canasta_points"][0][kind]), "points": int(points)}


def _hand(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    return {"points": probe_points(rules.pack(), np.array(parse_cards(case["cards"]), np.int64))}


def _legal(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    at, action = read_position(rules, case["position"]), read_action(case["action"])
    packed, work = work_of(rules, at)
    found, end = probe_action(packed, work.state, work.now, action_number(action, len(at.own)))
    if found != OK:
        return {"legal": False, "reason": REASONS[found]}
    mortos = [MORTO_MODES[row[3]] for row in work.state[0]["events"][: work.state[0]["n_events"]] if row[0] == EVENT_MORTO]
    return {
        "legal": True,
        "reason": "",
        "effect": {"morto": mortos[0] if mortos else None, "ends": END_REASONS[end] if end >= 0 else None},
    }


def _actions(rules: Ruleset, case: Mapping[str, Any]) -> dict[str, Any]:
    return {"actions": legal_actions(rules, read_position(rules, case["position"]))}


_RESPONDERS: Final = {"meld": _meld, "score": _score, "hand": _hand, "legal": _legal, "actions": _actions}
