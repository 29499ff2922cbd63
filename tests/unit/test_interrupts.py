"""Ctrl-C is heard wherever it falls, and never raised where it does harm."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from types import FunctionType

import pytest

from buraco_sim.interrupts import heard


def press() -> None:
    signal.raise_signal(signal.SIGINT)


class PressedWhenGone:
    """What is raised in a finalizer is printed and forgotten by Python."""

    def __del__(self) -> None:
        press()


def press_in_a_finalizer() -> None:
    gone = PressedWhenGone()
    del gone


def press_in_the_loader() -> None:
    """As if LLVM had called back."""
    done: list[str] = []

    def callback() -> None:
        press()
        done.append("whole")

    loader = {"__name__": "llvmlite.binding.executionengine", "press": press}
    FunctionType(callback.__code__, loader, closure=callback.__closure__)()
    assert done == ["whole"]


@pytest.mark.parametrize("pressed", [press, press_in_a_finalizer, press_in_the_loader])
def test_a_press_is_never_lost(pressed: Callable[[], None], capfd: pytest.CaptureFixture[str]) -> None:
    def wait() -> None:
        pressed()
        time.sleep(5)

    with pytest.raises(KeyboardInterrupt), heard():
        wait()
    assert capfd.readouterr().err == ""


def test_other_signals_count_for_it() -> None:
    with pytest.raises(KeyboardInterrupt), heard(signal.SIGTERM):
        signal.raise_signal(signal.SIGTERM)


def test_afterwards_all_is_as_before() -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), sys.unraisablehook
    with heard(signal.SIGTERM), heard():
        assert signal.getsignal(signal.SIGTERM) != before[1]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM), sys.unraisablehook) == before


def test_what_others_cannot_raise_is_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[type] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: told.append(unraisable.exc_type))

    class FailsWhenGone:
        def __del__(self) -> None:
            raise ValueError

    with heard():
        gone = FailsWhenGone()
        del gone
    assert told == [ValueError]


def test_a_handler_of_the_callers_own_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    presses: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: presses.append(number))
    try:
        with heard():
            press()
    finally:
        signal.signal(signal.SIGINT, before)
    assert presses == [signal.SIGINT]


def test_in_another_thread_nothing_changes() -> None:
    found: list[object] = []

    def look() -> None:
        with heard():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.getsignal(signal.SIGINT)]
