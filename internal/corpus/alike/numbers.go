package alike

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/text/span"
	"kerf/internal/text/term"
)

// leastWords is the shortest sentence that is compared, a number being one word.
const leastWords = 6

// Contradiction is one statement that documents make with different numbers.
type Contradiction struct {
	Places []Place `json:"places"` // by document and place, of at least two documents
}

// Place is where a sentence stands.
type Place struct {
	Doc     string   `json:"doc"`
	Line    int      `json:"line"`          // from 1
	Page    string   `json:"page,omitzero"` // "" in a document without pages
	Start   int      `json:"start"`         // bytes
	End     int      `json:"end"`
	Text    string   `json:"text"`
	Numbers []string `json:"numbers"` // in order, in plain digits, with sign, currency and percent
}

// Span is the place's bytes.
func (p Place) Span() span.Span { return span.Span{Start: p.Start, End: p.End} }

// OtherNumbers are the sentences of six words or more that stand in two or more
// documents, equal once their numbers are masked, with other numbers, by their
// first place. Where a document makes the statement several times (zone by zone,
// year by year), what every document that makes it says alike is no
// contradiction, nor what one document says beside that.
func OtherNumbers(docs []*corpus.Document) []Contradiction {
	type statement struct {
		hash uint64
		doc  int32
		span span.Span
	}
	var all []statement
	for i, d := range docs {
		for _, s := range Sentences(d.Text) {
			if m := mask(d.Text[s.Start:s.End]); m.words >= leastWords && len(m.numbers) > 0 {
				all = append(all, statement{fnv(m.key), int32(i), s})
			}
		}
	}
	slices.SortFunc(all, func(a, b statement) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.doc, b.doc), a.span.Start-b.span.Start)
	})
	var out []Contradiction
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].hash == all[0].hash {
			n++
		}
		if all[0].doc != all[n-1].doc {
			byKey := map[string][]said{}
			var keys []string // equal hashes, and in all likelihood one key
			for _, s := range all[:n] {
				m := mask(docs[s.doc].Text[s.span.Start:s.span.End])
				if byKey[m.key] == nil {
					keys = append(keys, m.key)
				}
				byKey[m.key] = append(byKey[m.key], said{docs[s.doc], s.span, m.numbers})
			}
			for _, k := range keys {
				if c := contradict(byKey[k]); c.Places != nil {
					out = append(out, c)
				}
			}
		}
		all = all[n:]
	}
	slices.SortFunc(out, func(a, b Contradiction) int {
		return cmp.Or(strings.Compare(a.Places[0].Doc, b.Places[0].Doc), a.Places[0].Start-b.Places[0].Start)
	})
	return out
}

// said is one statement with its numbers.
type said struct {
	doc     *corpus.Document
	span    span.Span
	numbers []string
}

// contradict keeps what is not said in every document, if two or more still say
// something. The statements are equal but for their numbers.
func contradict(all []said) Contradiction {
	docs := map[*corpus.Document]bool{}
	in := map[string]map[*corpus.Document]bool{} // numbers -> documents
	key := func(s said) string { return strings.Join(s.numbers, " ") }
	for _, s := range all {
		docs[s.doc] = true
		if in[key(s)] == nil {
			in[key(s)] = map[*corpus.Document]bool{}
		}
		in[key(s)][s.doc] = true
	}
	var c Contradiction
	for _, s := range all {
		if len(in[key(s)]) < len(docs) {
			c.Places = append(c.Places, Place{Doc: s.doc.Doc, Line: 1 + strings.Count(s.doc.Text[:s.span.Start], "\n"), Page: s.doc.Page(s.span.Start),
				Start: s.span.Start, End: s.span.End, Text: s.doc.Text[s.span.Start:s.span.End], Numbers: s.numbers})
		}
	}
	if len(c.Places) == 0 || c.Places[0].Doc == c.Places[len(c.Places)-1].Doc {
		return Contradiction{}
	}
	return c
}

// masked is a sentence without its numbers.
type masked struct {
	key     string   // its words, each behind a byte 1, each number a byte 2
	words   int      // with the numbers
	numbers []string // as they are compared
}

