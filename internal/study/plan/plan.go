// Package plan says what is to be run: an experiment, its arms and their
// placements of the cuts. It executes nothing.
//
// An Experiment is what kerf.yaml (experiment/1) declares, every default filled
// in. An arm is one way to split and to retrieve. Its stride S is size less
// overlap; a Label j/P names one placement (phase) of its cuts. A Key names the
// result of a computation by everything that the result depends on.
package plan

import (
	"fmt"
	"math/big"
)

// Experiment is kerf.yaml with every default filled in.
type Experiment struct {
	Corpus    string   `json:"-"`      // manifest and golden set, paths relative to the experiment's folder;
	Golden    string   `json:"-"`      // a key takes the digests of the files instead
	Reader    []string `json:"reader"` // of questions that name none
	Access    string   `json:"access"` // "deny": a chunk that the reader may not read wholly is left out; "clip": it is cut to its readable pieces
	Budget    Budget   `json:"budget"`
	K         []int    `json:"k"`     // cut-offs, ascending
	AtK       int      `json:"at_k"`  // the one in tables, one of K
	Depth     int      `json:"depth"` // hits ranked per cell
	Phases    Phases   `json:"phases"`
	Ignorable string   `json:"ignorable"` // gaps that coverage bridges: "white_space", or "strict" for none
	Stale     string   `json:"stale"`     // "fail": labels on superseded versions are errors; "exclude": their questions are left out and counted
	Seed      int      `json:"seed"`
	Baseline  string   `json:"baseline"` // name of an arm
	Gate      Gate     `json:"-"`        // what kerf gate screens: no result depends on it
	Redact    string   `json:"redact"`   // "none" or "text": reports hold digests in place of texts
	Arms      []Arm    `json:"arms"`     // in file order, then the grid's
}

// Budget is how much evidence a context may hold, in tokens of Tokenizer.
type Budget struct {
	Tokens    int    `json:"tokens"` // the ceiling of the evidence alone; 0 is legal
	Tokenizer string `json:"tokenizer"`
	Allowance int    `json:"allowance"` // reserved beside it for instructions and question
	Output    int    `json:"output"`    // allowance of the answer
	Overflow  string `json:"overflow"`  // "stop", "skip" or "truncate"
	Format    string `json:"format"`    // "numbered" or "bare"
	Curve     []int  `json:"curve"`     // further ceilings that support is measured at, ascending
}

// Phases says which placements run: all 1..S, or Grid of them.
type Phases struct {
	All  bool `json:"all"`
	Grid int  `json:"grid"` // 0 with All
	// Target: cuts aimed at the evidence beside the others. "true": they stand in
	// no mean and no minimum; "worst": in the minimum; "false": none.
	Target string `json:"target"`
}

// Arm is one configuration: a way to split and to retrieve, or, with Rankings,
// what a retriever has found already.
type Arm struct {
	Name     string   `json:"name"` // 1 to 80 of A-Z a-z 0-9 . _ -, not starting with a dot: it may name a file
	Split    Split    `json:"split"`
	Retrieve Retrieve `json:"retrieve"`
	Rankings string   `json:"rankings,omitzero"` // file of rankings/1, relative to the experiment's folder
	Chunks   string   `json:"chunks,omitzero"`   // chunks/1 that the ids of Rankings stand for
	Moving   Moving   `json:"phases,omitzero"`
	At       Place    `json:"-"`
}

// Moving says how an arm's cuts move, where that is not as Phases has it.
type Moving struct {
	Grid  int    `json:"grid,omitzero"`  // placements; 0: the experiment's
	Scope string `json:"scope,omitzero"` // "labelled": documents without a golden span keep the ordinary cuts; "": all move
}

// Labelled is the Moving.Scope of arms that move labelled documents alone.
const Labelled = "labelled"

// Split cuts documents into windows, or takes chunks from a table.
type Split struct {
	By        string   `json:"by"`             // "tokens" or "table"
	File      string   `json:"file,omitzero"`  // of a table: chunks/1, relative to the experiment's folder
	Tokenizer string   `json:"tokenizer"`      // of windows, as all that follows
	Size      int      `json:"size"`           // capacity C >= 1, tokens
	Overlap   int      `json:"overlap"`        // O, tokens, 0 <= O < C
	Share     Fraction `json:"share,omitzero"` // O / C as written in percent; zero where it was written in tokens
	Edge      string   `json:"edge"`           // "drop-contained" or "keep"
}

