"""Why a deal failed, in words: the action, the reason, the position; found out by playing the deal again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from buraco_sim import referee
from buraco_sim.engine import Seating
from buraco_sim.errors import BuracoError, NotationError
from buraco_sim.judge import describe_number, reason_against
from buraco_sim.kernels.objection import NO_ACTION, REASONS
from buraco_sim.layout import STATUS_ERROR, STATUS_ILLEGAL
from buraco_sim.referee.actions import Pass
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy
from buraco_sim.user_policies import in_words, user_lines

Line = dict[str, Any]


def explained(rules: Ruleset, seats: Sequence[Strategy], seating: Seating, header: Line, lines: list[Line], status: Sequence[int]) -> str:
    """What went wrong in a deal that was just played again.

    Parameters
    ----------
    rules : Ruleset
    seats : sequence of Strategy
        Who sits where at this table.
    seating : Seating
        With which the deal was played again.
    header, lines : dict, list of dict
        The trace of the deal up to the failure.
    status : sequence of int
        (layout.STATUS_*, seat, turn, action)

    Returns
    -------
    str
        For an illegal action the action as in a case, the reason and the position; for an error of a user's function the
        line of the file. Empty where nothing more is known.
    """
    code, seat, _, action = status
    work = None
    if code == STATUS_ERROR:
        work = seating.until_error(header["deal"], header["starter"], header.get("standing", (0, 0)))
        seat = int(work.now[0]["seat"])
    game = _game_after(header, lines, seat)
    if game is None:
        return ""
    at = game.position()
    position = f"position {json.dumps(referee.describe_position(at))}"
    if code == STATUS_ILLEGAL:
        reason = reason_against(rules, at, action)
        words = "" if reason == REASONS[NO_ACTION] else _in_words(action, len(at.own))
        return f"{words}{reason}; {position}"
    if work is not None:
        told = _error_in_words(seats[seat], seating, seating.errors[header["deal"]], work)
        return f"seat {seat} ({seats[seat].name}): {told}; {position}"
    return ""


def _game_after(header: Line, lines: list[Line], seat: int) -> referee.Game | None:
    """The referee's game at the decision at which a trace stops; None if there is no such game."""
    game: referee.Game | None = None
    with suppress(BuracoError, referee.IllegalActionError):
        game = referee.Game(Ruleset.from_dict(header["rules"], name=header["variant"]), header)
        with suppress(referee.BreachError):
            for step in referee.replay_deal([header, *lines]):
                game = step.game
        if game.seat != seat:  # a pass has no line of its own
            game.play(Pass())
    return game


def _in_words(action: int, n_melds: int) -> str:
    """An action as in a case; empty if its card or its meld does not exist."""
    with suppress(NotationError, IndexError):
        return json.dumps(describe_number(action, n_melds)) + ": "
    return ""


def _error_in_words(strategy: Strategy, seating: Seating, error: Exception, work: Any) -> str:
    if not strategy.source:
        return f"{type(error).__name__}: {error}"
    policy = strategy.user_policy()
    lines = user_lines(error, policy.source)
    if not lines:
        again = _raised_in_python(policy.function, seating, work)
        lines = user_lines(again, policy.source) if again else []
        error = again if again and type(again) is type(error) else error  # plain Python says more, of the same
    return f"{policy.file}: {in_words(error, policy.source, lines)}"


def _raised_in_python(function: Any, seating: Seating, work: Any) -> Exception | None:
    """What the function raises as plain Python in the same position: compiled code does not tell the line of a wrong index."""
    view, seat = work.view.copy().view(np.recarray)[0], work.now[0]["seat"]
    try:
        with np.errstate(all="raise"):
            function(view, seating.weights[seat].copy(), work.state[0]["scratch"][seat].copy())
    except Exception as error:
        return error
    return None
