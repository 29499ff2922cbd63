"""`buraco balance`, `buraco report` and `buraco sql`: variants side by side, and questions to a run folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from buraco_sim.cli.options import AsJson, ConfigFile, Players, Quiet, Seed, Settings, Threads, complete_variant
from buraco_sim.cli.output import announce_compiling, note, print_json
from buraco_sim.config import Config
from buraco_sim.job import DEFAULT_PLAYERS, DEFAULT_SEED

if TYPE_CHECKING:
    from buraco_sim.balance.study import Plan, Study

DEALS = 100_000
DUEL_DEALS = 2_000


def balance(
    context: typer.Context,
    variants: Annotated[list[str], typer.Argument(autocompletion=complete_variant, help="Names of variants, or TOML files.")],
    players: Players = DEFAULT_PLAYERS,
    deals: Annotated[int, typer.Option("--deals", envvar="BURACO_DEALS", help="Shuffles under each variant.")] = DEALS,
    seed: Seed = DEFAULT_SEED,
    settings: Settings = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="Variant to compare with; by default the first.")] = None,
    tuned: Annotated[bool, typer.Option("--tuned/--no-tuned", help="A second column where there are weights tuned for a variant.")] = True,
    ladder: Annotated[str | None, typer.Option("--ladder", metavar="A,B,...", help="Players from weak to strong; '' for none.")] = None,
    restricted: Annotated[
        str | None,
        typer.Option("--restricted", metavar="A,B,...", help="Against the player; by default each restriction of it, '' for none."),
    ] = None,
    duel_deals: Annotated[int, typer.Option("--duel-deals", help="Mirrored pairs of each of these.")] = DUEL_DEALS,
    out: Annotated[Path | None, typer.Option("--out", envvar="BURACO_OUT", help="Run folder to write, with report.html.")] = None,
    threads: Threads = None,
    config: ConfigFile = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare variants. The same shuffles under each, then one table, and a page in --out."""
    from buraco_sim.balance.study import plan

    known = context.obj if isinstance(context.obj, Config) else Config()
    rulesets = [known.ruleset(one).override_text(settings or []) for one in variants]
    more: dict[str, Any] = {"tuned": tuned, "ladder": _names(ladder), "restricted": _names(restricted), "duel_deals": duel_deals}
    wanted = plan(rulesets, known.players(players), deals=deals, seed=seed, **more)
    study = _play(wanted, out, baseline, threads, quiet)
    _print(study, out, as_json)


def report(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    compare: Annotated[list[Path] | None, typer.Option("--compare", help="Another run folder; may be repeated.")] = None,
    baseline: Annotated[str | None, typer.Option("--baseline", help="Series to compare with; by default the first.")] = None,
    sample: Annotated[int, typer.Option("--sample", min=0, help="Deals of each series to replay; 0 replays none.")] = 24,
    out: Annotated[Path | None, typer.Option("--out", help="The page to write; by default report.html in the run folder.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Write the report of a run folder. One page that opens offline, and the table as text."""
    from buraco_sim.balance.study import study_runs
    from buraco_sim.report.page import write_report
    from buraco_sim.results.reader import Run

    announce_compiling(quiet)
    study = study_runs([Run.open(one) for one in (run, *(compare or []))], baseline=baseline, sample=sample)
    path = out or run / "report.html"
    write_report(study, path)
    _print_study(study, as_json)
    note(f"written {path}", quiet)


def sql(
    run: Annotated[Path, typer.Argument(help="Run folder.")],
    query: Annotated[str, typer.Argument(help='Such as "select end_reason, count(*) from deals group by all".')],
    as_json: AsJson = False,
) -> None:
    """Ask a run folder in SQL. The rows are the table deals, its columns those of buraco schema."""
    from buraco_sim.sql import rows_of
    from buraco_sim.sql import sql as ask

    table = ask(run, query)
    if as_json:
        print_json(columns=table.column_names, rows=[list(row) for row in rows_of(table)])
        return
    rows = [table.column_names, *rows_of(table)]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _play(wanted: Plan, out: Path | None, baseline: str | None, threads: int | None, quiet: bool) -> Study:
    from tempfile import TemporaryDirectory

    from buraco_sim.balance.series import find_label
    from buraco_sim.balance.study import play_plan
    from buraco_sim.cli.progress import Progress

    find_label([job.rules.name for job in wanted.jobs], baseline)
    announce_compiling(quiet)
    with TemporaryDirectory(prefix="buraco-") as folder, Progress(wanted.rows, quiet) as progress:
        study = play_plan(wanted, out or Path(folder), baseline=baseline, threads=threads, on_chunk=progress)
        if out is not None:
            from buraco_sim.report.page import write_report

            write_report(study, out / "report.html")
        return study


def _print(study: Study, out: Path | None, as_json: bool) -> None:
    if out is not None:
        import json

        from buraco_sim.job import SCHEMA_VERSION

        (out / "summary.json").write_text(json.dumps({"schema_version": SCHEMA_VERSION, **study.to_dict()}, indent=1) + "\n")
    _print_study(study, as_json)
    if out is not None and not as_json:
        print(f"written {out / 'report.html'}")


def _print_study(study: Study, as_json: bool) -> None:
    if as_json:
        print_json(**study.to_dict())
    else:
        from buraco_sim.balance.text import study_text

        print(study_text(study))
