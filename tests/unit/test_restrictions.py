"""Restrictions: what a file may say, and that each has the effect that it names and no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from buraco_sim.cards import rank_of
from buraco_sim.engine import Seating, decide_of
from buraco_sim.errors import InputError
from buraco_sim.job import player_word, strategy_values
from buraco_sim.layout import COLUMN_INDEX, STATUS_OK
from buraco_sim.referee import legal_actions, replay_deal
from buraco_sim.referee.actions import Discard, Lay
from buraco_sim.referee.position import Position
from buraco_sim.replay import Line, replay
from buraco_sim.restrictions import RESTRICTIONS, read_restrictions
from buraco_sim.rules import Ruleset, variant_names
from buraco_sim.strategies import Strategy

DEALS = 100
SEED = 23
#: A pile for the taking, one whose top must be used, and hands that are emptied twice a turn.
VARIANTS = ("burraco-fibur", "stbl", "tre-mortos")


def restricted(policy: str, **restrictions: Any) -> Strategy:
    return Strategy.from_dict({**Strategy.load(policy).to_dict(), "name": "restricted", "restrictions": restrictions})


def columns(variant: str, player: Strategy, other: str = "greedy") -> dict[str, list[int]]:
    """Columns of some deals of a player, as team 0, against another."""
    rows, status = Seating.of(Ruleset.load(variant), (player, Strategy.load(other)), SEED).play(0, DEALS)
    assert set(status[:, 0]) == {STATUS_OK}
    return {name: rows[:, place].tolist() for name, place in COLUMN_INDEX.items()}


def turns(variant: str, player: Strategy, deals: int = 30) -> Iterator[tuple[bool, list[Line]]]:
    """The turns of team 0: whether the team had a morto before, and the lines of the turn."""
    for deal in range(deals):
        found = replay(variant, (player, Strategy.load("greedy")), deal=deal, seed=SEED)
        had_morto, turn = False, list[Line]()
        for line in found.events:
            if line["type"] == "draw" and turn:
                yield had_morto, turn
                had_morto |= any(one["type"] == "morto" for one in turn)
                turn = []
            if line.get("seat") in (0, 2):
                turn.append(line)
        yield had_morto, turn


def discards(player: Strategy, deal: int) -> Iterator[tuple[Position, int]]:
    """The position before every discard of team 0, and the card."""
    found = replay("burraco-fibur", (player, Strategy.load("greedy")), deal=deal, seed=SEED)
    before = None
    for step in replay_deal([found.header, *found.events]):
        if isinstance(step.action, Discard) and before is not None and before.seat % 2 == 0:
            yield before, step.action.card
        before = step.game.position() if step.game.end_reason is None else None


# ---- what a file may say


def test_declarations_are_complete() -> None:
    for name, one in RESTRICTIONS.items():
        assert one.name == name
        assert one.meaning
        assert one.low <= one.high


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({"never_take_piles": True}, "did you mean 'never_take_pile'?"),
        ({"never_take_pile": 1}, "true or false"),
        ({"no_wild_below": True}, "a whole number 4..14 (cards)"),
        ({"no_wild_below": 3}, "a whole number 4..14 (cards)"),
        ({"no_wild_below": 7.0}, "a whole number 4..14 (cards)"),
        ({"hold_back": True, "lay_at_once": True}, "one of them at most"),
        (["hold_back"], "a table [restrictions]"),
    ],
    ids=str,
)
def test_a_wrong_restriction_gets_one_clear_line(content: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_restrictions(content, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    assert words in str(caught.value)


def test_a_switch_that_is_off_is_no_restriction() -> None:
    assert read_restrictions({"hold_back": False, "lay_at_once": True, "no_wild_below": False}, "") == {"lay_at_once": 1}
    assert decide_of(restricted("greedy", hold_back=False)) is decide_of(Strategy.load("greedy"))


def test_a_restricted_strategy_survives_its_dictionary_and_is_another_player() -> None:
    player = restricted("greedy", no_wild_below=7, never_go_out=True)
    assert player.to_dict()["restrictions"] == {"no_wild_below": 7, "never_go_out": True}
    assert Strategy.from_dict(player.to_dict()) == player
    assert strategy_values(player) != strategy_values(restricted("greedy"))
    assert player_word(player) != "greedy"


# ---- what they do


@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_every_restriction_is_legal_in_every_variant(policy: str) -> None:
    every = {name: one.high if one.is_switch else 5 for name, one in RESTRICTIONS.items() if name != "lay_at_once"}
    switches = {name: bool(value) if RESTRICTIONS[name].is_switch else value for name, value in every.items()}
    players = [restricted(policy, **switches), restricted(policy, no_wild_below=7, never_lay_set=True, lay_at_once=True)]
    for variant in variant_names():
        for seats in (2, 4):
            rules = Ruleset.load(variant).override({"table.seats": seats})
            for player in players:
                status = Seating.of(rules, (player,), SEED).play(0, 5)[1]
                assert set(status[:, 0]) == {STATUS_OK}, (variant, seats, player.restrictions)


@pytest.mark.parametrize("policy", ["greedy", "random"])
def test_a_restriction_that_binds_nowhere_changes_nothing(policy: str) -> None:
    """There are no sets in this variant: behind the wrapper the player plays as without."""
    assert columns("stbl", restricted(policy, never_lay_set=True)) == columns("stbl", restricted(policy))


@pytest.mark.parametrize("policy", ["greedy", "random"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_columns_say_what_was_forbidden(variant: str, policy: str) -> None:
    free = columns(variant, restricted(policy))
    for column, restriction in (("piles_0", "never_take_pile"), ("sets_0", "never_lay_set"), ("mortos_0", "ignore_morto")):
        assert sum(free[column]) > 0 or (variant, column) == ("stbl", "sets_0")
        assert sum(columns(variant, restricted(policy, **{restriction: True}))[column]) == 0
    assert {0, 2} & set(columns(variant, restricted("greedy"))["out_seat"])
    assert not {0, 2} & set(columns(variant, restricted(policy, never_go_out=True))["out_seat"])


def gains_wild(line: Line, below: int) -> bool:
    return line["type"] == "meld" and "*" in line["after"] and "*" not in line["before"] and len(line["after"].split()) < below


@pytest.mark.parametrize("policy", ["greedy", "random"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_short_meld_gets_a_wild(variant: str, policy: str) -> None:
    melds = [line for _, turn in turns(variant, restricted(policy)) for line in turn if gains_wild(line, 7)]
    assert len(melds) > 10
    assert [line for _, turn in turns(variant, restricted(policy, no_wild_below=7)) for line in turn if gains_wild(line, 7)] == []


def test_who_holds_back_lays_only_to_take_the_morto_at_once() -> None:
    laid = [turn for had, turn in turns("burraco-fibur", restricted("greedy", hold_back=True)) if not had and has(turn, "meld")]
    assert len(laid) > 5
    assert [turn for turn in laid if not has(turn, "morto")] == []


def has(turn: list[Line], kind: str) -> bool:
    return any(line["type"] == kind for line in turn)


def test_who_lays_at_once_leaves_no_meld_action_before_a_discard() -> None:
    rules = Ruleset.load("burraco-fibur")
    found = [at for deal in range(5) for at, _ in discards(restricted("greedy", lay_at_once=True), deal)]
    assert len(found) > 20
    assert [one for at in found for one in legal_actions(rules, at) if isinstance(one, Lay)] == []


def mean_place(player: Strategy) -> tuple[float, int]:
    """Where among the faces of the hand by rank, 0 to 1, the discarded one stands on average, of how many discards."""
    places = []
    for at, card in (one for deal in range(30) for one in discards(player, deal)):
        faces = sorted(at.hand, key=lambda face: (rank_of(face), face))
        places.append((faces.index(card) + 0.5) / len(faces))
    return sum(places) / len(places), len(places)


def test_a_random_discard_takes_each_face_alike() -> None:
    mean, n = mean_place(restricted("greedy", random_discard=True))
    allowed = 4 / (12 * n) ** 0.5
    assert abs(mean - 0.5) < allowed
    assert abs(mean_place(restricted("greedy"))[0] - 0.5) > allowed
