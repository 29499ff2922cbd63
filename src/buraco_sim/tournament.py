"""Round robins of mirrored pairs: every player against every other on the same shuffles, more pairs where it is not decided."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from buraco_sim.engine import seatings
from buraco_sim.errors import InputError
from buraco_sim.interrupts import command_line, interruptible
from buraco_sim.job import DEFAULT_SEED, DEFAULT_VARIANT, Job, PartRange
from buraco_sim.pairs import Rules, check_range, head_of, margins_of, pairs_job
from buraco_sim.results.columns import Block
from buraco_sim.results.folder import RunFolder
from buraco_sim.simulate import Part, default_threads, play_parts, signature
from buraco_sim.standings import Standings, standings_of
from buraco_sim.stats.ratings import Pairing
from buraco_sim.strategies import Strategy

BUDGET_A_PAIRING: Final = 20_000  # pairs, by default and in the mean
MAX_PLAYERS: Final = 24

#: Called after every part: rows played or read so far, and the standings of the last round if there are any.
OnPart = Callable[[int, "Standings | None"], None]


@dataclass(slots=True)
class _Meeting:
    """Two players and the pairs that they have played."""

    job: Job
    margins: list[npt.NDArray[np.int64]] = field(default_factory=list)
    ranges: list[PartRange] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.ranges = list(reversed(list(self.job.parts())))

    @property
    def pairs(self) -> int:
        return sum(map(len, self.margins))

    @property
    def next_pairs(self) -> int:
        """Pairs of its next part, 0 if there is none."""
        return self.ranges[-1].stop - self.ranges[-1].first if self.ranges else 0


def tournament(
    players: Sequence[str | Strategy],
    variant: Rules = DEFAULT_VARIANT,
    *,
    pairs: int | None = None,
    budget: int | None = None,
    anchor: str | None = None,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    on_part: OnPart | None = None,
) -> Standings:
    """Play a round robin and rate the players.

    All pairings play the same shuffles. First a part each; then again and again a part more of every two neighbours in
    the ranking whose order is not decided, until all are or the budget is spent.

    Parameters
    ----------
    players : sequence of str or Strategy
        Two or more, with names of their own.
    variant : str, Path or Ruleset
    pairs : int, optional
        Play so many pairs of every pairing instead.
    budget : int, optional
        Most pairs of all pairings together; by default 20,000 a pairing.
    anchor : str, optional
        Player whose rating is 0; by default the ratings sum to 0.
    seed, threads, out, resume
        As for :func:`buraco_sim.compare`.
    on_part : callable, optional
        Called while playing.

    Returns
    -------
    Standings
        Ratings with intervals, cross table, residuals; as text, JSON values and HTML.

    Raises
    ------
    InputError, RunError
        If something is not valid, a folder holds another run, or a player chose an illegal action.

    Examples
    --------
    >>> import buraco_sim as b
    >>> table = b.tournament(["random", "greedy"], pairs=200)
    >>> [row.name for row in table.rows]
    ['greedy', 'random']
    """
    loaded = [one if isinstance(one, Strategy) else Strategy.load(one) for one in players]
    pairings = _check_players(loaded, anchor)
    most = len(pairings) * BUDGET_A_PAIRING if budget is None else budget
    check_range("budget", most, len(pairings), 10**12)
    jobs = [pairs_job(variant, (loaded[i], loaded[j]), most if pairs is None else pairs, seed=seed) for i, j in pairings]
    root = None if out is None else Path(out)
    with interruptible(root):
        for job in jobs:
            seatings(job)
        signatures = [signature(job) for job in jobs]
        with ExitStack() as stack:
            folder = None
            if root is not None:
                writer = RunFolder(root, jobs, signatures, command_line(), resume=resume, grows=True)
                folder = stack.enter_context(writer)
            anchor_at = None if anchor is None else [one.name for one in loaded].index(anchor)
            robin = _Robin([one.name for one in loaded], pairings, jobs, anchor_at, folder, on_part)
            standings = robin.play(None if pairs is not None else most, default_threads() if threads is None else threads)
    return replace(standings, seed=seed, signatures=tuple(signatures))


def _check_players(players: Sequence[Strategy], anchor: str | None) -> list[Pairing]:
    names = [one.name for one in players]
    if not 2 <= len(names) <= MAX_PLAYERS:
        raise InputError(f"{len(names)} players", expected=f"2 to {MAX_PLAYERS}")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"player {twice!r} twice", expected="names of their own")
    if anchor is not None and anchor not in names:
        raise InputError(f"--anchor {anchor!r}", expected=f"one of {', '.join(names)}")
    return list(combinations(range(len(names)), 2))


class _Robin:
    """A round robin while it is played."""

    def __init__(
        self,
        names: Sequence[str],
        pairings: Sequence[Pairing],
        jobs: Sequence[Job],
        anchor: int | None,
        folder: RunFolder | None,
        on_part: OnPart | None,
    ) -> None:
        self.names = tuple(names)
        self.pairings = tuple(pairings)
        self.anchor = anchor
        self.meetings = dict(zip(pairings, map(_Meeting, jobs), strict=True))
        self.folder = folder
        self.on_part = on_part
        self.standings: Standings | None = None

    def play(self, budget: int | None, threads: int) -> Standings:
        """Play rounds: of all pairings while there is no budget, else of those that are not decided."""
        todo = list(self.pairings)
        pool = ThreadPoolExecutor(threads, thread_name_prefix="pairing")
        try:
            while todo:
                self._round(todo, pool)
                self.standings = self._rate(sequential=budget is not None)
                todo = self._next_round(self.standings, budget)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        if self.folder is not None:
            for meeting in self.meetings.values():
                self.folder.end_at(meeting.job, meeting.job.first_deal + meeting.pairs)
        assert self.standings is not None
        return self.standings

    def _round(self, todo: Sequence[Pairing], pool: ThreadPoolExecutor) -> None:
        """One more part of each of some pairings; they are added in order, so that nothing depends on the threads."""
        meetings = [self.meetings[pairing] for pairing in todo]
        parts = [meeting.ranges.pop() for meeting in meetings]
        kept = [self._kept(one.job, part) for one, part in zip(meetings, parts, strict=True)]
        playing = [
            pool.submit(_play, one.job, part) if block is None else block for one, part, block in zip(meetings, parts, kept, strict=True)
        ]
        for meeting, part, block in zip(meetings, parts, playing, strict=True):
            played = block if isinstance(block, Block) else block.result()
            if self.folder is not None:
                self.folder.add(meeting.job, part, played)
            meeting.margins.append(margins_of(played))
            if self.on_part is not None:
                self.on_part(2 * sum(one.pairs for one in self.meetings.values()), self.standings)

    def _kept(self, job: Job, part: PartRange) -> Block | None:
        found = self.folder.find(job, part) if self.folder is not None else None
        if found is None or found.stop < part.stop:
            return None
        return head_of(Part(PartRange(part.number, part.first, found.stop), found.block), part.stop).block

    def _rate(self, *, sequential: bool) -> Standings:
        samples = [np.concatenate(self.meetings[pairing].margins).mean(axis=1) for pairing in self.pairings]
        variant = next(iter(self.meetings.values())).job.rules.name
        return standings_of(self.names, self.pairings, samples, variant=variant, anchor=self.anchor, sequential=sequential)

    def _next_round(self, standings: Standings, budget: int | None) -> list[Pairing]:
        if budget is None:
            return [pairing for pairing in self.pairings if self.meetings[pairing].ranges]
        left = budget - sum(meeting.pairs for meeting in self.meetings.values())
        chosen = []
        for pairing in standings.undecided():
            needed = self.meetings[pairing].next_pairs
            if 0 < needed <= left:
                chosen.append(pairing)
                left -= needed
        return chosen


def _play(job: Job, part: PartRange) -> Block:
    (played,) = play_parts(replace(job, first_deal=part.first, deals=part.stop - part.first), threads=1)
    return played.block
