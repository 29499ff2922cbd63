"""The outcome of a round robin: ranking with intervals, cross table, and who beats whom against the ratings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from buraco_sim.stats.multiple import holm
from buraco_sim.stats.pairs import quantile
from buraco_sim.stats.ratings import Pairing, Ratings, covariance_of_means, rate
from buraco_sim.stats.sequential import ALPHA, confidence_sequence


@dataclass(frozen=True, slots=True)
class Row:
    """A player: number in the order given, name, rating and its 95 % interval in points a pair."""

    number: int
    name: str
    rating: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Cell:
    """A pairing: mean margin of the first over the second with its standard error, and how far the ratings explain it.

    Attributes
    ----------
    first, second : str
    pairs : int
    mean, error : float
        Points a pair.
    p_value : float
        Two-sided, that the margin is 0; adjusted by Holm over all pairings.
    residual, residual_error : float
        Mean minus the difference of the ratings.
    residual_p_value : float
        Two-sided, that the ratings explain it; adjusted likewise. 1 where they always do (two players).
    """

    first: str
    second: str
    pairs: int
    mean: float
    error: float
    p_value: float
    residual: float
    residual_error: float
    residual_p_value: float


@dataclass(frozen=True, slots=True)
class Standings:
    """What :func:`buraco_sim.tournament` returns.

    Attributes
    ----------
    variant : str
    rows : tuple of Row
        Best first.
    cells : tuple of Cell
        One a pairing, in the order of the players given.
    separations : tuple of float
        Of each two neighbours in `rows`: difference of the ratings in units of the half width of its 95 % interval; the order
        is decided from 1 on.
    sequential : bool
        The pairs were allocated while looking; intervals are those of the confidence sequence.
    anchor : str or None
    seed : int
    signatures : tuple of str
        One a pairing.
    """

    variant: str
    rows: tuple[Row, ...]
    cells: tuple[Cell, ...]
    separations: tuple[float, ...]
    sequential: bool
    anchor: str | None
    seed: int = 0
    signatures: tuple[str, ...] = ()

    def cell(self, first: str, second: str) -> Cell:
        """The cell of two players, seen from the first."""
        for one in self.cells:
            if (one.first, one.second) == (first, second):
                return one
            if (one.first, one.second) == (second, first):
                return Cell(
                    first, second, one.pairs, -one.mean, one.error, one.p_value, -one.residual, one.residual_error, one.residual_p_value
                )
        raise KeyError(first, second)

    def undecided(self) -> list[Pairing]:
        """Neighbours in the ranking whose order is not decided, as numbers of players."""
        pairs = zip(self.rows, self.rows[1:], self.separations, strict=False)
        return [(min(a.number, b.number), max(a.number, b.number)) for a, b, separation in pairs if separation < 1]

    def cycles(self) -> list[Cell]:
        """Pairings that the ratings do not explain, at 5 % over all, each seen from who does better than rated."""
        found = [one for one in self.cells if one.residual_p_value < ALPHA]
        return [one if one.residual > 0 else self.cell(one.second, one.first) for one in found]

    def to_dict(self) -> dict[str, Any]:
        """The standings as JSON values."""
        return {
            "variant": self.variant,
            "seed": self.seed,
            "sequential": self.sequential,
            "anchor": self.anchor,
            "ratings": [{"name": row.name, "rating": row.rating, "interval": [row.low, row.high]} for row in self.rows],
            "decided": [separation >= 1 for separation in self.separations],
            "pairings": [
                {
                    "a": one.first,
                    "b": one.second,
                    "pairs": one.pairs,
                    "mean": one.mean,
                    "error": one.error,
                    "p_value": one.p_value,
                    "residual": one.residual,
                    "residual_error": one.residual_error,
                    "residual_p_value": one.residual_p_value,
                    **({"signature": self.signatures[index]} if self.signatures else {}),
                }
                for index, one in enumerate(self.cells)
            ],
            "cycles": [{"better": one.first, "worse": one.second, "residual": one.residual} for one in self.cycles()],
        }

    def text(self) -> str:
        """The standings for people."""
        kind = "confidence sequence" if self.sequential else "ordinary interval"
        pairs = sum(one.pairs for one in self.cells)
        width = max(len(row.name) for row in self.rows) + 2
        lines = [f"{self.variant}: {len(self.rows)} players, {pairs:,} mirrored pairs, seed {self.seed}", ""]
        lines.append(f"{'':<{width + 4}}{'rating':>10}   95 % ({kind}), points a pair")
        for place, row in enumerate(self.rows):
            open_ = place < len(self.separations) and self.separations[place] < 1
            mark = "   not decided against the next" if open_ else ""
            lines.append(f"{place + 1:>2}  {row.name:<{width}}{row.rating:>+10.1f}   {row.low:+.1f} to {row.high:+.1f}{mark}")
        lines += ["", "row against column, points a pair; * differs from 0 at 5 %, ** at 1 %, over all pairings", ""]
        lines += self._cross_lines(width)
        lines += ["", *self._cycle_lines()]
        return "\n".join(lines)

    def _cross_lines(self, width: int) -> list[str]:
        names = [row.name for row in self.rows]
        column = max(10, width)
        lines = [" " * width + "".join(f"{name:>{column}}" for name in names)]
        for name in names:
            texts = ["-" if name == other else _marked(self.cell(name, other)) for other in names]
            lines.append(f"{name:<{width}}" + "".join(f"{text:>{column}}" for text in texts))
        return lines

    def _cycle_lines(self) -> list[str]:
        found = self.cycles()
        if not found:
            return ["against the ratings: nobody does significantly better or worse than rated"]
        texts = [f"  {one.first} against {one.second}: {one.residual:+.1f} +- {one.residual_error:.1f} beyond the ratings" for one in found]
        return ["against the ratings (5 % over all pairings):", *texts]


def standings_of(
    names: Sequence[str],
    pairings: Sequence[Pairing],
    samples: Sequence[npt.NDArray[np.floating[Any]]],
    *,
    variant: str = "",
    anchor: int | None = None,
    sequential: bool = False,
) -> Standings:
    """Rate players by the margins of their pairings.

    Parameters
    ----------
    names : sequence of str
    pairings : sequence of (int, int)
    samples : sequence of ndarray, shapes (n_i,)
        Margin of the first over the second by deal, all from the same first deal on, points a pair.
    variant : str
    anchor : int, optional
        Player whose rating is 0.
    sequential : bool
        Whether the lengths were chosen while looking: intervals are then those of the confidence sequence.
    """
    means = np.array([one.mean() for one in samples])
    covariance = covariance_of_means(samples)
    ratings = rate(pairings, means, covariance, anchor=anchor)
    sizes = {pairing: len(sample) for pairing, sample in zip(pairings, samples, strict=True)}

    def factor(pairs: int) -> float:
        """Half width of an interval in units of the standard error."""
        return float(confidence_sequence(pairs, 0.0, sqrt(pairs))[1]) if sequential else quantile(0.975)

    rows = []
    for number in np.argsort(-ratings.ratings, kind="stable").tolist():
        fewest = min(n for pairing, n in sizes.items() if number in pairing)
        rating, half = float(ratings.ratings[number]), factor(fewest) * sqrt(max(0.0, ratings.covariance[number, number]))
        rows.append(Row(number, names[number], rating, rating - half, rating + half))
    separations = tuple(_separation(ratings, a.number, b.number, sizes, factor) for a, b in itertools.pairwise(rows))
    cells = _cells(names, pairings, samples, means, covariance, ratings)
    return Standings(variant, tuple(rows), cells, separations, sequential, None if anchor is None else names[anchor])


def _separation(ratings: Ratings, first: int, second: int, sizes: dict[Pairing, int], factor: Any) -> float:
    half = factor(sizes[min(first, second), max(first, second)]) * ratings.difference_sd(first, second)
    difference = abs(float(ratings.ratings[first] - ratings.ratings[second]))
    return difference / half if half > 0 else 1.0  # no variance at all: they play alike, more pairs would say nothing more


def _cells(
    names: Sequence[str],
    pairings: Sequence[Pairing],
    samples: Sequence[npt.NDArray[np.floating[Any]]],
    means: npt.NDArray[np.float64],
    covariance: npt.NDArray[np.float64],
    ratings: Ratings,
) -> tuple[Cell, ...]:
    errors = np.sqrt(np.diag(covariance))
    p_values = holm([_p_value(mean, error) for mean, error in zip(means, errors, strict=True)])
    beyond = holm([_p_value(value, error) for value, error in zip(ratings.residuals, ratings.residual_sd, strict=True)])
    return tuple(
        Cell(
            first=names[first],
            second=names[second],
            pairs=len(samples[at]),
            mean=float(means[at]),
            error=float(errors[at]),
            p_value=float(p_values[at]),
            residual=float(ratings.residuals[at]),
            residual_error=float(ratings.residual_sd[at]),
            residual_p_value=float(beyond[at]),
        )
        for at, (first, second) in enumerate(pairings)
    )


def _p_value(value: float, error: float) -> float:
    return erfc(abs(value) / error / sqrt(2)) if error > 0 else 1.0


def _marked(cell: Cell) -> str:
    return f"{cell.mean:+.1f}" + ("**" if cell.p_value < 0.01 else "*" if cell.p_value < ALPHA else "")
