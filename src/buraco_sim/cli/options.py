"""Options that several commands share, completion of names, and the configuration file behind the options."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from buraco_sim.config import Config
from buraco_sim.errors import InputError, shown
from buraco_sim.job import Job, make_job
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy

#: Options that may stand in a configuration file, by the name of the flag, with the type of their value.
CONFIG_OPTIONS: Final[dict[str, type]] = {
    "variant": str,
    "players": str,
    "deals": int,
    "seed": int,
    "mirror": bool,
    "first_deal": int,
    "threads": int,
    "executor": str,
    "workers": int,
    "scheduler": str,
    "out": str,
    "set": list,
    "effect": float,
    "pairs": int,
    "budget": int,
    "matches": int,
    "json": bool,
    "quiet": bool,
}
_PARAMETER_NAMES: Final = {"set": "settings", "json": "as_json"}


def _matching(names: Iterable[str], start: str) -> list[str]:
    return [name for name in names if name.startswith(start)]


def complete_variant(incomplete: str) -> list[str]:
    """Names of variants that begin so."""
    from buraco_sim.rules import variant_names

    return _matching(variant_names(), incomplete)


def complete_strategy(incomplete: str) -> list[str]:
    """Names of strategies that begin so."""
    from buraco_sim.strategies import CHAMPION, strategy_names

    return _matching([*strategy_names(), CHAMPION], incomplete)


def complete_players(incomplete: str) -> list[str]:
    """Lists of strategies whose last name begins so."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in complete_strategy(last)]


def _read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Make the options of a configuration file the defaults of this command: a flag or the environment goes first."""
    if path is not None and not context.resilient_parsing:
        config = Config.read(path, CONFIG_OPTIONS)
        context.obj = config
        values = {_PARAMETER_NAMES.get(key, key): value for key, value in config.options.items()}
        several = {one.name for one in context.command.params if getattr(one, "multiple", False)}
        context.default_map = {key: [value] if key in several and isinstance(value, str) else value for key, value in values.items()}
    return path


ConfigFile = Annotated[
    Path | None, typer.Option("--config", envvar="BURACO_CONFIG", is_eager=True, callback=_read_config, help="TOML file with options.")
]
Variant = Annotated[
    str, typer.Option("--variant", envvar="BURACO_VARIANT", autocompletion=complete_variant, help="Name of a variant, or a TOML file.")
]
Players = Annotated[
    str,
    typer.Option(
        "--players",
        envvar="BURACO_PLAYERS",
        autocompletion=complete_players,
        help="A for everybody, A,B by team, or one a seat: names, champion, TOML files, mine.py:decide.",
    ),
]
Variants = Annotated[
    list[str] | None,
    typer.Option(
        "--variant", envvar="BURACO_VARIANT", autocompletion=complete_variant, help="Name of a variant, or a TOML file; may be repeated."
    ),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", envvar="BURACO_SET", metavar="TABLE.KEY=VALUE", help="Change a rule; may be repeated.")
]
Seed = Annotated[int, typer.Option("--seed", envvar="BURACO_SEED", help="0 to 2**64 - 1.")]
Threads = Annotated[
    int | None, typer.Option("--threads", envvar="BURACO_THREADS", help="By default one a core; with --workers, one a worker.")
]
Out = Annotated[
    str | None,
    typer.Option("--out", envvar="BURACO_OUT", help="Run folder to write, or s3://..., gs://...; without, only the summary."),
]
Resume = Annotated[bool, typer.Option("--resume", help="Keep the whole parts in --out and make the others.")]
Executor = Annotated[
    str,
    typer.Option("--executor", envvar="BURACO_EXECUTOR", metavar="threads|dask", help="Threads of this process, or Dask workers."),
]
Workers = Annotated[
    int | None,
    typer.Option("--workers", envvar="BURACO_WORKERS", help="Dask: processes to start here, or workers of --scheduler to wait for."),
]
Scheduler = Annotated[
    str | None,
    typer.Option("--scheduler", envvar="BURACO_SCHEDULER", metavar="ADDRESS|FILE", help="Dask: a running scheduler, tcp://host:8786."),
]
AsJson = Annotated[bool, typer.Option("--json", envvar="BURACO_JSON", help="Print one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", envvar="BURACO_QUIET", help="No progress, no notes.")]


def job_of(context: typer.Context, variant: str, players: str, settings: list[str] | None, **more: Any) -> Job:
    """The job that the options describe; names that the configuration file defines go before shipped ones."""
    config = config_of(context)
    return make_job(config.ruleset(variant).override_text(settings or []), config.players(players), **more)


def config_of(context: typer.Context) -> Config:
    """The configuration file of a command line, empty if there is none."""
    return context.obj if isinstance(context.obj, Config) else Config()


def player_of(context: typer.Context, name: str) -> Strategy:
    """The strategy of a name or path; names that the configuration file defines go before shipped ones.

    Raises
    ------
    InputError
        If there are several, or the name is unknown.
    """
    found = config_of(context).players(name)
    if len(found) > 1:
        raise InputError(f"player {shown(name)}", expected="one name: it sits at every seat of its team")
    return found[0]


def rulesets_of(context: typer.Context, variants: list[str], settings: list[str] | None) -> list[Ruleset]:
    """The rulesets that the options name, each with the changed rules."""
    return [config_of(context).ruleset(name).override_text(settings or []) for name in variants]


def run_folder(command: str, names: Iterable[str], resume: bool) -> Path:
    """The run folder of a command without --out: the next that is free below ``runs``, or with --resume the last that is there.

    The folder keeps its name if the command is interrupted at any moment: it is made by the first thing that is written.
    """
    name = "-".join([command, *names])[:120]
    taken: list[Path] = []
    for number in itertools.count(1):
        folder = Path("runs", name if number == 1 else f"{name}-{number}")
        if not folder.exists():
            return taken[-1] if resume and taken else folder
        taken.append(folder)
    raise AssertionError


def is_given(context: typer.Context, name: str) -> bool:
    """Whether an option stands on the command line itself."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
