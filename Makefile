# Every target makes itself ready first (deploy/setup.sh) and says so only when there is something to do.
#   ARGS=...    more arguments for what the target runs:  make demo ARGS="--once --fast",  make test ARGS="-k tuzdyk"
#   PYTHON=...  the interpreter to make .venv from:       make test PYTHON=/usr/bin/python3
.PHONY: help demo test check cover bench kernel catalogues venv clean
.DEFAULT_GOAL := help
unexport PYTHONPATH PYTHONHOME

SETUP := deploy/setup.sh
VENV_PYTHON := .venv/bin/python
# pytest calls an empty run 5, and an empty run proves nothing.
NO_TESTS = { status=$$?; [ $$status -ne 5 ] || echo "$@: pytest found no test to run, so nothing is proved" >&2; exit $$status; }

help:
	@echo 'make demo    a whole game on an emulated board, broadcast to a page on this machine (ARGS="--once --fast")'
	@echo 'make test    all tests but the long ones, in random order'
	@echo 'make check   style, types, who may import whom, pure files'
	@echo 'make cover   the tests of the rulebook, and every branch of it that they do not reach'
	@echo 'make bench   the long proofs'
	@echo 'make kernel  header pins on GPIO chips of a real kernel, in a machine that QEMU makes'
	@echo 'make catalogues   the texts in order in all languages, and what they lack'
	@echo 'make clean   removes .venv and every cache'

demo:
	@$(SETUP) runtime
	@.venv/bin/togyz demo $(ARGS)

test:
	@$(SETUP) test
	@$(VENV_PYTHON) -m pytest -m 'not bench' -n auto --maxprocesses 4 --dist worksteal $(ARGS) || $(NO_TESTS)

check:
	@$(SETUP) check
	@$(VENV_PYTHON) -m tests.house.check

# The rulebook is covered whole, branches too: what no test reaches there, nobody knows.
cover:
	@$(SETUP) test
	@$(VENV_PYTHON) -m pytest -q -m 'not bench' tests/rules --cov=rules --cov-branch \
		--cov-report=term-missing:skip-covered --cov-fail-under=100 $(ARGS)

bench:
	@$(SETUP) bench
	@HYPOTHESIS_PROFILE=bench $(VENV_PYTHON) -m pytest -m bench -s $(ARGS) || $(NO_TESTS)

kernel:
	@$(SETUP) kernel
	@$(VENV_PYTHON) -m tests.kernel.lane $(ARGS)

catalogues:
	@$(SETUP) test
	@$(VENV_PYTHON) -m tests.house.catalogues

venv:
	@$(SETUP) bench check

clean:
	@rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage
	@find rules sensors firmware_bridge deploy tests -name __pycache__ -type d -prune -exec rm -rf {} +
