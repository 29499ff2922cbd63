"""The list of mutants keeps up with the kernels: what a mutant changes stands there once."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants.mutants import MUTANTS, Mutant
from mutants.run import file_of


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.breaks)
def test_a_mutant_changes_one_place_of_the_kernels(root: Path, mutant: Mutant) -> None:
    assert mutant.old != mutant.new
    assert file_of(mutant, root).is_file()
