# Every target first installs the system packages that are missing (nothing when all are there).
APT_PACKAGES = libglib2.0-dev libicu-dev libjavascriptcoregtk-4.1-dev libncurses-dev libpcre2-dev libsqlite3-dev libtomlplusplus-dev zlib1g-dev esbuild git node-acorn node-typescript pkg-config
SOURCES = Package.swift Sources Tests examples

# The files that `make run` prints a table about.
FILES =

.PHONY: build run editor edit install uninstall test deaths sanitize bench lint format api docs setup

build: setup
	swift build

# An example: a Swift tool that is scripted in JavaScript.
run: setup
	swift build --product TextTable
	@"$$(swift build --show-bin-path)/TextTable" examples/text-table/table.js $(FILES)

# The editor, with optimization and without libraries of Swift's to load: make edit FILE=…
EDITOR_BUILD = swift build -c release --static-swift-stdlib
FILE =

editor: setup
	$(EDITOR_BUILD) --product xiedit

edit: editor
	@"$$($(EDITOR_BUILD) --show-bin-path)/xiedit" $(FILE)

# make install PREFIX=… (and DESTDIR=… for packages); make uninstall with the same takes away what it put there.
PREFIX = /usr/local
PROGRAMS = xiedit xiedit-core trestle
INSTALLED = $(DESTDIR)$(PREFIX)

install: editor
	$(EDITOR_BUILD) --product trestle
	@set -e; bin=$$($(EDITOR_BUILD) --show-bin-path); prefix="$(INSTALLED)"; \
	install -D -m 755 -s -t "$$prefix/bin" "$$bin/xiedit" "$$bin/trestle"; \
	ln -sf xiedit "$$prefix/bin/xiedit-core"; \
	install -D -m 644 -t "$$prefix/share/man/man1" Sources/xiedit/xiedit.1 Sources/xiedit-core/xiedit-core.1 Sources/TrestleRunner/trestle.1; \
	bash="$$prefix/share/bash-completion/completions"; zsh="$$prefix/share/zsh/site-functions"; \
	fish="$$prefix/share/fish/vendor_completions.d"; \
	install -D -m 644 Sources/xiedit/completions/xiedit.bash "$$bash/xiedit"; \
	install -D -m 644 Sources/xiedit/completions/xiedit.zsh "$$zsh/_xiedit"; \
	install -D -m 644 -t "$$fish" Sources/xiedit/completions/xiedit.fish; \
	"$$bin/trestle" --generate-completion-script bash > "$$bash/trestle"; \
	"$$bin/trestle" --generate-completion-script zsh > "$$zsh/_trestle"; \
	"$$bin/trestle" --generate-completion-script fish > "$$fish/trestle.fish"; \
	echo "installed in $$prefix"

uninstall:
	@cd "$(INSTALLED)" && for program in $(PROGRAMS); do \
	  rm -f "bin/$$program" "share/man/man1/$$program.1" "share/bash-completion/completions/$$program" \
	    "share/zsh/site-functions/_$$program" "share/fish/vendor_completions.d/$$program.fish"; \
	done

# Otherwise all tests begin at once: their hundreds of engines use up the memory maps that a process may have (vm.max_map_count), and an
# engine that gets no thread any more ends the process.
test sanitize: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = 24

# How many random sessions of the editor's core meet a death, a refused system call or an end of the power.
test: export XIEDIT_SCRIPTS = 10000

# An hour of them.
deaths: export XIEDIT_SCRIPTS = 500000
deaths: setup
	swift test --filter SessionDeathTests

test: export SWIFT_BACKTRACE = enable=yes,color=no,threads=crashed,registers=none,images=none,limit=32
test: setup
	swift build --build-tests
	.ci/test

# The tests under the sanitizers; each build takes minutes the first time. Left out are tests whose programs have another
# environment than theirs or are linked without the sanitizer; under the thread sanitizer also what has one thread.
sanitize: setup
	ASAN_OPTIONS=detect_leaks=0:allow_user_segv_handler=1 swift test --sanitize address \
	  --scratch-path .build/sanitize-address --skip 'EndToEndTests|ExampleTests|LinkedModuleRegistration|SkeletonTests|MemoryTests|ShortageTests/.*(fewAddresses|resizableBuffersAreRefused|BuffersHaveTakenAllSpace)'
	TSAN_OPTIONS=suppressions=$(CURDIR)/.ci/thread-sanitizer-suppressions swift test --sanitize thread \
	  --scratch-path .build/sanitize-thread \
	  --filter 'EventLoopTests|JSEngineTests|JSONRPCTests|TrestleCoreTests|TrestleModulesTests|TrestleObservablesTests|TrestleReactNativeTests|TrestleTestingTests|EditorCoreTests|XieditCoreTests' --skip MemoryTests

# Recorded typing to replay can be given: make bench TRACES="a.json.gz b.json.gz"
bench: setup
	swift build -c release --static-swift-stdlib --product xiedit-core
	swift build -c release --static-swift-stdlib --product xiedit
	swift run -c release --static-swift-stdlib Benchmarks $(TRACES)

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

# The list of all that `import Trestle` gives, which `.ci/check-docs` compares, from what was built.
api:
	.ci/check-docs --write-api

# The articles and the reference as HTML, for any web server.
DOCS = .build/docs

docs: setup
	swift build --target Trestle
	.ci/check-docs --render $(DOCS)
	@echo "python3 -m http.server --directory $(DOCS), then http://localhost:8000/documentation/trestle"

setup:
	@missing=$$(for p in $(APT_PACKAGES); do \
	  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ]; then as=; else as=sudo; fi; \
	  echo "installing" $$missing; \
	  $$as apt-get update -qq && $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
