"""Malformed command lines, configuration files and environments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

FAILURE, USAGE = 1, 2


@dataclass(frozen=True)
class BadLine:
    """A command line that must fail with one clear message.

    In arguments and files, ``{tmp}`` is an empty folder, and ``{run}`` a run folder of 40 deals (`stbl`, `greedy`).
    """

    label: str
    arguments: tuple[str, ...]
    mentions: tuple[str, ...]
    code: int = USAGE
    environment: dict[str, str] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)


DEALS = ("", "x", "5:", ":5", "5:5", "6:5", "-1", "1:2:3", "1.5", "9" * 50)

WORDS = {  # option of `simulate` -> values that it cannot have
    "--deals": ("", "many", "1.5", "0", "-1", "1e6", str(2**60), "9" * 5000),
    "--seed": ("x", "-1", str(2**64), "0x10"),
    "--first-deal": ("-1", "one", str(2**48)),
    "--threads": ("0", "-2", "two", "5000"),
    "--variant": ("", "stlb", "STBL", "../stbl", "nothing.toml", "a" * 300, "st\tbl"),
    "--players": ("", ",", "greedy,", "gredy", "greedy,greedy,greedy", "greedy;random", "greedy," * 9 + "greedy", "missing.toml"),
    "--set": (
        "",
        "go_out",
        "go_out.canasta",
        "go_out.canasta=maybe",
        "go_out.kanasta=any",
        "canasta=any",
        "=",
        "table.seats=3",
        "table.mortos=[1",
    ),
    "--config": ("nothing.toml", "{tmp}"),
}

CONFIGURATIONS = {  # label -> contents and what the message must mention
    "unknown key": ("delas = 5", ("delas", "did you mean 'deals'")),
    "wrong type": ("deals = 'five'", ("deals", "a whole number")),
    "a flag that is a number": ("mirror = 1", ("mirror", "true or false")),
    "settings that are no list": ("set = 'a.b=1'", ("set", "a list of texts")),
    "variants that are no tables": ("variants = 3", ("variants",)),
    "an unknown rule": ("[variants.stbl.melds]\nrun_mx = 14", ("melds.run_mx", "variants.stbl")),
    "a rule out of range": ("[variants.stbl.deck]\njokers = 9", ("deck.jokers", "9")),
    "a strategy without policy": ("[strategies.mine]\nsummary = 'x'", ("policy", "strategies.mine")),
    "out of range": ("deals = 0", ("deals", "0")),
    "no TOML": ("deals = = 5", ("not TOML",)),
}

OTHERS = [
    BadLine("no command", (), ("Usage",)),
    BadLine("unknown command", ("simulat",), ("simulat", "simulate")),
    BadLine("unknown option", ("simulate", "--seeed", "3"), ("--seeed", "--seed")),
    BadLine("option without value", ("simulate", "--seed"), ("--seed",)),
    BadLine("an argument too many", ("simulate", "stbl"), ("stbl",)),
    BadLine("resume without folder", ("simulate", "--resume"), ("--resume", "--out")),
    BadLine("out is a file", ("simulate", "--out", "{tmp}/file"), ("{tmp}/file", "a folder"), files={"file": b""}),
    BadLine("out holds a run", ("simulate", "--out", "{run}"), ("{run}", "another run", "--resume"), FAILURE),
    BadLine(
        "resume another run", ("simulate", "--out", "{run}", "--resume", "--seed", "5", "--deals", "40"), ("{run}", "seed", "5"), FAILURE
    ),
    BadLine("environment", ("simulate",), ("BURACO_DEALS", "many"), environment={"BURACO_DEALS": "many"}),
    BadLine("environment names no variant", ("simulate",), ("stlb", "stbl"), environment={"BURACO_VARIANT": "stlb"}),
    BadLine("compare one", ("compare", "greedy"), ("'b'",)),
    BadLine("compare three", ("compare", "greedy", "random", "greedy"), ("greedy",)),
    BadLine("compare with nobody", ("compare", "greedy", "gredy"), ("gredy", "did you mean 'greedy'")),
    BadLine("compare two on one side", ("compare", "greedy,random", "random"), ("greedy,random", "one name")),
    BadLine("compare no pairs", ("compare", "greedy", "random", "--pairs", "0", "--no-out"), ("pairs = 0",)),
    BadLine("compare without budget", ("compare", "greedy", "random", "--budget", "-5", "--no-out"), ("-5",)),
    BadLine("compare without effect", ("compare", "greedy", "random", "--effect", "0", "--no-out"), ("effect = 0",)),
    BadLine("compare an effect of nan", ("compare", "greedy", "random", "--effect", "nan", "--no-out"), ("effect = nan",)),
    BadLine("compare twice the pairs", ("compare", "greedy", "random", "--pairs", "9", "--budget", "9"), ("--pairs", "--budget")),
    BadLine("compare in and out", ("compare", "greedy", "random", "--out", "{tmp}/a", "--no-out"), ("--out", "--no-out")),
    BadLine(
        "compare a variant twice",
        ("compare", "greedy", "random", "--variant", "stbl", "--variant", "stbl", "--out", "{tmp}/a"),
        ("stbl", "twice"),
    ),
    BadLine("compare appends to nothing", ("compare", "greedy", "random", "--append", "{tmp}/no"), ("{tmp}/no", "manifest.json"), FAILURE),
    BadLine("compare appends to others", ("compare", "greedy", "random", "--append", "{run}"), ("{run}", "another")),
    BadLine("compare into a used folder", ("compare", "greedy", "random", "--out", "{run}"), ("{run}", "another run"), FAILURE),
    BadLine("plan for nobody", ("plan", "greedy", "greedy"), ("greedy", "same player")),
    BadLine("plan a small pilot", ("plan", "greedy", "random", "--pilot", "3"), ("pilot = 3",)),
    BadLine("tournament of one", ("tournament", "greedy", "--no-out"), ("1 players",)),
    BadLine("tournament of none", ("tournament",), ("players",)),
    BadLine("tournament of twins", ("tournament", "greedy", "greedy", "--no-out"), ("'greedy' twice",)),
    BadLine(
        "tournament without its anchor", ("tournament", "greedy", "random", "--anchor", "me", "--no-out"), ("--anchor", "me", "greedy")
    ),
    BadLine("no matches", ("simulate", "--matches", "0"), ("matches = 0",)),
    BadLine("a deal after the match", ("replay", "--matches", "--deal", "200"), ("match 0 is over",)),
    BadLine("no such run", ("replay", "{tmp}/no", "--deal", "3"), ("{tmp}/no", "manifest.json"), FAILURE),
    BadLine("no run folder", ("replay", "{tmp}", "--deal", "3"), ("{tmp}", "manifest.json"), FAILURE),
    BadLine("deal outside of the run", ("replay", "{run}", "--deal", "40"), ("{run}", "0:40")),
    BadLine("range outside of the run", ("replay", "{run}", "--deal", "39:41"), ("{run}", "0:40")),
    BadLine("table that was not played", ("replay", "{run}", "--deal", "1", "--table", "1"), ("table = 1",)),
    BadLine("seed beside a run", ("replay", "{run}", "--deal", "1", "--seed", "2"), ("--seed",)),
    BadLine("rules beside a run", ("replay", "{run}", "--deal", "1", "--set", "table.seats=2"), ("--set",)),
    BadLine("variant not in the run", ("replay", "{run}", "--deal", "1", "--variant", "burako"), ("{run}", "--variant stbl")),
    BadLine("players not in the run", ("replay", "{run}", "--deal", "1", "--players", "random"), ("{run}", "--players greedy")),
    *(
        BadLine(f"deal {text!r}", ("replay", "--deal", text), ("--deal",))
        for text in ("", "x", "5:", ":5", "5:5", "6:5", "-1", "1:2:3", "1.5", "9" * 50)
    ),
    BadLine("table 2", ("replay", "--deal", "1", "--table", "2"), ("table = 2", "0 or 1")),
    BadLine("nothing to verify", ("verify",), ("what",)),
    BadLine("no such trace", ("verify", "{tmp}/no.jsonl"), ("{tmp}/no.jsonl",)),
    BadLine("verify an empty folder", ("verify", "{tmp}"), ("{tmp}", "manifest.json"), FAILURE),
    BadLine("damaged manifest", ("verify", "{tmp}"), ("{tmp}/manifest.json",), FAILURE, files={"manifest.json": b"{"}),
    BadLine("negative sample", ("verify", "{run}", "--sample", "-1"), ("--sample",)),
    BadLine("unknown engine", ("judge", "--engine", "abacus"), ("--engine", "kernel", "referee")),
    BadLine("no such cases", ("judge", "{tmp}/no.jsonl"), ("{tmp}/no.jsonl",)),
    BadLine("cases are a folder", ("judge", "{tmp}"), ("{tmp}",)),
    BadLine("show nothing", ("variants", "show"), ("name",)),
    BadLine("unknown variant", ("variants", "show", "stlb"), ("stlb", "did you mean 'stbl'")),
    BadLine("diff of one", ("variants", "diff", "stbl"), ("second",)),
    BadLine("diff with nothing", ("variants", "diff", "stbl", "x"), ("'x'",)),
    BadLine("check nothing", ("variants", "check"), ("files",)),
    BadLine(
        "check a bad ruleset",
        ("variants", "check", "stbl", "{tmp}/a.toml"),
        ("{tmp}/a.toml", "deck.jokers"),
        files={"a.toml": b"[deck]\njokers = 9"},
    ),
    BadLine("check a bad strategy", ("strategies", "check", "{tmp}/a.toml"), ("{tmp}/a.toml", "policy"), files={"a.toml": b"policy = 3"}),
    BadLine("unknown strategy", ("strategies", "show", "gredy"), ("gredy", "did you mean 'greedy'")),
    BadLine("no repetitions", ("bench", "--repetitions", "0"), ("--repetitions",)),
    BadLine("an option that it has not", ("schema", "--deals", "3"), ("--deals",)),
]


def malformed_command_lines() -> Iterator[BadLine]:
    """Yield every malformed command line."""
    for option, values in WORDS.items():
        for value in values:
            yield BadLine(f"{option} {value[:30]!r}", ("simulate", option, value), ())
    for label, (text, mentions) in CONFIGURATIONS.items():
        yield BadLine(f"config: {label}", ("simulate", "--config", "{tmp}/c.toml"), mentions, files={"c.toml": text.encode()})
    yield from OTHERS
