"""`buraco variants` and `buraco strategies`: what there is, what differs, whether a file is valid."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Final

import typer

from buraco_sim.cli.options import AsJson, Settings, complete_strategy, complete_variant
from buraco_sim.cli.output import announce_compiling, note, print_json
from buraco_sim.errors import BuracoError, ExitCode

variants: Final = typer.Typer(help="Rulesets: list, show, diff, check.", no_args_is_help=True, rich_markup_mode=None)
strategies: Final = typer.Typer(help="Players: list, show, check, new.", no_args_is_help=True, rich_markup_mode=None)

VariantName = Annotated[str, typer.Argument(autocompletion=complete_variant, help="Name of a variant, or a TOML file.")]
StrategyName = Annotated[
    str, typer.Argument(autocompletion=complete_strategy, help="Name of a strategy, a TOML file, or a function of yours: mine.py:decide.")
]
Files = Annotated[list[str], typer.Argument(help="TOML files, names, or functions of yours: mine.py:decide.")]


@variants.command("list")
def list_variants(as_json: AsJson = False) -> None:
    """Name every variant."""
    from buraco_sim.rules import Ruleset, variant_names

    rules = [Ruleset.load(name) for name in variant_names()]
    if as_json:
        print_json(variants=[{"name": one.name, "title": one.title} for one in rules])
    else:
        _print_table((one.name, one.title) for one in rules)


@variants.command("show")
def show_variant(name: VariantName, settings: Settings = None, as_json: AsJson = False) -> None:
    """Print every rule of a variant; those that no page states are marked."""
    from buraco_sim.rules import KEYS, Ruleset

    rules = Ruleset.load(name).override_text(settings or [])
    if as_json:
        about = {key: getattr(rules, key) for key in ("name", "title", "source", "summary")}
        print_json(**about, assumed=list(rules.assumed), rules=rules.to_dict())
        return
    print(f"{rules.name}: {rules.title}\n{rules.summary}\nsource: {rules.source}\n")
    _print_table((key, f"{json.dumps(rules.value(key))}{' (assumed)' if key in rules.assumed else ''}") for key in KEYS)


@variants.command("diff")
def diff_variants(first: VariantName, second: VariantName, as_json: AsJson = False) -> None:
    """Print the rules in which two variants differ."""
    from buraco_sim.rules import Ruleset

    mine, theirs = Ruleset.load(first), Ruleset.load(second)
    found = mine.diff(theirs)
    if as_json:
        print_json(a=mine.name, b=theirs.name, differences=[{"key": key, "a": a, "b": b} for key, a, b in found])
    else:
        _print_table([("", mine.name, theirs.name), *((key, json.dumps(a), json.dumps(b)) for key, a, b in found)])


@variants.command("check")
def check_variants(files: Files) -> None:
    """Say whether rulesets are valid."""
    from buraco_sim.rules import Ruleset

    _check(files, Ruleset.load)


@strategies.command("list")
def list_strategies(as_json: AsJson = False) -> None:
    """Name every strategy."""
    from buraco_sim.strategies import Strategy, strategy_names

    found = [Strategy.load(name) for name in strategy_names()]
    if as_json:
        print_json(strategies=[{"name": one.name, "title": one.summary} for one in found])
    else:
        _print_table((one.name, one.summary) for one in found)


@strategies.command("show")
def show_strategy(name: StrategyName, as_json: AsJson = False) -> None:
    """Print a strategy with its weights and restrictions, their ranges and meanings."""
    from buraco_sim.restrictions import RESTRICTIONS
    from buraco_sim.strategies import Strategy

    strategy = Strategy.load(name)
    if as_json:
        print_json(**strategy.to_dict(), **({"tuning": strategy.tuning} if strategy.tuning else {}))
        return
    print(f"{strategy.name}: {strategy.summary}\npolicy: {strategy.policy}; remembers the pile: {json.dumps(strategy.remembers_pile)}")
    _print_table(
        (weight.name, f"{strategy.weights[weight.name]:g}", f"{weight.low:g}..{weight.high:g} {weight.unit}", weight.meaning)
        for weight in strategy.policy_weights()
    )
    for name in strategy.restrictions:
        print(f"restriction {name}: {json.dumps(strategy.to_dict()['restrictions'][name])}  {RESTRICTIONS[name].meaning}")
    for key, value in strategy.tuning.items():
        print(f"tuning {key}: {json.dumps(value)}")


@strategies.command("check")
def check_strategies(files: Files) -> None:
    """Say whether strategies are valid; functions of yours are compiled and play some deals of every variant."""
    from buraco_sim.strategies import Strategy

    _check(files, Strategy.load, _try_out)


@strategies.command("new")
def new_strategy(name: Annotated[str, typer.Argument(help="Name of the strategy, and of the file NAME.py.")]) -> None:
    """Write a strategy of your own to start from: a working, commented file that beats `random`."""
    from buraco_sim.tryout import write_template

    file = write_template(name)
    print(f"written {file}\ntry it: buraco strategies check {file}:decide\n        buraco compare {file}:decide random")


def _try_out(strategy: Any) -> str:
    if not strategy.source:
        return ""
    from buraco_sim.tryout import try_out

    announce_compiling(quiet=False)
    return f", played {try_out(strategy)} deals of all variants"


def _check(files: Iterable[str], load: Callable[[str], Any], more: Callable[[Any], str] = lambda _: "") -> None:
    valid = True
    for file in files:
        try:
            loaded = load(file)
            print(f"{file}: valid, {loaded.name}{more(loaded)}")
        except BuracoError as error:
            note(f"buraco: {error}")
            valid = False
    if not valid:
        raise typer.Exit(ExitCode.USAGE)


def _print_table(rows: Iterable[tuple[str, ...]]) -> None:
    """Print rows in columns; the last column is as wide as it is."""
    table = list(rows)
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)][:-1]
    for row in table:
        print("  ".join([cell.ljust(width) for cell, width in zip(row, widths, strict=False)] + [row[-1]]).rstrip())
