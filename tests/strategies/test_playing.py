"""Users' strategies at the table: the same rows as built in, nothing changed by writing, failures explained, runs that keep the source."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import buraco_sim as b
from buraco_sim.cli import main
from buraco_sim.errors import InputError, RunError
from buraco_sim.job import make_job
from buraco_sim.judge import judge
from buraco_sim.results.reader import Run
from buraco_sim.runs import run_job
from buraco_sim.tryout import try_out, write_template
from margins import margin
from user_files import FIRST, Write

#: Plays like `FIRST` for some turns, then does what is written below it.
AFTER_TURN_9 = FIRST.replace(
    "    return actions[0]\n", "    if view.turn < 10 or view.phase == PHASE_DRAW:\n        return actions[0]\n    "
)


@pytest.mark.parametrize("variant", ["stbl", "burraco-fibur", "buraco-classico", "burraco-duel"])
def test_the_template_beats_random(write: Write, variant: str) -> None:
    assert write_template("my-first") == Path("my_first.py")
    mean, half = margin("my_first.py:decide,random", variant)
    assert mean - half > 0


def test_the_template_is_not_written_over_a_file(write: Write) -> None:
    write_template("mine")
    with pytest.raises(InputError, match=r"mine\.py: the file is there already"):
        write_template("mine")


def test_the_template_plays_every_variant(write: Write) -> None:
    write_template("mine")
    assert try_out(b.Strategy.load("mine.py:decide")) >= 100


def test_plain_python_plays_the_same(write: Write) -> None:
    write_template("mine")
    text = Path("mine.py").read_text()
    Path("plain.py").write_text(text.replace("Weight, strategy", "Weight, python_strategy").replace("@strategy", "@python_strategy"))
    compiled, plain = (b.simulate("stbl", f"{name}.py:decide,random", deals=3, mirror=False).to_pydict() for name in ("mine", "plain"))
    assert plain.pop("strategy_0") == ["plain"] * 3
    assert compiled.pop("strategy_0") == ["mine"] * 3
    assert plain == compiled


SCRIBBLES = """
def scribble(view, turn_is_over):
    view.once = view.twice = view.jokers = view.n_hand = view.phase = view.turn = view.n_drawable = 7
    view.pile_top = view.take_legal = view.pending = view.seat = view.team = view.random = 1
    for i in range(2):
        view.table_points[i] = view.canastas[i] = view.n_melds[i] = view.taken[i] = view.standing[i] = 3
        for slot in range(36):
            view.tables[i, slot] = 77
    if turn_is_over:  # the rules are shown anew with every turn, everything else with every decision
        for i in range(65):
            view.rules.card_points[i] = 1000
        for i in range(9):
            view.rules.canasta_points[i] = 1000
        view.rules.melds_run_max = view.rules.canasta_min = view.rules.stock_max_turns = 3


