"""`buraco verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buraco_sim.cli.judge import read_lines
from buraco_sim.cli.options import AsJson, Quiet
from buraco_sim.cli.output import print_json
from buraco_sim.errors import ExitCode


def verify(
    what: Annotated[str, typer.Argument(help="Run folder (or s3://..., gs://...), or a trace (JSON lines; - is standard input).")],
    sample: Annotated[int, typer.Option("--sample", min=0, help="Also replay so many rows of a run and referee them.")] = 0,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Check a run folder or a trace. Every byte of a run, every action of a trace."""
    from buraco_sim.results.store import is_address
    from buraco_sim.verify import verify_run, verify_trace

    is_run = is_address(what) or Path(what).is_dir()
    report = verify_run(what, sample=sample) if is_run else verify_trace(read_lines(Path(what)))
    if as_json:
        print_json(**report.to_dict())
    else:
        print("\n".join([*report.problems, report.text()]))
    if report.problems:
        raise typer.Exit(ExitCode.FAILURE)
