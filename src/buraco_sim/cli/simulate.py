"""`buraco simulate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buraco_sim.cli.options import AsJson, ConfigFile, Players, Quiet, Seed, Settings, Threads, Variant, job_of
from buraco_sim.cli.output import load_engine, print_json
from buraco_sim.job import DEFAULT_DEALS, DEFAULT_PLAYERS, DEFAULT_SEED, DEFAULT_VARIANT


def simulate(
    context: typer.Context,
    variant: Variant = DEFAULT_VARIANT,
    players: Players = DEFAULT_PLAYERS,
    deals: Annotated[int, typer.Option("--deals", envvar="BURACO_DEALS", help="Different shuffles.")] = DEFAULT_DEALS,
    seed: Seed = DEFAULT_SEED,
    mirror: Annotated[
        bool | None,
        typer.Option(
            "--mirror/--no-mirror",
            envvar="BURACO_MIRROR",
            help="Each deal at two tables with the teams' strategies exchanged; the default if the teams differ.",
        ),
    ] = None,
    first_deal: Annotated[int, typer.Option("--first-deal", envvar="BURACO_FIRST_DEAL", help="Index of the first shuffle.")] = 0,
    settings: Settings = None,
    out: Annotated[Path | None, typer.Option("--out", envvar="BURACO_OUT", help="Run folder to write; without, only the summary.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run in --out.")] = False,
    threads: Threads = None,
    config: ConfigFile = None,
    print_config: Annotated[bool, typer.Option("--print-config", help="Print the resolved configuration as TOML and leave.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play deals and sum them up. Writes a run folder only where --out is given."""
    job = job_of(context, variant, players, settings, deals=deals, seed=seed, mirror=mirror, first_deal=first_deal)
    if print_config:
        from buraco_sim.config import config_text

        print(config_text(job), end="")
        return
    if resume and out is None:
        raise typer.BadParameter("needs --out, the folder of the run that goes on", param_hint="--resume")

    from buraco_sim.cli.progress import Progress
    from buraco_sim.runs import run_job
    from buraco_sim.summary import summary_text

    load_engine(job, quiet)
    with Progress(job.rows, quiet) as progress:
        summary, seconds = run_job(job, out, threads=threads, resume=resume, on_chunk=progress)
    values = summary.to_dict(played_rows=progress.done, seconds=seconds)
    if as_json:
        print_json(**values, out=None if out is None else str(out))
    else:
        print(summary_text(values))
        if out is not None:
            print(f"written            {out}")
