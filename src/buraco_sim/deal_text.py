"""The lines of a trace as text for people, one line a turn. Needs no compiled core, so it reads any trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

Line = dict[str, Any]


def deal_text(header: Line, events: Sequence[Line], failure: str = "") -> str:
    """Write a deal as text.

    Parameters
    ----------
    header : dict
        The first line of a trace.
    events : sequence of dict
        The lines after it.
    failure : str, optional
        Why the deal did not end normally.
    """
    lines = [*_header_lines(header), "", *_turn_lines(header, events), *([f"failed: {failure}"] if failure else [])]
    return "\n".join(lines)


def _header_lines(header: Line) -> Iterator[str]:
    yield f"{header['variant']}, seed {header['seed']}, deal {header['deal']}, table {header['table']}"
    for seat, (name, hand) in enumerate(zip(header["seats"], header["hands"], strict=True)):
        yield f"  seat {seat}, {name}{', starts' if seat == header['starter'] else ''}: {hand}"
    for index, cards in enumerate(header["mortos"]):
        yield f"  morto {index}: {cards}"
    yield f"  pile: {header['pile'] or 'empty'}; stock: {len(header['stock'].split())} cards"


def _turn_lines(header: Line, events: Sequence[Line]) -> Iterator[str]:
    turn = 0
    current: list[str] = []
    for line in events:
        if line["type"] == "draw":
            if current:
                yield "; ".join(current)
            turn += 1
            current = [f"{turn:>3}  seat {line['seat']} {header['seats'][line['seat']]} {_draw(line)}"]
        elif line["type"] in ("end", "score", "stock"):
            if current:
                yield "; ".join(current)
            current = []
            yield _PHRASES[line["type"]](line)
        else:
            current.append(_PHRASES[line["type"]](line))
    if current:
        yield "; ".join(current)


def _draw(line: Line) -> str:
    return f"draws {line['cards']}" if line["from"] == "stock" else f"takes the pile {line['cards']}"


def _meld(line: Line) -> str:
    if not line["before"]:
        return f"lays {line['after']}"
    back = f", {line['returned']} back into the hand" if "returned" in line else ""
    return f"{line['before']} -> {line['after']}{back}"


def _morto(line: Line) -> str:
    return f"takes morto {line['index']} ({line['mode']}): {line['cards']}"


def _stock(line: Line) -> str:
    return f"     morto {line['morto']} becomes the stock: {line['cards']}"


def _end(line: Line) -> str:
    who = "" if line["seat"] is None else f" by seat {line['seat']}"
    return f"\nend after {line['turns']} turns: {line['reason'].replace('_', ' ')}{who}"


def _score(line: Line) -> str:
    parts = ", ".join(f"{part.replace('_', ' ')} {line[part]:+}" for part in ("cards", "canastas", "go_out", "hand", "morto"))
    return f"  team {line['team']}: {line['total']} = {parts}"


_PHRASES: Final[dict[str, Callable[[Line], str]]] = {
    "meld": _meld,
    "discard": lambda line: f"discards {line['card']}",
    "morto": _morto,
    "stock": _stock,
    "end": _end,
    "score": _score,
}
