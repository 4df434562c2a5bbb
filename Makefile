# The ways into this project; `make help` lists them. Every target does only what is not done yet.

PORT ?= 8000
PROFILE ?=
# A profile of its own gets a site of its own: ./site for the first one, ./second-site for the second …
SITE ?= $(if $(filter-out first,$(PROFILE)),./$(notdir $(basename $(PROFILE)))-site,./site)
PYTHON ?= python3

# Images often forbid Python to keep what it compiled; each of the many processes of the tests would compile the server again.
export PYTHONDONTWRITEBYTECODE :=

# Processes of a test run. A third of its time is spent waiting, for browsers and servers above all.
WORKERS ?= $(shell $(BIN)/python -c 'import os; print(3 * len(os.sched_getaffinity(0)) // 2)' 2>/dev/null || echo auto)

BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUN_TIME := .venv/.run-time
DEVELOPMENT := .venv/.development

.DEFAULT_GOAL := help
.PHONY: help install serve admin test fuzz bench bench-analytics check docs dist format lock clean
.PHONY: types style layers dead-code compiled

help:  ## Say what can be made.
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(RUN_TIME)  ## Install what serving needs into .venv.

serve: $(RUN_TIME)  ## Serve a site, which is made first when there is none: [PROFILE=second] [PORT=8001] [SITE=./shop-site].
	@test -f $(SITE)/vetrina.toml || $(BIN)/vetrina $(if $(filter %.toml,$(PROFILE)),init $(SITE) --profile $(PROFILE),demo $(or $(PROFILE),first) --site $(SITE) --port $(PORT))
	@$(BIN)/python admin/build.py --background
	@$(BIN)/vetrina serve --site $(SITE) --port $(PORT) $(if $(PROFILE),--profile $(PROFILE))

admin: $(RUN_TIME)  ## Build the administration, where it is missing or older than its sources.
	$(BIN)/python admin/build.py

test: $(DEVELOPMENT)  ## Check style, types, layers and dead code, build the administration, then run every test.
	@$(MAKE) --no-print-directory --jobs 2 --output-sync check admin compiled
# Whoever has nothing left takes half of what another has: whole files first, and nobody waits at the end.
	$(BIN)/pytest -n $(WORKERS) --dist worksteal

fuzz: $(DEVELOPMENT)  ## Look for new counterexamples to the properties of the tests: [SECONDS=600] [SEED=1].
	$(BIN)/python tests/fuzz.py $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

bench: $(DEVELOPMENT)  ## Measure sites of a thousand to a million posts; the first time they are built, which takes long: [BENCH="--posts 1000"].
	$(BIN)/python benchmarks/run.py $(BENCH)
	$(BIN)/python benchmarks/dialect.py
	$(BIN)/python benchmarks/languages.py
	$(BIN)/python benchmarks/pages.py
	$(BIN)/python benchmarks/shop_load.py
	$(BIN)/python benchmarks/store_load.py

bench-analytics: $(DEVELOPMENT)  ## Measure the reports of a shop with a million orders: [BENCH="--orders 100000 --kept FOLDER"].
	$(BIN)/python benchmarks/analytics.py $(BENCH)

check: types style layers dead-code  ## Check style, types, layers and dead code alone.

# The longest of them first, for whoever runs two at once.
types: $(DEVELOPMENT)
	$(BIN)/mypy

style: $(DEVELOPMENT)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

layers: $(DEVELOPMENT)
	$(BIN)/lint-imports

dead-code: $(DEVELOPMENT)
	$(BIN)/vulture

# Processes that start together would compile the server, and rewrite the assertions of all tests, each for itself. What
# cannot be collected is told by the run.
compiled: $(DEVELOPMENT)
	@$(BIN)/python -m compileall -q src
	@$(BIN)/pytest -qq --collect-only -p no:cacheprovider >/dev/null || true

docs: $(DEVELOPMENT)  ## Build the documentation into build/docs/html; a warning is an error.
	PYTHONPATH=docs $(BIN)/python -m derive
	@echo "build/docs/html/index.html"

format: $(DEVELOPMENT)  ## Write the code as the checks want it.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock:  ## Write the locked requirements anew from pyproject.toml; needs uv.
	uv pip compile $(LOCK) --group build --output-file requirements.lock pyproject.toml
	uv pip compile $(LOCK) --group dev --all-extras --constraint requirements.lock --output-file requirements-dev.lock pyproject.toml

LOCK := --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --no-emit-find-links

dist: $(DEVELOPMENT) admin  ## Build the wheel in dist/, with the administration.
	$(BIN)/python -m hatchling build -t wheel

clean:  ## Remove what was installed and built; sites stay.
	rm -rf admin/node_modules src/vetrina/pages/admin_files
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or later is needed; name one with: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv

$(RUN_TIME): requirements.lock pyproject.toml | $(BIN)/python
	$(INSTALL) --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(DEVELOPMENT): requirements-dev.lock $(RUN_TIME)
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@
