"""Users' own strategies as declarations: a function in a file of one's own, `mine.py:decide`, and what its decorator says of it.

Reading a declaration runs the user's file; it compiles nothing, see `players`.
"""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from buraco_sim.errors import InputError, did_you_mean, shown
from buraco_sim.policies import Policy, Weight

ARGUMENTS: Final = ("view", "weights", "scratch")
_LOCATION: Final = re.compile(r"(?P<file>.+\.py):(?P<function>[A-Za-z_]\w*)")


@dataclass(frozen=True)
class UserFunction:
    """What a decorator makes of a function: the function and what is declared of it. Calling it calls the plain function."""

    function: Callable[[Any, Any, Any], int]
    weights: tuple[Weight, ...]
    summary: str
    is_compiled: bool

    def __call__(self, view: Any, weights: Any, scratch: Any) -> int:
        """Decide by the plain function."""
        return self.function(view, weights, scratch)


@dataclass(frozen=True)
class UserPolicy(Policy):
    """A function of a user's file as a policy.

    Attributes
    ----------
    function : UserFunction
    source : Path
        A copy of the file whose path depends on nothing but its contents.
    file : str
        Where the user has it, for messages.
    sha256 : str
        Of the contents.
    """

    function: UserFunction
    source: Path
    file: str
    sha256: str


def strategy(function: Callable[..., Any] | None = None, /, *, weights: Iterable[Weight] = (), summary: str = "") -> Any:
    """Declare a function of three arguments (view, weights, scratch) to be a strategy, compiled by Numba.

    Parameters
    ----------
    weights : iterable of Weight
        The numbers that the function finds in its argument `weights`, in this order; a strategy file sets them by name.
    summary : str, optional
        One line; by default the first line of the function's docstring.

    Raises
    ------
    InputError
        If the function has other arguments, or a weight is declared twice or with a default outside of its range.

    Examples
    --------
    >>> import buraco_sim as b
    >>> @b.strategy(weights=[b.Weight("caution", 0.5, 0, 1, "share", "of the turns in which the pile stays where it is")])
    ... def decide(view, weights, scratch):
    ...     '''Draws from the stock.'''
    ...     return 0
    >>> decide.summary, [weight.name for weight in decide.weights]
    ('Draws from the stock.', ['caution'])
    """
    return _decorator(function, tuple(weights), summary, is_compiled=True)


def python_strategy(function: Callable[..., Any] | None = None, /, *, weights: Iterable[Weight] = (), summary: str = "") -> Any:
    """Declare a function to be a strategy that stays plain Python: some hundred times slower, for trying something out.

    It gets the same view (a copy) and returns the same actions as one of `strategy`; anything that Python can do is allowed
    in it, a debugger included.
    """
    return _decorator(function, tuple(weights), summary, is_compiled=False)


def is_location(text: str) -> bool:
    """Whether a text names a function in a file, like ``mine.py:decide``.

    Examples
    --------
    >>> is_location("lab/mine.py:decide"), is_location("greedy"), is_location("mine.py")
    (True, False, False)
    """
    return _LOCATION.fullmatch(text) is not None


def file_of(location: str) -> str:
    """The file of a location.

    Examples
    --------
    >>> file_of("lab/mine.py:decide")
    'lab/mine.py'
    """
    return location.rpartition(":")[0]


def policy_name(location: str) -> str:
    """The name of a policy, wherever its file lies.

    Examples
    --------
    >>> policy_name("lab/mine.py:decide")
    'mine.py:decide'
    """
    return Path(file_of(location)).name + ":" + location.rpartition(":")[2]


def strategy_name(location: str) -> str:
    """The name of a strategy that has no other: that of its file, and of its function if that is not called `decide`.

    Examples
    --------
    >>> strategy_name("lab/My_player.py:decide"), strategy_name("mine.py:bold")
    ('my-player', 'mine-bold')
    """
    file, _, function = location.rpartition(":")
    words = Path(file).stem if function == "decide" else f"{Path(file).stem}-{function}"
    return re.sub("[^a-z0-9]+", "-", words.lower()).strip("-") or "mine"


