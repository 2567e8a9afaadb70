# corten's front door. CMake does the work; this file installs what it needs and picks the variant.

BUILD ?= build
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
PACKAGES := gcc cmake libcmocka-dev
CONFIGURE := cmake -S . -Wno-dev

.PHONY: all run test bench conformance check install generate clean tools

all: $(BUILD)/release.done

# Installs missing packages as root, or says which command does.
tools:
	@sh cmake/tools.sh $(PACKAGES)

# One folder per variant: make build/asan.done builds the sanitizer variant, and so on.
VARIANT_release := -DCMAKE_BUILD_TYPE=Release
VARIANT_debug := -DCMAKE_BUILD_TYPE=Debug
VARIANT_fast := -DCMAKE_BUILD_TYPE=Release -DCORTEN_FLOAT=fast
VARIANT_single := -DCMAKE_BUILD_TYPE=Release -DCORTEN_SINGLE=ON
VARIANT_asan := -DCMAKE_BUILD_TYPE=Debug -DCORTEN_SANITIZE=address
VARIANT_tsan := -DCMAKE_BUILD_TYPE=Debug -DCORTEN_SANITIZE=thread
VARIANTS := release debug fast single asan tsan

.PHONY: $(VARIANTS) $(VARIANTS:%=test-%) FORCE
$(BUILD)/%.done: FORCE | tools
	@$(CONFIGURE) -B $(BUILD)/$* $(VARIANT_$*) $(CMAKE_FLAGS) >$(BUILD)-$*.log 2>&1 || (cat $(BUILD)-$*.log; exit 1)
	@rm -f $(BUILD)-$*.log
	@cmake --build $(BUILD)/$* -j $(JOBS) -- --no-print-directory

$(VARIANTS): %: $(BUILD)/%.done

$(VARIANTS:%=test-%): test-%: $(BUILD)/%.done
	@echo "== $* tests"
	@ctest --test-dir $(BUILD)/$* --output-on-failure -j $(JOBS)
