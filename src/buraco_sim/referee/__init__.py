"""The referee: a second engine in plain Python, written from the rules alone, that judges what the compiled core did.

`answer` answers rule questions, `legal_actions` lists what a player may do, `verify_trace` replays whole deals and
`course_of_deal` recomputes the columns of a deal's row.
"""

from buraco_sim.referee.actions import describe_action, read_action
from buraco_sim.referee.cases import answer
from buraco_sim.referee.course import course_of_deal
from buraco_sim.referee.game import Game, IllegalActionError
from buraco_sim.referee.legal import effect_of, legal_actions, objection
from buraco_sim.referee.position import Position, describe_position, read_position
from buraco_sim.referee.trace import Breach, BreachError, Step, replay_deal, verify_trace

__all__ = [
    "Breach",
    "BreachError",
    "Game",
    "IllegalActionError",
    "Position",
    "Step",
    "answer",
    "course_of_deal",
    "describe_action",
    "describe_position",
    "effect_of",
    "legal_actions",
    "objection",
    "read_action",
    "read_position",
    "replay_deal",
    "verify_trace",
]
