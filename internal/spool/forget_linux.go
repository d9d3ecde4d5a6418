package spool

import "syscall"

// forget gives the memory of a mapped file back. Its pages are still those of the
// file. A failure leaves them in memory.
func forget(part []byte) { _ = syscall.Madvise(part, syscall.MADV_DONTNEED) }

// expect tells the system how a mapped file will be read: here and there, so that
// reading what stands around is in vain, or in its order. It is advice.
func expect(part []byte, scattered bool) {
	advice := syscall.MADV_NORMAL
	if scattered {
		advice = syscall.MADV_RANDOM
	}
	_ = syscall.Madvise(part, advice)
}
