package sweep

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"

	"kerf/internal/golden"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
)

// RunManifest is run/1: what a run was planned from, sealed before anything is
// retrieved, and the digest of what came of it.
type RunManifest struct {
	Kerf       string          `json:"kerf"`
	Run        string          `json:"run"`
	Version    string          `json:"version"` // kerf's
	Corpus     string          `json:"corpus"`  // digest
	Golden     string          `json:"golden"`  // digest
	Segments   []string        `json:"segments"`
	Inputs     []string        `json:"inputs"`
	Experiment plan.Experiment `json:"experiment"`
	Cells      []ManifestCell  `json:"cells"`  // all that were planned, in order
	Ledger     string          `json:"ledger"` // digest; "" in the manifest that is written before the cells run
}

// ManifestCell is a planned cell.
type ManifestCell struct {
	Cell     string `json:"cell"`
	Arm      string `json:"arm"`
	Label    string `json:"label"`
	FirstCut int    `json:"first_cut"`
	Key      string `json:"key"`
	Index    string `json:"index"` // digest of the index manifest; "" without a result
}

// Manifest describes the run with these results; cells without one have no index.
func (s *Study) Manifest(id string, o Origin, results []Result, digest string) []byte {
	m := RunManifest{Kerf: "run/1", Run: id, Version: o.Kerf, Corpus: o.Corpus, Golden: o.Golden,
		Inputs: s.Inputs(), Experiment: s.Experiment, Ledger: digest}
	var questions []*golden.Question
	for _, q := range s.Questions {
		questions = append(questions, q.Question)
	}
	m.Segments = segments(questions)
	for _, r := range results {
		m.Cells = append(m.Cells, ManifestCell{r.Name, r.Arm.Name, r.Label.String(), r.Label.FirstCut, string(r.Key), r.Entry.Files[indexFile].Digest})
	}
	return encode(m)
}

// indexed is what a report reads of an index manifest: not its documents, which
// may be many.
type indexed struct {
	Chunks  int `json:"chunks"`
	Checked int `json:"contexts_checked"`
}

// indexed reads the cell's index manifest.
func (r Result) indexed() (m indexed, err error) {
	b, err := ledger.ReadFile(r.Entry.Files[indexFile].Path)
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		return m, fmt.Errorf("cell %s: index manifest: %w", r.Name, err)
	}
	return m, nil
}

// reason is why a cell has no result, in a word or two.
func reason(err error) string {
	if errors.Is(err, ErrNotBegun) {
		return "deadline"
	}
	return "failed"
}
