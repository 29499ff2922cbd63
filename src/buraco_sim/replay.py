"""One deal, step by step: from the events of the compiled core to the lines of a trace, and to a text for people."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

from buraco_sim.cards import format_cards, format_meld
from buraco_sim.engine import IntArray, Matrix, Seating
from buraco_sim.errors import InputError
from buraco_sim.job import DEFAULT_PLAYERS, DEFAULT_SEED, MATCH_DEALS, Job, Players, make_job
from buraco_sim.layout import (
    COLUMNS,
    END_REASONS,
    EVENT_DISCARD,
    EVENT_DRAW_PILE,
    EVENT_DRAW_STOCK,
    EVENT_END,
    EVENT_MELD,
    EVENT_MORTO,
    EVENT_STOCK,
    MORTO_MODES,
    STATUS_ERROR,
    STATUS_OK,
    STATUS_TEXT,
)
from buraco_sim.matches import Scores, over, play_matches
from buraco_sim.meld_text import decode_meld
from buraco_sim.results.columns import DEALS_OF_MATCHES, Block
from buraco_sim.rules import Ruleset

TRACE_FORMAT: Final = 1

Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal that was played again.

    Attributes
    ----------
    header : dict
        The first line of its trace: everything dealt, the rules, who sits where.
    events : list of dict
        The other lines of the trace, the end and the scores included.
    row : dict
        The row of the deal, column name to value; empty if the deal failed.
    failure : str
        Why the deal did not end normally, empty if it did.
    """

    header: Line
    events: list[Line]
    row: dict[str, Any]
    failure: str

    def lines(self) -> list[str]:
        """The trace, one JSON object a line, as the format of traces has it."""
        return [json.dumps(line, separators=(",", ":")) for line in (self.header, *self.events)]

    def text(self) -> str:
        """The deal in words, one line a turn."""
        from buraco_sim.deal_text import deal_text

        return deal_text(self.header, self.events, self.failure)


