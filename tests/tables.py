"""Many tables, hands and piles made up at random in one go, and what is said of taking the pile there."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
from numba import types

from buraco_sim._jit import entry, kernel, kernel_sources, unit_folder
from buraco_sim.kernels.bits import JOKER
from buraco_sim.kernels.fits import note_fits
from buraco_sim.kernels.melds import is_legal_meld, meld_planes, run_meld, set_meld
from buraco_sim.kernels.pile import may_take, try_take
from buraco_sim.kernels.records import stack_words
from buraco_sim.kernels.rng import bounded
from buraco_sim.kernels.step import add_card
from buraco_sim.kernels.turn import count_meld
from buraco_sim.layout import PHASE_DRAW, RULES, VIEW
from buraco_sim.rules import Ruleset

FOLDER = unit_folder("tables", [*kernel_sources(), Path(__file__)])
_RULES = numba.from_dtype(RULES)[::1]
_VIEWS = numba.from_dtype(VIEW)[::1]


@kernel
def draw(source, n):  # type: ignore[no-untyped-def]
    """A number below n; `source` holds the key and the counter of the words."""
    found, source[1] = bounded(source[0], source[1], np.uint64(n))
    return np.int64(found)


@kernel
def claim(rules, used, once, twice, jokers):  # type: ignore[no-untyped-def]
    """Whether the deck still has these cards; they are used then."""
    if used[1] & once | used[0] & twice or used[2] + jokers > rules.deck_jokers:
        return False
    used[1] |= twice | used[0] & once
    used[0] |= once
    used[2] += jokers
    return True


@kernel
def card_near(rules, source, used, suit):  # type: ignore[no-untyped-def]
    """A card of what is left of the deck, half of the time of this suit, now and then a joker."""
    while True:
        if draw(source, 25) == 0 and claim(rules, used, 0, 0, 1):
            return JOKER
        card = 16 * (suit if draw(source, 2) else draw(source, 4)) + draw(source, 13)
        if claim(rules, used, 1 << card, 0, 0):
            return card


@kernel
def lay_any_meld(rules, now, source, used, suit):  # type: ignore[no-untyped-def]
    """Put a meld of whatever kind on the own table, if it is legal and the deck has its cards."""
    if draw(source, 4) == 0:
        meld = set_meld(draw(source, 13), draw(source, 256), draw(source, 6) * draw(source, 2))
    else:
        low, size = draw(source, 12), 3 + draw(source, 8)
        span = ((1 << size) - 1) << low & 0x3FFF
        wild, place = (1 + draw(source, 5), low + draw(source, size)) if draw(source, 2) else (0, 15)
        meld = run_meld(suit if draw(source, 2) else draw(source, 4), span & ~(1 << place), place, wild)
    once, twice, jokers = meld_planes(meld)
    if is_legal_meld(rules, meld) and claim(rules, used, once, twice, jokers):
        now.tables[0, now.n_melds[0]] = meld
        now.n_melds[0] += 1
        count_meld(rules, now, meld, 1)


@kernel
def set_up(rules, now, source, used):  # type: ignore[no-untyped-def]
    """A position of seat 0 before its draw; returns the top of the pile."""
    suit = draw(source, 4)
    used[0], used[1], used[2] = 0, 0, 0
    now.n_melds[0], now.canastas[0], now.clean_canastas[0], now.canasta_bonus[0] = 0, 0, 0, 0
    for _ in range(draw(source, 5)):
        lay_any_meld(rules, now, source, used, suit)
    note_fits(now, 0)
    now.once, now.twice, now.jokers, now.n_hand = 0, 0, 0, 0
    now.n_pile = 1 + draw(source, 4)
    top = card_near(rules, source, used, suit)
    add_card(rules, now, top)
    for _ in range(now.n_pile - 1):
        add_card(rules, now, card_near(rules, source, used, suit))
    now.pile_once, now.pile_twice, now.pile_jokers, now.pile_top = now.once, now.twice, now.jokers, top
    now.once, now.twice, now.jokers, now.n_hand = 0, 0, 0, 0
    for _ in range(1 + draw(source, 9)):
        add_card(rules, now, card_near(rules, source, used, suit))
    now.n_mortos, now.taken[0] = draw(source, 3), draw(source, 2)
    return top


@entry(types.int64(_RULES, _VIEWS, types.uint64[::1], types.int64), FOLDER)
def _first_difference(all_rules, nows, source, n):  # type: ignore[no-untyped-def]
    rules, now, used = all_rules[0], nows[0], stack_words(3)
    for i in range(n):
        top = set_up(rules, now, source, used)
        said = may_take(rules, now, now.pile_once, now.pile_twice, now.pile_jokers, top)
        if said != try_take(rules, now, now.pile_once, now.pile_twice, now.pile_jokers, top):
            return i
    return -1


def first_difference(rules: Ruleset, seed: int, n: int) -> str:
    """The first of n positions where the engine says otherwise of the pile than what trying every meld finds; "" if none."""
    now = np.zeros(1, VIEW)
    now["n_seats"], now["phase"], now["n_drawable"], now["pending_card"], now["barred"] = rules.table.seats, PHASE_DRAW, 20, -1, -1
    now["rules"] = rules.pack()
    source = np.array([seed, 0], np.uint64)
    if _first_difference(rules.pack(), now, source, n) < 0:
        return ""
    names = ("pile_top", "n_pile", "once", "twice", "jokers", "n_hand", "n_mortos", "taken", "n_melds", "tables")
    return ", ".join(f"{name} {now[name][0].tolist()}" for name in names)
