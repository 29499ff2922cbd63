"""Progress on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, ParamSpec, Protocol, Self

if TYPE_CHECKING:
    from buraco_sim.chunks import Chunk
    from buraco_sim.compare import Look
    from buraco_sim.tune.outcome import Generation

SECONDS_BETWEEN_LINES: Final = 10.0

P = ParamSpec("P")


def now_and_then(show: Callable[P, None]) -> Callable[P, None]:
    """Call a function now and then only, however often it is called."""
    last = monotonic()

    def perhaps(*args: P.args, **kwargs: P.kwargs) -> None:
        nonlocal last
        if monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = monotonic()
            show(*args, **kwargs)

    return perhaps


class _Display(Protocol):
    def expect(self, rows: int) -> None: ...

    def show(self, done: int, estimate: str) -> None: ...

    def close(self) -> None: ...


class Progress(AbstractContextManager["Progress"]):
    """Counts rows as they are played and shows how far it is: deals, deals/s, time left, mean score so far.

    Parameters
    ----------
    rows : int
        Rows in all.
    quiet : bool
        Show nothing.
    """

    def __init__(self, rows: int, quiet: bool = False) -> None:
        self.done = self.counted = 0
        self.scores = (0, 0)
        self.display: _Display | None = None
        if not quiet:
            self.display = _Bar(rows) if sys.stderr.isatty() else _Lines(rows)

    def __enter__(self) -> Self:
        """Show it as long as the block runs."""
        return self

    def expect(self, rows: int) -> None:
        """Say how many rows will be played: fewer than all if parts of a run are kept."""
        if self.display is not None:
            self.display.expect(rows)

    def __call__(self, chunk: Chunk) -> None:
        """Count a chunk."""
        self.done += chunk.rows
        self.scores = (self.scores[0] + chunk.scores[0], self.scores[1] + chunk.scores[1])
        self.counted += chunk.counted
        if self.display is not None:
            self.display.show(self.counted, self.estimate())

    def estimate(self) -> str:
        """What is known so far, in a few words."""
        return f"score {self.scores[0] / self.done:.0f} : {self.scores[1] / self.done:.0f}"

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Take the bar away, also after an error."""
        if self.display is not None:
            self.display.close()


class Deciding(Progress):
    """Progress of a comparison: how far it is follows from the last look.

    Parameters
    ----------
    rows : int
        Rows at the budget.
    quiet : bool
        Show nothing.
    """

    def __init__(self, rows: int, quiet: bool = False) -> None:
        super().__init__(rows, quiet)
        self.rows = rows
        self.look: Look | None = None

    def on_look(self, look: Look) -> None:
        """Take note of a look."""
        self.look = look
        if self.display is not None:
            self.display.expect(max(self.counted, min(self.rows, 2 * look.expected_pairs())))

    def estimate(self) -> str:
        """Mean with interval, and the ratios against their bounds."""
        return "" if self.look is None else self.look.text()


class Searching(Progress):
    """Progress of a search: generation, what the mean gains over the start, deals/s, time left.

    Parameters
    ----------
    rows : int
        Rows at the end of the budget.
    minutes : float or None
        Time of playing at the end, if that is the budget.
    quiet : bool
        Show nothing.
    """

    def __init__(self, rows: int, minutes: float | None, quiet: bool = False) -> None:
        super().__init__(rows, quiet)
        self.minutes = minutes
        self.played = 0.0

    def on_generation(self, one: Generation) -> None:
        """Take note of a generation."""
        self.played += one.seconds
        if self.display is None:
            return
        if self.minutes is not None and self.played:
            self.display.expect(max(one.deals, round(one.deals * 60 * self.minutes / self.played)))
        gain = f"{one.recent.mean:+.1f} ({one.recent.low:+.1f} to {one.recent.high:+.1f})"
        self.display.show(one.deals, f"generation {one.number + 1}, gain {gain}, best {one.best:+.1f}")


class _Bar:
    def __init__(self, rows: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        self.started = monotonic()
        columns: tuple[Any, ...] = (
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]} deals/s"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[estimate]}"),
        )
        self.bar = RichProgress(*columns, console=Console(stderr=True), transient=True)
        self.task = self.bar.add_task("", total=rows, rate="-", estimate="")
        self.bar.start()

    def expect(self, rows: int) -> None:
        self.bar.update(self.task, total=rows)

    def show(self, done: int, estimate: str) -> None:
        self.bar.update(self.task, completed=done, rate=f"{done / (monotonic() - self.started):,.0f}", estimate=estimate)

    def close(self) -> None:
        self.bar.stop()


class _Lines:
    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.started = self.last = monotonic()

    def expect(self, rows: int) -> None:
        self.rows = rows

    def show(self, done: int, estimate: str) -> None:
        now = monotonic()
        if now - self.last < SECONDS_BETWEEN_LINES:
            return
        self.last = now
        rate = done / (now - self.started)
        left = (self.rows - done) / rate
        print(f"{done:,} of {self.rows:,} deals, {rate:,.0f} deals/s, {left:.0f} s left, {estimate}", file=sys.stderr, flush=True)

    def close(self) -> None:
        pass
