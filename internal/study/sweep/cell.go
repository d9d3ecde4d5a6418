package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/corpus"
	"kerf/internal/study/cas"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/text/token"
)

// Algorithm names the computation of a cell. Version is raised with every
// change of kerf that changes a cell's bytes.
const (
	Algorithm = "kerf cell"
	Version   = 3
)

// Unicode is the version of the tables that terms are made by.
const Unicode = unicode.Version

// blockPhases is how many placements share a cell where all of them run.
const blockPhases = 64

// Cell is one unit of work and of memory: an arm at one placement, or, where
// all placements run, at a block of neighbouring ones.
type Cell struct {
	Name    string // of its files: ARM.3of8, ARM.all-0001
	Arm     plan.Arm
	Label   plan.Label // of a block: its number of the number of blocks, and its first cut
	Block   int        // placements in the block; 0: a single one
	AllHits bool       // every ranked hit is kept
	Again   bool       // a second index of the ordinary placement, by another engine: what differs is its own noise
	Targets []Target   // targeted placements; nil: an ordinary cell
}

// Cells are the cells of the experiment in order: arm by arm, cut by cut.
func (s *Study) Cells(allHits bool) ([]Cell, error) {
	var cells []Cell
	for _, a := range s.Experiment.Arms {
		if s.Experiment.Phases.Exhaustive(a) {
			stride := a.Stride()
			blocks := (stride + blockPhases - 1) / blockPhases
			for b := range blocks {
				first := 1 + b*blockPhases
				label := plan.Label{J: b + 1, P: blocks, FirstCut: first}
				cells = append(cells, Cell{Name: ledger.CellName(a.Name, fmt.Sprintf("all-%04d", b+1)), Arm: a, Label: label, Block: min(blockPhases, stride-first+1)})
			}
		} else {
			labels, err := s.Experiment.Phases.Labels(a)
			if err != nil {
				return nil, fmt.Errorf("arm %s: %w", a.Name, err)
			}
			for _, l := range labels {
				cells = append(cells, Cell{Name: ledger.CellName(a.Name, l.String()), Arm: a, Label: l, AllHits: allHits})
			}
		}
		if a.Retrieve.Foreign() {
			label := plan.Label{}
			if !a.IsControl() {
				label = cells[len(cells)-1].Label
			}
			cells = append(cells, Cell{Name: ledger.CellName(a.Name, "rebuild"), Arm: a, Label: label, AllHits: allHits, Again: true})
		}
		targeted, err := s.targetCells(a)
		if err != nil {
			return nil, fmt.Errorf("arm %s: %w", a.Name, err)
		}
		cells = append(cells, targeted...)
	}
	return cells, nil
}

// targetCells are the blocks of an arm's targeted placements.
func (s *Study) targetCells(a plan.Arm) ([]Cell, error) {
	if s.Experiment.Phases.Target == plan.NoTargets || !a.Targeted() {
		return nil, nil
	}
	targets, _, err := s.Targets(a)
	if err != nil {
		return nil, err
	}
	var cells []Cell
	blocks := slices.Collect(slices.Chunk(targets, blockPhases))
	for b, part := range blocks {
		cells = append(cells, Cell{Name: ledger.CellName(a.Name, fmt.Sprintf("target-%04d", b+1)), Arm: a,
			Label: plan.Label{J: b + 1, P: len(blocks)}, Targets: part})
	}
	return cells, nil
}

// Key names a cell's result by everything that it depends on.
func (s *Study) Key(c Cell) cas.Key {
	params := struct {
		plan.Cell
		AtK, Block int
		AllHits    bool
		Unicode    string
		Targets    []Target
		Target     string // how far targeted cells look
		Again      bool   `json:",omitzero"`
		Extract    string `json:",omitzero"` // where documents are not texts as they are
	}{s.Experiment.Cell(c.Arm, c.Label), s.Experiment.AtK, c.Block, c.AllHits, unicode.Version, c.Targets, "", c.Again, ""}
	if c.Targets != nil {
		params.Target = s.Experiment.Phases.Target
	}
	if s.Extract != corpus.Extract {
		params.Extract = s.Extract
	}
	inputs := s.Inputs()
	if f := s.foreign[c.Arm.Name]; f != nil {
		inputs = append(slices.Clone(inputs), f.digest)
	}
	return cas.Key(strings.TrimPrefix(plan.Key(Algorithm, Version, params, inputs...), "sha256:"))
}

