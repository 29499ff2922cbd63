"""The engine and its players play as they did; a change is deliberate."""

from __future__ import annotations

import pytest

from buraco_sim.rules import variant_names
from golden.update import COMMAND, DEALS, SIGNATURE, deal_text, signature_text

MEANT = f"If the change is meant: {COMMAND}, and give CHANGELOG.md the old and the new signature and the reason"


@pytest.mark.parametrize("variant", variant_names())
def test_a_played_deal(variant: str) -> None:
    assert deal_text(variant) == (DEALS / f"{variant}.txt").read_text(), f"{variant} is played otherwise. {MEANT}."


def test_no_golden_deal_is_left_over() -> None:
    assert sorted(path.stem for path in DEALS.iterdir()) == sorted(variant_names())


def test_the_signature() -> None:
    old, new = SIGNATURE.read_text().splitlines(), signature_text().splitlines()
    changed = [line.partition(" ")[2] for line in new if line not in old]
    assert old == new, f"signature {old[0].split()[0]} -> {new[0].split()[0]}, changed: {', '.join(changed)}. {MEANT}."
