"""Error lines and exit codes."""

from __future__ import annotations

import pytest

from buraco_sim.errors import BuracoError, ExitCode, InputError, NotationError, RunError, did_you_mean, shown


def test_exit_codes_are_the_documented_ones() -> None:
    assert {code.name: int(code) for code in ExitCode} == {
        "DONE": 0,
        "FAILURE": 1,
        "USAGE": 2,
        "B_BETTER": 3,
        "UNDECIDED": 4,
        "NEITHER": 5,
        "INTERRUPTED": 130,
    }


def test_invalid_input_is_a_usage_error_and_a_failed_run_a_failure() -> None:
    assert issubclass(NotationError, InputError)
    assert InputError.exit_code == ExitCode.USAGE
    assert RunError.exit_code == BuracoError.exit_code == ExitCode.FAILURE


def test_an_error_line_says_where_what_expected_and_a_suggestion() -> None:
    line = str(InputError("stock.dead = 1", where="house.toml", expected="0 or 2", hint="did you mean 2?"))
    assert line == "house.toml: stock.dead = 1; expected 0 or 2; did you mean 2?"


@pytest.mark.parametrize("value", ["x" * 10_000, [1] * 10_000, "two\nlines", 16**9000], ids=["text", "list", "lines", "number"])
def test_a_value_is_shown_as_one_short_line(value: object) -> None:
    assert len(shown(value)) <= 60
    assert "\n" not in shown(value)


def test_nothing_near_gives_no_suggestion() -> None:
    assert did_you_mean("zebra", ["stbl", "burako"]) == ""
