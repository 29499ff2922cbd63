"""A player of my own.

    buraco strategies check {file}:decide
    buraco compare {file}:decide random
    buraco replay --players {file}:decide,greedy --deal 0

The engine calls `decide` again and again until the turn is over: first for the draw, then for each meld, last for the
discard. `view` is what the seat may see, and what is written into it changes nothing; `weights` are the numbers declared
below; `scratch` is an array of 64 integers of your own, zeroed at the start of every deal. Numba compiles what is written
here: numbers, loops, functions of this file. What a view holds and what `buraco_sim.play` offers: docs/your-own-strategy.md.
"""

import numpy as np

from buraco_sim import Weight, strategy
from buraco_sim.play import (
    ACT_DISCARD,
    ACT_MELD,
    DRAW_PILE,
    DRAW_STOCK,
    MANY,
    PHASE_DRAW,
    canasta_bonus,
    card_points,
    discarded_card,
    fits,
    is_wild,
    kind,
    legal_actions,
    meld_after,
    meld_before,
    n_laid,
    n_near,
)

# The numbers to play with, in a strategy file or here: their place is that in the argument `weights`.
KEEP = 0
WEIGHTS = [Weight("keep", 12, 0, 100, "points", "a card of the hand that goes with the one to be discarded")]


def wants_pile(view, weights):
    """Whether to take the pile, which is legal now."""
    return fits(view, view.team, view.pile_top) or view.n_pile >= 3


def meld_value(view, action, weights):
    """What a meld action is worth; one that is worth less than nothing is left out."""
    bonus = canasta_bonus(view, meld_after(action)) - canasta_bonus(view, meld_before(view, action))
    return 10.0 * n_laid(view, action) + bonus


def discard_value(view, card, weights):
    """How gladly a card is discarded."""
    value = 0.5 * card_points(view, card) - weights[KEEP] * n_near(view, card)
    return value - 100.0 if is_wild(card) else value


@strategy(weights=WEIGHTS)
def decide(view, weights, scratch):
    """Lays what it can, keeps cards that go together."""
    if view.phase == PHASE_DRAW:
        return DRAW_PILE if view.take_legal and wants_pile(view, weights) else DRAW_STOCK
    actions = np.empty(MANY, np.int64)
    best, best_value = 0, -1e9
    for i in range(legal_actions(view, actions)):
        action = actions[i]
        value = -1e6  # a pass, or a meld that is worth less than nothing: only if there is nothing else
        if kind(action) == ACT_MELD:
            worth = meld_value(view, action, weights)
            if worth > 0:
                value = worth
        elif kind(action) == ACT_DISCARD:
            value = discard_value(view, discarded_card(action), weights) - 1000  # after all melds
        if value > best_value:
            best, best_value = action, value
    return best