// Inputs are the digests of what every cell reads: the documents with their
// access, the questions, the tokenizers' tables.
func (s *Study) Inputs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inputs == nil {
		s.inputs = []string{plan.Key("kerf corpus", 1, s.corpusContent()), plan.Key("kerf questions", 1, s.questionContent())}
		for _, t := range s.Tokenizers() {
			s.inputs = append(s.inputs, t.Name+" "+t.Digest)
		}
	}
	return s.inputs
}

// Tokenizers are all tokenizers of the experiment, by name, with the digests of
// their tables.
func (s *Study) Tokenizers() []Named {
	names := []string{s.Experiment.Budget.Tokenizer}
	for _, a := range s.Experiment.Arms {
		if !a.IsControl() {
			names = append(names, a.Split.Tokenizer)
		}
	}
	slices.Sort(names)
	var out []Named
	for _, name := range slices.Compact(names) {
		digest, err := token.Digest(name)
		if err != nil {
			panic("BUG: " + err.Error()) // the experiment's reader has refused it
		}
		out = append(out, Named{name, digest})
	}
	return out
}

func (s *Study) corpusContent() any {
	type document struct {
		Doc, Version string
		Access       any
	}
	out := make([]document, len(s.Documents))
	for i, d := range s.Documents {
		out[i] = document{d.Doc, d.Version.Version, d.Access}
	}
	return out
}

// questionContent is what rows depend on: not the answer, not the labels of a
// report.
func (s *Study) questionContent() any {
	type question struct {
		QID, Text, Sample string
		Unanswerable      bool
		Within            []int
		Reader            []string
		Evidence          any
	}
	out := make([]question, len(s.Questions))
	for i, q := range s.Questions {
		out[i] = question{q.QID, q.Text, q.Sample, q.Unanswerable, q.Within, s.readers[q.Reader].names, q.Evidence}
	}
	return out
}

// IndexManifest is index/1: what one index build froze (requirements S1-060 to
// S1-066), and what came of it.
type IndexManifest struct {
	Kerf          string          `json:"kerf"`
	Arm           string          `json:"arm"`
	Label         string          `json:"label"`
	FirstCut      int             `json:"first_cut"` // tokens
	Placements    int             `json:"placements"`
	Extraction    string          `json:"extraction"`
	Normalisation string          `json:"normalisation"`
	Tokenizer     Named           `json:"tokenizer"`
	Splitter      Splitter        `json:"splitter"`
	Embedding     string          `json:"embedding"`
	Retrieval     Retrieval       `json:"retrieval"`
	Filters       Filters         `json:"filters"`
	Rerank        string          `json:"rerank"`
	Packing       Packing         `json:"packing"`
	Generation    string          `json:"generation"`
	Rubric        string          `json:"rubric"`
	Seed          int             `json:"seed"`
	Inputs        []string        `json:"inputs"`
	Again         bool            `json:"again,omitzero"`   // a second build of an index, for its noise
	Foreign       *Described      `json:"foreign,omitzero"` // what the arm brings that is not kerf's own
	Chunks        int             `json:"chunks"`           // indexed
	Tokens        int             `json:"tokens"`           // in them, the arm's
	Bytes         int             `json:"bytes"`            // of their texts
	Checked       int             `json:"contexts_checked"` // contexts held against what their reader may read: one unit that it may not read ends the run
	Documents     []DocumentIndex `json:"documents"`
}

// Named is something with its digest.
type Named struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}

// Splitter is the retrieval unit; the presentation unit is the same here.
type Splitter struct {
	By      string `json:"by"`
	Size    int    `json:"size"`
	Overlap int    `json:"overlap"`
	Stride  int    `json:"stride"`
	Edge    string `json:"edge"`
	Unit    string `json:"presentation"`
	Scope   string `json:"scope,omitzero"` // labelled: the other documents keep the ordinary cuts
}

// Retrieval is how chunks are ranked.
type Retrieval struct {
	By      string `json:"by"`
	K1      string `json:"k1"`
	B       string `json:"b"`
	Terms   string `json:"terms"`
	Unicode string `json:"unicode"`
	Depth   int    `json:"depth"`
}

