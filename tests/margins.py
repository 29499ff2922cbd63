"""Who plays better, over mirrored pairs."""

from __future__ import annotations

import numpy as np

import buraco_sim as b


def margin(players: str, variant: str = "stbl", deals: int = 200) -> tuple[float, float]:
    """Points a deal of the first team over the second: mean and half of the 95 % interval."""
    table = b.simulate(variant, players, deals=deals, mirror=True, threads=1).to_pydict()
    difference = np.subtract(table["score_0"], table["score_1"]).reshape(-1, 2)
    pairs = (difference[:, 0] - difference[:, 1]) / 2
    return float(pairs.mean()), float(1.96 * pairs.std(ddof=1) / len(pairs) ** 0.5)
