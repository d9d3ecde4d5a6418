//go:build !unix

package retriever

import "kerf/internal/twin/host"

func ignoreTerm() {}

func parent(*host.Host) int { return 1 }

func child() int { return 1 }
