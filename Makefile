# Everything a person does here by hand. Each target sets up what it needs; `make help` lists them.

PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := catalog engine grammar repl sbql spark_udfs
JOBS ?= 2
COMPILED_TESTS ?= tests
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.PHONY: help setup demo demo-network demo-spark test doors clients sqlalchemy-suite spark kill-spark check tree bench bench-compiled bench-functions bench-queries bench-sets native labels compiled test-compiled bench-spark bench-tds bench-network backlog backlog-network idle-dialogs fuzz fuzz-tds fuzz-network simulate why networks kill-network histories row-cache parallel bench-small bench-durable bench-durable-compiled faults soak mutate ways docs screenshots dist clean

# --- what the targets need: a stamp a purpose, made again when the dependencies change; the demo needs no test tools ---

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "sbql needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml setup.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@$(BIN)/python -m compileall -q -j 0 $(PACKAGES)  # as pip does for what is not editable: where no byte code may be written later, a start would compile it all each time
	@touch $@

$(VENV)/.demo-spark: $(VENV)/.demo
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[spark,plots]'
	@touch $@

$(VENV)/.dev: $(VENV)/.demo
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,spark,connect,plots]'
	@touch $@

##@ Working on sbql

help: ## list the targets
	@awk -F':.*## ' '/^##@ /{ printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## /{ printf "  make %-22s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(VENV)/.dev ## make .venv with sbql, the test tools and PySpark

demo: $(VENV)/.demo ## run the trading example: two services, activated procedures, their log
	$(BIN)/python scripts/book/trading/run_demo.py

demo-network: $(VENV)/.demo ## two instances, each a process, trade over TCP with certificates and full dialog security: DIALOGS=20
	$(BIN)/python scripts/network/run_demo.py --dialogs $${DIALOGS:-20}

demo-spark: $(VENV)/.demo-spark ## run the trade pipeline with Spark, and balance its account: ENTRIES=10000 FOLDER=out (keeps files and plots)
	$(BIN)/python scripts/pipeline/run_demo.py --entries $${ENTRIES:-10000} $${FOLDER:+--folder "$$FOLDER"}

test: $(VENV)/.dev ## run the tests (those of Spark only where Java is)
	$(PYTEST) -n $(JOBS) --dist worksteal

# mypy and import-linter read the built tree: the folders only become the package `sbql` when they are installed.
tree: $(VENV)/.dev
	@rm -rf build/tree build/lib
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/tree .

check: tree ## ruff (rules, format), mypy --strict, import contracts: all of it on what ships
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy --strict --config-file pyproject.toml build/tree/sbql
	cd build/tree && PYTHONPATH=. ../../$(BIN)/lint-imports --config ../../pyproject.toml --cache-dir ../../.import_linter_cache

$(VENV)/.docs: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'mkdocs-material>=9.7'
	@touch $@

docs: $(VENV)/.docs ## build the site of the documents into build/site; a warning is an error
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

$(VENV)/.screenshots: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'pyte>=0.8.2'
	@touch $@

screenshots: $(VENV)/.screenshots ## type the scenes of .ci/screenshots.py into a pseudo-terminal, and draw docs/screenshots anew
	$(BIN)/python .ci/screenshots.py

$(VENV)/.dist: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'build>=1.2' 'twine>=6'
	@touch $@

dist: $(VENV)/.dist ## build sdist, wheel and compiled wheel into dist, and have twine look at them
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	SBQL_COMPILED=1 $(BIN)/python -m build --wheel --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

clean: ## remove what was built (not .venv)
	rm -rf build dist out *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

##@ Tests: other suites, and more of what `make test` runs a little of

doors: $(VENV)/.dev ## the suites of the driver and the command line, all of them also through a server
	DOORS=all $(PYTEST) -n $(JOBS) tests/doors

clients: $(VENV)/.dev ## what SQL Server's drivers do over `sbql serve --listen`, as a table in docs/clients.md
	CLIENT_ROWS=$${CLIENT_ROWS:-100000} $(BIN)/python tests/doors/client_table.py

sqlalchemy-suite: $(VENV)/.dev ## SQLAlchemy's own tests of its SQL Server dialects over `sbql serve --listen`, counted in docs/clients.md (ten minutes)
	$(BIN)/python tests/doors/sqlalchemy_suite.py

spark: $(VENV)/.dev ## run the tests that need Spark alone
	SPARK=all $(PYTEST) -m spark -n 0 tests/spark

# A copy of the package whose hot modules are machine code; the working tree stays what it is.
build/compiled/.made: $(VENV)/.dev setup.py pyproject.toml $(wildcard sbql/*.py grammar/*.py grammar/*/*.py catalog/*.py catalog/*/*.py engine/*.py engine/*/*.py engine/*/*/*.py)
	@rm -rf build/compiled build/machine-code
	SBQL_COMPILED=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target build/compiled .
	@touch $@

