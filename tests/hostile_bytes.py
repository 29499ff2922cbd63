"""Byte strings that nobody meant: noise, and valid files that were spoilt. As a program: every reader is given many.

``python tests/hostile_bytes.py FOLDER 500`` prints how many were read, the slowest one in seconds, the memory in megabytes.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter

from buraco_sim.cli import main
from buraco_sim.data_files import data_folder

OLD_RUN = Path(__file__).parent / "scale" / "data" / "schema-1"
CASES = Path(__file__).parent / "cases" / "cases.jsonl"
ALPHABET = b'{}[]"\\:=.,#-_ \n\t0123456789eE+truefalsnJKhsdc*\x00\xff\xc3'


def hostile(rng: random.Random, valid: bytes) -> bytes:
    """A byte string: noise, noise of the alphabet of the files, deep nesting, or a valid file that was spoilt."""
    way = rng.randrange(8)
    if way == 0:
        return rng.randbytes(rng.randrange(2000))
    if way == 1:
        return bytes(rng.choices(ALPHABET, k=rng.randrange(2000)))
    if way == 2:
        return rng.choice([b"[", b'{"a":', b"[[", b"a.", b'"', b"9"]) * rng.randrange(1, 50_000)
    spoilt = bytearray(valid)
    if way == 3:
        del spoilt[rng.randrange(len(spoilt)) :]
    elif way == 4:
        at = rng.randrange(len(spoilt))
        spoilt[at:at] = spoilt[: rng.randrange(len(spoilt))]
    else:
        for _ in range(rng.choice([1, 1, 2, 20])):
            spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    return bytes(spoilt)


def readers(folder: Path) -> Iterator[tuple[str, bytes, Path, list[str]]]:
    """Of every kind of file: its name, a valid one, where to write a hostile one, and the command that reads it."""
    variant = (data_folder("variants") / "stbl.toml").read_bytes()
    yield "rules", variant, folder / "hostile.toml", ["variants", "check", str(folder / "hostile.toml")]
    strategy = (data_folder("strategies") / "random.toml").read_bytes()
    yield "strategies", strategy, folder / "player.toml", ["strategies", "check", str(folder / "player.toml")]
    cases = b"".join(CASES.read_bytes().splitlines(keepends=True)[::40])
    yield "cases", cases, folder / "cases.jsonl", ["judge", "--engine", "referee", str(folder / "cases.jsonl")]
    yield "traces", (folder / "valid.jsonl").read_bytes(), folder / "trace.jsonl", ["verify", str(folder / "trace.jsonl")]
    (part,) = (folder / "run").rglob("*.parquet")
    yield "parts", part.read_bytes(), part, ["verify", str(folder / "run")]


def prepare(folder: Path) -> None:
    """Write a valid trace, and a run whose manifest lists no hash, so that its part has to be read."""
    with (folder / "valid.jsonl").open("w") as file, redirect_stdout(file):
        assert main(["replay", "--players", "random", "--json", "--quiet"]) == 0
    shutil.copytree(OLD_RUN, folder / "run")
    manifest = folder / "run" / "manifest.json"
    manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"parts": []}))


def read(command: list[str]) -> tuple[int, str]:
    """Run a command, keep what it says."""
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = main(command)
    return code, said.getvalue()


def feed(folder: Path, number: int, report: Callable[[str], None]) -> None:
    """Give every reader so many hostile byte strings; an exception that gets out is the failure that is looked for."""
    prepare(folder)
    for _, valid, path, command in readers(folder):  # compiles what is not compiled yet
        path.write_bytes(valid)
        read(command)
    rng = random.Random(number)
    slowest = 0.0
    for kind, valid, path, command in readers(folder):
        codes: dict[int, int] = {}
        for _ in range(number):
            path.write_bytes(hostile(rng, valid))
            start = perf_counter()
            code, said = read(command)
            slowest = max(slowest, perf_counter() - start)
            assert "Traceback" not in said
            assert code in (0, 1, 2), said
            codes[code] = codes.get(code, 0) + 1
        report(f"{kind}: {number} read, exit codes {dict(sorted(codes.items()))}")
    report(f"slowest {slowest:.2f} s, memory {most_memory():.0f} MB")


def most_memory() -> float:
    """Most MB that this process held; what `getrusage` says on Linux is at least what the process held that started this one."""
    status = Path("/proc/self/status")
    if status.exists():
        (kilobytes,) = (line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(kilobytes) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


if __name__ == "__main__":
    feed(Path(sys.argv[1]), int(sys.argv[2]), print)