def replay(
    rules: str | Path | Ruleset,
    players: Players = DEFAULT_PLAYERS,
    *,
    deal: int,
    seed: int = DEFAULT_SEED,
    table: int = 0,
    matches: bool = False,
) -> Deal:
    """Play one deal again and keep everything that happens in it.

    Parameters
    ----------
    rules : str, Path or Ruleset
        Name of a preset, a TOML file, or a ruleset.
    players : str, Strategy or sequence of these
        One for everybody, two for team 0 and team 1, or one a seat; at table 1 the teams' strategies are exchanged.
    deal : int
        Index of the shuffle.
    seed : int
        0 .. 2**64 - 1
    table : int
        0 or 1
    matches : bool
        Whether it is a deal of a match, of which those before it are played too: match * 256 + its number in the match.

    Returns
    -------
    Deal
        Its trace, its text, its row.

    Raises
    ------
    InputError
        If a name, a file or a number is not valid.

    Examples
    --------
    >>> import buraco_sim as b
    >>> deal = b.replay("stbl", "greedy", seed=7, deal=3)
    >>> deal.header["starter"], deal.events[-1]["type"]
    (3, 'score')
    """
    if matches:
        job = make_job(rules, players, mirror=True, matches=1, seed=seed, first_deal=deal // MATCH_DEALS)
    else:
        job = make_job(rules, players, mirror=True, deals=1, seed=seed, first_deal=deal)
    return replay_deal(job, deal, table)


def replay_deal(job: Job, deal: int, table: int = 0, *, starter: int | None = None, standing: tuple[int, int] = (0, 0)) -> Deal:
    """Play one deal of a job again; see :func:`replay`. Of a match, the deals before it too unless the starter is given."""
    if table not in job.tables:
        raise InputError(f"table = {table}", expected=" or ".join(map(str, job.tables)))
    seating = Seating.of(job.rules, job.seats_at(table), job.seed)
    first, standing = _opening(job, seating, deal) if starter is None else (starter, standing)
    columns, status, events = seating.play_one(deal, first, standing)
    header = _header(job, seating, deal, table, first) | ({"standing": list(standing)} if job.matches else {})
    lines = _Reader(job.rules, header).read(events)
    code, seat, turn, action = (int(value) for value in status[0])
    if code != STATUS_OK:
        told = "" if code == STATUS_ERROR else f"seat {seat} ({header['seats'][seat]}), turn {turn}, action {action}"
        explained = import_module("buraco_sim.failures").explained  # it loads compiled code of its own
        why = explained(job.rules, job.seats_at(table), seating, header, lines, (code, seat, turn, action))
        return Deal(header, lines, {}, ": ".join(text for text in (STATUS_TEXT[code], told, why) if text))
    row = _row(job, deal, table, columns, standing)
    return Deal(header, lines + [_score_line(row, team) for team in (0, 1)], row, "")


def _header(job: Job, seating: Seating, deal: int, table: int, starter: int) -> Line:
    cards = seating.dealt(deal)

    def take(n: int) -> str:
        taken = format_cards(cards[:n])
        del cards[:n]
        return taken

    hands = [take(job.rules.table.hand) for _ in range(job.n_seats)]
    mortos = [take(size) for size in job.rules.table.mortos]
    pile = take(1) if job.rules.table.upcard else ""
    return {
        "type": "deal",
        "format": TRACE_FORMAT,
        "variant": job.rules.name,
        "rules": job.rules.to_dict(),
        "seed": job.seed,
        "deal": deal,
        "table": table,
        "seats": [one.name for one in job.seats_at(table)],
        "starter": starter,
        "hands": hands,
        "mortos": mortos,
        "stock": take(len(cards)),
        "pile": pile,
    }


def _opening(job: Job, seating: Seating, deal: int) -> tuple[int, tuple[int, int]]:
    """Who starts a deal, and the score of its match before it: from the deals before it in the match."""
    if not job.matches:
        return job.starter(deal), (0, 0)
    match, number = divmod(deal, MATCH_DEALS)

    def play_next(_: IntArray, before: int, starters: IntArray, standings: IntArray) -> Scores:
        return Scores.of(seating.play_deals(np.array([match * MATCH_DEALS + before]), starters, standings)[0])

    found = play_matches(job.rules, np.array([job.starter(deal)]), play_next, most=number)
    if found.deals[0] < number or (number and over(job.rules, found.totals, number)[0]):
        raise InputError(f"deal {deal}: match {match} is over after {found.deals[0]} deals", expected="a deal of the match")
    return int(found.starters[0]), (int(found.totals[0, 0]), int(found.totals[0, 1]))


def _row(job: Job, deal: int, table: int, columns: Matrix, standing: tuple[int, int]) -> dict[str, Any]:
    strategies = {f"strategy_{team}": [job.team_name(team, table)] for team in (0, 1)}
    block = Block(1, {"variant": [job.rules.name], **strategies}, DEALS_OF_MATCHES if job.matches else COLUMNS)
    block.fill(slice(0, 1), columns)
    block["deal"][0], block["table"][0] = deal, table
    if job.matches:
        block["match"][0], block["standing_0"][0], block["standing_1"][0] = deal // MATCH_DEALS, *standing
    return block.row(0)


def _score_line(row: dict[str, Any], team: int) -> Line:
    parts = {part: row[f"{part}_{team}"] for part in ("cards", "canastas", "go_out", "hand", "morto")}
    return {"type": "score", "team": team, **parts, "total": row[f"score_{team}"]}


class _Reader:
    """Follows pile and tables through the events of a deal: an event says what changed, a line what it was before."""

    def __init__(self, rules: Ruleset, header: Line) -> None:
        self.to_hand = rules.melds.wild_replaced == "to_hand"
        self.mortos: list[str] = header["mortos"]
        self.pile: list[str] = header["pile"].split()
        self.tables: tuple[dict[int, int], dict[int, int]] = ({}, {})

    def read(self, events: Matrix) -> list[Line]:
        """The lines of all events."""
        read = {
            EVENT_DRAW_STOCK: self._draw_stock,
            EVENT_DRAW_PILE: self._draw_pile,
            EVENT_MELD: self._meld,
            EVENT_DISCARD: self._discard,
            EVENT_MORTO: self._morto,
            EVENT_STOCK: self._stock,
            EVENT_END: self._end,
        }
        return [read[kind](seat, a, b) for kind, seat, a, b in events.tolist()]

    def _draw_stock(self, seat: int, card: int, _: int) -> Line:
        return {"type": "draw", "seat": seat, "from": "stock", "cards": format_cards([card])}

    def _draw_pile(self, seat: int, _: int, __: int) -> Line:
        cards, self.pile = " ".join(self.pile), []
        return {"type": "draw", "seat": seat, "from": "pile", "cards": cards}

    def _meld(self, seat: int, slot: int, meld: int) -> Line:
        table = self.tables[seat & 1]
        before, after = decode_meld(table[slot]) if slot in table else (), decode_meld(meld)
        table[slot] = meld
        line = {"type": "meld", "seat": seat, "slot": slot, "before": format_meld(before), "after": format_meld(after)}
        returned = Counter(laid.card for laid in before) - Counter(laid.card for laid in after)
        return line | {"returned": format_cards(returned.elements())} if self.to_hand and returned else line

    def _discard(self, seat: int, card: int, _: int) -> Line:
        text = format_cards([card])
        self.pile.append(text)
        return {"type": "discard", "seat": seat, "card": text}

    def _morto(self, seat: int, index: int, mode: int) -> Line:
        return {"type": "morto", "seat": seat, "index": index, "mode": MORTO_MODES[mode], "cards": self.mortos[index]}

    def _stock(self, _: int, index: int, __: int) -> Line:
        return {"type": "stock", "morto": index, "cards": self.mortos[index]}

    def _end(self, seat: int, reason: int, turns: int) -> Line:
        return {"type": "end", "reason": END_REASONS[reason], "seat": None if seat < 0 else seat, "turns": turns}
