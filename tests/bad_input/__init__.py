"""Generators of malformed input. Whatever reads it must answer with one clear line, never with a traceback."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class BadFile:
    """A malformed file, and the words that its error line must hold."""

    label: str
    content: bytes
    mentions: tuple[str, ...]


#: Content that is no TOML, whatever the file is for.
NOT_TOML = [
    BadFile("no value", b"[deck]\njokers =\n", ("not TOML", "line 2")),
    BadFile("open bracket", b"[deck\njokers = 4\n", ("not TOML", "line 1")),
    BadFile("key twice", b"name = 'a'\nname = 'b'\n", ("not TOML", "line 2")),
    BadFile("bytes that are no text", b"\xff\xfe\x00name", ("not TOML", "UTF-8")),
    BadFile("nested without end", b"assumed = " + b"[" * 20_000, ("nested too deeply",)),
    BadFile("number without end", b"assumed = " + b"9" * 10_000, ("not TOML",)),
    BadFile("an image", b"\x89PNG\r\n\x1a\n", ("not TOML",)),
]
