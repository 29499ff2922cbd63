"""What a sample of replayed deals tells beyond the columns: how often there is something to decide, canastas of sets."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from buraco_sim import referee
from buraco_sim.balance.estimates import Figure, figure_of_ratio
from buraco_sim.balance.series import Series
from buraco_sim.referee.actions import Draw
from buraco_sim.referee.leave import legal_moves
from buraco_sim.referee.score import is_canasta
from buraco_sim.replay import replay_deal
from buraco_sim.rules import Ruleset

SAMPLE: Final = 24  # deals


@dataclass(frozen=True, slots=True)
class Choices:
    """Shares of the turns of replayed deals.

    Attributes
    ----------
    series : str
    deals : int
        Deals replayed.
    turns : Figure
        Share of turns with more than one legal draw or a meld to decide on.
    draws, melds : Figure
        Share of turns with more than one legal draw; with a legal meld right after the draw.
    canasta_sets : Figure
        Share of the canastas that are sets.
    """

    series: str
    deals: int
    turns: Figure
    draws: Figure
    melds: Figure
    canasta_sets: Figure

    def to_dict(self) -> dict[str, Any]:
        """The shares as JSON values."""
        figures = {name: getattr(self, name)._asdict() for name in ("turns", "draws", "melds", "canasta_sets")}
        return asdict(self) | figures


def choices_of(series: Series, sample: int = SAMPLE) -> Choices:
    """Replay some deals, evenly spread over the run, and ask the referee at every turn what is legal."""
    job = series.job
    picked = sorted({int(deal) for deal in np.linspace(job.first_deal, job.stop_deal - 1, min(sample, job.deals))})
    counts = np.array([_counts(job.rules, series, deal) for deal in picked], np.float64)
    turns, either, draws, melds, canastas, sets = counts.T
    shares = (_ratio(either, turns), _ratio(draws, turns), _ratio(melds, turns), _ratio(sets, canastas))
    return Choices(series.label, len(picked), *shares)


def _counts(rules: Ruleset, series: Series, deal: int) -> tuple[int, ...]:
    """Of a deal: turns, turns with a choice, with a choice of draws, with a meld; canastas, of them sets."""
    played = replay_deal(series.job, deal)
    turns = either = draws = melds = 0
    choice_of_draw = False  # no pile, or one wild upcard more or less: the first draw hardly matters
    game: referee.Game | None = None
    for step in referee.replay_deal([played.header, *played.events]):
        game = step.game
        if isinstance(step.action, Draw):
            can_meld = any(True for _ in legal_moves(rules, game.position()))
            turns += 1
            draws += choice_of_draw
            melds += can_meld
            either += choice_of_draw or can_meld
        elif game.phase == "draw" and not game.end_reason:
            choice_of_draw = not any(referee.objection(rules, game.position(), Draw(source)) for source in ("stock", "pile"))
    assert game is not None
    canastas = [meld for table in game.tables for meld in table if is_canasta(rules, meld)]
    return turns, either, draws, melds, len(canastas), sum(meld.kind == "set" for meld in canastas)


def _ratio(values: Any, pers: Any) -> Figure:
    """The ratio of two sums over deals, with its interval over deals."""
    n, total = len(values), float(pers.sum())
    if total == 0:
        return Figure(None, None, None)
    value = float(values.sum()) / total
    residuals = values - value * pers
    variance = float(residuals @ residuals) * n / max(1, n - 1) / total**2
    return figure_of_ratio(value, variance, n, is_share=True)
