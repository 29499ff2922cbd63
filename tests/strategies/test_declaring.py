"""What a user's file must be like: declarations, weights, names, mistakes in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from buraco_sim.engine import decide_of
from buraco_sim.errors import InputError
from buraco_sim.job import make_job
from buraco_sim.strategies import Strategy
from user_files import FIRST, Write

WEIGHTED = '''
@strategy(weights=[Weight("caution", 0.5, 0, 1, "share", "of something"), Weight("haste", 3, 0, 9, "cards", "of something else")])
def decide(view, weights, scratch):
    """Draws and discards."""
    return 0
'''


def test_a_function_is_a_strategy_with_its_defaults(write: Write) -> None:
    strategy = Strategy.load(write(WEIGHTED))
    assert (strategy.name, strategy.policy, strategy.summary) == ("mine", "mine.py:decide", "Draws and discards.")
    assert strategy.weights == {"caution": 0.5, "haste": 3.0}
    assert len(strategy.sha256) == 64


def test_a_file_anywhere_gives_it_other_weights(write: Write, tmp_path: Path) -> None:
    write(WEIGHTED)
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "quick.toml").write_text('policy = "../mine.py:decide"\n[weights]\nhaste = 9\n')
    strategy = Strategy.load("lab/quick.toml")
    assert (strategy.name, strategy.policy) == ("quick", "mine.py:decide")
    assert strategy.weight_array().tolist() == [0.5, 9.0]


@pytest.mark.parametrize(
    ("toml", "words"),
    [("hast = 9", ("unknown weight 'hast'", "did you mean 'haste'?")), ("haste = 10", ("weights.haste = 10", "0..9 (cards)"))],
)
def test_a_wrong_weight_is_one_line(write: Write, tmp_path: Path, toml: str, words: tuple[str, ...]) -> None:
    write(WEIGHTED)
    (tmp_path / "bad.toml").write_text(f'policy = "mine.py:decide"\n[weights]\n{toml}\n')
    with pytest.raises(InputError) as caught:
        Strategy.load("bad.toml")
    assert all(word in str(caught.value) for word in words), caught.value


def test_calling_a_strategy_calls_the_plain_function(write: Write) -> None:
    policy = Strategy.load(write(WEIGHTED)).user_policy()
    assert policy.function(None, None, None) == 0


def test_two_files_of_one_name_do_not_sit_at_one_table(write: Write, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    write(WEIGHTED)
    write(WEIGHTED + "\n# other\n", "other/mine.py")
    (tmp_path / "b.toml").write_text('policy = "other/mine.py:decide"\n')
    with pytest.raises(InputError, match=r"two different files are called 'mine\.py'"):
        make_job("stbl", "mine.py:decide,b.toml")


MALFORMED = {
    "no file": (None, ("cannot read the file",)),
    "no Python": ("def decide(:\n", ("line 6: SyntaxError",)),
    "fails when it is run": ("1 / 0\n", ("line 6: ZeroDivisionError",)),
    "no function": ("decided = 3\n", ("no function 'decide'", "@strategy()")),
    "misnamed": (FIRST.replace("def decide", "def decid"), ("no function 'decide'", "did you mean 'decid'?")),
    "not declared": ("def decide(view, weights, scratch):\n    return 0\n", ("'decide' is no strategy",)),
    "two arguments": ("@strategy\ndef decide(view, weights):\n    return 0\n", ("line 6", "def decide(view, weights)", "three arguments")),
    "no function declared": ("decide = strategy(3)\n", ("3: no function",)),
    "weight twice": (WEIGHTED.replace("haste", "caution"), ("weight 'caution' twice",)),
    "default out of range": (WEIGHTED.replace("0.5", "1.5"), ("default of weight 'caution' = 1.5", "0..1")),
    "weight as a number": (WEIGHTED.replace("[Weight", "[1, Weight"), ("weights: 1",)),
}


@pytest.mark.parametrize("label", MALFORMED)
def test_a_malformed_file_is_one_line(write: Write, label: str) -> None:
    text, words = MALFORMED[label]
    if text is not None:
        write(text)
    with pytest.raises(InputError) as caught:
        Strategy.load("mine.py:decide")
    assert str(caught.value).startswith("mine.py: ")
    assert "\n" not in str(caught.value)
    assert all(word in str(caught.value) for word in words), caught.value


def test_what_lies_beside_a_file_may_not_be_imported(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "beside_mine.py").write_text("NUMBER = 3\n")
    with pytest.raises(InputError, match=r"imports beside_mine\.py from beside it"):
        Strategy.load(write("import beside_mine\n" + FIRST))


#: What Numba does not compile, and what the line must say.
MISTAKES = {
    "misspelt name": ("return veiw.turn", ("line 6", "veiw")),
    "misspelt field": ("return view.trun", ("'trun'", "did you mean 'turn'?")),
    "text and number": ("return 'a' + 3", ("line 8", "add")),
    "a fraction": ("return view.turn / 2", ("line 6", "float64", "whole number")),
    "nothing on some path": ("if view.turn > 3:\n        return 0", ("nothing on some path",)),
    "true or false": ("return view.turn > 3", ("bool",)),
    "a file": ("open('x')\n    return 0", ("line 8", "open")),
}


@pytest.mark.parametrize("label", MISTAKES)
def test_what_cannot_be_compiled_is_one_line(write: Write, label: str) -> None:
    body, words = MISTAKES[label]
    strategy = Strategy.load(write(f"@strategy\ndef decide(view, weights, scratch):\n    {body}\n"))
    with pytest.raises(InputError) as caught:
        decide_of(strategy)
    line = str(caught.value)
    assert line.startswith("mine.py: line ")
    assert "\n" not in line
    assert len(line) < 400
    assert all(word in line for word in words), line


def test_smaller_whole_numbers_are_actions_too(write: Write) -> None:
    decide = decide_of(Strategy.load(write("@strategy\ndef decide(view, weights, scratch):\n    return np.int32(7)\n")))
    assert str(decide.nopython_signatures[0].return_type) == "int64"
