"""Deals of the compiled core under the eyes of the referee: every difference between the two engines, in words."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final

from buraco_sim.cards import TWO, card_of, rank_of
from buraco_sim.judge import legal_actions as kernel_actions
from buraco_sim.policies import POLICIES
from buraco_sim.referee import BreachError, Step, course_of_deal, describe_position, replay_deal
from buraco_sim.referee import legal_actions as referee_actions
from buraco_sim.referee.actions import Discard, Draw, Lay, Pass
from buraco_sim.referee.melds import Meld
from buraco_sim.referee.position import Position
from buraco_sim.replay import Deal, Line, replay
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import strategy_names

SEED: Final = 11
USED: Final = ("greedy", "random", "steady")


def built_in_players() -> list[str]:
    """Names of the strategies whose compiled function there is."""
    return [name for name in strategy_names() if name in POLICIES and find_spec(f"buraco_sim.kernels.policies.{POLICIES[name].module}")]


def line_ups() -> list[str]:
    """The players that people use against themselves, and all others against `random`, which leads them everywhere."""
    players = built_in_players()
    return [name for name in players if name in USED] + [f"random,{name}" for name in players if name != "random"]


def played(rules: Ruleset, players: str, deal: int, seed: int = SEED) -> tuple[Deal, list[Line]]:
    """A deal of the compiled core, and its trace as a reader gets it."""
    deal_played = replay(rules, players, deal=deal, seed=seed)
    return deal_played, [json.loads(line) for line in deal_played.lines()]


def differences_of_course(deal: Deal, lines: list[Line]) -> list[str]:
    """Why the referee does not accept a deal: a breach of the rules, or columns that it counts otherwise."""
    if deal.failure:
        return [deal.failure]
    try:
        course = course_of_deal(lines)
    except BreachError as error:
        return [str(error.breach)]
    return [f"{name}: kernel {deal.row[name]!r}, referee {value!r}" for name, value in course.items() if deal.row[name] != value]


def differences_of_lists(rules: Ruleset, step: Step) -> list[str]:
    """What only one of the two engines lists as legal in the position after a step."""
    return differences_at(rules, step.game.position()) if step.game.end_reason is None else []


def differences_at(rules: Ruleset, at: Position) -> list[str]:
    """What only one of the two engines lists as legal in a position."""
    kernel, referee = kernel_actions(rules, at), referee_actions(rules, at)
    if kernel == referee:
        return []
    only = {"kernel": [one for one in kernel if one not in referee], "referee": [one for one in referee if one not in kernel]}
    return [f"{rules.name} {describe_position(at)}: {only}"]


def differences(rules: Ruleset, players: str, deal: int, lists: float = 0.0) -> list[str]:
    """All differences in a deal; `lists` is the share of its positions at which the lists of legal actions are compared."""
    deal_played, lines = played(rules, players, deal)
    found = differences_of_course(deal_played, lines)
    if not found and lists:
        rng = random.Random(deal)
        found = [text for step in replay_deal(lines) if rng.random() < lists for text in differences_of_lists(rules, step)]
    return [f"{rules.name} {players} deal {deal}: {text}" for text in found]


def kinds(lines: list[Line], row: dict[str, Any]) -> Counter[str]:
    """How often each kind of action and event occurs in a deal."""
    found: Counter[str] = Counter()
    tables: tuple[tuple[Meld, ...], ...] = ((), ())
    for step in replay_deal(lines):
        team = next((line["seat"] for line in step.lines if line.get("seat") is not None), 0) % 2
        found.update(_kinds_of_step(step, tables[team], step.game.tables[team]))
        tables = tuple(step.game.tables)
    found["unused morto"] += sum(step.game.unused)
    for name in ("cleaned", "dirtied", "clean", "semi", "dirty"):
        found[name] += row[f"{name}_0"] + row[f"{name}_1"]
    return found


def _kinds_of_step(step: Step, before: tuple[Meld, ...], after: tuple[Meld, ...]) -> Iterator[str]:
    match step.action:
        case Draw(source):
            yield f"draw from the {source}"
            if step.lines[0]["type"] == "stock":
                yield "conversion at a draw"
        case Discard():
            yield "discard"
        case Pass():
            yield "pass"
        case Lay(None):
            yield from _kinds_of_opening(after[-1])
        case Lay(slot):
            yield from _kinds_of_change(before[slot], after[slot], step.lines[0])
    for line in step.lines:
        if line["type"] == "end":
            how = " by a meld" if isinstance(step.action, Lay) else " by a discard"
            yield f"end: {line['reason']}" + (how if line["reason"] == "went_out" else "")
        elif line["type"] == "morto":
            yield f"{line['mode']} morto"
        elif line["type"] == "stock" and not isinstance(step.action, Draw):
            yield "conversion at the end of a turn"


def _kinds_of_opening(meld: Meld) -> Iterator[str]:
    yield f"open a {meld.kind}" + (" with a wild" if meld.wild is not None else "")
    if meld.kind == "set" and all(rank_of(card) == TWO for card in meld.cards):
        yield "open a set of twos"


def _kinds_of_change(before: Meld, after: Meld, line: Line) -> Iterator[str]:
    yield f"add to a {before.kind}"
    if before.kind == "set":
        if before.wild is None and after.wild is not None:
            yield "a set gains a wild"
        return
    if "returned" in line:
        yield "a replaced wild returns to the hand"
    elif before.wild is not None and after.wild is not None and before.wild[0] != after.wild[0]:
        yield "a wild moves and stays in the meld"
    own_two = card_of(before.suit, TWO)
    natural = [own_two in meld.naturals.values() for meld in (before, after)]
    wild = [meld.wild is not None and meld.wild[1] == own_two for meld in (before, after)]
    if natural == [True, False] and wild == [False, True]:
        yield "a natural two turns wild"
    if natural == [False, True] and wild == [True, False]:
        yield "a wild two becomes natural"
