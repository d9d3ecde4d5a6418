package plan

import (
	"fmt"
	"math"
	"slices"

	"kerf/internal/finding"
)

// Bounds of the numbers of an experiment.
const (
	maxSize   = 1_000_000     // tokens of a window
	maxDepth  = 100_000       // hits a question and cell
	maxBudget = 1_000_000_000 // tokens of a context
	maxArms   = 10_000
)

// Parse reads an experiment; file is its name in the findings. Every problem is
// found in one pass, in the order of the file; with errors among them the
// experiment is what could be read, and not fit to run.
func Parse(file string, content []byte) (Experiment, finding.List) {
	r := &reader{file: file}
	e := defaults()
	if root := r.tree(content); root != nil {
		r.experiment(root, &e)
	}
	r.found.Sort()
	return e, r.found
}

func (r *reader) experiment(root *node, e *Experiment) {
	if root.kind != mapping {
		r.value(root, "the experiment", "a mapping of keys", "")
		return
	}
	var version string
	var k, atK, depth, phases, baseline, arms, grid seen
	r.fields(root, "", []string{"endpoints", "spend"},
		field{"kerf", r.choice(&version, []string{"experiment/1"})},
		field{"corpus", r.text(&e.Corpus)},
		field{"golden", r.text(&e.Golden)},
		field{"reader", r.texts(&e.Reader)},
		field{"access", r.choice(&e.Access, accesses)},
		field{"stale", r.choice(&e.Stale, stales)},
		field{"budget", func(n *node, path string) { r.budget(n, path, &e.Budget) }},
		field{"k", r.note(&k, r.integers(&e.K, 1, maxDepth))},
		field{"at_k", r.note(&atK, r.integer(&e.AtK, 1, maxDepth))},
		field{"depth", r.note(&depth, r.integer(&e.Depth, 1, maxDepth))},
		field{"phases", r.note(&phases, func(n *node, path string) { r.phases(n, path, &e.Phases) })},
		field{"ignorable", r.choice(&e.Ignorable, ignorables)},
		field{"seed", r.integer(&e.Seed, 0, math.MaxInt32)},
		field{"baseline", r.note(&baseline, r.text(&e.Baseline))},
		field{"gate", func(n *node, path string) { r.gate(n, path, &e.Gate) }},
		field{"report", func(n *node, path string) {
			r.fields(n, path, nil, field{"redact", r.choice(&e.Redact, redactions)})
		}},
		field{"arms", func(n *node, _ string) { arms.node = n }},
		field{"grid", func(n *node, _ string) { grid.node = n }},
	)
	if version == "" && !slices.ContainsFunc(root.members, func(m member) bool { return m.key.text == "kerf" }) {
		r.missing(Place{1, 1}, "kerf", "experiment/1")
	}
	slices.Sort(e.K)
	if atK.node == nil && k.node != nil {
		e.AtK = slices.Max(e.K)
	}
	r.cutoffs(*e, k, atK, depth)
	whole := r.arms(arms.node, grid.node, phases.node, e)
	r.baseline(baseline, e, whole)
	r.gated(e, whole)
}

// seen is the node of a key, nil where it is absent, and whether it was bad.
type seen struct {
	node *node
	bad  bool
}

// note reads a key and remembers it.
func (r *reader) note(to *seen, read func(*node, string)) func(*node, string) {
	return func(n *node, path string) {
		before := len(r.found)
		read(n, path)
		*to = seen{n, len(r.found) > before}
	}
}

// cutoffs compares k, at_k and depth with each other.
func (r *reader) cutoffs(e Experiment, k, atK, depth seen) {
	if k.bad {
		return
	}
	if !atK.bad && !slices.Contains(e.K, e.AtK) {
		r.report(atK.node.at, finding.Finding{Code: CodeValue, Message: fmt.Sprintf("at_k: %d is not one of k", e.AtK),
			Expected: fmt.Sprintf("one of %v", e.K), Found: fmt.Sprint(e.AtK), Paste: fmt.Sprintf("at_k: %d", slices.Max(e.K))})
	}
	if last := slices.Max(e.K); !depth.bad && last > e.Depth {
		n := k.node
		if depth.node != nil {
			n = depth.node
		}
		r.report(n.at, finding.Finding{Code: CodeValue, Message: fmt.Sprintf("k: %d is beyond depth: %d, the number of hits that are ranked", last, e.Depth),
			Expected: "depth of at least the largest k", Found: fmt.Sprint(e.Depth), Paste: fmt.Sprintf("depth: %d", last)})
	}
}

func (r *reader) budget(n *node, path string, b *Budget) {
	r.fields(n, path, nil,
		field{"tokens", r.integer(&b.Tokens, 0, maxBudget)},
		field{"tokenizer", r.tokenizer(&b.Tokenizer)},
		field{"allowance", r.integer(&b.Allowance, 0, maxBudget)},
		field{"output", r.integer(&b.Output, 0, maxBudget)},
		field{"overflow", r.choice(&b.Overflow, overflows)},
		field{"format", r.choice(&b.Format, formats)},
		field{"curve", func(n *node, path string) {
			if n.kind == list && len(n.elems) == 0 {
				return
			}
			r.integers(&b.Curve, 1, maxBudget)(n, path)
			slices.Sort(b.Curve)
		}},
	)
}

// phases reads `all`, `{all: true}` or `{grid: N}`.
func (r *reader) phases(n *node, path string, p *Phases) {
	const expected = "all or {grid: N}"
	if n.kind == scalar && n.text == "all" {
		p.All, p.Grid = true, 0
		return
	}
	if n.kind != mapping {
		paste := ""
		if v, ok := n.whole(); ok && v > 0 {
			paste = fmt.Sprintf("{grid: %d}", v)
		}
		r.value(n, path, expected, paste)
		return
	}
	chosen := Phases{Target: p.Target}
	before := len(r.found)
	r.fields(n, path, []string{"scope"},
		field{"target", r.choice(&chosen.Target, targets)},
		field{"grid", r.integer(&chosen.Grid, 1, maxSize)},
		field{"all", func(n *node, path string) {
			if chosen.All = n.kind == scalar && !n.quoted && n.text == "true"; !chosen.All {
				r.value(n, path, "true", "true")
			}
		}})
	switch {
	case len(r.found) > before:
	case !chosen.All && chosen.Grid == 0 && chosen.Target != p.Target: // target alone: the default grid
		p.Target = chosen.Target
	case chosen.All == (chosen.Grid > 0): // both, or neither
		r.report(n.at, finding.Finding{Code: CodeValue, Message: path + " is not " + expected, Expected: expected, Found: fmt.Sprintf("%d of the two keys", len(n.members))})
	default:
		*p = chosen
	}
}

// baseline finds the arm that others are compared with: by default the first.
// Without the whole list of arms it cannot be missed.
func (r *reader) baseline(b seen, e *Experiment, whole bool) {
	var names []string
	for _, a := range e.Arms {
		names = append(names, a.Name)
	}
	switch {
	case b.node == nil && len(names) > 0:
		e.Baseline = names[0]
	case b.node != nil && !b.bad && whole && !slices.Contains(names, e.Baseline):
		r.report(b.node.at, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("baseline %s is no arm", excerpt(e.Baseline)),
			Expected: "the name of an arm", Found: b.node.written(), Hint: finding.DidYouMean(e.Baseline, names)})
	}
}
