"""The engines that answer rule questions; every test of the rules asks each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from buraco_sim import referee
from buraco_sim.judge import judge

Answer = Callable[[dict[str, Any]], dict[str, Any]]

ENGINES: Final[dict[str, Answer]] = {"kernel": judge, "referee": referee.answer}
