# Everything a user or CI does; needs make and Python >= 3.10 with venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TENSORFLOW ?= tensorflow-cpu==2.21.*
READY := $(VENV)/.ready

.PHONY: demo test wheel suite test-matrix bench lint clean

$(READY): pyproject.toml scripts/firststep
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e '.[dev]' '$(TENSORFLOW)'
	touch $(READY)

# Processes that run tests beside each other: most of a test is a program's start, which keeps one processor busy.
WORKERS ?= 2

# A real program explained, boosted (the first run learns, the second confirms), and both compared.
PROGRAM ?= zoo/text_transformer.py

demo: $(READY)
	$(BIN)/firststep record -- $(BIN)/python $(PROGRAM)
	$(BIN)/firststep boost -- $(BIN)/python $(PROGRAM)
	$(BIN)/firststep boost -- $(BIN)/python $(PROGRAM)
	$(BIN)/firststep boost --explain -- $(BIN)/python $(PROGRAM)
	$(BIN)/firststep prove --runs 3 -- $(BIN)/python $(PROGRAM) || [ $$? -eq 82 ] # it ends before its proof does, and prove says so

test: $(READY) lint
	$(BIN)/python -m pytest -m 'not suite' -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder --timeout 600

wheel: $(READY)  # built, installed in a clean environment, and tried on a program in another one
	$(BIN)/python -m pytest -m suite -q tests/project/test_wheel.py

suite: $(READY)
	$(BIN)/python tests/long.py

test-matrix: $(READY)
	$(BIN)/python tests/matrix.py

bench: $(READY)
	$(BIN)/python benchmarks/run.py

lint: $(READY)
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy

clean:
	rm -rf $(VENV) .venv-* build dist
