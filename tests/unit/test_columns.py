"""Rows as narrow arrays and as Arrow tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from buraco_sim.job import Job, make_job
from buraco_sim.layout import COLUMNS, KERNEL_COLUMNS, NULL
from buraco_sim.results.columns import ARROW_SCHEMA, Block, block_of_table
from buraco_sim.results.reference import runs_page
from buraco_sim.simulate import play_parts
from fake_engine import FakeEngine


def block_of(job: Job) -> Block:
    """The rows of a job of one part."""
    (part,) = play_parts(job, threads=1)
    return part.block


def names() -> dict[str, list[str]]:
    return {"variant": ["stbl"], "strategy_0": ["a"], "strategy_1": ["b"]}


def test_the_schema_follows_the_table_of_columns() -> None:
    assert ARROW_SCHEMA.names == [c.name for c in COLUMNS]
    for column, entry in zip(COLUMNS, ARROW_SCHEMA, strict=True):
        assert entry.nullable == column.nullable
        assert pa.types.is_dictionary(entry.type) if column.type == "dictionary" else str(entry.type) == column.type


def test_the_page_of_columns_is_current(root: Path) -> None:
    assert (root / "docs" / "runs.md").read_text(encoding="utf-8") == runs_page(), "run `make docs`"


def test_every_column_of_the_kernel_lands_under_its_name() -> None:
    matrix = np.arange(len(KERNEL_COLUMNS), dtype=np.int32)[None, :].copy()
    for i, column in enumerate(KERNEL_COLUMNS):
        if column.values:
            matrix[0, i] = i % len(column.values)
    block = Block(1, names())
    block.fill(slice(0, 1), matrix)
    for i, column in enumerate(KERNEL_COLUMNS):
        assert block.row(0)[column.name] == (column.values[i % len(column.values)] if column.values else i)


def test_null_is_none_and_no_number() -> None:
    matrix = np.zeros((2, len(KERNEL_COLUMNS)), np.int32)
    nullable = [i for i, column in enumerate(KERNEL_COLUMNS) if column.nullable]
    matrix[1, nullable] = NULL
    block = Block(2, names())
    block.fill(slice(0, 2), matrix)
    table = block.to_arrow()
    for i in nullable:
        name = KERNEL_COLUMNS[i].name
        assert table.column(name).to_pylist() == [0, None]
        assert block.row(1)[name] is None


@pytest.mark.parametrize("players", ["greedy", "greedy,random"])
def test_a_block_comes_back_from_arrow_as_it_was(engine: FakeEngine, players: str) -> None:
    block = block_of(make_job("stbl", players, deals=50))
    table = block.to_arrow()
    table.validate(full=True)
    back = block_of_table(table)
    assert [back.row(i) for i in range(len(back))] == [block.row(i) for i in range(len(block))]
    assert back.to_arrow().equals(table)


def test_rows_stand_in_the_order_of_deal_and_table_and_say_who_sat_where(engine: FakeEngine) -> None:
    table = block_of(make_job("stbl", "greedy,random", deals=3, first_deal=5)).to_arrow()
    assert table.column("deal").to_pylist() == [5, 5, 6, 6, 7, 7]
    assert table.column("table").to_pylist() == [0, 1] * 3
    assert table.column("starter").to_pylist() == [1, 1, 2, 2, 3, 3]
    assert table.column("strategy_0").to_pylist() == ["greedy", "random"] * 3
    assert table.column("strategy_1").to_pylist() == ["random", "greedy"] * 3
