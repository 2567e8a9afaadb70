# corten's front door. CMake does the work; this file installs what it needs and picks the variant.

BUILD ?= build
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
PACKAGES := gcc cmake libdeflate-dev libpng-dev libqhull-dev
TEST_PACKAGES := libcmocka-dev python3-dev python3-numpy
CONFIGURE := cmake -S . -Wno-dev

.PHONY: all run trial test bench cuda wheel conformance python-check record check install uninstall generate format lint fuzz fuzz-edits soak clean tools run-tools

all: $(BUILD)/release.done

# Installs missing packages as root, or says which command does.
tools:
	@sh cmake/tools.sh $(PACKAGES) $(TEST_PACKAGES)

# What the command alone needs.
run-tools:
	@sh cmake/tools.sh $(PACKAGES)

# One folder per variant: make build/asan.done builds the sanitizer variant, and so on.
# Link-time optimisation of the shipped variant; the others prove numbers, not speed.
LTO ?= ON
VARIANT_release := -DCMAKE_BUILD_TYPE=Release -DCORTEN_LTO=$(LTO)
VARIANT_debug := -DCMAKE_BUILD_TYPE=Debug
VARIANT_fast := -DCMAKE_BUILD_TYPE=Release -DCORTEN_LTO=OFF -DCORTEN_FLOAT=fast
VARIANT_single := -DCMAKE_BUILD_TYPE=Release -DCORTEN_LTO=OFF -DCORTEN_SINGLE=ON
VARIANT_asan := -DCMAKE_BUILD_TYPE=Debug -DCORTEN_SANITIZE=address
VARIANT_tsan := -DCMAKE_BUILD_TYPE=Debug -DCORTEN_SANITIZE=thread
# What strictness costs: the library as shipped, but for its arithmetic. For `make bench`.
VARIANT_shipfast := -DCMAKE_BUILD_TYPE=Release -DCORTEN_LTO=$(LTO) -DCORTEN_FLOAT=fast -DCORTEN_TESTS=OFF
# For `make cuda`: everything in float, with the arithmetic that a GPU is fastest at.
VARIANT_float := -DCMAKE_BUILD_TYPE=Release -DCORTEN_LTO=OFF -DCORTEN_SINGLE=ON -DCORTEN_FLOAT=fast -DCORTEN_TESTS=OFF
VARIANTS := release debug fast single asan tsan

.PHONY: $(VARIANTS) $(VARIANTS:%=test-%) FORCE
$(BUILD)/%.done: FORCE | tools
	@$(CONFIGURE) -B $(BUILD)/$* $(VARIANT_$*) $(CMAKE_FLAGS) >$(BUILD)-$*.log 2>&1 || (cat $(BUILD)-$*.log; exit 1)
	@rm -f $(BUILD)-$*.log
	@cmake --build $(BUILD)/$* -j $(JOBS) -- --no-print-directory

$(VARIANTS): %: $(BUILD)/%.done

$(VARIANTS:%=test-%): test-%: $(BUILD)/%.done
	@echo "== $* tests"
	@ctest --test-dir $(BUILD)/$* --output-on-failure --output-junit tests.xml -j $(JOBS)

# Shows corten at work on a built-in model.
# Builds the command only, and leaves a recording, a plot and, where there is an OpenGL, a picture behind.
SOFT := flag draped_cloth cable_over_edge soft_block soft_cell
run: | run-tools
	@$(CONFIGURE) -B $(BUILD)/release $(VARIANT_release) $(CMAKE_FLAGS) >$(BUILD)-release.log 2>&1 || (cat $(BUILD)-release.log; exit 1)
	@rm -f $(BUILD)-release.log
	@cmake --build $(BUILD)/release -j $(JOBS) --target corten_cli -- --no-print-directory
	@$(BUILD)/release/bin/corten run --csv $(BUILD)/humanoid.csv
	@$(BUILD)/release/bin/corten plot $(BUILD)/humanoid.csv -o $(BUILD)/humanoid-plot.png --columns "qpos.root.?" --title "where the humanoid is"
	@printf '\nin $(BUILD)/: humanoid.csv (recording), humanoid-plot.png (plot)'
	@$(BUILD)/release/bin/corten render -o $(BUILD)/humanoid.png --time 1 2>$(BUILD)/humanoid.log \
	  && echo ', humanoid.png (picture)' || (echo; cat $(BUILD)/humanoid.log)
	@rm -f $(BUILD)/humanoid.log
	@printf '\na second of soft bodies (docs/flex.md)\n'
	@for model in $(SOFT); do \
	  printf '  %-16s' $$model; \
	  $(BUILD)/release/bin/corten run models/$$model.xml | grep 'steps per second' || exit 1; \
	  $(BUILD)/release/bin/corten render models/$$model.xml -o $(BUILD)/$$model.png --time 1 >/dev/null 2>&1 || continue; \
	done

