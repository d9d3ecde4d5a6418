package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kerf/internal/corpus"
)

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
