"""Which strategies belong together: a player and its restricted forms, a player and its weights tuned for a variant, a ladder."""

from __future__ import annotations

from typing import Final

from buraco_sim.data_files import data_folder, read_toml
from buraco_sim.strategies import FOLDER, Strategy, strategy_names

WEAKEST: Final = "random"


def restricted_forms(player: str) -> list[str]:
    """Names of the shipped strategies that are `player` with restrictions: the same policy, and a table ``[restrictions]``."""
    policy = Strategy.load(player).policy
    found = []
    for name in strategy_names():
        content = read_toml(data_folder(FOLDER) / f"{name}.toml")
        if content.get("restrictions") and content.get("policy") == policy and name != player:
            found.append(name)
    return found


def tuned_form(player: str, variant: str) -> str | None:
    """Name of the shipped strategy that is `player` with weights tuned for a variant, ``PLAYER-VARIANT``, or None."""
    name = f"{player}-{variant}"
    return name if name in strategy_names() else None


def default_ladder(player: str) -> tuple[str, ...]:
    """From the weakest player to this one."""
    return () if player == WEAKEST else (WEAKEST, player)
