package cli

import (
	"fmt"
	"path"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/corpus/alike"
	"kerf/internal/finding"
	"kerf/internal/report"
)

// frozenReport is freeze/1.
type frozenReport struct {
	Kerf          string                `json:"kerf"`
	Manifest      string                `json:"manifest"`
	Root          string                `json:"root"`
	Corpus        string                `json:"corpus"`
	Documents     int                   `json:"documents"`
	Bytes         int                   `json:"bytes"`
	New           []string              `json:"new"`
	Changed       []corpus.Change       `json:"changed"`
	Moved         []corpus.Move         `json:"moved"`
	Restated      []string              `json:"restated"`
	Removed       []corpus.Removal      `json:"removed"`
	Unreadable    []corpus.Unreadable   `json:"unreadable"`
	Blank         []string              `json:"blank"`
	BOM           []string              `json:"bom"`
	Identical     [][]string            `json:"identical"`
	NearIdentical []alike.Group         `json:"near_identical"`
	OtherNumbers  []alike.Contradiction `json:"other_numbers"`
	LeftOut       []corpus.Left         `json:"left_out"`
	Links         []string              `json:"links"`
	Findings      finding.List          `json:"findings"`
}

func reportFreeze(manifest, root string, z *corpus.Frozen, c *corpus.Corpus, found finding.List) *frozenReport {
	return &frozenReport{Kerf: "freeze/1", Manifest: manifest, Root: root, Corpus: c.Digest(), Documents: len(c.Documents), Bytes: c.Bytes(),
		New: orEmpty(z.New), Changed: orEmpty(z.Changed), Moved: orEmpty(z.Moved), Restated: orEmpty(z.Restated), Removed: orEmpty(z.Removed), Unreadable: orEmpty(z.Unreadable),
		Blank: c.Blank(), BOM: c.Marked(), Identical: orEmpty(c.Identical()),
		NearIdentical: orEmpty(alike.NearIdentical(c.Documents)), OtherNumbers: orEmpty(alike.OtherNumbers(c.Documents)),
		LeftOut: orEmpty(z.Left), Links: orEmpty(z.Links), Findings: orEmpty(found)}
}

// orEmpty is s, which JSON writes as [] where it is empty.
func orEmpty[S ~[]E, E any](s S) S { return append(S{}, s...) }

// printFreeze shows the report, one line a thing.
func (a *app) printFreeze(r *frozenReport) error {
	if a.format == "json" {
		return writeJSON(a.Stdout, r)
	}
	var b strings.Builder
	row := func(format string, args ...any) {
		b.WriteString(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "⏎") + "\n")
	}
	if r.Documents == 0 {
		row("no document in %s: %s is not written", r.Root, r.Manifest)
	} else {
		row("%s pins %s of %s, %s bytes", r.Manifest, counted(r.Documents, "document"), r.Root, report.Number(r.Bytes))
	}
	if len(r.New) > 0 && len(r.New) < r.Documents {
		for _, d := range r.New {
			row("new         %s", d)
		}
	}
	for _, c := range r.Changed {
		row("changed     %s  %s -> %s%s", c.Doc, short(c.From), short(c.To), touched(c.QIDs))
	}
	for _, m := range r.Moved {
		row("moved       %s -> %s, with its access", m.From, m.Doc)
	}
	for _, d := range r.Restated {
		row("access      %s  now as %s states it", d, r.Root)
	}
	for _, d := range r.Removed {
		access := ""
		if d.Restricted {
			access = ", its access is gone from the manifest"
		}
		row("removed     %s  %s%s%s", d.Doc, short(d.Version), access, touched(d.QIDs))
	}
	for _, u := range r.Unreadable {
		place := path.Join(r.Root, u.Path)
		if u.Line > 0 {
			place += fmt.Sprintf(":%d:%d", u.Line, u.Column)
		}
		row("unreadable  %s: %s", place, u.Reason)
	}
	for _, d := range r.Blank {
		row("blank       %s", d)
	}
	for _, d := range r.BOM {
		row("BOM         %s: its byte order mark is character 0 of the text", d)
	}
	for _, g := range r.Identical {
		row("identical   %s", strings.Join(g, ", "))
	}
	for _, g := range r.NearIdentical {
		row("alike       %s", nearRow(g))
	}
	for _, n := range numberRows(r.OtherNumbers, a.verbose) {
		if !strings.HasPrefix(n, " ") {
			n = "numbers     " + n
		}
		row("%s", n)
	}
	for _, l := range r.LeftOut {
		if l.Extension == "" {
			row("left out    %s without extension; to freeze them: --include NAME", counted(l.Files, "file"))
			continue
		}
		row("left out    %s ending in %s; to freeze text of that kind: --include '*%s'", counted(l.Files, "file"), l.Extension, l.Extension)
	}
	for _, l := range r.Links {
		row("link        %s is not followed", l)
	}
	for _, f := range r.Findings {
		fmt.Fprintln(&b, f)
	}
	_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
	return err
}

func touched(qids []string) string {
	if len(qids) == 0 {
		return ""
	}
	const most = 5
	shown := strings.Join(qids[:min(most, len(qids))], ", ")
	if len(qids) > most {
		shown += ", …"
	}
	return fmt.Sprintf(", touches %s: %s", counted(len(qids), "labelled question"), shown)
}

// short is a version as people read it: the first 8 of its digits.
func short(version string) string {
	digits := strings.TrimPrefix(version, "sha256:")
	return digits[:min(8, len(digits))]
}
