"""Jobs: who sits where, which deals are in which part."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from buraco_sim.errors import InputError
from buraco_sim.job import DEFAULT_SEED, Job, make_job, seat_players
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy


def named(name: str, policy: str = "greedy") -> Strategy:
    """A strategy with a name of its own."""
    return replace(Strategy.load(policy), name=name, path="")


def seated(*names: str) -> list[Strategy]:
    """One strategy a name, each name the same one."""
    return [named(name) for name in names]


@pytest.mark.parametrize(
    ("players", "n_seats", "seats"),
    [
        ("greedy", 4, ["greedy"] * 4),
        ("greedy", 2, ["greedy"] * 2),
        ("greedy,random", 4, ["greedy", "random"] * 2),
        ("greedy, random", 2, ["greedy", "random"]),
        ("random,random,greedy,random", 4, ["random", "random", "greedy", "random"]),
    ],
)
def test_players_are_one_for_everybody_one_a_team_or_one_a_seat(players: str, n_seats: int, seats: list[str]) -> None:
    assert [one.name for one in seat_players(players, n_seats)] == seats


@pytest.mark.parametrize("players", ["greedy,greedy,greedy", "greedy," * 4 + "greedy"])
def test_another_number_of_players_is_refused(players: str) -> None:
    with pytest.raises(InputError, match="one for everybody"):
        seat_players(players, 4)


def test_two_different_strategies_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="both|two different strategies are called 'greedy'"):
        make_job("stbl", [Strategy.load("greedy"), named("greedy", "random")])


def test_mirroring_is_the_default_exactly_when_the_teams_differ() -> None:
    assert not make_job("stbl", "greedy").mirror
    assert make_job("stbl", "greedy,random").mirror
    assert not make_job("stbl", seated("a", "a", "c", "c")).mirror
    assert make_job("stbl", seated("a", "b", "b", "a")).mirror
    assert make_job("stbl", "greedy", mirror=True).mirror


def test_the_second_table_has_the_teams_exchanged() -> None:
    job = make_job("stbl", seated("a", "b", "c", "d"))
    assert [one.name for one in job.seats_at(0)] == ["a", "b", "c", "d"]
    assert [one.name for one in job.seats_at(1)] == ["b", "a", "d", "c"]
    assert [job.team_name(team, table) for table in (0, 1) for team in (0, 1)] == ["a+c", "b+d", "b+d", "a+c"]
    assert job.folder.as_posix() == "deals/stbl/a+c-vs-b+d"


def test_parts_are_fixed_ranges_of_deals() -> None:
    def ranges(first: int, deals: int) -> list[tuple[int, int, int]]:
        return [tuple(part) for part in make_job("stbl", first_deal=first, deals=deals, part_deals=10).parts()]  # type: ignore[misc]

    assert ranges(0, 25) == [(0, 0, 10), (1, 10, 20), (2, 20, 25)]
    assert ranges(7, 5) == [(0, 7, 10), (1, 10, 12)]
    assert ranges(10, 10) == [(1, 10, 20)]


def test_the_starter_goes_round_the_seats() -> None:
    assert [make_job("stbl").starter(deal) for deal in range(6)] == [0, 1, 2, 3, 0, 1]
    assert [make_job("burraco-a-due").starter(deal) for deal in range(3)] == [0, 1, 0]


def test_the_hash_knows_everything_that_decides_a_row_and_nothing_else() -> None:
    job = make_job("stbl", "greedy,random", deals=10)
    others = [
        replace(job, rules=job.rules.with_(go_out_canasta="any")),
        make_job("stbl", "random,greedy", deals=10),
        make_job("stbl", "greedy,random", deals=10, mirror=False),
        replace(job, seed=job.seed + 1),
        replace(job, part_deals=7),
    ]
    assert len({one.config_hash() for one in [job, *others]}) == 1 + len(others)
    assert replace(job, deals=99, first_deal=5).config_hash() == job.config_hash()


@pytest.mark.parametrize(
    "change", [{"deals": 0}, {"seed": -1}, {"seed": 2**64}, {"first_deal": -1}, {"part_deals": 0}, {"deals": 2**48 + 1}]
)
def test_numbers_out_of_range_are_refused_by_name(change: dict[str, int]) -> None:
    with pytest.raises(InputError, match=next(iter(change))):
        make_job("stbl", "greedy", **change)  # type: ignore[arg-type]


def options_of(job: Job) -> dict[str, list[str]]:
    """The options of the line that replays a deal."""
    words = shlex.split(job.replay_command(5, 1))
    assert words[:2] == ["buraco", "replay"]
    options: dict[str, list[str]] = {}
    for flag, value in zip(words[2::2], words[3::2], strict=True):
        options.setdefault(flag, []).append(value)
    return options


def test_the_line_that_replays_a_deal_names_all_that_it_needs(tmp_path: Path) -> None:
    options = options_of(make_job("stbl", "greedy,random"))
    assert options == {
        "--variant": ["stbl"],
        "--players": ["greedy,random,greedy,random"],
        "--seed": [str(DEFAULT_SEED)],
        "--deal": ["5"],
        "--table": ["1"],
    }


def test_the_line_that_replays_a_deal_has_the_changed_rules() -> None:
    rules = Ruleset.load("stbl").with_(go_out_canasta="any", table_mortos=(9, 9))
    own = replace(rules, name="house")
    for changed in (rules, own):
        options = options_of(make_job(changed, "greedy"))
        assert Ruleset.load(options["--variant"][0]).override_text(options["--set"]).to_dict() == rules.to_dict()
