"""The data that comes with the package, and TOML files with clear errors."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from buraco_sim.errors import InputError, did_you_mean, shown

_NAME: Final = re.compile(r"[a-z0-9-]+")
_KINDS: Final = {"variants": "variant", "strategies": "strategy"}


def data_folder(kind: str) -> Traversable:
    """Return the folder of shipped files of a kind: `variants` or `strategies`.

    The wheel holds them inside the package, a source checkout (or an editable install of it) beside `src`.
    """
    packed = resources.files("buraco_sim") / "data"
    root = packed if packed.is_dir() else Path(__file__).parents[2] / "data"
    return root / kind


def data_names(kind: str) -> list[str]:
    """Return the names of the shipped files of a kind, sorted, without reading them."""
    return sorted(file.name.removesuffix(".toml") for file in data_folder(kind).iterdir() if file.name.endswith(".toml"))


def find_file(kind: str, name_or_path: str | Path, *, beside: Traversable | None = None) -> Traversable:
    """Return the file that a name (of a shipped file) or a path (of any TOML file) means.

    Parameters
    ----------
    kind : str
        `variants` or `strategies`.
    name_or_path : str or Path
        A text is a path when it ends in `.toml` or holds a separator, else a name.
    beside : Traversable, optional
        The file that a relative path is relative to.

    Raises
    ------
    InputError
        For a name that is not shipped; the message lists those that are.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.endswith(".toml") or "/" in text or "\\" in text:
        return Path(str(beside)).parent / text if beside else Path(text)
    names = data_names(kind)
    if text not in names:
        raise InputError(
            f"unknown {_KINDS[kind]} {shown(text)}",
            expected=f"a path ending in .toml or one of {', '.join(names)}",
            hint=did_you_mean(text, names),
        )
    return data_folder(kind) / f"{text}.toml"


def read_toml(file: Traversable) -> dict[str, Any]:
    """Return the content of a TOML file.

    Raises
    ------
    InputError
        When the file cannot be read or is no TOML; the message has line and column where TOML's rules are broken.
    """
    where = str(file)
    try:
        return tomllib.loads(file.read_bytes().decode())
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", where=where, expected="a readable TOML file") from None
    except RecursionError:
        raise InputError("nested too deeply", where=where, expected="a TOML file") from None
    except ValueError as error:  # TOML's own error, text that is no UTF-8, a NUL in the path, a number too long
        raise InputError(f"not TOML: {shown(str(error), 120)[1:-1]}", where=where, expected="a TOML file in UTF-8") from None


def read_name(content: Mapping[str, Any], file: Traversable) -> str:
    """Return the `name` that a file gives itself, else the name of the file without `.toml`.

    Raises
    ------
    InputError
        When it is not made of small letters, digits and hyphens.
    """
    name = content.get("name", file.name.removesuffix(".toml"))
    if not (isinstance(name, str) and _NAME.fullmatch(name)):
        raise InputError(f"name = {shown(name)}", where=str(file), expected="small letters, digits and hyphens")
    return name


def read_text(content: Mapping[str, Any], key: str, default: str, where: str) -> str:
    """Return a text of a file, such as its `summary`.

    Raises
    ------
    InputError
        When it is no text.
    """
    text = content.get(key, default)
    if not isinstance(text, str):
        raise InputError(f"{key} = {shown(text)}", where=where, expected="a text")
    return text
