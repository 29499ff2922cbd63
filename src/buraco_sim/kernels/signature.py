"""The one signature of every player, and the compiled slot that it sits behind."""

from __future__ import annotations

from typing import Final

import numba
from numba import types

from buraco_sim.layout import VIEW

#: decide(view: record VIEW, weights: float64[w], scratch: int64[SCRATCH_WORDS]) -> int64 action
VIEW_RECORD: Final = numba.from_dtype(VIEW)
DECIDE_SIG: Final = types.int64(VIEW_RECORD, types.float64[::1], types.int64[::1])
PLAYER: Final = types.FunctionType(DECIDE_SIG)
