"""What a seat must see at every decision of a deal: a view in words, from the referee's game alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from buraco_sim.cards import RANKS, SUITS, card_of, parse_cards
from buraco_sim.meld_text import encode_meld
from buraco_sim.referee import Game, objection, replay_deal
from buraco_sim.referee.actions import Discard, Draw, Lay
from buraco_sim.referee.game import TEAMS
from buraco_sim.referee.melds import Meld, card_on
from buraco_sim.referee.score import canasta_of, points_of
from buraco_sim.replay import Line
from buraco_sim.rules import Ruleset

CLEAN = ("clean", "royal", "ace_to_ace", "eight")


def views_of(rules: Ruleset, lines: Sequence[Line], remembers: bool = False) -> Iterator[dict[str, Any]]:
    """The view before every action of a trace; cards are counters, all else as the view has it."""
    known = [Counter[int]() for _ in range(rules.table.seats)]
    meld_actions = [0, 0]
    game = Game(rules, lines[0])
    yield _view(game, known, remembers) | {"meld_actions": [0, 0]}
    for step in replay_deal(list(lines)):
        if isinstance(step.action, Lay):
            meld_actions[step.lines[0]["seat"] % 2] += 1
        _learn(known, step.action, step.lines, all_of_pile=rules.pile.visible == "all" or remembers)
        if step.game.end_reason is None:
            yield _view(step.game, known, remembers) | {"meld_actions": list(meld_actions)}


def _learn(known: list[Counter[int]], action: object, lines: Sequence[Line], all_of_pile: bool) -> None:
    """Who took cards from the pile holds them until they are played; of a closed pile only the top was seen."""
    line = next((one for one in lines if one["type"] in ("draw", "meld", "discard")), None)
    if line is None:
        return
    hand = known[line["seat"]]
    match action:
        case Draw("pile"):
            cards = parse_cards(line["cards"])
            hand.update(cards if all_of_pile else cards[-1:])
        case Lay():
            before, after = (Counter(parse_cards(line[key].replace("*", ""))) for key in ("before", "after"))
            hand.update(before - after)
            hand.subtract(after - before)
        case Discard(card):
            hand.subtract([card])
    known[line["seat"]] = +hand


def _view(game: Game, known: list[Counter[int]], remembers: bool) -> dict[str, Any]:
    rules, at = game.rules, game.position()
    classes = [[canasta_of(rules, meld) for meld in table] for table in game.tables]
    pending = bool(at.took) and not at.used_top and rules.pile.take != "free"
    sees_all = rules.pile.visible == "all" or remembers
    back = rules.pile.return_single
    return {
        "seat": at.seat,
        "team": at.team,
        "n_seats": rules.table.seats,
        "phase": ("draw", "play").index(at.phase),
        "turn": game.turns,
        "hand": at.hand,
        "n_hand": at.hand.total(),
        "hand_points": points_of(rules, at.hand.elements()),
        "pile": Counter(at.pile if sees_all else at.pile[-1:]),
        "pile_top": at.pile[-1] if at.pile else -1,
        "n_pile": len(at.pile),
        "n_stock": at.stock,
        "n_drawable": max(at.stock - rules.stock.dead, 0),
        "n_mortos": at.mortos,
        "may_pass": at.may_pass,
        "pending": (1 if rules.pile.take == "meld_any" else 2) if pending else 0,
        "pending_card": at.took[-1] if pending and rules.pile.take == "use_top" else -1,
        "barred": at.took[0] if len(at.took) == 1 and (back == "face" or (back == "card" and not at.twin)) else -1,
        "take_legal": at.phase == "draw" and not objection(rules, at, Draw("pile")),
        "taken": list(at.taken),
        "clean_canastas": [sum(name in CLEAN for name, _ in found) for found in classes],
        "canastas": [sum(name != "none" for name, _ in found) for found in classes],
        "table_points": [sum(points_of(rules, meld.cards) for meld in table) for table in game.tables],
        "canasta_bonus": [sum(points for _, points in found) for found in classes],
        "penalty": [game.score(team).morto for team in TEAMS],
        "standing": [0, 0],
        "hand_counts": list(at.hand_counts),
        "known": [Counter(cards) for cards in known],
        "tables": [[encode_meld(meld.laid) for meld in table] for table in game.tables],
        "fits": [_fitting(table, 1) for table in game.tables],
        "nearly_fits": [_fitting(table, 2) for table in game.tables],
    }


def _fitting(table: Sequence[Meld], reach: int) -> set[int]:
    """Cards at most `reach` places from a run's ends or in the place of its wild, and those of the ranks of sets."""
    cards: set[int] = set()
    for meld in table:
        if meld.kind == "set":
            cards |= {card_of(suit, meld.rank) for suit in range(len(SUITS))}
            continue
        high = meld.low + len(meld.laid) - 1
        places = {*range(meld.low - reach, meld.low), *range(high + 1, high + reach + 1), *({meld.wild[0]} if meld.wild else ())}
        cards |= {card_on(meld.suit, place) for place in places if 0 <= place <= len(RANKS)}
    return cards
