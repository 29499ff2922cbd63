"""What stands in the pages, without a browser: names are escaped, figures and how to repeat them are there."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import buraco_sim as b
from buraco_sim.balance.campaign import play_jobs
from buraco_sim.balance.study import study_runs
from buraco_sim.errors import InputError
from buraco_sim.job import make_job
from buraco_sim.report.frames import deal_frames, pretty
from buraco_sim.report.page import report_html
from buraco_sim.report.replay_page import replay_html
from buraco_sim.report.verdict import verdict
from buraco_sim.results.reader import Run

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def page(study_run: Run) -> str:
    return report_html(study_runs([study_run], sample=2))


def test_the_page_says_how_to_repeat_it(page: str, study_run: Run) -> None:
    assert f"seed {study_run.manifest.seed}" in page
    assert study_run.manifest.signature in page
    assert f"buraco-sim {b.__version__}" in page


def test_the_page_asks_for_nothing(page: str) -> None:
    without_namespaces = page.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    assert "http" not in without_namespaces
    assert not re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=(?!\"data:,\")", page)


def test_every_variant_has_a_verdict_with_numbers(study_run: Run) -> None:
    found = verdict(study_runs([study_run], sample=0))
    assert [label for label, _ in found] == ["", "stbl", "burraco-fibur", "burraco-duel"]
    for _, sentences in found[1:]:
        assert len(sentences) >= 5
        assert all(re.search(r"\d", sentence) for sentence in sentences[:5])


def test_the_figures_of_the_page_are_those_of_the_table(page: str, study_run: Run) -> None:
    table = study_runs([study_run], sample=0).table
    for name in ("turns_p50", "score", "starter_wins"):
        for figure in table.figures[name]:
            assert figure.value is not None
    text = html.unescape(re.sub(r"<[^>]+>", " ", page))
    assert f"{table.figures['score'][0].value:,.1f}" in text
    assert f"{100 * (table.figures['starter_wins'][1].value or 0):.2f} %" in text


def test_titles_from_files_are_escaped(tmp_path: Path) -> None:
    rules = replace(b.Ruleset.load("stbl"), name="evil", title=EVIL)
    study = study_runs([play_jobs([make_job(rules, "greedy", deals=20)], tmp_path / "run")], sample=0)
    study.table.series[0] = replace(study.table.series[0], job=replace(study.table.series[0].job, rules=rules), label=EVIL)
    page = report_html(study)
    assert EVIL not in page
    assert "<img" not in page
    assert "alert(1)" in page
    assert page.count("</script>") == 2  # the deals and our own


def test_names_in_a_replay_are_escaped() -> None:
    deal = b.replay("stbl", "greedy", deal=3)
    deal.header["seats"] = [EVIL] * 4
    page = replay_html([deal])
    assert EVIL not in page
    assert page.count("</script>") == 2
    data = re.search(r'<script type="application/json" id="deals">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])[0]["seats"] == [EVIL] * 4


@pytest.mark.parametrize("variant", ["stbl", "buraco-classico", "tre-mortos", "burraco-duel"])
def test_the_frames_of_a_deal_keep_all_cards_and_end_with_its_score(variant: str) -> None:
    deal = b.replay(variant, "greedy", deal=11)
    shown = deal_frames(deal.header, deal.events)
    state: dict[str, Any] = {}
    decks = set()
    for frame in shown["frames"]:
        state |= frame
        melds = " ".join(text for table in state["tables"] for text, _ in table).replace("*", "")
        cards = Counter(" ".join([*state["hands"], *state["mortos"], state["pile"], melds]).split())
        decks.add(cards.total() + state["stock"])
        assert max(cards.values()) <= 2 or max(cards, key=lambda card: cards[card]) == "JK"
    assert len(decks) == 1
    assert state["score"] == [deal.row["score_0"], deal.row["score_1"]]
    assert shown["frames"][-1]["turn"] == deal.row["turns"]


def test_what_others_are_told_names_no_hidden_card() -> None:
    deal = b.replay("stbl", "greedy", deal=11)
    for frame in deal_frames(deal.header, deal.events)["frames"]:
        if frame["text"].startswith("Draws "):
            assert frame["hidden"] == "Draws from the stock"


def test_cards_are_written_as_people_write_them() -> None:
    assert pretty("Th 2c* JK* As") == "10♥ 2♣★ joker★ A♠"


def test_a_trace_that_breaks_the_rules_is_not_shown() -> None:
    deal = b.replay("stbl", "greedy", deal=3)
    deal.events[0]["cards"] = "JK JK JK"
    with pytest.raises(InputError):
        replay_html([deal])
