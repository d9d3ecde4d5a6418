package golden

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"kerf/internal/text/span"
)

const retention = `{
  "fixture_id": "temporary-retention-v1",
  "source_version": "sha256:ad0875163c10c4b7fd2d6efed6efae515cef0f8ea236b45216cb8ef12c8a5563",
  "source_text": "Requests may be retained for 30 days. This limit is 7 days for requests marked temporary.",
  "coordinate_system": "utf8-byte-half-open",
  "spans": {
    "rule": [0, 37],
    "qualifier": [38, 89]
  },
  "question": "What retention limit applies to requests marked temporary?",
  "sufficient_support_sets": [["rule", "qualifier"]],
  "expected_answer": "At most 7 days.",
  "if_qualifier_missing": "Abstain on the temporary-request limit."
}
`

func TestFixture(t *testing.T) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(retention)); err != nil {
		t.Fatal(err)
	}
	second := strings.NewReplacer("temporary-retention-v1", "second", "Abstain on", "At most 30 days, whatever").Replace(compact.String())
	for _, content := range []string{retention, compact.String(), compact.String() + "\n" + second + "\n", strings.Replace(retention, "{\n", "{ ", 1)} {
		set, found := Read("fixture.json", []byte(content), nil)
		if len(found) > 0 || len(set.Questions) != len(set.Documents) {
			t.Fatal(found)
		}
		q := set.Questions[0]
		c := set.With(nil)
		if q.QID != "temporary-retention-v1" || q.Answer.Text != "At most 7 days." || q.Answer.IfIncomplete != Abstain || set.Unit != "byte" ||
			len(q.Support) != 1 || q.Support[0][0] != q.Span("rule") || q.Support[0][1] != q.Span("qualifier") ||
			q.Span("rule").Bytes != (span.Span{Start: 0, End: 37}) || q.Span("qualifier").Quote != "This limit is 7 days for requests marked temporary." ||
			c.Find(q.QID).Bytes != 89 || c.Find(q.QID).Version.Version != q.Spans[0].Version {
			t.Errorf("%+v", q)
		}
		if len(set.Questions) == 2 && set.Questions[1].Answer.IfIncomplete != "At most 30 days, whatever the temporary-request limit." {
			t.Error(set.Questions[1].Answer)
		}
		if got := set.Encode(); string(got) != content {
			t.Errorf("%q", got)
		}
		if found := Check(set, nil, true); len(found) > 0 && len(set.Questions) == 1 {
			t.Error(found)
		}
	}
}

// TestFixtureProblems: the code, and line:column within the object.
func TestFixtureProblems(t *testing.T) {
	for _, c := range []struct{ old, new, code, place string }{
		{"7 days for", "8 days for", CodeDigest, "f:3:21"},
		{`"expected_answer"`, `"expectd_answer"`, CodeField, "f:12:3"},
		{"utf8-byte-half-open", "utf8-half-open", CodeValue, "f:5:24"},
		{"[38, 89]", "[38, 99]", CodeRange, "f:8:18"},
		{"[38, 89]", "[89, 38]", CodeReversed, "f:8:18"},
		{"[38, 89]", "[38]", CodeType, "f:8:18"},
		{"[38, 89]", "[38.5, 89]", CodeType, "f:8:18"},
		{`[["rule", "qualifier"]]`, `[["rule", "qualifer"]]`, CodeSupportName, "f:11:40"},
		{`[["rule", "qualifier"]]`, `[]`, CodeNoEvidence, "f:1:1"},
		{`"rule": [0, 37]`, `"rule": [0, 37], "rule": [0, 37]`, "K002", "f:7:22"},
		{`"question": "What retention limit applies to requests marked temporary?",`, ``, CodeMissing, "f:1:1"},
	} {
		set, found := Read("f", []byte(strings.Replace(retention, c.old, c.new, 1)), nil)
		i := -1
		for j, f := range found {
			if f.Code == c.code {
				i = j
			}
		}
		if i < 0 || found[i].Place() != c.place || len(set.Questions) > 0 {
			t.Errorf("%s -> %s: %v", c.old, c.new, found)
		}
	}
}

// TestFixtureBesideDocuments: labels of other lines may name the fixture's text.
func TestFixtureBesideDocuments(t *testing.T) {
	c := documents("b", "Beta")
	content := header + "\n" + fixtureLine("f") + "\n" + `{"qid":"q","question":"Q?","spans":{"a":{"doc":"f","start":0,"end":1,"quote":"T"},"b":{"doc":"b","start":0,"end":4,"quote":"Beta"}},"support":[["a","b"]]}`
	set, found := Read("g", []byte(content), c)
	if found.Errors() > 0 || len(set.Questions) != 2 || len(set.With(c).Documents) != 2 || len(c.Documents) != 1 {
		t.Error(found)
	}
	same := documents("f", "T")
	if _, found := Read("g", []byte(fixtureLine("f")), same); len(found) > 0 {
		t.Error(found)
	}
}
