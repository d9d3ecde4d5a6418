package golden

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kerf/internal/corpus"
)

func extend(t *testing.T, content, input string, c *corpus.Corpus) Extended {
	t.Helper()
	set, _ := Read("g", []byte(content), c)
	x, err := Extend(set, c, "stdin", []byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestExtend(t *testing.T) {
	c := documents("a", "Fees are 5. End.", "b", "Fees are 5. Fees are 6.")
	old := header + "\n" + `{"qid":"q-09","question":"Why?","answerable":false,"within":["a"]}`
	for name, x := range map[string]struct {
		input, added, codes string
	}{
		"a draft":                {`{"qid":"n","question":"N?","spans":{"s":{"doc":"a","quote":"Fees are 5."}},"support":[["s"]]}`, "n placed[s] drafts[]", ""},
		"several places":         {`{"qid":"n","question":"N?","spans":{"s":{"doc":"b","quote":"Fees are"}},"support":[["s"]]}`, "n placed[] drafts[s]", "K148"},
		"told apart":             {`{"qid":"n","question":"N?","spans":{"s":{"doc":"b","quote":"Fees are","suffix":" 6"}},"support":[["s"]]}`, "n placed[s] drafts[]", ""},
		"a wrong suffix":         {`{"qid":"n","question":"N?","spans":{"s":{"doc":"b","quote":"Fees are","suffix":" 7"}},"support":[["s"]]}`, "", "K147"},
		"no place":               {`{"qid":"n","question":"N?","spans":{"s":{"doc":"b","quote":"None."}},"support":[["s"]]}`, "", "K146"},
		"asked already":          {`{"qid":"n","question":"why","answerable":false,"within":["a"]}`, "", "K173"},
		"asked of another":       {`{"qid":"n","question":"why","answerable":false,"within":["b"]}`, "n placed[] drafts[]", ""},
		"asked by another":       {`{"qid":"n","question":"why","answerable":false,"within":["a"],"reader":["x"]}`, "n placed[] drafts[]", ""},
		"qid taken":              {`{"qid":"q-09","question":"N?","answerable":false}`, "", "K110"},
		"all problems of a line": {`{"qid":"q-09","question":"Why!","answerable":false,"within":["a"]}`, "", "K110 K173"},
		"twice in the input":     {`{"qid":"n","question":"N?","answerable":false}` + "\n\n" + `{"qid":"m","question":"n","answerable":false}`, "n placed[] drafts[]", "K173"},
		"after a refused one":    {`{"qid":"q-09","question":"N?","answerable":false}` + "\n" + `{"qid":"m","question":"n","answerable":false}`, "m placed[] drafts[]", "K110"},
		"another header":         {`{"kerf":"golden/2","unit":"codepoint"}` + "\n" + `{"qid":"m","question":"n","answerable":false}`, "", "K101"},
		"a header between":       {`{"qid":"m","question":"n","answerable":false}` + "\n" + header, "m placed[] drafts[]", "K101"},
		"a header alone":         {header, "", ""},
		"over several lines":     {"{\"qid\":\"m\",\n\"question\":\"n\",\"answerable\":false}", "", "K001 K005"},
	} {
		got := extend(t, old, x.input, c)
		var added, codes []string
		for _, a := range got.Added {
			added = append(added, fmt.Sprintf("%s placed%v drafts%v", a.Question.QID, a.Placed, a.Drafts))
		}
		for _, f := range got.Found {
			codes = append(codes, f.Code)
		}
		if strings.Join(added, "; ") != x.added || strings.Join(codes, " ") != x.codes {
			t.Errorf("%s: got %q, %q\n%v", name, added, codes, got.Found)
		}
	}
}

func TestNextQID(t *testing.T) {
	for qids, want := range map[string]string{"": "q-001", "a": "q-001", "q-007 q-012": "q-013", "q-9": "q-10", "x1 q-005 x9 b": "x10", "q-99 t-01": "t-02", "q7777777777777777777": "q-001", "12": "13"} {
		set := &Set{}
		for _, qid := range strings.Fields(qids) {
			set.Questions = append(set.Questions, &Question{QID: qid})
		}
		if got := NextQID(set); got != want {
			t.Errorf("%q: got %s, want %s", qids, got, want)
		}
	}
}

// FuzzExtend: whatever comes in, the file keeps its bytes, what is added brings
// no error, and every line of the input is added or refused.
func FuzzExtend(f *testing.F) {
	content, c := base(f)
	rows := strings.SplitAfter(content, "\n")
	for _, row := range rows {
		f.Add(row)
	}
	f.Add(strings.ReplaceAll(rows[1]+rows[2], "q-0", "n-0"))
	f.Add("\uFEFF" + header + "\r\n" + `{"qid":"n","question":"N?","spans":{"s":{"doc":"leave.md","quote":"The request goes to the manager."},"t":{"doc":"leave.md","quote":"Days that are not taken lapse on 31 March."}},"support":[["s","t"]]}` + "\r\n")
	f.Add("{\"qid\":\"x\",\"question\":\"x\",\"answerable\":false}\n\xff\n{\"qid\":\"x\",")
	f.Add(fixtureLine("F"))
	before := strings.Join(rows[:4], "")
	set, was := Read("g", []byte(before), c)
	f.Fuzz(func(t *testing.T, input string) {
		x, err := Extend(set, c, "stdin", []byte(input))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(x.Content, []byte(before)) {
			t.Fatal("the file lost bytes")
		}
		if len(x.Added) == 0 && string(x.Content) != before {
			t.Fatalf("nothing added, and %q", x.Content)
		}
		now, found := Read("g", x.Content, c)
		if found.Errors() != was.Errors() || len(now.Questions) != len(set.Questions)+len(x.Added) {
			t.Fatalf("%v\n%s", found, x.Content)
		}
		for i, a := range x.Added {
			q := now.Questions[len(set.Questions)+i]
			if q.QID != a.Question.QID || q.At.Line().Number != a.Line {
				t.Fatalf("%s in line %d, said %s in %d", q.QID, q.At.Line().Number, a.Question.QID, a.Line)
			}
			for _, s := range q.Spans {
				if s.Draft != (len(a.Drafts) > 0 && strings.Contains(strings.Join(a.Drafts, "\x00"), s.Name)) && !s.Stale {
					t.Fatalf("span %s of %s: draft %v", s.Name, q.QID, s.Draft)
				}
			}
		}
		lines := 0
		for _, row := range strings.Split(strings.TrimPrefix(input, "\uFEFF"), "\n") {
			if strings.TrimSpace(row) != "" {
				lines++
			}
		}
		if n := lines - len(x.Added) - len(x.Refused); n != 0 && n != 1 { // the header
			t.Fatalf("%d lines: %d added, %d refused\n%v", lines, len(x.Added), len(x.Refused), x.Found)
		}
	})
}
