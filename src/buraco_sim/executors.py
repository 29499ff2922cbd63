"""Who makes the parts of a run: the threads of this process here, other processes and machines in `cluster`."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from buraco_sim.job import Job, PartRange
from buraco_sim.results.parts import PartEntry, write_part
from buraco_sim.results.store import Store
from buraco_sim.simulate import OnChunk, Part, play_parts
from buraco_sim.summary import Summary


class Made(NamedTuple):
    """What becomes known of a part: its rows summed up, and its entry for the manifest if it was written."""

    summary: Summary
    entry: PartEntry | None


class Maker(Protocol):
    """Plays and writes parts, in any order. An interruption or an error leaves no part half-written."""

    def make(self, job: Job, parts: Sequence[PartRange], store: Store | None, on_chunk: OnChunk | None) -> Generator[Made, None, None]:
        """Make these parts of a job; without a store they are only summed up."""
        ...


class Executor(Protocol):
    """Where parts are made."""

    def started(self) -> AbstractContextManager[Maker]:
        """Bring up whoever makes them, without waiting until all are there."""
        ...


@dataclass(frozen=True, slots=True)
class Threads:
    """Threads of this process: by default one a core."""

    n: int | None = None

    def started(self) -> AbstractContextManager[Maker]:
        """Threads start with the parts."""
        return nullcontext(self)

    def make(self, job: Job, parts: Sequence[PartRange], store: Store | None, on_chunk: OnChunk | None) -> Generator[Made, None, None]:
        """Make the parts in order: one is written while the next is played."""
        others = {part.number for part in job.parts()} - {part.number for part in parts}
        for part in play_parts(job, threads=self.n, skip=others, on_chunk=on_chunk):
            yield finish_part(job, part, store)


def finish_part(job: Job, part: Part, store: Store | None) -> Made:
    """Sum up a part that was played, and write it."""
    summary = Summary(job)
    summary.add(part.block)
    return Made(summary, None if store is None else write_part(store, job, part.range, part.block))
