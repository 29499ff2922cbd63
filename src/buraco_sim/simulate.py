"""Many deals on all cores: chunks over threads, parts in order, rows by (deal, table)."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pyarrow as pa

from buraco_sim.chunks import Chunk, Failure, failure_error, play_chunk
from buraco_sim.engine import Seating, seatings
from buraco_sim.errors import InputError
from buraco_sim.job import DEFAULT_DEALS, DEFAULT_PLAYERS, DEFAULT_SEED, MATCH_DEALS, Job, PartRange, Players, make_job
from buraco_sim.results.columns import Block
from buraco_sim.rules import Ruleset

CHUNK_MATCHES: Final = 250
CHUNK_DEALS: Final = 1000  # some 25 ms: long against the cost of a call, short against the wait after Ctrl-C
PARTS_IN_FLIGHT: Final = 2  # bounds the memory: one is written while the next is played; small parts are more
SIGNATURE_DEALS: Final = 64


OnChunk = Callable[[Chunk], None]


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of one part."""

    range: PartRange
    block: Block


@dataclass(frozen=True, slots=True)
class _Pending:
    range: PartRange
    chunks: list[Future[tuple[Block, Chunk]]]


def simulate(
    rules: str | Path | Ruleset,
    players: Players = DEFAULT_PLAYERS,
    *,
    deals: int = DEFAULT_DEALS,
    matches: int | None = None,
    seed: int = DEFAULT_SEED,
    mirror: bool | None = None,
    first_deal: int = 0,
    threads: int | None = None,
) -> pa.Table:
    """Play deals and return one row a deal and table.

    Parameters
    ----------
    rules : str, Path or Ruleset
        Name of a preset, a TOML file, or a ruleset.
    players : str, Strategy or sequence of these
        One for everybody, two for team 0 and team 1, or one a seat.
    deals : int
        Number of different shuffles.
    matches : int, optional
        Play so many matches instead, by the table `match` of the rules: a row a deal of them.
    seed : int
        0 .. 2**64 - 1; the same seed gives the same deals in every variant with the same deck.
    mirror : bool, optional
        Play each deal at two tables with the teams' strategies exchanged (two rows a deal); by default if the teams differ.
    first_deal : int
        Index of the first shuffle, or match.
    threads : int, optional
        By default one a core. The rows do not depend on it.

    Returns
    -------
    pyarrow.Table
        The columns of ``buraco schema``, rows in the order of (deal, table). For more rows than fit into memory, write
        a run folder instead: :func:`buraco_sim.simulate_to`.

    Raises
    ------
    InputError
        If a name, a file or a number is not valid.
    RunError
        If a strategy chose an illegal action; says how to replay the deal.

    Examples
    --------
    >>> import buraco_sim as b
    >>> table = b.simulate("stbl", "greedy", deals=4, seed=1)
    >>> table.num_rows, table.column("deal").to_pylist()
    (4, [0, 1, 2, 3])
    """
    job = make_job(rules, players, mirror=mirror, deals=deals, matches=matches, seed=seed, first_deal=first_deal)
    return pa.concat_tables([part.block.to_arrow() for part in play_parts(job, threads=threads)])


def play_parts(job: Job, *, threads: int | None = None, skip: Collection[int] = (), on_chunk: OnChunk | None = None) -> Iterator[Part]:
    """Play the parts of a job, in order, with a bounded number of them in memory.

    Parameters
    ----------
    job : Job
        What to play.
    threads : int, optional
        By default one a core.
    skip : collection of int
        Indices of parts that are there already.
    on_chunk : callable, optional
        Called in this thread after each chunk.

    Raises
    ------
    RunError
        If a deal of a part did not end normally; that part is not yielded.
    """
    n_threads = thread_count(threads)
    tables = seatings(job)
    todo = (part for part in job.parts() if part.number not in skip)
    pool = ThreadPoolExecutor(n_threads, thread_name_prefix="buraco")
    pending: deque[_Pending] = deque()
    try:
        while True:
            while _wants_more(pending, n_threads) and (next_range := next(todo, None)) is not None:
                pending.append(_submit(pool, job, tables, next_range))
            if not pending:
                return
            yield _finish(job, pending.popleft(), on_chunk)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def signature(job: Job) -> str:
    """Hash of the columns of some fixed deals: it changes when the engine or a player plays otherwise.

    Returns
    -------
    str
        16 hexadecimal digits, the same for every seed and number of deals of a job.
    """
    fixed = replace(job, seed=DEFAULT_SEED, first_deal=0, deals=SIGNATURE_DEALS, part_deals=SIGNATURE_DEALS, matches=False)
    digest = hashlib.sha256()
    for table in seatings(fixed):
        digest.update(table.play(0, SIGNATURE_DEALS)[0].astype("<i4").tobytes())
    return digest.hexdigest()[:16]


def default_threads() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """So many threads, by default one a core.

    Raises
    ------
    InputError
        If the number is out of range.
    """
    if threads is None:
        return default_threads()
    if not 1 <= threads <= 1024:
        raise InputError(f"threads = {threads}", expected="a whole number 1..1024")
    return threads


def _wants_more(pending: Collection[_Pending], n_threads: int) -> bool:
    return len(pending) < PARTS_IN_FLIGHT or sum(len(one.chunks) for one in pending) <= n_threads


def _submit(pool: ThreadPoolExecutor, job: Job, tables: tuple[Seating, ...], part: PartRange) -> _Pending:
    step = CHUNK_MATCHES * MATCH_DEALS if job.matches else CHUNK_DEALS
    firsts = range(part.first, part.stop, step)
    return _Pending(part, [pool.submit(play_chunk, job, tables, first, min(first + step, part.stop)) for first in firsts])


def _finish(job: Job, pending: _Pending, on_chunk: OnChunk | None) -> Part:
    failures: list[Failure] = []
    blocks: list[Block] = []
    for future in pending.chunks:
        block, chunk = future.result()
        blocks.append(block)
        failures += chunk.failures
        if on_chunk is not None:
            on_chunk(chunk)
    whole = Block.concat(blocks)
    if failures:
        raise failure_error(job, len(whole), failures)
    return Part(pending.range, whole)
