"""`compare`, `plan` and `tournament` on the command line, with a stand-in for the compiled core."""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from buraco_sim.results.reader import Run

KEYS = {"a", "b", "variant", "pairs", "mean", "interval", "sd_pair", "rho", "wins", "llr", "verdict", "seed", "signature", "command"}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("buraco_sim.pairs.PART_PAIRS", 200)


def object_of(text: str) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(text)
    assert value["schema_version"] == 1
    return value


# ---- compare


def test_compare_json_has_the_keys_that_are_promised(buraco: Any) -> None:
    done = buraco("compare", "greedy", "random", "--json", "--pairs", 50, "--no-out")
    value = object_of(done.out)
    assert value.keys() >= KEYS
    assert (value["a"], value["b"], value["variant"], value["pairs"], value["verdict"]) == ("greedy", "random", "stbl", 50, "fixed")
    assert value["wins"].keys() == {"a", "b", "equal"}
    assert sum(value["wins"].values()) == 50
    assert value["interval"][0] < value["mean"] < value["interval"][1]
    assert value["out"] is None


def test_several_variants_are_a_list_of_results(buraco: Any) -> None:
    done = buraco("compare", "greedy", "random", "--variant", "stbl", "--variant", "burako", "--json", "--pairs", 50, "--no-out")
    value = object_of(done.out)
    assert [one["variant"] for one in value["results"]] == ["stbl", "burako"]
    assert all(one.keys() >= KEYS for one in value["results"])
    assert value.keys() >= {"seed", "signature"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("greedy", "random", "--pairs", 30), 0),
        (("greedy", "greedy"), 5),
        (("greedy", "greedy", "--pairs", 30), 5),
        (("greedy", "random", "--effect", 0.1, "--budget", 250), 4),
        (("greedy", "greedy", "--variant", "stbl", "--variant", "burako"), 5),
    ],
)
def test_the_exit_code_is_the_verdict(buraco: Any, arguments: tuple[Any, ...], code: int) -> None:
    done = buraco("compare", *arguments, "--no-out", "--json")
    assert done.code == code, done.err
    if arguments[:2] == ("greedy", "greedy") and "--variant" not in arguments:
        value = object_of(done.out)
        assert (value["verdict"], value["mean"], value["rho"], value["interval"]) == ("null", 0.0, None, [0.0, 0.0])


def test_who_is_better_is_0_and_3(real: Any) -> None:
    """With the compiled core."""
    for names, code, verdict in ((("greedy", "random"), 0, "a"), (("random", "greedy"), 3, "b")):
        done = real("compare", *names, "--no-out", "--quiet", "--json")
        assert (done.code, object_of(done.out)["verdict"]) == (code, verdict)


def test_after_ctrl_c_the_line_that_is_named_ends_with_the_same_figures() -> None:
    """With the compiled core, in processes of their own; Ctrl-C as soon as there is a part."""
    Path("eager.toml").write_text("policy = 'random'\n[weights]\nmeld_probability = 0.72\n")
    command = [sys.executable, "-m", "buraco_sim", "compare", "random", "eager.toml", "--pairs", "8000", "--json", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(2400):  # compiling may come first
            if list(Path("runs").rglob("*.parquet")) or process.poll() is not None:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert Run.open("runs/compare-random-vs-eager-stbl").manifest.state == "interrupted"
    continued = re.search(r"continue: (.*)", err)
    assert continued
    resumed = object_of(subprocess.run(shlex.split(continued[1]), capture_output=True, text=True, check=True).stdout)
    whole = object_of(subprocess.run([*command, "--no-out"], capture_output=True, text=True, check=True).stdout)
    assert resumed | {"out": None} == whole


def test_compare_writes_a_run_below_runs_and_another_beside_it(buraco: Any) -> None:
    for folder in ("runs/compare-greedy-vs-random-stbl", "runs/compare-greedy-vs-random-stbl-2"):
        done = buraco("compare", "greedy", "random", "--pairs", 20)
        assert folder in done.err
        assert Run.open(folder).table().num_rows == 40
    assert buraco("verify", folder).code == 0


def test_the_same_command_with_resume_gives_the_same_figures(buraco: Any) -> None:
    first = buraco("compare", "greedy", "random", "--pairs", 450, "--json")
    again = buraco("compare", "greedy", "random", "--pairs", 450, "--json", "--resume")
    assert first.out == again.out
    assert [path.name for path in Path("runs").iterdir()] == ["compare-greedy-vs-random-stbl"]


def test_append_goes_on_in_the_folder(buraco: Any) -> None:
    buraco("compare", "greedy", "random", "--pairs", 50, "--out", "run", "--seed", 7)
    value = object_of(buraco("compare", "greedy", "random", "--pairs", 120, "--append", "run", "--json").out)
    assert (value["pairs"], value["seed"], value["out"]) == (120, 7, "run")
    assert Run.open("run").table().num_rows == 240


def test_the_command_that_is_printed_repeats_the_comparison(buraco: Any) -> None:
    first = object_of(buraco("compare", "greedy", "random", "--pairs", 40, "--set", "go_out.bonus=50", "--json", "--no-out").out)
    words = first["command"].split()
    assert words[0] == "buraco"
    assert object_of(buraco(*words[1:], "--json", "--no-out").out) == first


def test_a_configuration_file_may_hold_the_options(buraco: Any) -> None:
    Path("c.toml").write_text("effect = 7\nbudget = 250\nvariant = 'burako'\nseed = 3\n")
    value = object_of(buraco("compare", "greedy", "random", "--config", "c.toml", "--json", "--no-out").out)
    assert (value["effect"], value["variant"], value["seed"]) == (7.0, "burako", 3)


def test_progress_shows_mean_interval_and_ratios(buraco: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buraco_sim.cli.progress.SECONDS_BETWEEN_LINES", 0.0)
    done = buraco("compare", "greedy", "random", "--effect", 5, "--budget", 600, "--no-out")
    lines = [line for line in done.err.splitlines() if "llr" in line]
    assert lines
    assert "deals/s" in lines[-1]
    assert "of -2.97 +3.64" in lines[-1]


# ---- plan, tournament


def test_plan_prints_pairs_deals_and_minutes(buraco: Any) -> None:
    done = buraco("plan", "greedy", "random", "--effect", 20, "--pilot", 100)
    assert done.code == 0, done.err
    assert all(word in done.out for word in ("pairs", "deals", "minutes", "fixed sample", "sequential"))
    value = object_of(buraco("plan", "greedy", "random", "--effect", 20, "--pilot", 100, "--json").out)
    assert value["fixed"]["deals"] == 2 * value["fixed"]["pairs"]


def test_tournament_prints_ratings_and_writes_a_run_and_a_page(buraco: Any) -> None:
    done = buraco("tournament", "greedy", "random", "steady", "--pairs", 60, "--html", "page.html")
    assert done.code == 0, done.err
    assert all(word in done.out for word in ("rating", "greedy", "random", "steady", "against the ratings"))
    assert Path("page.html").read_text().startswith("<!doctype html>")
    assert Run.open("runs/tournament-stbl-greedy-random-steady").manifest.rows == 3 * 120
    value = object_of(buraco("tournament", "greedy", "random", "steady", "--pairs", 60, "--json", "--resume").out)
    assert len(value["ratings"]) == 3
    assert len(value["pairings"]) == 3
