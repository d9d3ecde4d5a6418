package report

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/text/span"
)

const source = "The refund window is 30 days from delivery. Opened software is not refundable\nunless it arrived defective. “Delivery” means the carrier scan, not the order date."

// study is a run of three arms over 50 questions: an arm without overlap, one
// with, and an unshifted control. Verdicts come from a seed; every figure from
// the verdicts. failed breaks the cell 3/8 of the arm with overlap.
func study(failed bool) (*compare.Report, []compare.Overlay) {
	const answerable, phases = 46, 8
	r := &compare.Report{
		Kerf: compare.Kind, Run: "5f0e4d3c2b1a09f8e7d6c5b4a3928170",
		Corpus: compare.Corpus{Digest: "sha256:ad087516f2c1", Docs: 8, Bytes: 52_100},
		Golden: compare.Golden{Digest: "sha256:77c1d2e3f405", Questions: 54, Answerable: 52, Unanswerable: 2, Clusters: 8,
			Origin: map[string]int{"ticket": 30, "owner": 20, "synthetic": 4}, Sample: map[string]int{"representative": 48, "enriched": 6},
			Dependency:   map[string]int{"exception": 14, "definition": 9, "numerical_scope": 8},
			Adjudication: map[string]int{"agreed": 50, "unadjudicated": 4},
			LeftOut:      []compare.LeftOut{{Reason: "held out", Questions: 3}}},
		Reader: []string{"public"}, Budget: compare.Budget{Tokens: 1024, Tokenizer: "cl100k_base", Allowance: 200, Output: 300, Overflow: "stop", Format: "numbered"},
		K: []int{1, 3, 5, 10}, AtK: 5, Phases: compare.Phases{Grid: phases}, Ignorable: "white_space", Sample: "representative", Baseline: "512/0",
		Reproduce: compare.Reproduce{Command: "kerf run -c kerf.yaml", Kerf: "0.1.0", Unicode: "15.0.0",
			Inputs: []compare.Input{{Name: "corpus.jsonl", Digest: "sha256:ad087516f2c1"}, {Name: "golden.jsonl", Digest: "sha256:77c1d2e3f405"}, {Name: "cl100k_base", Digest: "sha256:223921b76ee9"}}},
	}
	base := verdicts(1, answerable, phases, .70, .24)
	lapped := verdicts(1, answerable, phases, .78, .10)
	control := verdicts(3, answerable, 1, .72, 0)
	if failed {
		for _, row := range lapped {
			row[2] = stats.Missing
		}
		r.MissingCells = []compare.MissingCell{{Arm: "512/102", Phase: "3/8", Reason: "deadline: not begun"}}
	}
	r.Arms = []compare.Arm{
		makeArm("512/0", &compare.Window{Size: 512, Stride: 512, Tokenizer: "cl100k_base"}, base),
		makeArm("512/102", &compare.Window{Size: 512, Overlap: 102, Stride: 410, Tokenizer: "cl100k_base"}, lapped),
		makeArm("whole-sections", nil, control),
	}
	for i, rows := range [][][]stats.Verdict{lapped, control} {
		p := compare.Pair{Candidate: r.Arms[i+1].Arm, Baseline: "512/0", View: "budget", Ordinary: stats.NewSum(), Difference: stats.NewSum()}
		for q, row := range rows {
			qid := fmt.Sprintf("q-%03d", q+1)
			b, c := base[q][phases-1], row[len(row)-1]
			switch {
			case c > b:
				p.Gained = append(p.Gained, qid)
			case c < b:
				p.Lost = append(p.Lost, qid)
			}
			p.Ordinary.Add(int(c)-int(b), 1)
			hits, of := 0, 0
			for j := range base[q] {
				if c := row[min(j, len(row)-1)]; c != stats.Missing {
					hits += int(c) - int(base[q][j])
					of++
				}
			}
			p.Difference.Add(hits, of)
		}
		r.Pairs = append(r.Pairs, p)
	}
	for _, p := range r.Pairs { // top_k: the fixture's views are equal
		p.View = "top_k"
		r.Pairs = append(r.Pairs, p)
	}
	half := stats.Count{Num: 3, Den: 368}
	r.Warnings = []compare.Warning{{Code: "empty-context", Arm: "512/0", View: "budget", Message: "the first unit did not fit: contexts are empty", Count: &half}}
	for q, row := range base {
		hits := 0
		for _, v := range row {
			hits += int(v)
		}
		if hits == phases || hits == 0 {
			continue
		}
		w := compare.WorstQuestion{QID: fmt.Sprintf("q-%03d", q+1), Question: fmt.Sprintf("What holds in case %d?", q+1), Arm: "512/0", Hits: hits, Phases: phases, Label: label(firstMiss(row), phases)}
		if len(r.WorstQuestions) == 0 {
			start := strings.Index(source, "Opened")
			at := strings.Index(source, "\nunless") + 1
			w.Question = "May I return opened software?"
			w.Cut = &compare.Cut{Doc: "returns.md", Line: 42, Start: 4000 + start, End: 4000 + strings.Index(source, " “"), At: 4000 + at}
		}
		r.WorstQuestions = append(r.WorstQuestions, w)
	}
	return r, []compare.Overlay{overlay(r.WorstQuestions[0], base)}
}

