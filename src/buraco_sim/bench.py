"""How fast this machine plays: medians of interleaved repetitions, so that a busy moment spoils none of the figures."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from statistics import median
from time import perf_counter
from typing import Final

from buraco_sim.engine import Seating, play_batch
from buraco_sim.errors import RunError
from buraco_sim.job import Job
from buraco_sim.layout import COLUMN_INDEX
from buraco_sim.policies import POLICIES
from buraco_sim.simulate import CHUNK_DEALS

SECONDS_A_REPETITION: Final = 0.25
CALIBRATION_DEALS: Final = 200
SHUFFLES: Final = 200_000


def compile_all() -> dict[str, float]:
    """Load the engine, every built-in player and what users' strategies call, compiling what is not compiled yet.

    Returns
    -------
    dict of str to float
        Seconds of each.
    """
    units: dict[str, Callable[[], object]] = {"engine": play_batch}
    for name, policy in POLICIES.items():
        units[name] = lambda module=f"buraco_sim.kernels.policies.{policy.module}": import_module(module)  # type: ignore[misc]
    for name, module in (("play", "buraco_sim.play"), ("probe", "buraco_sim.kernels.probe")):
        units[name] = lambda module=module: import_module(module)  # type: ignore[misc]
    return {name: _seconds(load) for name, load in units.items()}


def measure_playing(job: Job, repetitions: int) -> dict[str, float]:
    """Measure playing, shuffling and two threads.

    Parameters
    ----------
    job : Job
        Its rules and the strategies of table 0 are played.
    repetitions : int
        The median of so many is reported.

    Returns
    -------
    dict of str to float
        ``deals_per_second`` on one thread, ``turns_per_deal``, ``nanoseconds_per_turn``, ``shuffle_microseconds`` of 108
        cards, ``deal_in_shuffles``, and ``two_threads``: how many times the rate of one.
    """
    seating = Seating.of(job.rules, job.seats_at(0), job.seed)
    bench_shuffles = import_module("buraco_sim.kernels.batch").bench_shuffles
    seconds_a_deal = _seconds(lambda: seating.play(0, CALIBRATION_DEALS)) / CALIBRATION_DEALS
    n_chunks = max(2, 2 * round(SECONDS_A_REPETITION / seconds_a_deal / CHUNK_DEALS / 2))
    deals = n_chunks * CHUNK_DEALS

    def chunk(index: int) -> None:
        seating.play(index * CHUNK_DEALS, (index + 1) * CHUNK_DEALS)

    def one_thread() -> None:
        for index in range(n_chunks):
            chunk(index)

    with ThreadPoolExecutor(2) as pool:
        tasks: dict[str, Callable[[], object]] = {
            "play": one_thread,
            "shuffle": lambda: bench_shuffles(job.seed, SHUFFLES),
            "two": lambda: list(pool.map(chunk, range(n_chunks))),
        }
        times: dict[str, list[float]] = {name: [] for name in tasks}
        for _ in range(repetitions):
            for name, task in tasks.items():
                times[name].append(_seconds(task))
    play, shuffle, two = median(times["play"]) / deals, median(times["shuffle"]) / SHUFFLES, median(times["two"]) / deals
    turns = float(seating.play(0, deals)[0][:, COLUMN_INDEX["turns"]].mean())
    return {
        "deals_per_second": 1 / play,
        "turns_per_deal": turns,
        "nanoseconds_per_turn": 1e9 * play / turns,
        "shuffle_microseconds": 1e6 * shuffle,
        "deal_in_shuffles": play / shuffle,
        "two_threads": play / two,
    }


def measure_starting(job: Job) -> dict[str, float]:
    """Measure commands in processes of their own: the first on a fresh machine, and one with everything compiled.

    Returns
    -------
    dict of str to float
        ``cold_start_seconds`` until the first deals of a first command are played, ``warm_start_seconds`` of the same
        command again, ``help_seconds`` of ``buraco --help``.
    """
    play = ["simulate", "--variant", job.rules.name, "--players", ",".join(one.name for one in job.seats), "--deals", "1", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        fresh = os.environ | {"BURACO_CACHE_DIR": folder}
        return {
            "cold_start_seconds": _command_seconds(play, fresh),
            "warm_start_seconds": median(_command_seconds(play, fresh) for _ in range(3)),
            "help_seconds": median(_command_seconds(["--help"], fresh) for _ in range(3)),
        }


def _command_seconds(arguments: list[str], environment: Mapping[str, str]) -> float:
    def run() -> None:
        command = [sys.executable, "-m", "buraco_sim", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RunError(f"buraco {' '.join(arguments)} failed: {done.stderr.strip()[-200:]}")

    return _seconds(run)


def _seconds(task: Callable[[], object]) -> float:
    start = perf_counter()
    task()
    return perf_counter() - start
