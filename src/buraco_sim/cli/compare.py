"""`buraco compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from buraco_sim.cli.options import (
    AsJson,
    ConfigFile,
    Quiet,
    Settings,
    Threads,
    Variants,
    complete_strategy,
    is_given,
    player_of,
    rulesets_of,
    run_folder,
)
from buraco_sim.cli.output import load_players, note, print_json
from buraco_sim.job import DEFAULT_BUDGET, DEFAULT_EFFECT, DEFAULT_VARIANT

Player = Annotated[str, typer.Argument(autocompletion=complete_strategy, help="Name of a strategy, or a TOML file.")]
Effect = Annotated[float, typer.Option("--effect", envvar="BURACO_EFFECT", help="Points a pair that matter.")]
PairSeed = Annotated[int | None, typer.Option("--seed", envvar="BURACO_SEED", help="0 to 2**64 - 1; by default a fixed one.")]
Out = Annotated[Path | None, typer.Option("--out", envvar="BURACO_OUT", help="Run folder to write; by default one below runs.")]
NoOut = Annotated[bool, typer.Option("--no-out", help="Write no run folder.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")]
Matches = Annotated[bool, typer.Option("--matches", help="Pairs of matches instead of single deals.")]


def compare(
    context: typer.Context,
    a: Player,
    b: Player,
    variant: Variants = None,
    effect: Effect = DEFAULT_EFFECT,
    pairs: Annotated[int | None, typer.Option("--pairs", envvar="BURACO_PAIRS", help="A fixed sample of so many pairs.")] = None,
    budget: Annotated[int, typer.Option("--budget", envvar="BURACO_BUDGET", help="Most pairs of each variant.")] = DEFAULT_BUDGET,
    of_matches: Matches = False,
    seed: PairSeed = None,
    settings: Settings = None,
    out: Out = None,
    no_out: NoOut = False,
    resume: Resume = False,
    append: Annotated[Path | None, typer.Option("--append", metavar="RUN", help="Go on from the pairs of an earlier run.")] = None,
    threads: Threads = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play mirrored pairs until it is decided who is better. Exit code 0: A, 3: B, 5: neither by the effect, 4: undecided."""
    check_folders(out, no_out, resume, append)
    if pairs is not None and is_given(context, "budget"):
        raise typer.BadParameter("either a fixed sample or a budget", param_hint="--pairs and --budget")
    first, second = (player_of(context, name) for name in (a, b))
    named = [DEFAULT_VARIANT] if not variant and append is None else variant or []
    rules = rulesets_of(context, named, settings)
    if append is None and out is None and not no_out:
        out = run_folder("compare", [f"{first.name}-vs-{second.name}", *(one.name for one in rules)], resume)

    from buraco_sim.cli.progress import Deciding
    from buraco_sim.compare import compare as run

    load_players([first, second], quiet)
    with Deciding(2 * (pairs or budget), quiet) as progress:
        outcome = run(
            first,
            second,
            rules or None,
            effect=effect,
            pairs=pairs,
            budget=budget,
            matches=of_matches,
            seed=seed,
            threads=threads,
            out=out,
            resume=resume,
            append=append,
            on_look=progress.on_look,
            on_chunk=progress,
        )
    folder = append or out
    written = {"out": None if folder is None else str(folder)}
    values: list[dict[str, Any]] = [one.to_dict() for one in outcome.results]
    if as_json:
        several = {"results": values, "seed": values[0]["seed"], "signature": values[0]["signature"]}
        print_json(**(values[0] if len(values) == 1 else several), **written)
    else:
        print("\n\n".join(one.text() for one in outcome.results))
        note(f"written to {folder}", quiet or folder is None)
    raise typer.Exit(outcome.exit_code)


def check_folders(out: Path | None, no_out: bool, resume: bool, append: Path | None) -> None:
    """Refuse options of folders that contradict each other."""
    for first, second, both in (
        ("--out", "--no-out", out is not None and no_out),
        ("--append", "--out", append is not None and out is not None),
        ("--append", "--no-out", append is not None and no_out),
        ("--resume", "--no-out", resume and no_out),
    ):
        if both:
            raise typer.BadParameter("one of the two", param_hint=f"{first} and {second}")
