"""Ctrl-C: heard wherever it falls, never in the midst of loading machine code, answered by the line that goes on."""

from __future__ import annotations

import shlex
import shutil
import signal
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar, Final

from buraco_sim.errors import BuracoError, ExitCode

SECONDS_TO_WAIT: Final = 0.02  # until it is tried again where it could not be raised
_LOADER: Final = "llvmlite.binding.executionengine"  # LLVM calls it back and takes memory from it


class InterruptedRunError(BuracoError):
    """A run stopped by Ctrl-C; the text says how to go on."""

    exit_code: ClassVar[ExitCode] = ExitCode.INTERRUPTED


@contextmanager
def interruptible(where: str | Path | None) -> Iterator[None]:
    """Turn Ctrl-C into an error that says how the same command goes on with what is in its run folder.

    Raises
    ------
    InterruptedRunError
    """
    try:
        with heard():
            yield
    except KeyboardInterrupt:
        if where is None:
            raise InterruptedRunError("interrupted; nothing was written (give --out to keep what was played)") from None
        words = [word for word in command_line() if word != "--resume"]
        how = shlex.join([*words, "--resume"]) if words else "the same call with resume=True"
        raise InterruptedRunError(f"interrupted; the parts that were written are kept in {where}\ncontinue: {how}") from None


@contextmanager
def heard(*signals: signal.Signals) -> Iterator[None]:
    """Raise KeyboardInterrupt on Ctrl-C and other signals, but where that does what it should.

    Python raises it wherever it is. In a function that other code calls back (a hook of the garbage collector, the loader of
    machine code) it is printed and forgotten; in the latter half-filled memory may be left to a crash. So it waits until such a
    function is over, and is raised again if it was forgotten. A handler of the caller's own stays as it is.

    Parameters
    ----------
    *signals : signal.Signals
        To be taken for Ctrl-C besides it.
    """
    if threading.current_thread() is not threading.main_thread():  # Python handles signals in the main thread alone
        yield
        return
    hook = sys.unraisablehook

    def forgotten(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            _press_again()
        else:
            hook(unraisable)

    taken = [one for one in (signal.SIGINT, *signals) if signal.getsignal(one) in (signal.default_int_handler, signal.SIG_DFL)]
    before = {one: signal.signal(one, _pressed) for one in taken}
    sys.unraisablehook = forgotten
    try:
        yield
    finally:
        sys.unraisablehook = hook
        for one, handler in before.items():
            signal.signal(one, handler)


def command_line() -> list[str]:
    """The command line of this process if it is ours, as it can be given again; else nothing."""
    program = Path(sys.argv[0])
    if program.name == "buraco":
        return ["buraco" if shutil.which("buraco") else sys.argv[0], *sys.argv[1:]]
    return [sys.executable, "-m", "buraco_sim", *sys.argv[1:]] if program.parts[-2:] == ("buraco_sim", "__main__.py") else []


def _pressed(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_globals.get("__name__") == _LOADER:
            return _press_again()
        frame = frame.f_back
    raise KeyboardInterrupt


def _press_again() -> None:
    timer = threading.Timer(SECONDS_TO_WAIT, interrupt_main)
    timer.daemon = True
    timer.start()
