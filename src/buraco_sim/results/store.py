"""Where the files of a run lie: a folder, or a prefix of an object store. A file is whole or not there."""

from __future__ import annotations

import errno
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Protocol

import pyarrow as pa
from pyarrow import fs

from buraco_sim.errors import InputError, shown

_ADDRESS: Final = re.compile(r"[a-z][a-z0-9]*://")
_TEMPORARY: Final = re.compile(r"\.(.+?\.(?:json|parquet|toml))\.")
_MESSAGE_LENGTH: Final = 300  # the texts of object stores are long, and their end is a request's number


class Store(Protocol):
    """Files by name: relative, with slashes. Errors are `OSError` with the place as `filename`."""

    def read(self, name: str) -> bytes:
        """All bytes of a file; `FileNotFoundError` if there is none."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole or not at all, over another one of this name if there is one."""
        ...

    def names(self) -> set[str]:
        """All files, without those that are being written."""
        ...

    def prepare(self, folder: str) -> None:
        """Make a folder, and those above it, where the store has folders."""
        ...

    def clean(self, names: set[str]) -> None:
        """Remove what killed processes left of files with these names."""
        ...

    def at(self, name: str) -> str:
        """A name as messages show it."""
        ...


def store_at(where: str | Path | Store) -> Store:
    """The store of a folder or of an address such as ``s3://bucket/run``; a store is returned as it is.

    Raises
    ------
    InputError
        If an address is none that Arrow knows, or holds credentials.

    Examples
    --------
    >>> store_at("runs/a")
    runs/a
    >>> store_at("s3://bucket/run?region=eu-west-1")
    s3://bucket/run
    """
    if not isinstance(where, str | Path):
        return where
    return ObjectStore(str(where)) if is_address(where) else FolderStore(Path(where))


def is_address(where: str | Path) -> bool:
    """Whether this is the address of an object store, and no path."""
    return isinstance(where, str) and _ADDRESS.match(where) is not None


@dataclass(frozen=True)
class FolderStore:
    """A folder. A file is written beside its place under a dot-name, synchronised, renamed."""

    root: Path

    def read(self, name: str) -> bytes:
        """All bytes of a file."""
        return (self.root / name).read_bytes()

    def write(self, name: str, data: bytes) -> None:
        """Write a file; its folder must be there, for one that has vanished took files of the run along."""
        path = self.root / name
        # Two processes may write the same part, one of them because the other was believed lost.
        beside = path.with_name(f".{path.name}.{socket.gethostname()}-{os.getpid()}.tmp")
        try:
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except BaseException as error:
            if isinstance(error, OSError):
                error.filename, error.filename2 = str(path), None
            with suppress(OSError):
                beside.unlink()
            raise

    def names(self) -> set[str]:
        """All files."""
        paths = (path for path in self.root.rglob("*") if not path.name.startswith("."))
        return {path.relative_to(self.root).as_posix() for path in paths if not path.is_dir()}

    def prepare(self, folder: str) -> None:
        """Make a folder."""
        (self.root / folder).mkdir(parents=True, exist_ok=True)

    def clean(self, names: set[str]) -> None:
        """Remove temporary files; of other names they may be those of a running process."""
        for leftover in self.root.glob("**/.*.tmp"):
            of = _TEMPORARY.match(leftover.name)
            if of and leftover.with_name(of[1]).relative_to(self.root).as_posix() in names:
                leftover.unlink(missing_ok=True)

    def at(self, name: str) -> str:
        """The path."""
        return str(self.root / name)

    def __str__(self) -> str:
        return str(self.root)

    __repr__ = __str__


@dataclass(frozen=True)
class ObjectStore:
    """A prefix of an object store, by Arrow: S3 and what speaks like it, Google Cloud Storage and others.

    Parameters
    ----------
    address : str
        ``s3://bucket/prefix``, ``gs://bucket/prefix``; behind a ``?`` the options of Arrow, such as ``region=eu-west-1`` or
        ``endpoint_override=HOST:PORT&scheme=http``. Credentials come from the environment, on every machine its own.
    """

    address: str

    def __post_init__(self) -> None:
        scheme, _, rest = self.address.partition("://")
        if scheme == "file":
            raise InputError("an address of files", where=str(self), expected="a path without file://")
        if "@" in rest.partition("/")[0]:
            raise InputError("an address with credentials", where=f"{scheme}://...", expected="credentials in the environment")
        _ = self._place

    def __getstate__(self) -> dict[str, Any]:
        return {"address": self.address}

    @cached_property
    def _place(self) -> tuple[Any, str]:
        address = self.address
        if address.startswith("s3://"):  # opened late, Arrow sends a file in one put and not in three requests
            address += ("&" if "?" in address else "?") + "allow_delayed_open=true"
        try:
            system, path = fs.FileSystem.from_uri(address)
        except (pa.ArrowException, ValueError) as error:
            expected = "an address that Arrow knows, such as s3://bucket/run or gs://bucket/run"
            raise InputError(shown(str(error), 120)[1:-1], where=str(self), expected=expected) from None
        return system, path.rstrip("/")

    def read(self, name: str) -> bytes:
        """All bytes of an object."""
        system, prefix = self._place
        with self._named(name), system.open_input_file(f"{prefix}/{name}") as file:
            data: bytes = file.read()
            return data

    def write(self, name: str, data: bytes) -> None:
        """Put an object, at once: a stream that is closed after an error would publish the half of it."""
        system, prefix = self._place
        with self._named(name):
            stream = system.open_output_stream(f"{prefix}/{name}", compression=None)
            stream.write(data)
            stream.close()

    def names(self) -> set[str]:
        """All objects below the prefix."""
        system, prefix = self._place
        with self._named(""):
            found = system.get_file_info(fs.FileSelector(prefix, allow_not_found=True, recursive=True))
        return {one.path[len(prefix) + 1 :] for one in found if one.type == fs.FileType.File}

    def prepare(self, folder: str) -> None:
        """Nothing: names need no folders."""

    def clean(self, names: set[str]) -> None:
        """Nothing: there are no temporary objects."""

    def at(self, name: str) -> str:
        """The address of an object."""
        return f"{self}/{name}" if name else str(self)

    def __str__(self) -> str:
        return self.address.partition("?")[0].rstrip("/")

    __repr__ = __str__

    @contextmanager
    def _named(self, name: str) -> Iterator[None]:
        try:
            yield
        except (OSError, pa.ArrowException) as error:
            number = getattr(error, "errno", None) or errno.EIO
            text = " ".join(str(error).split())
            raise OSError(number, text if len(text) <= _MESSAGE_LENGTH else text[:_MESSAGE_LENGTH] + "...", self.at(name)) from None
