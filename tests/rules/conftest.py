"""Each test of the rules runs through every engine."""

from __future__ import annotations

import pytest

from asking import Asker
from engines import ENGINES


@pytest.fixture(params=sorted(ENGINES))
def rule(request: pytest.FixtureRequest) -> Asker:
    """Asks an engine under the base ruleset."""
    return Asker(ENGINES[request.param])
