"""The shape of the code: layers, lengths, and what a start of the command may load."""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = "buraco_sim"
SOURCE = Path(__file__).parents[1] / "src" / PACKAGE

#: Modules and folders, low to high: each imports only what stands before it. A new module gets its place here.
ORDER = (
    *("errors", "interrupts", "_jit"),
    *("cards", "layout", "data_files"),
    *("rules", "policies", "restrictions", "user_policies", "strategies", "referee"),
    *(
        f"kernels.{name}"
        for name in ("signature", "state", "records", "bits", "rng", "melds", "fits", "table", "candidates", "turn", "pile")
    ),
    *(f"kernels.{name}" for name in ("legal", "objection", "score", "view", "step", "policies", "deal", "batch", "probe")),
    *(
        "play",
        "players",
        "meld_text",
        "judge",
        "job",
        "config",
        "deal_text",
        "engine",
        "failures",
        "stats",
        "results",
        "matches",
        "replay",
        "chunks",
        "summary",
        "simulate",
        "tryout",
    ),
    *("executors", "cluster", "runs", "verify", "sql", "bench"),
    *("pairs", "comparison", "compare", "plan", "standings", "tournament", "tournament_page", "balance", "sweep", "tune", "report"),
    *("cli", "__main__"),
)
#: The second engine is written from the rules alone.
REFEREE_MAY_IMPORT = {"errors", "cards", "rules", "referee"}
HEAVY = ("numba", "numpy", "pyarrow")

LINES_OF_A_FILE = 400
LINES_OF_A_FUNCTION = 60


def module_name(path: Path) -> str:
    """The name of a module below the package; a folder's `__init__` has the folder's name."""
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


PATHS = {module_name(path): path for path in sorted(SOURCE.rglob("*.py"))}
MODULES = [name for name in PATHS if name]  # the package itself only names things, lazily


def as_module(folder: str, name: str) -> str:
    """The module of a folder if it is one, else what the folder's own `__init__` holds."""
    full = f"{folder}.{name}"
    return full if full.removeprefix(f"{PACKAGE}.") in PATHS else folder


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Every name that may be a module of the package, wherever in the file it is imported."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module
            yield from (as_module(node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "import_module":
            # A name put together at run time counts up to where it is open.
            text = next((part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)), "")
            yield str(text).rstrip(".")


@cache
def imports(name: str) -> frozenset[str]:
    """The modules of the package that a module imports."""
    found = {text.removeprefix(f"{PACKAGE}.") for text in imported_names(ast.parse(PATHS[name].read_text())) if text.startswith(PACKAGE)}
    return frozenset(found & set(MODULES)) - {name}


def place(name: str) -> int:
    """The place of a module in the order: its own, or that of the folder that it is in."""
    parts = name.split(".")
    known = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((ORDER.index(part) for part in known if part in ORDER), -1)


def code_lines(text: str) -> set[int]:
    """The numbers of the lines that hold code: no blank lines, comments or docstrings."""
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in skipped]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    return lines - {line for node in docstrings(ast.parse(text)) for line in range(node.lineno, (node.end_lineno or 0) + 1)}


def docstrings(tree: ast.AST) -> Iterator[ast.Expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            assert isinstance(node.body[0], ast.Expr)
            yield node.body[0]


def is_group(name: str) -> bool:
    """A folder of `ORDER` entries, such as `kernels`, has no place of its own."""
    return any(entry.startswith(f"{name}.") for entry in ORDER)


# ---- layers


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_a_place_in_the_order(name: str) -> None:
    assert place(name) >= 0 or is_group(name), f"say in ORDER of {Path(__file__).name} where {name} belongs"


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_downward_only(name: str) -> None:
    upward = [other for other in imports(name) if place(other) > place(name)]
    assert not upward, f"{name} imports {upward}, which stand above it"


def test_there_are_no_cycles() -> None:
    list(TopologicalSorter({name: imports(name) for name in MODULES}).static_order())


@pytest.mark.parametrize("name", [name for name in MODULES if name.partition(".")[0] == "referee"])
def test_the_referee_knows_the_rules_and_nothing_of_the_kernel(name: str) -> None:
    assert {other.partition(".")[0] for other in imports(name)} <= REFEREE_MAY_IMPORT


def test_the_kernels_name_no_player() -> None:
    """The engine compiles once for all players; one that it imported would be compiled into it."""
    for name in ("kernels.deal", "kernels.batch"):
        assert not [other for other in imports(name) if other.startswith("kernels.policies")]


# ---- lengths


@pytest.mark.parametrize("name", MODULES)
def test_no_file_is_long(name: str) -> None:
    assert len(code_lines(PATHS[name].read_text())) <= LINES_OF_A_FILE


@pytest.mark.parametrize("name", MODULES)
def test_no_function_is_long(name: str) -> None:
    text = PATHS[name].read_text()
    code = code_lines(text)
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    lengths = {node.name: len(code & set(range(node.lineno, (node.end_lineno or 0) + 1))) for node in functions}
    assert not {function: length for function, length in lengths.items() if length > LINES_OF_A_FUNCTION}


# ---- starting


@pytest.mark.parametrize(
    "arguments",
    [
        ["-c", f"import {PACKAGE}"],
        ["-c", f"import {PACKAGE} as b; b.Ruleset.load('stbl'); b.Strategy.load('random')"],
        ["-m", PACKAGE, "--help"],
        ["-m", PACKAGE, "--version"],
        ["-m", PACKAGE, "variants", "list"],
        ["-m", PACKAGE, "variants", "show", "stbl"],
        ["-m", PACKAGE, "strategies", "list"],
        ["-m", PACKAGE, "simulate", "--help"],
        ["-m", PACKAGE, "compare", "--help"],
        ["-m", PACKAGE, "tournament", "--help"],
    ],
    ids=lambda arguments: " ".join(arguments[1:]),
)
def test_a_start_loads_nothing_heavy(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-X", "importtime", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:]
    loaded = set(re.findall(r"\| +(\w+)$", done.stderr, re.MULTILINE))
    assert PACKAGE in loaded
    assert not loaded & set(HEAVY)


def test_the_public_names_are_functions_and_classes_also_after_their_modules_were_imported() -> None:
    modules = f"import {PACKAGE}.simulate, {PACKAGE}.replay, {PACKAGE} as b"
    code = f"{modules}; assert all(callable(getattr(b, name)) for name in b.__all__ if name[0] != '_')"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    import buraco_sim

    with pytest.raises(AttributeError, match="no attribute 'shuffle'"):
        _ = buraco_sim.shuffle  # type: ignore[attr-defined]
