# Every target first installs the system packages that are missing (nothing when all are there).
APT_PACKAGES = libglib2.0-dev libjavascriptcoregtk-4.1-dev libncurses-dev libpcre2-dev node-typescript pkg-config
SOURCES = Package.swift Sources Tests

.PHONY: build test bench lint format setup

build: setup
	swift build

test: setup
	swift test

# Recorded typing to replay can be given: make bench TRACES="a.json.gz b.json.gz"
bench: setup
	swift run -c release Benchmarks $(TRACES)

lint:
	swift format lint --strict --recursive $(SOURCES)

format:
	swift format --in-place --recursive $(SOURCES)

setup:
	@missing=$$(for p in $(APT_PACKAGES); do \
	  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done); \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ]; then as=; else as=sudo; fi; \
	  echo "installing" $$missing; \
	  $$as apt-get update -qq && $$as env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	fi
