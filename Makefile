# make demo    see it work: one connection against no flags at all, on loopback
# make test    install what the tests need and run everything
# make install PREFIX=/usr/local
# make bench   compare with curl, aria2c and axel (SCENARIO=loopback|lab|capped|straggler|throttled|small-files|
#              resume|verify|publish|startup|all; the lab needs root)
# make fuzz    SECONDS=60 of each fuzz target (TARGETS="manifest planner" for some), see docs/fuzzing.md
# make tsan    the tests under ThreadSanitizer
# make format  lay the code out as .swift-format says

PREFIX ?= /usr/local
DESTDIR ?=
SCENARIO ?= loopback
SECONDS ?= 60
TARGETS ?=
SWIFT ?= swift
RELEASE = .build/release

LIBRARIES = libcurl4-openssl-dev zlib1g-dev libdeflate-dev libssl-dev pkg-config
TEST_TOOLS = nginx python3 openssl
BENCH_TOOLS = nginx python3 openssl curl aria2 axel iproute2 gcc libc6-dev

.PHONY: all build demo test lint fuzz fuzz-quick tsan install bench format libraries test-tools bench-tools clean

all: build

build: libraries
	$(SWIFT) build -c release --static-swift-stdlib --product sheaf

demo: libraries
	@$(SWIFT) build -c release --static-swift-stdlib --product sheaf
	@$(SWIFT) build -c release --static-swift-stdlib --product sheaf-origin
	@./Benchmarks/demo.sh $(RELEASE)/sheaf $(RELEASE)/sheaf-origin

test: libraries test-tools lint
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build --filter '^SheafCoreTests\.'
	$(SWIFT) test --skip-build --skip '^SheafCoreTests\.'
	@$(MAKE) fuzz-quick

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Fuzz

fuzz: libraries
	@./Fuzz/fuzz run $(SECONDS) $(TARGETS)

# The corpus and a few new inputs, about a minute with compiling. Toolchains without libFuzzer go without.
fuzz-quick: libraries
	@if ./Fuzz/fuzz works; then ./Fuzz/fuzz quick 3; else echo "no fuzzing: this toolchain has no libFuzzer"; fi

# Slow, in a build of its own. Left out are the values, which have one thread, and the hundreds of killed processes.
tsan: libraries test-tools
	TSAN_OPTIONS="exitcode=66 suppressions=$(CURDIR)/Tests/tsan-suppressions" \
	  $(SWIFT) test --sanitize=thread --scratch-path .build/tsan --skip '^SheafCoreTests\.' --skip KillTests

install: build
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(RELEASE)/sheaf $(DESTDIR)$(PREFIX)/bin/sheaf

bench: bench-tools build
	$(SWIFT) build -c release --static-swift-stdlib --product sheaf-origin
	python3 Benchmarks/bench.py $(SCENARIO)

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Fuzz

clean:
	$(SWIFT) package clean

# Debian's packages, installed only where something is missing.
libraries:
	@./Tools/install-packages $(LIBRARIES)

test-tools:
	@./Tools/install-packages $(TEST_TOOLS)

bench-tools:
	@./Tools/install-packages $(BENCH_TOOLS)
