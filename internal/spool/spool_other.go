//go:build !(linux || darwin || freebsd)

package spool

import (
	"errors"
	"os"
)

// mapped makes no file on systems whose mappings do not show what is written later,
// or need another way: there a file that is open may keep its name, too.
func mapped(string, int) (*os.File, []byte, error) { return nil, nil, errors.ErrUnsupported }
