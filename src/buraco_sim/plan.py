"""How many pairs, deals and minutes a comparison needs here: from a pilot."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any, Final

import numpy as np

from buraco_sim.engine import seatings
from buraco_sim.errors import InputError
from buraco_sim.job import DEFAULT_EFFECT, DEFAULT_SEED, DEFAULT_VARIANT
from buraco_sim.pairs import MAX_PAIRS, Rules, check_range, margins_of, pairs_job, plays_alike
from buraco_sim.simulate import OnChunk, play_parts, signature
from buraco_sim.stats.pairs import estimate_pairs
from buraco_sim.stats.planning import fixed_pairs, sequential_pairs
from buraco_sim.strategies import Strategy

DEFAULT_PILOT: Final = 2000  # pairs
PILOT_FIRST: Final = MAX_PAIRS // 2  # far from the pairs of any comparison: a pilot may not help to decide one


@dataclass(frozen=True, slots=True)
class Need:
    """What a way to decide needs: pairs, rows that are played, and minutes on this machine."""

    pairs: int
    deals: int
    minutes: float


@dataclass(frozen=True, slots=True)
class Plan:
    """What a comparison of two players needs.

    Attributes
    ----------
    a, b, variant : str
    effect : float
        Points a pair.
    pilot : int
        Pairs that were played to find out.
    sd_pair : float
        Standard deviation of a pair, points.
    rho : float or None
        Correlation of the margins at the two tables.
    deals_per_second : float
        Rows played a second in the pilot.
    fixed : Need
        A two-sided fixed sample with errors of 5 %.
    sequential : dict of str to Need
        The sequential test, in the mean, if the true margin is 0, the effect, or twice the effect.
    seed : int
    signature : str
    """

    a: str
    b: str
    variant: str
    effect: float
    pilot: int
    sd_pair: float
    rho: float | None
    deals_per_second: float
    fixed: Need
    sequential: dict[str, Need]
    seed: int
    signature: str

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON values."""
        return asdict(self)

    def text(self) -> str:
        """The plan for people."""
        rho = "undefined" if self.rho is None else f"{self.rho:+.3f}: mirroring takes {1 + self.rho:.2f} times the deals"
        rows = [
            ("fixed sample, two-sided, errors of 5 %", self.fixed),
            *((f"sequential, {name}", need) for name, need in self.sequential.items()),
        ]
        return "\n".join(
            [
                f"{self.variant}: {self.a} against {self.b}, to find {self.effect:g} points a pair",
                f"  pilot        {self.pilot:,} pairs, seed {self.seed}",
                f"  one pair     standard deviation {self.sd_pair:.1f}",
                f"  two tables   correlation {rho}",
                f"  rate         {self.deals_per_second:,.0f} deals/s",
                f"  {'':<42}{'pairs':>12}{'deals':>12}{'minutes':>10}",
                *(f"  {name:<42}{need.pairs:>12,}{need.deals:>12,}{need.minutes:>10.1f}" for name, need in rows),
            ]
        )


def plan(
    a: str | Strategy,
    b: str | Strategy,
    variant: Rules = DEFAULT_VARIANT,
    *,
    effect: float = DEFAULT_EFFECT,
    pilot: int = DEFAULT_PILOT,
    seed: int = DEFAULT_SEED,
    threads: int | None = None,
    on_chunk: OnChunk | None = None,
) -> Plan:
    """Play a pilot and say what it takes to find a margin of `effect`.

    The pilot's pairs lie far from those that a comparison plays.

    Parameters
    ----------
    a, b : str or Strategy
        Names, TOML files, or strategies.
    variant : str, Path or Ruleset
    effect : float
        Points a pair that matter.
    pilot : int
        Pairs to play, 100 or more.
    seed, threads, on_chunk
        As for :func:`buraco_sim.compare`.

    Raises
    ------
    InputError, RunError
        If something is not valid, or a player chose an illegal action.

    Examples
    --------
    >>> import buraco_sim as b
    >>> found = b.plan("greedy", "random", effect=20, pilot=200)
    >>> found.pilot, found.sequential["if it is 20"].pairs < found.fixed.pairs
    (200, True)
    """
    check_range("effect", effect, 0.01, 100_000)
    check_range("pilot", pilot, 100, 1_000_000)
    job = pairs_job(variant, (a, b), pilot, seed=seed, first=PILOT_FIRST)
    seatings(job)
    start = perf_counter()
    parts = list(play_parts(job, threads=threads, on_chunk=on_chunk))
    rate = job.rows / (perf_counter() - start)
    estimate = estimate_pairs(np.concatenate([margins_of(part.block) for part in parts]))
    if estimate.sd == 0:
        same = "are the same player" if plays_alike(job) else "play alike"
        raise InputError(
            f"{job.team_name(0)} and {job.team_name(1)} {same}: every pair is exactly zero", expected="two players that differ"
        )

    def need(pairs: int) -> Need:
        return Need(pairs, 2 * pairs, 2 * pairs / rate / 60)

    names = {0: "if the margin is 0", 1: f"if it is {effect:g}", 2: f"if it is {2 * effect:g}"}
    return Plan(
        a=job.team_name(0),
        b=job.team_name(1),
        variant=job.rules.name,
        effect=effect,
        pilot=pilot,
        sd_pair=estimate.sd,
        rho=estimate.rho,
        deals_per_second=rate,
        fixed=need(fixed_pairs(estimate.sd, effect)),
        sequential={names[times]: need(pairs) for times, pairs in sequential_pairs(estimate.sd, effect).items()},
        seed=seed,
        signature=signature(job),
    )
