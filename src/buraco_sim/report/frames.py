"""A deal as the steps of a replay page: what lies where after every action, what changed, and the score so far.

The referee plays the trace again, so the page shows what the rules say, whoever wrote the trace.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from buraco_sim import referee
from buraco_sim.cards import format_cards, format_meld
from buraco_sim.referee.melds import Meld
from buraco_sim.referee.score import canasta_of

Line = dict[str, Any]
Frame = dict[str, Any]

CLASS_WORDS: Final = {
    "none": "",
    "semi": "semi-clean",
    "ace_to_ace": "ace to ace",
    "royal_dirty": "royal, dirty",
    "eight_dirty": "eight, dirty",
}
SUIT_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def deal_frames(header: Line, events: Sequence[Line]) -> dict[str, Any]:
    """A deal as JSON values for the page.

    Parameters
    ----------
    header : dict
        The first line of its trace.
    events : sequence of dict
        The lines after it.

    Returns
    -------
    dict
        Names, seats, and ``frames``: the first has everything, each other what differs from the one before. A frame has
        ``text`` (and ``hidden``: what the other seats are told), ``turn``, ``seat``, ``hands``, ``tables`` (melds with
        their class and points), ``pile``, ``stock``, ``mortos``, ``score``, and ``new``: the cards that moved.

    Raises
    ------
    BreachError
        If the trace breaks the rules.
    """
    lines = [header, *events]
    start = referee.Game(_rules(header), header)
    state = _state(start)
    frames = [{"text": "The cards are dealt.", "turn": 0, "seat": None, "new": {}, **state}]
    tables: tuple[tuple[Meld, ...], ...] = ((), ())
    for step in referee.replay_deal(lines):
        after = _state(step.game)
        told = [_words(line) for line in step.lines if line["type"] != "score"]
        frame: Frame = {
            "text": _sentence(open_words for open_words, _ in told) if told else "Passes",
            "turn": step.game.turns,
            "seat": step.lines[0].get("seat") if step.lines else frames[-1]["seat"],
            "new": _new(step.lines, tables),
        }
        hidden = _sentence(words for _, words in told)
        if hidden != frame["text"]:
            frame["hidden"] = hidden
        frames.append(frame | {key: value for key, value in after.items() if value != state[key]})
        state = after
        tables = (step.game.tables[0], step.game.tables[1])
    scores = [line for line in events if line["type"] == "score"]
    about = {key: header[key] for key in ("variant", "seed", "deal", "table", "seats", "starter")}
    return about | {"closed": header["rules"]["pile"]["visible"] == "top", "frames": frames, "scores": scores}


def _rules(header: Line) -> Any:
    from buraco_sim.rules import Ruleset

    return Ruleset.from_dict(header["rules"], name=header["variant"])


def _state(game: referee.Game) -> dict[str, Any]:
    return {
        "hands": [format_cards(sorted(hand.elements())) for hand in game.hands],
        "tables": [[_meld(game, meld) for meld in table] for table in game.tables],
        "pile": format_cards(game.pile),
        "stock": len(game.stock),
        "mortos": [format_cards(cards) for cards in game.mortos.values()],
        "score": [game.score(team).total for team in (0, 1)],
    }


def _meld(game: referee.Game, meld: Meld) -> list[Any]:
    """The cards, and what kind of canasta it is."""
    name, points = canasta_of(game.rules, meld)
    word = CLASS_WORDS.get(name, name)
    return [format_meld(meld.laid), f"{word} {points}" if word else ""]


def _new(lines: Sequence[Line], before: Sequence[Sequence[Meld]]) -> dict[str, Any]:
    """Where the cards that moved lie now: in a hand, in a meld (as places), on the pile."""
    new: dict[str, Any] = {}
    for line in lines:
        if line["type"] in ("draw", "morto"):
            new["hand"] = [line["seat"], line["cards"] if line["type"] == "draw" else "all"]
        elif line["type"] == "meld":
            team, slot = line["seat"] % 2, line["slot"]
            old = Counter(format_meld([laid]) for laid in before[team][slot].laid) if line["before"] else Counter[str]()
            places = []
            for place, card in enumerate(line["after"].split()):
                if old[card]:
                    old[card] -= 1
                else:
                    places.append(place)
            new["meld"] = [team, slot, places]
        elif line["type"] == "discard":
            new["pile"] = True
    return new


def _sentence(parts: Iterable[str]) -> str:
    text = "; ".join(parts)
    return text[:1].upper() + text[1:]


def pretty(cards: str) -> str:
    """Cards as people write them.

    Examples
    --------
    >>> pretty("Th 2c* JK")
    '10♥ 2♣★ joker'
    """
    words = []
    for card in cards.split():
        face, star = card.removesuffix("*"), "★" * card.endswith("*")
        name = "joker" if face == "JK" else face[0].replace("T", "10") + SUIT_SIGNS[face[1]]
        words.append(name + star)
    return " ".join(words)


def _words(line: Line) -> tuple[str, str]:
    """What a line says: to who sees everything, and to the other seats."""
    match line["type"]:
        case "draw" if line["from"] == "stock":
            return f"draws {pretty(line['cards'])} from the stock", "draws from the stock"
        case "draw":
            return (f"takes the pile: {pretty(line['cards'])}",) * 2
        case "meld":
            back = f", {pretty(line['returned'])} comes back into the hand" if "returned" in line else ""
            words = (
                f"adds to {pretty(line['before'])}: {pretty(line['after'])}{back}" if line["before"] else f"lays {pretty(line['after'])}"
            )
            return words, words
        case "discard":
            return (f"discards {pretty(line['card'])}",) * 2
        case "morto":
            return f"takes a morto ({line['mode']}): {pretty(line['cards'])}", f"takes a morto ({line['mode']})"
        case "stock":
            return ("a morto becomes the stock",) * 2
        case _:
            who = "" if line["seat"] is None else " by going out"
            return (f"the deal is over{who}: {line['reason'].replace('_', ' ')}",) * 2
