"""Which strategies belong together: a player and its restricted forms, a player and its weights tuned for a variant, a ladder."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from buraco_sim.restrictions import RESTRICTIONS
from buraco_sim.strategies import Strategy

WEAKEST: Final = "random"

#: Restrictions that are a number: with which one they are measured.
LENGTHS: Final = {"no_wild_below": 5}


def restricted_forms(player: Strategy) -> list[Strategy]:
    """The player with each restriction, one at a time, named ``PLAYER-RESTRICTION``; none of a player that has one already."""
    if player.restrictions:
        return []
    named = ((one.name, 1 if one.is_switch else LENGTHS[one.name]) for one in RESTRICTIONS.values())
    return [replace(player, name=f"{player.name}-{name.replace('_', '-')}", restrictions={name: value}) for name, value in named]


def default_ladder(player: str) -> tuple[str, ...]:
    """From the weakest player to this one."""
    return () if player == WEAKEST else (WEAKEST, player)
