package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"kerf/internal/finding"
)

func TestProblemsAreNamed(t *testing.T) {
	for _, c := range []struct {
		raw, code string
		column    int
		names     []string // what the finding says, in any wording
	}{
		{`{"a":1,"a":2}`, CodeDuplicate, 8, []string{`"a"`, "twice"}},
		{`{"id": "q1", "start": 0, "end": 5, "start": 3}`, CodeDuplicate, 36, []string{`"start"`, "twice"}},
		{`{"gate": {"tolerance": 0.05, "metric": "recall@5", "tolerance": 0.5}}`, CodeDuplicate, 52, []string{`"gate.tolerance"`, "twice"}},
		{`{"a":{"b":1,"b":2}}`, CodeDuplicate, 13, []string{`"a.b"`, "twice"}},
		{`[{"a":1,"\u0061":2}]`, CodeDuplicate, 9, []string{`"0.a"`}},
		{`{"a/b":{"x~":1,"x~":2}}`, CodeDuplicate, 16, []string{`"a/b.x~"`}},
		{`{"q":"x\ud800y"}`, CodeSurrogate, 8, []string{`\ud800`, "character 1", `"q"`}},
		{`{"q":"\u0041\"ä\ud83d\ude00\ud800\u0041"}`, CodeSurrogate, 28, []string{`\ud800`, "character 4"}},
		{`{"q":"\udc00"}`, CodeSurrogate, 7, []string{`\udc00`, "character 0"}},
		{`{"\udc00":1}`, CodeSurrogate, 3, []string{`\udc00`}},
		{"{\"q\":\"ä\xff\"}", CodeUTF8, 8, []string{`"q"`, "ff at byte 8"}},
		{"\xff", CodeUTF8, 1, nil},
		{`{"a":1} x`, CodeTrailing, 9, []string{`"x"`}},
		{`{"a":1}{"b":2}`, CodeTrailing, 8, nil},
		{`{"a":`, CodeSyntax, 6, nil},
		{`{a:1}`, CodeSyntax, 2, nil},
		{`{1:1}`, CodeSyntax, 2, nil},
		{`{"a":NaN}`, CodeSyntax, 6, nil},
		{`{"a":01}`, CodeSyntax, 7, nil},
		{`{"a":"\x"}`, CodeSyntax, 7, nil},
		{"{\"a\":\"x\ty\"}", CodeSyntax, 8, nil},
		{"{a:\"\xff\"}", CodeSyntax, 2, nil}, // the first problem counts
		{strings.Repeat("[", 20_000), CodeDepth, 10_001, []string{"10,000"}},
	} {
		l, found := Parse("f", 3, []byte(c.raw))
		name := c.raw[:min(len(c.raw), 40)]
		if l.Value != nil || len(found) != 1 {
			t.Errorf("%s: %v %v", name, l.Value, found)
			continue
		}
		f := found[0]
		if f.Code != c.code || f.Column != c.column || f.Line != 3 || f.Severity != finding.Error {
			t.Errorf("%s: want %s in column %d, got %s", name, c.code, c.column, f)
		}
		for _, n := range c.names {
			if !strings.Contains(f.Message+f.Found+f.Expected, n) {
				t.Errorf("%s: %s does not name %s", name, f, n)
			}
		}
	}
}

func TestLineAboveTheLimit(t *testing.T) {
	l, found := Parse("f", 2, make([]byte, MaxLine+1))
	if l.Value != nil || len(found) != 1 || found[0].Code != CodeLong || found[0].Line != 2 || !strings.Contains(found[0].Expected, "268435456 bytes") {
		t.Error(found)
	}
}

// records are the texts under key of every line that could be read.
func records(lines []*Line, key string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, l.Value.Get(key).Text)
	}
	return out
}

func TestByteOrderMarks(t *testing.T) {
	lines, found := ParseFile("bom.jsonl", []byte("\uFEFF{\"id\": \"q1\", \"text\": \"Frist?\"}\n{\"id\": \"q2\", \"text\": \"Preis?\"}\n"))
	if !reflect.DeepEqual(records(lines, "id"), []string{"q1", "q2"}) {
		t.Error(records(lines, "id"))
	}
	if len(found) != 1 || found[0].Code != CodeBOM || found[0].Severity != finding.Warning {
		t.Error(found)
	}
	for _, mark := range []string{"\xff\xfe", "\xfe\xff"} {
		if lines, found := ParseFile("f", []byte(mark+"{\x00}\x00")); lines != nil || len(found) != 1 || found[0].Code != CodeUTF8 {
			t.Error(found)
		}
	}
}

