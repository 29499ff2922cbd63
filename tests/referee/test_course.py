"""The columns of a deal's row, recomputed from its trace."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from buraco_sim.layout import KERNEL_COLUMNS
from buraco_sim.referee import course_of_deal
from buraco_sim.referee.course import lead_columns
from buraco_sim.rules import Ruleset
from random_deals import random_trace


def course(variant: str, deal: int, **changes: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    lines = random_trace(Ruleset.load(variant).with_(**changes), random.Random(deal), deal)
    return course_of_deal(lines), lines


@pytest.fixture(scope="module", params=["burraco-fitab", "stbl", "tre-mortos"])
def played(request: pytest.FixtureRequest) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    return course(request.param, 5)


Played = tuple[dict[str, Any], list[dict[str, Any]]]


def test_the_columns_are_those_of_the_kernel(played: Played) -> None:
    assert set(played[0]) == {column.name for column in KERNEL_COLUMNS}


def test_the_parts_add_up_to_the_score_lines(played: Played) -> None:
    columns, lines = played
    for team, line in zip((0, 1), lines[-2:], strict=True):
        parts = ("cards", "canastas", "go_out", "hand", "morto")
        assert {part: columns[f"{part}_{team}"] for part in parts} == {part: line[part] for part in parts}
        assert columns[f"score_{team}"] == sum(columns[f"{part}_{team}"] for part in parts) == line["total"]
    assert columns["winner"] == (0 if columns["score_0"] > columns["score_1"] else 1)


def test_the_counts_are_those_of_the_lines(played: Played) -> None:
    columns, lines = played
    for team in (0, 1):
        own = [line for line in lines if line.get("seat") is not None and line["seat"] % 2 == team]
        piles = [line["cards"].split() for line in own if line["type"] == "draw" and line["from"] == "pile"]
        mortos = [line for line in own if line["type"] == "morto"]
        melds = {line["slot"]: line["after"] for line in own if line["type"] == "meld"}
        assert columns[f"piles_{team}"] == len(piles)
        assert columns[f"pile_cards_{team}"] == sum(map(len, piles))
        assert columns[f"mortos_{team}"] == len(mortos)
        assert columns[f"morto_mode_{team}"] == (mortos[0]["mode"] if mortos else "none")
        assert (columns[f"morto_turn_{team}"] is None) == (not mortos)
        assert columns[f"runs_{team}"] + columns[f"sets_{team}"] == len(melds)
        assert columns[f"wilds_{team}"] == "".join(melds.values()).count("*")
    assert columns["turns"] == sum(line["type"] == "draw" for line in lines)


def test_cleaned_and_dirtied_count_canastas_that_lose_or_gain_their_wild() -> None:
    told, counted = Counter[str](), Counter[str]()
    for deal in (4, 6, 7):
        columns, lines = course("buraco-brasiliano", deal)
        for line in lines:
            if line["type"] == "meld" and len(line["before"].split()) >= 7:
                before, after = "*" in line["before"], "*" in line["after"]
                told["cleaned"] += before and not after
                told["dirtied"] += after and not before
        for name in ("cleaned", "dirtied"):
            counted[name] += columns[f"{name}_0"] + columns[f"{name}_1"]
    assert counted == told
    assert min(told.values()) > 0


@pytest.mark.parametrize(
    ("margins", "changes", "last", "deficit", "half"),
    [
        ([10], 0, None, 0, 10),
        ([-10], 0, None, 0, -10),
        ([0, 10, 0, 20], 0, None, 0, 10),  # equal scores are ignored, the first lead is no change
        ([10, 0, -20], 1, 3, 10, 0),
        ([10, -30, 20, 40], 2, 3, 30, -30),
        ([10, -30, 20, -40], 3, 4, 20, -30),
        ([10, -30, 0], 1, 2, None, -30),
        ([0, 0], 0, None, None, 0),
        ([5, 15, -5, -25, 35], 2, 5, 25, -5),
    ],
)
def test_thelead_columns(margins: list[int], changes: int, last: int | None, deficit: int | None, half: int) -> None:
    """Margins are those of team 0 after each turn."""
    assert lead_columns(margins) == {"lead_changes": changes, "last_lead_turn": last, "worst_deficit": deficit, "half_margin": half}
