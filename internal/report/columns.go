package report

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// columns is the number of terminal columns of s: two for wide East Asian
// characters, none for marks and joiners.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += columnsOf(r)
	}
	return n
}

func columnsOf(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// clip is s in n columns at most, with an ellipsis where it is shortened.
func clip(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	used := 0
	for i, r := range s {
		if used += columnsOf(r); used > n-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	panic("BUG: a text is wider than its runes")
}

// clipLeft is clip at the other end.
func clipLeft(s string, n int) string {
	rest := columns(s)
	if rest <= n {
		return s
	}
	for i, r := range s {
		if rest <= n-1 && columnsOf(r) > 0 {
			return "…" + strings.TrimLeft(s[i:], " ")
		}
		rest -= columnsOf(r)
	}
	return "…"
}

// pad fills s with blanks to n columns, on the left for figures.
func pad(s string, n int, figures bool) string {
	blanks := strings.Repeat(" ", max(0, n-columns(s)))
	if figures {
		return blanks + s
	}
	return s + blanks
}

// wrap breaks s at blanks into lines of n columns; a longer word stays whole.
// Every line but the first begins with indent.
func wrap(s string, n int, indent string) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(s) {
		w := columns(word)
		switch {
		case used == 0:
		case used+1+w > n:
			b.WriteString("\n" + indent)
			used = columns(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += w
	}
	return b.String()
}

// Columns writes rows as a table without lines, two blanks between columns, as
// wide as they need. A column whose cells below the first row are all numbers
// stands on the right. Cells are escaped and stay on their line.
func Columns(b *strings.Builder, rows [][]string) {
	var widths []int
	var right []bool
	for i, row := range rows {
		for j, text := range row {
			text = Escape(unbroken(text))
			if j == len(widths) {
				widths, right = append(widths, 0), append(right, len(rows) > 1)
			}
			widths[j] = max(widths[j], columns(text))
			if i > 0 && strings.Trim(text, "0123456789,.") != "" {
				right[j] = false
			}
		}
	}
	for _, row := range rows {
		var l strings.Builder
		for j, text := range row {
			text = Escape(unbroken(text))
			fill := strings.Repeat(" ", widths[j]-columns(text))
			if right[j] {
				text = fill + text
			} else {
				text += fill
			}
			if j > 0 {
				l.WriteString("  ")
			}
			l.WriteString(text)
		}
		b.WriteString(strings.TrimRight(l.String(), " ") + "\n")
	}
}

// Number is n with a comma every three digits.
func Number[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Clip is s on one line of n columns at most, with an ellipsis where it is
// shortened.
func Clip(s string, n int) string { return clip(line(s), n) }