// Line separators of Unicode are ordinary characters of a text.
func TestLinesEndAtLineFeedOnly(t *testing.T) {
	content := "{\"id\": \"q1\", \"text\": \"a\u2028b\"}\n{\"id\": \"q2\", \"text\": \"c\u2029d\u0085e\"}\r\n\n \t\n{\"id\": \"q3\", \"text\": \"f\\u000bg\\fh\"}"
	lines, found := ParseFile("rows.jsonl", []byte(content))
	var lengths, numbers []int
	for _, l := range lines {
		lengths = append(lengths, utf8.RuneCountInString(l.Value.Get("text").Text))
		numbers = append(numbers, l.Number)
	}
	if len(found) != 0 || !reflect.DeepEqual(lengths, []int{3, 5, 5}) || !reflect.DeepEqual(numbers, []int{1, 2, 5}) {
		t.Error(lengths, numbers, found)
	}
}

func TestLoneSurrogates(t *testing.T) {
	content, err := os.ReadFile("testdata/surrogates.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines, found := ParseFile("rows.jsonl", content)
	if len(lines) != 1 || lines[0].Value.Get("quote").Text != "30 \U0001F600 Tage" {
		t.Error(records(lines, "quote"))
	}
	var got []string
	for _, f := range found {
		got = append(got, f.Place()+" "+f.Message)
	}
	want := []string{
		`rows.jsonl:2:27 lone surrogate \ud83d at character 3 in "quote"`,
		`rows.jsonl:3:24 lone surrogate \ude00 at character 0 in "quote"`,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestLongLines(t *testing.T) {
	for _, n := range []int{70_000, 20_000_000} {
		var b bytes.Buffer
		b.WriteString("{\"id\": \"q0\", \"quote\": \"\"}\n{\"id\": \"q1\", \"quote\": \"")
		b.Write(bytes.Repeat([]byte("x"), n))
		b.WriteString("\"}\n{\"id\": \"q2\", \"quote\": \"\"}\n")
		lines, found := ParseFile("rows.jsonl", b.Bytes())
		if len(found) != 0 || !reflect.DeepEqual(records(lines, "id"), []string{"q0", "q1", "q2"}) || len(lines[1].Value.Get("quote").Text) != n {
			t.Errorf("%d: %v %v", n, records(lines, "id"), found)
		}
	}
}

func TestKeysDifferByCase(t *testing.T) {
	l, found := Parse("f", 1, []byte(`{"id": "q1", "start": 0, "end": 5, "Start": 3}`))
	if n, ok := l.Value.Get("start").Int(); n != 0 || !ok || len(found) != 0 {
		t.Error(n, found)
	}
	if n, ok := l.Value.Get("Start").Int(); n != 3 || !ok || l.Value.Get("START") != nil {
		t.Error(n)
	}
}

func TestInt(t *testing.T) {
	for raw, want := range map[string]int{"0": 0, "-3": -3, "2147483647": 2147483647} {
		l, _ := Parse("f", 1, []byte(raw))
		if n, ok := l.Value.Int(); n != want || !ok {
			t.Error(raw, n, ok)
		}
	}
	for _, raw := range []string{"1.0", "1e2", "1E2", "99999999999999999999", `"1"`, "null", "[1]"} {
		l, _ := Parse("f", 1, []byte(raw))
		if n, ok := l.Value.Int(); ok {
			t.Error(raw, n)
		}
	}
	if _, ok := (*Value)(nil).Int(); ok {
		t.Error("no value")
	}
}

func TestQuote(t *testing.T) {
	long := strings.Repeat("ä", 70)
	for s, want := range map[string]string{"a\"b": `"a\"b"`, long: `"` + strings.Repeat("ä", 60) + `" …`, strings.Repeat("ä", 60): `"` + strings.Repeat("ä", 60) + `"`} {
		if got := Quote(s); got != want {
			t.Errorf("%q: %s", s, got)
		}
	}
}

// FuzzParse: no input panics; what is read stands where its place says, and
// reads the same alone.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-2.5e3,null,true,false,"x\u00e4\ud83d\ude00"],"b":{"c":{}}}`, ` [ 1 , "a" , { "b" : [ ] } ] `, `{"a":1,"a":2}`,
		`{"q":"\ud800"}`, "{\"q\":\"\xff\"}", `{"a":1} x`, `{"a":`, "\u2028", `""`, `{"a/b":{"~":1,"~":2}}`,
		"{\"q\":\"\\ud83", "[[[[", "\x00", "{\"\xc3\xa4\":\"\u2029\"}\r",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		l, found := Parse("f", 1, raw)
		if (l.Value == nil) != (len(found) == 1) {
			t.Fatalf("%v and %v", l.Value, found)
		}
		for _, f := range found {
			if f.Column < 1 || f.Column > 1+utf8.RuneCount(raw) {
				t.Fatal(f)
			}
		}
		if l.Value != nil {
			same(t, l.Value)
		}
	})
}

