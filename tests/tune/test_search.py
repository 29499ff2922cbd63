"""The search: where it looks, that it finds again what was spoilt on purpose, and that a kill changes nothing."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import optuna
import pytest

import buraco_sim as b
from buraco_sim.errors import InputError
from buraco_sim.pairs import margins_of, pairs_job, stream_pairs
from buraco_sim.results.columns import Block
from buraco_sim.tune import proof
from buraco_sim.tune.journal import FILE, STUDY
from buraco_sim.tune.outcome import Tuning
from buraco_sim.tune.space import Space

FEW = {"RIVAL_PAIRS": 40, "STEP_PAIRS": 20}  # what comes after the search takes as long as usual, but for this
SMALL: dict[str, Any] = {"panel": ["random", "greedy"], "weights": ["keep_near", "keep_wild", "danger"], "budget": 200}


@pytest.fixture(autouse=True)
def _few_pairs_after_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, pairs in FEW.items():
        monkeypatch.setattr(proof, name, pairs)


def trials_of(folder: Path) -> list[tuple[Any, ...]]:
    """What Optuna's own tools read in a journal."""
    storage = optuna.storages.JournalStorage(optuna.storages.journal.JournalFileBackend(str(folder / FILE)))
    study = optuna.load_study(study_name=STUDY, storage=storage)
    assert study.best_trial.state.is_finished()
    keys = ("generation", "role", "margins")
    return [(one.number, one.value, one.params, *(one.user_attrs[key] for key in keys)) for one in study.trials]


def figures(found: Tuning) -> dict[str, Any]:
    """Everything of a result but the clock."""
    values = found.to_dict()
    for one in values["generations"]:
        del one["seconds"]
    del values["file"]
    values["record"] = {key: value for key, value in values["record"].items() if key != "deals_per_second"}
    return values


# ---- where it looks


@pytest.mark.parametrize("seed", range(20))
def test_every_point_is_within_the_ranges(seed: int) -> None:
    space = Space.of(b.Strategy.load("steady"))
    point = np.random.default_rng(seed).normal(0, 10.0**seed if seed < 5 else 3, len(space.weights))
    values = space.weights_at(point)
    assert all(one.low <= values[one.name] <= one.high for one in space.weights)
    assert replace(space.start, weights=space.start.weights | values).to_dict()


def test_the_start_is_the_origin() -> None:
    space = Space.of(b.Strategy.load("steady"))
    assert space.weights_at(np.zeros(len(space.weights))) == space.start.weights


@pytest.mark.parametrize(
    ("names", "said"),
    [(["denger", "danger"], r"unknown weight 'denger'.*did you mean 'danger'"), (["danger"], "1 weights of steady to tune")],
)
def test_weights_that_cannot_be_tuned(names: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Space.of(b.Strategy.load("steady"), names)


def test_weights_that_no_deal_notices_stay_as_they_are() -> None:
    """`stbl` has no sets."""
    found = b.tune("steady", "stbl", **SMALL | {"weights": ["keep_near", "set_size", "danger"]}, budget_deals=1)
    assert found.record["weights"] == ["keep_near", "danger"]
    assert found.champion.weights["set_size"] == found.start.weights["set_size"]


def test_a_player_without_weights_cannot_be_tuned() -> None:
    with pytest.raises(InputError, match="0 weights of greedy"):
        b.tune("greedy", "stbl")


# ---- what it finds


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Tuning:
    """A search from two weights as bad as can be."""
    good = b.Strategy.load("steady")
    bad = replace(good, name="spoilt", weights=good.weights | {"keep_near": 0.0, "keep_wild": 0.0})
    folder = tmp_path_factory.mktemp("planted")
    return b.tune(bad, "stbl", weights=["keep_near", "keep_wild"], panel=["greedy"], budget_deals=400_000, out=folder)


def test_what_was_spoilt_on_purpose_is_found_again(planted: Tuning) -> None:
    """Most of what the two weights cost comes back."""
    found, good, bad = planted, b.Strategy.load("steady"), planted.start
    assert found.is_better
    assert found.file is not None
    job = pairs_job("stbl", (good, bad), 2000, seed=77)
    lost = margins_of(Block.concat([part.block for part in stream_pairs(job)])).mean()
    job = pairs_job("stbl", (b.Strategy.load(found.file), bad), 2000, seed=77)
    regained = margins_of(Block.concat([part.block for part in stream_pairs(job)])).mean()
    assert lost > 50
    assert regained > 0.8 * lost


def test_the_strategy_file_says_where_its_weights_come_from_and_plays_at_once(planted: Tuning) -> None:
    assert planted.file is not None
    assert planted.file.name == "steady-stbl.toml"
    loaded = b.Strategy.load(planted.file)
    assert loaded.weights == planted.champion.weights
    assert loaded.tuning.keys() >= {"budget_deals", "panel", "seed", "signature", "verdict", "gain", "interval"}
    assert b.simulate("stbl", loaded, deals=2).num_rows == 2


def test_without_a_verdict_nothing_is_written(tmp_path: Path) -> None:
    found = b.tune("steady", "stbl", **SMALL, budget_deals=1, out=tmp_path)
    assert not found.is_better
    assert found.file is None
    assert list(tmp_path.glob("*.toml")) == []
    assert "nothing is adopted" in found.text()


def test_several_variants_share_one_set_of_weights() -> None:
    found = b.tune("steady", ["stbl", "burraco-duel"], **SMALL, budget_deals=1)
    assert [one.variant for one in found.comparisons] == ["stbl", "burraco-duel"]
    assert found.champion.name == "steady-tuned"
    assert {one.variant for one in found.rivals} == {"stbl", "burraco-duel"}


# ---- what a kill, other threads or another configuration change


def test_the_threads_do_not_matter() -> None:
    one, two = (b.tune("steady", "stbl", **SMALL, budget_deals=30_000, threads=threads) for threads in (1, 2))
    assert figures(one) == figures(two)


SCRIPT = """
import sys, buraco_sim as b
from buraco_sim.tune import proof
vars(proof).update({few})
b.tune("steady", "stbl", panel=["random", "greedy"], weights=["keep_near", "keep_wild", "danger"], budget=200, budget_deals={deals},
       out=sys.argv[1], resume=sys.argv[2] == "resume")
"""


def test_killed_three_times_and_resumed_it_ends_with_the_same_trials_and_result(tmp_path: Path) -> None:
    deals = 200_000
    whole = b.tune("steady", "stbl", **SMALL, budget_deals=deals, out=tmp_path / "whole")
    rng, kills = random.Random(5), 0
    folder = tmp_path / "killed"
    while kills < 3:
        grown = (folder / FILE).stat().st_size if (folder / FILE).exists() else 0
        words = [sys.executable, "-c", SCRIPT.format(deals=deals, few=FEW), str(folder), "resume" if grown else "start"]
        process = subprocess.Popen(words, stderr=subprocess.PIPE)
        while process.poll() is None and not ((folder / FILE).exists() and (folder / FILE).stat().st_size > grown):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 0.5))
        assert process.poll() is None, process.communicate()
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        kills += 1
    resumed = b.tune("steady", "stbl", **SMALL, budget_deals=deals, out=folder, resume=True)
    assert trials_of(folder) == trials_of(tmp_path / "whole")
    assert figures(resumed) == figures(whole)


