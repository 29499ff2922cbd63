"""Mirrored pairs of two players as a stream: from a run folder what is there, then played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from buraco_sim.errors import InputError
from buraco_sim.job import DEFAULT_SEED, MATCH_DEALS, MAX_DEAL, Job, PartRange, make_job, strategy_values
from buraco_sim.results.columns import Block
from buraco_sim.results.folder import RunFolder
from buraco_sim.rules import Ruleset
from buraco_sim.simulate import OnChunk, Part, play_parts
from buraco_sim.strategies import Strategy

PART_PAIRS: Final = 2000  # of deals; a quarter of a second of a quick player, and the most that is played in vain
PART_MATCHES: Final = 500
MAX_PAIRS: Final = MAX_DEAL // MATCH_DEALS

Rules = str | Path | Ruleset


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Refuse a number out of range.

    Raises
    ------
    InputError
    """
    if not low <= value <= high:
        raise InputError(f"{name} = {value:g}", expected=f"a number {low:g}..{high:g}")


def pairs_job(
    rules: str | Path | Ruleset,
    players: tuple[str | Strategy, str | Strategy],
    pairs: int,
    *,
    seed: int = DEFAULT_SEED,
    first: int = 0,
    matches: bool = False,
) -> Job:
    """The job of so many mirrored pairs, of deals or of matches, from the pair `first` on.

    Raises
    ------
    InputError
        If a name, a file or a number is not valid.
    """
    check_range("pairs", pairs, 1, MAX_PAIRS)
    options = {"mirror": True, "seed": seed, "first_deal": first}
    if matches:
        return make_job(rules, players, matches=pairs, part_deals=PART_MATCHES, **options)  # type: ignore[arg-type]
    return make_job(rules, players, deals=pairs, part_deals=PART_PAIRS, **options)  # type: ignore[arg-type]


def plays_alike(job: Job) -> bool:
    """Whether the two teams of a job are the same player, by policy, weights and memory."""
    values = [[strategy_values(one) | {"name": ""} for one in job.seats[team::2]] for team in (0, 1)]
    return values[0] == values[1]


def stream_pairs(
    job: Job, folder: RunFolder | None = None, *, threads: int | None = None, on_chunk: OnChunk | None = None
) -> Iterator[Part]:
    """The parts of a job in order: first those that lie in the folder, the rest played; the caller adds them to the folder.

    A part of which the folder has the first rows only is completed: no deal is played twice.

    Raises
    ------
    RunError
        If a deal did not end normally.
    """
    first = job.first_deal
    begun: Block | None = None
    for part in job.parts() if folder is not None else ():
        kept = folder.find(job, part) if folder is not None else None
        if kept is None:
            break
        first = kept.stop
        if kept.stop < part.stop:
            begun = kept.block
            break
        yield head_of(Part(PartRange(part.number, part.first, kept.stop), kept.block), part.stop)
    if first >= job.stop_deal:
        return
    for played in play_parts(replace(job, first_deal=first, deals=job.stop_deal - first), threads=threads, on_chunk=on_chunk):
        if begun is None:
            yield played
        else:
            start = max(job.first_deal, played.range.number * job.part_deals)
            yield Part(PartRange(played.range.number, start, played.range.stop), Block.concat([begun, played.block]))
            begun = None


def head_of(part: Part, stop: int) -> Part:
    """The rows of a part up to a deal (excluded)."""
    if stop >= part.range.stop:
        return part
    rows = int(np.searchsorted(part.block["deal"], stop))
    return Part(PartRange(part.range.number, part.range.first, stop), part.block.take(slice(0, rows)))


def margins_of(block: Block) -> npt.NDArray[np.int64]:
    """Margin of A over B in points, int64[pairs, 2]: of each pair at table 0, where A is team 0, and at table 1.

    Of matches, the difference of the totals.
    """
    difference = (block["score_0"].astype(np.int64) - block["score_1"]) * (1 - 2 * block["table"].astype(np.int64))
    units: npt.NDArray[Any] = block["match"] if "match" in block.arrays else block["deal"]
    _, place = np.unique(units, return_inverse=True)
    margins = np.zeros((int(place.max()) + 1 if len(place) else 0, 2), np.int64)
    np.add.at(margins, (place, block["table"].astype(np.int64)), difference)
    return margins
