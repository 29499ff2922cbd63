"""The course of a deal: the columns of a deal's row, recomputed from its trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from buraco_sim.referee.game import TEAMS, Game, Line
from buraco_sim.referee.melds import Meld
from buraco_sim.referee.score import CANASTA_CLASSES, canasta_of, is_canasta
from buraco_sim.referee.trace import replay_deal
from buraco_sim.rules import Ruleset

EVEN: Final = -1  # winner of a deal with equal scores


@dataclass
class _TeamCourse:
    """What a team did in the course of a deal."""

    morto_turn: int | None = None
    morto_mode: str = "none"
    piles: int = 0
    pile_cards: int = 0
    cleaned: int = 0
    dirtied: int = 0
    table: tuple[Meld, ...] = ()  # before the step that is looked at


def course_of_deal(lines: Sequence[Line]) -> dict[str, Any]:
    """Return the columns of a deal's row, recomputed from its trace.

    Parameters
    ----------
    lines : sequence of dict
        The trace of one deal.

    Returns
    -------
    dict
        Column name -> value; names as texts, null as None.

    Raises
    ------
    BreachError
        When the trace does not verify.
    """
    teams = (_TeamCourse(), _TeamCourse())
    margins: list[int] = []  # team 0 minus team 1, after each turn
    game: Game | None = None
    for step in replay_deal(list(lines)):
        game = step.game
        for line in step.lines:
            _note(game, teams, line)
        for team in TEAMS:
            teams[team].table = game.tables[team]
        if game.phase == "draw" or game.end_reason:
            margins.append(game.score(0).total - game.score(1).total)
    assert game is not None
    return {"starter": lines[0]["starter"]} | _result(game) | _columns_per_team(game, teams) | lead_columns(margins)


def _note(game: Game, teams: tuple[_TeamCourse, _TeamCourse], line: Line) -> None:
    """Count what a line of the trace tells."""
    if line["type"] == "meld":
        team, slot = line["seat"] % 2, line["slot"]
        if line["before"]:
            _note_change(game.rules, teams[team], teams[team].table[slot], game.tables[team][slot])
    elif line["type"] == "draw" and line["from"] == "pile":
        course = teams[line["seat"] % 2]
        course.piles += 1
        course.pile_cards += len(line["cards"].split())
    elif line["type"] == "morto":
        course = teams[line["seat"] % 2]
        if course.morto_turn is None:
            course.morto_turn, course.morto_mode = game.turns, line["mode"]


def _note_change(rules: Ruleset, course: _TeamCourse, before: Meld, after: Meld) -> None:
    if is_canasta(rules, before) and is_canasta(rules, after):
        course.cleaned += before.wild is not None and after.wild is None
        course.dirtied += before.wild is None and after.wild is not None


def _result(game: Game) -> dict[str, Any]:
    scores = [game.score(team).total for team in TEAMS]
    winner = EVEN if scores[0] == scores[1] else scores.index(max(scores))
    return {"winner": winner, "end_reason": game.end_reason, "out_seat": game.out_seat, "turns": game.turns}


def _columns_per_team(game: Game, teams: tuple[_TeamCourse, _TeamCourse]) -> dict[str, Any]:
    columns: dict[str, Any] = {}
    for team, course in enumerate(teams):
        score, table = game.score(team), game.tables[team]
        classes = [canasta_of(game.rules, meld)[0] for meld in table]
        values = {
            "score": score.total,
            "cards": score.cards,
            "canastas": score.canastas,
            "go_out": score.go_out,
            "hand": score.hand,
            "morto": score.morto,
            **{name: classes.count(name) for name in CANASTA_CLASSES},
            "runs": sum(meld.kind == "run" for meld in table),
            "sets": sum(meld.kind == "set" for meld in table),
            "mortos": game.taken[team],
            "morto_turn": course.morto_turn,
            "morto_mode": course.morto_mode,
            "piles": course.piles,
            "pile_cards": course.pile_cards,
            "wilds": sum(meld.wild is not None for meld in table),
            "cleaned": course.cleaned,
            "dirtied": course.dirtied,
        }
        columns |= {f"{name}_{team}": value for name, value in values.items()}
    return columns


def lead_columns(margins: Sequence[int]) -> dict[str, Any]:
    """Who led when: `margins` is the score of team 0 minus that of team 1 after each turn, the last one final."""
    leads = [(turn, margin > 0) for turn, margin in enumerate(margins, start=1) if margin]
    changes = [turn for (_, before), (turn, now) in pairwise(leads) if before != now]
    final = margins[-1]
    loser_leads = [-margin if final > 0 else margin for margin in margins]
    return {
        "lead_changes": len(changes),
        "last_lead_turn": changes[-1] if changes else None,
        "worst_deficit": max(0, *loser_leads) if final else None,
        "half_margin": margins[(len(margins) + 1) // 2 - 1],
    }
