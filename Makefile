# These are enough: `make play`, `make web` and `make test`. They set everything up in .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play web test check lint docs screens bench clean

play: $(VENV)/.play
	@$(BIN)/zerosum || [ $$? -eq 130 ]

web: $(VENV)/.web
	@$(BIN)/zerosum web $(ARGS) || [ $$? -eq 130 ]

test: $(VENV)/.dev
	$(BIN)/pytest -n 3 -q

check: lint test

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.dev
	$(BIN)/python -m tools.docs

screens: $(VENV)/.dev
	$(BIN)/python -m tools.screens

bench: $(VENV)/.dev
	$(BIN)/python bench/start.py
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/solve.py
	$(BIN)/python bench/web.py

clean:
	rm -rf $(VENV)

$(VENV)/.play: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Zerosum needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[solve]'
	@touch $@

$(VENV)/.web: $(VENV)/.play
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[solve,web]'
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
