package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kerf/internal/corpus"
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

// want is the right answer for a passage, and the place if it moves. It knows
// nothing of kerf but the rule: the words, and 32 code points on each side, must
// be where the passage is, and nowhere else.
func (b *book) want(p *passage) string {
	now, there := b.docs[p.baseDoc]
	switch {
	case there && now == p.base:
		return "unchanged"
	case !there || p.doc != p.baseDoc || p.edited:
		return "orphan"
	}
	before, after := around(p.base, p.baseStart, p.baseStart+p.baseLength)
	words := p.base[p.baseStart : p.baseStart+p.baseLength]
	nowBefore, nowAfter := around(now, p.start, p.end)
	same := strings.HasSuffix(nowBefore, before) && strings.HasPrefix(nowAfter, after)
	if !same || strings.Count(now, before+words+after) != 1 {
		return "orphan"
	}
	return "moved"
}

func around(text string, start, end int) (before, after string) {
	left, right := []rune(text[:start]), []rune(text[end:])
	return string(left[max(0, len(left)-32):]), string(right[:min(32, len(right))])
}

// label is a span as golden.jsonl has it.
type label struct {
	Doc, Version string
	Start, End   int
	Quote        string
}

// TestHistory makes twelve freezes over the handbook and holds what anchor does
// with every label after each of them against what the edits did to it. After
// each, a person pastes every second proposal that is right; the others wait and
// become older. Run with -v for the table.
func TestHistory(t *testing.T) {
	dir := t.TempDir()
	b := &book{t: t, docs: map[string]string{}}
	for _, file := range must(filepath.Glob("../../examples/handbook/docs/*.md"))(t) {
		b.docs[filepath.Base(file)] = string(must(os.ReadFile(file))(t))
	}
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	kerf := func(code int, args ...string) string {
		t.Helper()
		var out, talk bytes.Buffer
		got := Main(context.Background(), Process{Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }})
		if got != code && code >= 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, got, out.String(), talk.String())
		}
		return out.String()
	}
	freeze := func() {
		if err := os.RemoveAll(filepath.Join(dir, "docs")); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "docs"), 0o777); err != nil {
			t.Fatal(err)
		}
		for name, text := range b.docs {
			write("docs/"+name, text)
		}
		kerf(0, "freeze", "docs")
	}
	write("golden.jsonl", string(must(os.ReadFile("../../examples/handbook/golden.jsonl"))(t)))
	freeze()
	kerf(0, "check")
	lines := func() map[string]map[string]json.RawMessage { return spansOf(t, filepath.Join(dir, "golden.jsonl")) }
	for qid, spans := range lines() {
		for name, raw := range spans {
			l := decode(t, raw)
			start := len(string([]rune(b.docs[l.Doc])[:l.Start]))
			p := &passage{qid: qid, span: name, doc: l.Doc, start: start, end: start + len(l.Quote)}
			b.settle(p)
			b.passages = append(b.passages, p)
		}
	}
	slices.SortFunc(b.passages, func(a, c *passage) int { return strings.Compare(a.qid+a.span, c.qid+c.span) })

	var table strings.Builder
	fmt.Fprintf(&table, "%-4s %-62s %9s %6s %7s %9s %9s %6s %6s\n", "step", "edits", "unchanged", "moved", "orphans", "there yet", "proposed", "first", "wrong")
	moved, silent := 0, 0
	for i, s := range steps() {
		s.edit(b)
		freeze()
		before := lines()
		var out anchorOutput
		if err := json.Unmarshal([]byte(kerf(-1, "anchor", "-w", "--json")), &out); err != nil {
			t.Fatal(err)
		}
		after := lines()
		orphans := map[string]anchorOrphan{}
		for _, o := range out.Orphans {
			orphans[o.QID+"."+o.Span] = o
		}
		var n struct{ unchanged, moved, orphans, there, proposed, first, wrong int }
		for _, p := range b.passages {
			name := p.qid + "." + p.span
			was, is := decode(t, before[p.qid][p.span]), decode(t, after[p.qid][p.span])
			o, orphan := orphans[name]
			got := "unchanged"
			switch {
			case is != was:
				got = "moved"
			case orphan:
				got = "orphan"
			}
			want := b.want(p)
			if got != want {
				n.wrong++
				t.Errorf("step %d: %s is %s, want %s: %s\n%+v", i+1, name, got, want, o.Reason, is)
			}
			switch got {
			case "unchanged":
				n.unchanged++
			case "moved":
				n.moved++
				text := b.docs[is.Doc]
				start := len(string([]rune(text)[:is.Start]))
				if is.Doc != p.doc || start != p.start || start+len(is.Quote) != p.end || text[start:start+len(is.Quote)] != is.Quote ||
					is.Version != corpus.VersionOf(text) || is.Quote != was.Quote || is.End-is.Start != utf8.RuneCountInString(is.Quote) {
					silent++
					t.Errorf("step %d: %s moved to %s %d, the passage is at %s %d", i+1, name, is.Doc, start, p.doc, p.start)
				}
				b.settle(p)
			case "orphan":
				n.orphans++
				if p.doc == "" {
					continue
				}
				n.there++
				at := slices.IndexFunc(o.Proposals, func(q anchorProposal) bool { return b.is(p, q) })
				if at < 0 {
					t.Logf("step %d: %s is at %s [%d,%d), edited %v: not proposed", i+1, name, p.doc, p.start, p.end, p.edited)
					continue
				}
				n.proposed++
				if at == 0 {
					n.first++
				}
				if n.proposed%2 == 0 {
					b.paste(filepath.Join(dir, "golden.jsonl"), p, o.Proposals[at])
				}
			}
		}
		moved += n.moved
		fmt.Fprintf(&table, "%-4d %-62s %9d %6d %7d %9d %9d %6d %6d\n", i+1, s.name, n.unchanged, n.moved, n.orphans, n.there, n.proposed, n.first, n.wrong)
		if n.there > 0 && n.proposed*10 < n.there*9 {
			t.Errorf("step %d: %d of %d orphans that are still there were proposed", i+1, n.proposed, n.there)
		}
	}
	t.Logf("%d labels, %d moved, %d silently\n%s", len(b.passages), moved, silent, table.String())
	if moved < 100 {
		t.Errorf("only %d labels moved", moved)
	}
}

