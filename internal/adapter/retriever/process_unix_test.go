//go:build unix

package retriever

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"kerf/internal/pipeline/engine"
	"kerf/internal/twin/host"
)

func ignoreTerm() { signal.Ignore(syscall.SIGTERM) }

// parent is a host that has begun another process, which outlives SIGTERM, and which
// has its standard output. It begins to answer when the other holds the lock.
func parent(h *host.Host) int {
	other := exec.Command(os.Args[0], "host", "child")
	other.Stdout = os.Stdout
	ready, err := other.StderrPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		panic(err)
	}
	if _, err := ready.Read(make([]byte, 1)); err != nil {
		panic(err)
	}
	return h.Serve(os.Stdin, os.Stdout, os.Stderr)
}

func child() int {
	ignoreTerm()
	f, err := os.OpenFile("lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "locked")
	forever()
	return 0
}

// TestGroup: whatever the host has begun ends with it, whether it says bye, is
// stopped or dies. The lock is free only when its holder is gone.
func TestGroup(t *testing.T) {
	for _, way := range []string{"bye", "stopped", "died"} {
		dir, limits := t.TempDir(), patient()
		limits.End = 50_000_000 // 50 ms: the child holds standard output open
		h, err := Start(t.Context(), []string{os.Args[0], "host", "parent"}, dir, limits)
		if err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(filepath.Join(dir, "lock"))
		if err != nil {
			t.Fatal(err)
		}
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EWOULDBLOCK {
			t.Fatalf("the child does not run: %v", err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		switch way {
		case "bye": // its output stays open, so the end is awaited
			_ = h.Close(ctx)
		case "stopped":
			if err := h.Index(ctx, "i", "a", "1/1", nil); err != nil {
				t.Fatal(err)
			}
			cancel()
			if _, err := h.Search(ctx, "i", engine.Query{QID: "q", K: 1}); err == nil {
				t.Error("a search that was interrupted succeeds")
			}
		case "died":
			of := h.transport.(*process)
			_ = of.stdin.Close() // the host takes it for the end
			<-of.done
		}
		cancel()
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil { // waits
			t.Error(err)
		}
		f.Close()
	}
}
