"""What the tests of the command line share."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import fake_engine
from buraco_sim.cli import main


@dataclass(frozen=True)
class Done:
    """What a command left."""

    code: int
    out: str
    err: str


Buraco = Callable[..., Done]


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BURACO_") and name != "BURACO_CACHE_DIR"]:
        monkeypatch.delenv(name)


@pytest.fixture
def real(capfd: pytest.CaptureFixture[str]) -> Buraco:
    """Runs a command line in this process."""

    def run(*arguments: object) -> Done:
        capfd.readouterr()
        code = main([str(one) for one in arguments])
        done = capfd.readouterr()
        return Done(code, done.out, done.err)

    return run


@pytest.fixture
def buraco(real: Buraco, monkeypatch: pytest.MonkeyPatch) -> Buraco:
    """Runs a command line in this process, with a stand-in for the compiled core."""
    fake_engine.install(monkeypatch)
    return real


@pytest.fixture
def run_folder(buraco: Buraco, tmp_path: Path) -> Path:
    """A run folder of 40 deals."""
    assert buraco("simulate", "--deals", 40, "--out", tmp_path / "run", "--quiet").code == 0
    return tmp_path / "run"
