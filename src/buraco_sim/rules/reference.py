"""The page `docs/variants.md`, written from the declarations and the shipped variants.

``python -m buraco_sim.rules.reference docs/variants.md`` writes it; a test holds it current.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from buraco_sim.rules.keys import KEYS, TABLES
from buraco_sim.rules.ruleset import Ruleset, variant_names

BASE: Final = "burraco-fibur"
COLUMNS: Final = 7  # variants side by side in one table

HEAD: Final = """\
# Variants and rules

<!-- Written by `make docs` from the declarations in src/buraco_sim/rules/keys.py and the files in data/variants. -->

Every variant is a TOML file of the rules below. A file of your own gives what differs from its `base` (a variant by name, or a
file by path), else from `burraco-fibur`; one rule is changed on the command line by `--set table.key=value`.

S0 to S3 are the four rule pages that the project starts from: S0 cardgames.zone (French), S1 Buraco fechado STBL (French),
S2 Burraco for two (French), S3 classic Buraco with its list of variants (Italian)."""

DIFFERENCES: Final = f"""\
## What differs from {BASE}

A dot: as in `{BASE}`. A star: assumed, no page states this value for this variant. The `assumed` list of each file also names
the assumed values that are the same as in `{BASE}`."""


def toml_value(value: Any) -> str:
    """Return a value of a rule as TOML has it.

    Examples
    --------
    >>> toml_value(True), toml_value("any"), toml_value((11, 11))
    ('true', '"any"', '[11, 11]')
    """
    return json.dumps(value)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _rules() -> Iterator[str]:
    for table, record in TABLES.items():
        keys = [key for name, key in KEYS.items() if name.startswith(f"{table}.")]
        rows = [(f"`{key.name.partition('.')[2]}`", key.domain.expected, f"`{toml_value(key.default)}`", key.meaning) for key in keys]
        yield f"### [{table}]\n\n{record.__doc__}\n\n" + _table(("key", "values", "default", "meaning"), rows)


def _variants(variants: list[Ruleset]) -> str:
    rows = [(f"`{rules.name}`", rules.title, rules.summary, rules.source, f"{len(rules.assumed)}") for rules in variants]
    return _table(("name", "title", "the game", "source", "assumed"), rows)


def _difference(rules: Ruleset, base: Ruleset, key: str) -> str:
    if rules.value(key) == base.value(key):
        return "."
    return toml_value(rules.value(key)) + ("*" if key in rules.assumed else "")


def _differences(variants: list[Ruleset], base: Ruleset) -> Iterator[str]:
    others = [rules for rules in variants if rules != base]
    for start in range(0, len(others), COLUMNS):
        group = others[start : start + COLUMNS]
        differing = [key for key in KEYS if any(rules.value(key) != base.value(key) for rules in group)]
        rows = [(f"`{key}`", toml_value(base.value(key)), *(_difference(rules, base, key) for rules in group)) for key in differing]
        yield _table(("key", BASE, *(rules.name for rules in group)), rows)


def variants_page() -> str:
    """Return the whole page as Markdown."""
    variants = [Ruleset.load(name) for name in variant_names()]
    parts = [
        HEAD,
        "## The variants",
        _variants(variants),
        DIFFERENCES,
        *_differences(variants, Ruleset.load(BASE)),
        "## The rules",
        *_rules(),
    ]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(variants_page(), encoding="utf-8")
