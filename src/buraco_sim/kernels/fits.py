"""Cards that the tables wait for, kept in the view: neither the engine nor a player has to look through the melds for them."""

from __future__ import annotations

from typing import Any

from buraco_sim._jit import kernel
from buraco_sim.kernels.bits import ALL_ACES, ALL_CARDS, HIGH_ACE
from buraco_sim.kernels.melds import ALL_PLACES, is_set, meld_at, naturals_of, places_of, suit_of


@kernel
def folded(lanes: int) -> int:
    """Places back to cards: a high ace is the ace."""
    return (lanes & ALL_CARDS) | ((lanes >> HIGH_ACE) & ALL_ACES)


@kernel
def spread(ranks: int) -> int:
    """All cards of a set of ranks, a mask of 13 bits."""
    pair = ranks | (ranks << 16)
    return pair | (pair << 32)


@kernel
def note_fits(now: Any, team: int) -> None:
    """Bring `fits` and `nearly_fits` of a team up to date with its table.

    Both have the ranks of its sets and the places of its wilds; the first the places next to its runs, the second those up to
    two places from them.
    """
    always, next_to, near = 0, 0, 0
    for slot in range(now.n_melds[team]):
        meld = meld_at(now, team, slot)
        if is_set(meld):
            always |= spread(1 << suit_of(meld))
            continue
        filled, free, lane = places_of(meld), ALL_PLACES & ~naturals_of(meld), 16 * suit_of(meld)
        next_to |= (((filled << 1) | filled | (filled >> 1)) & free) << lane
        near |= (((filled << 2) | filled | (filled >> 2)) & free) << lane
    now.fits[team], now.nearly_fits[team] = always | folded(next_to), always | folded(near)
