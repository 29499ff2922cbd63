"""buraco-sim: Buraco and Burraco in every variant, millions of deals by the rules.

The names below are imported on first use, so that `import buraco_sim` costs nothing: the compiled core, NumPy and
Arrow are loaded by what needs them.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from buraco_sim.balance.study import balance as balance
    from buraco_sim.compare import compare as compare
    from buraco_sim.errors import BuracoError as BuracoError
    from buraco_sim.judge import judge as judge
    from buraco_sim.matches import resample_matches as resample_matches
    from buraco_sim.plan import plan as plan
    from buraco_sim.policies import Weight as Weight
    from buraco_sim.replay import replay as replay
    from buraco_sim.report.page import report as report
    from buraco_sim.report.replay_page import replay_html as replay_html
    from buraco_sim.results.reader import Run as Run
    from buraco_sim.rules import Ruleset as Ruleset
    from buraco_sim.runs import simulate_to as simulate_to
    from buraco_sim.simulate import simulate as simulate
    from buraco_sim.sql import sql as sql
    from buraco_sim.strategies import Strategy as Strategy
    from buraco_sim.sweep import sweep as sweep
    from buraco_sim.tournament import tournament as tournament
    from buraco_sim.tune.tuning import tune as tune
    from buraco_sim.user_policies import python_strategy as python_strategy
    from buraco_sim.user_policies import strategy as strategy

__version__ = "0.1.0"

#: Public name -> the module that holds it.
_PUBLIC: Final = {
    "sweep": "sweep",
    "report": "report.page",
    "balance": "balance.study",
    "BuracoError": "errors",
    "compare": "compare",
    "Ruleset": "rules",
    "Run": "results.reader",
    "Strategy": "strategies",
    "Weight": "policies",
    "judge": "judge",
    "python_strategy": "user_policies",
    "plan": "plan",
    "replay": "replay",
    "resample_matches": "matches",
    "replay_html": "report.replay_page",
    "simulate": "simulate",
    "simulate_to": "runs",
    "tournament": "tournament",
    "tune": "tune.tuning",
    "sql": "sql",
    "strategy": "user_policies",
}

__all__ = ["__version__", *_PUBLIC]


class _Package(ModuleType):
    """Keeps `buraco_sim.simulate` the function, also after the module of the same name was imported."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (name in _PUBLIC and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PUBLIC[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
