package alike

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kerf/internal/text/span"
)

// Sentences are the sentences of a text in order, without the white space at
// their edges.
//
// A sentence ends after . ! ? or … (and quotation marks and brackets that close
// there) where white space follows, after 。！？．｡ wherever they stand, and at a
// blank line; a single line break is white space. There is no list of
// abbreviations: two copies of a text are cut alike. A line that begins with a
// Markdown sign for a heading, a list, a quotation or a table begins a sentence,
// a heading or a row of a table also ends with its line. That sign and the number
// of a clause behind it ("2.3", "2.", "2)", "(2)", "(a)"; in a heading "2", too)
// are no part of the sentence: the same words in another clause are the same.
func Sentences(text string) []span.Span {
	var out []span.Span
	start := 0 // of the open block
	flush := func(end int) {
		out = split(out, text, start, end)
	}
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		body, alone := marker(text[at:end])
		switch {
		case strings.TrimSpace(text[at:end]) == "":
			flush(at)
			start = end
		case alone:
			flush(at)
			start = at + body
			flush(end)
			start = end
		case body > 0:
			flush(at)
			start = at + body
		}
		at = end
	}
	flush(len(text))
	return out
}

// marker is the length of the signs and the clause number that a line begins
// with, 0 if it has none, and whether it is a sentence by itself: a heading or a
// row of a table.
func marker(line string) (body int, alone bool) {
	rest := strings.TrimLeftFunc(line, unicode.IsSpace)
	heading := false
	for {
		sign := strings.TrimLeft(rest, "#")
		switch n := len(rest) - len(sign); {
		case n > 0 && n <= 6 && blankFirst(sign):
			heading = true
		case strings.HasPrefix(rest, "|"):
			return len(line) - len(rest), true
		case rest != "" && strings.IndexByte("-*+", rest[0]) >= 0 && blankFirst(rest[1:]), strings.HasPrefix(rest, ">"):
			sign = rest[1:]
		default:
			sign = clause(rest, heading)
		}
		if len(sign) == len(rest) {
			break
		}
		rest = strings.TrimLeftFunc(sign, unicode.IsSpace)
	}
	if len(rest) == len(strings.TrimLeftFunc(line, unicode.IsSpace)) {
		return 0, false
	}
	return len(line) - len(rest), heading
}

func blankFirst(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || unicode.IsSpace(r)
}

// clause is the line behind the number of a clause; the line if there is none.
func clause(line string, heading bool) string {
	word := line
	if i := strings.IndexFunc(line, unicode.IsSpace); i >= 0 {
		word = line[:i]
	}
	rest := line[len(word):]
	if inner, ok := strings.CutPrefix(word, "("); ok {
		if inner, ok = strings.CutSuffix(inner, ")"); ok && inner != "" && (utf8.RuneCountInString(inner) == 1 || numeral(inner)) {
			return rest
		}
		return line
	}
	bare := strings.TrimRight(word, ".)")
	if numeral(bare) && (heading || len(bare) < len(word) || strings.Contains(bare, ".")) {
		return rest
	}
	return line
}

// numeral reports digits and dots, a digit first.
func numeral(s string) bool {
	for i, r := range s {
		if !unicode.IsDigit(r) && (r != '.' || i == 0) {
			return false
		}
	}
	return s != ""
}

// split appends the sentences of a block.
func split(out []span.Span, text string, start, end int) []span.Span {
	add := func(end int) {
		s := text[start:end]
		a, b := len(s)-len(strings.TrimLeftFunc(s, unicode.IsSpace)), len(strings.TrimRightFunc(s, unicode.IsSpace))
		if a < b {
			out = append(out, span.Span{Start: start + a, End: start + b})
		}
		start = end
	}
	for at := start; at < end; {
		r, n := utf8.DecodeRuneInString(text[at:end])
		at += n
		wide := strings.ContainsRune("。！？．｡", r)
		if !wide && r != '.' && r != '!' && r != '?' && r != '…' {
			continue
		}
		for at < end {
			c, n := utf8.DecodeRuneInString(text[at:end])
			if !unicode.In(c, unicode.Pe, unicode.Pf) && !strings.ContainsRune(`"'.!?…。！？“‘`, c) {
				break
			}
			at += n
		}
		if at == end || wide || blankFirst(text[at:end]) {
			add(at)
		}
	}
	add(end)
	return out
}

// Section begins with a Markdown heading, at byte Start.
type Section struct {
	Start int
	Title string
}

// Sections are the sections of a text, the part above the first heading left
// out. Lines between ``` or ~~~ are no headings.
func Sections(text string) []Section {
	var out []Section
	fence := ""
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := strings.TrimSpace(text[at:end])
		words := strings.TrimLeft(line, "#")
		switch n := len(line) - len(words); {
		case fence != "":
			if strings.HasPrefix(line, fence) {
				fence = ""
			}
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			fence = line[:3]
		case n > 0 && n <= 6 && blankFirst(words):
			out = append(out, Section{at, strings.TrimSpace(strings.TrimRight(words, "#"))})
		}
		at = end
	}
	return out
}
