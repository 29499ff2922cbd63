"""Carrying out one action: `step` judges it, changes the state and writes its events."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import JOKER
from buraco_sim.kernels.candidates import added_cards, may_return
from buraco_sim.kernels.fits import note_fits
from buraco_sim.kernels.legal import is_legal
from buraco_sim.kernels.melds import canasta_class, wild_of
from buraco_sim.kernels.pile import take
from buraco_sim.kernels.score import set_penalties
from buraco_sim.kernels.turn import lay_cards, may_take_morto, meld_before
from buraco_sim.kernels.view import forget, learn
from buraco_sim.layout import (
    ACT_DISCARD,
    ACT_DRAW_PILE,
    ACT_DRAW_STOCK,
    ACT_MELD,
    CHOICES,
    EVENT_DISCARD,
    EVENT_DRAW_PILE,
    EVENT_DRAW_STOCK,
    EVENT_MELD,
    EVENT_MORTO,
    EVENT_STOCK,
    MORTO_MODES,
    PENDING_NONE,
    PHASE_DRAW,
    PHASE_PLAY,
)

SAME_TURN: Final = CHOICES["morto.after_discard"].index("same_turn")
DIRECT: Final = MORTO_MODES.index("direct")
INDIRECT: Final = MORTO_MODES.index("indirect")

DEAL_GOES_ON: Final = -1
TURN_GOES_ON: Final = 0
TURN_OVER: Final = 1
NOT_LEGAL: Final = -1


@kernel
def emit(state: Any, kind: int, seat: int, a: int, b: int) -> None:
    """Count an event and write it if there is room."""
    n = state.n_events
    if n < state.room:
        state.events[n, 0], state.events[n, 1], state.events[n, 2], state.events[n, 3] = kind, seat, a, b
    state.n_events = n + 1


@kernel
def add_card(rules: Any, now: Any, card: int) -> None:
    """Put a card into the hand of the seat to move."""
    if card == JOKER:
        now.jokers += 1
    else:
        bit = 1 << card
        now.twice |= now.once & bit
        now.once |= bit
    now.n_hand += 1
    now.hand_points += rules.card_points[card]


@kernel
def put_hand_back(state: Any, now: Any) -> None:
    """End of a seat's turn: its hand from `now` to `state`."""
    seat = now.seat
    state.once[seat], state.twice[seat], state.jokers[seat], state.points[seat] = now.once, now.twice, now.jokers, now.hand_points
    now.hand_counts[seat] = now.n_hand


@kernel
def take_hand_out(state: Any, now: Any, seat: int) -> None:
    """Start of a seat's turn: its hand from `state` to `now`."""
    now.seat, now.team = seat, seat & 1
    now.once, now.twice, now.jokers, now.hand_points = state.once[seat], state.twice[seat], state.jokers[seat], state.points[seat]
    now.n_hand = now.hand_counts[seat]
    now.phase, now.may_pass, now.barred, now.pending, now.pending_card = PHASE_DRAW, 0, -1, PENDING_NONE, -1


@kernel
def convert(state: Any, now: Any) -> None:
    """The last morto in taking order becomes the stock, on the dead cards."""
    state.end_morto -= 1
    now.n_mortos -= 1
    i = state.end_morto
    state.stock_next = state.morto_start[i]
    state.stock_end = state.morto_start[i] + state.morto_size[i]
    now.n_drawable = state.morto_size[i]
    now.n_stock = now.n_drawable + state.dead
    emit(state, EVENT_STOCK, -1, i, 0)


@kernel
def take_morto(rules: Any, state: Any, now: Any, mode: int) -> None:
    """The seat to move has emptied its hand and takes the next morto."""
    seat, team, i = now.seat, now.team, state.next_morto
    state.next_morto += 1
    now.n_mortos -= 1
    if now.taken[team] == 0:
        state.taken_turn[team], state.taken_mode[team] = now.turn, mode
    now.taken[team] += 1
    start = state.morto_start[i]
    for k in range(start, start + state.morto_size[i]):
        add_card(rules, now, state.deck[k])
    emit(state, EVENT_MORTO, seat, i, mode)
    now.may_pass = mode == INDIRECT and rules.morto_after_discard == SAME_TURN
    state.fresh[seat] = mode == INDIRECT and rules.morto_after_discard != SAME_TURN
    set_penalties(rules, state, now)


