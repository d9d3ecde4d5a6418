package labels

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPlaces holds the index of a file against counting from its beginning.
func TestPlaces(t *testing.T) {
	text := strings.Repeat("ä😀\n", 700) + strings.Repeat("€a", 1500) + "\n\nend"
	s := newSource(File{"f", []byte(text)}, &foreign{})
	for b := range text { // the beginnings of code points
		line := 1 + strings.Count(text[:b], "\n")
		column := 1 + utf8.RuneCountInString(text[strings.LastIndexByte(text[:b], '\n')+1:b])
		if got := s.at(b); got.Line != line || got.Column != column {
			t.Fatalf("byte %d: %d:%d, want %d:%d", b, got.Line, got.Column, line, column)
		}
	}
	if got := s.at(len(text)); got.Column != 4 {
		t.Error(got)
	}
}
