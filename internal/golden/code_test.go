package golden

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/finding"
)

// base is the set of testdata/base, which has no finding, and its documents.
func base(t testing.TB) (string, *corpus.Corpus) {
	t.Helper()
	content, err := os.ReadFile("testdata/base/golden.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	c, found := corpus.Read(os.DirFS("testdata/base"), "corpus.jsonl")
	if len(found) > 0 {
		t.Fatal(found)
	}
	return string(content), c
}

func problems(content string, c *corpus.Corpus, strict bool) (*Set, finding.List) {
	set, found := Read("golden.jsonl", []byte(content), c)
	return set, append(found, Check(set, c, strict)...)
}

func TestBaseIsClean(t *testing.T) {
	content, c := base(t)
	for _, strict := range []bool{false, true} {
		if _, found := problems(content, c, strict); len(found) > 0 {
			t.Error(found)
		}
	}
}

const (
	header       = `{"kerf":"golden/1","unit":"codepoint"}`
	smallFixture = `{"fixture_id":"F","source_version":"V","source_text":"T","coordinate_system":"utf8-byte-half-open","spans":{"r":[0,1]},"question":"Q?","sufficient_support_sets":[["r"]],"expected_answer":"A"}`
)

// fixtureLine is a fixture object about the text "T".
func fixtureLine(id string) string {
	return strings.NewReplacer(`"F"`, quoted(id), `"V"`, quoted(corpus.VersionOf("T"))).Replace(smallFixture)
}

// mutation turns the base set into one that has exactly one kind of problem.
type mutation struct {
	code     string
	old, new string // "" replaces the whole file
	says     string // a part of the text form
	strict   bool
}

// relevant is the beginning of q-09's line behind a line of chunk ids.
func relevant(ids string) string {
	return `{"qid":"q001","question":"Q?","relevant_chunk_ids":` + ids + `,"origin":"log","adjudication":{"state":"agreed"}}` + "\n" + `{"qid":"q-09"`
}

func mutations() []mutation {
	return []mutation{
		{code: CodeHeader, old: header + "\n", new: "", says: `every quote matches under unit codepoint`},
		{code: CodeHeader, old: `golden/1`, new: `golden/2`, says: `found    "golden/2"`},
		{code: CodeHeader, old: "\n{\"qid\":\"q-02\"", new: "\n" + header + "\n{\"qid\":\"q-02\"", says: "golden.jsonl:3:1"},
		{code: CodeHeader, old: "", new: "", says: "the header line is missing"},
		{code: CodeUnit, old: `,"unit":"codepoint"`, new: ``, says: `"unit":"codepoint"`},
		{code: CodeUnit, old: `"unit":"codepoint"`, new: `"unit":"characters"`, says: "every quote matches under unit codepoint"},
		{code: CodeField, old: `"must_mention"`, new: `"must_mentoin"`, says: "did you mean must_mention?"},
		{code: CodeField, old: `"start":55`, new: `"start":55,"Start":3`, says: "did you mean start?"},
		{code: CodeField, old: `"state":"agreed"`, new: `"state":"agreed","note":"x"`, says: "free notes go under tags"},
		{code: CodeType, old: `"start":55`, new: `"start":true`, says: "true or false: true"},
		{code: CodeType, old: `"start":55`, new: `"start":55.0`, says: "no whole number"},
		{code: CodeType, old: `"segment":"rule_exception"`, new: `"segment":null`, says: "null"},
		{code: CodeType, old: `"support":[["a"],["b"]]`, new: `"support":[["a"],["b"],"a"]`, says: `text: "a"`},
		{code: CodeMissing, old: `"question":"Can I sell days of leave?",`, new: ``, says: `the field "question" is missing`},
		{code: CodeMissing, old: `"end":97,`, new: ``, says: "only one of start and end"},
		{code: CodeMissing, old: `"decision":"keep exception",`, new: ``, says: `the field "decision" is missing`},
		{code: CodeEmpty, old: `"Can I sell days of leave?"`, new: `" \t"`, says: "an empty text"},
		{code: CodeEmpty, old: `"within":["leave.md"]`, new: `"within":[]`, says: "an empty list"},
		{code: CodeEmpty, old: `"quote":"六小时"`, new: `"quote":""`, says: `paste    "quote":"六小时"`},
		{code: CodeValue, old: `"sample":"enriched"`, new: `"sample":"enrich"`, says: "expected representative, enriched"},
		{code: CodeValue, old: `"origin":"synthetic"`, new: `"origin":"synthtic"`, says: `paste    "synthetic"`},
		{code: CodeValue, old: `"dependency":["exception"]`, new: `"dependency":["exceptions"]`, says: `paste    "exception"`},
		{code: CodeValue, old: `"unit":"codepoint"`, new: `"unit":"codepoint","chunks":"sha256:00"`, says: "64 hex digits"},
		{code: CodePositional, old: `{"qid":"q-09"`, new: relevant(`["12"]`), says: `found    "12"`},
		{code: CodePositional, old: `{"qid":"q-09"`, new: relevant(`[12]`), says: "found    12"},
		{code: CodePositional, old: `{"qid":"q-09"`, new: relevant(`["x[3]"]`), says: "x[3]"},
		{code: CodeTwice, old: `{"qid":"q-09"`, new: relevant(`["a#1","b","a#1"]`), says: "a#1"},
		{code: CodeEmpty, old: `{"qid":"q-09"`, new: relevant(`[]`), says: "no relevant chunk"},
		{code: CodeType, old: `{"qid":"q-09"`, new: relevant(`"a#1"`), says: "list"},
		{code: CodeBoth, old: `{"qid":"q-09"`, new: relevant(`["a#1"],"spans":{}`), says: "by chunk ids and by spans"},
		{code: CodeEvidence, old: `{"qid":"q-09"`, new: relevant(`["a#1"],"answerable":false`), says: "relevant chunks"},
		{code: CodeField, old: `{"qid":"q-09"`, new: relevant(`["a#1"],"answer":{}`), says: "answer_must_mention"},
		{code: CodeField, old: `"answer":{`, new: `"answer_must_mention":[],"answer":{`, says: `unknown field "answer_must_mention"`},
		{code: CodeByID, old: `{"qid":"q-09"`, new: relevant(`["a#1"],"answer_must_mention":["x"]`), says: "by id only"},
		{code: CodeNoQuestion, old: "", new: header + "\n", says: "no question"},
		{code: CodeQIDTwice, old: `"qid":"q-09"`, new: `"qid":"q-03"`, says: `the qid "q-03" is used on lines 4 and 10`},
		{code: CodeQIDBlank, old: `"qid":"q-09"`, new: `"qid":"q-09 "`, says: "ends with a blank"},
		{code: CodeQIDBlank, old: `"qid":"q-09"`, new: `"qid":"\u00a0q-09"`, says: `paste    "qid":"q-09"`},
		{code: CodeSupportName, old: `"support":[["a"],["b"]]`, new: `"support":[["a"],["b"],["c"]]`, says: "names a span that is not there"},
		{code: CodeSetEmpty, old: `"support":[["a"],["b"]]`, new: `"support":[["a"],["b"],[]]`, says: "support set 3 is empty"},
		{code: CodeSetName, old: `"support":[["a"],["b"]]`, new: `"support":[["a","a"],["b"]]`, says: "names a span twice"},
		{code: CodeSetTwice, old: `"support":[["rule","who"]]`, new: `"support":[["rule","who"],["who","rule"]]`, says: "support sets 1 and 2"},
		{code: CodeNeededBy, old: `"role":"definition","needed_by":"rule"`, new: `"role":"definition","needed_by":"rul"`, says: "did you mean rule?"},
		{code: CodeCycle, old: `"quote":"主管指部门负责人。"`, new: `"quote":"主管指部门负责人。","needed_by":"who"`, says: "who -> who"},
		{code: CodeEvidence, old: `"answerable":false`, new: `"answerable":false,"support":[["x"]]`, says: "an unanswerable question has evidence"},
		{code: CodeNoEvidence, old: `"answerable":false,`, new: ``, says: "an answerable question without spans"},
		{code: CodeNoEvidence, old: `"support":[["a"],["b"]],`, new: ``, says: `"support":[["a","b"]]`},
		{code: CodeTwice, old: `"reader":["public"]`, new: `"reader":["public","public"]`, says: "stands twice"},
		{code: CodeReason, old: `"reasons":{"exception"`, new: `"reasons":{"exeption"`, says: "did you mean exception?"},
		{code: CodeDigest, old: "", new: strings.Replace(fixtureLine("f"), `"T"`, `"U"`, 1), says: "either the text was changed or the digest"},
		{code: CodeFixtureDoc, old: "", new: fixtureLine("leave.md"), says: "another text under the fixture's name"},
		{code: CodeOutside, old: `"within":["leave.md","fees.txt"]`, new: `"within":["fees.txt"]`, says: `"within":["fees.txt","leave.md"]`},

		{code: CodeDoc, old: `"doc":"规则.md"`, new: `"doc":"规则.txt"`, says: "规则.md exists"},
		{code: CodeDoc, old: `"doc":"fees.txt"`, new: `"doc":"Fees.txt"`, says: `paste    "fees.txt"`},
		{code: CodeWithin, old: `"within":["leave.md"]`, new: `"within":["leave"]`, says: "leave.md exists"},
		{code: CodeVersionForm, old: `"version":"sha256:721a2d19f309d"`, new: `"version":"v1"`, says: "a version that is no digest"},
		{code: CodeVersionForm, old: `"version":"sha256:721a2d19f309d"`, new: `"version":"721a2d1"`, says: "at least the first 8"},
		{code: CodeVersion, old: `"version":"sha256:721a2d19f309d"`, new: `"version":"sha256:00000000"`, says: `paste    "version":"sha256:721a`},
		{code: CodeVersionShort, old: `"version":"sha256:721a2d19f309d"`, new: `"version":"sha256:721a2d19"`, says: "fits several"},
		{code: CodeStale, old: `"version":"sha256:721a2d19f309d"`, new: `"version":"sha256:721a2d190"`, says: "no longer pinned"},
		{code: CodeSpanEmpty, old: `"start":55,"end":97`, new: `"start":55,"end":55`, says: "an empty span"},
		{code: CodeReversed, old: `"start":55,"end":97`, new: `"start":97,"end":55`, says: "end 55 before start 97"},
		{code: CodeRange, old: `"start":55,"end":97`, new: `"start":55,"end":9999`, says: `paste    "start":55,"end":97`},
		{code: CodeRange, old: `"start":55,"end":97`, new: `"start":-1,"end":97`, says: "start -1 before the beginning"},
		{code: CodeInside, old: "", new: `{"kerf":"golden/1","unit":"utf16"}` + "\n" + `{"qid":"q","question":"Q?","spans":{"a":{"doc":"leave.md","start":9,"end":10,"quote":"x"}},"support":[["a"]],"origin":"log","adjudication":{"state":"agreed"}}`, says: "no place between characters in unit utf16"},
		{code: CodeShifted, old: `"start":55,"end":97`, new: `"start":57,"end":99`, says: "shifted by 2 code points"},
		{code: CodeShifted, old: `"start":55,"end":97`, new: `"start":56,"end":98`, says: "unit utf16 would match"},
		{code: CodeLineBreaks, old: `frei.\r\n3.`, new: `frei.\n3.`, says: "line endings (CRLF in the file, LF in the quote)"},
		{code: CodeNormal, old: "\"quote\":\"Ma\u0308ngel und", new: "\"quote\":\"M\u00e4ngel und", says: "differ only by Unicode normalisation (NFC/NFD)"},
		{code: CodeFolded, old: `"quote":"Days that are not taken lapse`, new: `"quote":"Days that are  not taken lapse`, says: "differ in blanks"},
		{code: CodeFolded, old: `"quote":"Days that are not taken lapse`, new: `"quote":"DAYS that are not taken lapse`, says: "upper and lower case"},
		{code: CodeFolded, old: `“Manager”`, new: `\"Manager\"`, says: "quotation marks or dashes"},
		{code: CodeFolded, old: `“Manager” means`, new: `\"manager\"  means`, says: "in several ways"},
		{code: CodeExtracted, old: `"quote":"A manager answers within 5 working days."`, new: `"quote":"The office"`, says: "ligatures"},
		{code: CodeExtracted, old: `"quote":"A manager answers within 5 working days."`, new: `"quote":"confirms it"`, says: "soft hyphens"},
		{code: CodeExtracted, old: `"quote":"A manager answers within 5 working days."`, new: `"quote":"office confirms"`, says: "ligatures or hyphens among them"},
		{code: CodeOtherDoc, old: `"quote":"A manager answers within 5 working days."`, new: `"quote":"Für Schüler ist"`, says: "fees.txt has it at"},
		{code: CodeNowhere, old: `"quote":"A manager answers within 5 working days."`, new: `"quote":"A manager always answers."`, says: "nowhere in the corpus"},
		{code: CodeContext, old: `"prefix":"ced`, new: `"prefix":"sed`, says: "prefix or suffix is not what surrounds"},
		{code: CodeContext, old: `"start":412,"end":444,"quote":"The request goes to the manager.","prefix":"ced`, new: `"quote":"The request goes to the manager.","prefix":"sed`, says: "prefix does not occur before any of the 2 matches"},
		{code: CodeAmbiguous, old: `"start":412,"end":444,"quote":"The request goes to the manager.","prefix":"ced in proportion to the hours. ","suffix":"\nSection 4 of the fee rules appl"`, new: `"quote":"The request goes to the manager."`, says: "stands in 2 places"},
		{code: CodeDraft, old: `"start":55,"end":97,`, new: ``, says: `paste    "start":55,"end":97`},

		{code: CodeBlankEdge, old: `"start":55,"end":97,"quote":"`, new: `"start":54,"end":97,"quote":" `, says: "trimmed span [55,97)"},
		{code: CodeBlankEdge, old: `"start":55,"end":97,"quote":"Days that are not taken lapse on 31 March."`, new: `"start":55,"end":98,"quote":"Days that are not taken lapse on 31 March.\n"`, says: "ends with a blank"},
		{code: CodeBlank, old: `"start":55,"end":97,"quote":"Days that are not taken lapse on 31 March."`, new: `"start":7,"end":8,"quote":" "`, says: "is blanks alone"},
		{code: CodeWord, old: `"start":55,"end":97,"quote":"Days`, new: `"start":57,"end":97,"quote":"ys`, says: `cuts the word Days [55,59)`},
		{code: CodeElsewhere, old: `"start":412,"end":444,"quote":"The request goes to the manager.","prefix":"ced in proportion to the hours. ","suffix":"\nSection 4 of the fee rules appl"`, new: `"start":412,"end":444,"quote":"The request goes to the manager."`, says: "1 other place too"},
		{code: CodeUnused, old: `"support":[["a"],["b"]]`, new: `"support":[["a"]]`, says: `span "b" is in no support set`},
		{code: CodeNeedMissing, old: `"support":[["rule","exception"]]`, new: `"support":[["rule","exception"],["rule"]]`, says: "support set 2 holds span \"rule\" without what it needs"},
		{code: CodeDisputed, old: `"state":"resolved"`, new: `"state":"disputed"`, says: "warning[K157]"},
		{code: CodeDisputed, old: `"state":"resolved"`, new: `"state":"disputed"`, says: "error[K157]", strict: true},
		{code: CodeObjection, old: `"paraphrase":"ok"`, new: `"paraphrase":"copies the text"`, says: "warning[K158]"},
		{code: CodeObjection, old: `"paraphrase":"ok"`, new: `"paraphrase":"copies the text"`, says: "error[K158]", strict: true},
		{code: CodeSynthetic, old: `"origin":"synthetic","author":"ann","review":{"answerability":"ok","evidence":"ok","paraphrase":"ok","by":"bo"}`, new: `"origin":"synthetic"`, says: "no person has reviewed"},
		{code: CodeOrigin, old: `"origin":"ticket",`, new: ``, says: "1 of 10 questions without origin"},
		{code: CodeUnadjudicated, old: `"adjudication":{"state":"agreed","by":["ann","bo"]}`, new: `"tags":{}`, says: "1 of 10 questions unadjudicated"},
		{code: CodeUnadjudicated, old: `"adjudication":{"state":"agreed","by":["ann","bo"]}`, new: `"tags":{}`, says: "error[K161]", strict: true},
		{code: CodeNoReview, old: `"paraphrase":"ok",`, new: ``, says: "missing: paraphrase", strict: true},
		{code: CodeNoVersion, old: `"version":"sha256:721a2d19f309d",`, new: ``, says: `paste    "version":"sha256:721a`, strict: true},
		{code: CodeDraft, old: `"start":55,"end":97,`, new: ``, says: "error[K149]", strict: true},
	}
}

func TestEveryCode(t *testing.T) {
	content, c := base(t)
	tried := []string{CodeNoText, CodeCopy, CodeOtherNumbers, CodeAsked, CodeUnreadable, CodeOtherTable, CodeNoSuchChunk} // TestCorpusWithoutText, TestCopies, TestContradicted, TestExtend, TestUnreadable, TestPlace
	for _, m := range mutations() {
		tried = append(tried, m.code)
		mutated := strings.Replace(content, m.old, m.new, 1)
		if m.old == "" {
			mutated = m.new
		} else if !strings.Contains(content, m.old) {
			t.Errorf("%s: the base set does not hold %s", m.code, m.old)
			continue
		}
		_, found := problems(mutated, c, m.strict)
		if len(found) == 0 {
			t.Errorf("%s: nothing found after %s -> %s", m.code, m.old, m.new)
		}
		said := false
		for _, f := range found {
			if byID := f.Code == CodeByID && strings.Contains(m.new, "relevant_chunk_ids"); f.Code != m.code && !byID {
				t.Errorf("%s: also\n%s", m.code, f)
			}
			said = said || strings.Contains(f.String(), m.says)
		}
		if !said {
			t.Errorf("%s: nothing says %q:\n%v", m.code, m.says, found)
		}
	}
	for _, code := range codes(t) {
		if !slices.Contains(tried, code) {
			t.Errorf("%s has no mutation", code)
		}
	}
}

// codes are the codes of this package, from its source.
func codes(t *testing.T) []string {
	t.Helper()
	source, err := os.ReadFile("code.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range regexp.MustCompile(`= "(K\d{3})"`).FindAllSubmatch(source, -1) {
		all = append(all, string(m[1]))
	}
	return all
}

func TestCorpusWithoutText(t *testing.T) {
	c := documents("a", " \n")
	_, found := problems(header+"\n"+`{"qid":"q","question":"Q?","answerable":false,"origin":"log","adjudication":{"state":"agreed"}}`, c, false)
	if len(found) != 1 || found[0].Code != CodeNoText {
		t.Error(found)
	}
}

// documents is a corpus of (id, text) pairs, sorted by id.
func documents(pairs ...string) *corpus.Corpus {
	c := &corpus.Corpus{}
	for i := 0; i < len(pairs); i += 2 {
		d := &corpus.Document{Text: pairs[i+1]}
		d.Doc, d.Version.Version, d.Bytes = pairs[i], corpus.VersionOf(pairs[i+1]), len(pairs[i+1])
		c.Documents = append(c.Documents, d)
	}
	return c
}
