# Two commands do everything on a machine that has only a Rust toolchain:
#   make demo    builds, runs the main job on built-in data, says where the report is
#   make test    installs what tests need, then checks format, lints, docs and all tests
# make check is what to run before a commit; make bench runs the studies behind docs/benchmarks.md.

CARGO ?= cargo
PYTHON ?= python3
VENV := .venv
TEST_VENV := .venv-test
FUZZ_RUNS ?= 20000
export CARGO_TERM_COLOR ?= never
# Whole builds are faster and smaller without the traces that incremental ones keep.
export CARGO_INCREMENTAL ?= 0
# Tests on random input start from one seed, so that a failure shows again; longer hunts:
# PROPTEST_RNG_SEED=2 PROPTEST_CASES=10000 make unit.
export PROPTEST_RNG_SEED ?= 1

.PHONY: demo check test setup mpi gpu format lint docs unit python browser fuzz fuzz-cli dist try-dist \
  book bench bench-tree bench-calls bench-io bench-spatial bench-graph bench-solve bench-mesh bench-machines bench-order bench-mesh-run \
  bench-accuracy bench-gpu bench-mpi bench-python bench-phylo bench-power bench-mincut bench-forest bench-stream bench-landscape build-times clean

demo:
	$(CARGO) run --package palmette-cli -- demo -o out

# What has changed since BASE (the last commit), whole; of the rest the tests of libraries, without
# those that take long. Built with every check that the compiler can add. Those of the façade are in
# tests/all/library; cli is named for the features that it asks of the façade.
BASE ?= HEAD
SLOW := --skip png::hostile --skip large --skip random_shapes_are_as_known --skip layouts_are_those_of_the_host
LIBRARIES := core graph io language mesh phylo power report spatial tree
check: format lint
	$(CARGO) test --quiet $(LIBRARIES:%=--package palmette-%) --features palmette-report/render --lib -- $(SLOW)
	$(CARGO) test --quiet --package palmette --package palmette-cli --test all -- library
	@changed=$$(scripts/changed.sh $(BASE)); if [ -n "$$changed" ]; then \
	  echo "changed: $$changed"; $(CARGO) test --quiet $$changed --tests -- $(SLOW); fi

# One profile, that of releases, for tests, the wheel, the packages and the pages: everything is built
# once. make check has the other one.
# Stages joined by + run beside each other: they keep little more than one core busy each. The fuzzer
# has a folder of its own for what it builds, so that it does not wait for dist.
STAGES := setup format lint docs unit dist+fuzz python+try-dist+browser
test:
	@DIST_FEATURES=like-workspace MAKE="$(MAKE)" scripts/stages.sh $(STAGES)
	@echo "make test: all checks passed"

# A C compiler for the bundled libraries, MPI (whose headers rsmpi reads with clang), a device in
# software for kernels, and the fuzzer's driver.
MPI_PACKAGES := libopenmpi-dev openmpi-bin clang libclang-dev
GPU_FEATURES := palmette-cli/gpu,palmette-bench/gpu
GPU_PACKAGES := libvulkan1 mesa-vulkan-drivers
setup: mpi gpu
	@command -v cc >/dev/null || scripts/packages.sh gcc g++ libc6-dev
	@command -v c++ >/dev/null || scripts/packages.sh g++

mpi:
	@scripts/packages.sh $(MPI_PACKAGES)

gpu:
	@scripts/packages.sh $(GPU_PACKAGES)

format:
	$(CARGO) fmt --all --check

# In the profile of the tests, so that macros and build scripts are built once.
lint:
	$(CARGO) clippy --release --workspace --all-targets --features $(GPU_FEATURES) --quiet -- -D warnings

docs:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --release --workspace --features $(GPU_FEATURES) --no-deps --quiet

# Unit, property and integration tests, studies on small inputs, examples, README commands,
# dependency direction.
TESTS := test --release --workspace --features $(GPU_FEATURES)
unit: $(TEST_VENV)/ready
	$(PYTHON) scripts/run_tests.py $(CARGO) $(TESTS)
	$(CARGO) $(TESTS) --no-fail-fast --doc

