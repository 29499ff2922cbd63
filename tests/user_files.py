"""Users' strategies for tests."""

from __future__ import annotations

from collections.abc import Callable

Write = Callable[..., str]

HEAD = """
import numpy as np
from buraco_sim import Weight, python_strategy, strategy
from buraco_sim.play import *

"""

#: Takes the first legal action: it draws from the stock and discards.
FIRST = '''
@strategy
def decide(view, weights, scratch):
    """Takes the first legal action."""
    actions = np.empty(MANY, np.int64)
    legal_actions(view, actions)
    return actions[0]
'''
