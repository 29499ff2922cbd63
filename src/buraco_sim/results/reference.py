"""The page `docs/runs.md`, written from the table of columns.

``python -m buraco_sim.results.reference docs/runs.md`` writes it; a test holds it current.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from buraco_sim.job import DEFAULT_SEED, PART_DEALS, SCHEMA_VERSION
from buraco_sim.layout import COLUMNS, MATCH_COLUMNS, Column
from buraco_sim.results.match_table import RESULT_COLUMNS

HEAD: Final = f"""\
# Run folders

<!-- Written by `make docs` from src/buraco_sim/layout.py and src/buraco_sim/results/reference.py. -->

`buraco simulate --out RUN` writes a run folder (schema version {SCHEMA_VERSION}):

```
RUN/ manifest.json   what was asked for, by which version, on which machine; rows, bytes and sha256 of every part; the state
     run.toml        the resolved configuration: `buraco simulate --config RUN/run.toml --out OTHER` repeats the run
     deals/VARIANT/A-vs-B/part-000000.parquet ...   {PART_DEALS:,} deals each, whatever the number of threads
     matches/VARIANT/A-vs-B/part-000000.parquet     of a run of matches: one row a match, and which deals belong to it
```

A part is there and whole, or not there at all. The same command line and seed (by default {DEFAULT_SEED}) give the same bytes for
any number of threads, on one version. The footer of a part (key `buraco_sim`) says what was played: rules, strategies, seed, deals.

```
buraco verify RUN                 every part against the manifest; --sample 100 also replays and referees 100 rows
buraco replay RUN --deal 7        the deal of a row, step by step; --json as a trace
buraco simulate --config RUN/run.toml --out RUN --resume      go on after an interruption
```

The parts are plain Parquet:

```sql
select end_reason, count(*), avg(turns) from 'RUN/deals/**/*.parquet' group by all   -- DuckDB
```

```python
import buraco_sim as b

deals = b.Run.open("RUN").table()  # an Arrow table, every byte checked
```

## Columns

One row a deal and table. `_0`, `_1`: the team. The five parts `cards`, `canastas`, `go_out`, `hand` and `morto` add up to `score`.
The same list: `buraco schema`, `buraco schema --json`."""


def _row(column: Column) -> str:
    values = f": {', '.join(f'`{value}`' for value in column.values)}" if column.values else ""
    return f"| `{column.name}` | {column.type} | {column.unit} | {column.meaning}{values} |"


def _table(columns: Iterable[Column]) -> str:
    return "\n".join(["| column | type | unit | meaning |", "| --- | --- | --- | --- |", *map(_row, columns)])


def runs_page() -> str:
    """Return the whole page as Markdown."""
    of_matches = "The table of matches, one row a match and table:"
    return "\n\n".join([HEAD, _table(COLUMNS), "In matches also:", _table(MATCH_COLUMNS), of_matches, _table(RESULT_COLUMNS)]) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(runs_page(), encoding="utf-8")
