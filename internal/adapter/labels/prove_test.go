package labels

import (
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/text/coord"
)

// imported is one file of a kind against the documents of testdata.
func imported(t *testing.T, name, content string) *Imported {
	t.Helper()
	got := kind(t, name).Import([]File{{"f", []byte(content)}}, Names{}, testCorpus(t))
	sound(t, got, testCorpus(t))
	return got
}

// said is the codes of a list, in its order, and the whole of it.
func said(found finding.List) (codes, all string) {
	var c, a []string
	for _, f := range found {
		c, a = append(c, f.Code), append(a, f.String())
	}
	return strings.Join(c, " "), strings.Join(a, "\n")
}

func TestClaims(t *testing.T) {
	snippet := func(file, span, answer string) string {
		return `{"tests":[{"query":"Q?","snippets":[{"file_path":"` + file + `","span":` + span + `,"answer":"` + answer + `"}]}]}`
	}
	selectors := func(sel string) string {
		return `{"body":{"value":"Q?"},"target":{"source":"hours.md","selector":` + sel + `}}`
	}
	position := func(start, end string) string {
		return `{"type":"TextPositionSelector","start":` + start + `,"end":` + end + `}`
	}
	quoted := func(exact, more string) string {
		return `{"type":"TextQuoteSelector","exact":"` + exact + `"` + more + `}`
	}
	for _, c := range []struct{ kind, content, codes, says string }{
		{"legalbench-rag", snippet("hours.md", "[0,23]", "The desk opens at nine."), "", ""},
		{"legalbench-rag", snippet("hours.md", "[5,5]", "desk"), CodePlace, "0 <= start < end <= 88"},
		{"legalbench-rag", snippet("hours.md", "[23,0]", "The desk"), CodePlace, "stands at 0, 24, 49"},
		{"legalbench-rag", snippet("hours.md", "[-1,7]", "The desk"), CodePlace, ""},
		{"legalbench-rag", snippet("hours.md", "[0,9223372036854775807]", "The desk"), CodePlace, ""},
		{"legalbench-rag", snippet("hours.md", "[0,1e2]", "The desk"), CodeForm, "whole number"},
		{"legalbench-rag", snippet("hours.md", "[0,23]", "The desk opens at ten."), CodeText, "from character 18 on"},
		{"legalbench-rag", snippet("a/b/HOURS.txt", "[0,23]", "The desk opens at nine."), CodeDoc, `"hours.md" exists`},
		{"legalbench-rag", snippet("/srv/docs/hours.md", "[0,23]", "The desk opens at nine."), CodeDoc, "paste    --doc-prefix /srv/docs/"},
		{"legalbench-rag", snippet("hours", "[0,23]", "The desk opens at nine."), CodeDoc, "paste    --doc-suffix .md"},
		{"legalbench-rag", snippet("hours.pdf", "[0,23]", "The desk opens at nine."), CodeDoc, "paste    --map hours.pdf=hours.md"},
		{"legalbench-rag", snippet("my docs/hours.md", "[0,23]", "The desk opens at nine."), CodeDoc, "lead from one name to the other"},
		{"w3c", selectors(quoted("desk", `,"prefix":"The ","suffix":" closes"`)), "", ""},
		{"w3c", selectors("[" + position("28", "32") + "," + quoted("desk", `,"prefix":"The ","suffix":" closes"`) + "]"), "", ""},
		{"w3c", selectors("[" + position("28", "32") + "," + quoted("desk", `,"prefix":"The ","suffix":" opens"`) + "]"), CodeDisagree, "suffix"},
		{"w3c", selectors("[" + quoted("desk", "") + "," + quoted("opens", "") + "]"), CodeDisagree, "two quotes"},
		{"w3c", selectors("[" + position("4", "8") + "," + position("28", "32") + "," + quoted("desk", "") + "]"), CodeDisagree, "two positions"},
		{"w3c", selectors("[" + position("4", "8") + "," + position("4", "9") + "," + quoted("desk", "") + "]"), CodeDisagree, "two positions"},
		// The first selects all three desks, the second one of them.
		{"w3c", selectors("[" + quoted("desk", "") + "," + position("24", "48") + "]"), CodeText, ""},
		{"w3c", selectors("[" + position("0", "88") + "]"), CodeUnproved, ""},
		{"w3c", `{"body":{"value":"Q?"},"target":{"source":"hours.md","selector":[` + quoted("desk", "") + `,{"type":"TextPositionSelector","start":24,"end":48,"refinedBy":` + position("4", "8") + `}]}}`, "", ""},
		{"w3c", `{"body":{"value":"Q?"},"target":{"source":"hours.md","selector":[{"type":"TextPositionSelector","start":24,"end":48,"refinedBy":` + position("4", "8") + `},` + quoted("desk", "") + `]}}`, "", ""},
		{"w3c", `{"body":{"value":"Q?"},"target":{"source":"hours.md","selector":[{"type":"TextPositionSelector","start":24,"end":48,"refinedBy":` + position("4", "9") + `},` + quoted("desk", "") + `]}}`, CodeDisagree, "0 places"},
	} {
		got := imported(t, c.kind, c.content)
		codes, all := said(got.Found)
		if codes != c.codes || !strings.Contains(all, c.says) {
			t.Errorf("%s\nwant %q %q, got %s", c.content, c.codes, c.says, all)
		}
		if want := 1; c.codes == "" && (got.Questions.Imported != want || got.Labels.Proved != want) {
			t.Errorf("%s: %+v %+v", c.content, got.Questions, got.Labels)
		}
	}
}

