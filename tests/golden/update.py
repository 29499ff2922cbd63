"""Golden deals and the signature: what they are made of, and `python tests/golden/update.py`, which writes them anew.

A change of these files is a change of behaviour: the engine or a player plays otherwise than before. That is sometimes
meant; then the CHANGELOG gets the old and the new signature and why.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from buraco_sim.job import make_job
from buraco_sim.replay import replay
from buraco_sim.rules import Ruleset, variant_names
from buraco_sim.simulate import signature
from refereed import line_ups

FOLDER = Path(__file__).parent
DEALS = FOLDER / "deals"
SIGNATURE = FOLDER / "signature.txt"
COMMAND = "python tests/golden/update.py"
PLAYER = "greedy"
DEAL = 7


def deal_text(variant: str) -> str:
    """A deal of a variant in words."""
    return replay(variant, PLAYER, deal=DEAL).text().rstrip() + "\n"


def signature_text() -> str:
    """The signature of every preset with both numbers of seats and every line-up, and on top the hash of all."""
    lines = []
    for variant in variant_names():
        for seats in (2, 4):
            rules = Ruleset.load(variant).override({"table.seats": seats})
            lines += [f"{signature(make_job(rules, players))} {variant} {seats} {players}" for players in line_ups()]
    total = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    return "\n".join([f"{total} all", *lines]) + "\n"


def main() -> None:
    """Write all files, and say whether the signature has changed."""
    DEALS.mkdir(exist_ok=True)
    for path in DEALS.glob("*.txt"):
        path.unlink()
    for variant in variant_names():
        (DEALS / f"{variant}.txt").write_text(deal_text(variant))
    old = SIGNATURE.read_text().split()[0] if SIGNATURE.exists() else "none"
    SIGNATURE.write_text(signature_text())
    new = SIGNATURE.read_text().split()[0]
    print("signature unchanged: " + new if old == new else f"signature {old} -> {new}: say in CHANGELOG.md why")


if __name__ == "__main__":
    main()
