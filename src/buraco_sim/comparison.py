"""What a comparison of two players found: figures, verdict, JSON values and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from buraco_sim.errors import ExitCode
from buraco_sim.stats.sequential import bounds

Verdict = Literal["a", "b", "null", "undecided", "fixed"]
VERDICTS: Final[tuple[Verdict, ...]] = ("undecided", "a", "b", "null")  # by the number of stats.sequential

EXIT_CODES: Final[dict[Verdict, ExitCode]] = {
    "a": ExitCode.DONE,
    "b": ExitCode.B_BETTER,
    "null": ExitCode.NEITHER,
    "undecided": ExitCode.UNDECIDED,
    "fixed": ExitCode.DONE,
}


@dataclass(frozen=True, slots=True)
class MatchFigures:
    """Matches of a comparison, over both tables of all pairs.

    Attributes
    ----------
    won : tuple of int
        By A, by B, drawn.
    share : float
        Matches won by A, a drawn one half, 0 to 1.
    share_interval : tuple of float
        Bootstrap over pairs, 95 %.
    deals : float
        Mean number of deals of a match.
    victory_points : float or None
        Mean of A, 0 to 20; None where the match is not of rounds.
    victory_points_interval : tuple of float or None
    """

    won: tuple[int, int, int]
    share: float
    share_interval: tuple[float, float]
    deals: float
    victory_points: float | None = None
    victory_points_interval: tuple[float, float] | None = None

    def to_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        points = self.victory_points_interval
        return {
            "won": dict(zip(("a", "b", "drawn"), self.won, strict=True)),
            "share": self.share,
            "share_interval": list(self.share_interval),
            "deals": self.deals,
            "victory_points": self.victory_points,
            "victory_points_interval": None if points is None else list(points),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """A against B under one variant.

    Attributes
    ----------
    a, b, variant : str
    pairs : int
        Mirrored pairs that count.
    mean : float
        Margin of A over B, points a pair (the mean of its two tables; of matches, their totals).
    interval : tuple of float or None
        95 %: the confidence sequence, valid whenever one stops; of a fixed sample the ordinary interval.
    sd_pair : float
        Standard deviation of a pair, points.
    rho : float or None
        Correlation of the margins at the two tables, None where undefined.
    wins : tuple of int
        Pairs won by A, by B, equal.
    llr : tuple of float or None
        Log-likelihood ratios of A better and of B better at the last look; None of a fixed sample, and without variance.
    verdict : str
        ``a``, ``b``: better; ``null``: neither by the effect; ``undecided``; ``fixed``: a fixed sample has no verdict.
    effect : float
        Points a pair that the test looks for.
    p_value : float or None
        Of a fixed sample, two-sided, adjusted by Holm for the number of variants.
    alike : bool
        A and B are the same player: every pair is exactly zero.
    seed : int
    signature : str
        Of engine and players, see `buraco_sim.simulate.signature`.
    command : str
        The command line that repeats it.
    matches : MatchFigures or None
    """

    a: str
    b: str
    variant: str
    pairs: int
    mean: float
    interval: tuple[float, float] | None
    sd_pair: float
    rho: float | None
    wins: tuple[int, int, int]
    llr: tuple[float, float] | None
    verdict: Verdict
    effect: float
    p_value: float | None
    alike: bool
    seed: int
    signature: str
    command: str
    matches: MatchFigures | None = None

    @property
    def exit_code(self) -> ExitCode:
        """What the command leaves with."""
        return EXIT_CODES[self.verdict]

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON values."""
        return {
            "a": self.a,
            "b": self.b,
            "variant": self.variant,
            "pairs": self.pairs,
            "mean": self.mean,
            "interval": None if self.interval is None else list(self.interval),
            "sd_pair": self.sd_pair,
            "rho": self.rho,
            "mirror_factor": None if self.rho is None else 1 + self.rho,
            "wins": dict(zip(("a", "b", "equal"), self.wins, strict=True)),
            "llr": None if self.llr is None else {"a": self.llr[0], "b": self.llr[1]},
            "verdict": self.verdict,
            "effect": self.effect,
            "p_value": self.p_value,
            "seed": self.seed,
            "signature": self.signature,
            "command": self.command,
        } | ({} if self.matches is None else {"matches": self.matches.to_dict()})

    def text(self) -> str:
        """The comparison for people."""
        unit = "pairs of matches" if self.matches else "pairs"
        rho = "undefined" if self.rho is None else f"{self.rho:+.3f}: mirroring takes {1 + self.rho:.2f} times the deals"
        lines = [
            f"{self.variant}: {self.a} against {self.b}, {self.pairs:,} mirrored {unit}, seed {self.seed}",
            f"  verdict      {self.verdict}: {self._verdict_text()}",
            f"  margin       {self.mean:+.2f} points a pair{self._interval_text()}",
            f"  pairs won    {self.wins[0]:,} : {self.wins[1]:,}, equal {self.wins[2]:,}",
            f"  one pair     standard deviation {self.sd_pair:.1f}",
            f"  two tables   correlation {rho}",
        ]
        if self.llr is not None:
            low, high = bounds()
            lines.append(f"  test         llr {self.llr[0]:+.2f} ({self.a}), {self.llr[1]:+.2f} ({self.b}); bounds {low:+.2f}, {high:+.2f}")
        if self.p_value is not None:
            lines.append(f"  test         two-sided p = {self.p_value:.3g}")
        lines += self._match_lines()
        return "\n".join([*lines, f"  signature    {self.signature}", f"  repeat       {self.command}"])

    def _match_lines(self) -> list[str]:
        if self.matches is None:
            return []
        m = self.matches
        low, high = m.share_interval
        lines = [
            f"  matches won  {m.won[0]:,} : {m.won[1]:,}, drawn {m.won[2]:,}; {m.deals:.1f} deals a match",
            f"  match share  {m.share:.1%} (95 % {low:.1%} to {high:.1%}, bootstrap over pairs)",
        ]
        if m.victory_points is not None and m.victory_points_interval is not None:
            low, high = m.victory_points_interval
            lines.append(f"  VP           {m.victory_points:.2f} of 20 (95 % {low:.2f} to {high:.2f}, bootstrap over pairs)")
        return lines

    def _verdict_text(self) -> str:
        if self.alike:
            return "the same player twice: every pair is exactly zero"
        return {
            "a": f"{self.a} is better",
            "b": f"{self.b} is better",
            "null": f"neither is better by {self.effect:g} points a pair or more",
            "undecided": "the budget is spent, the test is not decided",
            "fixed": "a fixed sample, nothing is decided",
        }[self.verdict]

    def _interval_text(self) -> str:
        if self.interval is None:
            return ""
        kind = {"fixed": "ordinary interval", "undecided": "confidence sequence"}.get(
            self.verdict, "confidence sequence, after a sequential stop"
        )
        return f" (95 % {self.interval[0]:+.2f} to {self.interval[1]:+.2f}; {kind})"


def common_code(results: Sequence[Comparison]) -> ExitCode:
    """The exit code of several comparisons: the one that they share, else that of undecided."""
    codes = {one.exit_code for one in results}
    return codes.pop() if len(codes) == 1 else ExitCode.UNDECIDED
