"""`buraco schema`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from buraco_sim.cli.options import AsJson
from buraco_sim.cli.output import print_json

if TYPE_CHECKING:
    from buraco_sim.layout import Column


def schema(as_json: AsJson = False) -> None:
    """Print the data dictionary. The columns of the deals with type, unit and meaning; with --json also those of matches."""
    from buraco_sim.layout import COLUMNS, MATCH_COLUMNS

    if as_json:
        from buraco_sim.results.match_table import RESULT_COLUMNS

        print_json(columns=_values(COLUMNS), columns_in_matches=_values(MATCH_COLUMNS), match_table=_values(RESULT_COLUMNS))
        return
    for c in COLUMNS:
        values = f": {', '.join(c.values)}" if c.values else ""
        print(f"{c.name:<16} {c.type:<11} {c.unit:<8} {c.meaning}{values}")


def _values(columns: Iterable[Column]) -> list[dict[str, Any]]:
    return [
        {"name": c.name, "type": c.type, "unit": c.unit, "meaning": c.meaning, "nullable": c.nullable, "values": list(c.values)}
        for c in columns
    ]
