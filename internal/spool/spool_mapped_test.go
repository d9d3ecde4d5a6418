//go:build linux || darwin || freebsd

package spool

import (
	"errors"
	"math"
	"os"
	"syscall"
	"testing"
)

// TestRoom: a file is made where as much again is left for what is written beside it.
func TestRoom(t *testing.T) {
	folder := t.TempDir()
	var disk syscall.Statfs_t
	if err := syscall.Statfs(folder, &disk); err != nil {
		t.Fatal(err)
	}
	free := int64(disk.Bavail) * int64(disk.Bsize)
	if most := free/4*3 + 1; most < math.MaxInt {
		if f, _, err := mapped(folder, int(most)); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%d bytes of %d: %v", most, free, err)
			_ = f.Close()
		}
	}
	f, part, err := mapped(folder, int(min(free/4, 1<<20)))
	if err != nil || len(part) == 0 {
		t.Fatalf("%d bytes of %d: %v", len(part), free, err)
	}
	_ = f.Close()
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v in the folder, %v", left, err)
	}
}
