"""What commands print: data on stdout, notes on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any

from buraco_sim.job import SCHEMA_VERSION, Job
from buraco_sim.strategies import Strategy


def print_json(**values: Any) -> None:
    """Print one JSON object with the schema version."""
    print(json.dumps({"schema_version": SCHEMA_VERSION, **values}, indent=1))


def note(text: str, quiet: bool = False) -> None:
    """Print a note on stderr."""
    if not quiet:
        print(text, file=sys.stderr)


def load_engine(job: Job, quiet: bool) -> None:
    """Load the engine and the players of a job; says so if that takes a while."""
    from buraco_sim.engine import seatings

    announce_compiling(quiet)
    seatings(job)


def load_players(strategies: Iterable[Strategy], quiet: bool) -> None:
    """Load the engine and some players, so that compiling counts for no rate."""
    from buraco_sim.engine import decide_of, play_batch

    announce_compiling(quiet)
    play_batch()
    for one in strategies:
        decide_of(one)


def announce_compiling(quiet: bool) -> None:
    """Say so if the compiled core must be compiled first: it happens once a machine and takes a while."""
    from buraco_sim._jit import is_compiled, kernel_sources, unit_folder

    if not is_compiled(unit_folder("engine", kernel_sources())):
        note("compiling the engine, once on this machine; this takes up to a minute ...", quiet)
