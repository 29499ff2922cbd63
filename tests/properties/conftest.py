"""Hypothesis without chance: the same examples in every run."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=100,
    phases=[Phase.explicit, Phase.generate],  # an example here is a whole deal: to shrink one takes minutes
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("suite")
