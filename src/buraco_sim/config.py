"""Configuration files: the options of a command, and the variants and strategies that the file brings along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from buraco_sim.data_files import read_toml
from buraco_sim.errors import InputError, did_you_mean, shown
from buraco_sim.job import MATCH_DEALS, Job, strategy_values
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy

_BROUGHT: Final = ("variants", "strategies")
_TYPE_TEXT: Final[dict[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    list: "a list of texts",
}


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration file that was read.

    Attributes
    ----------
    options : dict
        Option name (underscores) to value, as for the command line.
    variants : dict of str to Ruleset
    strategies : dict of str to Strategy
        What the file defines itself; a name here goes before a shipped one.
    """

    options: dict[str, Any] = field(default_factory=dict)
    variants: dict[str, Ruleset] = field(default_factory=dict)
    strategies: dict[str, Strategy] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, options: Mapping[str, type]) -> Config:
        """Read a configuration file.

        Parameters
        ----------
        path : Path
            A TOML file: options at the top, ``[variants.NAME]`` and ``[strategies.NAME]`` below.
        options : mapping of str to type
            The options that may stand in it: bool, int, str, or list for a list of texts.

        Raises
        ------
        InputError
            If it cannot be read, names an option that does not exist, or gives one a value of another type.
        """
        values = read_toml(path)
        for key, value in values.items():
            if key not in options and key not in _BROUGHT:
                known = [*options, *_BROUGHT]
                raise InputError(f"unknown key {shown(key)}", where=str(path), expected=", ".join(known), hint=did_you_mean(key, known))
            if key in _BROUGHT and not _is_table_of_tables(value):
                raise InputError(f"{key} = {shown(value)}", where=str(path), expected=f"tables [{key}.NAME]")
            if key in options and not _is_of_type(value, options[key]):
                raise InputError(f"{key} = {shown(value)}", where=str(path), expected=_TYPE_TEXT[options[key]])
        return cls(
            options={key: value for key, value in values.items() if key not in _BROUGHT},
            variants={name: _variant(path, name, one) for name, one in values.get("variants", {}).items()},
            strategies={name: _strategy(path, name, one) for name, one in values.get("strategies", {}).items()},
        )

    def ruleset(self, name_or_path: str) -> Ruleset:
        """The ruleset of a name or path."""
        return self.variants[name_or_path] if name_or_path in self.variants else Ruleset.load(name_or_path)

    def players(self, text: str) -> list[Strategy]:
        """The strategies of a text with commas: names or paths."""
        names = [part.strip() for part in text.split(",")]
        return [self.strategies[name] if name in self.strategies else Strategy.load(name) for name in names]


def config_of(job: Job) -> dict[str, Any]:
    """The configuration that repeats a job, with everything resolved: the contents of ``run.toml``."""
    unit = MATCH_DEALS if job.matches else 1
    return {
        "variant": job.rules.name,
        "players": ",".join(one.name for one in job.seats),
        "matches" if job.matches else "deals": job.deals // unit,
        "seed": job.seed,
        "first_deal": job.first_deal // unit,
        "mirror": job.mirror,
        "variants": {job.rules.name: job.rules.to_dict()},
        "strategies": {one.name: strategy_values(one) for one in job.seats},
    }


def config_text(job: Job) -> str:
    """The configuration of a job as TOML."""
    import tomli_w

    return tomli_w.dumps(config_of(job))


def _variant(path: Path, name: str, tables: Mapping[str, Any]) -> Ruleset:
    return Ruleset.from_dict(tables, name=name, where=f"{path}: variants.{name}")


def _strategy(path: Path, name: str, values: Mapping[str, Any]) -> Strategy:
    try:
        kept = "strategies" if "sha256" in values else ""  # the configuration of a run folder
        return Strategy.from_dict({"name": name} | dict(values), folder=path.parent / kept)
    except InputError as error:
        raise InputError(str(error), where=f"{path}: strategies.{name}") from None


def _is_of_type(value: object, wanted: type) -> bool:
    if isinstance(value, list):
        return wanted is list and all(isinstance(one, str) for one in value)
    if wanted is float:
        return type(value) in (int, float)
    return type(value) is wanted


def _is_table_of_tables(value: object) -> bool:
    return isinstance(value, Mapping) and all(isinstance(one, Mapping) for one in value.values())
