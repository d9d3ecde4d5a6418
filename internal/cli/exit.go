package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// The exit codes of docs/exit-codes.md, the same in every output format.
const (
	exitDone        = 0   // done, accepted
	exitFindings    = 1   // rejected, regression, findings, verification failed
	exitTrouble     = 2   // usage, configuration, data, or a bug
	exitPart        = 4   // ran only in part
	exitInterrupted = 130 // interrupted, resumable
)

// errSaid marks an outcome that has already been explained on stdout or stderr.
var errSaid = errors.New("said")

type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string { return e.err.Error() }
func (e exitError) Unwrap() error { return e.err }

// exit gives err a code; a nil err means that all is said already.
func exit(code int, err error) error {
	if err == nil {
		err = errSaid
	}
	return exitError{code, err}
}

// part is the outcome of a run that could not be written: ran only in part, but
// trouble where writing is not permitted, which the same command will not mend.
func part(err error) error {
	if denied(err) {
		return exit(exitTrouble, err)
	}
	return exit(exitPart, err)
}

func denied(err error) bool { return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) }

func usage(format string, args ...any) error { return exit(exitTrouble, fmt.Errorf(format, args...)) }

// exitCode is the only way from an outcome to a code; an error that names none
// is trouble.
func exitCode(err error) int {
	var e exitError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, &e):
		return e.code
	}
	return exitTrouble
}
