"""From the events of the compiled core to the lines of a trace and to text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from buraco_sim.cards import full_deck, parse_card, parse_meld
from buraco_sim.engine import Seating
from buraco_sim.errors import InputError
from buraco_sim.job import Job, make_job
from buraco_sim.layout import (
    COLUMN_INDEX,
    END_REASONS,
    EVENT_DISCARD,
    EVENT_DRAW_PILE,
    EVENT_DRAW_STOCK,
    EVENT_END,
    EVENT_MELD,
    EVENT_MORTO,
    EVENT_STOCK,
    KERNEL_COLUMNS,
    MORTO_MODES,
    STATUS_ILLEGAL,
)
from buraco_sim.meld_text import encode_meld
from buraco_sim.replay import Deal, replay_deal
from fake_engine import FakeEngine

DECK = list(full_deck(4))
Row = np.ndarray[Any, Any]


def meld(text: str) -> int:
    return encode_meld(parse_meld(text))


#: A deal that has one of everything: (kind, seat, a, b), and the line that it must become.
STEPS: list[tuple[tuple[int, int, int, int], dict[str, Any]]] = [
    ((EVENT_DRAW_STOCK, 0, parse_card("7h"), 0), {"type": "draw", "seat": 0, "from": "stock", "cards": "7h"}),
    ((EVENT_MELD, 0, 0, meld("4h 5h JK* 7h")), {"type": "meld", "seat": 0, "slot": 0, "before": "", "after": "4h 5h JK* 7h"}),
    ((EVENT_DISCARD, 0, parse_card("Kd"), 0), {"type": "discard", "seat": 0, "card": "Kd"}),
    ((EVENT_DRAW_STOCK, 1, parse_card("JK"), 0), {"type": "draw", "seat": 1, "from": "stock", "cards": "JK"}),
    ((EVENT_MELD, 1, 0, meld("9s Ts Js")), {"type": "meld", "seat": 1, "slot": 0, "before": "", "after": "9s Ts Js"}),
    ((EVENT_DISCARD, 1, parse_card("3c"), 0), {"type": "discard", "seat": 1, "card": "3c"}),
    ((EVENT_MORTO, 1, 0, MORTO_MODES.index("indirect")), {"type": "morto", "seat": 1, "index": 0, "mode": "indirect"}),
    ((EVENT_DRAW_PILE, 2, 3, 0), {"type": "draw", "seat": 2, "from": "pile", "cards": "PILE Kd 3c"}),
    (
        (EVENT_MELD, 2, 0, meld("4h 5h 6h 7h")),
        {"type": "meld", "seat": 2, "slot": 0, "before": "4h 5h JK* 7h", "after": "4h 5h 6h 7h", "returned": "JK"},
    ),
    ((EVENT_DISCARD, 2, parse_card("4c"), 0), {"type": "discard", "seat": 2, "card": "4c"}),
    ((EVENT_STOCK, -1, 1, 0), {"type": "stock", "morto": 1}),
    ((EVENT_DRAW_PILE, 3, 1, 0), {"type": "draw", "seat": 3, "from": "pile", "cards": "4c"}),
    ((EVENT_END, -1, END_REASONS.index("stock_end"), 4), {"type": "end", "reason": "stock_end", "seat": None, "turns": 4}),
]


@pytest.fixture
def columns() -> Row:
    """A row in which every column is its own number, so that a line with another column's value shows."""
    row = np.arange(len(KERNEL_COLUMNS), dtype=np.int32)[None, :].copy()
    for i, column in enumerate(KERNEL_COLUMNS):
        if column.values:
            row[0, i] = 0
    return row


@pytest.fixture
def job(engine: FakeEngine) -> Job:
    """The classic game: wilds come back to the hand, and a card is turned."""
    return make_job("buraco-classico", "greedy,random", mirror=True, deals=1, first_deal=6)


def play(job: Job, monkeypatch: pytest.MonkeyPatch, columns: Row, status: tuple[int, ...] = (0, 0, 0, 0), table: int = 0) -> Deal:
    """Replay a deal of which the compiled core says what `STEPS` says."""
    events = np.array([event for event, _ in STEPS], np.int32)
    monkeypatch.setattr(Seating, "play_one", lambda self, *_: (columns, np.array([status], np.int64), events))
    monkeypatch.setattr(Seating, "dealt", lambda self, deal: list(DECK))
    return replay_deal(job, 6, table)


