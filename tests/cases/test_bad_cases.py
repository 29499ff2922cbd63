"""A malformed case is answered by its id and one clear line, whatever is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from bad_input.cases import GOOD, BadCase, malformed_cases
from engines import ENGINES

BAD = list(malformed_cases())


def test_the_generator_makes_many() -> None:
    assert len(BAD) > 200
    assert len({bad.label for bad in BAD}) == len(BAD)


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("case", GOOD.values(), ids=GOOD.keys())
def test_the_cases_that_are_spoilt_are_good(engine: str, case: dict[str, Any]) -> None:
    assert "error" not in ENGINES[engine](case)


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("bad", BAD, ids=[bad.label for bad in BAD])
def test_a_malformed_case_is_answered_by_one_line(engine: str, bad: BadCase) -> None:
    found = ENGINES[engine](bad.case)
    assert set(found) == {"id", "error"}
    assert found["id"] == (bad.case.get("id") if isinstance(bad.case, dict) else None)
    assert found["error"].strip()
    assert "\n" not in found["error"]
    assert "Traceback" not in found["error"]
    for mention in bad.mentions:
        assert mention in found["error"]
