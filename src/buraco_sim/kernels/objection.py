"""Why an action is illegal: the reason behind `is_legal`, for people, found only when somebody asks."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import kernel
from buraco_sim.kernels.candidates import added_cards, has_set_of
from buraco_sim.kernels.legal import is_legal
from buraco_sim.kernels.melds import is_legal_meld, is_set, meld_at, meld_points, suit_of
from buraco_sim.kernels.pile import is_over
from buraco_sim.kernels.table import ILLEGAL, change
from buraco_sim.kernels.turn import holds
from buraco_sim.layout import ACT_DISCARD, ACT_DRAW_PILE, ACT_DRAW_STOCK, ACT_MELD, ACT_PASS, JOKER, PENDING_NONE, PHASE_DRAW

(
    OK,
    NO_ACTION,
    DRAW_FIRST,
    DRAWN_ALREADY,
    NOTHING_TO_DRAW,
    EMPTY_PILE,
    PILE_NOT_TO_BE_TAKEN,
    NOT_IN_HAND,
    CONDITION_PENDING,
    GIVEN_BACK,
    LAST_DISCARD,
    NO_SLOT,
    NO_MELD,
    NO_CHANGE,
    NOTHING_ADDED,
    SECOND_SET,
    OPENING,
    STRANDS,
    NO_PASS,
) = range(19)

REASONS: Final = {
    OK: "",
    NO_ACTION: "this is no action",
    DRAW_FIRST: "a turn starts with a draw",
    DRAWN_ALREADY: "there is one draw a turn",
    NOTHING_TO_DRAW: "no card can be drawn any more: the deal is over",
    EMPTY_PILE: "the pile is empty",
    PILE_NOT_TO_BE_TAKEN: "the condition for taking the pile cannot be met",
    NOT_IN_HAND: "the hand does not hold the cards",
    CONDITION_PENDING: "the condition of the taken pile has to be met first",
    GIVEN_BACK: "the single card of the pile may not be given back",
    LAST_DISCARD: "the last card may not be discarded: no morto to take, and the team may not go out so",
    NO_SLOT: "the team has no meld in this slot",
    NO_MELD: "this is no legal meld",
    NO_CHANGE: "the meld on the table may not become this one",
    NOTHING_ADDED: "no card is added",
    SECOND_SET: "the team has a set of this rank",
    OPENING: "the first meld does not reach the opening minimum",
    STRANDS: "the player would be left without a legal way to end the turn",
    NO_PASS: "a turn ends with a discard",
}


@kernel
def meld_objection(rules: Any, now: Any, slot: int, after: int) -> int:
    """What speaks against a meld action that is not legal."""
    team = now.team
    if slot > now.n_melds[team]:
        return NO_SLOT
    if not is_legal_meld(rules, after):
        return NO_MELD
    before = meld_at(now, team, slot) if slot < now.n_melds[team] else 0
    if before and change(rules, before, after) == ILLEGAL:
        return NO_CHANGE
    need1, need2, need_jokers = added_cards(before, after)
    if need1 == 0 and need_jokers == 0:
        return NOTHING_ADDED
    if need1 & ~now.once or need2 & ~now.twice or need_jokers > now.jokers:
        return NOT_IN_HAND
    if before == 0 and rules.melds_one_set_per_rank and is_set(after) and has_set_of(now, suit_of(after)):
        return SECOND_SET
    if before == 0 and now.n_melds[team] == 0 and meld_points(rules, after) < rules.opening_min:
        return OPENING
    return CONDITION_PENDING if now.pending != PENDING_NONE else STRANDS


@kernel
def draw_objection(rules: Any, now: Any, kind: int) -> int:
    """What speaks against a draw that is not legal."""
    if is_over(rules, now):
        return NOTHING_TO_DRAW
    return EMPTY_PILE if kind == ACT_DRAW_PILE and now.n_pile == 0 else PILE_NOT_TO_BE_TAKEN


@kernel
def objection(rules: Any, now: Any, action: int) -> int:
    """The reason why an action, any integer, is not legal; OK if it is."""
    if is_legal(rules, now, action):
        return OK
    kind, slot, payload = action & 7, (action >> 3) & 63, action >> 9
    if kind > ACT_PASS or payload < 0 or payload >> 27 or (kind != ACT_MELD and slot) or (kind == ACT_DISCARD and payload > JOKER):
        return NO_ACTION
    drawing = kind in (ACT_DRAW_STOCK, ACT_DRAW_PILE)
    if now.phase == PHASE_DRAW:
        return draw_objection(rules, now, kind) if drawing else DRAW_FIRST
    if drawing:
        return DRAWN_ALREADY
    if kind == ACT_MELD:
        return meld_objection(rules, now, slot, payload)
    if kind == ACT_PASS:
        return NO_PASS
    if not holds(now, payload):
        return NOT_IN_HAND
    if now.pending != PENDING_NONE:
        return CONDITION_PENDING
    return GIVEN_BACK if payload == now.barred else LAST_DISCARD
