"""`buraco tournament`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buraco_sim.cli.compare import NoOut, Out, Resume, check_folders
from buraco_sim.cli.options import (
    AsJson,
    ConfigFile,
    Quiet,
    Seed,
    Settings,
    Threads,
    Variant,
    complete_strategy,
    player_of,
    rulesets_of,
    run_folder,
)
from buraco_sim.cli.output import load_players, note, print_json
from buraco_sim.job import DEFAULT_SEED, DEFAULT_VARIANT

if TYPE_CHECKING:
    from buraco_sim.standings import Standings


def tournament(
    context: typer.Context,
    players: Annotated[list[str], typer.Argument(autocompletion=complete_strategy, help="Names of strategies, or TOML files.")],
    variant: Variant = DEFAULT_VARIANT,
    pairs: Annotated[int | None, typer.Option("--pairs", envvar="BURACO_PAIRS", help="So many pairs of every pairing.")] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", envvar="BURACO_BUDGET", help="Most pairs in all; by default 20,000 a pairing.")
    ] = None,
    anchor: Annotated[str | None, typer.Option("--anchor", help="Player whose rating is 0; by default they sum to 0.")] = None,
    seed: Seed = DEFAULT_SEED,
    settings: Settings = None,
    out: Out = None,
    no_out: NoOut = False,
    resume: Resume = False,
    html: Annotated[Path | None, typer.Option("--html", help="Write the standings as a page.")] = None,
    threads: Threads = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play a round robin of mirrored pairs. Ratings with intervals, cross table, who beats whom against the ratings."""
    check_folders(out, no_out, resume, None)
    if pairs is not None and budget is not None:
        raise typer.BadParameter("either a fixed sample or a budget", param_hint="--pairs and --budget")
    loaded = [player_of(context, name) for name in players]
    (rules,) = rulesets_of(context, [variant], settings)
    if out is None and not no_out:
        out = run_folder("tournament", [rules.name, *(one.name for one in loaded)], resume)

    from buraco_sim.cli.progress import now_and_then
    from buraco_sim.tournament import tournament as run
    from buraco_sim.tournament_page import page

    load_players(loaded, quiet)

    @now_and_then
    def show(rows: int, standings: Standings | None) -> None:
        text = ""
        if standings is not None:
            leader, left = standings.rows[0], len(standings.undecided())
            text = f", first {leader.name} {leader.rating:+.1f}, neighbours not decided: {left}"
        note(f"{rows:,} deals{text}", quiet)

    standings = run(
        loaded, rules, pairs=pairs, budget=budget, anchor=anchor, seed=seed, threads=threads, out=out, resume=resume, on_part=show
    )
    if html is not None:
        html.write_text(page(standings), encoding="utf-8")
    if as_json:
        print_json(**standings.to_dict(), out=None if out is None else str(out))
    else:
        print(standings.text())
        note(f"written to {out}", quiet or out is None)
