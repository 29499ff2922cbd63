"""What an action may leave behind: emptying a hand, stranding, the condition of a taken pile (rules 1.2).

All questions are asked about the position after the action.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from buraco_sim.cards import is_wild_card
from buraco_sim.referee.moves import Move, make_move, moves_with, objection_to_move
from buraco_sim.referee.position import Position
from buraco_sim.referee.score import has_canasta_to_go_out
from buraco_sim.rules import Ruleset

STRANDED = "what is left in the hand may be neither discarded nor melded out"
CONDITION_LOST = "the condition of the taken pile could not be met any more"


def after_move(rules: Ruleset, at: Position, move: Move) -> Position:
    """Return the position after a meld action; a morto taken with it is not in the hand."""
    melds = list(at.own)
    if move.slot is None:
        melds.append(move.after)
    else:
        melds[move.slot] = move.after
    met = at.used_top or meets_condition(rules, at, move)
    return at.with_own(tuple(melds), hand=at.hand - move.added + move.returned, used_top=met)


def after_take(at: Position) -> Position:
    """Return the position after the pile was taken."""
    hand = at.hand.copy()
    hand.update(at.pile)
    twin = len(at.pile) == 1 and at.pile[0] in at.hand
    return replace(at, phase="play", hand=hand, pile=(), took=at.pile, twin=twin)


def asks_for_meld(rules: Ruleset, at: Position) -> bool:
    """Return whether the condition of the taken pile is pending."""
    return bool(at.took) and rules.pile.take != "free" and not at.used_top


def meets_condition(rules: Ruleset, at: Position, move: Move) -> bool:
    """Return whether a meld action meets the pending condition of the taken pile: any meld, or one with the top card's face."""
    return asks_for_meld(rules, at) and (rules.pile.take == "meld_any" or at.took[-1] in move.added)


def barred_card(rules: Ruleset, at: Position) -> int | None:
    """Return the face that may not be discarded this turn after a pile of one card was taken."""
    if len(at.took) != 1 or rules.pile.return_single == "allowed":
        return None
    return None if rules.pile.return_single == "card" and at.twin else at.took[0]


def may_take_morto(rules: Ruleset, at: Position) -> bool:
    """Return whether the team to act takes a morto when the hand is empty."""
    return at.mortos > 0 and (rules.morto.per_team == "any" or at.taken[at.team] == 0)


def may_go_out(rules: Ruleset, at: Position) -> bool:
    """Return whether the team to act has its morto, or none was left for it, and the canasta that going out asks for."""
    morto_gone = at.mortos == 0 and rules.go_out.morto_gone == "allowed"
    return (at.taken[at.team] > 0 or morto_gone) and has_canasta_to_go_out(rules, at.own)


def objection_to_empty_hand(rules: Ruleset, at: Position, by: Literal["meld", "discard"], last_is_wild: bool) -> str:
    """Return why the hand may not be emptied, `at` being the position with the empty hand, or an empty text."""
    if may_take_morto(rules, at):
        return ""
    if not may_go_out(rules, at):
        return "the hand may not be emptied: the team takes no morto and may not go out"
    if by == "meld" and rules.go_out.final_discard == "required":
        return "going out needs a final discard"
    if by == "discard" and last_is_wild and not rules.go_out.wild_discard:
        return "the discard that goes out may not be a wild"
    return ""


def objection_to_discard(rules: Ruleset, at: Position, card: int) -> str:
    """Return why a card may not be discarded in the play phase, or an empty text."""
    if card not in at.hand:
        return "the card is not in the hand"
    if asks_for_meld(rules, at):
        return "the taken pile asks for a meld before the discard"
    if card == barred_card(rules, at):
        return "the single card taken may not be given back this turn"
    if at.hand.total() > 1:
        return ""
    return objection_to_empty_hand(rules, at, "discard", is_wild_card(card))


def objection_to_leaving(rules: Ruleset, after: Position, hopes: Sequence[Move] = ()) -> str:
    """Return why a meld action may not leave this position, or an empty text.

    Where the taken pile still asks for a meld, the moves in `hopes` are tried before all others are looked for.
    """
    if asks_for_meld(rules, after):
        return "" if any(_is_met_by(rules, after, hope) for hope in hopes) or any(_meeting_moves(rules, after)) else CONDITION_LOST
    if not after.hand:
        return objection_to_empty_hand(rules, after, "meld", last_is_wild=False)
    return "" if _turn_can_end(rules, after) else STRANDED


def _turn_can_end(rules: Ruleset, at: Position) -> bool:
    """A pass, a legal discard, or one single meld action that empties the hand legally."""
    if at.may_pass or any(not objection_to_discard(rules, at, card) for card in at.hand):
        return True
    for move in moves_with(rules, at.own, at.hand, using=min(at.hand)):  # it must use every card, so that one too
        after = after_move(rules, at, move)
        if not after.hand and not objection_to_empty_hand(rules, after, "meld", last_is_wild=False):
            return True
    return False


def legal_moves(rules: Ruleset, at: Position) -> Iterator[Move]:
    """Yield every legal meld action."""
    hopes = list(_meeting_moves(rules, at)) if asks_for_meld(rules, at) else []
    for move in moves_with(rules, at.own, at.hand):
        if not objection_to_leaving(rules, after_move(rules, at, move), hopes):
            yield move


def _meeting_moves(rules: Ruleset, at: Position) -> Iterator[Move]:
    """Yield every legal meld action that meets the pending condition of the taken pile."""
    using = at.took[-1] if rules.pile.take == "use_top" else None
    for move in moves_with(rules, at.own, at.hand, using):
        if not objection_to_leaving(rules, after_move(rules, at, move)):
            yield move


def _is_met_by(rules: Ruleset, at: Position, hope: Move) -> bool:
    """Whether a move that met the condition of the taken pile in an earlier position does so here."""
    move = make_move(at.own, hope.slot, hope.after)
    if not meets_condition(rules, at, move) or objection_to_move(rules, at.own, at.hand, move):
        return False
    return not objection_to_leaving(rules, after_move(rules, at, move))


def objection_to_take(rules: Ruleset, at: Position) -> str:
    """Return why a pile that is not empty may not be taken, or an empty text."""
    after = after_take(at)
    if rules.pile.take == "free":
        return "" if _turn_can_end(rules, after) else STRANDED
    if rules.pile.take == "meld_any":
        return "" if any(_meeting_moves(rules, after)) else "nothing could be melded"
    top = at.pile[-1]
    held = at.hand.copy()
    held[top] += 1
    for move in moves_with(rules, at.own, held, top):
        wild_allowed = move.slot is not None or rules.pile.use_top_with_wild or move.after.wild is None
        if wild_allowed and not objection_to_leaving(rules, after_move(rules, after, move)):
            return ""
    return "the top card could not be melded"
