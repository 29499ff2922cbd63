"""The report of a study: one page that opens from disk, offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from buraco_sim import __version__
from buraco_sim.balance.estimates import Difference, Figure
from buraco_sim.balance.measures import MEASURES, QUESTIONS
from buraco_sim.balance.series import players_text
from buraco_sim.balance.study import Study, study_runs
from buraco_sim.balance.table import BalanceTable
from buraco_sim.balance.text import ALPHA, number
from buraco_sim.report.gallery import gallery
from buraco_sim.report.representative import representative_deals
from buraco_sim.report.templates import asset, command_text, json_for_script, render
from buraco_sim.report.verdict import verdict
from buraco_sim.results.manifest import Manifest
from buraco_sim.results.reader import Run

Cell = dict[str, Any]

PAGE: Final = "report.html"


def report(run: str | Path | Run, *, compare: Sequence[str | Path | Run] = (), out: str | Path | None = None) -> Path:
    """Write the report of a run folder as an HTML page that needs nothing else.

    Parameters
    ----------
    run : str, Path or Run
        The run folder.
    compare : sequence of str, Path or Run
        Other run folders to put beside it.
    out : str or Path, optional
        The page, by default ``report.html`` in the run folder.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    InputError, RunError
        If a folder is no run, a part is missing, or a package of the extra ``report`` is not installed.

    Examples
    --------
    >>> import buraco_sim as b
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     run = b.simulate_to(f"{folder}/run", "stbl", "greedy", deals=20, seed=1)
    ...     b.report(run).stat().st_size < 3_000_000
    True
    """
    runs = [one if isinstance(one, Run) else Run.open(one) for one in (run, *compare)]
    path = Path(out) if out is not None else runs[0].root / PAGE
    write_report(study_runs(runs), path)
    return path


def write_report(study: Study, path: Path) -> None:
    """Write the page of a study."""
    path.write_text(report_html(study), encoding="utf-8")


def report_html(study: Study) -> str:
    """The page of a study."""
    table = study.table
    deals, failures = representative_deals(table)
    charts = gallery(study)
    return render(
        "report.html.j2",
        title=", ".join(table.labels[:6]) + (" ..." if len(table.labels) > 6 else ""),
        labels=table.labels,
        baseline=table.labels[table.baseline],
        series=[_series(table, index) for index in range(len(table.labels))],
        verdict=verdict(study),
        sections=[_section(table, question, charts[question]) for question in QUESTIONS],
        choices=[_choices_row(one) for one in study.choices],
        sample=study.choices[0].deals if study.choices else 0,
        duels=[_duel_row(one) for one in study.duels],
        player_charts=charts["players"],
        matches=[_match_row(one) for one in study.matches],
        glossary=[(MEASURES[name].title, MEASURES[name].unit, MEASURES[name].meaning) for name in table.shown()],
        runs=[_run(one) for one in _manifests(table)],
        rules=_rules(table),
        deals_json=json_for_script(deals) if deals else None,
        failures=failures,
        version=__version__,
        css=asset("page.css", "replay.css"),
        js=asset("replay.js"),
    ).lstrip()


def cell_of(figure: Figure, unit: str) -> Cell:
    """A figure as the page shows it: the value, and the interval below."""
    ends = None if figure.low is None else " to ".join(number(end, unit).removesuffix(" %") for end in (figure.low, figure.high))
    return {"value": number(figure.value, unit), "range": ends, "diff": None, "real": False}


def _plain(text: str) -> Cell:
    return {"value": text, "range": None, "diff": None, "real": False}


def _section(table: BalanceTable, question: str, charts: list[Any]) -> dict[str, Any]:
    names = [name for name in table.shown() if MEASURES[name].question == question]
    rows = [{"title": MEASURES[name].title, "unit": _unit(MEASURES[name].unit), "cells": _cells(table, name)} for name in names]
    return {"id": question, "question": QUESTIONS[question], "charts": charts, "rows": rows}


def _cells(table: BalanceTable, name: str) -> list[Cell]:
    unit = MEASURES[name].unit
    cells = []
    for figure, difference, p in zip(table.figures[name], table.differences[name], table.adjusted[name], strict=True):
        cells.append(cell_of(figure, unit) | _difference(difference, p, unit))
    return cells


def _difference(difference: Difference | None, p: float | None, unit: str) -> Cell:
    if difference is None or p is None:
        return {}
    return {"diff": number(difference.value, unit, sign=True), "real": p < ALPHA}


def _unit(unit: str) -> str:
    return "" if unit == "share" else unit


def _series(table: BalanceTable, index: int) -> dict[str, Any]:
    one = table.series[index]
    rules = one.job.rules
    about = {
        "label": one.label,
        "title": "" if rules.title == one.label else rules.title,
        "source": rules.source,
        "players": players_text(one.job),
    }
    return about | {"deals": f"{sum(entry.rows for entry in one.run.entries(one.job)):,}", "mirror": one.job.mirror}


def _manifests(table: BalanceTable) -> list[Manifest]:
    return list({one.run.root: one.run.manifest for one in table.series}.values())


def _run(manifest: Manifest) -> dict[str, Any]:
    return {
        "command": command_text(manifest.command),
        "seed": manifest.seed,
        "deals": f"{manifest.first_deal}:{manifest.first_deal + manifest.deals}",
        "signature": ", ".join(dict.fromkeys(one.get("signature", manifest.signature) for one in manifest.series)),
        "version": manifest.engine_version,
        "commit": manifest.git_commit,
        "python": manifest.machine.get("python", ""),
        "seconds": manifest.seconds,
    }


def _rules(table: BalanceTable) -> list[dict[str, Any]]:
    """The rules in which the variants differ, one row a rule."""
    rulesets = [one.job.rules for one in table.series]
    base = rulesets[table.baseline]
    keys = dict.fromkeys(key for one in rulesets for key, _, _ in one.diff(base))
    return [{"key": key, "values": [_rule_text(one.value(key)) for one in rulesets]} for key in keys]


def _rule_text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value).lower() if isinstance(value, bool) else str(value)


def _choices_row(one: Any) -> dict[str, Any]:
    return {"title": one.series, "cells": [cell_of(figure, "share") for figure in (one.turns, one.draws, one.melds, one.canasta_sets)]}


def _duel_row(one: Any) -> dict[str, Any]:
    what = f"{one.a} against {one.b}" + (" (restricted)" if one.restricted else "")
    plain = [number(one.luck, "share"), "-" if one.deals_to_tell is None else f"{one.deals_to_tell:,}", f"{one.pairs:,}"]
    cells = [cell_of(one.margin, "points"), cell_of(one.wins, "share"), *map(_plain, plain)]
    return {"title": f"{one.variant}: {what}", "cells": cells}


def _match_row(one: Any) -> dict[str, Any]:
    length = f"to {one.length:,} points" if one.kind == "target" else f"{one.length} deal{'s' * (one.length > 1)}"
    cells = [
        _plain("the starter" if one.first == "starter" else one.first),
        cell_of(one.wins, "share"),
        cell_of(one.deals, "deals"),
        _plain("") if one.overshoot is None else cell_of(one.overshoot, "points"),
        _plain("") if one.vp is None else cell_of(one.vp, "Victory Points"),
    ]
    return {"title": f"{one.series}, {length}", "cells": cells}
