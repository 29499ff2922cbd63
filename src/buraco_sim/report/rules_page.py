"""The page `docs/what-each-rule-does.md`: all presets side by side, and findings about single rules, with figures from a run.

``buraco balance $(all presets) --out RUN`` plays it, ``python -m buraco_sim.report.rules_page RUN docs/what-each-rule-does.md``
writes it; the page says so itself.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from buraco_sim.balance.measures import MEASURES
from buraco_sim.balance.series import Series, players_text, series_of
from buraco_sim.balance.table import BalanceTable, balance_table
from buraco_sim.balance.text import ALPHA, difference_text, figure_text, number
from buraco_sim.report.templates import command_text
from buraco_sim.results.reader import Run

#: The columns of the table of presets, with short heads.
COLUMNS: Final = {
    "starter_margin": "starter's lead",
    "turns_p50": "turns, median",
    "went_out": "somebody goes out",
    "out_wins": "who goes out wins",
    "score": "score of a team",
    "clean": "clean canastas",
    "dirty": "dirty canastas",
    "morto_none": "no morto",
    "half_leader_wins": "leader at half wins",
    "lead_changes": "lead changes",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """Two presets that differ by a rule or a few, and the measures in which it shows."""

    title: str
    base: str
    variant: str
    measures: tuple[str, ...]
    caveat: str


FINDINGS: Final = (
    Finding(
        "An open pile makes longer and closer deals",
        "stbl", "buraco-aberto", ("turns", "piles", "margin", "half_leader_wins"),
        "Open and free come together here: the pile may be seen, and taken without a use for its top. `buraco sweep` takes them apart.",
    ),
    Finding(
        "Where any canasta and sets will do, a closed deal is much shorter",
        "stbl", "fechado-sujo", ("turns", "went_out", "clean", "score"),
        "Two rules at once: sets are allowed, and any canasta opens the way out.",
    ),
    Finding(
        "Asking for a clean canasta to go out",
        "buraco-classico", "buraco-italiano", ("turns", "went_out", "clean", "dirty"),
        "The Italian form also asks for 50 points to open; the next finding shows what that alone does.",
    ),
    Finding(
        "Fifty points to open",
        "buraco-classico", "buraco-classico-50", ("turns", "score", "starter_margin", "margin"),
        "The players do not hold cards back to meet the threshold: they lay the first combination that reaches it.",
    ),
    Finding(
        "A third morto",
        "buraco-classico", "tre-mortos", ("turns", "score", "morto_none", "hand"),
        "Who may take the third one is settled by assumption (whoever empties a hand next).",
    ),
    Finding(
        "Wilds in short runs, and at the low end",
        "buraco-classico", "buraco-brasiliano", ("turns", "runs", "wilds", "dirty"),
        "The page says only that the Brazilian form is more permissive; the exact rule is assumed.",
    ),
    Finding(
        "Neither jokers nor sets",
        "burraco-fibur", "burraco-reale", ("turns", "clean", "dirty", "lead_changes"),
        "Another deck: the same deal numbers are other shuffles.",
    ),
    Finding(
        "Two at the table instead of four",
        "burraco-fibur", "burraco-a-due", ("turns", "starter_margin", "hand", "half_leader_wins"),
        "With two seats fewer cards are in hands, and a player sees each morto alone.",
    ),
    Finding(
        "A closed pile in the classic game, with a clean canasta to go out",
        "buraco-classico", "fechado", ("turns", "went_out", "clean", "half_leader_wins"),
        "What the players remember of the closed pile matters: these know only its top.",
    ),
    Finding(
        "Higher bonuses for rare canastas",
        "burraco-fibur", "burraco-fitab", ("score", "margin", "turns", "canastas"),
        "The clubs' game also lets a wild move freely; players whose weights ignore a bonus do not go for it.",
    ),
)  # fmt: skip


def rules_page(run: Run) -> str:
    """The page as Markdown, from a run of all presets."""
    series = {one.label: one for one in series_of([run])}
    table = balance_table(list(series.values()))
    return "\n".join([*_head(run, table), "", *_presets(table), "", *_findings(series)]) + "\n"


def _head(run: Run, table: BalanceTable) -> Iterator[str]:
    manifest = run.manifest
    players = players_text(table.series[0].job)
    yield "# What each rule does"
    yield ""
    yield "<!-- Written by `python -m buraco_sim.report.rules_page` from a run; the commands stand below. -->"
    yield ""
    yield (
        f"All presets side by side: {manifest.deals:,} shuffles each, played by `{players}` at every seat. "
        "Figures are means of a deal (of a team and deal where a team is meant) with 95 % intervals. "
        "They rank rules for this player, not for people: a better player may find more in a rule than this one does."
    )
    yield ""
    yield "```"
    yield command_text(manifest.command) if manifest.command else "buraco balance VARIANTS --out RUN"
    yield "python -m buraco_sim.report.rules_page RUN docs/what-each-rule-does.md"
    yield "```"
    yield ""
    signatures = list(dict.fromkeys(one.get("signature", manifest.signature) for one in manifest.series))
    yield f"Seed {manifest.seed}, version {manifest.engine_version}, signature of `{table.labels[0]}`: `{signatures[0]}`."


def _presets(table: BalanceTable) -> Iterator[str]:
    yield "## The presets side by side"
    yield ""
    yield f"| preset | {' | '.join(COLUMNS.values())} |"
    yield f"| --- |{' ---: |' * len(COLUMNS)}"
    for index, label in enumerate(table.labels):
        cells = (_short(table, name, index) for name in COLUMNS)
        yield f"| `{label}` | {' | '.join(cells)} |"
    yield ""
    yield "Half the width of the 95 % interval follows each value. `buraco balance --json` has every measure with its meaning."


def _short(table: BalanceTable, name: str, index: int) -> str:
    unit, figure = MEASURES[name].unit, table.figures[name][index]
    if figure.value is None or figure.low is None or figure.high is None:
        return "-"
    half = number((figure.high - figure.low) / 2, unit).removesuffix(" %")
    return f"{number(figure.value, unit)} ± {half}"


def _findings(series: dict[str, Series]) -> Iterator[str]:
    yield "## Ten findings"
    yield ""
    yield (
        "Each compares two presets deal by deal; the rules in which they differ are listed, so that nobody takes two causes for one. "
        "A star: the difference holds at 5 % after Holm over all measures of the two presets."
    )
    for number_, finding in enumerate(FINDINGS, start=1):
        if finding.base in series and finding.variant in series:
            yield ""
            yield from _finding(number_, finding, series[finding.base], series[finding.variant])


def _finding(index: int, finding: Finding, base: Series, variant: Series) -> Iterator[str]:
    table = balance_table([base, variant])
    rules = base.job.rules.diff(variant.job.rules)
    yield f"### {index}. {finding.title}"
    yield ""
    yield f"`{finding.variant}` against `{finding.base}`: {_rules(rules)}."
    yield ""
    yield f"| | `{finding.base}` | `{finding.variant}` | difference | 95 % |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name in finding.measures:
        unit, difference = MEASURES[name].unit, table.differences[name][1]
        cells = [figure_text(figure, unit) for figure in table.figures[name]]
        change = difference_text(difference, table.adjusted[name][1], unit)
        low, high = ("-", "-") if difference is None else (number(end, unit, sign=True) for end in difference[1:3])
        yield f"| {MEASURES[name].title} | {cells[0]} | {cells[1]} | {change} | {low} to {high} |"
    held = sum(1 for row in table.adjusted.values() if row[1] is not None and row[1] < ALPHA)
    yield ""
    yield f"{held} of the measures of the table really differ. Caveat: {finding.caveat}"
    yield ""
    options = f"--deals {base.job.deals} --seed {base.job.seed} --players {players_text(base.job)}"
    yield f"    buraco balance {finding.base} {finding.variant} {options}"


def _rules(rules: Sequence[tuple[str, object, object]]) -> str:
    return "; ".join(f"`{key}` {_plain(theirs)} instead of {_plain(mine)}" for key, mine, theirs in rules if not key.startswith("match."))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(rules_page(Run.open(sys.argv[1])), encoding="utf-8")
