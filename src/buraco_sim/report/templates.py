"""The templates of the pages: everything that comes from data is escaped, everything that a page needs is inside it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco_sim.errors import InputError

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

ASSETS: Final = Path(__file__).parent / "assets"


@cache
def environment() -> Environment:
    """The environment of all templates.

    Raises
    ------
    InputError
        If Jinja is not installed.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise InputError("Jinja2 is not installed", expected="pip install 'buraco-sim[report]'") from None
    return Environment(loader=FileSystemLoader(ASSETS), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


def asset(*names: str) -> Markup:
    """Our own style sheets and scripts, to be put into a page as they are."""
    from markupsafe import Markup

    return Markup("\n".join((ASSETS / name).read_text(encoding="utf-8") for name in names))


def json_for_script(value: Any) -> Markup:
    """JSON that may stand in a script element: no text of it can end the element."""
    from markupsafe import Markup

    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def render(name: str, **values: Any) -> str:
    """Fill a template."""
    return environment().get_template(name).render(**values)


def command_text(words: Sequence[str]) -> str:
    """A command line as people type it, wherever the interpreter lies that ran it; empty if there was none.

    Examples
    --------
    >>> command_text(["/usr/bin/python3", "-m", "buraco_sim", "balance", "stbl"])
    'buraco balance stbl'
    """
    if "buraco_sim" in words[1:3]:
        words = ["buraco", *words[list(words).index("buraco_sim") + 1 :]]
    return shlex.join(words)
