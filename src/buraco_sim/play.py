"""What a strategy of one's own is written with: the legal actions, and names for the parts of actions, cards and melds.

Every function here may be called from compiled strategies (`@strategy`) and from plain Python ones (`@python_strategy`).
A view is the argument `view` of a strategy; actions, cards and melds are integers:

* an action is one of `DRAW_STOCK`, `DRAW_PILE`, `PASS`, or made by `lay(slot, meld)` or `discard(card)`;
* a card is ``16 * suit + rank``, suits 0..3 = s h d c, ranks 0..12 = ace .. king; the joker is `JOKER`;
* a meld is what a team's slot holds on the table, 0 = none.

The two that know the whole rules, `legal_actions` and `is_legal`, are compiled once a machine and called through their
address, so that a strategy that uses them compiles in a moment.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import llvmlite.binding
from numba import carray, types
from numba.core import cgutils, config
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from buraco_sim._jit import entry, kernel_sources, unit_folder
from buraco_sim.kernels import bits, legal, melds, turn
from buraco_sim.kernels.policies import plan
from buraco_sim.kernels.signature import VIEW_RECORD
from buraco_sim.layout import (
    ACT_DISCARD,
    ACT_DRAW_PILE,
    ACT_DRAW_STOCK,
    ACT_MELD,
    ACT_PASS,
    JOKER,
    PENDING_ANY,
    PENDING_NONE,
    PENDING_TOP,
    PHASE_DRAW,
    PHASE_PLAY,
)

__all__ = [
    "ACT_DISCARD",
    "ACT_DRAW_PILE",
    "ACT_DRAW_STOCK",
    "ACT_MELD",
    "ACT_PASS",
    "DRAW_PILE",
    "DRAW_STOCK",
    "JOKER",
    "MANY",
    "PASS",
    "PENDING_ANY",
    "PENDING_NONE",
    "PENDING_TOP",
    "PHASE_DRAW",
    "PHASE_PLAY",
    "canasta_bonus",
    "card_points",
    "chance",
    "discard",
    "discarded_card",
    "fits",
    "has_wild",
    "is_legal",
    "is_set",
    "is_wild",
    "kind",
    "lay",
    "legal_actions",
    "meld_after",
    "meld_before",
    "meld_points",
    "meld_size",
    "n_held",
    "n_laid",
    "n_near",
    "n_wilds",
    "rank",
    "slot",
    "suit",
    "table_meld",
]

DRAW_STOCK: Final = ACT_DRAW_STOCK
DRAW_PILE: Final = ACT_DRAW_PILE
PASS: Final = ACT_PASS
MANY: Final = 1024  # room for the legal actions of nearly every position

SOURCES: Final = (*kernel_sources(), Path(plan.__file__), Path(__file__))
FOLDER: Final = unit_folder("play", SOURCES)

_I = types.int64
_WORDS = types.int64[::1]
_VIEW_POINTER = types.CPointer(VIEW_RECORD)


# ---- through their address


@intrinsic  # type: ignore[untyped-decorator]
def _address(typing_context: Any, record: Any) -> Any:
    """Where a record lies."""
    return types.voidptr(record), lambda context, builder, signature, args: builder.bitcast(args[0], cgutils.voidptr_t)


@intrinsic  # type: ignore[untyped-decorator]
def _data(typing_context: Any, array: Any) -> Any:
    """Where the numbers of an array lie."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.bitcast(make_array(signature.args[0])(context, builder, args[0]).data, cgutils.voidptr_t)

    return types.voidptr(array), codegen


def _by_address(name: str, function: Any, n_numbers: int) -> Any:
    """A compiled function of a view's address and some more words, as a symbol that other compiled code calls."""
    (compiled,) = function.overloads.values()
    llvmlite.binding.add_symbol(name, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))
    more = [types.voidptr] * (n_numbers - 1) + [types.int64]
    return types.ExternalFunction(name, types.int64(types.voidptr, *more))


if config.DISABLE_JIT:

    def legal_actions(view: Any, buffer: Any) -> int:
        """Write the legal actions into `buffer`."""
        return min(legal.list_actions(view.rules, view, buffer), len(buffer))

    def is_legal(view: Any, action: int) -> bool:
        """Whether an action is legal."""
        return legal.is_legal(view.rules, view, action)

else:

    @entry(_I(_VIEW_POINTER, types.CPointer(_I), _I), FOLDER, _nrt=True)  # a view of memory counts as an array made here
    def _legal_actions(view, buffer, size):  # type: ignore[no-untyped-def]
        now = carray(view, (1,))[0]
        return min(legal.list_actions(now.rules, now, carray(buffer, (size,))), size)

    @entry(_I(_VIEW_POINTER, _I), FOLDER, _nrt=True)
    def _is_legal(view, action):  # type: ignore[no-untyped-def]
        now = carray(view, (1,))[0]
        return int(legal.is_legal(now.rules, now, action))

    _list = _by_address("buraco_legal_actions", _legal_actions, 2)
    _judge = _by_address("buraco_is_legal", _is_legal, 1)

    @entry(_I(VIEW_RECORD, _WORDS), FOLDER)
    def legal_actions(view, buffer):  # type: ignore[no-untyped-def]
        """Write the legal actions into `buffer`, int64[n]; returns how many were written.

        Draws or discards come first, then a pass, then meld actions, every reading of every part of the hand. Of more than
        there is room for the last are left out; `MANY` is room enough for nearly every position.
        """
        return _list(_address(view), _data(buffer), len(buffer))

    @entry(types.boolean(VIEW_RECORD, _I), FOLDER)
    def is_legal(view, action):  # type: ignore[no-untyped-def]
        """Whether an action, any integer, is legal."""
        return _judge(_address(view), action) != 0


