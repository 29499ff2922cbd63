"""`buraco plan`."""

from __future__ import annotations

from typing import Annotated

import typer

from buraco_sim.cli.compare import Effect, Player
from buraco_sim.cli.options import AsJson, ConfigFile, Quiet, Seed, Settings, Threads, Variant, player_of, rulesets_of
from buraco_sim.cli.output import load_players, print_json
from buraco_sim.job import DEFAULT_EFFECT, DEFAULT_SEED, DEFAULT_VARIANT


def plan(
    context: typer.Context,
    a: Player,
    b: Player,
    variant: Variant = DEFAULT_VARIANT,
    effect: Effect = DEFAULT_EFFECT,
    pilot: Annotated[int, typer.Option("--pilot", help="Pairs to play.")] = 2000,
    seed: Seed = DEFAULT_SEED,
    settings: Settings = None,
    threads: Threads = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Say what a comparison needs. Plays a pilot; pairs, deals and minutes on this machine."""
    first, second = (player_of(context, name) for name in (a, b))
    (rules,) = rulesets_of(context, [variant], settings)
    load_players([first, second], quiet)

    from buraco_sim.cli.progress import Progress
    from buraco_sim.plan import plan as run

    with Progress(2 * pilot, quiet) as progress:
        found = run(first, second, rules, effect=effect, pilot=pilot, seed=seed, threads=threads, on_chunk=progress)
    if as_json:
        print_json(**found.to_dict())
    else:
        print(found.text())