def read_code(location: str) -> bytes:
    """The contents of the file of a location.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    file = file_of(location)
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}", where=file, expected="a Python file") from None


def read_policy(location: str, code: bytes) -> UserPolicy:
    """Run a user's file, whose contents are `code`, and return one of its strategies.

    Raises
    ------
    InputError
        If the file cannot be run, has no such strategy, or needs a file beside it.
    """
    file, _, name = location.rpartition(":")
    source = _copy_of(code, Path(file).name)
    module = _run(source, file)
    found = getattr(module, name, None)
    there = [key for key, value in vars(module).items() if isinstance(value, UserFunction)]
    if not isinstance(found, UserFunction):
        problem = f"no function {name!r}" if found is None else f"{name!r} is no strategy"
        expected = f"one of {', '.join(there)}" if there else "a function with @strategy() above it"
        raise InputError(problem, where=file, expected=expected, hint=did_you_mean(name, there) if found is None else "")
    return UserPolicy(policy_name(location), found.summary, found.weights, found, source, file, hashlib.sha256(code).hexdigest())


def user_lines(error: BaseException, source: Path) -> list[int]:
    """Lines of a user's file in which an error was raised, the innermost last."""
    return [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(source)]


def in_words(error: BaseException, source: Path, lines: list[int] | None = None) -> str:
    """An error of a user's code as one line, with the line of the file: by default the one that the error itself names."""
    if lines is None:
        lines = [error.lineno] if isinstance(error, SyntaxError) and error.lineno else user_lines(error, source)
    text = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    where = f"line {lines[-1]}: " if lines else ""
    return f"{where}{type(error).__name__}{': ' if text else ''}{text[:300]}"


def _decorator(function: Any, weights: tuple[Weight, ...], summary: str, *, is_compiled: bool) -> Any:
    """The declared function, or the decorator that declares one: with and without parentheses."""
    if function is not None:
        return _declare(function, weights, summary, is_compiled=is_compiled)
    return lambda function: _declare(function, weights, summary, is_compiled=is_compiled)


def _declare(function: Any, weights: tuple[Weight, ...], summary: str, *, is_compiled: bool) -> UserFunction:
    where = getattr(function, "__name__", shown(function))
    if not inspect.isfunction(function):
        raise InputError("no function", where=where, expected="a def with the decorator right above it, and no other decorator below")
    parameters = inspect.signature(function).parameters.values()
    if len(parameters) != len(ARGUMENTS) or any(one.kind is not one.POSITIONAL_OR_KEYWORD for one in parameters):
        arguments = ", ".join(map(str, parameters))
        raise InputError(f"def {where}({arguments})", expected=f"three arguments: def {where}({', '.join(ARGUMENTS)})")
    names = [getattr(weight, "name", None) for weight in weights]
    for weight in weights:
        if not isinstance(weight, Weight):
            raise InputError(f"weights: {shown(weight)}", where=where, expected="Weight(name, default, low, high, unit, meaning)")
        if names.count(weight.name) > 1:
            raise InputError(f"weight {weight.name!r} twice", where=where, expected="one declaration a weight")
        if not weight.low <= weight.default <= weight.high:
            expected = f"a number {weight.low:g}..{weight.high:g}"
            raise InputError(f"default of weight {weight.name!r} = {weight.default:g}", where=where, expected=expected)
    docstring = (inspect.getdoc(function) or "a strategy without a summary").splitlines()[0]
    return UserFunction(function, weights, summary or docstring, is_compiled)


def _copy_of(content: bytes, name: str) -> Path:
    """Keep a source where its path, and so the compiled code in the cache, depends on nothing but its contents."""
    from buraco_sim._jit import cache_root

    copy = cache_root() / f"source-{hashlib.sha256(content).hexdigest()[:16]}" / name
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        beside = copy.with_name(f".{name}.{id(content)}.tmp")
        beside.write_bytes(content)
        beside.replace(copy)
    return copy


@cache
def _run(source: Path, file: str) -> ModuleType:
    """Run a user's file as a module of its own."""
    name = f"{source.stem}_{source.parent.name[-16:]}"
    spec = spec_from_file_location(name, source)
    if spec is None or spec.loader is None:
        raise InputError("no Python file", where=file)
    module = module_from_spec(spec)
    sys.modules[name] = module  # what is pickled or inspected by name finds it
    try:
        spec.loader.exec_module(module)
    except InputError as error:
        raise InputError(f"line {user_lines(error, source)[-1]}: {error}", where=file) from None
    except (Exception, SystemExit) as error:
        raise InputError(in_words(error, source), where=file, expected="a Python file that can be run") from None
    _refuse_neighbours(module, Path(file))
    return module


def _refuse_neighbours(module: ModuleType, file: Path) -> None:
    """A run keeps one file of a strategy: what this one imports from beside it would be lost, and its edits would go unseen."""
    folder = file.resolve().parent
    for value in vars(module).values():
        owner = value if isinstance(value, ModuleType) else sys.modules.get(getattr(value, "__module__", None) or "")
        there = getattr(owner, "__file__", None)
        if there and Path(there).resolve().parent == folder:
            raise InputError(f"imports {Path(there).name} from beside it", where=str(file), expected="all of a strategy in one file")
