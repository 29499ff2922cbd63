"""What lies in a run folder."""

from __future__ import annotations

from pathlib import Path


def contents(root: Path) -> dict[str, bytes]:
    """The bytes of all parts by name."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*.parquet"))}


def temporary_files(root: Path) -> list[Path]:
    """What a process that was killed left."""
    return [path for path in root.rglob("*") if path.name.startswith(".")]