// mask takes the numbers out of a sentence. A number is a run of decimal digits
// (Unicode Nd) that does not follow a letter, digit, mark or "_" ("Q3" is a
// name), together with groups of digits behind a single . , ' ’ or a space that
// does not break (1,000.50); with a sign directly before it that stands behind
// none of these; with a currency sign before it or, if there is none, behind it,
// and with % or ‰ behind it, a blank between them or not. Numbers that differ
// only in how thousands are set apart, or in the script of their digits, are the
// same: a . or , before exactly three digits counts as setting apart. Numbers in
// words are words.
func mask(sentence string) masked {
	var m masked
	if strings.IndexFunc(sentence, unicode.IsDigit) < 0 {
		return m // nothing that could differ
	}
	var key strings.Builder
	text := func(s string) {
		for _, t := range term.Terms(s) {
			m.words++
			key.WriteByte(1)
			key.WriteString(t)
		}
	}
	done := 0
	for at := 0; at < len(sentence); {
		r, n := utf8.DecodeRuneInString(sentence[at:])
		before, _ := utf8.DecodeLastRuneInString(sentence[:at])
		if !unicode.IsDigit(r) || wordly(before) {
			at += n
			continue
		}
		number, from, to := number(sentence, done, at)
		text(sentence[done:from])
		key.WriteByte(2)
		m.words++
		m.numbers = append(m.numbers, number)
		done, at = to, to
	}
	text(sentence[done:])
	m.key = key.String()
	return m
}

func wordly(r rune) bool { return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.N) }

// number is the number whose digits begin at at, in its compared form, and the
// bytes that it takes, none of them before least.
func number(s string, least, at int) (value string, from, to int) {
	var groups []string // digits, each behind what sets it apart
	var marks []rune
	digits := func(i int) (string, int) {
		var b strings.Builder
		for i < len(s) {
			r, n := utf8.DecodeRuneInString(s[i:])
			if !unicode.IsDigit(r) {
				break
			}
			b.WriteByte(byte('0' + digit(r)))
			i += n
		}
		return b.String(), i
	}
	g, to := digits(at)
	groups = append(groups, g)
	for {
		r, n := utf8.DecodeRuneInString(s[to:])
		if !strings.ContainsRune(".,'’٫٬\u00a0\u2009\u202f", r) {
			break
		}
		g, end := digits(to + n)
		if g == "" {
			break
		}
		groups, marks, to = append(groups, g), append(marks, r), end
	}
	value = groups[0]
	for i, g := range groups[1:] {
		if strings.ContainsRune(".,٫", marks[i]) && len(g) != 3 {
			value += "."
		}
		value += g
	}
	from = at
	currency := ""
	take := func() { // a sign or a currency sign directly before from
		r, n := utf8.DecodeLastRuneInString(s[least:from])
		back, _ := utf8.DecodeLastRuneInString(s[:from-n])
		switch {
		case unicode.Is(unicode.Sc, r) && currency == "":
			currency = string(r)
			from -= n
		case strings.ContainsRune("-−+", r) && n > 0 && !wordly(back):
			if r != '+' {
				value = "-" + value
			}
			from -= n
		}
	}
	take()
	take()
	if currency == "" {
		if r, n := utf8.DecodeLastRuneInString(s[least:from]); n > 0 && unicode.IsSpace(r) {
			if r, m := utf8.DecodeLastRuneInString(s[least : from-n]); unicode.Is(unicode.Sc, r) {
				currency = string(r)
				from -= n + m
			}
		}
	}
	end := to
	if r, n := utf8.DecodeRuneInString(s[end:]); n > 0 && unicode.IsSpace(r) {
		end += n
	}
	switch r, n := utf8.DecodeRuneInString(s[end:]); {
	case r == '%' || r == '‰' || r == '٪':
		value += string(r)
		to = end + n
	case unicode.Is(unicode.Sc, r) && currency == "" && !digitNext(s[end+n:]):
		currency = string(r)
		to = end + n
	}
	return currency + value, from, to
}

func digitNext(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsDigit(r)
}

// digit is the value of a decimal digit: Unicode keeps them in runs of tens, in
// order, and in its table a range begins with a zero.
func digit(r rune) int {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10
		}
	}
	panic("BUG: no digit")
}
