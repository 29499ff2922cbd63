"""Byte strings that nobody meant, as TOML, cases, traces and parts: no traceback, no hang, no memory."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from buraco_sim.job import Job

NUMBER = 100  # of each of five kinds
SECONDS, MEGABYTES = 20.0, 1000  # some milliseconds are usual, but other programs may run too


def test_every_reader_says_what_is_wrong(real_job: Job, tmp_path: Path, root: Path) -> None:
    """In a process of its own: a crash of Arrow, or memory that was taken, is seen from outside."""
    for folder, number in (("compiled", 0), ("read", NUMBER)):  # compiling takes memory of its own, which is not that of reading
        (tmp_path / folder).mkdir()
        command = [sys.executable, str(root / "tests" / "hostile_bytes.py"), str(tmp_path / folder), str(number)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    *kinds, last = done.stdout.splitlines()
    assert len(kinds) == 5
    seconds, megabytes = map(float, re.findall(r"[\d.]+", last))
    assert seconds < SECONDS
    assert megabytes < MEGABYTES
