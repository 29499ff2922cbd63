"""Round robins: ratings, cross table, allocation of pairs, going on after a stop."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from buraco_sim.compare import compare
from buraco_sim.errors import InputError, RunError
from buraco_sim.interrupts import InterruptedRunError
from buraco_sim.results.reader import Run
from buraco_sim.standings import Standings, standings_of
from buraco_sim.strategies import Strategy
from buraco_sim.tournament import tournament
from buraco_sim.tournament_page import page
from buraco_sim.verify import verify_run
from fake_engine import FakeEngine

PART = 100


@pytest.fixture(autouse=True)
def _small_parts(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buraco_sim.pairs.PART_PAIRS", PART)


def players(n: int) -> list[Strategy]:
    """Players of names and weights of their own."""
    eager = Strategy.load("random")
    return [replace(eager, name=f"p{i}", weights={"meld_probability": 0.5 + i / 100}, path="") for i in range(n)]


def made_up(margins: dict[tuple[int, int], float], n: int = 4000, sequential: bool = False) -> Standings:
    """Standings of a synthetic round robin with these true margins."""
    rng = np.random.default_rng(1)
    samples = [rng.normal(mean, 100, n) for mean in margins.values()]
    k = 1 + max(map(max, margins))
    return standings_of([f"p{i}" for i in range(k)], list(margins), samples, variant="stbl", sequential=sequential)


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.parquet"))}


# ---- standings


def test_the_ranking_is_by_rating_and_says_what_is_decided() -> None:
    found = made_up({(0, 1): -30, (0, 2): -31, (1, 2): 0})
    assert [row.name for row in found.rows][2] == "p0"
    assert sum(row.rating for row in found.rows) == pytest.approx(0, abs=1e-9)
    assert found.separations[0] < 1 <= found.separations[1]
    assert found.undecided() == [(1, 2)]
    assert found.cycles() == []
    assert all(row.low < row.rating < row.high for row in found.rows)


def test_intervals_of_a_sequential_tournament_are_wider() -> None:
    margins = {(0, 1): 5.0, (0, 2): 10.0, (1, 2): 5.0}
    for fixed, sequential in zip(made_up(margins).rows, made_up(margins, sequential=True).rows, strict=True):
        assert 1.4 < (sequential.high - sequential.low) / (fixed.high - fixed.low) < 2


def test_a_cycle_is_shown_from_who_does_better_than_rated() -> None:
    found = made_up({(0, 1): 20, (1, 2): 20, (0, 2): -20})
    assert {(one.first, one.second) for one in found.cycles()} == {("p0", "p1"), ("p1", "p2"), ("p2", "p0")}
    assert all(one.residual > 10 for one in found.cycles())
    assert "p2 against p0" in found.text()


def test_a_cell_seen_from_the_other_side() -> None:
    found = made_up({(0, 1): 20.0})
    there, back = found.cell("p0", "p1"), found.cell("p1", "p0")
    assert (there.mean, there.error, there.pairs) == (-back.mean, back.error, back.pairs)
    assert there.residual_p_value == 1.0  # of two players the ratings explain everything
    with pytest.raises(KeyError):
        found.cell("p0", "p9")


def test_text_json_and_page_say_the_same() -> None:
    found = made_up({(0, 1): 20, (1, 2): 20, (0, 2): -20})
    values = json.loads(json.dumps(found.to_dict()))
    assert [one["name"] for one in values["ratings"]] == [row.name for row in found.rows]
    assert {one["a"] + one["b"] for one in values["pairings"]} == {"p0p1", "p1p2", "p0p2"}
    html = page(found)
    for row in found.rows:
        assert f"{row.rating:+.1f}" in found.text()
        assert f"{row.rating:+.1f}" in html
    assert "rgba(31, 120, 80, 0.45)" in html
    assert not re.search(r"https?://|src=|@import|<script", html)


def test_names_are_text_and_no_markup() -> None:
    found = standings_of(["<b>", "&"], [(0, 1)], [np.array([1.0, 2.0])])
    assert "<b>" not in page(found)
    assert "&lt;b&gt;" in page(found)


# ---- playing


def test_every_pairing_is_that_of_a_comparison_on_the_same_deals() -> None:
    found = tournament(players(3), pairs=250)
    for first, second in combinations(players(3), 2):
        (alone,) = compare(first, second, pairs=250).results
        cell = found.cell(first.name, second.name)
        assert (cell.pairs, cell.mean) == (250, pytest.approx(alone.mean))
        assert cell.error == pytest.approx(alone.sd_pair / 250**0.5)
    assert not found.sequential


def test_pairs_go_to_neighbours_that_are_not_decided_until_the_budget_is_spent() -> None:
    found = tournament(players(4), budget=6 * PART + 450)
    sizes = {(one.first, one.second): one.pairs for one in found.cells}
    assert 6 * PART < sum(sizes.values()) <= 6 * PART + 450
    assert min(sizes.values()) == PART
    assert all(size % PART == 0 for size in sizes.values())
    assert found.sequential


def test_players_that_play_alike_take_no_more_pairs_than_they_need() -> None:
    twin = replace(Strategy.load("greedy"), name="twin", path="")
    found = tournament(["greedy", twin], budget=50 * PART)
    assert [one.pairs for one in found.cells] == [PART]
    assert [row.rating for row in found.rows] == [0.0, 0.0]


def test_the_anchor_has_the_rating_0() -> None:
    found = tournament(players(3), pairs=100, anchor="p1")
    assert next((row.rating, row.low, row.high) for row in found.rows if row.name == "p1") == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("options", [{"budget": 12 * PART}, {"pairs": 250}], ids=["budget", "pairs"])
def test_interrupted_and_resumed_it_ends_as_if_never_stopped(tmp_path: Path, options: dict[str, Any]) -> None:
    whole = tournament(players(3), out=tmp_path / "whole", **options)
    left = [5]

    def press(rows: int, standings: Standings | None) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError, match="resume"):
        tournament(players(3), out=tmp_path / "run", on_part=press, threads=2, **options)
    assert tournament(players(3), out=tmp_path / "run", resume=True, threads=1, **options) == whole
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    assert verify_run(tmp_path / "run").problems == []
    assert sum(one.pairs for one in whole.cells) * 2 == Run.open(tmp_path / "run").manifest.rows


def test_a_folder_of_another_tournament_is_refused(tmp_path: Path) -> None:
    tournament(players(2), pairs=PART, out=tmp_path / "run")
    with pytest.raises(RunError, match="cannot resume"):
        tournament(players(3), pairs=PART, out=tmp_path / "run", resume=True)
    with pytest.raises(RunError, match="another run"):
        tournament(players(2), pairs=PART, out=tmp_path / "run")


@pytest.mark.parametrize(
    ("names", "options", "word"),
    [
        (["greedy"], {}, "1 players"),
        (["greedy", "greedy"], {}, "twice"),
        (["greedy", "nobody"], {}, "nobody"),
        (["greedy", "random"], {"anchor": "steady"}, "anchor"),
        (["greedy", "random"], {"budget": 0}, "budget"),
        (["greedy", "random"], {"pairs": 0}, "pairs"),
    ],
)
def test_what_cannot_be_played_is_refused(names: list[str], options: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        tournament(names, **options)
