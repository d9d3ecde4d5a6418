package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

func text(s string) cell            { return cell{Text: s} }
func name(a *compare.Arm) cell      { return text(called(a)) }
func maybe(m stats.Maybe[int]) cell { return figure(whole(m), "") }
func count(c stats.Count) cell      { return figure(fraction(c), rate(c)) }

// figure is a cell on the right; what s says in brackets, and what it is over,
// goes below it.
func figure(s, sub string) cell {
	s = strings.Replace(s, " over ", " (over ", 1)
	if main, more, ok := strings.Cut(strings.TrimSuffix(s, ")"), " ("); ok {
		s, sub = main, strings.TrimSpace(strings.ReplaceAll(more, " (", "\n")+"\n"+sub)
	}
	return cell{Text: s, Sub: sub, Figure: true}
}

// gap is a difference of questions with its points below.
func gap(s stats.Sum) cell {
	main, points, _ := strings.Cut(difference(s), " = ")
	return figure(main, points)
}

// settings are an arm's parameters in words.
func settings(a *compare.Arm) string {
	out := a.Split + ", " + a.Retrieve
	if a.Split == a.Retrieve { // rankings of which no more is known
		out = a.Split
	}
	if a.Window != nil {
		out = fmt.Sprintf("%s of %s, overlap %d, %s", number(a.Size), a.Tokenizer, a.Overlap, a.Retrieve)
	}
	if a.IsControl() {
		out += "; unshifted control: 1 placement, counted once"
	}
	return out
}

// rows makes one row an arm.
func (s story) rows(row func(*compare.Arm) []cell) [][]cell {
	var out [][]cell
	for i := range s.Arms {
		if i == maxRows {
			break
		}
		out = append(out, row(&s.Arms[i]))
	}
	return out
}

func (s story) gaps() string {
	if s.Ignorable == "strict" {
		return "none"
	}
	return strings.ReplaceAll(s.Ignorable, "_", " ")
}

func (s story) primary() string {
	return fmt.Sprintf("Primary view: a context of at most %s evidence tokens (%s, format %s, overflow %s)", number(s.Budget.Tokens), s.Budget.Tokenizer, s.Budget.Format, s.Budget.Overflow)
}

func (s story) evidence() table {
	return table{
		Caption: "Whole evidence",
		Note:    s.primary() + "; " + s.Sample + " questions. Gaps that coverage bridges: " + s.gaps() + ". Lowest placement: " + stress + ".",
		Head:    []string{"configuration", "ordinary cuts", "lowest placement", "highest placement", "mean over placements", "come and go (flips)", "disagreement"},
		Rows: s.rows(func(a *compare.Arm) []cell {
			return append([]cell{{Text: called(a), Sub: settings(a)}}, support(&a.Views.Budget)...)
		}),
	}
}

// support is ordinary cuts, lowest and highest placement, mean, flips and
// disagreement of a view.
func support(v *compare.View) []cell {
	highest := figure(stats.NotMeasured, "")
	if _, hi, ok := extremes(v); ok {
		highest = figure(fraction(hi.Support), "at "+hi.Label)
	}
	moves := figure(flips(v.Flips), "")
	if v.Flips.Applies {
		moves.Sub = strings.TrimSpace(moves.Sub + "\n" + plural(len(v.Phase), "placement", "placements"))
	}
	return []cell{count(v.Ordinary()), lowest(v.Worst), highest, count(v.Support), moves, figure(disagreement(v.Disagreement), "")}
}

func lowest(w stats.Maybe[compare.Worst]) cell {
	if !w.Measured {
		return figure(stats.NotMeasured, "")
	}
	return figure(fraction(w.Value.Support), "at "+w.Value.Label)
}

func (s story) readings() table {
	return table{
		Caption: "The same verdicts, read otherwise",
		Note:    "Strict bridges no gap at all. One unit: a single unit of the context holds a whole set, a diagnostic. Every / some placement: questions, each at its own placements; both depend on the number of placements.",
		Head:    []string{"configuration", "strict, mean over placements", "in one unit, mean over placements", "whole at every placement", "whole at some placement", "of what fits the budget, mean over placements"},
		Rows: s.rows(func(a *compare.Arm) []cell {
			v := &a.Views.Budget
			return []cell{name(a), count(v.SupportStrict), count(v.SingleUnit), count(v.PerQueryWorst), count(v.PerQueryBest), count(v.SupportFeasible)}
		}),
	}
}

