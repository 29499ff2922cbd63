"""Parts: fixed ranges of deals as Parquet files that are whole or not there."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from buraco_sim.errors import RunError
from buraco_sim.job import SCHEMA_VERSION, Job, PartRange, config_hash
from buraco_sim.results.columns import DEALS_OF_MATCHES, Block, arrow_schema
from buraco_sim.results.match_table import results_of
from buraco_sim.results.store import Store

FOOTER_KEY: Final = b"buraco_sim"

_COUNTING: Final = ("deal", "match", "first_deal")  # count up: deltas take next to nothing; all others have few different values
_KNOWN: Final = arrow_schema(DEALS_OF_MATCHES)
_ALWAYS: Final = ("variant", "strategy_0", "strategy_1", "deal", "table", "score_0", "score_1")


@dataclass(frozen=True, slots=True)
class PartEntry:
    """What the manifest keeps of a part: path within the run folder, deals, rows, bytes, hash, hash of its table of matches."""

    path: str
    first_deal: int
    stop_deal: int
    rows: int
    bytes: int
    sha256: str
    matches_sha256: str | None = None


class StoredPart(NamedTuple):
    """A part as it is stored: its bytes, its rows, what its footer says."""

    data: bytes
    table: pa.Table
    footer: dict[str, Any]


def part_name(job: Job, part: PartRange) -> str:
    """Name of a part within the run folder."""
    return f"{job.folder.as_posix()}/part-{part.number:06d}.parquet"


def matches_name(job: Job, part: PartRange) -> str:
    """Name of the table of the matches of a part."""
    return part_name(job, part).replace("deals", "matches", 1)


def footer_of(description: dict[str, Any], part: PartRange) -> dict[str, Any]:
    """What the footer of a part says: the job (:meth:`Job.describe`), its hash and the deals of the part."""
    return description | {"config_hash": config_hash(description), "deals": [part.first, part.stop]}


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
        use_dictionary=[c.name for c in block.columns if c.name not in _COUNTING],
        column_encoding={c.name: "DELTA_BINARY_PACKED" for c in block.columns if c.name in _COUNTING},
        write_page_checksum=True,
    )
    data: bytes = sink.getvalue().to_pybytes()
    return data


def write_part(store: Store, job: Job, part: PartRange, block: Block) -> PartEntry:
    """Encode and write one part, before it the table of its matches if it has any; returns its entry for the manifest."""
    footer = footer_of(job.describe(), part)
    matches = encode_part(results_of(block, job.rules), footer) if job.matches else None
    if matches is not None:
        store.write(matches_name(job, part), matches)
    data = encode_part(block, footer)
    name = part_name(job, part)
    store.write(name, data)
    return entry_of(name, part, len(block), data, matches)


def entry_of(name: str, part: PartRange, rows: int, data: bytes, matches: bytes | None) -> PartEntry:
    """Entry of a part whose bytes are `data`, those of the table of its matches `matches`."""
    hashed = None if matches is None else hashlib.sha256(matches).hexdigest()
    return PartEntry(name, part.first, part.stop, rows, len(data), hashlib.sha256(data).hexdigest(), hashed)


def read_part(store: Store, name: str, expected: PartEntry | None = None) -> StoredPart:
    """Read a part and its footer, checking every byte.

    Parameters
    ----------
    store : Store
        The run folder.
    name : str
        The Parquet file within it.
    expected : PartEntry, optional
        What the manifest says of it; without, the checksums within the file are all there is.

    Raises
    ------
    RunError
        Names the file, and says whether it is truncated, changed or no part at all.
    """
    where = store.at(name)
    try:
        data = store.read(name)
    except OSError as error:
        raise RunError(f"{where}: cannot read this part: {error.strerror or error}") from None
    if expected is not None and len(data) != expected.bytes:
        raise RunError(f"{where}: {len(data)} bytes where the manifest says {expected.bytes}: the part is truncated or changed")
    if expected is not None and hashlib.sha256(data).hexdigest() != expected.sha256:
        raise RunError(f"{where}: the bytes are not those of the manifest (sha256 differs): the part is damaged")
    try:
        table = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True).read()
        footer = json.loads((table.schema.metadata or {})[FOOTER_KEY])
    except (pa.ArrowException, OSError, ValueError, KeyError, RecursionError):
        raise RunError(f"{where}: no whole part of a run: the Parquet file is truncated or damaged") from None
    if not _are_known(table.schema) or not isinstance(footer, dict):
        raise RunError(f"{where}: the columns are not those of schema version {SCHEMA_VERSION}")
    return StoredPart(data, table, footer)


def _are_known(schema: pa.Schema) -> bool:
    """Whether the columns have the types of this schema version; other versions of the package may have fewer or more."""
    known = [field for field in schema if field.name in _KNOWN.names]
    return all(name in schema.names for name in _ALWAYS) and all(field.equals(_KNOWN.field(field.name)) for field in known)
