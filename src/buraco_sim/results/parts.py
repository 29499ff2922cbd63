"""Parts: fixed ranges of deals as Parquet files that are whole or not there."""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from buraco_sim.errors import RunError
from buraco_sim.job import SCHEMA_VERSION, Job, PartRange
from buraco_sim.layout import COLUMNS
from buraco_sim.results.columns import ARROW_SCHEMA, Block

FOOTER_KEY: Final = b"buraco_sim"
PART_GLOB: Final = "part-*.parquet"

# `deal` counts up: deltas take next to nothing. All other columns have few different values.
_DICTIONARY_COLUMNS: Final = [c.name for c in COLUMNS if c.name != "deal"]
_COLUMN_ENCODING: Final = {"deal": "DELTA_BINARY_PACKED"}


@dataclass(frozen=True, slots=True)
class PartEntry:
    """What the manifest keeps of a part: path within the run folder, deals, rows, bytes, hash."""

    path: str
    first_deal: int
    stop_deal: int
    rows: int
    bytes: int
    sha256: str


def part_path(job: Job, index: int) -> Path:
    """Path of a part within the run folder."""
    return job.folder / f"part-{index:06d}.parquet"


def footer_of(job: Job, part: PartRange) -> dict[str, Any]:
    """What the footer of a part says: the job, its hash and the deals of the part."""
    return job.describe() | {"config_hash": job.config_hash(), "deals": [part.first, part.stop]}


def encode_part(block: Block, footer: dict[str, Any]) -> bytes:
    """Encode rows as a Parquet file in memory: the same rows and footer give the same bytes."""
    text = json.dumps(footer, sort_keys=True, separators=(",", ":"))
    table = block.to_arrow().replace_schema_metadata({FOOTER_KEY: text.encode()})
    sink = pa.BufferOutputStream()
    pq.write_table(
        table,
        sink,
        row_group_size=max(1, table.num_rows),
        compression="zstd",
        compression_level=3,
        use_dictionary=_DICTIONARY_COLUMNS,
        column_encoding=_COLUMN_ENCODING,
        write_page_checksum=True,
    )
    data: bytes = sink.getvalue().to_pybytes()
    return data


def write_file(path: Path, data: bytes) -> None:
    """Write a file so that it is whole or not there: a dot-named file beside it, fsync, rename.

    Raises
    ------
    OSError
        If it cannot be written; the file beside it is gone then.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.tmp")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        with suppress(OSError):
            beside.unlink()
        raise


def write_part(root: Path, job: Job, part: PartRange, block: Block) -> PartEntry:
    """Encode and write one part; returns its entry for the manifest."""
    data = encode_part(block, footer_of(job, part))
    path = part_path(job, part.number)
    write_file(root / path, data)
    return entry_of(path, part, len(block), data)


def entry_of(path: Path, part: PartRange, rows: int, data: bytes) -> PartEntry:
    """Entry of a part whose bytes are `data`."""
    return PartEntry(path.as_posix(), part.first, part.stop, rows, len(data), hashlib.sha256(data).hexdigest())


def read_part(path: Path, expected: PartEntry | None = None) -> tuple[pa.Table, dict[str, Any]]:
    """Read a part and its footer, checking every byte.

    Parameters
    ----------
    path : Path
        The Parquet file.
    expected : PartEntry, optional
        What the manifest says of it; without, the checksums within the file are all there is.

    Raises
    ------
    RunError
        Names the file, and says whether it is truncated, changed or no part at all.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: cannot read this part: {error.strerror or error}") from None
    if expected is not None and len(data) != expected.bytes:
        raise RunError(f"{path}: {len(data)} bytes where the manifest says {expected.bytes}: the part is truncated or changed")
    if expected is not None and hashlib.sha256(data).hexdigest() != expected.sha256:
        raise RunError(f"{path}: the bytes are not those of the manifest (sha256 differs): the part is damaged")
    try:
        table = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True).read()
        footer = json.loads((table.schema.metadata or {})[FOOTER_KEY])
    except (pa.ArrowException, OSError, ValueError, KeyError):
        raise RunError(f"{path}: no whole part of a run: the Parquet file is truncated or damaged") from None
    if not table.schema.equals(ARROW_SCHEMA) or not isinstance(footer, dict):
        raise RunError(f"{path}: the columns are not those of schema version {SCHEMA_VERSION}")
    return table, footer
