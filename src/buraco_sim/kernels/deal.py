"""One deal: from the shuffle to its row of columns, a pure function of its arguments."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buraco_sim._jit import inlined, kernel
from buraco_sim.kernels.bits import JOKER
from buraco_sim.kernels.pile import is_over, may_take
from buraco_sim.kernels.records import clear_record
from buraco_sim.kernels.rng import STREAM_SEAT, STREAM_UPCARD, bounded, shuffle, stream_key
from buraco_sim.kernels.score import final_score, running_score, set_penalties
from buraco_sim.kernels.state import STATE_BYTES
from buraco_sim.kernels.step import DEAL_GOES_ON, NOT_LEGAL, TURN_GOES_ON, add_card, convert, emit, put_hand_back, step, take_hand_out
from buraco_sim.kernels.turn import is_wild
from buraco_sim.kernels.view import show
from buraco_sim.layout import (
    CHOICES,
    COLUMN_INDEX,
    END_REASONS,
    EVENT_END,
    NULL,
    PENDING_NONE,
    STATUS_ILLEGAL,
    STATUS_OK,
    STATUS_SCORE,
    VIEW_BYTES,
)

UPCARD_KEEP: Final = CHOICES["table.upcard_wild"].index("keep")
UPCARD_RESHUFFLE: Final = CHOICES["table.upcard_wild"].index("reshuffle")
WHEN_TURN_END: Final = CHOICES["stock.when"].index("turn_end")
WENT_OUT: Final = END_REASONS.index("went_out")
STOCK_END: Final = END_REASONS.index("stock_end")
TURN_CAP: Final = END_REASONS.index("turn_cap")

COL_STARTER: Final = COLUMN_INDEX["starter"]
COL_SCORE: Final = COLUMN_INDEX["score_0"]
COL_WINNER: Final = COLUMN_INDEX["winner"]
COL_END: Final = COLUMN_INDEX["end_reason"]
COL_OUT_SEAT: Final = COLUMN_INDEX["out_seat"]
COL_TURNS: Final = COLUMN_INDEX["turns"]
COL_MORTOS: Final = COLUMN_INDEX["mortos_0"]
COL_MORTO_TURN: Final = COLUMN_INDEX["morto_turn_0"]
COL_MORTO_MODE: Final = COLUMN_INDEX["morto_mode_0"]
COL_PILES: Final = COLUMN_INDEX["piles_0"]
COL_PILE_CARDS: Final = COLUMN_INDEX["pile_cards_0"]
COL_CLEANED: Final = COLUMN_INDEX["cleaned_0"]
COL_DIRTIED: Final = COLUMN_INDEX["dirtied_0"]
COL_LEAD_CHANGES: Final = COLUMN_INDEX["lead_changes"]
COL_LAST_LEAD: Final = COLUMN_INDEX["last_lead_turn"]
COL_WORST: Final = COLUMN_INDEX["worst_deficit"]
COL_HALF: Final = COLUMN_INDEX["half_margin"]


@kernel
def deal_deck(rules: Any, seed: Any, deal: Any, deck: Any) -> int:
    """Write the cards as dealt: hands, mortos, the upcard if any, the stock top first. Returns their number (rules 1.3)."""
    n = shuffle(seed, deal, rules.deck_jokers, deck)
    if not rules.table_upcard or rules.table_upcard_wild == UPCARD_KEEP:
        return n
    top = rules.table_seats * rules.table_hand
    for i in range(rules.table_mortos):
        top += rules.morto_sizes[i]
    key, counter = stream_key(seed, deal, STREAM_UPCARD), np.uint64(0)
    while is_wild(deck[top]):
        card, to = deck[top], n - 1
        if rules.table_upcard_wild == UPCARD_RESHUFFLE:
            j, counter = bounded(key, counter, np.uint64(n - top))
            to = top + np.int64(j)
        for i in range(top, to):
            deck[i] = deck[i + 1]
        deck[to] = card
    return n


@inlined
def begin(rules: Any, state: Any, now: Any, seed: Any, deal: Any, starter: int) -> None:
    """Deal: hands to `state`, the first seat's to `now`. Both records have been zeroed."""
    n = deal_deck(rules, seed, deal, state.deck)
    at = 0
    now.n_seats, now.n_mortos = rules.table_seats, rules.table_mortos
    for seat in range(rules.table_seats):
        state.key[seat] = stream_key(seed, deal, STREAM_SEAT + np.uint64(seat))
        now.once, now.twice, now.jokers, now.hand_points = 0, 0, 0, 0
        for _ in range(rules.table_hand):
            add_card(rules, now, state.deck[at])
            at += 1
        now.seat = seat
        put_hand_back(state, now)
        now.hand_counts[seat] = rules.table_hand
    for i in range(rules.table_mortos):
        state.morto_start[i], state.morto_size[i] = at, rules.morto_sizes[i]
        at += rules.morto_sizes[i]
    state.end_morto = rules.table_mortos
    now.pile_top = -1
    if rules.table_upcard:
        card = state.deck[at]
        state.pile[0], now.pile_top, now.n_pile = card, card, 1
        if card == JOKER:
            now.pile_jokers = 1
        else:
            now.pile_once = 1 << card
        at += 1
    state.dead = rules.stock_dead
    state.stock_next, state.stock_end = at, n - state.dead
    now.n_stock, now.n_drawable = n - at, n - at - state.dead
    state.out_seat = -1
    now.pending, now.pending_card, now.barred = PENDING_NONE, -1, -1
    set_penalties(rules, state, now)
    take_hand_out(state, now, starter)


