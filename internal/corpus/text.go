package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxText is the largest document, in bytes.
const MaxText = 64 << 20

// mark is the byte order mark in UTF-8.
const mark = "\uFEFF"

// VersionOf is the version of a text: "sha256:" and the digest of its bytes.
func VersionOf(text string) string { return versionOf([]byte(text)) }

func versionOf(text []byte) string {
	sum := sha256.Sum256(text)
	return digestVersion(sum[:])
}

func digestVersion(sum []byte) string { return "sha256:" + hex.EncodeToString(sum) }

// Problem is why bytes are not a text, with the place where that shows.
type Problem struct {
	Reason string `json:"reason"`          // names the byte position
	Byte   int    `json:"byte"`            // offset from 0
	Line   int    `json:"line"`            // from 1; 0: no place in the file
	Column int    `json:"column"`          // from 1, in code points
	Bytes  string `json:"bytes,omitempty"` // the offending bytes in hex, at most 4
}

// CheckText is nil for UTF-8 text without NUL, else its first problem. kerf
// does not guess another encoding.
func CheckText(b []byte) *Problem {
	switch {
	case len(b) > MaxText:
		return &Problem{Reason: tooLarge(), Line: 1, Column: 1}
	case bytes.HasPrefix(b, []byte{0xff, 0xfe, 0, 0}), bytes.HasPrefix(b, []byte{0, 0, 0xfe, 0xff}):
		return problem(b, 0, 4, "UTF-32 byte order mark at byte 0, not UTF-8")
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}), bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return problem(b, 0, 2, "UTF-16 byte order mark at byte 0, not UTF-8")
	}
	nul := bytes.IndexByte(b, 0)
	bad := invalid(b)
	switch {
	case nul >= 0 && (bad < 0 || nul < bad):
		return problem(b, nul, 1, nulAt(nul))
	case bad >= 0 && !utf8.FullRune(b[bad:]):
		return problem(b, bad, len(b)-bad, fmt.Sprintf("incomplete character at byte %d", bad))
	case bad >= 0:
		return problem(b, bad, 1, fmt.Sprintf("not UTF-8 at byte %d", bad))
	}
	return nil
}

// checkString is CheckText of a string that is UTF-8.
func checkString(s string) *Problem {
	if len(s) <= MaxText && strings.IndexByte(s, 0) < 0 {
		return nil
	}
	return CheckText([]byte(s))
}

func tooLarge() string {
	return fmt.Sprintf("larger than %d bytes, the limit of one document", MaxText)
}

func nulAt(at int) string { return fmt.Sprintf("NUL at byte %d, not a text", at) }

// invalid is the offset of the first byte that is not UTF-8, or -1.
func invalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; ; {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n < 2 {
			return i
		}
		i += n
	}
}

func problem(b []byte, at, n int, reason string) *Problem {
	start := bytes.LastIndexByte(b[:at], '\n') + 1
	return &Problem{Reason: reason, Byte: at, Line: 1 + bytes.Count(b[:at], []byte("\n")),
		Column: 1 + utf8.RuneCount(b[start:at]), Bytes: fmt.Sprintf("% x", b[at:at+n])}
}

// Blank reports whether the document holds nothing but White_Space. It is part
// of the corpus and has no chunk.
func (d *Document) Blank() bool { return strings.TrimSpace(d.Text) == "" }

// Marked reports whether the text begins with a byte order mark, which is
// content: it counts in every offset.
func (d *Document) Marked() bool { return strings.HasPrefix(d.Text, mark) }
