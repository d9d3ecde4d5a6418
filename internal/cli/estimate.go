package cli

import (
	"fmt"
	"math/big"
	"strings"

	"kerf/internal/report"
	"kerf/internal/study/plan"
	"kerf/internal/text/token"
)

// estimateOutput is estimate/1.
type estimateOutput struct {
	Kerf  string         `json:"kerf"`
	Arms  []estimatedArm `json:"arms"`
	Total estimatedArm   `json:"total"`
}

// estimatedArm is what an index at the ordinary cuts holds.
type estimatedArm struct {
	Arm      string `json:"arm,omitempty"`
	Tokens   int64  `json:"tokens"`          // of the corpus
	Windows  int64  `json:"windows"`         // chunks
	Embedded int64  `json:"embedded_tokens"` // in all of them
	Limit    string `json:"limit"`           // tokens * C/(C-O), rational
}

// estimate prints what an index of each arm would hold at the ordinary cuts:
// what an embedding model would read. The limit is C/(C-O) times the corpus.
func (a *app) estimate(p *project) error {
	lengths := map[string][]int{}
	out := estimateOutput{Kerf: "estimate/1"}
	total := plan.Cost{Limit: new(big.Rat)}
	for _, arm := range p.plan.Arms {
		if arm.IsControl() { // its chunks are made already
			continue
		}
		name := arm.Split.Tokenizer
		if lengths[name] == nil {
			t, err := token.Named(name)
			if err != nil {
				return err
			}
			for _, d := range p.corpus.Documents {
				lengths[name] = append(lengths[name], t.Count(d.Text))
			}
		}
		c := arm.Cost(lengths[name]...)
		total = total.Plus(c)
		out.Arms = append(out.Arms, newEstimate(arm.Name, c))
	}
	out.Total = newEstimate("", total)
	return a.answer(out, func() error { return a.estimateText(out) })
}

func (a *app) estimateText(out estimateOutput) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-20s %14s %12s %16s %16s\n", "arm", "corpus tokens", "chunks", "indexed tokens", "limit C/(C-O)")
	for _, e := range append(out.Arms, out.Total) {
		name := e.Arm
		if name == "" {
			name = fmt.Sprintf("all %d", len(out.Arms))
		}
		limit, _ := new(big.Rat).SetString(e.Limit)
		fmt.Fprintf(&b, "%-20s %14s %12s %16s %16s\n", name, report.Number(e.Tokens), report.Number(e.Windows), report.Number(e.Embedded), rounded(limit))
	}
	b.WriteString("indexed tokens: exact, at the ordinary cuts; an embedding model would read as many. BM25 reads none; 0 requests, nothing was run.\n")
	_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
	return err
}

func newEstimate(name string, c plan.Cost) estimatedArm {
	return estimatedArm{Arm: name, Tokens: c.Tokens, Windows: c.Windows, Embedded: c.Embedded, Limit: c.Limit.RatString()}
}

// rounded is a rational as a grouped whole number, with "~" where it is none.
func rounded(r *big.Rat) string {
	if r.IsInt() {
		return report.Number(r.Num().Int64())
	}
	f, _ := r.Float64()
	return "~" + report.Number(int64(f+.5))
}
