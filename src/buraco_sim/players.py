"""Users' functions behind the slot of every player: compiled by Numba, or as plain Python in object mode."""

from __future__ import annotations

import re
import warnings
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import numba
import numpy as np
from numba import types
from numba.core import config
from numba.core.errors import NumbaError, NumbaWarning

from buraco_sim._jit import PACKAGE, entry, kernel, unit_folder
from buraco_sim.errors import InputError, did_you_mean, shown
from buraco_sim.kernels.signature import DECIDE_SIG, VIEW_RECORD
from buraco_sim.layout import RULES, VIEW
from buraco_sim.play import SOURCES
from buraco_sim.user_policies import UserPolicy

#: A wrong index and a division by zero are errors of the user's code, not a broken heap or a zero.
USER_FLAGS: Final[dict[str, Any]] = {"boundscheck": True, "error_model": "python", "_nrt": True}

_LINE_OF_FILE: Final = r'File "[^"]*{name}", line (\d+)'
_NOISE: Final = re.compile(r"\x1b\[[0-9;]*m")
_HEADINGS: Final = ("Failed in", "During:", "File ", "Cannot determine Numba type of", "There are", "- Of which", "No implementation")


@cache
def compiled_player(policy: UserPolicy) -> Any:
    """A user's function as a compiled function of DECIDE_SIG.

    Raises
    ------
    InputError
        One line with file and line, if Numba cannot compile the function, or it does not return a whole number.
    """
    function = policy.function
    if config.DISABLE_JIT:
        return entry(DECIDE_SIG, policy.source.parent)(function.function)
    if not function.is_compiled:
        return _in_object_mode(policy)
    folder = unit_folder("mine", [*SOURCES, Path(__file__), PACKAGE / "user_policies.py", policy.source])
    plain = _with_helpers(function.function)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)
            decide = entry(DECIDE_SIG.args, folder, **USER_FLAGS)(plain)
            returned = decide.nopython_signatures[0].return_type
            _check_returned(returned, policy)
            return decide if returned == types.int64 else entry(DECIDE_SIG, folder, **USER_FLAGS)(plain)
    except NumbaError as error:
        text = numba_in_words(error, policy)
    except KeyError as error:  # so Numba says that a record has no such field
        line = function.function.__code__.co_firstlineno
        name = str(error.args[0])
        names = [*(VIEW.names or ()), *(RULES.names or ())]
        text = f"line {line}: the view has no field {name!r}; {did_you_mean(name, names)}".rstrip("; ")
    raise InputError(text, where=policy.file, expected="code that Numba compiles") from None


def numba_in_words(error: BaseException, policy: UserPolicy) -> str:
    """What Numba says of a user's code, in one line with the line of the file."""
    text = _NOISE.sub("", str(error)).replace(str(VIEW_RECORD), "view").replace(str(numba.from_dtype(RULES)), "view.rules")
    lines = re.findall(_LINE_OF_FILE.format(name=re.escape(policy.source.name)), text)
    line = lines[-1] if lines else policy.function.function.__code__.co_firstlineno
    sentences = [sentence.strip(" -*") for sentence in text.splitlines()]
    said = [sentence for sentence in sentences if sentence and not sentence.startswith(_HEADINGS)]
    first = said[0] if said else type(error).__name__
    return f"line {line}: {'Numba has no' if first.startswith('>>>') else ''}{first.removeprefix('>>>')}"[:300]


def _with_helpers(function: Any) -> Any:
    """The function among the others of its file, each compiled with the same flags: what it calls needs no decorator."""
    names = dict(function.__globals__)
    for name, value in function.__globals__.items():
        plain = getattr(value, "function", getattr(value, "py_func", value))
        if isinstance(plain, FunctionType) and plain.__module__ == function.__module__:
            names[name] = kernel(_among(plain, names), **USER_FLAGS)
    return _among(function, names)


def _among(function: Any, names: dict[str, Any]) -> Any:
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


def _check_returned(returned: Any, policy: UserPolicy) -> None:
    if isinstance(returned, types.Integer) and not isinstance(returned, types.Boolean):
        return
    told = "nothing on some paths" if isinstance(returned, types.Optional | types.NoneType) else str(returned)
    line = policy.function.function.__code__.co_firstlineno
    raise InputError(
        f"line {line}: {policy.function.function.__name__} returns {told}",
        where=policy.file,
        expected="an action, a whole number, on every path",
    )


# ---- plain Python


def _slot(view, weights, scratch):  # type: ignore[no-untyped-def]
    """The body of every plain strategy's compiled function: `call` is the user's."""
    with numba.objmode(action="int64"):
        action = call(view, weights, scratch)  # type: ignore[name-defined]  # noqa: F821
    return action  # noqa: RET504 (Numba does not return from within the block)


def _in_object_mode(policy: UserPolicy) -> Any:
    function = policy.function.function

    def call(view: Any, weights: Any, scratch: Any) -> int:
        record = np.asarray(view).view(np.recarray)[()] if not isinstance(view, np.record) else view
        action = function(record, weights, scratch)
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise TypeError(f"{function.__name__} returned {shown(action)}, expected an action, a whole number")
        return int(action)

    slot = FunctionType(_slot.__code__, {"numba": numba, "call": call}, policy.function.function.__name__)
    return numba.njit(DECIDE_SIG)(slot)  # not nogil: it is the user's Python that runs
