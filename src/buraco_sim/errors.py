"""The family of errors and the exit codes: every expected failure is one clear line, never a traceback.

An error line says what is wrong with which value, where (file and key), what is expected, and a suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """Exit codes of the command `buraco`."""

    DONE = 0  # `compare`: A is better
    FAILURE = 1
    USAGE = 2  # wrong command line, or an invalid file
    B_BETTER = 3
    UNDECIDED = 4
    NEITHER = 5  # `compare`: neither is better by the effect asked for
    INTERRUPTED = 130


class BuracoError(Exception):
    """Base of all expected errors; the command line prints its text and leaves with `exit_code`."""

    exit_code: ClassVar[ExitCode] = ExitCode.FAILURE


class RunError(BuracoError):
    """A run that failed: an illegal action of a strategy, a damaged part, a folder that holds another run."""


class InputError(BuracoError):
    """Invalid input: a ruleset, a strategy, a case, a trace or a command line.

    Parameters
    ----------
    problem : str
        What is wrong, with the value.
    where : str, optional
        File or option, so that the reader finds it.
    expected : str, optional
        What would be right.
    hint : str, optional
        A suggestion, such as the result of `did_you_mean`.

    Examples
    --------
    >>> print(InputError("deck.jokers = 9", where="house.toml", expected="a whole number 0..4"))
    house.toml: deck.jokers = 9; expected a whole number 0..4
    """

    exit_code: ClassVar[ExitCode] = ExitCode.USAGE

    def __init__(self, problem: str, *, where: str = "", expected: str = "", hint: str = "") -> None:
        parts = (f"{where}: {problem}" if where else problem, expected and f"expected {expected}", hint)
        super().__init__("; ".join(part for part in parts if part))


class NotationError(InputError):
    """A text that is no card, meld or pile in the notation of the rules."""


def shown(value: object, limit: int = 60) -> str:
    """Return a value of any input as one short line for an error message.

    Examples
    --------
    >>> shown("five")
    "'five'"
    >>> shown([11] * 40)
    '[11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, ...'
    """
    try:
        text = repr(value)
    except ValueError:  # Python refuses to print integers of thousands of digits
        return "a number of thousands of digits"
    return text if len(text) <= limit else text[: limit - 3] + "..."


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a suggestion for a mistyped word, or an empty text when nothing known is near.

    Examples
    --------
    >>> did_you_mean("stlb", ["stbl", "burako"])
    "did you mean 'stbl'?"
    """
    near = get_close_matches(word[:100], list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else ""
