package cli

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// passage is one label of the handbook and where its words are now, by what was
// done to the documents alone.
type passage struct {
	qid, span  string
	doc        string // "" if it was deleted
	start, end int    // bytes
	edited     bool   // since it was labelled

	base       string // the text it was labelled on, under the id of then
	baseDoc    string
	baseStart  int
	baseLength int
}

// book is the documents and the passages in them. Every edit is one of its
// methods, so that it knows where each passage goes.
type book struct {
	t        *testing.T
	docs     map[string]string
	passages []*passage
}

// replace puts other bytes at [start, end).
func (b *book) replace(doc string, start, end int, by string) {
	text := b.docs[doc]
	b.docs[doc] = text[:start] + by + text[end:]
	grown := len(by) - (end - start)
	for _, p := range b.passages {
		switch {
		case p.doc != doc || p.end <= start && (start != end || p.end <= start):
		case p.start >= end:
			p.start, p.end = p.start+grown, p.end+grown
		default: // [start, end) touches it
			p.edited = true
			p.start, p.end = min(p.start, start), max(p.end, end)+grown
		}
	}
}

// all replaces every old by new, from the end so that offsets hold.
func (b *book) all(doc, old, by string) {
	for end := len(b.docs[doc]); ; {
		at := strings.LastIndex(b.docs[doc][:end], old)
		if at < 0 {
			return
		}
		b.replace(doc, at, at+len(old), by)
		end = at
	}
}

// move takes [start, end) out of a document and puts it to the end of another, or
// of the same. Passages in it go along.
func (b *book) move(doc string, start, end int, to string) {
	block := b.docs[doc][start:end]
	var along []*passage
	for _, p := range b.passages {
		if p.doc == doc && p.start >= start && p.end <= end {
			along = append(along, p)
		}
	}
	at := map[*passage]int{}
	for _, p := range along {
		at[p] = p.start - start
		p.doc = ""
	}
	b.replace(doc, start, end, "")
	base := len(b.docs[to])
	b.docs[to] += block
	for _, p := range along {
		p.end += base + at[p] - p.start
		p.doc, p.start = to, base+at[p]
	}
}

func (b *book) remove(doc string) {
	delete(b.docs, doc)
	for _, p := range b.passages {
		if p.doc == doc {
			p.doc = ""
		}
	}
}

func (b *book) rename(doc, to string) {
	b.docs[to] = b.docs[doc]
	delete(b.docs, doc)
	for _, p := range b.passages {
		if p.doc == doc {
			p.doc = to
		}
	}
}

// duplicate writes a copy of a block at the end of its document.
func (b *book) duplicate(doc string, start, end int) {
	b.docs[doc] += b.docs[doc][start:end]
}

// historyStep is what happens to the documents before one freeze.
type historyStep struct {
	name string
	edit func(*book)
}

func (b *book) in(doc string) []*passage {
	var all []*passage
	for _, p := range b.passages {
		if p.doc == doc {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, c *passage) int { return a.start - c.start })
	return all
}

// word replaces the word in the middle of a passage.
func (b *book) word(p *passage, by string) {
	text := b.docs[p.doc]
	at := (p.start + p.end) / 2
	start := strings.LastIndexAny(text[:at], " \n") + 1
	end := at + strings.IndexAny(text[at:], " \n")
	b.replace(p.doc, start, end, by)
}