"""


@pytest.mark.parametrize("decorator", ["strategy", "python_strategy"])
def test_writing_into_the_view_changes_nothing(write: Write, decorator: str) -> None:
    write_template("mine")
    text = Path("mine.py").read_text().replace("import Weight, strategy", f"import Weight, {decorator}")
    text = text.replace("@strategy", SCRIBBLES + f"@{decorator}").replace(
        "    return best\n", "    scribble(view, kind(best) == ACT_DISCARD)\n    return best\n"
    )
    Path("scribbler.py").write_text(text)
    deals = 100 if decorator == "strategy" else 3
    clean, scribbled = (
        b.simulate("stbl", f"{name}.py:decide,greedy", deals=deals, mirror=False).to_pydict() for name in ("mine", "scribbler")
    )
    scribbled["strategy_0"] = clean["strategy_0"]
    assert scribbled == clean


#: What a function returns, and the reason that the report gives.
ILLEGAL = {
    "12345": "this is no action",
    "-1": "this is no action",
    "-(2**62)": "this is no action",
    "DRAW_STOCK": "there is one draw a turn",
    "discard(JOKER)": "the hand does not hold the cards",
    "lay(5, 3)": "the team has no meld in this slot",
    "PASS": "a turn ends with a discard",
}


@pytest.mark.parametrize("action", ILLEGAL)
def test_an_illegal_action_is_reported_and_never_repaired(write: Write, action: str) -> None:
    mine = write(AFTER_TURN_9 + f"return {action}\n")
    with pytest.raises(RunError) as caught:
        b.simulate("stbl", f"{mine},random", deals=10, mirror=False, threads=1)
    report = str(caught.value)
    assert report.startswith("10 of 10 rows failed; the first: deal 0, table 0: illegal action: seat ")
    assert "(mine), turn 1" in report
    assert ILLEGAL[action] in report
    assert report.splitlines()[1].startswith("replay it: buraco replay --variant stbl --players mine.py:decide,random")


def test_the_reported_position_is_a_case_with_the_same_answer(write: Write) -> None:
    mine = write(AFTER_TURN_9 + "return discard(JOKER)\n")
    failure = b.replay("stbl", mine, deal=0).failure
    found = re.fullmatch(r"illegal action: seat \d \(mine\), turn \d+, action \d+: (\{.*?\}): (.*?); position (\{.*\})", failure)
    assert found
    case = {"id": "x", "rules": "stbl", "ask": "legal", "position": json.loads(found[3]), "action": json.loads(found[1])}
    assert judge(case) == {"id": "x", "legal": False, "reason": found[2]}


def test_the_replay_line_shows_the_deal_up_to_the_failure(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    mine = write(AFTER_TURN_9 + "return 12345\n")
    with pytest.raises(RunError) as caught:
        b.simulate("stbl", f"{mine},random", deals=1, mirror=False, threads=1)
    line = str(caught.value).splitlines()[1].removeprefix("replay it: buraco ")
    assert main(shlex.split(line)) == 1
    done = capsys.readouterr()
    assert "  9  seat" in done.out
    assert "this is no action" in done.err


#: Errors of a user's code while it plays, and what the report says of them; the line is that of the user's file.
RAISED = {
    "return actions[5000 + view.turn]": "line 14: IndexError",
    "return 7 // int(view.turn - view.turn)": "line 14: ZeroDivisionError",
    "view.tables[1, 36 + view.turn] = 3\n    return 0": "line 14: IndexError",
    "raise ValueError('no idea')": "line 14: ValueError: no idea",
}


@pytest.mark.parametrize("decorator", ["strategy", "python_strategy"])
@pytest.mark.parametrize("code", RAISED)
def test_an_error_of_the_code_is_reported_with_its_line(write: Write, code: str, decorator: str) -> None:
    mine = write(AFTER_TURN_9.replace("@strategy", f"@{decorator}") + code + "\n")
    with pytest.raises(RunError) as caught:
        b.simulate("stbl", f"{mine},random", deals=4, mirror=False, threads=1)
    report = str(caught.value)
    assert report.startswith("4 of 4 rows failed; the first: deal 0, table 0: error in a strategy: seat ")
    assert f"(mine): mine.py: {RAISED[code]}" in report
    assert '"hand"' in report


def test_plain_python_may_not_return_a_fraction(write: Write) -> None:
    mine = write("@python_strategy\ndef decide(view, weights, scratch):\n    return 0.0\n")
    with pytest.raises(RunError, match=r"decide returned 0\.0, expected an action"):
        b.simulate("stbl", mine, deals=1)


def test_deals_before_and_after_an_error_are_played(write: Write) -> None:
    from buraco_sim.engine import seatings

    mine = write(
        FIRST.replace("    actions =", "    if view.turn > 40 and view.random % 64 == 0:\n        raise ValueError\n    actions =")
    )
    (seating,) = seatings(make_job("stbl", mine, deals=1))
    columns, status = seating.play(0, 60)
    failed = status[:, 0] != 0
    assert 0 < failed.sum() < 60
    for deal in np.flatnonzero(~failed):
        assert np.array_equal(seating.play(int(deal), int(deal) + 1)[0][0], columns[deal])


# ---- runs


def test_a_run_keeps_the_source_and_repeats_from_it(write: Write, tmp_path: Path) -> None:
    write_template("mine")
    job = make_job("stbl", "mine.py:decide,random", deals=20)
    run_job(job, tmp_path / "run", threads=1)
    assert (tmp_path / "run" / "strategies" / "mine.py").read_bytes() == Path("mine.py").read_bytes()
    part = next((tmp_path / "run").rglob("*.parquet"))
    footer = json.loads(pq.read_metadata(part).metadata[b"buraco_sim"])
    assert footer["strategies"]["mine"]["sha256"] == job.seats[0].sha256
    Path("mine.py").unlink()
    assert main(["verify", "run", "--sample", "3"]) == 0
    assert main(["simulate", "--config", "run/run.toml", "--out", "again", "--quiet"]) == 0
    assert next((tmp_path / "again").rglob("*.parquet")).read_bytes() == part.read_bytes()


def test_a_replay_refuses_another_source(write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_template("mine")
    run_job(make_job("stbl", "mine.py:decide", deals=2), tmp_path / "run", threads=1)
    kept = tmp_path / "run" / "strategies" / "mine.py"
    kept.write_text(kept.read_text().replace("10.0", "11.0"))
    assert main(["replay", "run", "--deal", "0"]) == 2
    assert "another source than the run was played with" in capsys.readouterr().err
    kept.unlink()
    assert main(["replay", "run", "--deal", "0"]) == 2
    assert "the source is missing" in capsys.readouterr().err
    assert Run.open("run").table().num_rows == 2  # rows can be read without it


def test_going_on_with_an_edited_file_is_refused(write: Write, tmp_path: Path) -> None:
    write_template("mine")
    run_job(make_job("stbl", "mine.py:decide", deals=2), tmp_path / "run", threads=1)
    Path("mine.py").write_text(Path("mine.py").read_text() + "\n# edited\n")
    with pytest.raises(RunError, match="another strategies"):
        run_job(make_job("stbl", "mine.py:decide", deals=2), tmp_path / "run", threads=1, resume=True)