# A newcomer's first five minutes, from a clone to a film, with the time of each step.
trial:
	@sh tests/trial.sh

# The whole suite in every variant that proves something of its own: the library as shipped, address and
# undefined sanitizers, thread sanitizer (lanes as threads), contraction allowed, single precision.
TEST_VARIANTS := release asan tsan fast single
test:
	@for v in $(TEST_VARIANTS); do $(MAKE) --no-print-directory test-$$v CMAKE_FLAGS=-DCORTEN_WERROR=ON || exit 1; done
	@sh tests/summary.sh $(BUILD) $(TEST_VARIANTS)

# Compares with the reference, which is installed into a folder of the build.
REFERENCE := $(BUILD)/reference
CORPUS ?= ../shared/corpus
$(REFERENCE)/ready:
	@sh cmake/tools.sh python3-venv
	@echo "installing the reference into $(REFERENCE)"
	@python3 -m venv $(REFERENCE) && $(REFERENCE)/bin/pip -q install mujoco==3.5.0 numpy && touch $@
$(REFERENCE)/tester: $(REFERENCE)/ready
	@$(REFERENCE)/bin/pip -q install pytest absl-py && touch $@
conformance: $(BUILD)/release.done $(REFERENCE)/ready $(REFERENCE)/tester
	@sh tests/conformance/run.sh $(BUILD)/release $(REFERENCE) $(CORPUS)

# The Python package on corten: its own tests, Gymnasium's and dm_control's environments; and corten's package with everything
# that it works together with, which are some gigabytes; in one table.
$(REFERENCE)/tasks: $(REFERENCE)/tester
	@$(REFERENCE)/bin/pip -q install mujoco==3.5.0 "gymnasium[mujoco]" dm_control && touch $@
$(REFERENCE)/partners: $(REFERENCE)/tasks
	@$(REFERENCE)/bin/pip -q install torch jax ray envpool nbclient nbformat ipykernel && touch $@
python-check: $(BUILD)/release.done $(REFERENCE)/partners
	@$(REFERENCE)/bin/python tests/conformance/python_check.py $(BUILD)/release

# Records the reference's numbers anew for `make test`, and says what moved since the last commit.
$(REFERENCE)/recorder: $(REFERENCE)/ready
	@$(REFERENCE)/bin/pip -q install mpmath && touch $@
record: $(BUILD)/release.done $(REFERENCE)/recorder
	@sh tests/record/run.sh $(BUILD)/release $(REFERENCE)

# A newer version of the reference, which only speeds are compared with.
NEWER := $(BUILD)/newer
$(NEWER)/ready:
	@sh cmake/tools.sh python3-venv
	@python3 -m venv $(NEWER) && $(NEWER)/bin/pip -q install mujoco==4.0.0 && touch $@

# Speed side by side with the reference, in one process; prints ratios.
bench: $(BUILD)/release.done $(BUILD)/shipfast.done $(REFERENCE)/ready $(NEWER)/ready
	@sh bench/run.sh $(BUILD)/release $(REFERENCE) $(CORPUS) $(BUILD)/shipfast $(NEWER)