// TestOrderOfChunks: a repeated text must stand behind the chunk before it; a text
// that stands once has one place, in whatever order.
func TestOrderOfChunks(t *testing.T) {
	line := func(id, text, start string) string {
		return `{"id":"` + id + `","page_content":"` + text + `","metadata":{"source":"hours.md","start_index":` + start + "}}\n"
	}
	got := imported(t, "langchain", line("a", "The desk closes", "24")+line("b", "The desk", "0")+line("c", "nine on", "67")+line("c", "Sundays", "75")+line("d", "The desk", "49"))
	codes, _ := said(got.Found)
	if codes != CodeOrder+" "+CodeTwice+" "+CodeOrder || got.Chunks != (Claims{Read: 5, Proved: 2, Refused: 3}) {
		t.Error(codes, got.Chunks)
	}
	got = imported(t, "langchain", line("a", "nine on Sundays", "67")+line("b", "closes at", "33"))
	if got.Found != nil || got.Chunks.Proved != 2 {
		t.Error(got.Found)
	}
}

// TestDocumentsInside: the text in the file counts, not the corpus's under its name.
func TestDocumentsInside(t *testing.T) {
	docs := `{"docstore/data":{"hours.md":{"__data__":{"class_name":"Document","text":"Other. The desk"},"__type__":"4"},
	"n":{"__data__":{"text":"The desk","start_char_idx":7,"end_char_idx":15,"relationships":{"1":{"node_id":"hours.md"}}},"__type__":"1"},
	"m":{"__data__":{"text":"The desk","start_char_idx":7,"end_char_idx":null,"relationships":{"1":{"node_id":"hours.md"}}},"__type__":"1"}}}`
	if got := imported(t, "llamaindex", docs); got.Found != nil || got.Chunks != (Claims{Read: 2, Proved: 1, Drafts: 1}) {
		t.Error(got.Found, got.Chunks)
	}
	// One id for two texts, over two files.
	two := []File{{"f", []byte(docs)}, {"g", []byte(strings.ReplaceAll(docs, "Other.", "Third."))}}
	got := kind(t, "llamaindex").Import(two, Names{}, &corpus.Corpus{})
	if codes, all := said(got.Found); codes != "K406 K406 K406" || got.Documents != 1 {
		t.Error(all)
	}
}

// TestAlternatives: one refused passage takes its own alternative along, no other.
func TestAlternatives(t *testing.T) {
	task := func(annotations string) string {
		return `[{"id":1,"data":{"text":"One. Two. One.","question":"Q?"},"annotations":[` + annotations + `]}]`
	}
	region := func(start, end, text string) string {
		return `{"value":{"start":` + start + `,"end":` + end + `,"text":"` + text + `"},"to_name":"text"}`
	}
	one, two, bad := region("0", "4", "One."), region("5", "9", "Two."), region("5", "8", "Six")
	got := imported(t, "label-studio", task(`{"result":[`+one+`,`+bad+`]},{"was_cancelled":false,"result":[`+two+`]},{"result":[`+two+`]}`))
	if got.Labels != (Claims{Read: 4, Proved: 3, Refused: 1}) || got.Questions.Imported != 1 || !strings.Contains(string(got.Golden), `"support":[["evidence"]]`) ||
		strings.Contains(string(got.Golden), `"quote":"One."`) {
		t.Errorf("%+v %s", got.Labels, got.Golden)
	}
	same := imported(t, "label-studio", task(`{"result":[`+one+`,`+two+`]},{"result":[`+two+`,`+one+`]}`))
	if strings.Contains(string(same.Golden), "disputed") || !strings.Contains(string(same.Golden), `"support":[["evidence-1","evidence-2"]]`) {
		t.Errorf("%s", same.Golden)
	}
}