compiled: build/compiled/.made ## compile the hot modules into build/compiled with mypyc (a minute or two; needs a C compiler)

test-compiled: build/compiled/.made ## run the tests on what `make compiled` has built (but for those of the house), where `sbql` is that and not the working tree: COMPILED_TESTS=tests
	cd build/compiled && SBQL_COMPILED=1 PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR) $(CURDIR)/$(BIN)/pytest -c ../../pyproject.toml --rootdir ../.. \
		-n $(JOBS) --dist worksteal --ignore ../../tests/house $(COMPILED_TESTS:%=../../%)

native: $(VENV)/.dev ## every native form of functions against the scalar evaluator, over the ends of every type (some minutes)
	NATIVE_SHARE=1 $(BIN)/python -m pytest -n $${JOBS:-2} -q --timeout 3600 tests/unit/translate/test_native_forms.py

labels: $(VENV)/.dev ## two texts of every pair of collation labels in every construct where texts meet (two minutes)
	LABEL_STRIDE=1 $(BIN)/python -m pytest -n $${JOBS:-2} -q tests/unit/translate/test_collation_labels.py

why: $(VENV)/.dev ## every cause of docs/stuck.md, between instances too: fault, finding, repair, message
	WHY=all $(PYTEST) -n $(JOBS) -q tests/doors/test_why.py tests/doors/test_why_network.py

simulate: $(VENV)/.dev ## seeded runs of sessions, activation, DDL, clock jumps: SIMULATION_SEEDS=5000 SIMULATION_FIRST=0
	SIMULATION_SEEDS=$${SIMULATION_SEEDS:-5000} $(PYTEST) -n $(JOBS) -q tests/simulation

networks: $(VENV)/.dev ## seeded dialogs between instances over bad networks, with crashes: NETWORK_SEEDS=10000 NETWORK_FIRST=0, one in NETWORK_DISK=10 on files (0: none)
	NETWORK_SEEDS=$${NETWORK_SEEDS:-10000} $(PYTEST) -n $(JOBS) -q tests/simulation/test_network.py

histories: $(VENV)/.dev ## random transactions of two and three sessions, checked for anomalies: HISTORY_SEEDS=5000 HISTORY_FIRST=0
	HISTORY_SEEDS=$${HISTORY_SEEDS:-5000} $(PYTEST) -n $(JOBS) -q tests/isolation/test_histories.py

row-cache: $(VENV)/.dev ## random programs with the cache of rows and without, step by step: ROW_CACHE_SEEDS=300 (some minutes)
	ROW_CACHE_SEEDS=$${ROW_CACHE_SEEDS:-300} $(PYTEST) -n $(JOBS) -q tests/property/test_row_cache.py

parallel: $(VENV)/.dev ## tests of queries with four threads of DuckDB for each, however small its tables are (ten minutes)
	ALL_PARALLEL=1 $(PYTEST) -n $(JOBS) -q tests/sql tests/oracle tests/isolation tests/unit/translate tests/unit/functions tests/unit/values tests/unit/writes

faults: $(VENV)/.dev ## seeded runs in which disk or power fail: FAULT_SEEDS=10000 FAULT_FIRST=0 POWER_IMAGES=3000 POWER_FIRST=0
	FAULT_SEEDS=$${FAULT_SEEDS:-10000} FAULT_STRIDE=1 FAULT_THREAD_SEEDS=$${FAULT_THREAD_SEEDS:-100} POWER_IMAGES=$${POWER_IMAGES:-3000} \
		$(PYTEST) -n $(JOBS) -q tests/simulation/test_faults.py tests/faults tests/crash/test_power_failure.py

fuzz: $(VENV)/.dev ## random programs and mutated scripts: FUZZ_INPUTS=200000 FUZZ_SEED=1 (half an hour)
	HYPOTHESIS_PROFILE=long $(PYTEST) -n $(JOBS) -m fuzz tests

fuzz-tds: $(VENV)/.dev ## sessions of SQL Server's protocol with wrong bytes in them: TDS_SESSIONS=100000 TDS_FIRST=0 (half an hour)
	TDS_SESSIONS=$${TDS_SESSIONS:-100000} $(PYTEST) -n 0 -q tests/fuzz/test_tds_sessions.py

fuzz-network: $(VENV)/.dev ## bytes of the protocol between instances with something wrong in them: NETWORK_INPUTS=1000000 NETWORK_FUZZ_FIRST=0 (some minutes)
	NETWORK_INPUTS=$${NETWORK_INPUTS:-1000000} $(PYTEST) -n 0 -q --timeout 3600 tests/fuzz/test_network_frames.py

