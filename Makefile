# make demo    see it work: one connection against no flags at all, on loopback
# make test    install what the tests need and run everything
# make install PREFIX=/usr/local   the command, its manual page and completions for bash, zsh and fish
# make deb     a Debian package in .build/packages; make deb-check installs it into a throw-away root and runs it
# make tarball the same files without Debian, Swift's runtime included (docs/packaging.md)
# make bench   compare with curl, aria2, aria2-next, axel, wget2, lftp and hf_transfer, in less than half an hour
#              (SCENARIO=loopback|lab|capped|straggler|throttled|small-files|resume|verify|publish|startup|simulation|all;
#              BENCH_OPTIONS, such as '--rounds 10 --save'; the lab needs root)
# make hostile every behaviour of the origin against Sheaf, or with PEER=aria2c another tool (docs/origin.md)
# make soak    hours of kill -9, failing system calls, full disks, power cuts and faulty servers (docs/soak.md;
#              SOAK_OPTIONS, such as '--only kill --cycles 1000')
# make fuzz    SECONDS=60 of each fuzz target (TARGETS="manifest planner" for some), see docs/fuzzing.md
# make tsan    the tests under ThreadSanitizer
# make docs    a static site of the library's documentation, in .build/docs
# make format  lay the code out as .swift-format says

PREFIX ?= /usr/local
ZSH_DIR ?= $(PREFIX)/share/zsh/site-functions
DESTDIR ?=
SCENARIO ?= all
BENCH_OPTIONS ?= --pypi
SECONDS ?= 60
TARGETS ?=
SWIFT ?= swift
RELEASE = .build/release
PACKAGES = .build/packages

LIBRARIES = libcurl4-openssl-dev zlib1g-dev libdeflate-dev libexpat1-dev libjansson-dev libssl-dev pkg-config
TEST_TOOLS = nginx python3 openssl nghttp2-proxy squid microsocks strace e2fsprogs xfsprogs btrfs-progs mount man-db zsh fish
PACKAGE_TOOLS = binutils dpkg-dev xz-utils man-db lintian
PEERS = curl wget wget2 aria2c axel lftp
PEER ?= sheaf
SOAK_OPTIONS ?=
HOSTILE = .build/hostile
BENCH_TOOLS = nginx python3 openssl curl aria2 axel wget2 lftp python3-venv iproute2 gcc libc6-dev

.PHONY: all build demo test docs api-docs lint soak fuzz fuzz-quick tsan install deb deb-check tarball hostile comparison origin-docs bench format libraries test-tools package-tools bench-tools clean

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
	python3 Benchmarks/tests/run.py
	@$(MAKE) fuzz-quick

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Fuzz Examples

fuzz: libraries
	@./Fuzz/fuzz run $(SECONDS) $(TARGETS)

# The corpus and a few new inputs, about a minute with compiling. Toolchains without libFuzzer go without.
fuzz-quick: libraries
	@if ./Fuzz/fuzz works; then ./Fuzz/fuzz quick 3; else echo "no fuzzing: this toolchain has no libFuzzer"; fi

# Slow, in a build of its own. Left out are the values, which have one thread, and the hundreds of processes that soak.
tsan: libraries test-tools
	TSAN_OPTIONS="exitcode=66 suppressions=$(CURDIR)/Tests/tsan-suppressions" \
	  $(SWIFT) test --sanitize=thread --scratch-path .build/tsan --skip '^SheafCoreTests\.' --skip '^SoakTests\.'

install: build
	./Tools/package-contents $(RELEASE)/sheaf "$(DESTDIR)" "$(PREFIX)" "$(ZSH_DIR)"

deb: build package-tools
	./Tools/make-deb $(RELEASE)/sheaf $(PACKAGES)

deb-check: build package-tools
	package=$$(./Tools/make-deb $(RELEASE)/sheaf $(PACKAGES)) && ./Tools/check-deb "$$package"

tarball: build package-tools
	./Tools/make-tarball $(RELEASE)/sheaf $(PACKAGES)

bench: bench-tools build
	$(SWIFT) build -c release --static-swift-stdlib --product sheaf-origin
	python3 Benchmarks/bench.py $(SCENARIO) $(BENCH_OPTIONS)

hostile: libraries test-tools
	$(SWIFT) build --product sheaf
	$(SWIFT) build --product sheaf-hostile
	@mkdir -p $(HOSTILE)
	.build/debug/sheaf-hostile --peer $(PEER) --json $(HOSTILE)/$(PEER).jsonl

# Disks and power cuts need root; what is left out is said.
soak: libraries test-tools
	$(SWIFT) build -c release --static-swift-stdlib --product sheaf
	$(SWIFT) build -c release --static-swift-stdlib --product sheaf-soak
	$(RELEASE)/sheaf-soak $(SOAK_OPTIONS)

# Runs that failed are what the table shows.
comparison: libraries test-tools
	@./Tools/install-packages curl wget wget2 aria2 axel lftp
	$(SWIFT) build --product sheaf
	$(SWIFT) build --product sheaf-hostile
	@mkdir -p $(HOSTILE)
	-for peer in sheaf $(PEERS); do .build/debug/sheaf-hostile --peer $$peer --json $(HOSTILE)/$$peer.jsonl; done
	./Tools/hostile-table $(HOSTILE)/*.jsonl | ./Tools/replace-section docs/trust.md comparison

origin-docs:
	$(SWIFT) build --product sheaf-origin
	.build/debug/sheaf-origin --markdown | ./Tools/replace-section docs/origin.md behaviours

api-docs:
	@mkdir -p .build/api
	./Tools/make-docs .build/api graphs
	./Tools/list-api .build/api | ./Tools/replace-section docs/api.md api

docs: libraries
	$(SWIFT) build
	./Tools/make-docs

format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Fuzz Examples

clean:
	$(SWIFT) package clean

# Debian's packages, installed only where something is missing.
libraries:
	@./Tools/install-packages $(LIBRARIES)

test-tools:
	@./Tools/install-packages $(TEST_TOOLS)

package-tools:
	@./Tools/install-packages $(PACKAGE_TOOLS)

bench-tools:
	@./Tools/install-packages $(BENCH_TOOLS)
