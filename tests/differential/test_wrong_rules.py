"""Tests that can fail: a rule that the compiled core alone gets wrong is noticed, whichever it is.

The referee keeps the right rules; what the kernel is given differs in one key. Rules that matter in every game are asked in
a preset, others where they come into play.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from buraco_sim import layout
from buraco_sim._jit import PACKAGE
from buraco_sim.errors import InputError
from buraco_sim.judge import judge
from buraco_sim.rules import Ruleset
from buraco_sim.rules.keys import KEYS
from refereed import differences
from rule_values import MATCH, values_of

DEALS: Final = 30  # at most; most mistakes show in the first
LISTS: Final = 0.1
CASES: Final = [json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "cases.jsonl").read_text().splitlines()]
#: Keys that no deal can tell from its trace.
UNSEEN: Final = {
    "canasta.min",  # has one value only
    "pile.visible",  # decides what a player sees, not what it may do: see the tests of the view
}
#: Where a rule comes into play, if not in `burraco-fibur` as it is.
FEW_CARDS: Final = {"table.hand": 3, "table.mortos": [2, 2], "go_out.canasta": "none"}
LONG_DEALS: Final = {"table.hand": 5, "table.mortos": [5, 5], "go_out.canasta": "clean"}
WHERE: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "table.upcard_wild": ("buraco-classico", {}),
    "pile.use_top_with_wild": ("stbl", {}),
    "melds.freed_wild": ("stbl", {}),
    "canasta.ace_to_ace": ("stbl", {}),
    "canasta.royal_ace": ("stbl", {}),
    "go_out.wild_discard": ("burraco-fibur", FEW_CARDS),
    "go_out.morto_gone": ("burraco-fibur", FEW_CARDS | {"morto.per_team": "any"}),
    "stock.when": ("stbl", LONG_DEALS),
    "stock.max_turns": ("burraco-duel", LONG_DEALS | {"stock.max_turns": 110}),
}
#: What random play hardly ever brings about; the cases ask for it.
FOR_CASES: Final = {
    "melds.set_of_twos",
    "melds.run_max",
    "melds.run_aces",
    "melds.two_may_turn_wild",
    "canasta.royal",
    "canasta.royal_dirty",
    "canasta.royal_ace",
    "canasta.ace_to_ace",
    "canasta.eight",
    "canasta.eight_dirty",
}
#: A stock into which the wild was shuffled looks like one under which it was put: see the tests of the deal.
NOT_TOLD_APART: Final = ("table.upcard_wild", "bury")


def rules_for(key: str) -> Ruleset:
    variant, changes = WHERE.get(key, ("burraco-fibur", {}))
    return Ruleset.load(variant).override(changes)


def wrong_values() -> list[tuple[str, Any]]:
    """Each key with each value that is wrong where the key is asked about."""
    found = []
    for key in KEYS:
        if key not in UNSEEN and key not in MATCH:
            rules = rules_for(key)
            for value in values_of(key):
                try:
                    wrong = rules.override({key: value})
                except InputError:
                    continue
                if wrong.diff(rules) and (key, value) != NOT_TOLD_APART:
                    found.append((key, value))
    return found


def give_the_kernel(monkeypatch: pytest.MonkeyPatch, rules: Ruleset, wrong: Ruleset) -> None:
    """From now on whatever is packed for the kernel has what is different in the wrong rules."""
    pack = Ruleset.pack
    was, will = pack(rules).view(np.int64), pack(wrong).view(np.int64)
    changed = np.flatnonzero(was != will)
    assert len(changed)

    def spoilt(any_rules: Ruleset) -> np.ndarray[Any, Any]:
        packed = pack(any_rules)
        packed.view(np.int64)[changed] = will[changed]
        return packed

    monkeypatch.setattr(Ruleset, "pack", spoilt)


def a_case_differs() -> bool:
    """Whether the kernel answers some case otherwise than expected."""
    return any(any(judge(case).get(key) != value for key, value in case["expect"].items()) for case in CASES)


def test_every_rule_of_the_kernel_is_asked_about() -> None:
    asked = {key for key, _ in wrong_values()}
    assert asked | UNSEEN | set(MATCH) == set(KEYS)
    packed_together = {"melds_sets", "table_mortos", "morto_sizes", "canasta_points", "card_points"}
    fields = packed_together | {key.replace(".", "_") for key in asked | UNSEEN}
    assert {name for name in layout.RULES.names or () if not name.startswith("match_")} <= fields


def test_the_kernel_reads_no_rule_of_matches() -> None:
    sources = "".join(path.read_text() for path in (PACKAGE / "kernels").rglob("*.py"))
    assert "rules.match_" not in sources


@pytest.mark.parametrize(("key", "value"), wrong_values(), ids=str)
def test_a_wrong_rule_is_noticed(monkeypatch: pytest.MonkeyPatch, key: str, value: Any) -> None:
    rules = rules_for(key)
    give_the_kernel(monkeypatch, rules, rules.override({key: value}))
    if key in FOR_CASES:
        assert a_case_differs()
    else:
        assert any(differences(rules, "random", deal, LISTS) for deal in range(DEALS))
