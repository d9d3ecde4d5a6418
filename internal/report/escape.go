package report

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Escape makes a text safe for a terminal, for the log of a CI system, and the same
// in a pipe: control and direction characters appear as the names of their code points,
// as (U+202E); so does what makes a line a command to a runner of GitHub or
// Azure: "::" that begins a line, and the bracket of "##[command]" anywhere.
// Line breaks and tabs stay.
func Escape(s string) string {
	s = escape(s, dangerous)
	if !strings.Contains(s, "::") && !strings.Contains(s, "##") {
		return s
	}
	s = opening.ReplaceAllString(s, "$1(U+003A):")
	return bracket.ReplaceAllString(s, "$1(U+005B)")
}

var (
	opening = regexp.MustCompile(`(?m)^([ \t]*)::`)
	bracket = regexp.MustCompile(`(##[a-zA-Z]*)\[`)
)

func escape(s string, visible func(rune) bool) string {
	if strings.IndexFunc(s, visible) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s { // bytes that are no UTF-8 become U+FFFD
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

// unbroken is s with its line breaks and tabs made visible: it forges no line.
func unbroken(s string) string {
	return strings.NewReplacer("\n", "⏎", "\r", "⏎", "\t", " ").Replace(s)
}

// Quote is a word for a POSIX shell. One with characters that steer a terminal is
// written with the escapes of POSIX 2024, which say them in octal.
func Quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,", r)
	}
	switch {
	case word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }):
		return word
	case utf8.ValidString(word) && !strings.ContainsFunc(word, steers):
		return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
	}
	var b strings.Builder
	for rest := word; rest != ""; {
		r, size := utf8.DecodeRuneInString(rest)
		switch {
		case r == '\'' || r == '\\':
			b.WriteString(`\` + string(r))
		case steers(r) || r == utf8.RuneError && size == 1:
			for i := range size {
				fmt.Fprintf(&b, `\%03o`, rest[i])
			}
		default:
			b.WriteRune(r)
		}
		rest = rest[size:]
	}
	return "$'" + b.String() + "'"
}

// steers: what no line of a terminal holds.
func steers(r rune) bool { return r == '\n' || r == '\t' || dangerous(r) }

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
