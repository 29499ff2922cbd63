"""`buraco tune` on the command line, and its page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import buraco_sim as b
from buraco_sim.cli import main
from buraco_sim.report.tune_page import tune_html
from buraco_sim.tune import proof

QUICK = ("--panel", "random", "--weights", "keep_near,danger", "--budget-deals", "1", "--budget", "200", "--quiet")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def _few_pairs_in_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(proof, "RIVAL_PAIRS", 40)
    monkeypatch.setattr(proof, "STEP_PAIRS", 20)


@pytest.fixture
def buraco(capfd: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main(list(words))
        done = capfd.readouterr()
        return code, done.out, done.err

    return run


def test_one_json_object_and_the_exit_code_of_the_verdict(buraco: Run) -> None:
    code, out, err = buraco("tune", "steady", *QUICK, "--json")
    value = json.loads(out)
    assert (code, err) == (5, "")  # after one generation the mean is still the start
    assert value["schema_version"] == 1
    assert value.keys() >= {
        "start",
        "champion",
        "is_better",
        "comparisons",
        "record",
        "rivals",
        "sensitivity",
        "generations",
        "file",
        "out",
    }
    assert (value["is_better"], value["file"], value["out"]) == (False, None, "runs/tune-steady-stbl")
    assert {one["weight"] for one in value["sensitivity"]} == {"keep_near", "danger"}
    assert sorted(path.name for path in Path(value["out"]).iterdir()) == ["journal.log", "tuning.html"]


def test_the_text_names_what_came_of_it(buraco: Run) -> None:
    code, out, _ = buraco("tune", "steady", *QUICK)
    assert code == 5
    assert "no verdict for the champion: nothing is adopted" in out
    assert re.search(r"^  keep_near +2\.2 -> ", out, re.MULTILINE)
    assert re.search(r"^  random +\+\d+", out, re.MULTILINE)


def test_progress_shows_generation_gain_rate_and_time_left(buraco: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("buraco_sim.cli.progress.SECONDS_BETWEEN_LINES", 0.0)
    _, _, err = buraco("tune", "steady", *QUICK[:-1])
    assert re.search(r"deals, [\d,]+ deals/s, -?\d+ s left, generation 1, gain [+-][\d.]+ \([+-][\d.]+ to [+-][\d.]+\), best", err)


def test_minutes_are_a_budget_too(buraco: Run) -> None:
    words = [word for word in QUICK if word not in ("--budget-deals", "1")]
    code, out, _ = buraco("tune", "steady", *words, "--minutes", "0.02", "--json")
    assert code in (4, 5)
    played = sum(one["seconds"] for one in json.loads(out)["generations"])
    assert 1.2 <= played < 30


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--weights", "keep_nere,danger"), "unknown weight 'keep_nere'"),
        (("--panel", "gredy"), "did you mean 'greedy'"),
        (("--variant", "stlb"), "did you mean 'stbl'"),
        (("--minutes", "1"), "either deals or minutes"),
        (("--budget-deals", "0"), "budget_deals = 0"),
        (("--threads", "0"), "threads = 0; expected a whole number 1..1024"),
    ],
)
def test_a_mistake_is_one_line(buraco: Run, words: tuple[str, ...], said: str) -> None:
    code, out, err = buraco("tune", "steady", *QUICK, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err
    assert not list(Path.cwd().rglob("*.toml"))


def test_a_search_goes_on_with_resume_only(buraco: Run) -> None:
    first = buraco("tune", "steady", *QUICK, "--json", "--out", "here")
    again = buraco("tune", "steady", *QUICK, "--json", "--out", "here")
    assert (again[0], again[1]) == (2, "")
    assert "the folder holds a search" in again[2]
    resumed = buraco("tune", "steady", *QUICK, "--json", "--out", "here", "--resume")
    assert json.loads(resumed[1]) == json.loads(first[1])


def test_the_page_has_the_figures_of_the_result() -> None:
    found = b.tune("steady", "stbl", panel=["random"], weights=["keep_near", "danger"], budget_deals=1, budget=200)
    page = tune_html(found)
    for text in (
        "steady tuned for stbl",
        "keep_near",
        f"{found.comparisons[0].mean:+.1f}",
        "nothing is adopted",
        "<svg",
        "top-card (outside",
    ):
        assert text in page
    assert page.count("<svg") == 2
    assert "http" not in re.sub(r'xmlns(:\w+)?="[^"]*"', "", page)
