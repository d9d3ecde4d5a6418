package ledger

import (
	"strings"
	"testing"
)

// cell is two contexts over one document, made of strings by hand.
func cell() (Cell, map[string]string, Sources) {
	text := "Requests may be kept for 30 days. The limit is 7 days for temporary ones. Über."
	slice := func(i, j int) string { return text[i:j] }
	units := []UnitRow{{"", Object([]byte(slice(0, 33))), slice(0, 33)}, {"", Object([]byte(slice(34, 73))), slice(34, 73)}}
	literal := map[string]string{
		"q1": "[1] a.md\n" + slice(0, 33) + "\n\n[2] a.md\n" + slice(34, 73) + "\n\n",
		"q2": "[1] a.md\n" + slice(34, 73) + "\n\n",
		"q3": "",
	}
	c := Cell{
		Contexts: []ContextRow{
			{"", "q1", 1, units[0].Digest, "a.md", "v", 0, 33, "source", "[1] a.md\n", "\n\n"},
			{"", "q1", 2, units[1].Digest, "a.md", "v", 34, 73, "source", "[2] a.md\n", "\n\n"},
			{"", "q2", 1, units[1].Digest, "a.md", "v", 34, 73, "source", "[1] a.md\n", "\n\n"},
		},
		Units: units,
	}
	for i, qid := range []string{"q1", "q2", "q3"} {
		c.Budgets = append(c.Budgets, BudgetRow{QID: qid, Units: []int{2, 1, 0}[i], ContextSHA256: Object([]byte(literal[qid])), ContextBytes: len(literal[qid])})
	}
	return c, literal, func(doc, version string) (string, bool) { return text, doc == "a.md" && version == "v" }
}

func TestContextsAgreeWithSources(t *testing.T) {
	c, literal, sources := cell()
	if err := VerifyCell(c, sources); err != nil {
		t.Fatal(err)
	}
	if err := CheckContext([]byte(literal["q1"]), c.Contexts[:2], Texts(c.Units), sources); err != nil {
		t.Error(err)
	}
	got, err := Reconstruct(nil, c.Contexts[:2], Texts(c.Units), sources)
	if err != nil || string(got) != literal["q1"] {
		t.Errorf("%q, %v", got, err)
	}
	for _, l := range []string{"", literal["q1"] + "x", "x" + literal["q1"], literal["q1"][:len(literal["q1"])-1], literal["q2"]} {
		if err := CheckContext([]byte(l), c.Contexts[:2], Texts(c.Units), sources); err == nil {
			t.Errorf("%q is taken", l)
		}
	}
}

// TestEveryLieIsFound changes one thing at a time.
func TestEveryLieIsFound(t *testing.T) {
	for want, lie := range map[string]func(*Cell){
		"has the digest":         func(c *Cell) { c.Units[0].Bytes += "x" },
		"stands twice":           func(c *Cell) { c.Units = append(c.Units, c.Units[0]) },
		"is in no context":       func(c *Cell) { c.Units = append(c.Units, UnitRow{"", Object(nil), ""}) },
		"no unit":                func(c *Cell) { c.Units = c.Units[:1] },
		"is not the text":        func(c *Cell) { c.Contexts[0].Start, c.Contexts[0].End = 1, 34 },
		"of 80 bytes":            func(c *Cell) { c.Contexts[0].End = 1000 },
		"no text of b.md":        func(c *Cell) { c.Contexts[0].Doc = "b.md" },
		"at version w":           func(c *Cell) { c.Contexts[0].Version = "w" },
		"stands at place 2":      func(c *Cell) { c.Contexts[1].N = 3 },
		`kind "generated"`:       func(c *Cell) { c.Contexts[1].Kind = "generated" },
		"q1: the context has":    func(c *Cell) { c.Contexts[0].Before = "[7] a.md\n" },
		"bytes where the budget": func(c *Cell) { c.Contexts[0].After = "\n" },
		"units where the budget": func(c *Cell) { c.Contexts = c.Contexts[:2] },
		"rows are apart":         func(c *Cell) { c.Contexts[0], c.Contexts[2] = c.Contexts[2], c.Contexts[0]; c.Contexts[2].QID = "q2" },
		"without a budget row":   func(c *Cell) { c.Budgets = c.Budgets[:1] },
		"two budget rows":        func(c *Cell) { c.Budgets = append(c.Budgets, c.Budgets[2]) },
	} {
		c, _, sources := cell()
		lie(&c)
		if err := VerifyCell(c, sources); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestDigest(t *testing.T) {
	got := Digest(map[string]string{"b/x.parquet": "sha256:2", "a/x.parquet": "sha256:1"})
	if want := Object([]byte("sha256:1 a/x.parquet\nsha256:2 b/x.parquet\n")); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCellName(t *testing.T) {
	for _, c := range [][3]string{
		{"tokens-256-0", "3/8", "tokens-256-0.3of8"}, {"prod", "control", "prod.control"}, {"a", "all-0001", "a.all-0001"},
		{"../x y", "1/2", "%2E.%2Fx%20y.1of2"}, {"ü", "1/2", "%C3%BC.1of2"},
	} {
		if got := CellName(c[0], c[1]); got != c[2] {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}
