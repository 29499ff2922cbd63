"""A headless Chromium for the pages; where there is none the tests say so and are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from buraco_sim.balance.campaign import play_jobs
from buraco_sim.balance.study import DUELS
from buraco_sim.job import make_job
from buraco_sim.results.reader import Run

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def study_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three variants and a ladder of players, as `buraco balance` leaves them."""
    root = tmp_path_factory.mktemp("study") / "run"
    variants = ("stbl", "burraco-fibur", "burraco-duel")
    run = play_jobs([make_job(variant, "greedy", deals=300) for variant in variants], root)
    play_jobs([make_job(variant, "greedy,random", deals=40) for variant in variants], root / DUELS)
    return run


class Browser:
    """A page in Chromium, and what it asked for.

    Parameters
    ----------
    driver : selenium.webdriver.Chrome
    """

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, width: int, *, dark: bool = False) -> None:
        """Open a file in a window of this width."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        self.driver.get_log("browser")
        self.driver.get(path.as_uri())

    def ask(self, script: str, *arguments: Any) -> Any:
        """The value of a script."""
        return self.driver.execute_script(script, *arguments)

    def console(self) -> list[str]:
        """What the console holds: errors and warnings."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Everything that the page loaded besides itself."""
        return list(self.ask("return performance.getEntriesByType('resource').map((entry) => entry.name)"))

    def press(self, *keys: str) -> None:
        """Press keys on what has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    chromedriver = shutil.which("chromedriver")
    if chromium is None or chromedriver is None:
        pytest.skip("needs Chromium and its driver: apt-get install chromium chromium-driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(chromedriver))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
