# make run    plays a million deals of stbl into Parquet and prints the summary
# make test   ruff, mypy and pytest in the pinned test environment
# make lint   ruff and mypy only            make docs   writes what the sources generate
# All make their own virtual environment in $(VENV); they need Python 3.11 or newer, git and make.

SHELL := /bin/bash
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

DEALS ?= 1000000
# A run never overwrites another: when the folder exists, this run gets a name of its own.
OUT ?= $(if $(wildcard runs/stbl-million),runs/stbl-million-$(shell date +%Y%m%d-%H%M%S),runs/stbl-million)
PYTEST_ARGS ?=

.PHONY: run test check lint docs clean

run: $(VENV)/run.stamp
	$(BIN)/buraco simulate --variant stbl --players greedy --deals $(DEALS) --out $(OUT)

test: lint
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile $(PYTEST_ARGS)

check: lint

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/run.stamp
	$(BIN)/python -m buraco_sim.rules.reference docs/variants.md
	$(BIN)/python -m buraco_sim.results.reference docs/runs.md

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; say which: make PYTHON=/path/to/python3" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# Installed in place: the package is that of this checkout, with the versions of the test environment.
$(VENV)/run.stamp: pyproject.toml requirements-test.txt | $(BIN)/python
	$(PIP) install --constraint requirements-test.txt --editable .
	touch $@

$(VENV)/test.stamp: pyproject.toml requirements-test.txt | $(BIN)/python
	$(PIP) install --requirement requirements-test.txt
	$(PIP) install --no-deps --editable .
	touch $@
