"""The summary of a run, and when it warns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from buraco_sim.job import make_job
from buraco_sim.results.columns import Block
from buraco_sim.simulate import play_parts
from buraco_sim.summary import CANASTAS, SCORE_PARTS, Z_95, Summary, Sums, summary_text
from fake_engine import FakeEngine


def summed(players: str, deals: int, mirror: bool | None = None) -> tuple[Summary, Block]:
    """The summary of some deals, and their rows."""
    job = make_job("stbl", players, deals=deals, mirror=mirror)
    (part,) = play_parts(job)
    summary = Summary(job)
    summary.add(part.block)
    return summary, part.block


def test_means_are_those_of_the_columns(engine: FakeEngine) -> None:
    summary, block = summed("greedy", 60)
    for team, side in enumerate(summary.to_dict()["sides"]):
        assert side["name"] == f"team {team}"
        assert side["score"] == pytest.approx(block[f"score_{team}"].mean())
        assert side["score_sd"] == pytest.approx(block[f"score_{team}"].std(ddof=1))
        assert sum(side["parts"].values()) == pytest.approx(side["score"])
        assert side["canastas"] == pytest.approx(sum(block[f"{name}_{team}"].mean() for name in CANASTAS))
        assert side["morto_turn"] == pytest.approx(block[f"morto_turn_{team}"][~block.nulls[f"morto_turn_{team}"]].mean())
        assert sum(side["morto_modes"].values()) == pytest.approx(1)
        assert side["wins"] == pytest.approx((block["winner"] == team).mean())


def test_a_side_is_a_strategy_wherever_it_sits(engine: FakeEngine) -> None:
    summary, block = summed("greedy,random", 40)
    first, second = block["table"] == 0, block["table"] == 1
    values = summary.to_dict()
    assert [side["name"] for side in values["sides"]] == ["greedy", "random"]
    assert values["sides"][0]["score"] == pytest.approx(np.concatenate([block["score_0"][first], block["score_1"][second]]).mean())
    assert values["sides"][1]["score"] == pytest.approx(np.concatenate([block["score_1"][first], block["score_0"][second]]).mean())
    assert values["margin"]["mean"] == pytest.approx(values["sides"][0]["score"] - values["sides"][1]["score"])


def test_the_interval_counts_pairs_and_not_rows(engine: FakeEngine) -> None:
    summary, block = summed("greedy,random", 40)
    margins = (block["score_0"].astype(float) - block["score_1"]) * (1 - 2 * block["table"])
    pairs = margins.reshape(-1, 2).mean(axis=1)
    interval = summary.to_dict()["margin"]
    half = Z_95 * pairs.std(ddof=1) / np.sqrt(40)
    assert interval == pytest.approx({"mean": pairs.mean(), "low": pairs.mean() - half, "high": pairs.mean() + half})


def test_the_starter_advantage_is_that_of_the_starters_team(engine: FakeEngine) -> None:
    summary, block = summed("greedy", 50)
    sign = np.where(block["starter"] % 2 == 0, 1, -1)
    assert summary.to_dict()["starter_advantage"]["mean"] == pytest.approx(((block["score_0"] - block["score_1"]) * sign).mean())


def test_sums_are_exact_beyond_the_floats() -> None:
    sums = Sums()
    for _ in range(20):
        sums.add(np.full(1_000_000, 30_001, np.int32))
    assert sums.total == 20_000_000 * 30_001
    assert sums.squares == 20_000_000 * 30_001**2 > 2**53
    assert sums.sd == 0


def test_one_deal_has_no_interval(engine: FakeEngine) -> None:
    summary, _ = summed("greedy", 1)
    assert summary.to_dict()["margin"]["low"] is None
    assert "95 %" not in summary_text(summary.to_dict())


def test_the_text_shows_what_a_degenerate_game_would_hide(engine: FakeEngine) -> None:
    summary, _ = summed("greedy,random", 30)
    text = summary_text(summary.to_dict(played_rows=60, seconds=2.0))
    shown = ("30 deals, each at two tables", "canastas", "runs", "mortos taken", "went out", "turn cap", "turns ", "starter advantage")
    for words in (*shown, "30 deals/s"):
        assert words in text
    assert all(part in summary.to_dict()["sides"][0]["parts"] for part in SCORE_PARTS)


def blocks_with(change: dict[str, Any], n: int = 200) -> Summary:
    """A summary of deals with some columns set."""
    job = make_job("stbl", "greedy", deals=n)
    (part,) = play_parts(job)
    for name, value in change.items():
        part.block[name][:] = value
    summary = Summary(job)
    summary.add(part.block)
    return summary


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"runs_0": 0, "runs_1": 0}, "hardly any melds"),
        ({"dirty_0": 0, "dirty_1": 0}, "hardly any canastas"),
        ({"turns": 8}, "8.0 turns"),
        ({"turns": 150}, "150.0 turns"),
        ({"end_reason": 1}, "nobody ever went out"),
        ({"end_reason": 2}, "turn cap"),
    ],
)
def test_a_degenerate_picture_is_called_so(engine: FakeEngine, change: dict[str, Any], words: str) -> None:
    summary = blocks_with(change)
    assert any(words in warning for warning in summary.warnings())
    assert "WARNING" in summary_text(summary.to_dict())


def test_a_sound_picture_and_a_few_deals_are_not_called_degenerate(engine: FakeEngine) -> None:
    assert blocks_with({}).warnings() == []
    assert blocks_with({"turns": 8}, n=50).warnings() == []
