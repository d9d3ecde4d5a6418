package conform

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"kerf/internal/adapter/retriever"
	"kerf/internal/twin/host"
)

// TestMain is also the host of these tests: BINARY host FAULT [filter].
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "host" {
		h := host.Host{Fault: os.Args[2], Filter: len(os.Args) > 3}
		os.Exit(h.Serve(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// held are the reports of a host, over both transports or as a process alone.
func held(t *testing.T, fault string, filter, both bool, test func(*testing.T, *Report)) {
	limits := retriever.Default().Within(5 * time.Minute)
	words := []string{os.Args[0], "host", fault}
	if filter {
		words = append(words, "filter")
	}
	of := host.Host{Fault: fault, Filter: filter}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, _ := io.ReadAll(r.Body)
		_, _ = w.Write(of.Answer(message))
	}))
	defer server.Close()
	for name, open := range map[string]func(context.Context) (*retriever.Host, error){
		"process": func(ctx context.Context) (*retriever.Host, error) {
			return retriever.Start(ctx, words, t.TempDir(), limits)
		},
		"http": func(ctx context.Context) (*retriever.Host, error) {
			return retriever.Connect(ctx, retriever.Server{URL: server.URL, Offline: true}, limits)
		},
	} {
		if name == "http" && !both {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r, err := Run(t.Context(), open)
			if err != nil {
				t.Fatal(err)
			}
			test(t, r)
		})
	}
}

// rows are the checks that were not kept, with their outcomes.
func rows(r *Report) string {
	var out []string
	for _, c := range r.Checks {
		if c.Outcome != Kept {
			out = append(out, fmt.Sprintf("%s: %s", c.Name, c.Outcome))
		}
	}
	return strings.Join(out, ", ")
}

// TestSound: hosts that keep every rule, with and without a filter, noise or not.
func TestSound(t *testing.T) {
	for fault, differ := range map[string][2]int{"": {0, 0}, "noisy": {24, 0}, "crlf": {0, 0}, "padding": {0, 0}} {
		for _, filter := range []bool{false, true} {
			if fault != "" && !filter {
				continue
			}
			held(t, fault, filter, fault == "" || fault == "noisy", func(t *testing.T, r *Report) {
				if got := rows(r); got != "" || r.Worst() != Kept || len(r.Checks) != 17 {
					t.Errorf("%q: %s of %d", fault, got, len(r.Checks))
				}
				if len(r.Noise) != 2 || r.Noise[0].Differ > differ[0] || differ[0] > 0 && r.Noise[0].Differ == 0 || r.Noise[0].Questions != 24 || r.Noise[0].Hits == 0 {
					t.Errorf("%q: %+v", fault, r.Noise)
				}
				if fault == "" && (r.Noise[0].Both != r.Noise[0].Hits || r.Own.Found < r.Own.Asked-3 || r.Own.Asked != 57) {
					t.Errorf("%+v %+v", r.Noise, r.Own)
				}
			})
		}
	}
}

