"""Rulesets: every variant as data, validated, overridden, compared, and packed for the compiled core."""

from buraco_sim.rules.keys import KEYS, TABLES, Key
from buraco_sim.rules.ruleset import Ruleset, variant_names

__all__ = ["KEYS", "TABLES", "Key", "Ruleset", "variant_names"]
