"""What the tests of users' strategies share."""

from __future__ import annotations

from pathlib import Path

import pytest

from user_files import HEAD, Write


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a user's file into the current folder and returns the place of its function `decide`."""
    monkeypatch.chdir(tmp_path)

    def write_file(text: str, name: str = "mine.py") -> str:
        (tmp_path / name).write_text(HEAD + text)
        return f"{name}:decide"

    return write_file
