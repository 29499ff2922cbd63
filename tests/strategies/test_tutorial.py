"""The tutorial, block by block: files are written, commands are run, and its last player beats `greedy`."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import buraco_sim as b
from buraco_sim.cli import main
from margins import margin

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_block_of_the_tutorial_works(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((root / "docs" / "your-own-strategy.md").read_text(encoding="utf-8"))
    assert {language for language, _ in blocks} == {"console", "python", "toml"}
    for language, text in blocks:
        if language == "console":
            for line in text.splitlines():
                assert line.startswith("$ buraco ")
                assert main(shlex.split(line.removeprefix("$ buraco "))) == 0, line
        else:
            named = re.match(r"# (\S+)\n", text)
            with Path(named[1] if named else "alone.py").open("a", encoding="utf-8") as file:
                file.write("\n\n" + text)
    assert b.simulate("stbl", "alone.py:decide", deals=2).num_rows == 2
    mean, half = margin("mine.py:decide,greedy", deals=1500)
    assert mean - half > 0
