"""Where the shipped data is found."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from buraco_sim import data_files
from buraco_sim.data_files import data_folder, data_names, find_file


def test_a_checkout_has_its_data_beside_the_sources(root: Path) -> None:
    assert data_folder("variants") == root / "data" / "variants"


def test_an_installed_package_has_its_data_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data/variants").mkdir(parents=True)
    (tmp_path / "data/variants/house.toml").touch()
    (tmp_path / "data/variants/notes.txt").touch()
    monkeypatch.setattr(data_files.resources, "files", lambda _: tmp_path)
    assert data_names("variants") == ["house"]
    assert find_file("variants", "house") == tmp_path / "data/variants/house.toml"


def test_the_wheel_packs_the_data_where_it_is_looked_for(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"] == {"data": "buraco_sim/data"}


def test_the_test_environment_is_pinned_and_names_no_registry(root: Path) -> None:
    lines = [line for line in (root / "requirements-test.txt").read_text().splitlines() if not line.startswith("#")]
    assert lines
    assert all("==" in line and "/" not in line and not line.startswith("-") for line in lines)


@pytest.mark.parametrize(("text", "path"), [("house.toml", "house.toml"), ("./house", "house"), ("a/b.toml", "a/b.toml")])
def test_a_text_with_a_separator_or_an_ending_is_a_path(text: str, path: str) -> None:
    assert find_file("variants", text) == Path(path)
