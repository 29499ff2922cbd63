"""Options that several commands share, completion of names, and the configuration file behind the options."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from buraco_sim.config import Config
from buraco_sim.job import Job, make_job

#: Options that may stand in a configuration file, by the name of the flag, with the type of their value.
CONFIG_OPTIONS: Final[dict[str, type]] = {
    "variant": str,
    "players": str,
    "deals": int,
    "seed": int,
    "mirror": bool,
    "first_deal": int,
    "threads": int,
    "out": str,
    "set": list,
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
    from buraco_sim.strategies import strategy_names

    return _matching(strategy_names(), incomplete)


def complete_players(incomplete: str) -> list[str]:
    """Lists of strategies whose last name begins so."""
    before, comma, last = incomplete.rpartition(",")
    return [before + comma + name for name in complete_strategy(last)]


def _read_config(context: typer.Context, path: Path | None) -> Path | None:
    """Make the options of a configuration file the defaults of this command: a flag or the environment goes first."""
    if path is not None and not context.resilient_parsing:
        config = Config.read(path, CONFIG_OPTIONS)
        context.obj = config
        context.default_map = {_PARAMETER_NAMES.get(key, key): value for key, value in config.options.items()}
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
        "--players", envvar="BURACO_PLAYERS", autocompletion=complete_players, help="A for everybody, A,B by team, or one name a seat."
    ),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", envvar="BURACO_SET", metavar="TABLE.KEY=VALUE", help="Change a rule; may be repeated.")
]
Seed = Annotated[int, typer.Option("--seed", envvar="BURACO_SEED", help="0 to 2**64 - 1.")]
Threads = Annotated[int | None, typer.Option("--threads", envvar="BURACO_THREADS", help="By default one a core.")]
AsJson = Annotated[bool, typer.Option("--json", envvar="BURACO_JSON", help="Print one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", envvar="BURACO_QUIET", help="No progress, no notes.")]


def job_of(context: typer.Context, variant: str, players: str, settings: list[str] | None, **more: Any) -> Job:
    """The job that the options describe; names that the configuration file defines go before shipped ones."""
    config = context.obj if isinstance(context.obj, Config) else Config()
    return make_job(config.ruleset(variant).override_text(settings or []), config.players(players), **more)


def is_given(context: typer.Context, name: str) -> bool:
    """Whether an option stands on the command line itself."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
