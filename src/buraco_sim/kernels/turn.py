"""Legality of every action of a turn, and the one predicate that decides stranding, mortos and going out (rules 1.1, 1.2).

Everything here reads and tries on a VIEW record: the engine's true one, or the copy that a player holds. What is tried is
taken back before the function returns.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim._jit import kernel
from buraco_sim.kernels.bits import (
    ALL_ACES,
    ALL_TWOS,
    JOKER,
    highest,
    lowest,
    mask_of,
    more_once,
    more_twice,
    places,
    plane_points,
    popcount,
)
from buraco_sim.kernels.candidates import added_cards, candidates, has_set_of, meld_fits
from buraco_sim.kernels.melds import TWO_BIT, canasta_class, is_clean_class, is_set, meld_points, naturals_of, places_of, suit_of, wild_of
from buraco_sim.layout import (
    ACT_DISCARD,
    ACT_DRAW_PILE,
    ACT_DRAW_STOCK,
    ACT_MELD,
    ACT_PASS,
    CHOICES,
    PENDING_ANY,
    PENDING_NONE,
    PENDING_TOP,
    PHASE_DRAW,
    PHASE_PLAY,
)

TAKE_FREE: Final = CHOICES["pile.take"].index("free")
TAKE_MELD_ANY: Final = CHOICES["pile.take"].index("meld_any")
RETURN_FACE: Final = CHOICES["pile.return_single"].index("face")
RETURN_ALLOWED: Final = CHOICES["pile.return_single"].index("allowed")
OUT_NONE: Final = CHOICES["go_out.canasta"].index("none")
OUT_CLEAN: Final = CHOICES["go_out.canasta"].index("clean")
OUT_OPTIONAL: Final = CHOICES["go_out.final_discard"].index("optional")
GONE_ALLOWED: Final = CHOICES["go_out.morto_gone"].index("allowed")
STOCK_MORTO: Final = CHOICES["stock.exhausted"].index("morto")

LIST: Final = 256  # candidates looked at in one go when all are listed
FEW: Final = 8  # and when one that fits is enough
HIGH_ACE: Final = 13
MOST_ADDED: Final = 14  # no meld action adds more cards


@kernel
def action_of(kind: int, slot: int, payload: int) -> int:
    """An action as one integer."""
    return kind | (slot << 3) | (payload << 9)


@kernel
def is_wild(card: int) -> bool:
    """Whether a card is a 2 or a joker."""
    return card == JOKER or (card & 15) == 1


@kernel
def holds(now: Any, card: int) -> bool:
    """Whether the hand has a card."""
    if card == JOKER:
        return now.jokers > 0
    return (now.once >> card) & 1 != 0


@kernel
def may_take_morto(rules: Any, now: Any) -> bool:
    """Whether the team takes a morto if the hand is emptied now."""
    return now.n_mortos > 0 and now.taken[now.team] < rules.morto_per_team


@kernel
def may_go_out(rules: Any, now: Any) -> bool:
    """Whether the team may go out with the melds that it has now (rules 1.2)."""
    team = now.team
    if now.taken[team] == 0 and not (now.n_mortos == 0 and rules.go_out_morto_gone == GONE_ALLOWED):
        return False
    if rules.go_out_canasta == OUT_NONE:
        return True
    if rules.go_out_canasta == OUT_CLEAN:
        return now.clean_canastas[team] > 0
    return now.canastas[team] > 0


@kernel
def may_discard(rules: Any, now: Any, card: int) -> bool:
    """Whether a card of the hand may be discarded now."""
    if card == now.barred or now.pending != PENDING_NONE:
        return False
    if now.n_hand > 1 or may_take_morto(rules, now):
        return True
    return may_go_out(rules, now) and (rules.go_out_wild_discard != 0 or not is_wild(card))


@kernel
def can_discard(rules: Any, now: Any) -> bool:
    """Whether some card of the hand may be discarded, a pending condition apart."""
    barred = now.barred
    others = now.once
    if 0 <= barred < JOKER:
        others &= ~(1 << barred)
    has_joker = now.jokers > 0 and barred != JOKER
    if now.n_hand > 1 or may_take_morto(rules, now):
        return others != 0 or has_joker
    if not may_go_out(rules, now):
        return False
    if rules.go_out_wild_discard:
        return others != 0 or has_joker
    return (others & ~ALL_TWOS) != 0


@kernel
def lay(rules: Any, now: Any, slot: int, after: int) -> None:
    """Carry out a legal meld action: hand, table, points, canastas and the pending condition."""
    team = now.team
    before = 0
    if slot < now.n_melds[team]:
        before = np.int64(now.tables[team, slot])
        kind = canasta_class(rules, before)
        now.canasta_bonus[team] -= rules.canasta_points[kind]
        now.canastas[team] -= kind != 0
        now.clean_canastas[team] -= is_clean_class(kind)
        now.table_points[team] -= meld_points(rules, before)
    else:
        now.n_melds[team] += 1
    add1, add2, add_jokers = added_cards(before, after)
    back1, back2, back_jokers = added_cards(after, before)  # a wild that returns to the hand
    once, twice = now.once, now.twice
    now.once, now.twice = more_once(once, twice, add1, add2), more_twice(twice, add1)
    now.jokers += back_jokers - add_jokers
    now.twice |= now.once & back1
    now.once |= back1
    now.n_hand += popcount(back1) + popcount(back2) + back_jokers - popcount(add1) - popcount(add2) - add_jokers
    now.tables[team, slot] = after
    kind = canasta_class(rules, after)
    now.canasta_bonus[team] += rules.canasta_points[kind]
    now.canastas[team] += kind != 0
    now.clean_canastas[team] += is_clean_class(kind)
    points = meld_points(rules, after)
    now.table_points[team] += points
    now.hand_points = (
        plane_points(rules.card_points, now.once) + plane_points(rules.card_points, now.twice) + now.jokers * rules.card_points[JOKER]
    )
    if now.pending == PENDING_ANY or (now.pending == PENDING_TOP and has_card(add1, add_jokers, now.pending_card)):
        now.pending = PENDING_NONE
        now.pending_card = -1


@kernel
def has_card(once: int, jokers: int, card: int) -> bool:
    """Whether a set of cards holds a card."""
    if card == JOKER:
        return jokers > 0
    return (once >> card) & 1 != 0


@kernel
def snapshot(now: Any, slot: int) -> tuple[int, int, int, int, int, int, int, int, int, int, int, int, int]:
    """What `lay` changes, to be put back by `restore`."""
    team = now.team
    return (
        np.int64(now.tables[team, slot]),
        now.n_melds[team],
        now.once,
        now.twice,
        now.jokers,
        now.n_hand,
        now.hand_points,
        now.canasta_bonus[team],
        now.canastas[team],
        now.clean_canastas[team],
        now.table_points[team],
        now.pending,
        now.pending_card,
    )


@kernel
def restore(now: Any, slot: int, saved: Any) -> None:
    """Take a tried meld action back."""
    team = now.team
    now.tables[team, slot] = saved[0]
    now.n_melds[team] = saved[1]
    now.once = saved[2]
    now.twice = saved[3]
    now.jokers = saved[4]
    now.n_hand = saved[5]
    now.hand_points = saved[6]
    now.canasta_bonus[team] = saved[7]
    now.canastas[team] = saved[8]
    now.clean_canastas[team] = saved[9]
    now.table_points[team] = saved[10]
    now.pending = saved[11]
    now.pending_card = saved[12]


@kernel
def may_empty(rules: Any, now: Any) -> bool:
    """Whether the hand may have been emptied by a meld, the state being that after it."""
    return may_take_morto(rules, now) or (rules.go_out_final_discard == OUT_OPTIONAL and may_go_out(rules, now))


@kernel
def can_empty(rules: Any, now: Any) -> bool:
    """Whether one single meld action empties the hand legally."""
    if now.n_hand > MOST_ADDED or now.jokers > 1:
        return False
    if rules.go_out_final_discard != OUT_OPTIONAL and not may_take_morto(rules, now):
        return False
    buffer = np.empty(FEW, np.int64)
    skip, n = 0, FEW
    while n == FEW:
        n = candidates(rules, now, now.once, now.twice, now.jokers, -1, True, skip, buffer)
        for i in range(n):
            slot, after = (buffer[i] >> 3) & 63, buffer[i] >> 9
            saved = snapshot(now, slot)
            lay(rules, now, slot, after)
            found = now.n_hand == 0 and may_empty(rules, now)
            restore(now, slot, saved)
            if found:
                return True
        skip += FEW
    return False


@kernel
def has_way_on(rules: Any, now: Any) -> bool:
    """`may_leave` where no pile condition is pending."""
    if now.n_hand == 0:
        return may_empty(rules, now)
    return now.may_pass != 0 or can_discard(rules, now) or can_empty(rules, now)


@kernel
def can_meet(rules: Any, now: Any, once: int, twice: int, jokers: int, must: int, new_wild: bool) -> bool:
    """Whether one single meld action with the card `must` (-1: any), the rest from these cards, is legal by 1.2."""
    buffer = np.empty(FEW, np.int64)
    skip, n = 0, FEW
    while n == FEW:
        n = candidates(rules, now, once, twice, jokers, must, new_wild, skip, buffer)
        for i in range(n):
            slot, after = (buffer[i] >> 3) & 63, buffer[i] >> 9
            saved = snapshot(now, slot)
            lay(rules, now, slot, after)
            found = has_way_on(rules, now)
            restore(now, slot, saved)
            if found:
                return True
        skip += FEW
    return False


@kernel
def may_leave(rules: Any, now: Any) -> bool:
    """The predicate of rules 1.2 on the state after a meld action or a pile take."""
    if now.pending != PENDING_NONE:
        return can_meet(rules, now, now.once, now.twice, now.jokers, now.pending_card, True)
    return has_way_on(rules, now)


@kernel
def may_lay(rules: Any, now: Any, slot: int, after: int) -> bool:
    """Whether a meld action that fits hand and table leaves the player with a way on."""
    saved = snapshot(now, slot)
    lay(rules, now, slot, after)
    legal = (now.pending == PENDING_NONE and now.barred < 0 and now.n_hand > 1) or may_leave(rules, now)
    restore(now, slot, saved)
    return legal


@kernel
def is_over(rules: Any, now: Any) -> bool:
    """Whether no card can be drawn and no morto can become the stock: the deal ends with the turn."""
    return now.n_drawable == 0 and not (rules.stock_exhausted == STOCK_MORTO and now.n_mortos > 0)


@kernel
def take(rules: Any, now: Any, once: int, twice: int, jokers: int, top: int) -> None:
    """Take the pile of these cards: hand, what is barred from the discard, and what is pending."""
    if now.n_pile == 1 and rules.pile_return_single != RETURN_ALLOWED and (rules.pile_return_single == RETURN_FACE or not holds(now, top)):
        now.barred = top
    now.twice |= twice | (now.once & once)
    now.once |= once
    now.jokers += jokers
    now.n_hand += now.n_pile
    now.phase = PHASE_PLAY
    if rules.pile_take == TAKE_MELD_ANY:
        now.pending = PENDING_ANY
    elif rules.pile_take != TAKE_FREE:
        now.pending = PENDING_TOP
        now.pending_card = top


@kernel
def reaches_run(now: Any, lane: int, suit: int, place: int, has_wild: bool) -> bool:
    """Whether a place may join an own run of its suit with cards of a lane: a necessary condition, quickly asked."""
    team = now.team
    for slot in range(now.n_melds[team]):
        meld = np.int64(now.tables[team, slot])
        if is_set(meld) or suit_of(meld) != suit:
            continue
        filled = places_of(meld)
        low, high = lowest(filled), highest(filled)
        between = mask_of(place, low - 1) if place < low else (mask_of(high + 1, place) if place > high else 0)
        missing = popcount(between & ~lane & ~(1 << place))
        if missing == 0 or (missing == 1 and (has_wild or wild_of(meld) or naturals_of(meld) & TWO_BIT)):
            return True
    return False


@kernel
def top_may_fit(rules: Any, now: Any, top: int) -> bool:
    """Whether the top of the pile might be melded: a necessary condition, so that most turns need no search."""
    if is_wild(top):
        return True
    suit, rank = top >> 4, top & 15
    has_wild = now.jokers > 0 or now.once & ALL_TWOS != 0
    if (rules.melds_sets >> rank) & 1:
        held = popcount((now.once >> rank) & ALL_ACES) + popcount((now.twice >> rank) & ALL_ACES) + has_wild
        if held >= 2 or has_set_of(now, rank):
            return True
    lane = places(now.once | (1 << top), suit)
    pair = lane & ((lane << 1) | (lane >> 1) | (lane << 2) | (lane >> 2))
    triple = lane & (lane >> 1) & (lane >> 2)
    in_run = triple | (triple << 1) | (triple << 2)
    spots = 1 << rank | ((rank == 0) << HIGH_ACE)
    if in_run & spots or (has_wild and pair & spots):
        return True
    return reaches_run(now, lane, suit, rank, has_wild) or (rank == 0 and reaches_run(now, lane, suit, HIGH_ACE, has_wild))


@kernel
def may_take(rules: Any, now: Any, pile_once: int, pile_twice: int, pile_jokers: int, top: int) -> bool:
    """Whether the pile of these cards may be taken (rules 1, [pile], and 1.2)."""
    if now.n_pile == 0 or is_over(rules, now):
        return False
    if rules.pile_take == TAKE_FREE and now.n_hand > 0 and (now.n_pile > 1 or rules.pile_return_single != RETURN_FACE):
        return True
    once, twice, jokers, n_hand = now.once, now.twice, now.jokers, now.n_hand
    # what may justify the take: the hand and the top card, buried cards do not
    with_top_twice = twice if top == JOKER else twice | (once & (1 << top))
    with_top_once = once if top == JOKER else once | (1 << top)
    with_top_jokers = jokers + (top == JOKER)
    if rules.pile_take != TAKE_FREE and rules.pile_take != TAKE_MELD_ANY and not top_may_fit(rules, now, top):
        return False
    take(rules, now, pile_once, pile_twice, pile_jokers, top)
    if now.pending == PENDING_TOP:
        legal = can_meet(rules, now, with_top_once, with_top_twice, with_top_jokers, top, rules.pile_use_top_with_wild != 0)
    else:
        legal = may_leave(rules, now)
    now.once, now.twice, now.jokers, now.n_hand = once, twice, jokers, n_hand
    now.phase, now.barred, now.pending, now.pending_card = PHASE_DRAW, -1, PENDING_NONE, -1
    return legal


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
        if payload >> 27 or not meld_fits(rules, now, now.once, now.twice, now.jokers, slot, payload):
            return False
        return may_lay(rules, now, slot, payload)
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
    part = np.empty(LIST, np.int64)
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
