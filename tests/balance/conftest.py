"""Runs of the real engine that the tests of the figures share."""

from __future__ import annotations

from pathlib import Path

import pytest

from buraco_sim.balance.campaign import play_jobs
from buraco_sim.job import make_job
from buraco_sim.results.reader import Run

#: Variants that between them have every column filled: sets, semi-clean, royal, two and four seats, both ways to end.
VARIANTS = ("stbl", "burraco-fibur", "buraco-classico", "burraco-duel")
DEALS = 400


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The same shuffles under four variants."""
    jobs = [make_job(variant, "greedy", deals=DEALS, part_deals=150) for variant in VARIANTS]
    return play_jobs(jobs, tmp_path_factory.mktemp("balance") / "run")


@pytest.fixture(scope="session")
def mirrored(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two players in mirrored pairs."""
    jobs = [make_job("stbl", "greedy,random", deals=150, part_deals=100)]
    return play_jobs(jobs, tmp_path_factory.mktemp("balance") / "mirrored")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty place for a run."""
    return tmp_path / "run"
