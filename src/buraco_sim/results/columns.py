"""Rows of deals as narrow arrays, and as an Arrow table: both follow the table of columns in :mod:`buraco_sim.layout`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from buraco_sim.layout import COLUMN_INDEX, COLUMNS, MATCH_COLUMNS, NULL, Column

_NUMPY_TYPES: Final[dict[str, Any]] = {"int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64, "dictionary": np.int8}
_ARROW_TYPES: Final[dict[str, pa.DataType]] = {
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
}

#: The columns of deals that belong to matches.
DEALS_OF_MATCHES: Final = (*COLUMNS, *MATCH_COLUMNS)


def arrow_schema(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow schema of some columns."""
    return pa.schema([pa.field(c.name, _ARROW_TYPES[c.type], nullable=c.nullable) for c in columns])


#: The Arrow schema of a part.
ARROW_SCHEMA: Final = arrow_schema(COLUMNS)


class Block:
    """Rows of deals, one narrow array a column.

    Parameters
    ----------
    n : int
        Number of rows.
    names : dict of str to sequence of str
        The values of each dictionary column that the kernel does not fill: ``variant``, ``strategy_0``, ``strategy_1``.
    columns : sequence of Column
        By default those of a deal.

    Attributes
    ----------
    arrays : dict of str to ndarray, shape (n,)
        Values; of a dictionary column the index of the name; 0 where `nulls` says that there is none.
    nulls : dict of str to ndarray of bool, shape (n,)
        Of each nullable column, where it has no value.
    """

    def __init__(self, n: int, names: Mapping[str, Sequence[str]], columns: Sequence[Column] = COLUMNS) -> None:
        self.columns = tuple(columns)
        self.names = {c.name: tuple(names[c.name]) if c.source == "run" else c.values for c in columns if c.type == "dictionary"}
        self.arrays: dict[str, npt.NDArray[Any]] = {c.name: np.zeros(n, _NUMPY_TYPES[c.type]) for c in columns}
        self.nulls: dict[str, npt.NDArray[np.bool_]] = {c.name: np.zeros(n, np.bool_) for c in columns if c.nullable}

    @classmethod
    def concat(cls, blocks: Sequence[Block]) -> Block:
        """The rows of one or more blocks of the same columns and names, one after the other."""
        first = blocks[0]
        joined = cls(0, first.names, first.columns)
        joined.arrays = {name: np.concatenate([block.arrays[name] for block in blocks]) for name in first.arrays}
        joined.nulls = {name: np.concatenate([block.nulls[name] for block in blocks]) for name in first.nulls}
        return joined

    def take(self, rows: Any) -> Block:
        """Some of the rows: a slice, indices or a mask."""
        taken = Block(0, self.names, self.columns)
        taken.arrays = {name: values[rows] for name, values in self.arrays.items()}
        taken.nulls = {name: values[rows] for name, values in self.nulls.items()}
        return taken

    def __len__(self) -> int:
        return len(self.arrays["deal"])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.arrays[name]

    def fill(self, rows: slice, matrix: npt.NDArray[np.int32]) -> None:
        """Write the kernel's columns, int32[m, len(KERNEL_COLUMNS)], into m rows."""
        for name, index in COLUMN_INDEX.items():
            values = matrix[:, index]
            if name in self.nulls:
                missing = values == NULL
                self.nulls[name][rows] = missing
                values = np.where(missing, 0, values)
            self.arrays[name][rows] = values

    def row(self, index: int) -> dict[str, Any]:
        """One row as plain values: names for dictionary columns, None for null."""
        return {c.name: self._value(c, index) for c in self.columns}

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table."""
        return pa.Table.from_arrays([self._arrow(c) for c in self.columns], schema=arrow_schema(self.columns))

    def _value(self, column: Column, index: int) -> Any:
        if column.name in self.nulls and self.nulls[column.name][index]:
            return None
        value = int(self.arrays[column.name][index])
        return self.names[column.name][value] if column.name in self.names else value

    def _arrow(self, column: Column) -> pa.Array[Any]:
        values = self.arrays[column.name]
        if column.type == "dictionary":
            return pa.DictionaryArray.from_arrays(pa.array(values.astype(np.int32)), pa.array(self.names[column.name], pa.string()))
        return pa.array(values, _ARROW_TYPES[column.type], mask=self.nulls.get(column.name))


def block_of_table(table: pa.Table) -> Block:
    """Read back what :meth:`Block.to_arrow` wrote of deals."""
    columns = DEALS_OF_MATCHES if "match" in table.column_names else COLUMNS
    dictionaries = {c.name: table.column(c.name).combine_chunks() for c in columns if c.type == "dictionary"}
    names = {name: column.dictionary.to_pylist() for name, column in dictionaries.items()}
    block = Block(table.num_rows, names, columns)
    for c in columns:
        column = dictionaries[c.name].indices if c.name in dictionaries else table.column(c.name).combine_chunks()
        if c.name in block.nulls:
            block.nulls[c.name][:] = np.asarray(column.is_null())
            column = column.fill_null(0)
        block.arrays[c.name][:] = column.to_numpy(zero_copy_only=False)
        if c.name in dictionaries and c.source == "kernel":
            order = np.array([c.values.index(name) for name in names[c.name]], np.int8)
            block.arrays[c.name] = order[block.arrays[c.name]] if len(order) else block.arrays[c.name]
    return block
