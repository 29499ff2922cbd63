"""The pages as people open them: from disk, in a browser, narrow and wide, light and dark, with keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_core_python
import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import buraco_sim as b
from buraco_sim.balance.study import study_runs
from buraco_sim.report.page import write_report
from buraco_sim.report.replay_page import replay_html
from buraco_sim.report.sweep_page import sweep_html
from buraco_sim.report.tune_page import tune_html
from buraco_sim.results.reader import Run
from buraco_sim.sweep import make_design, play_design

MOST_BYTES = 3_000_000
AXE = Path(axe_core_python.__file__).parent / "axe.min.js"
PAGES = ("report", "replay", "sweep", "tune")


@pytest.fixture(scope="module")
def pages(study_run: Run, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """All kinds of pages."""
    folder = tmp_path_factory.mktemp("pages")
    paths = {name: folder / f"{name}.html" for name in PAGES}
    write_report(study_runs([study_run], sample=4), paths["report"])
    deals = [b.replay("stbl", "greedy", deal=3), b.replay("buraco-classico", "greedy,random", deal=5)]
    paths["replay"].write_text(replay_html(deals, command=["buraco", "replay"]), encoding="utf-8")
    design = make_design("stbl", ["pile.take=free,use_top", "go_out.canasta=any,clean"])
    paths["sweep"].write_text(sweep_html(play_design(design, "greedy", folder / "sweep", deals=60)), encoding="utf-8")
    found = b.tune("steady", "stbl", panel=["random"], weights=["keep_near", "danger"], budget_deals=1, budget=200)
    paths["tune"].write_text(tune_html(found), encoding="utf-8")
    return paths


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_small(pages: dict[str, Path], name: str) -> None:
    assert pages[name].stat().st_size <= MOST_BYTES


@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_offline_without_errors_and_without_sideways_scrolling(
    browser: Any, pages: dict[str, Path], name: str, width: int
) -> None:
    browser.open(pages[name], width)
    assert browser.console() == []
    assert browser.requests() == []
    assert browser.ask("return document.documentElement.scrollWidth") <= width
    wider = "return [...document.querySelectorAll('main *')].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length"
    assert browser.ask(wider) == 0


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [360, 1440])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious(browser: Any, pages: dict[str, Path], name: str, width: int, dark: bool) -> None:
    browser.open(pages[name], width, dark=dark)
    browser.ask(AXE.read_text())
    browser.driver.set_script_timeout(60)
    found = browser.driver.execute_async_script("const done = arguments[0]; axe.run({resultTypes: ['violations']}).then(done)")
    assert found["testEngine"]["name"] == "axe-core"
    serious = [
        (one["id"], one["help"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []


def test_the_charts_are_drawn_and_have_names(browser: Any, pages: dict[str, Path]) -> None:
    browser.open(pages["report"], 1440)
    shown = "[svg.getBoundingClientRect().height, svg.querySelectorAll('path').length, svg.ariaLabel]"
    charts = browser.ask(f"return [...document.querySelectorAll('figure svg')].map((svg) => {shown})")
    assert len(charts) >= 17
    for height, paths, name in charts:
        assert height > 60
        assert paths > 5
        assert name


def test_a_chart_follows_light_and_dark(browser: Any, pages: dict[str, Path]) -> None:
    script = "return getComputedStyle(document.querySelector('figure svg text')).fill"
    colours = []
    for dark in (False, True):
        browser.open(pages["report"], 1440, dark=dark)
        colours.append(browser.ask(script))
    assert colours[0] != colours[1]


# ---- the replay


def state(browser: Any) -> tuple[int, int, str]:
    """Step, position of the slider, what happened."""
    at, slider, text = browser.ask(
        "const r = document.querySelector('.replay').replay; return [r.at, Number(r.slider.value), r.happened.textContent]"
    )
    return at, slider, text


@pytest.fixture
def replay(browser: Any, pages: dict[str, Path]) -> Any:
    browser.open(pages["replay"], 1440)
    return browser


def test_keys_step_through_the_deal(replay: Any) -> None:
    last = replay.ask("return document.querySelector('.replay').replay.deal.frames.length - 1")
    body = replay.driver.find_element(By.TAG_NAME, "body")
    for key, expected in ((Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2), (Keys.ARROW_LEFT, 1), (Keys.END, last), (Keys.HOME, 0)):
        body.send_keys(key)
        assert state(replay)[:2] == (expected, expected)
    body.send_keys(Keys.ARROW_DOWN)
    body.send_keys(Keys.ARROW_DOWN)
    assert replay.ask("const r = document.querySelector('.replay').replay; return r.deal.frames[r.at].turn") == 2


def test_the_slider_moves_by_mouse_and_by_keys(replay: Any) -> None:
    slider = replay.driver.find_element(By.CSS_SELECTOR, ".replay .slider")
    slider.click()  # the middle
    at, position, _ = state(replay)
    assert at == position > 20
    slider.send_keys(Keys.ARROW_RIGHT)
    assert state(replay)[:2] == (at + 1, at + 1)


def test_play_and_pause(replay: Any) -> None:
    button = replay.driver.find_element(By.CSS_SELECTOR, ".replay .play")
    button.click()
    assert button.get_attribute("aria-label") == "pause"
    replay.driver.set_script_timeout(10)
    replay.driver.execute_async_script("setTimeout(arguments[0], 2200)")
    assert state(replay)[0] >= 1
    button.click()
    at = state(replay)[0]
    replay.driver.execute_async_script("setTimeout(arguments[0], 1200)")
    assert state(replay)[0] == at


def test_every_step_shows_all_cards_of_the_deck(replay: Any) -> None:
    """Cards on the table, in hands, mortos and pile, and the stock's number: 108 at every step."""
    script = """
    const r = document.querySelector('.replay').replay; const sums = new Set();
    for (let i = 0; i < r.deal.frames.length; i += 1) {
      r.go(i);
      const state = Object.assign({}, ...r.deal.frames.slice(0, i + 1));
      sums.add(document.querySelectorAll('.replay .c:not(.back)').length + state.stock);
    }
    return [...sums]"""
    assert replay.ask(script) == [108]


