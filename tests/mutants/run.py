"""Are the tests able to fail? Plays every mutant of the kernels against them: `python tests/mutants/run.py [WORD ...]`.

Each mutant is a copy of the package with one line changed. The kernels run without the compiler, so that none has to be
compiled; the tests are those of the rules and the cases, of lanes and views, and random deals of every preset under the
eyes of the referee. Two run at a time, some ten minutes in all. With words, only mutants whose rule has one of them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
AT_ONCE = 2
LEAST_KILLED = 38
TIMEOUT = 600  # s: a mutant that hangs is noticed too
TESTS = [
    "tests/cases/test_cases.py",
    "tests/rules",
    "tests/unit/test_kernels_view.py",
    "tests/properties/test_any_action.py",
    "tests/differential/test_presets.py",
    "tests/unit/test_kernels_bits.py",
]
PYTEST = [
    "-m",
    "pytest",
    "-x",
    "-q",
    "--tb=no",
    "-p",
    "no:cacheprovider",
    "-k",
    "not greedy and not referee and not sample and not every_sort",
]


def kernel_files(folder: Path) -> list[Path]:
    return sorted((folder / "src" / "buraco_sim" / "kernels").glob("*.py"))


def file_of(mutant: Mutant, folder: Path) -> Path:
    """The file in which the line stands, once and in no other."""
    found = [path for path in kernel_files(folder) for _ in range(path.read_text().count(mutant.old))]
    if len(found) != 1:
        raise SystemExit(f"{mutant.old!r} stands {len(found)} times in the kernels: bring mutants.py up to date")
    return found[0]


def apply(mutant: Mutant, folder: Path) -> str:
    """Change the line in a copy of the package; returns the name of its file."""
    path = file_of(mutant, folder)
    path.write_text(path.read_text().replace(mutant.old, mutant.new))
    return path.name


def first_failure(mutant: Mutant | None) -> tuple[str, str, float]:
    """File, first test that fails (empty if none does), seconds."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("src", "data", "tests"):
            shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)
        file = apply(mutant, folder) if mutant else ""
        environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "NUMBA_DISABLE_JIT": "1", "BURACO_TEST_DEALS": "2"}
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "--tb=no",
            "-p",
            "no:cacheprovider",
            "-k",
            "not greedy and not referee and not sample and not every_sort",
            *TESTS,
        ]
        try:
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        except subprocess.TimeoutExpired:
            return file, "hangs", time.perf_counter() - start
    failed = next((line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))), "")
    if done.returncode and not failed:
        failed = (done.stdout + done.stderr).strip()[-300:]
    return file, failed, time.perf_counter() - start


def main() -> int:
    words = sys.argv[1:]
    chosen = [mutant for mutant in MUTANTS if not words or any(word in mutant.breaks for word in words)]
    for mutant in chosen:
        file_of(mutant, ROOT)
    killed = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        right, *results = [pool.submit(first_failure, mutant) for mutant in (None, *chosen)]
        for mutant, result in zip(chosen, results, strict=True):
            file, failed, seconds = result.result()
            killed += bool(failed)
            print(f"{'killed  ' if failed else 'SURVIVED'} {seconds:4.0f} s  {file:14} {mutant.breaks}  {failed[:140]}", flush=True)
    _, failed, seconds = right.result()
    if failed:
        print(f"the tests fail without a mutant: {failed}")
        return 1
    print(f"{killed} of {len(chosen)} mutants killed; without a mutant the tests take {seconds:.0f} s")
    return int(killed < len(chosen) - (len(MUTANTS) - LEAST_KILLED))


if __name__ == "__main__":
    sys.exit(main())