// Retrieve ranks the chunks: kerf's own BM25, or a host of retriever/1.
type Retrieve struct {
	By      string `json:"by"`               // "bm25", "command" or "http"
	Run     string `json:"run,omitzero"`     // the command of a host
	URL     string `json:"url,omitzero"`     // of a host, or
	URLEnv  string `json:"url_env,omitzero"` // the environment variable that holds it
	KeyEnv  string `json:"key_env,omitzero"` // the environment variable of its bearer token
	Timeout int    `json:"-"`                // seconds, of every request; 0: the protocol's
}

// Foreign reports whether an engine that is not kerf's own ranks.
func (r Retrieve) Foreign() bool { return r.By == "command" || r.By == "http" }

// Targeted reports whether cuts can be aimed at the evidence under the arm: they
// move, and kerf itself ranks.
func (a Arm) Targeted() bool { return !a.IsControl() && !a.Retrieve.Foreign() }

// IsControl reports whether the arm's cuts do not move: its chunks, or its hits,
// come from a file. It has the one phase Control.
func (a Arm) IsControl() bool { return a.Rankings != "" || a.Split.By == "table" }

// Place is a line and a column (code points) of kerf.yaml, from 1; 0 is nowhere.
type Place struct{ Line, Column int }

// Fraction is Num/Den; the zero value stands for none.
type Fraction struct {
	Num int64 `json:"num"`
	Den int64 `json:"den"`
}

// Stride is S = C - O, in tokens.
func (a Arm) Stride() int { return a.Split.Size - a.Split.Overlap }

// Limit is what the ratio of embedded tokens to corpus tokens approaches in
// long documents: 1/(1-r), r being the overlap's share of the size as it was
// written (requirements S2-041).
func (s Split) Limit() *big.Rat {
	if s.Share.Den != 0 {
		return big.NewRat(s.Share.Den, s.Share.Den-s.Share.Num)
	}
	return big.NewRat(int64(s.Size), int64(s.Size-s.Overlap))
}

// same says whether two arms of one name are one arm: Share and At change no
// result.
func (a Arm) same(b Arm) bool {
	a.Split.Share, b.Split.Share = Fraction{}, Fraction{}
	a.At, b.At = Place{}, Place{}
	return a == b
}

// What Phases.Target says.
const (
	NoTargets    = "false"
	AimedTargets = "true"  // targeted placements, asked the question that they are aimed at
	WorstTargets = "worst" // asked every question, and in the minimum over placements
)

// The names an experiment may choose from; the first is the default.
var (
	tokenizers = []string{"cl100k_base", "o200k_base", "codepoints", "words"}
	overflows  = []string{"stop", "skip", "truncate"}
	formats    = []string{"numbered", "bare"}
	ignorables = []string{"white_space", "strict"}
	accesses   = []string{"deny", "clip"}
	stales     = []string{"fail", "exclude"}
	redactions = []string{"none", "text"}
	targets    = []string{NoTargets, AimedTargets, WorstTargets}
	edges      = []string{"drop-contained", "keep"}
)

// bm25 is the retrieval of arms that name none.
var bm25 = Retrieve{By: "bm25"}

// Default is the experiment of a project without kerf.yaml: the eight
// configurations of requirements S2-031.
func Default() Experiment {
	e := defaults()
	for _, size := range []int{256, 512, 1024, 2048} {
		for _, share := range []Fraction{{}, {1, 5}} {
			s := Split{By: "tokens", Tokenizer: tokenizers[0], Size: size, Share: share, Edge: edges[0]}
			s.Overlap = share.of(size)
			e.Arms = append(e.Arms, Arm{Name: s.name(), Split: s, Retrieve: bm25})
		}
	}
	e.Baseline = e.Arms[0].Name
	return e
}

// defaults is an experiment without arms and baseline.
func defaults() Experiment {
	return Experiment{
		Corpus: "corpus.jsonl", Golden: "golden.jsonl", Reader: []string{"public"}, Access: accesses[0],
		Budget: Budget{Tokens: 3000, Tokenizer: tokenizers[0], Allowance: 200, Output: 300, Overflow: overflows[0], Format: formats[0], Curve: []int{}},
		K:      []int{1, 3, 5, 10}, AtK: 5, Depth: 100, Phases: Phases{Grid: 8, Target: NoTargets}, Stale: stales[0],
		Ignorable: ignorables[0], Seed: 1, Redact: redactions[0], Gate: Gate{FailOn: failOn[0]},
	}
}

// of is the share of size in whole tokens, rounded down.
func (f Fraction) of(size int) int {
	if f.Den == 0 {
		return 0
	}
	return int(int64(size) * f.Num / f.Den)
}

// name is the name of a grid's arm.
func (s Split) name() string { return fmt.Sprintf("tokens-%d-%d", s.Size, s.Overlap) }