kill-spark: $(VENV)/.dev ## kill Spark, its workers and the owner of the store KILLS=10 times each, in three ways of sending, KILL_SEED=1 (an hour)
	KILLS=$${KILLS:-10} $(PYTEST) -n 0 -m soak tests/crash/test_killed_spark.py

kill-network: $(VENV)/.dev ## kill instances that talk over TCP KILLS=30 times, without and with full dialog security; ways that stall and break HARMS=6 times; chains with forwarders, CHAIN_TURNS=8; KILL_SEED=1 (an hour)
	KILLS=$${KILLS:-30} HARMS=$${HARMS:-6} CHAIN_TURNS=$${CHAIN_TURNS:-8} $(PYTEST) -n 0 -m soak tests/doors/test_broker_network.py tests/doors/test_chaos_network.py tests/doors/test_killed_pairs.py tests/doors/test_killed_chains.py

soak: $(VENV)/.dev ## the tests that run for hours
	$(PYTEST) -n 0 -m soak tests

$(VENV)/.mutation: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[mutation]'
	@touch $@

mutate: $(VENV)/.mutation ## change single places of broker, transaction, locks, journal; list what no test minds: MUTANTS=300 MUTATION_SEED=1 (hours)
	$(BIN)/python tests/mutation/mutate.py --count $${MUTANTS:-300} --seed $${MUTATION_SEED:-1}

ways: $(VENV)/.dev ## profile the ways of six statements through the modules, and write them into docs/architecture.md
	$(BIN)/python tests/house/test_ways.py

##@ Measuring

bench: $(VENV)/.dev ## the broker beside SQLite and PostgreSQL, durable and not
	$(BIN)/python tests/bench/bench_broker.py

bench-compiled: build/compiled/.made ## the same of what `make compiled` has built
	SBQL_COMPILED=1 PYTHONPATH=$(CURDIR)/build/compiled $(BIN)/python tests/bench/bench_broker.py

bench-small: $(VENV)/.dev ## small statements in procedures, beside bare DuckDB and SQLite: ROWS="1000 100000 1000000"
	$(BIN)/python tests/bench/bench_small.py $${ROWS:-1000 100000 1000000}

bench-queries: $(VENV)/.dev ## a hundred and fifty queries as people write them, beside bare DuckDB: ROWS=100000
	$(BIN)/python tests/bench/bench_queries.py --rows $${ROWS:-100000}

bench-sets: $(VENV)/.dev ## writes of many rows beside bare DuckDB and PostgreSQL, their memory, and a SEND beside them: ROWS=1000000
	$(BIN)/python tests/bench/bench_sets.py $${ROWS:-1000000}
	$(BIN)/python tests/bench/bench_sets.py $${ROWS:-1000000}0 --memory
	$(BIN)/python tests/bench/bench_beside.py --rows $${ROWS:-1000000}

bench-functions: $(VENV)/.dev ## functions and conversions in queries, beside bare DuckDB: ROWS="100000 1000000"
	$(BIN)/python tests/bench/bench_functions.py --rows $${ROWS:-100000 1000000}

bench-durable: $(VENV)/.dev ## one durable call in turn with psycopg's on PostgreSQL and with the disk alone: ROUNDS=15
	$(BIN)/python tests/bench/bench_durable.py $${ROUNDS:-15}

bench-durable-compiled: build/compiled/.made ## the same of what `make compiled` has built
	SBQL_COMPILED=1 PYTHONPATH=$(CURDIR)/build/compiled $(BIN)/python tests/bench/bench_durable.py $${ROUNDS:-15}

bench-tds: $(VENV)/.dev ## what SQL Server's clients get through `sbql serve --listen`, beside PostgreSQL: SECONDS=2 ROWS=100000
	$(BIN)/python tests/bench/bench_tds.py --seconds $${SECONDS:-2} --rows $${ROWS:-100000}

bench-spark: $(VENV)/.dev ## what Spark moves through a served store: MESSAGES=1000000 (some minutes)
	$(BIN)/python tests/bench/bench_spark.py --messages $${MESSAGES:-1000000}

bench-network: $(VENV)/.dev ## messages a second between two processes, durable on both sides: MESSAGES=50000 (some minutes)
	$(BIN)/python tests/bench/bench_network.py --messages $${MESSAGES:-50000}

backlog: $(VENV)/.dev ## cost of a message and memory with up to 10,000,000 waiting (an hour)
	$(BIN)/python tests/bench/backlog.py

backlog-network: $(VENV)/.dev ## what a million messages cost that wait for an instance that is down (ten minutes)
	$(BIN)/python tests/bench/network_backlog.py

idle-dialogs: $(VENV)/.dev ## memory and speed with up to a million open dialogs that do nothing (fifteen minutes)
	$(BIN)/python tests/bench/idle_dialogs.py
