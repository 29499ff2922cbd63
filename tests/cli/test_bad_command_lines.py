"""Whatever is wrong with a command line: one or two clear lines on stderr, the right exit code, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

from bad_input.command_lines import WORDS, BadLine, malformed_command_lines

LINES = list(malformed_command_lines())


@pytest.mark.parametrize("bad", LINES, ids=lambda bad: bad.label)
def test_it_fails_with_one_clear_message(bad: BadLine, buraco, run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "empty"
    folder.mkdir()
    for name, content in bad.files.items():
        (folder / name).write_bytes(content)
    for name, value in bad.environment.items():
        monkeypatch.setenv(name, value)

    def fill(text: str) -> str:
        return text.replace("{tmp}", str(folder)).replace("{run}", str(run_folder))

    done = buraco(*map(fill, bad.arguments))
    assert done.code == bad.code, done.err
    assert "Traceback" not in done.err
    lines = done.err.strip().splitlines()
    if bad.arguments:  # else the help is shown
        assert 1 <= len(lines) <= 2, done.err
        assert lines[0].startswith("buraco: ")
        assert all(len(line) < 1000 for line in lines)
    for word in bad.mentions:
        assert fill(word) in done.err
    if not bad.mentions:  # an option with a value that it cannot have: the message shows one of them
        option, value = bad.arguments[-2:]
        words = [option.removeprefix("--").replace("-", "_"), repr(fill(value)[:30])[1:-1] or "''", value.partition("=")[0]]
        assert any(word and word in done.err.replace("first-deal", "first_deal") for word in words)


def test_there_are_enough_of_them() -> None:
    assert len(LINES) >= 60
    assert len({bad.label for bad in LINES}) == len(LINES)
    assert set(WORDS) >= {"--deals", "--seed", "--variant", "--players", "--set"}
