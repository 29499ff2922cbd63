"""What an earlier version wrote stays readable: a stored run folder of schema version 1. It is never written anew.

If this fails, a reader has to be taught the old form; see "What stays readable" in docs/scale.md.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from buraco_sim.cli import main
from buraco_sim.errors import RunError
from buraco_sim.job import Job, make_job
from buraco_sim.results.manifest import Manifest
from buraco_sim.results.reader import Run
from buraco_sim.runs import run_job
from buraco_sim.verify import verify_run

OLD = Path(__file__).parent / "data" / "schema-1"


def edit(root: Path, **values: object) -> None:
    """Change values of a manifest."""
    path = root / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The stored run, to be changed."""
    return shutil.copytree(OLD, tmp_path / "run")


def test_it_is_read() -> None:
    run = Run.open(OLD)
    assert (run.manifest.schema_version, run.manifest.state, run.manifest.rows) == (1, "complete", 12)
    job = run.job()
    assert (job.rules.name, [one.name for one in job.seats], job.mirror) == ("stbl", ["greedy", "random"] * 2, True)
    rows = run.table().to_pylist()
    assert [(row["deal"], row["table"]) for row in rows] == [(deal, table) for deal in range(6) for table in (0, 1)]
    for row in rows:
        for team in (0, 1):
            assert row[f"score_{team}"] == sum(row[f"{part}_{team}"] for part in ("cards", "canastas", "go_out", "hand", "morto"))


def test_it_is_verified_by_what_its_own_version_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verify_run(OLD).problems == []
    for module in ("job", "results.manifest"):
        monkeypatch.setattr(f"buraco_sim.{module}.__version__", "99.0")
    assert verify_run(OLD).problems == []


def test_the_commands_read_it(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(OLD)]) == 0
    assert capfd.readouterr().out == "parts: 1, rows: 12, deals refereed: 0, problems: 0\n"


def test_it_is_not_added_to_by_another_version(job: Job, copy: Path) -> None:
    edit(copy, engine_version="0.0.1")
    with pytest.raises(RunError, match=r"cannot resume, the run there has another engine version: '0\.0\.1' instead of"):
        run_job(make_job("stbl", "greedy,random", deals=6), copy, resume=True)


def test_keys_and_columns_of_a_later_version_are_passed_over(copy: Path) -> None:
    edit(copy, weather="fine")
    assert Manifest.read(copy).rows == 12
    (path,) = copy.rglob("*.parquet")
    table = pq.read_table(path)
    metadata = table.schema.metadata
    pq.write_table(table.append_column("later", table.column("deal")).drop_columns(["wilds_0"]).replace_schema_metadata(metadata), path)
    manifest = json.loads((copy / "manifest.json").read_text())
    manifest["parts"] = []
    (copy / "manifest.json").write_text(json.dumps(manifest))
    assert verify_run(copy).problems == []


def test_a_later_schema_version_is_refused_in_one_line(copy: Path) -> None:
    edit(copy, schema_version=2)
    with pytest.raises(RunError, match=r"manifest\.json: schema version 2, this version reads up to 1"):
        Run.open(copy)


@pytest.mark.parametrize(
    ("key", "value"), [("seed", "x"), ("parts", 7), ("parts", [{}]), ("series", {}), ("rules", []), ("schema_version", None), ("shard", 3)]
)
def test_a_damaged_value_is_one_line(copy: Path, key: str, value: object) -> None:
    edit(copy, **{key: value})
    with pytest.raises(RunError, match=r"manifest\.json: (damaged|schema version)"):
        Run.open(copy)
