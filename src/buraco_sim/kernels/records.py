"""Copying and clearing records as blocks of memory: no array is made, so that no reference is counted in the inner loop."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


@intrinsic  # type: ignore[untyped-decorator]
def _copy(typing_context: Any, target: Any, source: Any, size: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], args[2], 1)
        return context.get_dummy_value()

    return types.void(target, source, types.int64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _clear(typing_context: Any, target: Any, size: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        cgutils.memset(builder, args[0], args[1], 0)
        return context.get_dummy_value()

    return types.void(target, types.int64), codegen


def copy_record(target: Any, source: Any, size: int) -> None:
    """Copy the first `size` bytes of a record over those of another of the same type, `size` at the end of a field."""
    for name in target.dtype.names:
        if target.dtype.fields[name][1] < size:
            target[name] = source[name]


def clear_record(target: Any, size: int) -> None:
    """Set the first `size` bytes of a record to zero, `size` at the end of a field."""
    for name in target.dtype.names:
        if target.dtype.fields[name][1] < size:
            target[name] = 0


@overload(copy_record, strict=False)  # type: ignore[untyped-decorator]
def _copy_record(target: Any, source: Any, size: Any) -> Any:
    return lambda target, source, size: _copy(target, source, size)


@overload(clear_record, strict=False)  # type: ignore[untyped-decorator]
def _clear_record(target: Any, size: Any) -> Any:
    return lambda target, size: _clear(target, size)