// TestBroken: each fault fails its own rule, and no other.
func TestBroken(t *testing.T) {
	const judged = ", determinism: not judged, filters: not judged"
	for _, c := range []struct{ fault, want, detail string }{ // want may go on
		{"unknown", "known ids: failed" + judged + ", deletes: failed, side by side: failed, texts: not judged, long chunk: not judged", `found "no\nsuch" in place `},
		{"repeated", "unique ids: failed" + judged + ", deletes: not judged, side by side: not judged, texts: not judged", " in places 1 and 10"},
		{"more", "k: failed" + judged + ", side by side: not judged, texts: not judged", "expected at most 10 hits, found 11"},
		{"ascending", "order: failed", "question q-1: expected the best first, found a score of 1 after 0 (place 2)"},
		{"fickle", "determinism: failed", "found others in "},
		{"unfiltered", "filters: failed", "the reader may not read it"},
		{"docless", "filters: failed", "was not to be searched"},
		{"undead", "deletes: failed", "expected 30 chunks in index kerf-doctor-deleted after this batch, found 40"},
		{"mixed", "known ids: failed, deletes: failed, side by side: failed", "which is none"},
		{"cleared", "side by side: failed", "expected the same hits when another index has been dropped, found others in 5 of 5 questions"},
		{"no-words", "nothing to find: failed", "the question is empty"},
		{"count", "index: failed, known ids: not asked, unique ids: not asked, k: not asked, order: not asked" + judged, "found 255"},
		{"refuse:search", "known ids: not asked, unique ids: not asked, k: not asked, order: not asked, determinism: failed", "out of quota"},
		{"refuse:drop", "deletes: failed", "out of quota"},
		{"version", "hello: ended, index: not asked", "found version 2"},
		{"seq:search", "known ids: not asked, unique ids: not asked, k: not asked, order: not asked, determinism: ended, filters: not asked", "found one to "},
	} {
		held(t, c.fault, true, c.fault == "unknown" || c.fault == "undead", func(t *testing.T, r *Report) {
			if got := rows(r); !strings.HasPrefix(got, c.want) || r.Worst() == Kept || (r.Worst() == Ended) != strings.Contains(c.want, "ended") {
				t.Errorf("%s: %s", c.fault, got)
			}
			var details []string
			for _, check := range r.Checks {
				if check.Outcome != Kept {
					details = append(details, check.Detail)
				}
			}
			if !strings.Contains(strings.Join(details, "\n"), c.detail) {
				t.Errorf("%s: %q", c.fault, details)
			}
		})
	}
}

// TestEnded: a host that ends leaves what it was asked before, and the rest is not
// asked.
func TestEnded(t *testing.T) {
	for fault, want := range map[string]string{"die:hello": "hello", "die:index": "index", "die:search": "determinism", "die:drop": "deletes", "die:bye": "bye", "status": "bye"} {
		r, err := Run(t.Context(), func(ctx context.Context) (*retriever.Host, error) {
			return retriever.Start(ctx, []string{os.Args[0], "host", fault}, t.TempDir(), retriever.Default().Within(5*time.Minute))
		})
		if err != nil || r.Worst() != Ended {
			t.Fatal(fault, err)
		}
		ended := false
		for _, c := range r.Checks {
			switch {
			case c.Name == want:
				ended = true
				if c.Outcome != Ended || fault != "status" && !strings.Contains(c.Detail, "MemoryError") {
					t.Errorf("%s: %+v", fault, c)
				}
			case c.Name == "known ids" || c.Name == "unique ids" || c.Name == "k" || c.Name == "order":
			case ended != (c.Outcome == NotAsked):
				t.Errorf("%s: %+v", fault, c)
			}
		}
	}
	other := "" // who answers the second time has another capability
	r, err := Run(t.Context(), func(ctx context.Context) (*retriever.Host, error) {
		words := []string{os.Args[0], "host", ""}
		if other != "" {
			words = append(words, other)
		}
		other = "filter"
		return retriever.Start(ctx, words, t.TempDir(), retriever.Default().Within(5*time.Minute))
	})
	if err != nil || rows(r) != "restart: failed" || !strings.HasSuffix(r.Checks[len(r.Checks)-1].Detail, "capabilities a later one, filter") {
		t.Errorf("%v %+v", err, r)
	}
	_, err = Run(t.Context(), func(ctx context.Context) (*retriever.Host, error) {
		return retriever.Start(ctx, []string{"no-such-program-of-kerf"}, t.TempDir(), retriever.Default())
	})
	if err == nil || !strings.HasPrefix(err.Error(), "cannot run ") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, func(ctx context.Context) (*retriever.Host, error) {
		return retriever.Start(ctx, []string{os.Args[0], "host", "hang:hello"}, t.TempDir(), retriever.Default())
	}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestTexts: what the checks use is what kerf could send: ids are unique, and no text
// holds NUL or half a character.
func TestTexts(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range append(append(library(), strange()...), long()...) {
		if seen[c.ID] || c.End-c.Start != len(c.Text) || strings.ContainsRune(c.Text, 0) || strings.ToValidUTF8(c.Text, "") != c.Text {
			t.Errorf("%+.100v", c)
		}
		seen[c.ID] = true
	}
}
