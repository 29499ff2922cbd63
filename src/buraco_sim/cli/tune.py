"""`buraco tune`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buraco_sim.cli.options import (
    AsJson,
    ConfigFile,
    Quiet,
    Seed,
    Settings,
    Threads,
    Variants,
    complete_strategy,
    player_of,
    rulesets_of,
    run_folder,
)
from buraco_sim.cli.output import load_players, note, print_json
from buraco_sim.job import DEFAULT_BUDGET, DEFAULT_EFFECT, DEFAULT_SEED, DEFAULT_VARIANT


def tune(
    context: typer.Context,
    player: Annotated[str, typer.Argument(autocompletion=complete_strategy, help="Name of a strategy, or a TOML file.")] = "steady",
    variant: Variants = None,
    budget_deals: Annotated[int | None, typer.Option("--budget-deals", help="Most deals of the search; by default 4,000,000.")] = None,
    minutes: Annotated[float | None, typer.Option("--minutes", help="Longest time of the search, instead of its deals.")] = None,
    panel: Annotated[
        str | None, typer.Option("--panel", metavar="A,B,...", help="Opponents; champion: the player as it is tuned so far.")
    ] = None,
    weights: Annotated[str | None, typer.Option("--weights", metavar="W1,W2,...", help="The weights that move; by default all.")] = None,
    effect: Annotated[float, typer.Option("--effect", envvar="BURACO_EFFECT", help="Points a pair that matter.")] = DEFAULT_EFFECT,
    budget: Annotated[int, typer.Option("--budget", envvar="BURACO_BUDGET", help="Most pairs of the proof.")] = DEFAULT_BUDGET,
    seed: Seed = DEFAULT_SEED,
    settings: Settings = None,
    out: Annotated[Path | None, typer.Option("--out", envvar="BURACO_OUT", help="Folder to write; by default one below runs.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted search.")] = False,
    threads: Threads = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Search the weights that win, prove them on fresh deals, write a strategy file. Exit code 0: better; else as of compare."""
    if minutes is not None and budget_deals is not None:
        raise typer.BadParameter("either deals or minutes", param_hint="--budget-deals and --minutes")
    start = player_of(context, player)
    rules = rulesets_of(context, variant or [DEFAULT_VARIANT], settings)
    folder = out or run_folder("tune", [start.name, *(one.name for one in rules)], resume)

    from buraco_sim.cli.progress import Searching
    from buraco_sim.report.tune_page import PAGE, tune_html
    from buraco_sim.results.store import FolderStore
    from buraco_sim.strategies import CHAMPION
    from buraco_sim.tune.journal import FILE
    from buraco_sim.tune.plan import PANEL
    from buraco_sim.tune.tuning import BUDGET_DEALS
    from buraco_sim.tune.tuning import tune as run

    opponents = [one if one == CHAMPION else player_of(context, one) for one in _names(panel) or PANEL]
    load_players([start, *(one for one in opponents if not isinstance(one, str))], quiet)
    most = 10**12 if minutes is not None else BUDGET_DEALS if budget_deals is None else budget_deals
    with Searching(most, minutes, quiet) as progress:
        found = run(
            start,
            rules,
            panel=opponents,
            weights=_names(weights),
            budget_deals=most,
            minutes=minutes,
            effect=effect,
            budget=budget,
            seed=seed,
            threads=threads,
            out=folder,
            resume=resume,
            on_generation=progress.on_generation,
        )
    FolderStore(folder).write(PAGE, tune_html(found).encode())
    if as_json:
        print_json(**found.to_dict(), out=str(folder))
    else:
        print(found.text())
        note(f"written to {folder}: {FILE}, {PAGE}", quiet)
    raise typer.Exit(found.exit_code)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [one.strip() for one in text.split(",")]
