"""Memory without the allocator: records copied and cleared as blocks, short arrays and records on the stack."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np import arrayobj


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


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def _on_stack(typing_context: Any, size: Any) -> Any:
    result = types.Array(types.int64, 1, "C")
    return result(size), lambda context, builder, signature, args: _array_on_stack(context, builder, result, size.literal_value)


@intrinsic  # type: ignore[untyped-decorator]
def _record_on_stack(typing_context: Any, dtype: Any) -> Any:
    result = types.Array(dtype.dtype, 1, "C")
    return result(dtype), lambda context, builder, signature, args: _array_on_stack(context, builder, result, 1)


def _array_on_stack(context: Any, builder: Any, result: Any, n: int) -> Any:
    size = context.get_abi_sizeof(context.get_data_type(result.dtype))
    with builder.goto_entry_block():  # not `cgutils.alloca_once`, which also clears it with every call
        memory = builder.alloca(ir.ArrayType(ir.IntType(8), n * size))
        memory.align = 64  # a line of the processor's cache
    array = arrayobj.make_array(result)(context, builder)
    length, item = context.get_constant(types.intp, n), context.get_constant(types.intp, size)
    data = builder.bitcast(memory, array.data.type)
    arrayobj.populate_array(array, data=data, shape=[length], strides=[item], itemsize=item, meminfo=None)
    return array._getvalue()


def stack_words(size: int) -> Any:
    """An int64[size] with anything in it, `size` a constant; it lives until the function that asked for it returns."""
    return np.empty(size, np.int64)


def stack_record(dtype: Any) -> Any:
    """An array of one record with anything in it; it lives until the function that asked for it returns."""
    return np.recarray(1, dtype)


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


@overload(stack_words, strict=False, prefer_literal=True, inline="always", jit_options={"_nrt": True})  # type: ignore[untyped-decorator]
def _stack_words(size: Any) -> Any:
    return lambda size: _on_stack(size)


@overload(stack_record, strict=False, inline="always", jit_options={"_nrt": True})  # type: ignore[untyped-decorator]
def _stack_record(dtype: Any) -> Any:
    return lambda dtype: _record_on_stack(dtype)


@overload(copy_record, strict=False)  # type: ignore[untyped-decorator]
def _copy_record(target: Any, source: Any, size: Any) -> Any:
    return lambda target, source, size: _copy(target, source, size)


@overload(clear_record, strict=False)  # type: ignore[untyped-decorator]
def _clear_record(target: Any, size: Any) -> Any:
    return lambda target, size: _clear(target, size)
