"""Rule questions in short: what the tests of the rules ask an engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines import Answer


@dataclass(frozen=True)
class Asker:
    """Asks one engine about one ruleset, the base of all unless told otherwise."""

    answer: Answer
    rules: str = "burraco-fibur"
    changes: Mapping[str, Any] = field(default_factory=dict)

    def under(self, rules: str | Mapping[str, Any]) -> Asker:
        """The same questions under another variant, or with some rules changed."""
        if isinstance(rules, str):
            return Asker(self.answer, rules)
        return Asker(self.answer, self.rules, {**self.changes, **rules})

    def ask(self, ask: str, **about: Any) -> dict[str, Any]:
        case = {"id": "test", "rules": self.rules, "set": dict(self.changes), "ask": ask, **about}
        found = self.answer(case)
        assert found["id"] == "test"
        assert "error" not in found, found["error"]
        return found

    def layouts(self, cards: str) -> list[str]:
        """Every reading of exactly these cards as a meld."""
        found = self.ask("meld", cards=cards)
        assert found["legal"] == bool(found["layouts"])
        return found["layouts"]

    def canasta(self, meld: str) -> tuple[str, int]:
        """Class and bonus of a meld."""
        found = self.ask("score", meld=meld)
        return found["class"], found["bonus"]

    def points(self, meld: str) -> int:
        return self.ask("score", meld=meld)["points"]

    def hand_points(self, cards: str) -> int:
        return self.ask("hand", cards=cards)["points"]

    def legal(self, action: str, **at: Any) -> bool:
        """Whether an action, written as in `read`, is legal in a position, written as in `position`."""
        return self.judge(action, **at)["legal"]

    def judge(self, action: str, **at: Any) -> dict[str, Any]:
        found = self.ask("legal", position=position(**at), action=read(action))
        assert (found["reason"] == "") == found["legal"]
        assert ("effect" in found) == found["legal"]
        return found

    def effect(self, action: str, **at: Any) -> tuple[str | None, str | None]:
        """How a legal action takes a morto, and why it ends the deal."""
        found = self.judge(action, **at)
        assert found["legal"], found["reason"]
        return found["effect"]["morto"], found["effect"]["ends"]

    def actions(self, **at: Any) -> list[str]:
        """Every legal action, written as in `read`."""
        return [write(action) for action in self.ask("actions", position=position(**at))["actions"]]

    def change(self, before: str, after: str, hand: str, **at: Any) -> bool:
        """Whether a meld on the table may be changed with cards of the hand; a morto is there for who empties it."""
        return self.legal(f"0: {after}", own=[before], hand=hand, **at)

    def changes_of(self, before: str, hand: str, **at: Any) -> list[str]:
        """Every meld into which a meld on the table may be changed."""
        found = self.actions(own=[before], hand=hand, **at)
        return sorted(action.removeprefix("0: ") for action in found if action.startswith("0: "))


def position(
    hand: str,
    *,
    own: list[str] | None = None,
    other: list[str] | None = None,
    seat: int = 0,
    phase: str = "play",
    pile: str = "",
    stock: int = 30,
    mortos: int = 2,
    taken: tuple[bool, bool] = (False, False),
    **more: Any,
) -> dict[str, Any]:
    """A position as a case has it: the seat's own table and the other team's."""
    tables = [own or [], other or []]
    told = {"seat": seat, "phase": phase, "hand": hand, "tables": tables if seat % 2 == 0 else tables[::-1]}
    return {**told, "pile": pile, "stock": stock, "mortos": mortos, "taken": list(taken), **more}


def read(action: str) -> dict[str, Any]:
    """An action as a case has it, from `draw stock`, `open 7h 8h 9h`, `0: 7h 8h 9h Th`, `discard Kc` or `pass`."""
    do, _, rest = action.partition(" ")
    match do:
        case "draw":
            return {"do": "draw", "from": rest}
        case "open":
            return {"do": "meld", "slot": None, "after": rest}
        case "discard":
            return {"do": "discard", "card": rest}
        case "pass":
            return {"do": "pass"}
        case _:
            return {"do": "meld", "slot": int(do.removesuffix(":")), "after": rest}


def write(action: Mapping[str, Any]) -> str:
    """The inverse of `read`."""
    match action:
        case {"do": "draw", "from": source}:
            return f"draw {source}"
        case {"do": "meld", "slot": None, "after": after}:
            return f"open {after}"
        case {"do": "meld", "slot": slot, "after": after}:
            return f"{slot}: {after}"
        case {"do": "discard", "card": card}:
            return f"discard {card}"
        case _:
            return "pass"
