"""`buraco replay`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from buraco_sim.cli.options import AsJson, ConfigFile, Quiet, Seed, Settings, complete_players, complete_variant, is_given, job_of
from buraco_sim.cli.output import announce_compiling, note
from buraco_sim.errors import ExitCode, InputError, RunError, shown
from buraco_sim.job import DEFAULT_PLAYERS, DEFAULT_SEED, DEFAULT_VARIANT, MATCH_DEALS

if TYPE_CHECKING:
    from buraco_sim.job import Job

MOST_DEALS = 50  # some 50 kB each


def replay(
    context: typer.Context,
    run: Annotated[Path | None, typer.Argument(help="Run folder; without, give --variant, --players and --seed.")] = None,
    deal: Annotated[str, typer.Option("--deal", metavar="N or N:M", help="Index of the shuffle, or a half-open range.")] = "0",
    table: Annotated[int, typer.Option("--table", help="0 or 1; at table 1 the teams' strategies are exchanged.")] = 0,
    variant: Annotated[
        str | None,
        typer.Option("--variant", envvar="BURACO_VARIANT", autocompletion=complete_variant, help="Variant, also to choose within a run."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option("--players", envvar="BURACO_PLAYERS", autocompletion=complete_players, help="Players, also to choose within a run."),
    ] = None,
    of_matches: Annotated[
        bool, typer.Option("--matches", help="Without a run folder: the deals are those of matches, match * 256 + number.")
    ] = False,
    seed: Seed = DEFAULT_SEED,
    settings: Settings = None,
    config: ConfigFile = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with the deals instead.")] = None,
    seat: Annotated[int | None, typer.Option("--seat", min=0, max=3, help="In the page, show first what this seat sees.")] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show deals step by step. As text, with --json as the lines of a trace, with --html as a page."""
    first, stop = _deal_range(deal)
    if run is None:
        unit = MATCH_DEALS if of_matches else 1
        numbers = {"first_deal": first // unit, "matches" if of_matches else "deals": (stop - 1) // unit - first // unit + 1}
        job = job_of(context, variant or DEFAULT_VARIANT, players or DEFAULT_PLAYERS, settings, seed=seed, mirror=True, **numbers)
    else:
        chosen = [value if is_given(context, name) else None for name, value in (("variant", variant), ("players", players))]
        job = _job_of_run(context, run, *chosen, first=first, stop=stop)

    from buraco_sim.replay import replay_deal

    announce_compiling(quiet)
    if html is not None:
        if seat is not None and seat >= job.n_seats:
            raise InputError(f"--seat {seat}", expected=f"0..{job.n_seats - 1}")
        _write_page(job, range(first, stop), table, html, seat)
        note(f"written {html}", quiet)
        return
    for index in range(first, stop):
        played = replay_deal(job, index, table)
        if as_json:
            print("\n".join(played.lines()))
        else:
            print(played.text(), end="\n\n" if index + 1 < stop else "\n")
        if played.failure:
            note(f"buraco: deal {index}, table {table} failed: {played.failure}")
            raise typer.Exit(ExitCode.FAILURE)


def _write_page(job: Job, deals: range, table: int, path: Path, seat: int | None) -> None:
    from buraco_sim.interrupts import command_line
    from buraco_sim.replay import replay_deal
    from buraco_sim.report.replay_page import replay_html

    if len(deals) > MOST_DEALS:
        raise InputError(f"--deal {deals.start}:{deals.stop}", expected=f"at most {MOST_DEALS} deals in a page")
    played = [replay_deal(job, index, table) for index in deals]
    for one in played:
        if one.failure:
            raise RunError(f"deal {one.header['deal']}, table {table} failed: {one.failure}")
    path.write_text(replay_html(played, seat=seat, command=command_line()), encoding="utf-8")


def _job_of_run(context: typer.Context, run: Path, variant: str | None, players: str | None, *, first: int, stop: int) -> Job:
    from buraco_sim import __version__
    from buraco_sim.results.reader import Run

    for name, flag in (("seed", "--seed"), ("settings", "--set"), ("config", "--config"), ("of_matches", "--matches")):
        if is_given(context, name):
            raise InputError(f"{flag} beside a run folder", expected="only --deal, --table, --variant and --players: the run has the rest")
    folder = Run.open(run)
    job = folder.job(variant, players)
    if not job.first_deal <= first < stop <= job.stop_deal:
        raise InputError(f"--deal {first}:{stop}", where=str(run), expected=f"deals within {job.first_deal}:{job.stop_deal}")
    if folder.manifest.engine_version != __version__:
        note(f"note: the run was played by version {folder.manifest.engine_version}, this is {__version__}; deals may differ")
    return job


def _deal_range(text: str) -> tuple[int, int]:
    first, colon, stop = text.partition(":")
    if not first.isdecimal() or (colon and not stop.isdecimal()) or len(text) > 40:
        raise InputError(f"--deal {shown(text)}", expected="an index N, or a half-open range N:M")
    numbers = int(first), int(stop) if colon else int(first) + 1
    if numbers[0] >= numbers[1]:
        raise InputError(f"--deal {shown(text)}", expected="N below M: the range N:M does not hold M")
    return numbers