def _helper(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a small function once a machine, for compiled and for plain strategies."""
    return entry(signature, FOLDER)


# ---- actions


@_helper(_I(_I))
def kind(action: int) -> int:
    """Kind of an action: `ACT_DRAW_STOCK`, `ACT_DRAW_PILE`, `ACT_MELD`, `ACT_DISCARD` or `ACT_PASS`."""
    return action & 7


@_helper(_I(_I))
def slot(action: int) -> int:
    """Slot of a meld action; ``view.n_melds[view.team]`` opens a new meld."""
    return (action >> 3) & 63


@_helper(_I(_I))
def meld_after(action: int) -> int:
    """The meld that a meld action leaves in its slot."""
    return action >> 9


@_helper(_I(_I))
def discarded_card(action: int) -> int:
    """The card of a discard."""
    return action >> 9


@_helper(_I(_I, _I))
def lay(slot: int, meld: int) -> int:
    """The action that makes a slot of the own table hold this meld."""
    return ACT_MELD | (slot << 3) | (meld << 9)


@_helper(_I(_I))
def discard(card: int) -> int:
    """The action that discards a card."""
    return ACT_DISCARD | (card << 9)


# ---- cards


@_helper(_I(_I))
def suit(card: int) -> int:
    """Suit of a card, 0..3 = s h d c; 4 for a joker."""
    return card >> 4


@_helper(_I(_I))
def rank(card: int) -> int:
    """Rank of a card, 0..12 = ace .. king; 13 for a joker."""
    return 13 if card == JOKER else card & 15


@_helper(types.boolean(_I))
def is_wild(card: int) -> bool:
    """Whether a card is a joker or a 2."""
    return turn.is_wild(card)


@_helper(_I(VIEW_RECORD, _I))
def card_points(view: Any, card: int) -> int:
    """Points of a card by the rules of this deal."""
    return view.rules.card_points[card]


@_helper(_I(VIEW_RECORD, _I))
def n_held(view: Any, card: int) -> int:
    """How many copies of a card the own hand has."""
    if card == JOKER:
        return view.jokers
    return ((view.once >> card) & 1) + ((view.twice >> card) & 1)


@_helper(_I(VIEW_RECORD))
def n_wilds(view: Any) -> int:
    """How many 2s and jokers the own hand has."""
    return bits.wilds_in(view.once, view.twice, view.jokers)


@_helper(_I(VIEW_RECORD, _I))
def n_near(view: Any, card: int) -> int:
    """How many other cards of the own hand go with a card: up to two ranks away in its suit, or of its rank where sets are legal."""
    if card == JOKER:
        return 0
    place = card & 15
    lane = bits.places(view.once & ~bits.ALL_TWOS, card >> 4)
    near = bits.popcount(lane & ((0x1F << place) >> 2) & ~(1 << place))
    if place == 0:  # the high ace
        near += bits.popcount(lane & 0x1800)
    if (view.rules.melds_sets >> place) & 1:
        for other in range(place, 64, 16):
            near += n_held(view, other) - (other == card)
    return near


# ---- melds


@_helper(_I(VIEW_RECORD, _I, _I))
def table_meld(view: Any, team: int, slot: int) -> int:
    """The meld in a slot of a team's table; 0 where there is none."""
    return melds.meld_at(view, team, slot) if 0 <= slot < view.n_melds[team] else 0


@_helper(_I(VIEW_RECORD, _I))
def meld_before(view: Any, action: int) -> int:
    """What the slot of a meld action holds before it; 0 if the action opens a new meld."""
    return table_meld(view, view.team, slot(action))


@_helper(_I(_I))
def meld_size(meld: int) -> int:
    """Number of cards of a meld, 0 for none."""
    return melds.n_cards(meld) if meld else 0


@_helper(_I(VIEW_RECORD, _I))
def n_laid(view: Any, action: int) -> int:
    """How many cards leave the hand by a meld action."""
    return meld_size(meld_after(action)) - meld_size(meld_before(view, action))


@_helper(types.boolean(_I))
def has_wild(meld: int) -> bool:
    """Whether a card of a meld lies as a wild."""
    return melds.wild_of(meld) != 0


@_helper(types.boolean(_I))
def is_set(meld: int) -> bool:
    """Whether a meld is a set; else it is a run."""
    return melds.is_set(meld)


@_helper(_I(VIEW_RECORD, _I))
def meld_points(view: Any, meld: int) -> int:
    """Points of the cards of a meld, 0 for none."""
    return melds.meld_points(view.rules, meld) if meld else 0


@_helper(_I(VIEW_RECORD, _I))
def canasta_bonus(view: Any, meld: int) -> int:
    """Bonus of a meld as it is, 0 if it is no canasta."""
    return view.rules.canasta_points[melds.canasta_class(view.rules, meld)] if meld else 0


@_helper(types.boolean(VIEW_RECORD, _I, _I))
def fits(view: Any, team: int, card: int) -> bool:
    """Whether a natural card would lengthen a meld of a team's table, or free its wild."""
    return card != JOKER and (view.fits[team] >> card) & 1 != 0


# ---- chance


@_helper(types.float64(VIEW_RECORD))
def chance(view: Any) -> float:
    """A random number 0 <= x < 1, new at every decision, the same when the deal is replayed."""
    return (view.random >> 10) / 9007199254740992.0
