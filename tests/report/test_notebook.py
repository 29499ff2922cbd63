"""The notebook of the docs runs from beginning to end."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_notebook_runs_and_shows_something(root: Path) -> None:
    notebook = nbformat.read(root / "docs/from-a-run.ipynb", as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) >= 5
    assert all(cell.outputs for cell in code)
    assert not [output for cell in code for output in cell.outputs if output.output_type == "error" or output.get("name") == "stderr"]
