"""A stand-in for the compiled core: plausible columns in no time, for tests of everything above it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from buraco_sim.layout import COLUMN_INDEX, KERNEL_COLUMNS, NULL, STATUS_ILLEGAL, STATUS_OK


class FakeEngine:
    """Plays deals by dice: a pure function of (seed, deal, weights of the teams).

    Attributes
    ----------
    illegal : set of int
        Deals in which the strategy of seat 1 is said to have chosen an illegal action.
    calls : int
        How often it was called.
    """

    def __init__(self) -> None:
        self.illegal: set[int] = set()
        self.calls = 0

    def play_batch(self, rules: Any, f0: Any, f1: Any, f2: Any, f3: Any, *arguments: Any) -> int:
        weights, _, seed, deals, starters, _, out, status, _ = arguments
        self.calls += 1
        teams = [[hash_of(f0, weights[0])], [hash_of(f1, weights[1])]]
        for i, deal in enumerate(deals):
            out[i] = row_of(int(seed), int(deal), int(starters[i]), teams)
            status[i] = (STATUS_ILLEGAL, 1, 7, 12345) if int(deal) in self.illegal else (STATUS_OK, 0, 0, 0)
        return 0


def hash_of(decide: Any, weights: Any) -> int:
    """A number for a player: the same name and weights play the same."""
    return sum(map(ord, str(decide))) + int(1000 * float(weights.sum()))


def row_of(seed: int, deal: int, starter: int, teams: list[list[int]]) -> np.ndarray[Any, Any]:
    """The kernel's columns of one deal."""
    row = np.zeros(len(KERNEL_COLUMNS), np.int32)

    def put(name: str, value: int) -> None:
        row[COLUMN_INDEX[name]] = value

    shared = np.random.default_rng([seed, deal])
    for team in (0, 1):
        dice = np.random.default_rng([seed, deal, *teams[team]])
        parts = {"cards": 5 * dice.integers(40, 200), "canastas": 100 * dice.integers(0, 4), "hand": -5 * dice.integers(0, 20), "morto": 0}
        for name, value in parts.items():
            put(f"{name}_{team}", value)
        put(f"score_{team}", sum(parts.values()))
        put(f"dirty_{team}", parts["canastas"] // 100)
        put(f"runs_{team}", dice.integers(2, 7))
        taken = bool(dice.integers(0, 2))
        put(f"mortos_{team}", taken)
        put(f"morto_turn_{team}", dice.integers(10, 40) if taken else NULL)
        put(f"morto_mode_{team}", dice.integers(1, 3) if taken else 0)
    margin = int(row[COLUMN_INDEX["score_0"]] - row[COLUMN_INDEX["score_1"]])
    put("starter", starter)
    put("winner", 0 if margin > 0 else 1 if margin < 0 else -1)
    reason, turns, seat = (int(value) for value in shared.integers([0, 40, 0], [2, 80, 4]))
    put("end_reason", reason)
    put("out_seat", NULL if reason else seat)
    put("turns", turns)
    put("last_lead_turn", NULL)
    put("worst_deficit", NULL if margin == 0 else 5 * int(shared.integers(0, 50)))
    put("half_margin", margin // 2)
    return row


def install(monkeypatch: pytest.MonkeyPatch) -> FakeEngine:
    """Put the stand-in in the place of the compiled core."""
    fake = FakeEngine()
    monkeypatch.setattr("buraco_sim.engine.play_batch", lambda: fake.play_batch)
    monkeypatch.setattr("buraco_sim._jit.is_compiled", lambda folder: True)  # nothing has to be compiled
    monkeypatch.setattr("buraco_sim.engine.decide_of", lambda strategy: strategy.policy)
    return fake