// same checks v and everything below it against the bytes at its place.
func same(t *testing.T, v *Value) {
	again, found := Parse("f", 1, v.Line().Raw[v.At:v.End])
	if len(found) != 0 || again.Value.At != 0 || again.Value.End != v.End-v.At {
		t.Fatalf("%q: %v", v.Line().Raw[v.At:v.End], found)
	}
	if !equal(v, again.Value) {
		t.Fatalf("%q reads another way alone", v.Line().Raw[v.At:v.End])
	}
	for _, e := range v.Elems {
		same(t, e)
	}
	for _, m := range v.Members {
		name, found := Parse("f", 1, v.Line().Raw[m.At:m.Value.At-1-gap(v.Line().Raw[m.At:m.Value.At])])
		if len(found) != 0 || name.Value.Kind != String || name.Value.Text != m.Name {
			t.Fatalf("the key %q is not at its place", m.Name)
		}
		same(t, m.Value)
	}
}

// gap is the number of blanks after the colon between a key and its value.
func gap(between []byte) int { return len(between) - len(bytes.TrimRight(between, " \t\r\n")) }

func equal(a, b *Value) bool {
	if a.Kind != b.Kind || a.Bool != b.Bool || a.Text != b.Text || len(a.Elems) != len(b.Elems) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Elems {
		if !equal(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	for i := range a.Members {
		if a.Members[i].Name != b.Members[i].Name || !equal(a.Members[i].Value, b.Members[i].Value) {
			return false
		}
	}
	return true
}

func BenchmarkLongLine(b *testing.B) {
	raw := []byte(`{"quote":"` + strings.Repeat("x", 20_000_000) + `"}`)
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if l, _ := Parse("f", 1, raw); l.Value == nil {
			b.Fatal("not read")
		}
	}
}

// plainLines is the values of a file by encoding/json, which know no places, and
// whose repeated keys nobody sees.
func plainLines(t testing.TB, content []byte) (values []any) {
	for line := range bytes.Lines(content) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	return values
}

// plainly is v as encoding/json has it.
func plainly(v *Value) any {
	switch v.Kind {
	case Object:
		object := map[string]any{}
		for _, m := range v.Members {
			object[m.Name] = plainly(m.Value)
		}
		return object
	case Array:
		list := []any{}
		for _, e := range v.Elems {
			list = append(list, plainly(e))
		}
		return list
	case String:
		return v.Text
	case Number:
		return json.Number(v.Text)
	case Bool:
		return v.Bool
	}
	return nil
}

// shortLines is a file of 2,000 rankings of five hits.
func shortLines() []byte {
	var b bytes.Buffer
	for q := range 2000 {
		fmt.Fprintf(&b, `{"qid":"q%06d","note":"caf\u00e9 \"%d\"","empty":null,"ok":true,"hits":[`, q, q)
		for i := range 5 {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"doc":"guide/%d.md","start":%d,"end":%d,"score":%.4f}`, (q*7+i)%90, q*i, q*i+400, 30/float64(i+1))
		}
		b.WriteString("]}\n")
	}
	return b.Bytes()
}

// The two benchmarks do the same work: read every value of a file of short lines.
func BenchmarkShortLines(b *testing.B) {
	content := shortLines()
	lines, found := ParseFile("f", content)
	var values []any
	for _, l := range lines {
		values = append(values, plainly(l.Value))
	}
	if len(found) > 0 || len(values) != 2000 || !reflect.DeepEqual(values, plainLines(b, content)) {
		b.Fatal("the two read differently")
	}
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		ParseFile("f", content)
	}
}

func BenchmarkPlainShortLines(b *testing.B) {
	content := shortLines()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		plainLines(b, content)
	}
}
