package golden

import (
	"fmt"
	"strings"
	"testing"

	"kerf/internal/text/coord"
)

// in is the base set with its offsets in another unit.
func in(t *testing.T, u coord.Unit) (string, *Set) {
	t.Helper()
	content, c := base(t)
	set, _ := Read("g", []byte(content), c)
	content = strings.Replace(content, `"unit":"codepoint"`, `"unit":`+quoted(string(u)), 1)
	for _, q := range set.Questions {
		for _, s := range q.Spans {
			m := coord.New(c.Find(s.Doc).Text)
			start, err1 := m.Offset(u, s.Bytes.Start)
			end, err2 := m.Offset(u, s.Bytes.End)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			old := fmt.Sprintf(`"start":%d,"end":%d,"quote":%s`, s.Start, s.End, quoted(s.Quote))
			if !strings.Contains(content, old) {
				t.Fatal(old)
			}
			content = strings.ReplaceAll(content, old, fmt.Sprintf(`"start":%d,"end":%d,"quote":%s`, start, end, quoted(s.Quote)))
		}
	}
	return content, set
}

func TestEveryUnitNamesTheSameBytes(t *testing.T) {
	_, c := base(t)
	for _, u := range []coord.Unit{coord.Byte, coord.UTF16, coord.CodePoint, "token:codepoints"} {
		content, want := in(t, u)
		got, found := problems(content, c, true)
		if len(found) > 0 {
			t.Error(u, found)
		}
		for i, q := range want.Questions {
			for j, s := range q.Spans {
				if b := got.Questions[i].Spans[j].Bytes; b != s.Bytes {
					t.Errorf("%s: %s.%s at %v, want %v", u, q.QID, s.Name, b, s.Bytes)
				}
			}
		}
		// The unit is recognised when the header does not say it.
		_, found = problems(strings.Replace(content, `"unit":`+quoted(string(u)), `"unit":"nothing"`, 1), c, false)
		name := string(u)
		if u == "token:codepoints" {
			name = "codepoint"
		}
		if len(found) != 1 || found[0].Code != CodeUnit || found[0].Hint != "every quote matches under unit "+name || found[0].Paste != `"unit":`+quoted(name) {
			t.Errorf("%s: %v", u, found)
		}
		// Anchor writes the offsets that were there.
		drafts := content
		for _, q := range want.Questions {
			for _, s := range q.Spans {
				m := coord.New(c.Find(s.Doc).Text)
				start, _ := m.Offset(u, s.Bytes.Start)
				end, _ := m.Offset(u, s.Bytes.End)
				drafts = strings.ReplaceAll(drafts, fmt.Sprintf(`"start":%d,"end":%d,`, start, end), "")
			}
		}
		set, found := problems(drafts, c, false)
		done := Anchor(set, c, nil)
		placed, open := done.Placed, done.Open
		if found.Errors() > 0 || len(open) > 0 || len(placed) != 15 {
			t.Errorf("%s: %d placed, %v %v", u, len(placed), found, open)
		}
		again, found := problems(string(set.Encode()), c, true)
		if len(found) > 0 {
			t.Errorf("%s: %v", u, found)
		}
		for i, q := range want.Questions {
			for j, s := range q.Spans {
				if b := again.Questions[i].Spans[j].Bytes; b != s.Bytes {
					t.Errorf("%s: anchored %s.%s at %v, want %v", u, q.QID, s.Name, b, s.Bytes)
				}
			}
		}
	}
}

// TestUnitThatCannotNameThePlace: a quote that ends inside a token is refused,
// not rounded.
func TestUnitThatCannotNameThePlace(t *testing.T) {
	c := documents("d", "one two three")
	for quote, code := range map[string]string{"two ": "", "two": CodeInside, "ne ": CodeInside} {
		set, found := Read("g", []byte(`{"kerf":"golden/1","unit":"token:words"}`+"\n"+`{"qid":"q","question":"Q?","spans":{"a":{"doc":"d","quote":`+quoted(quote)+`}},"support":[["a"]]}`), c)
		checked := Check(set, c, false)
		done := Anchor(set, c, nil)
		placed, open := done.Placed, done.Open
		switch {
		case code != "" && (checked.Errors() != 1 || checked[0].Code != code && checked[1].Code != code && checked[2].Code != code):
			t.Errorf("%q: %v", quote, checked)
		case len(found) > 0:
			t.Error(found)
		case code == "" && (len(placed) != 1 || placed[0].Span.Start != 1 || placed[0].Span.End != 2):
			t.Errorf("%q: %v %v", quote, placed, open)
		case code != "" && (len(open) != 1 || open[0].Code != code || !set.Questions[0].Spans[0].Draft):
			t.Errorf("%q: %v", quote, open)
		}
	}
}
