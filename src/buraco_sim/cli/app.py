"""The tree of commands."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from buraco_sim import __version__
from buraco_sim.cli.balance import balance, report, sql
from buraco_sim.cli.catalogue import strategies, variants
from buraco_sim.cli.compare import compare
from buraco_sim.cli.judge import judge
from buraco_sim.cli.plan import plan
from buraco_sim.cli.replay import replay
from buraco_sim.cli.schema import schema
from buraco_sim.cli.simulate import simulate
from buraco_sim.cli.speed import bench, warmup
from buraco_sim.cli.sweep import sweep
from buraco_sim.cli.tournament import tournament
from buraco_sim.cli.tune import tune
from buraco_sim.cli.verify import verify

#: Base of the errors that Typer's parser raises: Click's class, or Typer's own copy of it.
USAGE_ERROR: Final[Any] = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")

app: Final = typer.Typer(
    name="buraco",
    help="Buraco and Burraco in every variant: millions of deals by the rules.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"buraco-sim {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")] = False,
) -> None:
    pass


_COMMANDS: Final = (simulate, compare, plan, tournament, tune, replay, verify, judge, schema, bench, warmup, balance, report, sql, sweep)

for _command in _COMMANDS:
    app.command(_command.__name__)(_command)
app.add_typer(variants, name="variants")
app.add_typer(strategies, name="strategies")
