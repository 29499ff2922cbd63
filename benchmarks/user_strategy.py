"""What a strategy in a file of one's own costs: `greedy` copied into a file against `greedy` built in, interleaved; and a first deal.

python benchmarks/user_strategy.py
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from buraco_sim.engine import Seating
from buraco_sim.job import make_job
from buraco_sim.kernels.policies import greedy
from buraco_sim.tryout import write_template

DEALS, REPETITIONS = 1500, 31
VARIANTS = ("stbl", "burraco-fibur")


def copy_of_greedy(folder: Path) -> str:
    """The module of `greedy` as a user's file: without the decorators of the package."""
    text = Path(greedy.__file__).read_text(encoding="utf-8")
    text = re.sub(r"^from buraco_sim\._jit import .*$", "from buraco_sim import strategy", text, flags=re.MULTILINE)
    text = re.sub(r"^(FOLDER.*|@kernel|@inlined)\n", "", text, flags=re.MULTILINE)
    (folder / "copied.py").write_text(re.sub(r"^@entry\(.*\)$", "@strategy", text, flags=re.MULTILINE), encoding="utf-8")
    return f"{folder / 'copied.py'}:decide"


def ratio(players: tuple[str, str], variant: str) -> float:
    """Processor time of the first player's deals over that of the second's, medians of interleaved repetitions."""
    seatings = [Seating.of((job := make_job(variant, one, deals=1)).rules, job.seats, job.seed) for one in players]
    times: list[list[float]] = [[], []]
    for repetition in range(REPETITIONS):
        for index in (0, 1) if repetition % 2 else (1, 0):
            start = process_time()
            seatings[index].play(0, DEALS)
            times[index].append(process_time() - start)
    return median(times[0]) / median(times[1])


def first_deal(folder: Path) -> float:
    """Seconds of a command that plays the first deal of a strategy that was never compiled."""
    file = write_template("fresh", folder)
    file.write_text(file.read_text(encoding="utf-8") + f"\n# {perf_counter()}\n", encoding="utf-8")
    start = perf_counter()
    command = [sys.executable, "-m", "buraco_sim", "simulate", "--players", f"{file}:decide,random", "--deals", "1", "--quiet"]
    subprocess.run(command, check=True, capture_output=True)
    return perf_counter() - start


def main() -> None:
    """Print the figures."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        copied = copy_of_greedy(folder)
        for variant in VARIANTS:
            print(f"{variant}: greedy in a file takes {ratio((copied, 'greedy'), variant):.3f} times the time of greedy built in")
        print(f"first deal of a new strategy: {first_deal(folder):.2f} s")


if __name__ == "__main__":
    main()