def test_every_event_becomes_its_line(job: Job, monkeypatch: pytest.MonkeyPatch, columns: Row) -> None:
    deal = play(job, monkeypatch, columns)
    header, lines = deal.header, deal.events
    for (_, expected), line in zip(STEPS, lines, strict=False):
        wanted = dict(expected)
        if wanted["type"] in ("morto", "stock"):
            wanted["cards"] = header["mortos"][wanted["index" if wanted["type"] == "morto" else "morto"]]
        if "PILE" in str(wanted.get("cards")):
            wanted["cards"] = wanted["cards"].replace("PILE", header["pile"])
        assert line == wanted
        assert list(line) == list(wanted), "the keys stand in the order of the format"


def test_the_scores_are_those_of_the_columns(job: Job, monkeypatch: pytest.MonkeyPatch, columns: Row) -> None:
    deal = play(job, monkeypatch, columns)
    names = {"cards": "cards", "canastas": "canastas", "go_out": "go_out", "hand": "hand", "morto": "morto", "total": "score"}
    for team, line in enumerate(deal.events[-2:]):
        assert line == {"type": "score", "team": team, **{key: COLUMN_INDEX[f"{name}_{team}"] for key, name in names.items()}}
    assert deal.row["deal"] == 6
    assert deal.row["strategy_0"] == "greedy"


def test_the_header_shows_everything_dealt(job: Job, monkeypatch: pytest.MonkeyPatch, columns: Row) -> None:
    header = json.loads(play(job, monkeypatch, columns, table=1).lines()[0])
    assert list(header) == [
        "type",
        "format",
        "variant",
        "rules",
        "seed",
        "deal",
        "table",
        "seats",
        "starter",
        "hands",
        "mortos",
        "stock",
        "pile",
    ]
    shown = " ".join([*header["hands"], *header["mortos"], header["pile"], header["stock"]])
    assert [parse_card(text) for text in shown.split()] == DECK
    assert [len(cards.split()) for cards in (*header["hands"], *header["mortos"], header["pile"])] == [11] * 6 + [1]
    assert header["rules"] == job.rules.to_dict()
    assert header["seats"] == ["random", "greedy"] * 2
    assert (header["deal"], header["table"], header["starter"], header["format"]) == (6, 1, 2, 1)


def test_where_wilds_stay_nothing_is_returned(engine: FakeEngine, monkeypatch: pytest.MonkeyPatch, columns: Row) -> None:
    deal = play(make_job("stbl", "greedy", deals=1, first_deal=6), monkeypatch, columns)
    assert not any("returned" in line for line in deal.events)


def test_a_deal_that_failed_ends_where_it_failed(job: Job, monkeypatch: pytest.MonkeyPatch, columns: Row) -> None:
    deal = play(job, monkeypatch, columns, status=(STATUS_ILLEGAL, 1, 9, 77))
    assert deal.failure.startswith("illegal action: seat 1 (random), turn 9, action 77")
    assert deal.row == {}
    assert deal.events[-1]["type"] == "end"
    assert "failed: illegal action" in deal.text()


def test_the_text_has_a_line_a_turn_and_names_everything(job: Job, monkeypatch: pytest.MonkeyPatch, columns: Row) -> None:
    text = play(job, monkeypatch, columns).text()
    assert "  1  seat 0 greedy draws 7h; lays 4h 5h JK* 7h; discards Kd" in text
    assert "takes morto 0 (indirect)" in text
    assert "4h 5h JK* 7h -> 4h 5h 6h 7h, JK back into the hand" in text
    assert "morto 1 becomes the stock" in text
    assert "end after 4 turns: stock end" in text
    assert "team 1: " in text


def test_a_table_that_was_not_played_is_refused(engine: FakeEngine, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="table = 1; expected 0"):
        replay_deal(make_job("stbl", "greedy", deals=3), 1, 1)
