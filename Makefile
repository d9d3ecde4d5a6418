# What `go` does by itself needs no target; these are the longer words.
FUZZTIME ?= 30s

.PHONY: build test ci bench fuzz demo simulate

build:
	CGO_ENABLED=0 go build -trimpath -o kerf ./cmd/kerf

test:
	go test ./...

ci:
	bash .ci/run

# kerf beside its peers, whole processes and inner loops, in turns: the table of
# docs/performance.md. Peers are installed into a temporary folder; a missing one is
# named and skipped. FLAGS="-rounds 1 -peers=false -memory 1" is the short way.
bench:
	go run ./internal/benchmark $(FLAGS)

# Every fuzz target for FUZZTIME, one after another.
fuzz:
	@set -e; for package in $$(go list ./...); do \
		for target in $$(go test -list '^Fuzz' $$package | grep '^Fuzz' || true); do \
			echo "== $$package $$target"; \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; \
		done; \
	done

demo:
	go run ./cmd/kerf demo

# The tables of docs/statistics.md, by kerf's own code: a few minutes. The sets of
# the A/A runs are read from SETS.
DATE ?= $(shell date +%F)
SETS ?= ../shared/data
simulate:
	go run ./internal/release/simulate -date $(DATE) -sets $(SETS) -o docs/statistics.md
