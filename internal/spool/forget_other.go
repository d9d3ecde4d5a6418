//go:build !linux

package spool

// forget leaves the choice to the system: elsewhere the advice means another thing,
// or there is none.
func forget([]byte) {}

func expect([]byte, bool) {}
