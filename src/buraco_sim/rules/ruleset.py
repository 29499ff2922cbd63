"""The frozen `Ruleset`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco_sim.data_files import data_names, find_file, read_name, read_text, read_toml
from buraco_sim.errors import InputError, did_you_mean, shown
from buraco_sim.rules.checks import CHECKS
from buraco_sim.rules.keys import KEYS, TABLES, RuleTables

if TYPE_CHECKING:
    import numpy as np

FOLDER: Final = "variants"
TEXT_KEYS: Final = ("name", "title", "source", "summary")
FILE_KEYS: Final = (*TEXT_KEYS, "base", "assumed")
_FLAT: Final = {name.replace(".", "_"): name for name in KEYS}


def variant_names() -> list[str]:
    """Return the names of the shipped variants, sorted, without reading them.

    Examples
    --------
    >>> "stbl" in variant_names()
    True
    """
    return data_names(FOLDER)


@dataclass(frozen=True)
class Ruleset(RuleTables):
    """The rules of a variant: one attribute a table, one attribute a key in it.

    Loading, overriding and `from_dict` check each value and every combination.

    Attributes
    ----------
    name, title, source, summary : str
        What it is called, and the page that it is from.
    assumed : tuple of str
        Keys whose value no page states for this variant.

    Examples
    --------
    >>> rules = Ruleset.load("stbl")
    >>> rules.go_out.canasta, rules.table.mortos
    ('clean', (11, 11))
    >>> rules.with_(go_out_canasta="any").diff(rules)
    [('go_out.canasta', 'any', 'clean')]
    """

    name: str = "burraco-fibur"
    title: str = ""
    source: str = ""
    summary: str = ""
    assumed: tuple[str, ...] = ()

    @classmethod
    def load(cls, name_or_path: str | Path) -> Ruleset:
        """Return a shipped variant by name, or the ruleset of a TOML file.

        Raises
        ------
        InputError
            For an unknown name, a file that cannot be read, an unknown key, a wrong value, a contradiction.
        """
        return _load(find_file(FOLDER, name_or_path), ())

    @classmethod
    def from_dict(cls, tables: Mapping[str, Any], *, name: str = "custom", where: str = "ruleset") -> Ruleset:
        """Return the ruleset of `to_dict`'s form; a key that is left out has its default.

        Parameters
        ----------
        tables : mapping
            Table name -> key -> value.
        name : str
            What the ruleset is called.
        where : str
            What an error message names as the place, such as a file.

        Raises
        ------
        InputError
            For an unknown key, a wrong value, a contradiction.
        """
        return _apply(cls(name=name, title=name), _flatten(tables, where), where)

    def override(self, values: Mapping[str, Any]) -> Ruleset:
        """Return these rules with some changed; what is changed is no longer assumed.

        Parameters
        ----------
        values : mapping
            `table.key` -> value, as in TOML.

        Raises
        ------
        InputError
            For an unknown key, a wrong value, a contradiction.

        Examples
        --------
        >>> Ruleset.load("stbl").override({"table.seats": 2}).table.seats
        2
        """
        return _apply(self, values, f"variant {self.name}")

    def with_(self, **values: Any) -> Ruleset:
        """Return these rules with some changed, the keys written `table_key`.

        Examples
        --------
        >>> Ruleset.load("stbl").with_(stock_max_turns=100).stock.max_turns
        100
        """
        return self.override({_FLAT.get(key, key): value for key, value in values.items()})

    def override_text(self, settings: Iterable[str]) -> Ruleset:
        """Return these rules with some changed by texts such as `go_out.canasta=any` or `table.mortos=[11, 11]`.

        Examples
        --------
        >>> Ruleset.load("stbl").override_text(["go_out.canasta=any", "table.seats=2"]).go_out.canasta
        'any'
        """
        return self.override(dict(map(_parse_setting, settings)))

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return every rule, resolved: table name -> key -> value as TOML and JSON have it (lists, no tuples)."""
        return {
            table: {key: list(value) if isinstance(value, tuple) else value for key, value in vars(getattr(self, table)).items()}
            for table in TABLES
        }

    def diff(self, other: Ruleset) -> list[tuple[str, Any, Any]]:
        """Return `(key, mine, theirs)` of every rule that differs, in the order of the rules."""
        pairs = ((key, self.value(key), other.value(key)) for key in KEYS)
        return [(key, mine, theirs) for key, mine, theirs in pairs if mine != theirs]

    def pack(self) -> np.ndarray[tuple[int], np.dtype[np.void]]:
        """Return the rules as the compiled core reads them: shape (1,), dtype `layout.RULES`."""
        from buraco_sim.rules.packing import pack_rules

        return pack_rules(self)