func firstMiss(row []stats.Verdict) int {
	for j, v := range row {
		if v == stats.Miss {
			return j
		}
	}
	return 0
}

func label(j, phases int) string {
	if phases == 1 {
		return compare.Control
	}
	return fmt.Sprintf("%d/%d", j+1, phases)
}

func verdicts(seed uint64, questions, phases int, always, moving float64) [][]stats.Verdict {
	random := rand.New(rand.NewPCG(seed, 2))
	rows := make([][]stats.Verdict, questions)
	for q := range rows {
		rows[q] = make([]stats.Verdict, phases)
		u := random.Float64()
		for j := range rows[q] {
			v := random.Float64()
			if u < always-moving/2 || u < always+moving/2 && v < .5 {
				rows[q][j] = stats.Hit
			}
		}
	}
	return rows
}

func overlay(w compare.WorstQuestion, base [][]stats.Verdict) compare.Overlay {
	rule := span.Span{Start: strings.Index(source, "Opened"), End: strings.Index(source, "\nunless")}
	exception := span.Span{Start: rule.End + 1, End: strings.Index(source, " “")}
	o := compare.Overlay{QID: w.QID, Arm: w.Arm, Doc: "returns.md", Path: "docs/returns.md", Offset: 4000, Line: 41, Text: source, Label: w.Label,
		Spans: []compare.Evidence{{Name: "rule", Role: "rule", Span: rule}, {Name: "qualifier", Role: "exception", Span: exception}},
		Cuts:  []compare.Placed{{Label: "7/8", At: strings.Index(source, "days")}, {Label: w.Label, At: exception.Start}},
		Shown: []compare.Shown{{Span: span.Span{End: exception.Start}, Rank: 1, Packed: true}, {Span: span.Span{Start: exception.Start, End: len(source)}, Rank: 7}}}
	var q int
	fmt.Sscanf(w.QID, "q-%d", &q)
	for j, v := range base[q-1] {
		o.Placement = append(o.Placement, compare.PhaseResult{Label: label(j, len(base[q-1])), Supported: v == stats.Hit})
	}
	return o
}

