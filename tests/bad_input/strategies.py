"""Malformed strategies."""

from __future__ import annotations

from bad_input import NOT_TOML, BadFile

GOOD = b"policy = 'random'\n[weights]\nmeld_probability = 0.5\n"


def malformed_strategies() -> list[BadFile]:
    """Return malformed strategies, always the same ones in the same order."""
    wrong_weights = [
        BadFile(f"weight {value}", GOOD.replace(b"0.5", value.encode()), ("weights.meld_probability", "0..1"))
        for value in ("-0.1", "1.5", "nan", "inf", "-inf", "true", "'half'", "[0.5]", "{}", "0x" + "f" * 9000)
    ]
    return [
        *NOT_TOML,
        *wrong_weights,
        BadFile("no policy", b"name = 'mine'\n", ("no policy", "random")),
        BadFile("policy unknown", b"policy = 'gredy'\n", ("'gredy'", "did you mean 'greedy'?")),
        BadFile("policy no text", b"policy = 3\n", ("policy = 3",)),
        BadFile("weight missing", b"policy = 'random'\n", ("missing weight 'meld_probability'",)),
        BadFile("weight unknown", GOOD + b"patience = 1\n", ("'patience'", "meld_probability")),
        BadFile("weight mistyped", GOOD + b"meld_probabilty = 1\n", ("'meld_probabilty'", "did you mean 'meld_probability'?")),
        BadFile("weights no table", b"policy = 'random'\nweights = [0.5]\n", ("weights = [0.5]", "table")),
        BadFile("key unknown", b"polcy = 'random'\n", ("'polcy'", "did you mean 'policy'?")),
        BadFile("name with capitals", b"name = 'Mine'\n" + GOOD, ("name = 'Mine'",)),
        BadFile("summary no text", b"summary = 1\n" + GOOD, ("summary = 1",)),
        BadFile("remembers_pile no flag", b"remembers_pile = 1\n" + GOOD, ("remembers_pile = 1", "true or false")),
    ]
