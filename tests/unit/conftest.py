"""What the unit tests share."""

from __future__ import annotations

import pytest

import fake_engine


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> fake_engine.FakeEngine:
    """A stand-in for the compiled core."""
    return fake_engine.install(monkeypatch)
