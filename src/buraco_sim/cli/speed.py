"""`buraco bench` and `buraco warmup`."""

from __future__ import annotations

from typing import Annotated

import typer

from buraco_sim.cli.options import AsJson, ConfigFile, Players, Quiet, Settings, Variant, job_of
from buraco_sim.cli.output import announce_compiling, note, print_json
from buraco_sim.job import DEFAULT_PLAYERS, DEFAULT_VARIANT


def warmup(as_json: AsJson = False, quiet: Quiet = False) -> None:
    """Compile everything, once a machine."""
    announce_compiling(quiet)

    from buraco_sim.bench import compile_all

    seconds = compile_all()
    if as_json:
        print_json(seconds=seconds)
    else:
        print("\n".join(f"{name:<12} {value:6.2f} s" for name, value in seconds.items()))


def bench(
    context: typer.Context,
    variant: Variant = DEFAULT_VARIANT,
    players: Players = DEFAULT_PLAYERS,
    settings: Settings = None,
    repetitions: Annotated[int, typer.Option("--repetitions", min=1, max=1000, help="The median of so many is reported.")] = 7,
    cold: Annotated[bool, typer.Option("--cold/--no-cold", help="Also compile everything anew, in a folder of its own.")] = True,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Measure the speed on this machine. Deals/s, cost of a turn and of a deal, threads, compiling, start."""
    job = job_of(context, variant, players, settings)
    announce_compiling(quiet)

    from buraco_sim.bench import measure_playing, measure_starting

    values = measure_playing(job, repetitions)
    if cold:
        note("compiling everything anew in a folder of its own ...", quiet)
        values |= measure_starting(job)
    if as_json:
        print_json(variant=job.rules.name, players=[one.name for one in job.seats], **values)
    else:
        print("\n".join(f"{name.replace('_', ' '):<24} {value:>14,.2f}" for name, value in values.items()))
