# make help lists the targets. run and test need python3 (3.11 or newer) with pip and venv, and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := -m pip install --disable-pip-version-check --no-input -qq
LOCKED := $(PIP) --require-hashes -r
# The package itself, from this folder: its dependencies and its build backend are there already.
ITSELF := $(PIP) --no-deps --no-build-isolation --editable .
# Options for the tests, for example: make pytest TESTS="tests/engine -k replay"
TESTS  ?= -n 2

.DEFAULT_GOAL := help
# So that the last lines printed are those of the tests.
.NOTPARALLEL:
.PHONY: help setup run demo test check fix pytest bench bench-store docs pages messages lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 13

# What WeasyPrint prints with; without it there are no PDF files, and all else works.
PANGO  := import ctypes; [ctypes.CDLL(f"lib{name}-1.0.so.0") for name in ("pango", "pangoft2")]
setup: $(VENV)/.ready ## make .venv from the locked requirements (again only when they change)
	@$(BIN)/python -c '$(PANGO)' 2>/dev/null || sh tools/apt_install.sh libpango-1.0-0 libpangoft2-1.0-0 || \
		echo "arpad: no PDF files without libpango-1.0-0 and libpangoft2-1.0-0" >&2

DEMO   ?= build/demo
run: setup ## the site with demonstration data, at http://localhost:8000
	@$(BIN)/python -m arpad.demo.fill $(DEMO)
	@$(BIN)/arpad serve --data $(DEMO) --demo $(SERVE)

demo: setup ## rate the demonstration ledgers in the terminal; print each list and one explanation
	@$(BIN)/python -m arpad.demo

test: check pytest ## everything CI does: all checks, then all tests

check: setup ## lint, format, types, layers, documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/python tools/check_docs.py
	$(BIN)/python tools/ruleset_pages.py --check
	$(BIN)/python tools/messages.py --check
	$(BIN)/python tools/check_size.py

fix: setup ## put imports and layout in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

pytest: setup ## the tests alone (TESTS="tests/engine -k replay")
	@command -v chromium >/dev/null || sh tools/apt_install.sh chromium
	$(BIN)/python -m pytest -q $(TESTS)

bench: .venv-bench/.ready ## measure the engine against its peers and a C loop
	@command -v cc >/dev/null || sh tools/apt_install.sh gcc libc6-dev
	.venv-bench/bin/python bench/run.py

bench-store: .venv-bench/.ready ## measure the store: a million games on SQLite and on PostgreSQL
	.venv-bench/bin/python bench/store.py

docs: .venv-docs/.ready ## the documentation, into build/docs
	.venv-docs/bin/python -m sphinx --fail-on-warning --keep-going -q -b html docs build/docs

pages: setup ## bring the rulesets' pages up to their sources
	$(BIN)/python tools/ruleset_pages.py

messages: setup ## bring the site's translations up to its pages
	$(BIN)/python tools/messages.py

lock: .venv-lock/.ready ## write requirements/*.txt anew (UPGRADE=1 takes the newest releases)
	UV=.venv-lock/bin/uv sh tools/lock.sh $(if $(UPGRADE),--upgrade)

clean: ## remove all that was made here
	rm -rf .venv .venv-bench .venv-docs .venv-lock build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find arpad tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.ready: $(VENV)/.locked pyproject.toml
	$(BIN)/python $(ITSELF)
	@touch $@

$(VENV)/.locked: requirements/dev.txt
	sh tools/make_venv.sh $(VENV) $(PYTHON)
	$(BIN)/python $(LOCKED) requirements/dev.txt
	@touch $@

# The bench, the documentation and the locking tool have environments of their own:
# what they need must not decide what Arpad runs with.
.venv-bench/.ready: requirements/bench.txt pyproject.toml
	sh tools/make_venv.sh .venv-bench $(PYTHON)
	.venv-bench/bin/python $(LOCKED) requirements/bench.txt
	.venv-bench/bin/python $(ITSELF)
	@touch $@

.venv-docs/.ready: requirements/docs.txt
	sh tools/make_venv.sh .venv-docs $(PYTHON)
	.venv-docs/bin/python $(LOCKED) requirements/docs.txt
	@touch $@

.venv-lock/.ready: requirements/lock.txt
	sh tools/make_venv.sh .venv-lock $(PYTHON)
	.venv-lock/bin/python $(LOCKED) requirements/lock.txt
	@touch $@