@inlined
def follow_lead(state: Any, margin: int, turn: int) -> None:
    """Keep the course of the deal: changes of the lead and the largest lead of each team."""
    if margin > state.best[0]:
        state.best[0] = margin
    elif -margin > state.best[1]:
        state.best[1] = -margin
    sign = int(margin > 0) - int(margin < 0)
    if sign != 0 and sign != state.lead:
        if state.lead != 0:
            state.lead_changes += 1
            state.last_lead_turn = turn
        state.lead = sign


@inlined
def end_turn(rules: Any, state: Any, now: Any) -> int:
    """What follows a turn: a morto becomes the stock, or the deal ends. Returns an end reason or DEAL_GOES_ON."""
    if state.out_seat >= 0:
        return WENT_OUT
    if is_over(rules, now):
        return STOCK_END
    if now.n_drawable == 0 and rules.stock_when == WHEN_TURN_END:
        convert(state, now)
    if now.turn >= rules.stock_max_turns:
        return TURN_CAP
    return DEAL_GOES_ON


@inlined
def write_row(rules: Any, state: Any, now: Any, reason: int, row: Any) -> bool:
    """Write the columns of a finished deal; False if the running score disagrees with the final one."""
    row[:] = 0
    agree = True
    for team in range(2):
        running = running_score(rules, state, now, team)
        if state.out_seat >= 0 and state.out_seat & 1 == team:
            running += rules.go_out_bonus
        agree = agree and running == final_score(rules, state, now, team, row)
        row[COL_MORTOS + team] = now.taken[team]
        row[COL_MORTO_TURN + team] = state.taken_turn[team] if now.taken[team] else NULL
        row[COL_MORTO_MODE + team] = state.taken_mode[team]
        row[COL_PILES + team] = state.piles[team]
        row[COL_PILE_CARDS + team] = state.pile_cards[team]
        row[COL_CLEANED + team] = state.cleaned[team]
        row[COL_DIRTIED + team] = state.dirtied[team]
    margin = row[COL_SCORE] - row[COL_SCORE + 1]
    follow_lead(state, margin, now.turn)
    state.margins[now.turn] = margin
    row[COL_WINNER] = 0 if margin > 0 else (1 if margin < 0 else -1)
    row[COL_END] = reason
    row[COL_OUT_SEAT] = state.out_seat if state.out_seat >= 0 else NULL
    row[COL_TURNS] = now.turn
    row[COL_LEAD_CHANGES] = state.lead_changes
    row[COL_LAST_LEAD] = state.last_lead_turn if state.lead_changes else NULL
    row[COL_WORST] = NULL if margin == 0 else (state.best[1] if margin > 0 else state.best[0])
    row[COL_HALF] = state.margins[(now.turn + 1) // 2]
    return agree


@inlined
def play_turn(rules: Any, players: Any, weights: Any, remembers: int, state: Any, now: Any, view: Any) -> tuple[int, int]:
    """Let the seat to move play its whole turn. Returns TURN_OVER or NOT_LEGAL, and the last action."""
    seat = now.seat
    weights_of_seat, scratch = weights[seat], state.scratch[seat]
    now.take_legal = may_take(rules, now, now.pile_once, now.pile_twice, now.pile_jokers, now.pile_top)
    while True:
        show(rules, state, now, view, remembers)
        if seat == 0:
            action = players[0](view, weights_of_seat, scratch)
        elif seat == 1:
            action = players[1](view, weights_of_seat, scratch)
        elif seat == 2:
            action = players[2](view, weights_of_seat, scratch)
        else:
            action = players[3](view, weights_of_seat, scratch)
        status = step(rules, state, now, action)
        if status != TURN_GOES_ON:
            return status, action


@kernel
def play_deal(
    rules: Any,
    players: Any,
    weights: Any,
    remembers: Any,
    seed: Any,
    deal: int,
    starter: int,
    standing: Any,
    state: Any,
    now: Any,
    view: Any,
    row: Any,
    status: Any,
) -> None:
    """Play one deal.

    Parameters
    ----------
    rules : record RULES
        The rules.
    players, weights, remembers : tuple of 4 functions, float64[4, w], int64[4]
        Who decides at each seat, with which weights, and who remembers the cards of a closed pile.
    seed, deal, starter, standing : uint64, int64, int64, int64[2]
        What the deal is a function of.
    state, now, view : records STATE, VIEW, VIEW
        Memory of this thread; afterwards `state` holds the events for which there was room.
    row, status : int32[*], int64[4]
        Written: the columns, and (STATUS_*, seat, turn, action).
    """
    clear_record(state, STATE_BYTES)
    clear_record(now, VIEW_BYTES)
    begin(rules, state, now, seed, np.uint64(deal), starter)
    now.standing[0], now.standing[1] = standing[0], standing[1]
    while True:
        turn, action = play_turn(rules, players, weights, remembers[now.seat], state, now, view)
        if turn == NOT_LEGAL:
            status[0], status[1], status[2], status[3] = STATUS_ILLEGAL, now.seat, now.turn, action
            return
        put_hand_back(state, now)
        reason = end_turn(rules, state, now)
        if reason != DEAL_GOES_ON:
            break
        margin = running_score(rules, state, now, 0) - running_score(rules, state, now, 1)
        state.margins[now.turn] = margin
        follow_lead(state, margin, now.turn)
        take_hand_out(state, now, (now.seat + 1) % now.n_seats)
    emit(state, EVENT_END, state.out_seat, reason, now.turn)
    agree = write_row(rules, state, now, reason, row)
    row[COL_STARTER] = starter
    status[0], status[1], status[2], status[3] = STATUS_OK if agree else STATUS_SCORE, now.seat, now.turn, 0
