package spool

import "syscall"

// forget gives the memory of a mapped file back. Its pages are still those of the
// file. A failure leaves them in memory.
func forget(part []byte) { _ = syscall.Madvise(part, syscall.MADV_DONTNEED) }