def test_what_moved_and_what_is_wild_is_marked(replay: Any) -> None:
    script = """
    const r = document.querySelector('.replay').replay; let fresh = 0, wild = 0;
    for (let i = 1; i < r.deal.frames.length; i += 1) {
      r.go(i);
      fresh += document.querySelectorAll('.replay .c.new').length > 0;
      wild = Math.max(wild, document.querySelectorAll('.replay .meld .c.wild[aria-label$="wild"]').length);
    }
    return [fresh / (r.deal.frames.length - 1), wild]"""
    share, wild = replay.ask(script)
    assert share > 0.9
    assert wild >= 1


def test_a_seat_sees_its_own_hand_only(replay: Any) -> None:
    replay.ask("const r = document.querySelector('.replay').replay; r.view.value = '1'; r.go(1); r.draw()")
    assert replay.ask("return document.querySelectorAll('.replay .seat .c.back').length") == 34
    open_cards = replay.ask("return document.querySelectorAll('.replay .seat .c:not(.back)').length")
    assert open_cards == 11
    assert "from the stock" in state(replay)[2]
    assert not any(suit in state(replay)[2] for suit in "♠♥♦♣")


def test_another_deal_of_the_page_can_be_chosen(replay: Any) -> None:
    replay.ask("const r = document.querySelector('.replay').replay; r.which.value = 1; r.which.dispatchEvent(new Event('change'))")
    assert replay.ask("return document.querySelector('.replay').replay.deal.variant") == "buraco-classico"


def test_the_replay_of_a_report_has_keys_only_where_it_has_the_focus(browser: Any, pages: dict[str, Path]) -> None:
    browser.open(pages["report"], 1440)
    browser.driver.find_element(By.TAG_NAME, "body").send_keys(Keys.ARROW_RIGHT)
    assert state(browser)[0] == 0
    browser.ask("document.querySelector('.replay').focus()")
    browser.press(Keys.ARROW_RIGHT)
    assert state(browser)[0] == 1
