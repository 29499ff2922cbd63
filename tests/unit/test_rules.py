"""Rulesets: presets, values, combinations, overrides, files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bad_input import BadFile
from bad_input.rulesets import CONTRADICTIONS, malformed_rulesets
from buraco_sim import layout
from buraco_sim.cards import JOKER, parse_card
from buraco_sim.errors import ExitCode, InputError
from buraco_sim.rules import KEYS, TABLES, Ruleset, variant_names
from buraco_sim.rules.checks import CHECKS
from buraco_sim.rules.domains import Choice, Flag, Number, Numbers, Ranks
from buraco_sim.rules.packing import OUTSIDE
from buraco_sim.rules.reference import variants_page

PRESETS = [
    "buraco-aberto",
    "buraco-aberto-sujo",
    "buraco-brasiliano",
    "buraco-classico",
    "buraco-classico-50",
    "buraco-classico-due",
    "buraco-italiano",
    "burako",
    "burraco-a-due",
    "burraco-duel",
    "burraco-fibur",
    "burraco-fitab",
    "burraco-internazionale",
    "burraco-reale",
    "cardgames-zone",
    "cardgames-zone-groups",
    "fechado",
    "fechado-sujo",
    "stbl",
    "tre-mortos",
]

#: What the rules mark as assumed, by preset.
MARKED = {
    "burraco-internazionale": ["deck.jokers"],
    "burraco-duel": ["deck.jokers", "match.target", "go_out.morto_gone", "melds.natural_two"],
    "cardgames-zone": [
        *("melds.run_max", "melds.wild_moves", "go_out.final_discard", "go_out.wild_discard"),
        *(key for key in KEYS if key.startswith("values.")),
    ],
    "cardgames-zone-groups": ["melds.set_canasta", "melds.run_max"],
    "stbl": ["table.upcard", "go_out.wild_discard"],
    "buraco-aberto": ["match.target", "table.upcard"],
    "buraco-aberto-sujo": ["go_out.final_discard", "values.two", "values.joker", "melds.run_aces", "canasta.royal", "canasta.ace_to_ace"],
    "fechado-sujo": ["melds.sets", "table.upcard"],
    "buraco-classico": ["go_out.final_discard", "go_out.wild_discard", "stock.exhausted"],
    "buraco-brasiliano": ["melds.run_wild_min", "melds.wild_low"],
    "fechado": ["pile.visible"],
    "tre-mortos": ["morto.per_team", "go_out.morto_gone"],
}


def value_strategy(key: str) -> st.SearchStrategy[object]:
    """Values that the key may have, as TOML has them."""
    match KEYS[key].domain:
        case Flag():
            return st.booleans()
        case Choice(values):
            return st.sampled_from(values)
        case Number(low, high, step):
            return st.integers(-(-low // step), high // step).map(lambda number: number * step)
        case Numbers(increasing=True):
            return st.lists(st.integers(0, 20_000), min_size=10, max_size=10, unique=True).map(lambda list_: sorted(5 * n for n in list_))
        case Numbers(least, most, each):
            return st.lists(st.integers(each.low, each.high), min_size=least, max_size=most)
        case Ranks():
            return st.sampled_from(["none", "all", ["A", "3"], ["K"]])
    raise AssertionError(key)


# ---- presets


def test_the_presets_are_those_of_the_rules() -> None:
    assert variant_names() == PRESETS


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_has_its_name_its_page_and_a_summary(name: str) -> None:
    rules = Ruleset.load(name)
    assert rules.name == name
    assert rules.title
    assert rules.source
    assert rules.summary


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("seats", [2, 4])
def test_every_preset_plays_with_two_and_with_four_seats(name: str, seats: int) -> None:
    assert Ruleset.load(name).with_(table_seats=seats).table.seats == seats


@pytest.mark.parametrize("name", PRESETS)
def test_assumed_names_each_key_once(name: str) -> None:
    assumed = Ruleset.load(name).assumed
    assert list(assumed) == [key for key in KEYS if key in assumed]


@pytest.mark.parametrize(("name", "keys"), MARKED.items())
def test_what_the_rules_mark_as_assumed_is_listed(name: str, keys: list[str]) -> None:
    assert set(keys) <= set(Ruleset.load(name).assumed)


def test_no_page_states_the_safety_cap() -> None:
    assert all("stock.max_turns" in Ruleset.load(name).assumed for name in PRESETS)


def test_the_base_is_the_defaults_and_says_every_key(root: Path) -> None:
    text = (root / "data/variants/burraco-fibur.toml").read_text()
    assert Ruleset.load("burraco-fibur").diff(Ruleset()) == []
    assert all(f"\n{key.partition('.')[2]} = " in text for key in KEYS)


def test_some_values_as_the_pages_have_them() -> None:
    stbl, classico = Ruleset.load("stbl"), Ruleset.load("buraco-classico")
    assert (stbl.melds.sets, stbl.canasta.royal, stbl.canasta.ace_to_ace, stbl.values.joker) == ("none", 500, 1000, 20)
    assert (stbl.pile.visible, stbl.pile.take, stbl.go_out.canasta, stbl.morto.unused) == ("top", "use_top", "clean", "penalty_and_cards")
    assert (classico.melds.run_max, classico.melds.wild_replaced, classico.morto.after_discard) == (13, "to_hand", "same_turn")
    assert Ruleset.load("burraco-internazionale").melds.sets == ("A", "3")
    assert Ruleset.load("tre-mortos").table.mortos == (11, 11, 11)
    assert Ruleset.load("burako").values.joker == 50


def test_the_page_of_variants_is_current(root: Path) -> None:
    assert (root / "docs/variants.md").read_text(encoding="utf-8") == variants_page(), "run `make docs`"


# ---- declarations


def test_every_key_has_a_meaning_and_a_default_that_it_may_have() -> None:
    for key in KEYS.values():
        assert key.meaning
        assert key.domain.read(list(key.default) if isinstance(key.default, tuple) else key.default) == key.default


def test_choices_are_those_of_the_binary_contract() -> None:
    """The kernel reads the index of a value: the order in both declarations must be the same."""
    words = {name: key.choices for name, key in KEYS.items() if key.choices and all(isinstance(v, str) for v in key.choices)}
    assert words == layout.CHOICES


# ---- values and combinations


@given(st.data())
def test_every_value_in_range_is_kept(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(list(KEYS)))
    value = data.draw(value_strategy(key))
    try:
        rules = Ruleset().override({key: value})
    except InputError as error:  # a contradiction with the other rules, which is not what is asked here
        assert not str(error).startswith(f"variant burraco-fibur: {key} = {value!r}; expected {KEYS[key].domain.expected}")  # noqa: PT017
    else:
        assert rules.to_dict()[key.partition(".")[0]][key.partition(".")[2]] == value


@pytest.mark.parametrize(("values", "blamed"), CONTRADICTIONS)
def test_combinations_that_cannot_be_played_are_refused(values: dict[str, object], blamed: str) -> None:
    with pytest.raises(InputError, match=f"^variant burraco-fibur: {blamed} = .*; expected ") as caught:
        Ruleset().override(values)
    assert caught.value.exit_code == ExitCode.USAGE


def test_every_check_refuses_something() -> None:
    """Each check is the one that stops one of the contradictions."""
    stopped = set()
    for values, _ in CONTRADICTIONS:
        for check in CHECKS:
            others = tuple(other for other in CHECKS if other is not check)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("buraco_sim.rules.ruleset.CHECKS", others)
                try:
                    Ruleset().override(values)
                except InputError:
                    continue
                stopped.add(check)
    assert stopped == set(CHECKS)


@pytest.mark.parametrize(
    "values",
    [
        {"melds.sets": "none", "melds.set_of_twos": True},
        {"table.mortos": [], "go_out.morto_gone": "allowed", "morto.untaken": 0},
        {"table.mortos": [], "go_out.morto_gone": "allowed", "morto.untaken": 0, "morto.per_team": "any"},
        {"melds.run_aces": 2, "canasta.ace_to_ace": 1000},
        {"table.mortos": [31, 30], "stock.dead": 0},
        {"table.mortos": [26, 25], "table.upcard_wild": "reshuffle"},
        {"table.mortos": [26, 26], "table.upcard_wild": "reshuffle", "table.upcard": False},
        {"table.hand": 1},
        {"match.kind": "target", "go_out.bonus": 0},
    ],
)
def test_combinations_at_the_edge_are_played(values: dict[str, object]) -> None:
    assert Ruleset().override(values).diff(Ruleset())


@pytest.mark.parametrize("bad", malformed_rulesets(), ids=lambda bad: bad.label)
def test_malformed_rulesets_get_one_clear_line(bad: BadFile, tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_bytes(bad.content)
    with pytest.raises(InputError) as caught:
        Ruleset.load(file)
    line = str(caught.value)
    assert line.startswith(f"{file}: ")
    assert "\n" not in line
    assert all(words in line for words in bad.mentions), line
    assert caught.value.exit_code == ExitCode.USAGE


# ---- overrides


def test_an_override_changes_only_what_it_names() -> None:
    stbl = Ruleset.load("stbl")
    changed = stbl.override({"go_out.canasta": "any", "table.mortos": [11, 12]})
    assert changed.diff(stbl) == [("table.mortos", (11, 12), (11, 11)), ("go_out.canasta", "any", "clean")]
    assert stbl.go_out.canasta == "clean"


def test_what_the_user_sets_is_no_longer_assumed() -> None:
    stbl = Ruleset.load("stbl")
    assert set(stbl.assumed) - set(stbl.with_(table_upcard=True).assumed) == {"table.upcard"}


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("go_out.canasta=any", "go_out.canasta", "any"),
        ('go_out.canasta="any"', "go_out.canasta", "any"),
        (" table.seats = 2 ", "table.seats", 2),
        ("table.upcard=true", "table.upcard", True),
        ("table.mortos=[11, 11, 11]", "table.mortos", (11, 11, 11)),
        ('melds.sets=["3", "A"]', "melds.sets", ("A", "3")),
        ("melds.sets=all", "melds.sets", "all"),
        ("morto.per_team=any", "morto.per_team", "any"),
        ("morto.untaken=-50", "morto.untaken", -50),
    ],
)
def test_a_setting_is_a_key_and_a_toml_value_or_a_word(setting: str, key: str, value: object) -> None:
    assert Ruleset.load("stbl").override_text([setting]).value(key) == value


@pytest.mark.parametrize(
    ("setting", "mentions"),
    [
        ("go_out.canasta", "expected table.key=value"),
        ("", "expected table.key=value"),
        ("=any", "unknown key ''"),
        ("go_out.canasta=", "go_out.canasta = ''"),
        ("go_out.canasta=cleen", "did you mean 'clean'?"),
        ("go_out.cannasta=any", "did you mean 'go_out.canasta'?"),
        ("canasta=any", "unknown key 'canasta'"),
        ("table.seats=two", "table.seats = 'two'; expected 2 or 4"),
        ("table.seats=2\nx=1", "table.seats = "),
        ("table.mortos=11,11", "table.mortos = '11,11'; expected a list of 0 to 3"),
        ("table.mortos=" + "[" * 9000, "table.mortos = "),
    ],
)
def test_a_wrong_setting_gets_one_clear_line(setting: str, mentions: str) -> None:
    with pytest.raises(InputError) as caught:
        Ruleset.load("stbl").override_text([setting])
    assert mentions in str(caught.value)
    assert "\n" not in str(caught.value)


# ---- files and dictionaries


def test_a_file_gives_what_differs_from_its_base(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('base = "stbl"\n[go_out]\ncanasta = "any"\n')
    rules = Ruleset.load(str(file))
    assert rules.diff(Ruleset.load("stbl")) == [("go_out.canasta", "any", "clean")]
    assert (rules.name, rules.title, rules.source, rules.assumed) == ("house", "house", "", ())


def test_a_base_may_be_a_file_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/first.toml").write_text('base = "stbl"\n[table]\nseats = 2\n')
    (tmp_path / "second.toml").write_text('base = "deep/first.toml"\nname = "second-of-all"\n[go_out]\ncanasta = "any"\n')
    rules = Ruleset.load(tmp_path / "second.toml")
    assert (rules.name, rules.table.seats, rules.go_out.canasta, rules.melds.run_aces) == ("second-of-all", 2, "any", 2)


def test_an_error_in_the_base_names_the_base(tmp_path: Path) -> None:
    (tmp_path / "first.toml").write_text("[table]\nseats = 3\n")
    (tmp_path / "second.toml").write_text('base = "first.toml"\n')
    with pytest.raises(InputError, match=r"first\.toml: table\.seats = 3"):
        Ruleset.load(tmp_path / "second.toml")


def test_bases_that_go_in_a_circle_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('base = "b.toml"\n')
    (tmp_path / "b.toml").write_text('base = "a.toml"\n')
    with pytest.raises(InputError, match=r"circle: .*a\.toml -> .*b\.toml -> .*a\.toml"):
        Ruleset.load(tmp_path / "a.toml")


@pytest.mark.parametrize("path", ["no/such.toml", "nothing.toml", "./", "a\0b.toml", "/dev/null/x.toml"])
def test_a_file_that_cannot_be_read_is_named(path: str) -> None:
    with pytest.raises(InputError, match="cannot read|not TOML"):
        Ruleset.load(path)


@pytest.mark.parametrize("name", ["stlb", "STBL", "", "stbl ", "..", "x" * 1000])
def test_an_unknown_variant_lists_the_known_ones(name: str) -> None:
    with pytest.raises(InputError, match="unknown variant .*; expected a path ending in .toml or one of .*stbl"):
        Ruleset.load(name)


@pytest.mark.parametrize("name", PRESETS)
def test_the_dictionary_makes_the_same_rules_again(name: str) -> None:
    rules = Ruleset.load(name)
    tables = rules.to_dict()
    assert list(tables) == list(TABLES)
    assert Ruleset.from_dict(tables, name=name).diff(rules) == []


@pytest.mark.parametrize("tables", [{"deck": 4}, {"dek": {}}, {"deck": {"jokers": "4"}}, {"deck": None}, [], None, {"name": "stbl"}])
def test_a_wrong_dictionary_gets_one_clear_line(tables: object) -> None:
    with pytest.raises(InputError, match=r"^trace\.jsonl, line 1: "):
        Ruleset.from_dict(tables, where="trace.jsonl, line 1")  # type: ignore[arg-type]


# ---- packing


def test_every_key_reaches_the_compiled_core_or_is_of_the_match_only() -> None:
    """A rule that changes must change the packed record; another value of each key is packed otherwise."""
    base = Ruleset.load("buraco-classico").with_(melds_run_max=14)
    other = {
        "table.mortos": [11, 12],
        "melds.sets": ["A"],
        "match.vp": list(range(5, 55, 5)),
        "canasta.ace_to_ace": None,  # needs two aces, see below
        "canasta.min": None,  # has one value
    }
    for key, rule in KEYS.items():
        value = other.get(key, _another(key, base.value(key)))
        if value is not None:
            changed = base.override({key: value})
            assert (changed.pack() == base.pack()).all() == (rule.name in OUTSIDE), key
    aces = base.with_(melds_run_aces=2)
    assert aces.with_(canasta_ace_to_ace=1000).pack() != aces.pack()


def _another(key: str, value: object) -> object:
    match KEYS[key].domain:
        case Flag():
            return not value
        case Choice(values):
            return next((choice for choice in values if choice != value), None)
        case Number(low, _, step):
            return low if value != low else low + step
    return None


def test_packed_values_are_those_of_the_contract() -> None:
    record = Ruleset.load("burraco-internazionale").pack()
    assert (record.shape, record.dtype) == ((1,), layout.RULES)
    row = record[0]
    assert row["melds_sets"] == 0b101
    assert row["table_mortos"] == 2
    assert row["morto_sizes"].tolist() == [11, 11, 0]
    assert row["pile_take"] == layout.CHOICES["pile.take"].index("meld_any")
    points = dict(zip(layout.CANASTA_CLASSES, row["canasta_points"].tolist(), strict=True))
    assert points == dict.fromkeys(layout.CANASTA_CLASSES, 0) | {"clean": 200, "dirty": 100}
    cards = {text: int(row["card_points"][parse_card(text)]) for text in ("As", "2h", "3d", "7c", "8s", "Kh")}
    assert cards == {"As": 15, "2h": 20, "3d": 5, "7c": 5, "8s": 10, "Kh": 10}
    assert row["card_points"][JOKER] == 30
    assert Ruleset.load("burraco-fibur").pack()[0]["melds_sets"] == 0b1111111111101
    assert Ruleset.load("stbl").pack()[0]["melds_sets"] == 0
    assert Ruleset.load("tre-mortos").pack()[0]["morto_per_team"] == layout.ANY_NUMBER
