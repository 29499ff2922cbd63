"""`buraco judge`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from buraco_sim.errors import BuracoError, ExitCode, InputError, shown

Judge = Callable[[Any], dict[str, Any]]


class Engine(StrEnum):
    """Who answers."""

    KERNEL = "kernel"
    REFEREE = "referee"


def judge(
    cases: Annotated[Path, typer.Argument(help="File of cases, one JSON object a line; - is standard input.")] = Path("-"),
    engine: Annotated[Engine, typer.Option("--engine", help="The compiled core, or the referee in plain Python.")] = Engine.KERNEL,
) -> None:
    """Answer rule questions, one JSON line each."""
    ask = _judge_of(engine)
    failed = False
    for line in read_lines(cases):
        answer = _answer(ask, line)
        failed = failed or "error" in answer
        print(json.dumps(answer))
    if failed:
        raise typer.Exit(ExitCode.FAILURE)


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file or of standard input (`-`) that are not blank."""
    if str(path) == "-":
        yield from filter(bytes.strip, sys.stdin.buffer)
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", where=str(path), expected="a file of JSON lines") from None
    with file:
        yield from filter(bytes.strip, file)


def _judge_of(engine: Engine) -> Judge:
    if engine is Engine.REFEREE:
        from buraco_sim.referee import answer

        return answer
    from buraco_sim.cli.output import announce_compiling
    from buraco_sim.judge import judge as ask

    announce_compiling(quiet=False)
    return ask


def _answer(ask: Judge, line: bytes) -> dict[str, Any]:
    try:
        case = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"id": None, "error": f"no JSON: {error}, in {shown(line[:80].decode(errors='replace').strip())}"}
    try:
        return ask(case)
    except BuracoError as error:
        return {"id": case.get("id") if isinstance(case, dict) else None, "error": str(error)}
