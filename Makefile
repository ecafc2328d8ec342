# Two commands on a machine with Python 3.11 or newer and make:  make demo   make test
# uv is used if it is there, else venv and pip.  Everything is put into .venv and build/.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo live test test-slow test-spark lint docs check bench clean

BIN := .venv/bin
UV := $(shell command -v uv 2>/dev/null)
NPM := $(shell command -v npm 2>/dev/null)
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
    $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
INSTALL := $(if $(UV),$(UV) pip install --quiet --python $(BIN)/python,$(BIN)/python -m pip install --quiet --disable-pip-version-check)

help:
	@echo "make demo    render the answers in examples/ to build/demo/index.html"
	@echo "make live    serve a page that shows answers as they come, on this machine"
	@echo "make test    run the tests, but for those below (ARGS='-k name' for some)"
	@echo "make test-slow   processes, databases, floods, a browser: minutes more"
	@echo "make test-spark  those over a real Spark (Java 17; downloads half a gigabyte)"
	@echo "make lint    ruff, mypy, layers"
	@echo "make docs    build/docs/index.html"
	@echo "make check   lint, docs, test and test-slow"
	@echo "make bench   the figures in README.md (minutes)"
	@echo "make clean   remove what was built; .venv stays"

demo: .venv/.ready
	@$(BIN)/python examples/demo.py
	@echo "The live page: make live"

live: .venv/.ready .venv/.ready-live
	@$(BIN)/citemark demo

test: .venv/.ready-test .venv/.ready-browser
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m 'not slow and not browser and not spark' $(ARGS)

test-slow: .venv/.ready-test .venv/.ready-browser $(if $(NPM),build/html-validate build/markdown-parsers)
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m '(slow or browser) and not spark' $(ARGS)

test-spark: .venv/.ready-test .venv/.ready-spark
	@$(BIN)/python -m pytest -q -m spark tests/spark tests/batch/test_recipes.py $(ARGS)

# The tests' libraries too: mypy reads the types of all that is imported.
lint: .venv/.ready-test .venv/.ready-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/.ready-docs
	$(BIN)/sphinx-build --nitpicky --fail-on-warning --keep-going --quiet docs build/docs
	@echo "build/docs/index.html"

check: lint docs test test-slow

bench: .venv/.ready-test build/peers
	$(BIN)/python benchmarks/run.py

# Rivals with many dependencies stay out of .venv; their rows are left out where they do not install.
build/peers: | .venv/.ready
	@mkdir -p build
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["bench"], sep="\n")' > build/bench.txt
	-@$(INSTALL) --target $@ --requirement build/bench.txt

# Judges of the tests' pages and Markdown.  Without them they run on, and say what is missing.
build/html-validate: $(wildcard tests/html_validate/*)
build/markdown-parsers: $(wildcard tests/markdown_parsers/*)
build/html-validate build/markdown-parsers:
	@echo "Installing $(@F) into build" >&2
	@rm -rf $@ && mkdir -p $@ && cp $^ $@/
	@npm install --prefix $@ --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null \
	|| { echo "It does not install; tests that need it will say so" >&2; rm -rf $@; }

clean:
	rm -rf build dist

# Debian's Python has no ensurepip unless python3-venv is installed: pip installs itself then.
$(BIN)/python:
ifneq ($(UV),)
	$(UV) venv --quiet --python '>=3.11' .venv
else
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python" >&2; exit 1; }
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv .venv; \
	else $(PYTHON) -m venv --without-pip .venv && $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; fi
endif

# The marks make a second call fast; they are stale once pyproject.toml has changed.
.venv/.ready: pyproject.toml | $(BIN)/python
	@echo "Installing citemark into .venv" >&2
	@$(INSTALL) --editable .
	@touch $@

.venv/.ready-live: pyproject.toml .venv/.ready
	@echo "Installing what the live page needs into .venv" >&2
	@$(INSTALL) --editable '.[demo]'
	@touch $@

# pip reads dependency groups (PEP 735) from version 25.1 on only, so they are written out as a file.
.venv/.ready-%: pyproject.toml .venv/.ready
	@echo "Installing what $* needs into .venv" >&2
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"]["$*"], sep="\n")' > .venv/$*.txt
	@$(INSTALL) --requirement .venv/$*.txt
	@touch $@
