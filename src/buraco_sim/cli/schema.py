"""`buraco schema`."""

from __future__ import annotations

from buraco_sim.cli.options import AsJson
from buraco_sim.cli.output import print_json


def schema(as_json: AsJson = False) -> None:
    """Print the data dictionary. The columns of the deals with type, unit and meaning."""
    from buraco_sim.layout import COLUMNS

    if as_json:
        print_json(
            columns=[
                {"name": c.name, "type": c.type, "unit": c.unit, "meaning": c.meaning, "nullable": c.nullable, "values": list(c.values)}
                for c in COLUMNS
            ]
        )
        return
    for c in COLUMNS:
        values = f": {', '.join(c.values)}" if c.values else ""
        print(f"{c.name:<16} {c.type:<11} {c.unit:<8} {c.meaning}{values}")
