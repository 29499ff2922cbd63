"""Whether an action is legal, and the list of all that are."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import kernel
from buraco_sim.kernels.bits import JOKER, lowest
from buraco_sim.kernels.candidates import candidates, fitting_cards
from buraco_sim.kernels.pile import is_over
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.turn import action_of, holds, may_discard, may_lay, may_lay_cards
from buraco_sim.layout import ACT_DISCARD, ACT_DRAW_PILE, ACT_DRAW_STOCK, ACT_MELD, ACT_PASS, PHASE_DRAW

LIST: Final = 256  # candidates looked at in one go


@kernel
def is_legal(rules: Any, now: Any, action: int) -> bool:
    """Whether an action, any integer, is legal in this view; `take_legal` answers for the pile."""
    kind, slot, payload = action & 7, (action >> 3) & 63, action >> 9
    if now.phase == PHASE_DRAW:
        if kind == ACT_DRAW_STOCK:
            return action == ACT_DRAW_STOCK and not is_over(rules, now)
        return action == ACT_DRAW_PILE and now.take_legal != 0
    if kind == ACT_DISCARD:
        return slot == 0 and 0 <= payload <= JOKER and holds(now, payload) and may_discard(rules, now, payload)
    if kind == ACT_MELD:
        if payload >> 27:
            return False
        once, twice, jokers = fitting_cards(rules, now, now.once, now.twice, now.jokers, slot, payload)
        return (once != 0 or jokers != 0) and may_lay_cards(rules, now, slot, payload, once, twice, jokers)
    return action == ACT_PASS and now.may_pass != 0


@kernel
def store(buffer: Any, n: int, action: int) -> int:
    """Append an action if there is room; returns the new number of actions."""
    if n < len(buffer):
        buffer[n] = action
    return n + 1


@kernel
def list_others(rules: Any, now: Any, buffer: Any) -> int:
    """Write all legal discards and a legal pass into `buffer`; returns how many there are."""
    n = 0
    rest = now.once
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        if may_discard(rules, now, card):
            n = store(buffer, n, action_of(ACT_DISCARD, 0, card))
    if now.jokers and may_discard(rules, now, JOKER):
        n = store(buffer, n, action_of(ACT_DISCARD, 0, JOKER))
    if now.may_pass:
        n = store(buffer, n, ACT_PASS)
    return n


@kernel
def list_melds(rules: Any, now: Any, buffer: Any, n: int) -> int:
    """Append all legal meld actions to `buffer`; returns the new number of actions."""
    part = stack_words(LIST)
    skip, found = 0, LIST
    while found == LIST:
        found = candidates(rules, now, now.once, now.twice, now.jokers, -1, True, skip, part)
        for i in range(found):
            if may_lay(rules, now, (part[i] >> 3) & 63, part[i] >> 9):
                n = store(buffer, n, part[i])
        skip += LIST
    return n


@kernel
def list_actions(rules: Any, now: Any, buffer: Any) -> int:
    """Write all legal actions into `buffer`, int64[n]; returns how many there are, which may exceed its length.

    Draws or discards come first, then a pass, then meld actions.
    """
    if now.phase == PHASE_DRAW:
        n = 0
        for action in (ACT_DRAW_STOCK, ACT_DRAW_PILE):
            if is_legal(rules, now, action):
                n = store(buffer, n, action)
        return n
    return list_melds(rules, now, buffer, list_others(rules, now, buffer))
