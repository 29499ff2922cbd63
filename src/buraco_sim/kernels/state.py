"""What the engine knows beyond the view: the other hands, the stock, the mortos, and counts for the columns.

The record STATE belongs to one deal. `now`, a VIEW record beside it, is the truth about the seat to move; on a change of
seat its hand is put back here and the next one's taken out.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from buraco_sim.layout import MAX_CARDS, MAX_MORTOS, MAX_SEATS, SCRATCH_WORDS

_I = np.int64
MOST_TURNS: Final = 2000  # the largest turn cap
MOST_EVENTS: Final = 8192  # of one deal: a draw and a discard a turn, every card melded, mortos

STATE: Final = np.dtype(
    [
        ("once", _I, (MAX_SEATS,)),  # hands of the seats that are not to move
        ("twice", _I, (MAX_SEATS,)),
        ("jokers", _I, (MAX_SEATS,)),
        ("points", _I, (MAX_SEATS,)),  # of every hand, the mover's brought up to date at the end of its turn
        ("fresh", _I, (MAX_SEATS,)),  # took a morto by a discard and has not acted since
        ("counter", np.uint64, (MAX_SEATS,)),  # random words drawn by each seat
        ("key", np.uint64, (MAX_SEATS,)),
        ("top_once", _I, (MAX_SEATS,)),  # known cards of a hand for those who saw only the top of a closed pile
        ("top_twice", _I, (MAX_SEATS,)),
        ("top_jokers", _I, (MAX_SEATS,)),
        ("stock_next", _I),  # place in the deck of the next card to draw
        ("stock_end", _I),  # and of the first that is not drawn before a morto becomes the stock
        ("dead", _I),  # cards that are never drawn
        ("morto_start", _I, (MAX_MORTOS,)),
        ("morto_size", _I, (MAX_MORTOS,)),
        ("next_morto", _I),  # the next one to be taken
        ("end_morto", _I),  # one past the last one left
        ("out_seat", _I),  # -1 until somebody goes out
        ("taken_turn", _I, (2,)),  # of the first morto, 0 = none
        ("taken_mode", _I, (2,)),
        ("piles", _I, (2,)),
        ("pile_cards", _I, (2,)),
        ("cleaned", _I, (2,)),
        ("dirtied", _I, (2,)),
        ("lead", _I),  # sign of the running margin when it was last not zero
        ("lead_changes", _I),
        ("last_lead_turn", _I),
        ("best", _I, (2,)),  # largest running lead of each team
        ("n_events", _I),  # of this deal
        ("scratch", _I, (MAX_SEATS, SCRATCH_WORDS)),  # the players' own memory
        # from here on nothing is cleared between deals
        ("room", _I),  # for events: 0 in bulk runs
        ("deck", _I, (MAX_CARDS,)),  # as dealt: hands, mortos, upcard, stock
        ("pile", _I, (MAX_CARDS,)),  # bottom to top
        ("margins", np.int32, (MOST_TURNS + 2,)),  # running margin of team 0 by turn
        ("events", np.int32, (MOST_EVENTS, 4)),
    ]
)
STATE_BYTES: Final = dict(STATE.fields or {})["room"][1]  # cleared between deals
