"""No two equal decks among many: `python benchmarks/shuffle.py [DEALS]` (10 million by default, some 20 s and 250 MB)."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from buraco_sim.job import DEFAULT_SEED
from decks import hash_decks, n_equal


def main() -> int:
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    start = time.perf_counter()
    equal = n_equal(hash_decks(DEFAULT_SEED, 0, deals))
    print(f"{deals:,} decks of seed {DEFAULT_SEED}: {equal} equal to another, by hashes of 64 bits, in {time.perf_counter() - start:.1f} s")
    return int(equal > 0)


if __name__ == "__main__":
    sys.exit(main())
