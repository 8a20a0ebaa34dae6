# Two commands do all set-up: `make run` and `make test`. `make help` lists the rest.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
PY     := $(VENV)/bin/python
PIP    := $(PYTHON) -m pip --disable-pip-version-check --python $(PY) install --quiet
PYTEST := $(PY) -m pytest
export PYTHONUTF8 = 1

.DEFAULT_GOAL := help
.PHONY: help run test check soak bench bot-image lint types schemas filters luck lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' Makefile

run: $(VENV)/.platform ## start the arena on this machine: broker, web, workers, house bots; Ctrl-C stops it
	@exec $(PY) manage.py up

# The browser tests have a run of their own: their event loop would forbid the others the database.
# In the order of the files: by the number of tests, the few long ones would be left to one core.
test: $(VENV)/.dev ## run every test (browser tests need Chromium, else they are listed as skipped)
	$(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder --ignore tests/browser
	$(PYTEST) -n 2 --dist loadfile tests/browser

check: $(VENV)/.dev lint types ## the fast lane: lint, types, architecture, quick tests
	$(PYTEST) -q -x -m "not slow and not browser and not soak" tests/layout tests/arena/santase tests/arena/protocol tests/arena/pairing tests/arena/rating

soak: $(VENV)/.dev ## the long runs: a thousand matches on a busy machine
	$(PYTEST) -m soak

bench: $(VENV)-peers/.bench ## measure against peers in one run and print the ratios
	$(VENV)-peers/bin/python -m tests.bench

lint: $(VENV)/.dev ## ruff and the import contracts
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	PYTHONPATH=.:platform $(PY) -m importlinter.cli lint

types: $(VENV)/.dev ## mypy, strict
	$(PY) -m mypy

bot-image: $(VENV)/.platform ## make the image that bots run on in the sandbox `docker`, from this Python
	$(PY) -m arena.commands.bot_image

schemas: $(VENV)/.dev ## write docs/reference/*.schema.json anew from the code
	$(PY) -m arena.commands.schemas docs/reference

filters: $(VENV)/.dev ## compile the seccomp filters anew from arena/sandbox/wall/policy.py
	$(PY) -m arena.commands.filters arena/sandbox/wall/filters

luck: $(VENV)/.dev ## fit anew what cards are worth for the luck-adjusted score, from matches of house bots
	$(PY) -m arena.commands.fit_luck arena/rating/luck.json

lock: $(VENV)/.dev ## pin the newest versions that fit into requirements/*.txt
	./requirements/lock.sh

clean: ## remove the virtual environments (the state in var/ stays)
	rm -rf $(VENV) $(VENV)-peers

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 …")'
	$(PYTHON) -m venv --without-pip $(VENV)

# The checkout is installed by its place relative to the environment: Python reads these files in the
# locale's encoding, and under LC_ALL=C the path of a folder such as "моя арена" would stop it.
INSTALL_CHECKOUT = rm -f $(VENV)/lib/python3.*/site-packages/_santase_arena.pth && \
	$(PIP) --no-deps --no-build-isolation --editable . && \
	printf '../../../..\n../../../../platform\n' | tee $(VENV)/lib/python3.*/site-packages/_santase_arena.pth >/dev/null

$(VENV)/.platform: requirements/platform.txt pyproject.toml | $(PY)
	$(PIP) --require-hashes --requirement requirements/platform.txt
	$(INSTALL_CHECKOUT)
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(PY)
	$(PIP) --require-hashes --requirement requirements/dev.txt
	$(INSTALL_CHECKOUT)
	@touch $@ $(VENV)/.platform

# The peers pin old versions of what the platform uses, so the bench has an environment of its own.
$(VENV)-peers/.bench: requirements/bench.txt
	$(PYTHON) -m venv --without-pip $(VENV)-peers
	$(PYTHON) -m pip --disable-pip-version-check --python $(VENV)-peers/bin/python install --quiet --require-hashes --requirement requirements/bench.txt
	@touch $@