func steps() []historyStep {
	return []historyStep{
		{"a paragraph at the beginning of 3 documents, a line at the end of 2", func(b *book) {
			for _, doc := range []string{"returns.md", "billing.md", "leave.md"} {
				b.replace(doc, strings.Index(b.docs[doc], "\n\n")+2, strings.Index(b.docs[doc], "\n\n")+2, "This page was reviewed in spring. Ask the office where it is unclear.\n\n")
			}
			b.docs["shipping.md"] += "\nLast look: May.\n"
			b.docs["support.md"] += "\nLast look: May.\n"
		}},
		{"a word inside every third label of 3 documents", func(b *book) {
			for _, doc := range []string{"shipping.md", "security.md", "leave.md"} {
				for i, p := range b.in(doc) {
					if i%3 == 0 {
						b.word(p, "altered")
					}
				}
			}
		}},
		{"words directly behind, and directly before, every other label", func(b *book) {
			for i, p := range b.in("warranty.md") {
				if i%2 == 0 {
					b.replace(p.doc, p.end, p.end, " This holds from May on.")
				}
			}
			for i, p := range b.in("expenses.md") {
				if i%2 == 0 {
					b.replace(p.doc, p.start, p.start, "From May on the following holds. ")
				}
			}
		}},
		{"a paragraph and a whole section moved to the end", func(b *book) {
			for _, doc := range []string{"support.md", "billing.md"} {
				p := b.in(doc)[0]
				start := strings.LastIndexByte(b.docs[doc][:p.start], '\n') + 1
				end := p.end + strings.IndexByte(b.docs[doc][p.end:], '\n') + 1
				b.move(doc, start, end, doc)
			}
			start, end := b.section("privacy.md", 1)
			b.move("privacy.md", start, end, "privacy.md")
		}},
		{"CRLF in 2 documents", func(b *book) {
			b.all("definitions.md", "\n", "\r\n")
			b.all("partners.md", "\n", "\r\n")
		}},
		{"a byte order mark in 3, LF again in one", func(b *book) {
			for _, doc := range []string{"safety.md", "returns.md", "shipping.md"} {
				b.replace(doc, 0, 0, "\uFEFF")
			}
			b.all("partners.md", "\r\n", "\n")
		}},
		{"typographic quotes and dashes to plain ones in 4, the other way in 1", func(b *book) {
			for _, doc := range []string{"billing.md", "warranty.md", "returns.md", "leave.md"} {
				b.all(doc, "’", "'")
				b.all(doc, "–", "-")
			}
			b.all("support.md", " - ", " – ")
			b.all("support.md", "\"", "“")
		}},
		{"a paragraph and 3 sections with labels copied to the end", func(b *book) {
			p := b.in("leave.md")[1]
			start := strings.LastIndexByte(b.docs[p.doc][:p.start], '\n') + 1
			end := p.end + strings.IndexByte(b.docs[p.doc][p.end:], '\n') + 1
			b.duplicate(p.doc, start, end)
			for _, doc := range []string{"security.md", "shipping.md", "returns.md"} {
				start, end := b.densest(doc)
				b.duplicate(doc, start, end)
			}
		}},
		{"the originals of the copies edited: inside, before, behind", func(b *book) {
			b.word(b.in("leave.md")[1], "rewritten")
			for _, doc := range []string{"security.md", "shipping.md", "returns.md"} {
				start, end := b.densest(doc)
				within := slices.DeleteFunc(b.in(doc), func(p *passage) bool { return p.start < start || p.end > end })
				for i, p := range within {
					switch i % 3 {
					case 0:
						b.word(p, "rewritten")
					case 1:
						b.replace(doc, p.start, p.start, "Since June: ")
					case 2:
						b.replace(doc, p.end, p.end, " Since June.")
					}
				}
			}
		}},
		{"a document renamed, one deleted", func(b *book) {
			b.rename("expenses.md", "costs.md")
			b.remove("partners.md")
		}},
		{"a document split in two, two merged", func(b *book) {
			start, _ := b.section("returns.md", 3)
			b.docs["returns-2.md"] = "# Returns, second part\n\n"
			b.move("returns.md", start, len(b.docs["returns.md"]), "returns-2.md")
			b.move("safety.md", 0, len(b.docs["safety.md"]), "security.md")
			b.remove("safety.md")
		}},
		{"renamed and edited; words added and deleted between the labels", func(b *book) {
			b.word(b.in("support.md")[0], "altered")
			b.rename("support.md", "helpdesk.md")
			for _, doc := range slices.Sorted(maps.Keys(b.docs)) {
				last := 0
				for i, p := range b.in(doc) {
					if gap := p.start - last; gap > 200 && i%2 == 0 {
						at := last + gap/2
						at += strings.IndexByte(b.docs[doc][at:], ' ')
						b.replace(doc, at, at, " (see there)")
					}
					last = p.end
				}
			}
		}},
	}
}

// section is the nth part of a document that begins with a heading of level 2.
func (b *book) section(doc string, n int) (start, end int) {
	text := b.docs[doc]
	for i := range n + 1 {
		at := strings.Index(text[end:], "\n## ")
		if at < 0 {
			if i == n {
				return start, len(text)
			}
			b.t.Fatalf("%s has no section %d", doc, n)
		}
		start, end = end, end+at+1
	}
	return start, end
}

// densest is the section with the most passages.
func (b *book) densest(doc string) (start, end int) {
	most := 0
	for n := range strings.Count(b.docs[doc], "\n## ") + 1 {
		from, to := b.section(doc, n)
		within := 0
		for _, p := range b.in(doc) {
			if p.start >= from && p.end <= to {
				within++
			}
		}
		if within > most {
			start, end, most = from, to, within
		}
	}
	return start, end
}
