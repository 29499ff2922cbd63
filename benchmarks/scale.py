"""What the page on scale promises, measured: ``python benchmarks/scale.py kills|rates|memory|disk FOLDER [NUMBER]``.

kills    kill -9 at NUMBER random moments, each time resumed: the parts are those of a run that nothing stopped
rates    NUMBER deals by two threads and by two Dask workers, in turns; with the latter one worker is killed
memory   NUMBER deals, or as many as fit in 30 minutes: time a deal and peak memory along the way
disk     a file system of two megabytes is full: one line, no half part; resumed when there is room (root only: mounts a tmpfs)
"""

from __future__ import annotations

import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq

FIRST_MARK = 1_000_000  # deals
MOST_SECONDS = 1800
BURACO = [sys.executable, "-m", "buraco_sim"]


def command(out: Path, deals: int, *more: str, players: str = "greedy") -> list[str]:
    return [*BURACO, "simulate", "--players", players, "--deals", str(deals), "--out", str(out), "--quiet", *more]


def digest(root: Path) -> str:
    """One hash over names and bytes of all parts."""
    whole = hashlib.sha256()
    for path in sorted(root.rglob("*.parquet")):
        whole.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:16]


PLAY = """
import sys
from buraco_sim.job import make_job
from buraco_sim.runs import run_job
run_job(make_job("stbl", "random", deals=60_000, part_deals=1000), sys.argv[1], threads=2, resume=True)
"""


def kills(folder: Path, number: int) -> None:
    """Parts of a thousand deals, so that a kill often falls into writing one."""
    rng = random.Random(7)
    line = [sys.executable, "-c", PLAY, str(folder / "killed")]
    subprocess.run([*line[:-1], str(folder / "whole")], check=True)
    done = 0
    while done < number:
        process = subprocess.Popen(line)
        while process.poll() is None and '"running"' not in _read(folder / "killed" / "manifest.json"):
            time.sleep(0.01)
        time.sleep(rng.uniform(0, 1.5))
        process.kill()
        done += process.wait() == -9
        if process.returncode == 0:  # complete before the kill: some parts are lost
            for path in sorted((folder / "killed").rglob("*.parquet"))[::2]:
                path.unlink()
    subprocess.run(line, check=True)
    left = [path.name for path in (folder / "killed").rglob("*") if path.name.startswith(".")]
    same = digest(folder / "killed") == digest(folder / "whole")
    print(f"{done} kills: parts {'identical' if same else 'DIFFERENT'}, temporary files left: {len(left)}")


def _read(path: Path) -> str:
    return path.read_text() if path.exists() else ""


def rates(folder: Path, number: int) -> None:
    """By the clock, which other programs disturb, and by the time of the processors, which they disturb less."""
    best: dict[str, float] = {}
    for name, more in (("threads", ("--threads", "2")), ("dask", ("--executor", "dask", "--workers", "2"))) * 2:
        shutil.rmtree(folder / name, ignore_errors=True)
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command(folder / name, number, *more), check=True, stdout=subprocess.DEVNULL)
        rate, after = number / (time.perf_counter() - start), resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best[name] = max(best.get(name, 0.0), rate)
        print(
            f"{name}: {rate:,.0f} deals/s, {1e6 * used / number:.1f} us of processors a deal, all included; parts {digest(folder / name)}"
        )
    print(f"dask against threads by the clock, the better of two each: {best['dask'] / best['threads']:.3f}", flush=True)
    lost = folder / "lost"
    shutil.rmtree(lost, ignore_errors=True)
    process = subprocess.Popen(command(lost, number, "--executor", "dask", "--workers", "2"), stdout=subprocess.DEVNULL)
    while not list(lost.rglob("*.parquet")):
        time.sleep(0.1)
    listed = subprocess.run(
        ["pgrep", "-P", str(process.pid), "-f", "spawn_main"], capture_output=True, text=True, check=True
    ).stdout.split()
    os.kill(int(listed[-1]), 9)
    print(f"one of two workers killed: exit code {process.wait()}; parts {digest(lost)}")


def memory(folder: Path, number: int) -> None:
    """Each line stands for the deals since the line before: by the clock, and by the time of the processors."""
    from buraco_sim.interrupts import InterruptedRunError
    from buraco_sim.job import make_job
    from buraco_sim.runs import run_job

    marks = [(0, time.perf_counter(), 0.0, 0.0)]
    ends = [min(FIRST_MARK, number // 10), *(number * share // 20 for share in range(1, 21))]

    def mark(chunk: object) -> None:
        done[0] += chunk.rows  # type: ignore[attr-defined]
        if done[0] >= ends[len(marks) - 1]:
            usage = resource.getrusage(resource.RUSAGE_SELF)
            marks.append((done[0], time.perf_counter(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024))
            deals, clock, used, _ = (now - before for now, before in zip(marks[-1], marks[-2], strict=True))
            us, cpu = 1e6 * clock / deals, 1e6 * used / deals
            print(f"to {done[0]:,}: {marks[-1][3]:.0f} MB, {us:.1f} us a deal, {cpu:.1f} us of processors", flush=True)

    done = [0]
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(MOST_SECONDS)
    try:
        run_job(make_job("stbl", "greedy", deals=number), folder / "memory", threads=2, on_chunk=mark)
    except InterruptedRunError:
        print(f"stopped after {MOST_SECONDS} s at {done[0]:,} deals")
    print(f"memory at the end {marks[-1][3] / marks[1][3]:.3f} times that after {marks[1][0]:,} deals")
    parts = list((folder / "memory").rglob("*.parquet"))
    print(f"{sum(path.stat().st_size for path in parts) / sum(pq.read_metadata(path).num_rows for path in parts):.1f} bytes a row")


def disk(folder: Path, number: int) -> None:
    small = folder / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(small)]
    subprocess.run(mount, check=True)
    try:
        done = subprocess.run(command(small / "run", number), capture_output=True, text=True, check=False)
        files = sorted(str(path.relative_to(small)) for path in small.rglob("*") if path.is_file())
        print(f"full: exit code {done.returncode}: {done.stderr.strip()}\n{files}")
        subprocess.run(["mount", "-o", "remount,size=100m", str(small)], check=True)
        subprocess.run(command(small / "run", number, "--resume"), check=True, stdout=subprocess.DEVNULL)
        subprocess.run([*BURACO, "verify", str(small / "run")], check=True)
        shutil.rmtree(small / "run")
        subprocess.run(["mount", "-o", "remount,ro", str(small)], check=True)
        done = subprocess.run(command(small / "run", number), capture_output=True, text=True, check=False)
        print(f"read-only: exit code {done.returncode}: {done.stderr.strip()}")
    finally:
        subprocess.run(["umount", str(small)], check=True)


if __name__ == "__main__":
    task, where, *rest = sys.argv[1:]
    Path(where).mkdir(parents=True, exist_ok=True)
    defaults = {"kills": 30, "rates": 5_000_000, "memory": 100_000_000, "disk": 300_000}
    globals()[task](Path(where), int(rest[0]) if rest else defaults[task])
