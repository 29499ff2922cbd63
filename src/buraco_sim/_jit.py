"""The `kernel` decorator: one set of Numba flags, and a cache that cannot go stale.

Numba's own cache looks at the file of the function alone; an edit in a module that it calls would be served old machine
code in silence. Here every cached function lives in a folder named after a hash of all the sources that it may reach and
of the flags, so that an edit is another folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import warnings
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.errors import NumbaExperimentalFeatureWarning
from platformdirs import user_cache_dir

PACKAGE: Final = Path(__file__).parent
# `forceinline` is said of every function, because Numba lets what a function calls inherit it. `_nrt` is Numba's allocator
# with its reference counts: with it every function counts its array arguments up and down, a fifth of the time of a deal of
# `steady`. Without it what asks for memory does not compile.
FLAGS: Final[dict[str, Any]] = {"nogil": True, "error_model": "numpy", "forceinline": False, "_nrt": False}

# Players are called through first-class functions, which Numba still calls experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)


def cache_root() -> Path:
    """Folder of all compiled code: `BURACO_CACHE_DIR`, or the user's cache folder."""
    return Path(os.environ.get("BURACO_CACHE_DIR") or user_cache_dir("buraco-sim"))


def kernel_sources() -> list[Path]:
    """Sources that every compiled unit depends on: the contract and the kernels without the players."""
    return [PACKAGE / "_jit.py", PACKAGE / "layout.py", *sorted((PACKAGE / "kernels").glob("*.py"))]


def player_folder(name: str, source: str) -> Path:
    """Cache folder of a built-in player: its own file and what players share; an edit there leaves the engine as it is."""
    shared = [PACKAGE / "kernels" / "policies" / f"{module}.py" for module in ("plan", "moves")]
    return unit_folder(name, [*kernel_sources(), *shared, Path(source)])


def stamp(sources: Iterable[Path]) -> str:
    """Hash of sources, flags and versions that decide the machine code."""
    digest = hashlib.sha256()
    for path in sources:
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(repr((sorted(FLAGS.items()), numba.__version__, sys.version_info[:3], config.BOUNDSCHECK)).encode())
    return digest.hexdigest()[:16]


def unit_folder(name: str, sources: Iterable[Path]) -> Path:
    """Cache folder of a compiled unit (the engine, or one player)."""
    return cache_root() / f"{name}-{stamp(sources)}"


def is_compiled(folder: Path) -> bool:
    """Whether a unit has been compiled on this machine before."""
    return any(folder.rglob("*.nbi"))


def kernel(function: Callable[..., Any], **flags: Any) -> Any:
    """Compile an inner function: no cache of its own, it becomes part of the entry point that calls it."""
    if config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(**(FLAGS | flags))(function)
    ask = dispatcher.get_call_template

    def one_copy(args: Any, kws: Any) -> Any:
        """Type a call without its literals, or every constant argument would compile another copy of the function."""
        return ask(tuple(map(types.unliteral, args)), {name: types.unliteral(arg) for name, arg in kws.items()})

    dispatcher.get_call_template = one_copy
    return dispatcher


def allocating(function: Callable[..., Any]) -> Any:
    """A kernel that may ask for memory, which ends with the call: it neither takes arrays nor returns one."""
    return kernel(function, _nrt=True)


def inlined(function: Callable[..., Any]) -> Any:
    """A kernel that is called from one or two places: else the compiler leaves a call there, with all its registers saved."""
    return kernel(function, forceinline=True)


def entry(signature: Any, folder: Path, **flags: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile an entry point at once for one signature, cached in `folder`."""

    def decorate(function: Callable[..., Any]) -> Any:
        if config.DISABLE_JIT:
            return _interpreted(function)
        before = config.CACHE_DIR
        config.CACHE_DIR = str(folder)
        try:
            return numba.njit(signature, cache=True, **(FLAGS | flags))(function)
        finally:
            config.CACHE_DIR = before

    return decorate


def _interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """An entry point with the compiler off: records have their fields as attributes, and uint64 wraps in silence."""

    @wraps(function)
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*(arg.view(np.recarray) if isinstance(arg, np.ndarray) and arg.dtype.names else arg for arg in args))

    return call
