//go:build !(linux || darwin || freebsd)

package spool

import (
	"errors"
	"os"
)

// mapped is not there on systems whose mappings do not show what is written later,
// or need another way.
func mapped(*os.File, int) ([]byte, error) { return nil, errors.ErrUnsupported }
