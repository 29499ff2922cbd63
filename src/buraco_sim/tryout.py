"""A user's strategy before it plays for long: the template to start from, and some deals of every variant."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from buraco_sim.data_files import data_folder
from buraco_sim.errors import InputError, shown
from buraco_sim.job import make_job
from buraco_sim.rules import variant_names
from buraco_sim.simulate import play_parts
from buraco_sim.strategies import Strategy

DEALS: Final = 5  # of each variant; a plain Python strategy plays some 50 a second
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")


def write_template(name: str, folder: Path | None = None) -> Path:
    """Write a working, commented strategy that beats `random` into a file of its own.

    Parameters
    ----------
    name : str
        Small letters, digits and hyphens; the file is called so, with underscores.
    folder : Path, optional
        By default the current one.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InputError
        If the name will not do or the file is there already.
    """
    stem = name.removesuffix(".py").replace("-", "_")
    if not _NAME.fullmatch(stem):
        raise InputError(f"name {shown(name)}", expected="small letters, digits and hyphens")
    file = (folder or Path()) / f"{stem}.py"
    if file.exists():
        raise InputError("the file is there already", where=str(file), expected="a new name")
    template = (data_folder("templates") / "strategy.py").read_text(encoding="utf-8")
    file.write_text(template.replace("{file}", file.name), encoding="utf-8")
    return file


def try_out(strategy: Strategy) -> int:
    """Let a strategy play a few deals of every variant against itself; returns how many.

    Raises
    ------
    InputError
        If it cannot be compiled.
    RunError
        If it chose an illegal action or raised an error: which, where and why.
    """
    names = variant_names()
    for variant in names:
        for _ in play_parts(make_job(variant, strategy, deals=DEALS), threads=1):
            pass
    return DEALS * len(names)
