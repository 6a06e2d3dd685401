# Every target sets up what it needs in .venv, from the locked requirements: `demo` what Reading Room runs on, the others
# what tests and checks need as well.
PYTHON ?= python3
VENV ?= .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
BASE := $(VENV)/.base
READY := $(VENV)/.ready

.PHONY: demo test check bench docs test-peers soak lock format clean help
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/'

# What Reading Room runs on. The other lock holds the same versions of it, so that either may be installed first.
$(BASE): requirements/base.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Reading Room needs Python 3.11 or newer; try: make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@echo "Setting up $(VENV), once: a virtual environment,"
	@$(PYTHON) -m venv $(VENV)
	@echo "  the packages that Reading Room runs on (requirements/base.txt),"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/base.txt
	@echo "  and Reading Room itself."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $(BASE)

$(READY): requirements/dev.txt $(BASE)
	@echo "Adding, once, what tests and checks need (requirements/dev.txt); this may take some minutes."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@touch $(READY)

demo: $(BASE) ## set up, then search the example library through the client
	@$(BIN)/python examples/demo.py

# REST=1 leaves out what `make check` has run already, under coverage.
test: $(READY) ## set up, then run the tests that need only Python
	$(BIN)/python $(if $(REST),scripts/check_coverage.py --rest,-m pytest -q -n auto -m "not peers and not soak")

check: $(READY) ## style, types, import contracts, coverage, generated docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python scripts/check_coverage.py
	$(BIN)/python scripts/generate_docs.py --check

format: $(READY) ## format the code
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format .

bench: $(READY) ## measure side by side with peers and write docs/benchmarks.md
	$(BIN)/python bench/run.py

docs: $(READY) ## regenerate the reference pages and build the site
	$(BIN)/python scripts/generate_docs.py
	$(BIN)/python scripts/build_docs.py

test-peers: $(READY) ## install the peers (their own environments), then run the tests against them
	$(BIN)/python scripts/install_peers.py mcp mcp-1.8 mcp-1.9 mcp-1.12 fastmcp fastmcp-tasks node strangers strangers-mcp-1 nanoidp nginx playwright chromium
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m peers

soak: $(READY) ## long runs: leaks, restarts, random input
	$(BIN)/python -m pytest -q -m soak

lock: $(READY) ## resolve the requirements anew
	$(BIN)/python scripts/lock.py

clean: ## remove what was set up
	rm -rf $(VENV) .venv-* site dist build