// ranking is the table of S2-042.
func (s story) ranking() table {
	measures := []string{"single_hit", "union_hit", "union_hit_ws", "single_mrr"}
	t := table{
		Caption: "Ranking, context and index",
		Note:    "Hit measures and mean reciprocal rank on the raw ranking at the ordinary cuts; union_hit bridges no gap, union_hit_ws gaps of white space. Context tokens are counted on the literal context, over questions and placements.",
		Head:    []string{"configuration", "questions"},
	}
	for _, m := range measures {
		t.Head = append(t.Head, fmt.Sprintf("%s@%d", m, s.AtK))
	}
	t.Head = append(t.Head, "context tokens, median", "indexed tokens", "index bytes", "latency")
	t.Rows = s.rows(func(a *compare.Arm) []cell {
		row := []cell{name(a), figure(number(a.Views.Budget.Ordinary().Den), "")}
		for _, m := range measures {
			c := figure(stats.NotMeasured, "")
			if len(a.Measures) > 0 {
				if f, ok := a.Measures[len(a.Measures)-1].Find(fmt.Sprintf("%s@%d", m, s.AtK)); ok && f.Count != nil {
					c = count(*f.Count)
				} else if ok {
					c = figure(mean(*f.Sum, 3), "")
				}
			}
			row = append(row, c)
		}
		p50, _ := quantiles(a.Views.Budget.ContextTokens)
		once := &a.Cost.Once
		indexed := figure(stats.NotMeasured, "embedded:\n"+whole(once.EmbeddingTokens))
		if once.UniqueTokens.Measured && once.RepeatedTokens.Measured {
			indexed.Text = number(once.UniqueTokens.Value + once.RepeatedTokens.Value)
		}
		return append(row, p50, indexed, maybe(once.IndexBytes), figure(words(a.Cost.PerQuery.Latency), ""))
	})
	return t
}

func quantiles(q stats.Maybe[compare.Quantile]) (p50, p95 cell) {
	if !q.Measured {
		c := figure(stats.NotMeasured, "")
		return c, c
	}
	of := "of " + plural(q.Value.Den, "context", "contexts")
	return figure(number(q.Value.P50), of), figure(number(q.Value.P95), of)
}

// pairs are the comparisons in one view.
func (s story) pairs(view string) table {
	t := table{
		Caption: "Candidates against the baseline " + s.Baseline,
		Note:    "Gained and lost: questions whole at the ordinary cuts of one arm only. Mean difference: over the placements that both arms share. Lowest placement: " + stress + "; minima of arms with unequal numbers of placements are not comparable.",
		Head:    []string{"candidate", "gained", "lost", "difference at the ordinary cuts", "mean difference over placements", "interval", "lowest placement, both", "confounded with"},
	}
	rebuilt := slices.ContainsFunc(s.Arms, func(a compare.Arm) bool { return a.Rebuild != nil })
	if rebuilt {
		t.Head = append(t.Head, "noise")
	}
	if view == "top_k" {
		t.Caption += fmt.Sprintf(": secondary view, the first %d hits", s.AtK)
	} else if p := s.pair; p != nil {
		t.Note += " " + p.Candidate + " gains " + s.list(p.Gained) + "; it loses " + s.list(p.Lost) + "."
	}
	for _, p := range s.Pairs {
		c, b := arm(s.Report, p.Candidate), arm(s.Report, p.Baseline)
		if p.View != view || c == nil || b == nil || len(t.Rows) == maxRows {
			continue
		}
		den := p.Ordinary.Den - p.Ordinary.Missing
		confounded := "nothing declared"
		if len(p.Confounded) > 0 {
			confounded = strings.Join(p.Confounded, ", ")
		}
		x, y := lowest(c.View(view).Worst), lowest(b.View(view).Worst)
		t.Rows = append(t.Rows, []cell{name(c), figure(fmt.Sprintf("%d/%d", len(p.Gained), den), ""), figure(fmt.Sprintf("%d/%d", len(p.Lost), den), ""),
			gap(p.Ordinary), gap(p.Difference), text(interval(p.CI)),
			figure(x.Text+" against "+y.Text, strings.TrimSpace(x.Sub+"\n"+y.Sub)), text(confounded)})
		if last := len(t.Rows) - 1; rebuilt {
			t.Rows[last] = append(t.Rows[last], text(cmp.Or(noises(view, c, b), "none: kerf ranks")))
		}
	}
	return t
}

// list names some of the questions, and says of which nobody has decided what
// evidence they need.
func (s story) list(qids []string) string {
	const most = 12
	if len(qids) == 0 {
		return "none"
	}
	var names []string
	open := 0
	for i, qid := range qids {
		undecided := s.unadjudicated(qid)
		if undecided {
			open++
			qid += " (unadjudicated)"
		}
		if i < most {
			names = append(names, qid)
		}
	}
	more := ""
	if n := len(qids) - most; n > 0 {
		more = fmt.Sprintf(" and %d more in report.json", n)
	}
	if open == len(qids) {
		return strings.ReplaceAll(strings.Join(names, ", "), " (unadjudicated)", "") + more + " (all unadjudicated)"
	}
	return strings.Join(names, ", ") + more
}

// unadjudicated: no second person has decided which spans the question needs.
func (s story) unadjudicated(qid string) bool { return slices.Contains(s.Golden.Unadjudicated, qid) }

func (s story) topK() table {
	return table{
		Caption: fmt.Sprintf("Secondary view: the first %d hits", s.AtK),
		Note:    fmt.Sprintf("k counts raw candidates; contexts differ in length between arms, so this table never stands for the one above. Actual tokens: median over questions and placements, not %d times the size, which is a nominal maximum.", s.AtK),
		Head:    []string{"configuration", "ordinary cuts", "lowest placement", "come and go (flips)", "disagreement", "context tokens, median"},
		Rows: s.rows(func(a *compare.Arm) []cell {
			v := &a.Views.TopK
			all := support(v)
			p50, _ := quantiles(v.ContextTokens)
			return []cell{name(a), all[0], all[1], all[4], all[5], p50}
		}),
	}
}
