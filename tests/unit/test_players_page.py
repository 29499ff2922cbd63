"""docs/players.md says of the restrictions what their declarations say, and names every player."""

from __future__ import annotations

from pathlib import Path

from buraco_sim.policies import POLICIES
from buraco_sim.restrictions import RESTRICTIONS
from buraco_sim.strategies import strategy_names

PAGE = (Path(__file__).parents[2] / "docs" / "players.md").read_text()
TUNING = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text()


def test_every_restriction_is_on_the_page_with_its_meaning() -> None:
    for one in RESTRICTIONS.values():
        values = "switch" if one.is_switch else f"{one.low} to {one.high} {one.unit}"
        assert f"| `{one.name}` | {values} | {one.meaning} |" in PAGE


def test_every_player_is_on_the_page() -> None:
    assert [name for name in strategy_names() if name in POLICIES and f"| `{name}` |" not in PAGE] == []


def test_every_champion_is_on_the_page_about_tuning() -> None:
    champions = [name.removeprefix("steady-") for name in strategy_names() if name not in POLICIES]
    assert len(champions) == 15
    assert [variant for variant in champions if f"| `{variant}` |" not in TUNING] == []
