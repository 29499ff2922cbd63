"""Progress on stderr, and Ctrl-C."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from buraco_sim.chunks import Chunk
from buraco_sim.cli.progress import SECONDS_BETWEEN_LINES, Progress


def chunks(n: int) -> list[Chunk]:
    return [Chunk(1000, (600_000, 500_000), [], 1000)] * n


def clock(monkeypatch: pytest.MonkeyPatch, step: float) -> None:
    """Every look at the clock is `step` seconds after the last."""
    ticks = itertools.count()
    monkeypatch.setattr("buraco_sim.cli.progress.monotonic", lambda: next(ticks) * step)


def test_off_a_terminal_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    clock(monkeypatch, SECONDS_BETWEEN_LINES / 2)
    with Progress(8000) as progress:
        for chunk in chunks(8):
            progress(chunk)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 4
    assert lines[0] == "2,000 of 8,000 deals, 200 deals/s, 30 s left, score 600 : 500"


def test_on_a_terminal_a_bar_with_rate_and_estimate(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with Progress(3000) as progress:
        for chunk in chunks(2):
            progress(chunk)
            assert progress.display is not None
    shown = capsys.readouterr().err
    assert "2000/3000" in shown
    assert "deals/s" in shown
    assert "score 600 : 500" in shown


def test_quiet_shows_nothing_and_counts_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(2000, quiet=True) as progress:
        for chunk in chunks(2):
            progress(chunk)
    assert progress.done == 2000
    assert capsys.readouterr().err == ""


def test_ctrl_c_leaves_at_once_with_130_and_a_run_that_can_go_on(tmp_path: Path) -> None:
    root = tmp_path / "run"
    command = [sys.executable, "-m", "buraco_sim", "simulate", "--players", "random", "--deals", "10000000", "--out", str(root), "--quiet"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(1200):  # compiling may come first
            if (root / "run.toml").exists() or process.poll() is not None:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "--resume" in err
    assert "Traceback" not in err
    assert '"interrupted"' in (root / "manifest.json").read_text()
