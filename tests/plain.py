"""The compiled core as plain Python, beside the compiled one: its players can be closures that look at everything."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any
from unittest import mock

import buraco_sim
from buraco_sim.job import Players
from buraco_sim.policies import POLICIES
from buraco_sim.replay import Line, replay
from buraco_sim.rules import Ruleset
from refereed import SEED, built_in_players

KERNELS = "buraco_sim.kernels"

Decide = Callable[[Any, Any, Any], int]


@dataclass(frozen=True)
class Plain:
    """Modules of the kernels, not compiled."""

    modules: dict[str, ModuleType]
    players: dict[str, Decide]

    def module(self, name: str) -> Any:
        """A module of the kernels by its name in the package."""
        return self.modules[f"{KERNELS}.{name}"]


@cache
def plain_kernels() -> Plain:
    """Import the kernels a second time with the compiler off, and leave the compiled ones in their place."""

    def names() -> list[str]:
        return [name for name in sys.modules if name == KERNELS or name.startswith(KERNELS + ".")]

    package = import_module(KERNELS)
    compiled = {name: sys.modules.pop(name) for name in names()}
    try:
        with mock.patch("numba.core.config.DISABLE_JIT", new=1):
            players = {name: import_module(f"{KERNELS}.policies.{POLICIES[name].module}").decide for name in built_in_players()}
            import_module(f"{KERNELS}.batch")
            return Plain({name: sys.modules[name] for name in names()}, players)
    finally:
        for name in names():
            del sys.modules[name]
        sys.modules.update(compiled)
        buraco_sim.kernels = package  # type: ignore[attr-defined]


@contextmanager
def plain_engine(wrap: Callable[[Decide], Decide] = lambda decide: decide) -> Iterator[Plain]:
    """Let the plain kernels play, with each player's function wrapped."""
    plain = plain_kernels()
    with (
        mock.patch("buraco_sim.engine.play_batch", return_value=plain.module("batch").play_batch),
        mock.patch("buraco_sim.engine.decide_of", lambda strategy: wrap(plain.players[strategy.policy])),
    ):
        yield plain


def recorded(rules: Ruleset, players: Players, deal: int, seed: int = SEED) -> tuple[list[Any], list[int], list[Line]]:
    """Play a deal and return the view at every decision, what was decided, and the trace."""
    views: list[Any] = []
    decisions: list[int] = []

    def recording(decide: Decide) -> Decide:
        def decide_and_tell(view: Any, weights: Any, scratch: Any) -> int:
            views.append(view.copy())
            decisions.append(int(decide(view, weights, scratch)))
            return decisions[-1]

        return decide_and_tell

    with plain_engine(recording):
        played = replay(rules, players, deal=deal, seed=seed)
    assert not played.failure
    return views, decisions, [played.header, *played.events]
