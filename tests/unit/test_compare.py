"""Comparisons: what is played, where it stops, what is kept, and how it goes on."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from buraco_sim.chunks import Chunk
from buraco_sim.compare import Look, Outcome, compare
from buraco_sim.comparison import Comparison, common_code
from buraco_sim.errors import BuracoError, ExitCode, InputError, RunError
from buraco_sim.interrupts import InterruptedRunError
from buraco_sim.pairs import margins_of, pairs_job, stream_pairs
from buraco_sim.results.reader import Run
from buraco_sim.runs import simulate_to
from buraco_sim.stats.pairs import estimate_pairs
from buraco_sim.strategies import Strategy
from buraco_sim.verify import verify_run
from fake_engine import FakeEngine

PART = 200
UNDECIDED = {"effect": 12.0, "budget": 2 * PART + 50}  # the stand-in's players are equal: this takes several parts


@pytest.fixture(autouse=True)
def _small_parts(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buraco_sim.pairs.PART_PAIRS", PART)
    monkeypatch.setattr(import_module("buraco_sim.simulate"), "CHUNK_DEALS", 100)


def only(outcome: Outcome) -> Comparison:
    (result,) = outcome.results
    return result


def contents(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.parquet"))}


# ---- what is found


def test_the_figures_are_those_of_the_pairs_of_the_run(tmp_path: Path) -> None:
    result = only(compare("greedy", "random", pairs=700, out=tmp_path / "run"))
    table = Run.open(tmp_path / "run").table().to_pylist()
    margins = np.array([(row["score_0"] - row["score_1"]) * (1 - 2 * row["table"]) for row in table]).reshape(-1, 2)
    estimate = estimate_pairs(margins)
    assert (result.pairs, result.mean, result.sd_pair, result.rho, result.wins) == (
        700,
        estimate.mean,
        estimate.sd,
        estimate.rho,
        estimate.wins,
    )
    assert result.interval == estimate.interval
    assert (result.verdict, result.exit_code, result.llr) == ("fixed", ExitCode.DONE, None)


def test_a_against_a_is_exactly_zero_in_every_pair_and_stops_at_the_first_look() -> None:
    for options in ({}, {"pairs": 5000}):
        result = only(compare("random", "random", **options))  # type: ignore[arg-type]
        assert (result.pairs, result.mean, result.sd_pair, result.rho, result.wins) == (200, 0.0, 0.0, None, (0, 0, 200))
        assert (result.verdict, result.alike, result.exit_code) == ("null", True, ExitCode.NEITHER)
        assert result.llr is None


def test_the_same_player_under_another_name_is_the_same_player() -> None:
    twin = replace(Strategy.load("greedy"), name="twin", path="")
    assert only(compare("greedy", twin)).alike


def test_a_player_that_is_not_zero_against_itself_is_a_fault_and_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def crooked(block: Any) -> Any:
        return margins_of(block) + np.array([0, 5])

    monkeypatch.setattr(import_module("buraco_sim.compare"), "margins_of", crooked)
    with pytest.raises(RunError, match="pair 0 is not zero"):
        compare("greedy", "greedy")


def test_exchanging_the_players_exchanges_everything() -> None:
    there, back = (only(compare(*names, pairs=400)) for names in (("greedy", "random"), ("random", "greedy")))
    assert there.interval is not None
    assert back.interval is not None
    assert there.mean == -back.mean != 0
    assert there.wins == (back.wins[1], back.wins[0], back.wins[2])
    assert there.interval == pytest.approx((-back.interval[1], -back.interval[0]))


def test_a_budget_that_ends_first_is_undecided() -> None:
    result = only(compare("greedy", "random", effect=1.0, budget=430))
    assert (result.pairs, result.verdict, result.exit_code) == (430, "undecided", ExitCode.UNDECIDED)
    assert result.interval is not None
    assert result.interval[0] < 0 < result.interval[1]


def test_the_result_does_not_depend_on_threads() -> None:
    assert compare("greedy", "random", threads=1, **UNDECIDED) == compare("greedy", "random", threads=5, **UNDECIDED)  # type: ignore[arg-type]


def test_looks_are_reported_as_they_come() -> None:
    looks: list[Look] = []
    result = only(compare("greedy", "random", on_look=looks.append, **UNDECIDED))  # type: ignore[arg-type]
    assert looks[-1].pairs == result.pairs
    assert looks[-1].mean == result.mean
    assert (looks[-1].low, looks[-1].high) == result.interval
    assert all(look.expected_pairs() >= look.pairs for look in looks)


def test_several_variants_play_the_same_shuffles_and_have_a_verdict_each() -> None:
    first, second = compare("greedy", "random", ["stbl", "buraco-classico"], **UNDECIDED).results  # type: ignore[arg-type]
    assert (first.variant, second.variant) == ("stbl", "buraco-classico")
    fixed = compare("greedy", "random", ["stbl", "buraco-classico"], pairs=300).results
    p_values = sorted(one.p_value for one in fixed if one.p_value is not None)
    alone = sorted(
        one.p_value for name in ("stbl", "buraco-classico") if (one := only(compare("greedy", "random", name, pairs=300))).p_value
    )
    assert p_values[0] == pytest.approx(min(1.0, 2 * alone[0]))  # type: ignore[operator]


def test_the_common_code_of_several_results() -> None:
    result = only(compare("greedy", "greedy"))
    better = replace(result, verdict="a")
    assert common_code([result, result]) == ExitCode.NEITHER
    assert common_code([better, better]) == ExitCode.DONE
    assert common_code([better, result]) == ExitCode.UNDECIDED


@pytest.mark.parametrize(
    ("options", "word"),
    [
        ({"effect": 0}, "effect"),
        ({"effect": float("nan")}, "effect"),
        ({"pairs": 0}, "pairs"),
        ({"budget": -1}, "pairs"),
        ({"seed": -1}, "seed"),
    ],
)
def test_numbers_out_of_range_are_refused(options: dict[str, Any], word: str) -> None:
    with pytest.raises(InputError, match=word):
        compare("greedy", "random", **options)


# ---- the run folder


def test_the_run_holds_exactly_the_pairs_that_count(tmp_path: Path) -> None:
    result = only(compare("greedy", "greedy", out=tmp_path / "run"))
    run = Run.open(tmp_path / "run")
    assert (run.manifest.state, run.manifest.deals, run.manifest.rows) == ("complete", result.pairs, 2 * result.pairs)
    assert verify_run(tmp_path / "run").problems == []


def test_a_run_of_several_variants_is_whole(tmp_path: Path) -> None:
    compare("greedy", "random", ["stbl", "buraco-classico"], out=tmp_path / "run", effect=25)
    report = verify_run(tmp_path / "run")
    assert report.problems == []
    assert report.rows == Run.open(tmp_path / "run").manifest.rows


@pytest.mark.parametrize("chunks", [1, 2, 3, 4])
@pytest.mark.parametrize("variants", [["stbl"], ["stbl", "buraco-classico"]], ids=len)
def test_interrupted_at_any_moment_and_resumed_it_ends_as_if_never_stopped(tmp_path: Path, chunks: int, variants: list[str]) -> None:
    whole = compare("greedy", "random", variants, out=tmp_path / "whole", **UNDECIDED)  # type: ignore[arg-type]
    left = [chunks]

    def press(_: Chunk) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    options: dict[str, Any] = {"out": tmp_path / "run", "threads": 2, **UNDECIDED}
    with pytest.raises(InterruptedRunError, match="resume"):
        compare("greedy", "random", variants, on_chunk=press, **options)
    assert compare("greedy", "random", variants, resume=True, **options) == whole
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")
    assert Run.open(tmp_path / "run").manifest.parts == Run.open(tmp_path / "whole").manifest.parts


def test_resuming_with_another_player_or_seed_is_refused(tmp_path: Path) -> None:
    compare("greedy", "random", pairs=200, out=tmp_path / "run")
    for options in ({"seed": 5}, {"variants": "buraco-classico"}):
        with pytest.raises(RunError, match="cannot resume"):
            compare("greedy", "random", pairs=200, out=tmp_path / "run", resume=True, **options)  # type: ignore[arg-type]


def test_append_goes_on_without_playing_a_pair_twice(tmp_path: Path, engine: FakeEngine) -> None:
    compare("greedy", "random", pairs=300, out=tmp_path / "run")
    engine.calls = 0
    longer = only(compare("greedy", "random", pairs=900, append=tmp_path / "run"))
    assert engine.calls == 2 + 2 * 6  # the signature, and six chunks at two tables
    once = only(compare("greedy", "random", pairs=900, out=tmp_path / "once"))
    assert replace(longer, command="") == replace(once, command="")
    assert contents(tmp_path / "run") == contents(tmp_path / "once")
    assert verify_run(tmp_path / "run").problems == []


def test_append_to_a_mirrored_simulation_and_to_a_shorter_sample(tmp_path: Path) -> None:
    simulate_to(tmp_path / "run", "stbl", "greedy,random", deals=500, seed=9)
    longer = only(compare("greedy", "random", pairs=800, append=tmp_path / "run"))
    assert longer.mean == only(compare("greedy", "random", pairs=800, seed=9)).mean
    before = contents(tmp_path / "run")
    assert only(compare("greedy", "random", pairs=100, append=tmp_path / "run")).pairs == 100
    assert contents(tmp_path / "run") == before  # rows are never thrown away
    assert Run.open(tmp_path / "run").manifest.deals == 800


@pytest.mark.parametrize("options", [{"seed": 3}, {"variants": "buraco-classico"}, {"variants": ["stbl", "burako"]}, {"matches": True}])
def test_append_to_something_else_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    compare("greedy", "random", pairs=200, out=tmp_path / "run")
    before = contents(tmp_path / "run")
    with pytest.raises(BuracoError, match=str(tmp_path / "run")):
        compare("greedy", "random", pairs=400, append=tmp_path / "run", **options)
    with pytest.raises(BuracoError, match="another"):
        compare("random", "greedy", pairs=400, append=tmp_path / "run")
    assert contents(tmp_path / "run") == before


def test_the_stream_is_cut_at_the_end_of_the_job() -> None:
    parts = list(stream_pairs(pairs_job("stbl", ("greedy", "random"), PART + 10)))
    assert [(part.range.first, part.range.stop) for part in parts] == [(0, PART), (PART, PART + 10)]
