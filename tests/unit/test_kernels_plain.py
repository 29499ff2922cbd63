"""The compiled core without its compiler, and with the compiler's checks of array bounds: the same rows."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from buraco_sim._jit import cache_root
from buraco_sim.job import make_job
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import signature
from plain import recorded
from refereed import built_in_players, played

RULES: list[tuple[str, dict[str, Any]]] = [
    ("burraco-fibur", {}),
    ("stbl", {"table.seats": 2}),
    ("buraco-classico", {}),
    ("tre-mortos", {"stock.exhausted": "morto", "stock.when": "draw"}),
]
CHECKED_PLAYERS = ("random", "greedy")  # each is compiled once more
CHECKED = """
import json, sys
from buraco_sim.job import make_job
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import signature
for variant, changes, players in json.load(sys.stdin):
    print(signature(make_job(Ruleset.load(variant).override(changes), players)))
"""


def run(command: list[str], text: str = "", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], input=text, env={**os.environ, **environment}, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("players", built_in_players())
@pytest.mark.parametrize(("variant", "changes"), RULES, ids=str)
def test_plain_python_plays_the_same_deal(variant: str, changes: dict[str, Any], players: str) -> None:
    rules = Ruleset.load(variant).override(changes)
    _, _, lines = recorded(rules, players, 1)
    assert lines == played(rules, players, 1)[1]


def test_a_command_runs_without_the_compiler() -> None:
    command = ["-m", "buraco_sim", "replay", "--variant", "stbl", "--players", "random", "--deal", "3", "--seed", "11", "--json"]
    found = run(command, NUMBA_DISABLE_JIT="1")
    assert [json.loads(line) for line in found.splitlines()] == played(Ruleset.load("stbl"), "random", 3)[1]


@pytest.mark.slow
def test_no_array_is_read_or_written_out_of_bounds() -> None:
    """A cache of its own next to the usual one, so that the checked code is compiled once a machine too."""
    jobs = [(variant, changes, players) for variant, changes in RULES for players in CHECKED_PLAYERS]
    found = run(["-c", CHECKED], json.dumps(jobs), NUMBA_BOUNDSCHECK="1", BURACO_CACHE_DIR=str(cache_root() / "checked"))
    assert found.split() == [signature(make_job(Ruleset.load(variant).override(changes), players)) for variant, changes, players in jobs]