# The wheel, and what it holds against the command line that `make unit` builds, and against an
# example, which is built with the features that everything else has here.
PYTHON_TESTS := crates/python/tests
python: export DIST_FEATURES ?= like-workspace
python: $(TEST_VENV)/ready
	@test -x target/release/palmette || $(CARGO) build --quiet --release --package palmette-cli
	$(CARGO) build --quiet --release --workspace --features $(GPU_FEATURES) --example spatial_last
	scripts/dist.sh wheel
	$(TEST_VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheel/palmette-*.whl
	PALMETTE=$(CURDIR)/target/release/palmette $(TEST_VENV)/bin/python -m pytest --quiet -p no:cacheprovider $(PYTHON_TESTS)

# Pages with every kind of view, in a real browser; and the demo's. `make unit` builds both.
BROWSER := crates/report/tests/browser
CHROMIUM ?= /usr/bin/chromium
export CHROMIUM
browser: $(BROWSER)/node_modules/ready
	@[ -x $(CHROMIUM) ] || scripts/packages.sh chromium
	@test -x target/release/palmette || $(CARGO) build --quiet --release --package palmette-cli
	@test -x target/release/examples/sample_report || \
	  $(CARGO) build --quiet --release --package palmette-report --features render --example sample_report
	target/release/examples/sample_report target/browser
	target/release/palmette demo -o target/browser/demo
	node $(BROWSER)/run.mjs target/browser

$(BROWSER)/node_modules/ready: $(BROWSER)/package-lock.json
	@command -v npm >/dev/null || scripts/packages.sh nodejs npm
	cd $(BROWSER) && npm ci --no-audit --no-fund --loglevel=error
	touch $@

# Every reader, from one seed for a bounded number of inputs, so that a failure shows again; longer
# hunts: make fuzz FUZZ_RUNS=10000000. What it builds is instrumented (the flags are cargo-fuzz's), so
# its artefacts live in fuzz/target.
FUZZ_FLAGS := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
  -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
  -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
fuzz:
	cd fuzz && RUSTFLAGS="$(FUZZ_FLAGS)" $(CARGO) build --release --locked --target $(HOST)
	ls fuzz/seeds | xargs -P $(shell nproc) -n 1 fuzz/run.sh target/$(HOST)/release/palmette-fuzz $(FUZZ_RUNS)

# Damaged files of every format against every verb of the command; `make unit` runs a part of it.
# A failure names its run: make fuzz-cli FUZZ_CLI_SEED=1, with PALMETTE_FUZZ_ONLY=RUN to see it again.
FUZZ_CLI_RUNS ?= 50000
FUZZ_CLI_SEED ?= 1
fuzz-cli:
	PALMETTE_FUZZ_RUNS=$(FUZZ_CLI_RUNS) PALMETTE_FUZZ_SEED=$(FUZZ_CLI_SEED) \
	  $(CARGO) test --package palmette-cli --test cli mutations -- --nocapture

# What is released, in dist/: a wheel, an sdist, a Debian package, a tarball, checksums.
# scripts/dist.sh says what can be chosen.
dist:
	@$(PYTHON) -c "import ensurepip" 2>/dev/null || scripts/packages.sh python3-venv
	scripts/dist.sh

# Installs and tries each of them where nothing else is: a fresh venv, a fresh Debian.
try-dist:
	@command -v groff >/dev/null && command -v mmdebstrap >/dev/null || \
	  scripts/packages.sh groff-base mmdebstrap
	$(PYTHON) scripts/try_dist.py

# The book as pages, below target/book.
book:
	@command -v mdbook >/dev/null || $(CARGO) install --locked --quiet mdbook
	mdbook build docs/book

bench: bench-tree bench-io bench-spatial bench-graph bench-solve bench-mesh bench-machines bench-order bench-mesh-run \
  bench-accuracy bench-gpu bench-mpi bench-python bench-phylo bench-power bench-mincut bench-forest bench-stream bench-landscape

bench-tree: $(VENV)/ready
	$(CARGO) run --profile bench --package palmette-bench -- tree \
	  --python $(VENV)/bin/python --write docs/benchmarks.md

	$(MAKE) bench-calls

# The same as users call it: from Python, and the command from file to file.
bench-calls: $(TEST_VENV)/ready
	scripts/dist.sh wheel
	$(TEST_VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheel/palmette-*.whl
	$(TEST_VENV)/bin/pip install --quiet $$(grep ^higra benches/requirements.txt)
	$(TEST_VENV)/bin/python benches/tree_calls.py --threads 1 2 --write docs/benchmarks.md
	$(CARGO) build --release --package palmette-cli
	$(TEST_VENV)/bin/python benches/tree_command.py target/release/palmette \
	  --write README.md --write-phases docs/benchmarks.md

bench-io: $(VENV)/ready
	$(CARGO) run --profile bench --package palmette-bench -- io \
	  --python $(VENV)/bin/python --write docs/benchmarks.md

bench-spatial:
	$(CARGO) run --profile bench --package palmette-bench -- spatial --write docs/benchmarks.md

bench-graph:
	$(CARGO) run --profile bench --package palmette-bench -- graph --large --write docs/benchmarks.md

bench-solve: $(VENV)/ready
	$(CARGO) run --profile bench --package palmette-bench -- solve \
	  --python $(VENV)/bin/python --write docs/benchmarks.md

# Beside METIS and Scotch of Debian, and partitioners of PyPI, in a folder of their own.
MESH_VENV := .venv-mesh
bench-mesh: $(MESH_VENV)/ready
	@scripts/packages.sh metis scotch
	$(CARGO) run --profile bench --package palmette-bench -- mesh --write docs/benchmarks.md
	$(CARGO) build --release --package palmette-cli
	$(MESH_VENV)/bin/python benches/mesh_frontier.py target/release/palmette --write docs/benchmarks.md \
	  --points out/frontier.csv
	$(MESH_VENV)/bin/python benches/mesh_demands.py target/release/palmette --write docs/benchmarks.md
	$(CARGO) run --release --package palmette-report --example frontier -- out/frontier.csv docs/frontier.svg

$(MESH_VENV)/ready: benches/mesh_requirements.txt
	$(PYTHON) -m venv $(MESH_VENV)
	$(MESH_VENV)/bin/pip install --quiet --requirement benches/mesh_requirements.txt
	touch $@

# Hierarchies beside SharedMap, of PyPI.
MACHINES_VENV := .venv-machines
bench-machines: $(MACHINES_VENV)/ready
	$(CARGO) build --release --package palmette-cli
	$(MACHINES_VENV)/bin/python benches/machines.py target/release/palmette ../shared/data/meshes \
	  --write docs/benchmarks.md

$(MACHINES_VENV)/ready: benches/machines_requirements.txt
	$(PYTHON) -m venv $(MACHINES_VENV)
	$(MACHINES_VENV)/bin/pip install --quiet --requirement benches/machines_requirements.txt
	touch $@

# Orders of elimination beside METIS's and Scotch's programs, which are Debian's.
bench-order:
	@scripts/packages.sh metis scotch
	$(CARGO) build --release --package palmette-cli
	$(PYTHON) benches/order.py target/release/palmette ../shared/data/meshes --write docs/benchmarks.md

# PETSc is Debian's, and runs with Debian's Python.
bench-mesh-run: mpi $(VENV)/ready
	@scripts/packages.sh python3-petsc4py
	$(CARGO) build --release --package palmette-mpi --bin palmette-mpi
	$(CARGO) run --profile bench --package palmette-bench -- mesh-run \
	  --python $(VENV)/bin/python --write docs/benchmarks.md

bench-mpi: mpi
	$(CARGO) build --release --package palmette-cli --package palmette-mpi --bins
	$(CARGO) run --profile bench --package palmette-bench -- mpi --write docs/scaling.md
	$(CARGO) build --release --package palmette-cli
	$(PYTHON) benches/mesh_ranks.py target/release/palmette target/release/palmette-mpi --write docs/scaling.md

bench-accuracy: gpu
	$(CARGO) run --profile bench --package palmette-bench --features gpu -- accuracy \
	  --write docs/benchmarks.md --page out/accuracy.html --pictures docs

bench-gpu: gpu
	$(CARGO) run --profile bench --package palmette-bench --features gpu -- gpu \
	  --page out/gpu.html --write docs/benchmarks.md

# What docs/python.md says of speed.
bench-python: $(TEST_VENV)/ready
	scripts/dist.sh wheel
	$(TEST_VENV)/bin/pip install --quiet --no-deps --force-reinstall target/wheel/palmette-*.whl
	$(TEST_VENV)/bin/pip install --quiet $$(grep ^higra benches/requirements.txt)
	$(TEST_VENV)/bin/python benches/python_peers.py

# Phylogenetics beside the best tool for each job: Debian's (unifrac's programs, R with ape and phangorn)
# and those of PyPI, in a folder of their own.
PHYLO_VENV := .venv-phylo
PHYLO_PACKAGES := unifrac-tools r-cran-ape r-cran-phangorn
bench-phylo: $(PHYLO_VENV)/ready
	@scripts/packages.sh $(PHYLO_PACKAGES)
	$(CARGO) build --release --package palmette-cli
	$(CARGO) build --profile bench --package palmette-bench
	PATH=$(CURDIR)/$(PHYLO_VENV)/bin:$$PATH $(PHYLO_VENV)/bin/python benches/phylo.py target/release/palmette \
	  --study target/release/palmette-bench --write docs/benchmarks.md

$(PHYLO_VENV)/ready: benches/phylo_requirements.txt
	$(PYTHON) -m venv $(PHYLO_VENV)
	$(PHYLO_VENV)/bin/pip install --quiet --requirement benches/phylo_requirements.txt
	touch $@

# Minimum cuts beside VieCut.
MINCUT_VENV := .venv-mincut
bench-mincut: $(MINCUT_VENV)/ready
	$(CARGO) build --release --package palmette-graph --example mincut_turns
	$(MINCUT_VENV)/bin/python benches/mincut.py target/release/examples/mincut_turns --write docs/benchmarks.md

# Beside scipy, of the environment for tests.
bench-landscape: $(VENV)/ready
	$(CARGO) build --release --package palmette-cli
	$(VENV)/bin/python benches/landscape.py target/release/palmette --write docs/benchmarks.md

$(MINCUT_VENV)/ready: benches/mincut_requirements.txt
	$(PYTHON) -m venv $(MINCUT_VENV)
	$(MINCUT_VENV)/bin/pip install --quiet --requirement benches/mincut_requirements.txt
	touch $@

# Forests that change beside link-cut trees.
bench-forest:
	$(CARGO) build --release --package palmette-tree --example forest_turns
	target/release/examples/forest_turns 1000000 200000 --write docs/benchmarks.md

# Skeletons that follow a graph.
bench-stream:
	$(CARGO) build --release --package palmette-graph --example stream_turns
	target/release/examples/stream_turns --streams ../shared/data/graph2/dynamic --write docs/benchmarks.md \
	  ../shared/data/meshes/4elt.graph ../shared/data/graphs/delaunay_n15.graph

# Power networks beside scipy (transients) and power-grid-model (feeders).
POWER_VENV := .venv-power
bench-power: $(POWER_VENV)/ready
	$(CARGO) build --release --package palmette-cli
	$(POWER_VENV)/bin/python benches/power_transient.py target/release/palmette --write docs/benchmarks.md
	$(CARGO) build --release --package palmette-power --example flow_turns
	$(POWER_VENV)/bin/python benches/power_flow.py target/release/examples/flow_turns --write docs/benchmarks.md

$(POWER_VENV)/ready: benches/power_requirements.txt
	$(PYTHON) -m venv $(POWER_VENV)
	$(POWER_VENV)/bin/pip install --quiet --requirement benches/power_requirements.txt
	touch $@

# meshio reads what our writers of meshes write, and writes for our readers; the others are what
# the tests and examples in Python need.
$(TEST_VENV)/ready: crates/io/tests/peer_requirements.txt crates/python/tests/requirements.txt
	@$(PYTHON) -c "import ensurepip" 2>/dev/null || scripts/packages.sh python3-venv
	$(PYTHON) -m venv $(TEST_VENV)
	$(TEST_VENV)/bin/pip install --quiet --requirement crates/io/tests/peer_requirements.txt \
	  --requirement crates/python/tests/requirements.txt
	touch $@

# Wheels are built of CompactTree, with swig, which not every Python allows; of scikit-sparse, with
# CHOLMOD and a BLAS that does it justice; of AMGCL, with Boost and with pybind11, which it does not ask for.
PEER_PACKAGES := swig libsuitesparse-dev libopenblas0-pthread libboost-dev
$(VENV)/ready: benches/requirements.txt
	@scripts/packages.sh $(PEER_PACKAGES)
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --requirement benches/requirements.txt
	$(VENV)/bin/pip install --quiet CompactTree==1.0.1 || \
	  echo "CompactTree could not be built: bench-io goes without it"
	$(VENV)/bin/pip install --quiet --no-build-isolation pyamgcl==1.0.0.post4 || \
	  echo "AMGCL could not be built: bench-solve goes without it"
	touch $@

clean:
	$(CARGO) clean
	rm -rf out dist .venv* fuzz/target

# The table of docs/building.md; needs a machine that does nothing else.
build-times:
	$(PYTHON) scripts/build_times.py
