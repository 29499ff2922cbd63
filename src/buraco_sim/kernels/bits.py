"""Sets of cards as lanes: four 16-bit lanes in an int64, suit `s` at bit `16 * s`, rank ace = 0 ... king = 12.

A hand is two such planes, `once` (at least one copy) and `twice` (both copies), and a count of jokers. Within one suit a
lane is widened to *places*: bit 13 is the ace again, standing high. The two top bits of a lane stay clear, so that a shift
never leaks into the next suit and bit 63 is never set: all masks are int64.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from buraco_sim._jit import kernel

RANK_LANE: Final = 0x1FFF
ALL_CARDS: Final = 0x1FFF1FFF1FFF1FFF
ALL_ACES: Final = 0x0001000100010001
ALL_TWOS: Final = 0x0002000200020002
ALL_LOW: Final = 0x007C007C007C007C  # 3 to 7
ALL_HIGH: Final = 0x1F801F801F801F80  # 8 to king
JOKER: Final = 64
HIGH_ACE: Final = 13


def _count_bits(name: str) -> Any:
    """An intrinsic for one of LLVM's bit counters."""

    @intrinsic  # type: ignore[untyped-decorator]
    def count(typing_context: Any, x: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            if name == "ctpop":
                return builder.ctpop(args[0])
            return getattr(builder, name)(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.int64), codegen

    return count


_ctpop, _cttz, _ctlz = _count_bits("ctpop"), _count_bits("cttz"), _count_bits("ctlz")


def popcount(x: int) -> int:
    """Number of bits set in a mask, 0..63."""
    return int(x).bit_count()


def lowest(x: int) -> int:
    """Index of the lowest bit set; 64 for an empty mask."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


def highest(x: int) -> int:
    """Index of the highest bit set; -1 for an empty mask."""
    return int(x).bit_length() - 1


@overload(popcount, strict=False)  # type: ignore[untyped-decorator]
def _popcount(x: Any) -> Any:
    return lambda x: _ctpop(x)


@overload(lowest, strict=False)  # type: ignore[untyped-decorator]
def _lowest(x: Any) -> Any:
    return lambda x: _cttz(x)


@overload(highest, strict=False)  # type: ignore[untyped-decorator]
def _highest(x: Any) -> Any:
    return lambda x: 63 - _ctlz(x)


@kernel
def places(plane: int, suit: int) -> int:
    """Lane of a suit as 14 places, the ace at 0 and at 13."""
    lane = (plane >> (16 * suit)) & RANK_LANE
    return lane | ((lane & 1) << 13)


@kernel
def more_once(a1: int, a2: int, b1: int, b2: int) -> int:
    """Cards of which the pair of planes `a` holds at least one more than `b`."""
    return (a1 & ~b1) | (a2 & ~b2)


@kernel
def more_twice(a2: int, b1: int) -> int:
    """Cards of which the pair of planes `a` holds two more than `b`."""
    return a2 & ~b1


@kernel
def plane_points(card_points: Any, plane: int) -> int:
    """Points of the cards of one plane."""
    return (
        card_points[2] * popcount(plane & ALL_LOW)
        + card_points[7] * popcount(plane & ALL_HIGH)
        + card_points[0] * popcount(plane & ALL_ACES)
        + card_points[1] * popcount(plane & ALL_TWOS)
    )


@kernel
def wilds_in(once: int, twice: int, jokers: int) -> int:
    """How many 2s and jokers a set of cards has."""
    return popcount(once & ALL_TWOS) + popcount(twice & ALL_TWOS) + jokers


@kernel
def mask_of(low: int, high: int) -> int:
    """Places `low` to `high`, both included."""
    return (1 << (high + 1)) - (1 << low)


@kernel
def widened(once: int) -> int:
    """All four lanes as places: the aces stand at 13 too."""
    return once | ((once & ALL_ACES) << HIGH_ACE)


@kernel
def in_threes(lanes: int) -> int:
    """Places that stand in three or more in a row."""
    starts = lanes & (lanes >> 1) & (lanes >> 2)
    return starts | (starts << 1) | (starts << 2)


@kernel
def near(lanes: int) -> int:
    """Places one or two from a place of the set."""
    return (lanes << 1) | (lanes >> 1) | (lanes << 2) | (lanes >> 2)
