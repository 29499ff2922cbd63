"""Matches: when they are over, who wins, who starts, what is written; and matches put together from deals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from buraco_sim.compare import compare
from buraco_sim.errors import InputError, RunError
from buraco_sim.job import MATCH_DEALS, Job, make_job
from buraco_sim.matches import IntArray, Results, Scores, next_starters, play_matches, resample_matches
from buraco_sim.replay import replay
from buraco_sim.results.reader import Run
from buraco_sim.rules import Ruleset
from buraco_sim.runs import run_job, simulate_to
from buraco_sim.simulate import simulate
from buraco_sim.stats.victory_points import victory_points
from buraco_sim.verify import verify_run
from fake_engine import FakeEngine


def rules(**match: Any) -> Ruleset:
    return Ruleset.load("stbl").override({f"match.{key}": value for key, value in match.items()})


def scripted(match: Ruleset, deals: Sequence[tuple[int, int]], starter: int = 0) -> tuple[Results, list[tuple[int, tuple[int, ...]]]]:
    """One match whose deals have these scores; also who started each, and the standing before it."""
    seen: list[tuple[int, tuple[int, ...]]] = []

    def play_next(going: IntArray, number: int, starters: IntArray, standings: IntArray) -> Scores:
        seen.append((int(starters[0]), tuple(standings[0].tolist())))
        return Scores(np.array([deals[number]]), np.array([-1]))

    return play_matches(match, np.array([starter]), play_next), seen


# ---- by the rules of the match


def test_a_match_to_the_target_is_over_when_a_total_reaches_it() -> None:
    found, seen = scripted(rules(kind="target", target=1000), [(600, 100), (395, 300), (5, -50), (9, 9)])
    assert (found.deals.tolist(), found.totals.tolist(), found.winners.tolist()) == ([3], [[1000, 350]], [0])
    assert [standing for _, standing in seen] == [(0, 0), (600, 100), (995, 400)]


def test_both_over_the_target_the_higher_total_wins() -> None:
    found, _ = scripted(rules(kind="target", target=1000), [(1200, 1300)])
    assert found.winners.tolist() == [1]


@pytest.mark.parametrize(("tie", "deals", "winner"), [("replay", 2, 1), ("starter", 1, 1), ("draw", 1, -1)])
@pytest.mark.parametrize("kind", [{"kind": "deal"}, {"kind": "target", "target": 500}, {"kind": "rounds", "rounds": 1}])
def test_a_tie_is_replayed_won_by_who_started_or_drawn(kind: dict[str, Any], tie: str, deals: int, winner: int) -> None:
    found, _ = scripted(rules(tie=tie, **kind), [(600, 600), (0, 5)], starter=3)
    assert (found.deals.tolist(), found.winners.tolist()) == ([deals], [winner])


def test_a_match_of_rounds_has_so_many_deals() -> None:
    found, _ = scripted(rules(kind="rounds", rounds=3), [(9000, 0), (0, 5), (0, 5)])
    assert (found.deals.tolist(), found.totals.tolist()) == ([3], [[9000, 10]])


def test_the_starter_rotates_or_is_always_the_same() -> None:
    deals = [(0, 5)] * 6
    assert [seat for seat, _ in scripted(rules(kind="rounds", rounds=6, starter="rotate"), deals, 2)[1]] == [2, 3, 0, 1, 2, 3]
    assert [seat for seat, _ in scripted(rules(kind="rounds", rounds=6, starter="fixed"), deals, 2)[1]] == [2] * 6


@pytest.mark.parametrize(
    ("starter", "scores", "out", "following"),
    [
        (0, (0, 500), 3, 3),  # who went out, also if the others won
        (0, (500, 0), -1, 2),  # else the winning team's next seat after the last starter
        (0, (0, 500), -1, 1),
        (1, (0, 500), -1, 3),
        (3, (500, 0), -1, 0),
        (2, (50, 50), -1, 3),  # on equal scores the next seat
    ],
)
def test_the_winner_starts(starter: int, scores: tuple[int, int], out: int, following: int) -> None:
    played = Scores(np.array([scores]), np.array([out]))
    assert next_starters(rules(starter="winner"), np.array([starter]), played).tolist() == [following]


def test_with_two_seats_the_winner_starts_too() -> None:
    two = Ruleset.load("burraco-a-due").override({"match.starter": "winner"})
    for scores, following in (((500, 0), 0), ((0, 500), 1)):
        for starter in (0, 1):
            assert next_starters(two, np.array([starter]), Scores(np.array([scores]), np.array([-1]))).tolist() == [following]


def test_a_match_without_end_is_refused() -> None:
    with pytest.raises(RunError, match="not over after 256 deals"):
        scripted(rules(kind="target", target=1000), [(-5, -5)] * MATCH_DEALS)


# ---- played


@pytest.fixture
def job(engine: FakeEngine) -> Job:
    """Mirrored matches to 3000, in two parts."""
    return make_job(rules(kind="target", target=3000), "greedy,random", matches=30, part_deals=20)


def test_rows_belong_to_matches_and_know_the_standing(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run", threads=2)
    rows = Run.open(tmp_path / "run").table().to_pylist()
    totals: dict[tuple[int, int], tuple[int, int]] = {}
    for row in rows:
        key = (row["match"], row["table"])
        assert row["deal"] // MATCH_DEALS == row["match"]
        before = totals.get(key, (0, 0))
        assert (row["standing_0"], row["standing_1"]) == before
        assert max(before) < 3000
        totals[key] = (before[0] + row["score_0"], before[1] + row["score_1"])
    assert len(totals) == 60
    assert all(max(total) >= 3000 for total in totals.values())
    assert [(row["deal"], row["table"]) for row in rows] == sorted((row["deal"], row["table"]) for row in rows)


def test_the_starters_rotate_within_a_match_and_over_matches(job: Job) -> None:
    table = simulate(job.rules, "greedy", matches=6)
    for row in table.to_pylist():
        assert row["starter"] == (row["match"] + row["deal"] % MATCH_DEALS) % 4


def test_the_match_table_has_a_row_a_match_and_says_which_deals_belong_to_it(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run")
    files = sorted((tmp_path / "run" / "matches").rglob("*.parquet"))
    assert [file.relative_to(tmp_path / "run").as_posix() for file in files] == [
        f"matches/stbl/greedy-vs-random/part-{number:06d}.parquet" for number in (0, 1)
    ]
    deals = Run.open(tmp_path / "run").table().to_pylist()
    results = [row for file in files for row in pq.read_table(file).to_pylist()]
    assert [(row["match"], row["table"]) for row in results] == [(match, table) for match in range(30) for table in (0, 1)]
    for row in results:
        mine = [
            one for one in deals if row["first_deal"] <= one["deal"] < row["first_deal"] + row["deals"] and one["table"] == row["table"]
        ]
        assert len(mine) == row["deals"]
        assert (row["total_0"], row["total_1"]) == tuple(sum(one[f"score_{team}"] for one in mine) for team in (0, 1))
        assert row["winner"] == (0 if row["total_0"] > row["total_1"] else 1)
        assert row["strategy_0"] == ("greedy", "random")[row["table"]]
        assert row["vp_0"] is None


def test_matches_of_rounds_have_victory_points(engine: FakeEngine, tmp_path: Path) -> None:
    simulate_to(tmp_path / "run", rules(kind="rounds", rounds=4), "greedy", matches=20)
    (file,) = (tmp_path / "run" / "matches").rglob("*.parquet")
    for row in pq.read_table(file).to_pylist():
        assert row["deals"] == 4
        assert [row["vp_0"], row["vp_1"]] == victory_points(row["total_0"] - row["total_1"], rules().match.vp).tolist()


def test_a_run_of_matches_is_whole_repeats_itself_and_resumes(job: Job, tmp_path: Path) -> None:
    first, _ = run_job(job, tmp_path / "one", threads=1)
    second, _ = run_job(job, tmp_path / "two", threads=5)
    assert first.to_dict() == second.to_dict()
    contents = [{path.name: path.read_bytes() for path in (tmp_path / name).rglob("*.parquet")} for name in ("one", "two")]
    assert contents[0] == contents[1]
    assert verify_run(tmp_path / "one").problems == []
    next((tmp_path / "two" / "matches").rglob("part-000001.parquet")).unlink()
    resumed, _ = run_job(job, tmp_path / "two", resume=True)
    assert resumed.to_dict() == first.to_dict()
    assert {path.name: path.read_bytes() for path in (tmp_path / "two").rglob("*.parquet")} == contents[0]


def test_the_summary_counts_matches(job: Job) -> None:
    summary, _ = run_job(job)
    values = summary.to_dict()
    match = values["match"]
    assert match["matches"] == 60
    assert sum(match["won"].values()) == 60
    assert match["deals"] * 60 == pytest.approx(values["rows"])
    assert json.loads(json.dumps(values)) == values


def test_a_strategy_against_itself_in_mirrored_matches_sums_to_exactly_zero(engine: FakeEngine) -> None:
    summary, _ = run_job(make_job(rules(kind="target", target=2000, starter="winner"), "random", mirror=True, matches=40))
    assert (summary.margin.total, summary.margin.squares) == (0, 0)


def test_a_failed_deal_of_a_match_is_named(job: Job, engine: FakeEngine) -> None:
    engine.illegal = {MATCH_DEALS * 3 + 1}
    with pytest.raises(RunError, match=f"deal {MATCH_DEALS * 3 + 1}, table 0.*"):
        run_job(job)


def test_any_deal_of_a_match_is_replayed_as_it_was_played(tmp_path: Path) -> None:
    """With the compiled core: row, starter and standing, at both tables."""
    chosen = Ruleset.load("burraco-duel").override({"match.target": 1500, "match.starter": "winner"})
    run = simulate_to(tmp_path / "run", chosen, "greedy,random", matches=4)
    rows = run.table().to_pylist()
    assert any(row["deal"] % MATCH_DEALS > 1 for row in rows)
    for row in rows:
        played = replay(chosen, "greedy,random", deal=row["deal"], table=row["table"], matches=True)
        assert played.row == row
        assert (played.header["starter"], played.header["standing"]) == (row["starter"], [row["standing_0"], row["standing_1"]])
    assert verify_run(tmp_path / "run", sample=10).problems == []
    last = max(row["deal"] for row in rows if row["table"] == 0 and row["match"] == 1)
    with pytest.raises(InputError, match="match 1 is over"):
        replay(chosen, "greedy,random", deal=last + 1, matches=True)


def test_a_damaged_table_of_matches_is_named(job: Job, tmp_path: Path) -> None:
    run_job(job, tmp_path / "run")
    file = next((tmp_path / "run" / "matches").rglob("part-000001.parquet"))
    whole = file.read_bytes()
    for place in range(0, len(whole), 97):  # data, headers of pages, footer, magic bytes
        data = bytearray(whole)
        data[place] ^= 1
        file.write_bytes(data)
        assert any(str(file) in problem for problem in verify_run(tmp_path / "run").problems), place
    file.unlink()
    assert any(str(file) in problem for problem in verify_run(tmp_path / "run").problems)


@pytest.mark.parametrize("matches", [0, -1, 2**48])
def test_numbers_of_matches_out_of_range_are_refused(matches: int) -> None:
    with pytest.raises(InputError, match="matches"):
        make_job("stbl", "greedy", matches=matches)


def test_part_of_a_match_is_no_job() -> None:
    with pytest.raises(InputError, match="whole matches"):
        replace(make_job("stbl", "greedy", matches=2), deals=100)


# ---- compared


def test_pairs_of_matches_are_compared_by_their_totals(engine: FakeEngine, tmp_path: Path) -> None:
    (found,) = compare("greedy", "random", rules(kind="rounds", rounds=2), matches=True, pairs=120, out=tmp_path / "run").results
    deals = Run.open(tmp_path / "run").table().to_pylist()
    margin = sum((row["score_0"] - row["score_1"]) * (1 - 2 * row["table"]) for row in deals)
    assert found.pairs == 120
    assert found.mean == pytest.approx(margin / 240)
    assert found.matches is not None
    assert sum(found.matches.won) == 240
    assert found.matches.deals == 2
    assert found.matches.share == pytest.approx((found.matches.won[0] + found.matches.won[2] / 2) / 240)
    assert found.matches.victory_points is not None
    assert "matches won" in found.text()
    assert verify_run(tmp_path / "run").problems == []


def test_a_against_a_in_matches_is_exactly_zero_too(engine: FakeEngine) -> None:
    (found,) = compare("random", "random", rules(kind="target", target=2000), matches=True).results
    assert (found.verdict, found.mean, found.sd_pair, found.alike) == ("null", 0.0, 0.0, True)
    assert found.matches is not None
    assert (found.matches.share, found.matches.won[0]) == (0.5, found.matches.won[1])


# ---- put together from deals


@pytest.mark.parametrize(
    "match", [{"kind": "target", "target": 3000}, {"kind": "rounds", "rounds": 4}, {"kind": "target", "target": 2000, "starter": "winner"}]
)
def test_for_players_that_ignore_the_standing_played_and_resampled_matches_agree(engine: FakeEngine, match: dict[str, Any]) -> None:
    n = 1500
    chosen = rules(**match)
    deals = simulate(chosen, ["greedy", "random"], deals=6000, mirror=False)
    played = simulate(chosen, ["greedy", "random"], matches=n, mirror=False, first_deal=1000)
    resampled = resample_matches(chosen, deals, 20_000)
    by_match = np.unique(played.column("match").to_numpy(), return_inverse=True)[1]
    totals = np.zeros((n, 2))
    for team in (0, 1):
        np.add.at(totals[:, team], by_match, played.column(f"score_{team}").to_numpy())
    lengths = np.bincount(by_match)
    for mine, theirs in (
        (lengths, resampled.deals),
        (totals[:, 0], resampled.totals[:, 0]),
        (totals[:, 0] - totals[:, 1], resampled.totals[:, 0] - resampled.totals[:, 1]),
        ((totals[:, 0] > totals[:, 1]) * 1.0, (resampled.winners == 0) * 1.0),
    ):
        error = np.sqrt(mine.var() / n + theirs.var() / 6000)
        assert abs(mine.mean() - theirs.mean()) < 4 * error + 1e-9


def test_resampling_follows_the_starters() -> None:
    deals = pa.table({"starter": [0, 1, 2, 3], "score_0": [5, 0, 5, 0], "score_1": [0, 5, 0, 5], "out_seat": pa.nulls(4, pa.int8())})
    found = resample_matches(rules(kind="rounds", rounds=4), deals, 8)
    assert found.totals.tolist() == [[10, 10]] * 8
    with pytest.raises(InputError, match="seat 3"):
        resample_matches(rules(kind="rounds", rounds=4), deals.slice(0, 3), 8)