// is reports whether a proposal is the passage: to the letter where it is
// unchanged, else the greater part of it.
func (b *book) is(p *passage, q anchorProposal) bool {
	text := []rune(b.docs[q.Doc])
	start, end := len(string(text[:q.Start])), len(string(text[:q.End]))
	if !p.edited {
		return q.Doc == p.doc && start == p.start && end == p.end
	}
	common := min(end, p.end) - max(start, p.start)
	return q.Doc == p.doc && 2*common > p.end-p.start && 2*common > end-start
}

// settle makes the place of now the one that a passage was labelled on.
func (b *book) settle(p *passage) {
	p.base, p.baseDoc, p.baseStart, p.baseLength, p.edited = b.docs[p.doc], p.doc, p.start, p.end-p.start, false
}

// paste is what a person does with a proposal that is right.
func (b *book) paste(file string, p *passage, q anchorProposal) {
	content := string(must(os.ReadFile(file))(b.t))
	old := `"` + p.span + `":` + string(spansOf(b.t, file)[p.qid][p.span])
	at := strings.Index(content, `{"qid":"`+p.qid+`"`)
	if strings.Count(content[at:], old) == 0 {
		b.t.Fatalf("%s.%s is not in the file as %s", p.qid, p.span, old)
	}
	content = content[:at] + strings.Replace(content[at:], old, q.Paste, 1)
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		b.t.Fatal(err)
	}
	text := []rune(b.docs[q.Doc])
	p.start, p.end = len(string(text[:q.Start])), len(string(text[:q.End]))
	b.settle(p)
}

func spansOf(t *testing.T, file string) map[string]map[string]json.RawMessage {
	t.Helper()
	all := map[string]map[string]json.RawMessage{}
	for line := range strings.Lines(string(must(os.ReadFile(file))(t))) {
		var q struct {
			QID   string
			Spans map[string]json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		if q.QID != "" {
			all[q.QID] = q.Spans
		}
	}
	return all
}

func decode(t *testing.T, raw json.RawMessage) (l label) {
	t.Helper()
	if err := json.Unmarshal(raw, &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func must[T any](v T, err error) func(*testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// step is what happens to the documents before one freeze.
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
