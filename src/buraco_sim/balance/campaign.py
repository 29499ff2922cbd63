"""Several jobs into one run folder: the same shuffles under every variant, or with every pair of players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from buraco_sim.engine import seatings
from buraco_sim.interrupts import command_line
from buraco_sim.job import Job
from buraco_sim.results.folder import RunFolder
from buraco_sim.results.reader import Run
from buraco_sim.simulate import OnChunk, play_parts, signature


def play_jobs(jobs: Sequence[Job], root: Path, *, threads: int | None = None, resume: bool = False, on_chunk: OnChunk | None = None) -> Run:
    """Play jobs into one run folder.

    Parameters
    ----------
    jobs : sequence of Job
        They agree in seed and deals, and differ in variant or players.
    root : Path
        The folder; it may not hold another run.
    threads, on_chunk
        As for :func:`buraco_sim.simulate.play_parts`.
    resume : bool
        Keep the whole parts that an earlier, interrupted run of the same jobs left.

    Raises
    ------
    InputError
        If two jobs would share a folder.
    RunError
        If the folder holds another run, or a strategy chose an illegal action.
    """
    for job in jobs:
        seatings(job)  # compiles what is not compiled yet: that counts for no rate
    with RunFolder(root, jobs, [signature(job) for job in jobs], command_line(), resume=resume) as folder:
        for job in jobs:
            kept = {part.number for part in job.parts() if (found := folder.find(job, part)) is not None and found.stop == part.stop}
            for played in play_parts(job, threads=threads, skip=kept, on_chunk=on_chunk):
                folder.add(job, played.range, played.block)
    return Run.open(root)
