"""Every case of cases.jsonl has the answer that it expects, from every engine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engines import ENGINES

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text().splitlines()]


def test_no_case_is_lost() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) == 474


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(engine: str, case: dict[str, Any]) -> None:
    found = ENGINES[engine](case)
    expected = {"id": case["id"], **case["expect"]}
    assert {key: found.get(key) for key in expected} == expected, case["why"]