@inlined
def draw_stock(rules: Any, state: Any, now: Any) -> None:
    """Draw the top card of the stock."""
    if now.n_drawable == 0:
        convert(state, now)
    card = state.deck[state.stock_next]
    state.stock_next += 1
    now.n_drawable -= 1
    now.n_stock -= 1
    add_card(rules, now, card)
    now.phase = PHASE_PLAY
    emit(state, EVENT_DRAW_STOCK, now.seat, card, 0)


@inlined
def draw_pile(rules: Any, state: Any, now: Any) -> None:
    """Take the whole pile."""
    seat, team, n = now.seat, now.team, now.n_pile
    once, twice, jokers, top = now.pile_once, now.pile_twice, now.pile_jokers, now.pile_top
    take(rules, now, once, twice, jokers, top)
    for i in range(n):
        now.hand_points += rules.card_points[state.pile[i]]
    learn(now, once, twice, jokers)
    if top == JOKER:
        state.top_jokers[seat] += 1
    else:
        state.top_twice[seat] |= state.top_once[seat] & (1 << top)
        state.top_once[seat] |= 1 << top
    state.piles[team] += 1
    state.pile_cards[team] += n
    now.pile_once, now.pile_twice, now.pile_jokers, now.pile_top, now.n_pile = 0, 0, 0, -1, 0
    emit(state, EVENT_DRAW_PILE, seat, n, 0)


@inlined
def begin_turn(rules: Any, state: Any, now: Any) -> None:
    """Count the draw; a morto taken by a discard is now played."""
    now.turn += 1
    if state.fresh[now.seat]:
        state.fresh[now.seat] = 0
        set_penalties(rules, state, now)


@inlined
def meld(rules: Any, state: Any, now: Any, slot: int, after: int) -> int:
    """Carry out a legal meld action."""
    team, before = now.team, meld_before(now, slot)
    if before:
        if wild_of(before) != wild_of(after) and canasta_class(rules, before) and canasta_class(rules, after):
            state.cleaned[team] += wild_of(after) == 0
            state.dirtied[team] += wild_of(before) == 0
        if may_return(before, after):
            back1, back2, back_jokers = added_cards(after, before)
            learn(now, back1, back2, back_jokers)
            state.top_twice[now.seat] |= state.top_once[now.seat] & back1
            state.top_once[now.seat] |= back1
            state.top_jokers[now.seat] += back_jokers
    once, twice, jokers = added_cards(before, after)
    forget(state, now, once, twice, jokers)
    lay_cards(rules, now, slot, before, after, once, twice, jokers)
    now.meld_actions[team] += 1
    note_fits(now, team)
    emit(state, EVENT_MELD, now.seat, slot, after)
    if now.n_hand:
        return TURN_GOES_ON
    if may_take_morto(rules, now):
        take_morto(rules, state, now, DIRECT)
        return TURN_GOES_ON
    state.out_seat = now.seat
    return TURN_OVER


@inlined
def discard(rules: Any, state: Any, now: Any, card: int) -> int:
    """Carry out a legal discard."""
    if card == JOKER:
        now.jokers -= 1
        now.pile_jokers += 1
        forget(state, now, 0, 0, 1)
    else:
        bit = 1 << card
        if now.twice & bit:
            now.twice ^= bit
        else:
            now.once ^= bit
        now.pile_twice |= now.pile_once & bit
        now.pile_once |= bit
        forget(state, now, bit, 0, 0)
    now.n_hand -= 1
    now.hand_points -= rules.card_points[card]
    state.pile[now.n_pile] = card
    now.n_pile += 1
    now.pile_top = card
    emit(state, EVENT_DISCARD, now.seat, card, 0)
    if now.n_hand:
        return TURN_OVER
    if may_take_morto(rules, now):
        take_morto(rules, state, now, INDIRECT)
        return TURN_GOES_ON if now.may_pass else TURN_OVER
    state.out_seat = now.seat
    return TURN_OVER


@inlined
def step(rules: Any, state: Any, now: Any, action: int) -> int:
    """Carry out an action of the seat to move: TURN_GOES_ON, TURN_OVER, or NOT_LEGAL with nothing changed."""
    if not is_legal(rules, now, action):
        return NOT_LEGAL
    kind = action & 7
    if kind == ACT_DISCARD:
        return discard(rules, state, now, action >> 9)
    if kind == ACT_MELD:
        return meld(rules, state, now, (action >> 3) & 63, action >> 9)
    if kind == ACT_DRAW_STOCK:
        begin_turn(rules, state, now)
        draw_stock(rules, state, now)
        return TURN_GOES_ON
    if kind == ACT_DRAW_PILE:
        begin_turn(rules, state, now)
        draw_pile(rules, state, now)
        return TURN_GOES_ON
    return TURN_OVER  # a pass
