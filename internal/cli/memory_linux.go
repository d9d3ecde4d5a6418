package cli

import (
	"os"
	"syscall"
)

// memory is how many bytes this process may still take, as far as the system says.
func memory() (free int64, ok bool) {
	return freeMemory(func(name string) string {
		content, err := os.ReadFile(name)
		if err != nil {
			return ""
		}
		return string(content)
	}, resourceLimit(syscall.RLIMIT_DATA), resourceLimit(syscall.RLIMIT_AS))
}

// resourceLimit is the limit on a resource, -1 if there is none.
func resourceLimit(resource int) int64 {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(resource, &l); err != nil || uint64(l.Cur) >= 1<<62 {
		return -1
	}
	return int64(l.Cur)
}
