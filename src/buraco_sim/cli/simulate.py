"""`buraco simulate`."""

from __future__ import annotations

from typing import Annotated

import typer

from buraco_sim.cli.options import (
    AsJson,
    ConfigFile,
    Executor,
    Out,
    Players,
    Quiet,
    Resume,
    Scheduler,
    Seed,
    Settings,
    Threads,
    Variant,
    Workers,
    job_of,
)
from buraco_sim.cli.output import load_engine, note, print_json
from buraco_sim.job import DEFAULT_DEALS, DEFAULT_PLAYERS, DEFAULT_SEED, DEFAULT_VARIANT, Shard


def simulate(
    context: typer.Context,
    variant: Variant = DEFAULT_VARIANT,
    players: Players = DEFAULT_PLAYERS,
    deals: Annotated[int, typer.Option("--deals", envvar="BURACO_DEALS", help="Different shuffles.")] = DEFAULT_DEALS,
    matches: Annotated[
        int | None, typer.Option("--matches", envvar="BURACO_MATCHES", help="Play so many matches instead, by the variant's [match].")
    ] = None,
    seed: Seed = DEFAULT_SEED,
    mirror: Annotated[
        bool | None,
        typer.Option(
            "--mirror/--no-mirror",
            envvar="BURACO_MIRROR",
            help="Each deal at two tables with the teams' strategies exchanged; the default if the teams differ.",
        ),
    ] = None,
    first_deal: Annotated[int, typer.Option("--first-deal", envvar="BURACO_FIRST_DEAL", help="Index of the first shuffle, or match.")] = 0,
    settings: Settings = None,
    out: Out = None,
    resume: Resume = False,
    shard: Annotated[
        str | None,
        typer.Option("--shard", envvar="BURACO_SHARD", metavar="I/N", help="Only the I-th of N shares of the parts, into the same --out."),
    ] = None,
    threads: Threads = None,
    executor: Executor = "threads",
    workers: Workers = None,
    scheduler: Scheduler = None,
    config: ConfigFile = None,
    print_config: Annotated[bool, typer.Option("--print-config", help="Print the resolved configuration as TOML and leave.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play deals and sum them up. Writes a run folder only where --out is given."""
    job = job_of(context, variant, players, settings, deals=deals, matches=matches, seed=seed, mirror=mirror, first_deal=first_deal)
    if print_config:
        from buraco_sim.config import config_text

        print(config_text(job), end="")
        return
    for flag, value in (("--resume", resume), ("--shard", shard)):
        if value and out is None:
            raise typer.BadParameter("needs --out, the folder of the run", param_hint=flag)
    share = None if shard is None else Shard.parse(shard)

    from buraco_sim.cli.progress import Progress
    from buraco_sim.runs import make_executor, run_job
    from buraco_sim.summary import summary_text

    who = make_executor(executor, threads, workers, scheduler, lambda link: note(f"dashboard: {link}", quiet))
    with who.started() as maker:
        load_engine(job, quiet)
        with Progress(job.rows, quiet) as progress:
            summary, seconds = run_job(job, out, maker=maker, shard=share, resume=resume, on_start=progress.expect, on_chunk=progress)
    values = summary.to_dict(played_rows=progress.done, seconds=seconds)
    if as_json:
        print_json(**values, out=out)
    else:
        print(summary_text(values))
        if out is not None:
            print(f"written            {out}")
