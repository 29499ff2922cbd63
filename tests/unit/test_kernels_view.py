"""The view that a player gets holds what the referee's game says that its seat may see, at every decision of whole deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from buraco_sim.cards import JOKER
from buraco_sim.layout import VIEW
from buraco_sim.rules import Ruleset
from buraco_sim.strategies import Strategy
from plain import recorded
from watched import views_of

#: Between them: open and closed piles, each condition of taking, each way back of a wild, passes, mortos, both numbers of seats.
RULES: list[tuple[str, dict[str, Any]]] = [
    ("burraco-fibur", {}),
    ("stbl", {}),
    ("stbl", {"melds.wild_replaced": "to_hand", "table.seats": 2, "melds.sets": "all"}),
    ("buraco-classico", {"morto.per_team": "any", "table.mortos": [4, 4, 4], "go_out.canasta": "clean"}),
    ("burraco-internazionale", {"pile.return_single": "face"}),
    ("burraco-duel", {"stock.when": "draw", "morto.unused": "penalty_and_cards"}),
]


def cards_of(view: Any, prefix: str, seat: int | None = None) -> Counter[int]:
    """Two planes and the jokers of a view as a counter of cards."""
    once, twice, jokers = (view[prefix + name] if seat is None else view[prefix + name][seat] for name in ("once", "twice", "jokers"))
    cards = Counter(card for plane in (int(once), int(twice)) for card in range(64) if plane >> card & 1)
    return cards + Counter({JOKER: int(jokers)})


def in_words(view: Any) -> dict[str, Any]:
    """A view of the kernel as `watched` writes it."""
    n_seats = int(view["n_seats"])
    same = ("seat", "team", "n_seats", "phase", "turn", "n_hand", "hand_points", "pile_top", "n_pile", "n_stock", "n_drawable", "n_mortos")
    flags = ("may_pass", "pending", "pending_card", "barred")
    teams = ("meld_actions", "taken", "clean_canastas", "canastas", "table_points", "canasta_bonus", "penalty", "standing")
    fitting = ("fits", "nearly_fits")
    return {
        **{name: int(view[name]) for name in same + flags},
        **{name: view[name].tolist() for name in teams},
        "take_legal": int(view["phase"] == 0 and view["take_legal"]),
        "hand": cards_of(view, ""),
        "pile": cards_of(view, "pile_"),
        "hand_counts": view["hand_counts"].tolist()[:n_seats],
        "known": [cards_of(view, "known_", seat) for seat in range(n_seats)],
        **{name: [{card for card in range(64) if int(view[name][team]) >> card & 1} for team in (0, 1)] for name in fitting},
        "tables": [view["tables"][team][: view["n_melds"][team]].tolist() for team in (0, 1)],
    }


def test_every_field_of_a_view_is_looked_at() -> None:
    planes = {f"{prefix}{name}" for prefix in ("", "pile_", "known_") for name in ("once", "twice", "jokers")}
    looked_at = set(in_words(np.zeros(1, VIEW)[0])) - {"hand", "pile", "known"} | planes | {"n_melds", "random", "rules"}
    assert looked_at == set(VIEW.names or ())


@pytest.mark.parametrize(("variant", "changes"), RULES, ids=str)
@pytest.mark.parametrize("deal", [0, 1])
def test_a_player_sees_what_its_seat_may_see(variant: str, changes: dict[str, Any], deal: int) -> None:
    rules = Ruleset.load(variant).override(changes)
    views, _, lines = recorded(rules, "random", deal)
    expected = list(views_of(rules, lines))
    assert len(views) == len(expected)
    for view, wanted in zip(views, expected, strict=True):
        assert in_words(view) == wanted
        assert view["rules"] == rules.pack()[0]


def test_who_remembers_a_closed_pile_knows_what_was_taken_with_it() -> None:
    rules = Ruleset.load("stbl")
    views, _, lines = recorded(rules, [replace(Strategy.load("random"), remembers_pile=True)], 1)
    assert [in_words(view) for view in views] == list(views_of(rules, lines, remembers=True))
    assert [in_words(view)["known"] for view in views] != [view["known"] for view in views_of(rules, lines)]


def test_every_decision_has_a_random_word_of_its_own() -> None:
    views, _, _ = recorded(Ruleset.load("stbl"), "random", 0)
    words = [int(view["random"]) for view in views]
    assert len(set(words)) == len(words)
    assert all(0 <= word < 1 << 63 for word in words)
