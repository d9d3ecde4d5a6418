package term

import (
	"strings"
	"unicode"
)

// Lower maps every code point by Unicode simple lower-case (Unicode 15, Go's
// tables): one code point gives one code point, U+0130 gives "i".
func Lower(s string) string {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x80 || 'A' <= c && c <= 'Z' {
			return strings.Map(unicode.ToLower, s)
		}
	}
	return s
}
