package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/study/cas"
	"kerf/internal/study/compare"
	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
)

// Kept is a finished run as its folder tells it.
type Kept struct {
	Manifest RunManifest
	// Facts are those of the run, but for what its folder does not hold: author,
	// method, review and adjudication of the questions, lines left out, Reproduce.
	Facts compare.Facts
	Gone  []string // documents whose text is not there any more, sorted by id
}

// ReadManifest reads the manifest of a run's folder.
func ReadManifest(folder string) (RunManifest, error) {
	var m RunManifest
	content, err := os.ReadFile(filepath.Join(folder, manifestFile))
	if err == nil {
		err = json.Unmarshal(content, &m)
	}
	if err == nil && m.Kerf != "run/1" {
		err = fmt.Errorf("it is no run/1 but %q", m.Kerf)
	}
	if err != nil {
		return m, fmt.Errorf("run %s: manifest: %w", filepath.Base(folder), err)
	}
	return m, nil
}

// OpenFolder reads a finished run from its folder; nothing is run. Texts gives
// the text of a version where it is still there. Where it is not, a text of equal
// length stands in for it, so that every figure of that document's own cuts is
// wrong and no other is.
func OpenFolder(folder string, texts func(doc, version string) (string, bool)) (*Kept, error) {
	m, err := ReadManifest(folder)
	if err != nil {
		return nil, err
	}
	k := &Kept{Manifest: m}
	sources, err := runTable(folder, ledger.Source)
	if err != nil {
		return nil, err
	}
	var docs []*corpus.Document
	for _, r := range sources {
		text, ok := texts(r.Doc, r.Version)
		if !ok || len(text) != r.Bytes {
			text = strings.Repeat("x", r.Bytes)
			k.Gone = append(k.Gone, r.Doc)
		}
		pages, err := corpus.ParsePages(r.Pages)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", ledger.Source.Name(), err)
		}
		docs = append(docs, &corpus.Document{Version: corpus.Version{Doc: r.Doc, Version: r.Version, Path: r.Path, Bytes: r.Bytes, Observed: r.Observed, Pages: pages}, Text: text})
	}
	questions, err := keptQuestions(folder, docs)
	if err != nil {
		return nil, err
	}
	s, err := New(m.Experiment, docs, questions, nil)
	if err != nil {
		return nil, err
	}
	results, err := s.keptResults(folder, m)
	if err != nil {
		return nil, err
	}
	k.Facts, err = s.Facts(m.Run, Origin{Kerf: m.Version, Corpus: m.Corpus, Golden: m.Golden}, results, nil, compare.Reproduce{})
	return k, err
}

// runTable reads a table of the run as a whole.
func runTable[R any](folder string, t *ledger.Table[R]) ([]R, error) {
	b, err := ledger.ReadFile(filepath.Join(folder, "ledger", t.Name(), ledger.RunCell+".parquet"))
	if err != nil {
		return nil, err
	}
	rows, _, err := t.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Name(), err)
	}
	return rows, nil
}

// keptQuestions are the run's questions with their evidence.
func keptQuestions(folder string, docs []*corpus.Document) ([]*golden.Question, error) {
	rows, err := runTable(folder, ledger.Query)
	if err != nil {
		return nil, err
	}
	supports, err := runTable(folder, ledger.Support)
	if err != nil {
		return nil, err
	}
	var out []*golden.Question
	of := map[string]*golden.Question{}
	for _, r := range rows {
		q := &golden.Question{QID: r.QID, Text: r.Question, Unanswerable: !r.Answerable, Dependency: r.Dependency, Segment: r.Segment,
			Sample: r.Sample, Split: r.Split, Reader: r.Reader, Cluster: r.Cluster, Origin: r.Origin}
		if len(r.Within) > 0 {
			q.Within = r.Within
		}
		of[q.QID] = q
		out = append(out, q)
	}
	for _, r := range supports {
		q := of[r.QID]
		d := slices.IndexFunc(docs, func(d *corpus.Document) bool { return d.Doc == r.Doc })
		if q == nil || r.Set < 1 || r.Set > len(q.Support)+1 || d < 0 || r.Start < 0 || r.End < r.Start || r.End > len(docs[d].Text) {
			return nil, fmt.Errorf("table support: span %s of question %s fits nothing", r.Span, r.QID)
		}
		if r.Set > len(q.Support) {
			q.Support = append(q.Support, nil)
		}
		s := &golden.Span{Name: r.Span, Doc: r.Doc, Version: r.Version, Role: r.Role, NeededBy: r.NeededBy,
			Bytes: span.Span{Start: r.Start, End: r.End}, Quote: docs[d].Text[r.Start:r.End]}
		q.Support[r.Set-1] = append(q.Support[r.Set-1], s)
	}
	return out, nil
}

// keptResults are the planned cells with their files in the folder.
func (s *Study) keptResults(folder string, m RunManifest) ([]Result, error) {
	cells, err := s.Cells(false)
	if err != nil {
		return nil, err
	}
	if len(cells) != len(m.Cells) {
		return nil, fmt.Errorf("run %s: its manifest plans %d cells, its experiment %d", m.Run, len(m.Cells), len(cells))
	}
	failures, err := runTable(folder, ledger.Failure)
	if err != nil {
		return nil, err
	}
	why := map[[2]string]error{}
	for _, f := range failures {
		why[[2]string{f.Arm, f.Label}] = errors.New(f.Detail)
		if f.Reason == reason(ErrNotBegun) {
			why[[2]string{f.Arm, f.Label}] = ErrNotBegun
		}
	}
	results := make([]Result, len(cells))
	for i, c := range cells {
		if c.Name != m.Cells[i].Cell {
			return nil, fmt.Errorf("run %s: cell %d is %s in its manifest, %s in its experiment", m.Run, i, m.Cells[i].Cell, c.Name)
		}
		r := Result{Cell: c, Err: why[[2]string{c.Arm.Name, c.Label.String()}], Entry: cas.Entry{Files: map[string]cas.Object{}}}
		r.Entry.Files[indexFile] = cas.Object{Path: filepath.Join(folder, "index", c.Name+".json"), Digest: m.Cells[i].Index}
		for _, t := range ledger.Tables() {
			path := filepath.Join(folder, "ledger", t.Name(), c.Name+".parquet")
			if _, err := os.Stat(path); err == nil {
				r.Entry.Files[t.Name()] = cas.Object{Path: path}
			}
		}
		results[i] = r
	}
	return results, nil
}