func makeArm(name string, window *compare.Window, rows [][]stats.Verdict) compare.Arm {
	phases := len(rows[0])
	a := compare.Arm{Arm: name, Split: "tokens", Window: window, Retrieve: "bm25", Phases: phases}
	v := view(rows)
	a.Views = compare.Views{Budget: v, TopK: v}
	for j := range phases {
		hit := v.Phase[j].Support
		strict := stats.Count{Num: max(0, hit.Num-2), Den: hit.Den, Missing: hit.Missing}
		single := stats.Count{Num: max(0, hit.Num-4), Den: hit.Den, Missing: hit.Missing}
		a.Measures = append(a.Measures, compare.Measures{Label: v.Phase[j].Label, List: []compare.Measure{
			{Name: "single_hit@5", Count: &single}, {Name: "union_hit@5", Count: &strict}, {Name: "union_hit_ws@5", Count: &hit},
			{Name: "single_mrr@5", Sum: &stats.Sum{Sum: big.NewRat(int64(single.Num)*3, 4), Den: single.Den, Missing: single.Missing}}}})
	}
	dependency := map[string][2]int{"exception": {0, 14}, "definition": {14, 23}, "numerical_scope": {23, 31}}
	for _, d := range []string{"exception", "definition", "numerical_scope"} {
		g := segment(rows[dependency[d][0]:dependency[d][1]])
		g.Dependency = d
		a.Segments = append(a.Segments, g)
	}
	easy, controls := segment(rows[31:]), segment(nil)
	easy.Segment, controls.Segment, controls.Questions = "joint_evidence", "unanswerable_control", 2
	a.Segments = append(a.Segments, easy, controls)
	all, enriched := segment(rows), segment(rows[:6])
	enriched.Sample = "enriched"
	a.Samples = []compare.Segment{all, enriched}
	if window != nil {
		spans := stats.Count{Num: 40 * window.Stride, Den: 61 * window.Stride}
		a.Geometry = compare.Geometry{SpansIntact: stats.Measured(spans), SetsIntact: stats.Measured(stats.Count{Num: 29 * window.Stride, Den: 46 * window.Stride})}
		repeated := 11_000 * window.Overlap / window.Stride
		a.Cost.Once = compare.CostOnce{IndexedUnits: stats.Measured(11_000/window.Stride + 8), UniqueTokens: stats.Measured(11_000), RepeatedTokens: stats.Measured(repeated),
			Multiplier: stats.Measured(big.NewRat(int64(11_000+repeated), 11_000).RatString()), Limit: stats.Measured(big.NewRat(int64(window.Size), int64(window.Stride)).RatString()),
			IndexBytes: stats.Measured(52_100 + 16*(11_000/window.Stride))}
	}
	return a
}

func view(rows [][]stats.Verdict) compare.View {
	phases := len(rows[0])
	p := stats.OverPhases(rows, phases)
	cells := p.Support.Den
	v := compare.View{Support: p.Support, SupportStrict: p.Support, PerQueryWorst: p.PerQueryWorst, PerQueryBest: p.PerQueryBest,
		SingleUnit:      stats.Count{Num: p.Support.Num / 2, Den: cells, Missing: p.Support.Missing},
		Infeasible:      compare.Infeasible{Num: 1, Den: len(rows), QIDs: []string{"q-046"}},
		SupportFeasible: stats.Count{Num: p.Support.Num, Den: cells - phases, Missing: p.Support.Missing},
		ContextTokens:   stats.Measured(compare.Quantile{P50: 1002 - phases, P95: 1024, Den: cells - p.Support.Missing}),
		RepeatedTokens:  stats.Sum{Sum: big.NewRat(int64(17*phases), 1), Den: cells, Missing: p.Support.Missing},
		EmptyContexts:   stats.Count{Num: 3, Den: cells, Missing: p.Support.Missing}}
	for j, c := range p.PerPhase {
		v.Phase = append(v.Phase, compare.Phase{Label: label(j, phases), FirstCut: 512 * (j + 1) / phases, Chunks: 30 + j%2, Support: c})
	}
	if p.Worst >= 0 {
		v.Worst = stats.Measured(compare.Worst{Label: v.Phase[p.Worst].Label, Support: p.PerPhase[p.Worst]})
	}
	if phases > 1 {
		v.Flips, v.Disagreement = compare.Moved(p.Flips), compare.Moved(p.Disagreement)
	}
	return v
}

func segment(rows [][]stats.Verdict) compare.Segment {
	g := compare.Segment{Sample: "representative", Questions: len(rows)}
	if len(rows) == 0 {
		g.Flips, g.Disagreement = compare.Moved(stats.Count{}), compare.Moved(stats.NewSum())
		return g
	}
	v := view(rows)
	g.Support, g.Ordinary, g.Worst, g.Flips, g.Disagreement = v.Support, v.Ordinary(), v.Worst, v.Flips, v.Disagreement
	return g
}
