package report

import (
	"fmt"
	"strings"
)

// Escape makes a text safe for a terminal, and the same in a pipe: control and
// direction characters appear as the names of their code points, as (U+202E);
// line breaks and tabs stay.
func Escape(s string) string { return escape(s, dangerous) }

func escape(s string, visible func(rune) bool) string {
	if strings.IndexFunc(s, visible) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if visible(r) {
			fmt.Fprintf(&b, "(U+%04X)", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// EscapeJSON is Escape for encoded JSON: the same characters become \u escapes, so
// that it stays the same JSON.
func EscapeJSON(s string) string {
	if strings.IndexFunc(s, dangerous) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if dangerous(r) { // above U+007E: inside a text, as an encoder escapes what is below U+0020
			fmt.Fprintf(&b, `\u%04x`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// line is s on one line: every run of white space becomes one blank, then as
// Escape.
func line(s string) string { return Escape(strings.Join(strings.Fields(s), " ")) }

// dangerous: C0 and C1 controls, DEL, line and paragraph separator, the byte
// order mark, and the direction controls.
func dangerous(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20, r >= 0x7f && r <= 0x9f:
		return true
	}
	return r == 0x2028 || r == 0x2029 || r == 0xfeff || directs(r)
}

// directs: the direction controls of Unicode Standard Annex 9 (embeddings,
// overrides, isolates, marks).
func directs(r rune) bool {
	return r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