def _load(file: Traversable, chain: tuple[str, ...]) -> Ruleset:
    where = str(file)
    if where in chain:
        raise InputError(f"base goes in a circle: {' -> '.join((*chain, where))}", where=chain[0], expected="a base that ends")
    content = read_toml(file)
    base = Ruleset()
    if "base" in content:
        base = _load(_find_base(content["base"], file), (*chain, where))
    rules = _apply(base, _flatten({key: value for key, value in content.items() if key not in FILE_KEYS}, where), where)
    name = read_name(content, file)
    return replace(
        rules,
        name=name,
        title=read_text(content, "title", name, where),
        source=read_text(content, "source", "", where),
        summary=read_text(content, "summary", "", where),
        assumed=_read_assumed(content.get("assumed", []), where),
    )


def _find_base(base: object, file: Traversable) -> Traversable:
    expected = "the name of a variant or the path of a TOML file"
    if not isinstance(base, str):
        raise InputError(f"base = {shown(base)}", where=str(file), expected=expected)
    try:
        found = find_file(FOLDER, base, beside=file)
    except InputError as error:
        raise InputError(f"base: {error}", where=str(file)) from None
    if not found.is_file():
        raise InputError(f"base = {shown(base)}: cannot read {found}", where=str(file), expected=expected)
    return found


def _read_assumed(assumed: object, where: str) -> tuple[str, ...]:
    if not isinstance(assumed, list):
        raise InputError(f"assumed = {shown(assumed)}", where=where, expected='a list of keys such as ["melds.run_max"]')
    for key in assumed:
        _known(key, where, "assumed holds an unknown key")
    return tuple(assumed)


def _known(key: object, where: str, problem: str = "unknown key", value: str = "") -> None:
    if isinstance(key, str) and key in KEYS:
        return
    table = str(key).partition(".")[0]
    known = [name for name in KEYS if name.startswith(f"{table}.")]
    expected = f"one of {', '.join(name.partition('.')[2] for name in known)} in [{table}]" if known else f"a key of {_tables()}"
    raise InputError(f"{problem} {shown(key)}{value}", where=where, expected=expected, hint=did_you_mean(str(key), KEYS))


def _tables() -> str:
    return ", ".join(f"[{table}]" for table in TABLES)


def _flatten(tables: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return `table.key` -> value of a file's tables; what is no table of rules is an error."""
    if not isinstance(tables, Mapping):
        raise InputError(f"rules = {shown(tables)}", where=where, expected=f"the tables {_tables()}")
    flat: dict[str, Any] = {}
    for table, keys in tables.items():
        if table not in TABLES:
            known = (*TABLES, *FILE_KEYS)
            raise InputError(
                f"unknown {'table' if isinstance(keys, dict) else 'key'} {shown(table)}",
                where=where,
                expected=f"{_tables()} or one of {', '.join(FILE_KEYS)}",
                hint=did_you_mean(str(table), known),
            )
        if not isinstance(keys, dict):
            raise InputError(f"{table} = {shown(keys)}", where=where, expected=f"a table [{table}] of rules")
        flat |= {f"{table}.{key}": value for key, value in keys.items()}
    return flat


def _apply(base: Ruleset, values: Mapping[str, Any], where: str) -> Ruleset:
    """Return `base` with the values read, and the whole checked."""
    changes: dict[str, dict[str, Any]] = {}
    for key, value in values.items():
        _known(key, where, value=f" = {shown(value)}")
        table, name = key.split(".")
        changes.setdefault(table, {})[name] = _read(key, value, where)
    rules = replace(
        base,
        assumed=tuple(key for key in base.assumed if key not in values),
        **{table: replace(getattr(base, table), **keys) for table, keys in changes.items()},
    )
    _check(rules, where)
    return rules


def _read(key: str, value: object, where: str) -> object:
    domain = KEYS[key].domain
    try:
        return domain.read(value)
    except ValueError:
        hint = did_you_mean(value, [v for v in KEYS[key].choices if isinstance(v, str)]) if isinstance(value, str) else ""
        raise InputError(f"{key} = {shown(value)}", where=where, expected=domain.expected, hint=hint) from None


def _check(rules: Ruleset, where: str) -> None:
    for check in CHECKS:
        found = check(rules)
        if found is not None:
            value = rules.value(found.key)
            raise InputError(f"{found.key} = {shown(value)}", where=where, expected=found.expected, hint=found.hint)


def _parse_setting(text: str) -> tuple[str, Any]:
    """Return key and value of `table.key=value`; a value that is not TOML is a word."""
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise InputError(f"setting {shown(text)}", expected="table.key=value, such as go_out.canasta=any")
    try:
        content = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        return key, value
    return key, content["value"] if len(content) == 1 else value