# The backend for GPUs, libcorten_cuda.so beside libcorten.so; needs nvcc, but no GPU. CUDA_FOR: compute capabilities.
# CUDA_VARIANT=float, shipfast: the library for CT_PRECISION_FLOAT or _FAST, beside that of the release build;
# CUDA_VARIANT=single: everything in float, on the host too.
CUDA_FOR ?= 80;86;89;90
CUDA_VARIANT ?= release
CUDA_BESIDE_float := float
CUDA_BESIDE_shipfast := fast
cuda: $(BUILD)/$(CUDA_VARIANT).done
	@cmake -S . -B $(BUILD)/$(CUDA_VARIANT) -DCORTEN_CUDA_FOR="$(CUDA_FOR)" -Wno-dev >/dev/null
	@cmake --build $(BUILD)/$(CUDA_VARIANT) -j $(JOBS) --target corten_cuda -- --no-print-directory
ifdef CUDA_BESIDE_$(CUDA_VARIANT)
	@mkdir -p $(BUILD)/release/lib
	@cp $(BUILD)/$(CUDA_VARIANT)/lib/libcorten_cuda.so $(BUILD)/release/lib/libcorten_cuda_$(CUDA_BESIDE_$(CUDA_VARIANT)).so
endif

# The Python package as a file for pip (docs/python.md); PYTHON: the interpreter, with its header.
PYTHON ?= python3
wheel: $(BUILD)/release.done
	@CORTEN_BUILD=$(BUILD)/release CORTEN_JOBS=$(JOBS) $(PYTHON) bindings/python/backend.py $(BUILD)

# Everything a reviewer would ask for: format, lint, generated files, CUDA compile, all variants.
check: format lint test test-debug
	@$(MAKE) --no-print-directory test-release CMAKE_FLAGS=-DCORTEN_GPU_TESTS=ON

SOURCES := $(shell git ls-files '*.c' '*.h' '*.cu' 2>/dev/null | grep -v '^tests/recorded/')
format: | format-tools
	@clang-format --dry-run -Werror $(SOURCES) && echo "format: clean"
lint: $(BUILD)/release.done | format-tools
	@cppcheck -q --std=c11 --error-exitcode=1 --inline-suppr --max-configs=1 --enable=warning,portability \
	  --suppress=missingInclude --suppress=unknownMacro -Iinclude -Isrc -Ischema src apps && echo "lint: clean"
.PHONY: format-tools
format-tools:
	@sh cmake/tools.sh clang-format cppcheck

# Refreshes docs/api-coverage.md; headers and field pages are refreshed by the build itself.
generate: $(BUILD)/release.done
	@cp $(BUILD)/release/api-coverage.md docs/api-coverage.md

# Coverage-guided fuzzing of what reads foreign bytes: FUZZ_SECONDS for each of FUZZ_KINDS (all), with seeds from FUZZ_CORPUS too.
FUZZ_SECONDS ?= 60
fuzz:
	@sh cmake/tools.sh clang libclang-rt-14-dev
	@sh tests/fuzz/run.sh $(BUILD) $(FUZZ_SECONDS) "$(FUZZ_KINDS)"

# EDIT_SEQUENCES random sequences of edits to specs, under the sanitizers; the same ones in every run.
EDIT_SEQUENCES ?= 100000
EDIT_VARIANT ?= asan
fuzz-edits: $(BUILD)/$(EDIT_VARIANT).done
	@CORTEN_EDIT_SEQUENCES=$(EDIT_SEQUENCES) $(BUILD)/$(EDIT_VARIANT)/bin/test_edit_sequences

# SOAK_STEPS steps over the corpus and models/, with memory watched, in one of the variants.
SOAK_STEPS ?= 10000000
SOAK_VARIANT ?= release
soak: $(BUILD)/$(SOAK_VARIANT).done
	@$(BUILD)/$(SOAK_VARIANT)/bin/soak $(wildcard $(CORPUS)) models --steps $(SOAK_STEPS)

install: $(BUILD)/release.done
	@cmake --install $(BUILD)/release --prefix "$(PREFIX)"

# Takes away what the last `make install` put under its prefix.
uninstall:
	@cmake -DMANIFEST=$(BUILD)/release/install_manifest.txt -DPREFIX="$(PREFIX)" -P cmake/uninstall.cmake

clean:
	rm -rf $(BUILD)
