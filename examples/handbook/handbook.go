// Package handbook is the demo: an original handbook of a small fictional
// company and 60 labelled questions over it, embedded in the binary.
package handbook

import "embed"

// Files are docs/*.md and golden.jsonl.
//
//go:embed docs golden.jsonl
var Files embed.FS