def test_a_line_cut_anywhere_and_a_lock_left_behind_are_mended(tmp_path: Path) -> None:
    whole = b.tune("steady", "stbl", **SMALL, budget_deals=1, out=tmp_path)
    content = (tmp_path / FILE).read_bytes()
    expected = trials_of(tmp_path)
    for cut in (1, len(content) // 3, len(content) // 2, len(content) - 1):
        (tmp_path / FILE).write_bytes(content[:cut])
        (tmp_path / f"{FILE}.lock").symlink_to(FILE)
        assert figures(b.tune("steady", "stbl", **SMALL, budget_deals=1, out=tmp_path, resume=True)) == figures(whole)
        assert trials_of(tmp_path) == expected


def test_a_folder_of_another_search_is_refused(tmp_path: Path) -> None:
    b.tune("steady", "stbl", **SMALL, budget_deals=1, out=tmp_path)
    with pytest.raises(InputError, match="the folder holds a search"):
        b.tune("steady", "stbl", **SMALL, budget_deals=1, out=tmp_path)
    with pytest.raises(InputError, match="another seed than the search there: 5"):
        b.tune("steady", "stbl", **SMALL, budget_deals=1, out=tmp_path, resume=True, seed=5)
    with pytest.raises(InputError, match="another panel"):
        b.tune("steady", "stbl", **SMALL | {"panel": ["greedy"]}, budget_deals=1, out=tmp_path, resume=True)


def test_a_larger_budget_goes_on_where_the_search_ended(tmp_path: Path) -> None:
    b.tune("steady", "stbl", **SMALL, budget_deals=40_000, out=tmp_path / "grown")
    grown = b.tune("steady", "stbl", **SMALL, budget_deals=100_000, out=tmp_path / "grown", resume=True)
    assert figures(grown) == figures(b.tune("steady", "stbl", **SMALL, budget_deals=100_000, out=tmp_path / "whole"))


def test_a_player_of_a_file_of_ones_own_is_tuned_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its strategy file finds the function from where it lies."""
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(
        "from buraco_sim import Weight, strategy\n"
        "from buraco_sim.play import MANY, legal_actions\n"
        "import numpy as np\n\n\n"
        "@strategy(weights=[Weight(name, 0.9, 0.0, 20.0, 'number', 'lays from a sum of 2 on') for name in ('one', 'other')])\n"
        "def decide(view, weights, scratch):\n"
        '    """Lays what comes last in the list, or never lays."""\n'
        "    actions = np.empty(MANY, np.int64)\n"
        "    n = legal_actions(view, actions)\n"
        "    return actions[n - 1 if weights[0] + weights[1] >= 2 else 0]\n"
    )
    found = b.tune("mine.py:decide", "stbl", panel=["mine.py:decide"], budget_deals=60_000, budget=30_000, out="out")
    assert found.is_better
    assert found.file == Path("out/mine-stbl.toml")
    assert b.simulate("stbl", str(found.file), deals=2).num_rows == 2
