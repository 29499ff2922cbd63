"""`buraco sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from buraco_sim.cli.options import AsJson, Players, Quiet, Seed, Settings, Threads, complete_variant
from buraco_sim.cli.output import announce_compiling, print_json
from buraco_sim.job import DEFAULT_PLAYERS, DEFAULT_SEED, DEFAULT_VARIANT

DEALS = 20_000


def sweep(
    vary: Annotated[list[str], typer.Option("--vary", metavar="TABLE.KEY=A,B,...", help="A rule and its values; may be repeated.")],
    base: Annotated[
        str, typer.Option("--base", autocompletion=complete_variant, help="Variant that all have in common.")
    ] = DEFAULT_VARIANT,
    players: Players = DEFAULT_PLAYERS,
    deals: Annotated[int, typer.Option("--deals", envvar="BURACO_DEALS", help="Shuffles of each combination.")] = DEALS,
    fraction: Annotated[int, typer.Option("--fraction", min=1, metavar="N", help="Play a balanced 1/N of the combinations.")] = 1,
    seed: Seed = DEFAULT_SEED,
    settings: Settings = None,
    out: Annotated[Path | None, typer.Option("--out", envvar="BURACO_OUT", help="Run folder to write, with sweep.html.")] = None,
    threads: Threads = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play every combination of rule values. Says what each value does to each measure."""
    from tempfile import TemporaryDirectory

    from buraco_sim.cli.progress import Progress
    from buraco_sim.report.sweep_page import sweep_html, sweep_text
    from buraco_sim.rules import Ruleset
    from buraco_sim.sweep import make_design, play_design

    design = make_design(Ruleset.load(base).override_text(settings or []), vary, fraction=fraction)
    rows = sum(job.rows for job in design.jobs(players, deals=deals, seed=seed))
    announce_compiling(quiet)
    with TemporaryDirectory(prefix="buraco-") as folder, Progress(rows, quiet) as progress:
        found = play_design(design, players, out or Path(folder), deals=deals, seed=seed, threads=threads, on_chunk=progress)
    if out is not None:
        (out / "sweep.html").write_text(sweep_html(found), encoding="utf-8")
    if as_json:
        print_json(**found.to_dict())
        return
    print(sweep_text(found))
    if out is not None:
        print(f"written {out / 'sweep.html'}")
