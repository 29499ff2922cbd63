"""SQL over the parts of a run folder, by DuckDB: the memory needed does not depend on the number of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from buraco_sim.errors import InputError, RunError, shown
from buraco_sim.layout import COLUMNS
from buraco_sim.results.columns import ARROW_SCHEMA
from buraco_sim.results.reader import Run

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

MEMORY: Final = "1GB"
VIEW: Final = "deals"


def connect(threads: int | None = None) -> duckdb.DuckDBPyConnection:
    """Open a DuckDB in memory that keeps within :data:`MEMORY` and asks nothing of the network.

    Raises
    ------
    InputError
        If DuckDB is not installed.
    """
    try:
        import duckdb
    except ImportError:
        raise InputError("DuckDB is not installed", expected="pip install 'buraco-sim[report]'") from None
    settings: dict[str, Any] = {"memory_limit": MEMORY, "preserve_insertion_order": "false", "autoinstall_known_extensions": "false"}
    return duckdb.connect(config=settings | ({"threads": threads} if threads else {}))


def scan(paths: Iterable[str | Path]) -> str:
    """The SQL that reads parts as one table, small numbers as INTEGER: DuckDB lets ``clean_0 * 200`` overflow in 8 bits."""
    listed = ", ".join("'" + str(path).replace("'", "''") + "'" for path in paths)
    wider = ", ".join(f'"{column.name}"::integer as "{column.name}"' for column in COLUMNS if column.type in ("int8", "int16"))
    return f"(select * replace ({wider}) from read_parquet([{listed}]))"


def sql(run: str | Path | Run, query: str) -> pa.Table:
    """Ask a question of one's own about the rows of a run.

    Parameters
    ----------
    run : str, Path or Run
        The run folder.
    query : str
        In DuckDB's SQL; the rows are the table ``deals`` with the columns of ``buraco schema``.

    Returns
    -------
    pyarrow.Table

    Raises
    ------
    InputError
        If the SQL is wrong.
    RunError
        If the folder is no run, or a part is missing or damaged.

    Examples
    --------
    >>> import buraco_sim as b
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     run = b.simulate_to(f"{folder}/run", "stbl", "greedy", deals=4, seed=1)
    ...     b.sql(run, "select count(*) as n, min(deal) as first from deals").to_pylist()
    [{'n': 4, 'first': 0}]
    """
    import duckdb

    folder = run if isinstance(run, Run) else Run.open(run)
    with connect() as connection:
        _create_view(connection, folder)
        try:
            return connection.sql(query).to_arrow_table()
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            raise RunError(f"{folder.root}: {_first_line(error)}") from None
        except (duckdb.Error, AttributeError) as error:
            raise InputError(f"SQL {shown(query)}: {_first_line(error)}", expected=f"a query of the table {VIEW}") from None


def _create_view(connection: duckdb.DuckDBPyConnection, run: Run) -> None:
    paths = [run.root / entry.path for entry in run.manifest.parts]
    missing = [path for path in paths if not path.exists()]
    if missing:
        raise RunError(f"{missing[0]}: this part is missing")
    if paths:
        connection.execute(f"create view {VIEW} as select * from {scan(paths)}")
    else:
        connection.register(VIEW, ARROW_SCHEMA.empty_table())


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]


def rows_of(table: pa.Table) -> Iterator[list[str]]:
    """The rows of a result as texts, null as an empty text."""
    for row in table.to_pylist():
        yield ["" if value is None else str(value) for value in row.values()]