// Filters are applied before ranking; Denied says how many chunks each reader
// was not given.
type Filters struct {
	Within string   `json:"within"`
	Access string   `json:"access"`
	Denied []Denied `json:"denied"`
}

// Denied counts the indexed chunks that a reader may not read wholly.
type Denied struct {
	Reader []string `json:"reader"`
	Chunks int      `json:"chunks"`
}

// Packing is how a context is filled.
type Packing struct {
	plan.Budget
	Order     string `json:"order"`
	Duplicate string `json:"identical_intervals"`
}

// DocumentIndex is a document in the order of the index, with its actual first
// cut: 0 where it is too short to be cut.
type DocumentIndex struct {
	Doc      string `json:"doc"`
	Version  string `json:"version"`
	FirstCut int    `json:"first_cut"`      // tokens
	Byte     int    `json:"first_cut_byte"` // where it fell
	Cores    int    `json:"cores"`
}

// indexManifest describes the current placement.
func (w *Worker) indexManifest(c Cell) *IndexManifest {
	s, arm := w.study, c.Arm
	m := IndexManifest{
		Kerf: "index/1", Arm: arm.Name, Label: c.Label.String(), FirstCut: c.Label.FirstCut, Placements: max(1, c.Block),
		Extraction: s.Extract, Normalisation: "none", Tokenizer: Named{Name: "none"},
		Splitter:  Splitter{By: cmp.Or(arm.Split.By, "unknown"), Unit: "the chunk itself"},
		Embedding: "none",
		Retrieval: Retrieval{arm.Retrieve.By, "1.2", "0.75", "lexical terms/1", unicode.Version, s.Experiment.Depth},
		Filters:   Filters{Within: "before ranking", Access: s.Experiment.Access},
		Rerank:    "none", Packing: Packing{s.Experiment.Budget, "rank", "merged"}, Generation: "none", Rubric: "none",
		Seed: s.Experiment.Seed, Inputs: s.Inputs(), Again: c.Again,
	}
	if !arm.IsControl() {
		t, err := token.Named(arm.Split.Tokenizer)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		m.Tokenizer = Named{t.Name(), t.Digest()}
		m.Splitter = Splitter{arm.Split.By, arm.Split.Size, arm.Split.Overlap, arm.Stride(), arm.Split.Edge, m.Splitter.Unit, arm.Moving.Scope}
	}
	if f := w.foreign; f != nil {
		m.Foreign = f.describe()
		if arm.Retrieve.By != "bm25" {
			m.Retrieval = Retrieval{By: cmp.Or(arm.Retrieve.By, "rankings"), Depth: s.Experiment.Depth}
			m.Embedding = "not measured"
		}
		if f.Rankings != nil {
			m.Filters.Within = "not measured" // a hit that breaks one is a violation
		}
	}
	if w.arm.Rankings != "" && w.foreign.Table == nil {
		return &m // of the index no more is known than what it found
	}
	p := w.cut
	m.Chunks = p.N
	for i, r := range s.readers {
		n := 0
		for _, d := range w.sights[i].Denied {
			if d {
				n++
			}
		}
		m.Filters.Denied = append(m.Filters.Denied, Denied{r.names, n})
	}
	for slot, chunk := range p.Chunks {
		if p.Live[slot] {
			m.Tokens += chunk.Last - chunk.First
			m.Bytes += chunk.Len()
		}
	}
	for i, d := range s.Documents {
		cores := p.Chunks[p.First[i]:p.First[i+1]]
		entry := DocumentIndex{Doc: d.Doc, Version: d.Version.Version, Cores: len(cores)}
		if len(cores) > 1 {
			entry.FirstCut, entry.Byte = cores[1].First, cores[1].Start
		}
		m.Documents = append(m.Documents, entry)
	}
	return &m
}

// encode is the manifest's bytes, once the cell's contexts have been checked.
func (m *IndexManifest) encode(w *Worker) []byte {
	m.Checked, w.checked = w.checked, 0
	return encode(m)
}

// encode is canonical JSON, one line.
func encode(v any) []byte {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.EscapeForHTML(false))
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return append(b, '\n')
}
