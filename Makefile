# Every target sets up what it needs in .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help play web test check lint docs site graph screens bench arrays learners mutate dist clean

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1|\2/p' Makefile | \
	while IFS='|' read -r target text; do printf '  make %-10s %s\n' "$$target" "$$text"; done

play: $(VENV)/.play ## Play in the terminal
	@trap : INT; $(BIN)/zerosum || [ $$? -eq 130 ]

web: $(VENV)/.web ## Play in the browser (ARGS="--port 8001" for another port)
	@trap : INT; $(BIN)/zerosum web $(ARGS) || [ $$? -eq 130 ]

# Compiled tests are kept, and neighbours run in one process, so that they share their servers.
test: $(VENV)/.dev ## Run all tests
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest -n 4 --dist worksteal -q

check: lint test ## Run everything that must pass: lint and test

lint: $(VENV)/.dev ## Run ruff, mypy, import-linter, and TypeScript over the scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tools.scripts

docs: $(VENV)/.dev ## Rewrite the generated parts of the documents
	$(BIN)/python -m tools.docs

site: $(VENV)/.dev ## Build the documents and the reference as one site in build/site
	$(BIN)/python -m sphinx -q -W --keep-going -c tools/site . build/site
	@echo "Open build/site/README.html in a browser."

graph: $(VENV)/.dev ## Draw the import graph as docs/architecture.svg
	$(BIN)/python -m tools.graph

screens: $(VENV)/.dev ## Retake the screenshots in docs/screens (needs Chromium)
	$(BIN)/python -m tools.screens

bench: $(VENV)/.dev ## Run the benchmarks
	$(BIN)/python bench/start.py
	$(BIN)/python bench/rules.py
	$(BIN)/python bench/solve.py
	$(BIN)/python bench/search.py
	$(BIN)/python bench/audit.py
	$(BIN)/python bench/bulk.py
	$(BIN)/python bench/arena.py
	$(BIN)/python bench/envs.py
	$(BIN)/python bench/web.py

# JAX and PyTorch are hundreds of megabytes, so that they have an environment of their own.
arrays: ## Run the tests of zerosum.bulk with JAX and PyTorch too
	$(PYTHON) -m venv build/arrays
	build/arrays/bin/python -m pip install --quiet --disable-pip-version-check \
		-e . gymnasium hypothesis jax pytest torch
	build/arrays/bin/pytest -q tests/bulk

# PyTorch again.
learners: ## Run the tests of Stable-Baselines3's environments too
	$(PYTHON) -m venv build/learners
	build/learners/bin/python -m pip install --quiet --disable-pip-version-check \
		-e . gymnasium hypothesis pytest sb3-contrib
	build/learners/bin/pytest -q tests/lab/envs/test_sb3.py

# mutmut 3.8 does not run with pytest 9.2, so it has an environment of its own.
mutate: ## Run mutation tests: list the changes that no test notices (half an hour)
	$(PYTHON) -m venv build/mutate
	build/mutate/bin/python -m pip install --quiet --disable-pip-version-check \
		-e . hypothesis jsonschema 'mutmut==3.8.*' 'pytest<9.2'
	HYPOTHESIS_PROFILE=mutation build/mutate/bin/mutmut run
	build/mutate/bin/mutmut results

dist: ## Build wheel and sdist in build/dist, check them, and play a game with each
	$(PYTHON) -m tools.dist

clean: ## Remove .venv, build and mutants
	rm -rf $(VENV) build mutants tools/typescript/node_modules

$(VENV)/.play: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Zerosum needs Python 3.11 or newer: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -e .
	@touch $@

$(VENV)/.web: $(VENV)/.play
	$(INSTALL) -e '.[web]'
	@touch $@

$(VENV)/.dev: $(VENV)/.play
	$(INSTALL) -e '.[dev]'
	@touch $@