// TestW3CAlternatives: ID#2 is an alternative of ID where both ask the same.
func TestW3CAlternatives(t *testing.T) {
	a := func(id, question, exact string) string {
		return `{"id":"` + id + `","body":{"value":"` + question + `"},"target":{"source":"hours.md","selector":{"type":"TextQuoteSelector","exact":"` + exact + "\"}}}\n"
	}
	got := imported(t, "w3c", a("q", "Q?", "closes")+a("q#2", "Q?", "Sundays")+a("q#3", "Other?", "five")+a("q#1", "Q?", "five")+a("u#2", "Q?", "five"))
	if got.Questions != (Questions{Read: 4, Imported: 4}) || strings.Count(string(got.Golden), `"support":[["evidence-1"],["evidence-2"]]`) != 1 {
		t.Errorf("%+v %v\n%s", got.Questions, got.Found, got.Golden)
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ kind, content, codes, place string }{
		{"squad", "", "K001", "f:1:1"},
		{"squad", "[]", CodeForm, "f:1:1"},
		{"squad", "{\n \"data\": [\n  {\"title\": \"ä\", \"title\": 1}]}", "K002", "f:3:18"},
		{"squad", "{\"data\":\xff}", "K004 K001", "f:1"},
		{"hotpotqa", "7", CodeForm, "f:1:1"},
		{"hotpotqa", "\ufeff[{\"question\":1}]", CodeForm, "f:1:14"},
		{"langchain", "{\"page_content\":\"a\"}\n{\"page_content\"", CodeForm + " K001", "f:1:1"},
		{"langchain", "{\n\"page_content\":\"a\"\n}\n", CodeForm, "f:1:1"},
		{"chroma", "", CodeForm, "f:1:1"},
		{"chroma", "question,question,references\n", CodeTwice, "f:1:10"},
		{"chroma", "question,references,corpus_id\na,\"b,c\n", CodeForm, "f:3:1"},
		{"chroma", "question,references,corpus_id\na,b\"b,c\n", CodeForm, "f:2:4"},
		{"chroma", "question,references,corpus_id\na,[],c\n", CodeForm, "f:2:3"},
		{"w3c", `[{"items":1}]`, CodeForm, "f:1:11"},
	} {
		got := imported(t, c.kind, c.content)
		if codes, all := said(got.Found); codes != c.codes || got.Found[0].Place() != c.place {
			t.Errorf("%s %q: %s", c.kind, c.content, all)
		}
	}
}

// TestUnitsThatWouldMatch names every other unit, not the file's own.
func TestUnitsThatWouldMatch(t *testing.T) {
	c := corpusOf(map[string]string{"d": "😀😀 ab"})
	p := &prover{corpus: c, unit: coord.CodePoint, maps: map[string]*coord.Map{}}
	for _, x := range []struct {
		start int
		says  string
	}{{9, "in unit byte they"}, {5, "in unit utf16 they"}, {3, ""}} {
		_, f := p.proved(claim{Doc: "d", Start: x.start, End: x.start + 2, Offset: true, Quote: "ab"})
		if (f == nil) != (x.says == "") || f != nil && !strings.Contains(f.Hint, x.says) {
			t.Error(x, f)
		}
	}
}

func TestQIDsOfASheet(t *testing.T) {
	set, _ := golden.Read("g", []byte(`{"kerf":"golden/1","unit":"codepoint"}`+"\n"+`{"qid":"x9","question":"A?","answerable":false}`+"\n"), testCorpus(t))
	sheet := ReadSheet(File{"f", []byte("question,doc,quote,qid\nB?,hours.md,desk,\nC?,hours.md,desk,x11\nD?,hours.md,desk,\n")}, set)
	if s := string(sheet.Lines); !strings.HasPrefix(s, "\n"+`{"qid":"x10"`) || !strings.Contains(s, `"x11"`) || !strings.Contains(s, `"x12"`) {
		t.Error(s)
	}
}
