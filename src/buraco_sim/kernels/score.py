"""Scores: kept by increments while a deal runs, and computed in full at its end."""

from __future__ import annotations

from typing import Any, Final

from buraco_sim._jit import kernel
from buraco_sim.kernels.bits import JOKER, plane_points
from buraco_sim.kernels.melds import canasta_class, is_set, meld_at, meld_points, wild_of
from buraco_sim.layout import CANASTA_CLASSES, CHOICES, COLUMN_INDEX

SOMEONE_TOOK: Final = CHOICES["morto.untaken_when"].index("someone_took")
UNUSED_CARDS: Final = CHOICES["morto.unused"].index("cards")
UNUSED_PENALTY: Final = CHOICES["morto.unused"].index("penalty")
UNUSED_BOTH: Final = CHOICES["morto.unused"].index("penalty_and_cards")

COL_CARDS: Final = COLUMN_INDEX["cards_0"]
COL_CANASTAS: Final = COLUMN_INDEX["canastas_0"]
COL_GO_OUT: Final = COLUMN_INDEX["go_out_0"]
COL_HAND: Final = COLUMN_INDEX["hand_0"]
COL_MORTO: Final = COLUMN_INDEX["morto_0"]
COL_SCORE: Final = COLUMN_INDEX["score_0"]
COL_CLEAN: Final = COLUMN_INDEX["clean_0"]
COL_RUNS: Final = COLUMN_INDEX["runs_0"]
COL_SETS: Final = COLUMN_INDEX["sets_0"]
COL_WILDS: Final = COLUMN_INDEX["wilds_0"]
N_CLASSES: Final = len(CANASTA_CLASSES)


@kernel
def counts_cards(rules: Any, fresh: int) -> bool:
    """Whether the cards of a hand count, those of an unused morto by `unused`."""
    return fresh == 0 or rules.morto_unused == UNUSED_CARDS or rules.morto_unused == UNUSED_BOTH


@kernel
def set_penalties(rules: Any, state: Any, now: Any) -> None:
    """Bring both teams' penalty for the morto up to date (rules 1, [morto])."""
    for team in range(2):
        penalty = 0
        if now.taken[team] == 0 and (rules.morto_untaken_when != SOMEONE_TOOK or now.taken[1 - team] > 0):
            penalty = rules.morto_untaken
        if rules.morto_unused == UNUSED_PENALTY or rules.morto_unused == UNUSED_BOTH:
            for seat in range(team, now.n_seats, 2):
                penalty += state.fresh[seat] * rules.morto_untaken
        now.penalty[team] = penalty


@kernel
def running_score(rules: Any, state: Any, now: Any, team: int) -> int:
    """Score of a team if the deal ended now, without a bonus for going out."""
    score = now.table_points[team] + now.canasta_bonus[team] + now.penalty[team]
    for seat in (team, team + 2):  # with two seats the second one has no cards
        if counts_cards(rules, state.fresh[seat]):
            score -= state.points[seat]
    return score


@kernel
def final_score(rules: Any, state: Any, now: Any, team: int, row: Any) -> int:
    """Score of a team computed in full from melds and hands, its parts and the counts of its melds written to `row`."""
    cards, bonus = 0, 0
    for slot in range(now.n_melds[team]):
        meld = meld_at(now, team, slot)
        kind = canasta_class(rules, meld)
        cards += meld_points(rules, meld)
        bonus += rules.canasta_points[kind]
        if kind:
            row[COL_CLEAN + 2 * (kind - 1) + team] += 1
        row[(COL_SETS if is_set(meld) else COL_RUNS) + team] += 1
        row[COL_WILDS + team] += wild_of(meld) != 0
    hand = 0
    for seat in range(team, now.n_seats, 2):
        if counts_cards(rules, state.fresh[seat]):
            hand -= plane_points(rules.card_points, state.once[seat]) + plane_points(rules.card_points, state.twice[seat])
            hand -= state.jokers[seat] * rules.card_points[JOKER]
    go_out = rules.go_out_bonus if state.out_seat >= 0 and state.out_seat & 1 == team else 0
    row[COL_CARDS + team] = cards
    row[COL_CANASTAS + team] = bonus
    row[COL_GO_OUT + team] = go_out
    row[COL_HAND + team] = hand
    row[COL_MORTO + team] = now.penalty[team]
    row[COL_SCORE + team] = cards + bonus + go_out + hand + now.penalty[team]
    return cards + bonus + go_out + hand + now.penalty[team]
