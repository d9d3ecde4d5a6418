package report

import (
	"fmt"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

// hard says how the hard constraints came out. Contexts are what is checked; what
// breaks one is a hit, which enters none of them.
func (s story) hard() []string {
	broken := map[string]int{}
	for _, v := range s.HardViolations {
		broken[v.Kind]++
	}
	contexts := plural(s.ContextsChecked, "context", "contexts")
	said := func(name, kind, hit, held string) string {
		if n := broken[kind]; n > 0 {
			return fmt.Sprintf("%s: %s %s, in none of %s%s.", name, plural(n, "hit", "hits"), hit, contexts, held)
		}
		return fmt.Sprintf("%s: 0 violations in %s%s.", name, contexts, held)
	}
	out := []string{
		said("Authorisation", "access", "that the reader may not read", ", each held against its own reader"),
		said("Pinned versions", "version", "of another version", ""),
	}
	if broken["within"] > 0 {
		out = append(out, said("Documents searched", "within", "outside of those that the question is limited to", ""))
	}
	for i, f := range s.flags()[:len(s.HardViolations)] {
		if i == maxListed {
			return append(out, plural(len(s.HardViolations)-i, "more in report.json", "more in report.json"))
		}
		out = append(out, f)
	}
	return out
}

// compared are the arms that the page looks at closely: baseline and candidate,
// or whatever there is.
func (s story) compared() []*compare.Arm {
	var out []*compare.Arm
	for _, a := range []*compare.Arm{s.base, s.candidate} {
		if a != nil {
			out = append(out, a)
		}
	}
	if len(out) == 0 && len(s.Arms) > 0 {
		out = append(out, &s.Arms[0])
	}
	return out
}

func (s story) segments() table {
	t := table{
		Caption: "By segment and by dependency",
		Note:    s.primary() + ". A question may have several dependencies.",
		Head:    []string{"segment", "sample", "configuration", "questions", "ordinary cuts", "lowest placement", "come and go (flips)", "disagreement"},
	}
	arms := s.compared()
	if len(arms) == 0 {
		return t
	}
	for _, g := range arms[0].Segments {
		for _, a := range arms {
			if len(t.Rows) == maxListed {
				return t
			}
			row := []cell{text(segmentName(g)), text(g.Sample), text(called(a)), figure(number(g.Questions), "")}
			t.Rows = append(t.Rows, append(row, segmentCells(find(a.Segments, g))...))
		}
	}
	return t
}

func segmentName(g compare.Segment) string {
	switch {
	case g.Dependency != "":
		return "dependency: " + strings.ReplaceAll(g.Dependency, "_", " ")
	case g.Segment != "":
		return strings.ReplaceAll(g.Segment, "_", " ")
	}
	return "no segment"
}

// find is the segment like g in another arm; nil if there is none.
func find(in []compare.Segment, g compare.Segment) *compare.Segment {
	for i := range in {
		if in[i].Segment == g.Segment && in[i].Dependency == g.Dependency && in[i].Sample == g.Sample {
			return &in[i]
		}
	}
	return nil
}

// segmentCells is ordinary cuts, lowest placement, flips and disagreement.
func segmentCells(g *compare.Segment) []cell {
	none := figure(stats.NotMeasured, "")
	switch {
	case g == nil:
		return []cell{none, none, none, none}
	case g.Ordinary.Den == 0:
		none = figure("undefined", fmt.Sprintf("0/%d answerable", g.Questions))
		return []cell{none, none, none, none}
	}
	return []cell{count(g.Ordinary), lowest(g.Worst), figure(flips(g.Flips), ""), figure(disagreement(g.Disagreement), "")}
}

func (s story) samples() table {
	t := table{
		Caption: "Samples, never pooled",
		Head:    []string{"configuration", "sample", "questions", "ordinary cuts", "lowest placement", "come and go (flips)", "disagreement"},
	}
	switch {
	case s.Sample == "enriched":
		t.Note = "This set has enriched questions only: no figure describes a usual mix of questions."
	default:
		t.Note = "A figure of this page that names no sample is over the " + s.Sample + " one."
	}
	for i := range s.Arms {
		for _, g := range s.Arms[i].Samples {
			if len(t.Rows) < maxListed {
				t.Rows = append(t.Rows, append([]cell{text(called(&s.Arms[i])), text(g.Sample), figure(number(g.Questions), "")}, segmentCells(&g)...))
			}
		}
	}
	return t
}

// mostNames is how many authors, methods or origins a page lists.
const mostNames = 20

// provenance says beside the headline where its questions come from: origin,
// author, method, review and adjudication (S3-003, S2-007).
func (s story) provenance() string {
	g := &s.Golden
	if g.Questions == 0 {
		return ""
	}
	of := func(n int) string { return fmt.Sprintf("%d/%d", n, g.Questions) }
	mix := func(name string, m map[string]int, most int) string {
		var out []string
		for i, k := range keys(m) {
			if i == most {
				out = append(out, plural(len(m)-most, "other", "others"))
				break
			}
			out = append(out, clip(line(strings.ReplaceAll(k, "_", " ")), 60)+" "+of(m[k]))
		}
		if len(out) == 0 {
			out = []string{"not stated"}
		}
		return name + ": " + strings.Join(out, ", ")
	}
	review := "reviewed by a person: none of " + number(g.Questions)
	if len(g.Review) > 0 {
		review = mix("reviewed by a person", g.Review, 4)
	}
	return fmt.Sprintf("Labels: %s; %s; %s; %s; unadjudicated: %s.", mix("origin", g.Origin, 5), mix("author", g.Author, 2), mix("method", g.Method, 1), review, of(g.Adjudication["unadjudicated"])) + s.overlap()
}

// overlap is the mean word overlap of question and evidence per origin, the most
// frequent first.
func (s story) overlap() string {
	var out []string
	for _, origin := range keys(s.Golden.Origin) {
		if sum, ok := s.Golden.Overlap[origin]; ok {
			out = append(out, clip(line(origin), 40)+" "+mean(sum, 2))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " Share of a question's words found in its evidence, mean: " + strings.Join(out, ", ") + "."
}

// quality says how far the labels reach.
func (s story) quality() table {
	g := &s.Golden
	t := table{Caption: "The golden set", Head: []string{"what", "questions"}}
	row := func(what string, n int) {
		t.Rows = append(t.Rows, []cell{text(what), figure(fmt.Sprintf("%d/%d", n, g.Questions), "")})
	}
	row("answerable", g.Answerable)
	row("unanswerable controls", g.Unanswerable)
	for _, group := range []struct {
		name string
		of   map[string]int
	}{{"origin", g.Origin}, {"sample", g.Sample}, {"dependency", g.Dependency}, {"author", g.Author}, {"method", g.Method}, {"reviewed", g.Review}, {"adjudication", g.Adjudication}} {
		for i, k := range keys(group.of) {
			if i == mostNames {
				t.Rows = append(t.Rows, []cell{text(group.name + ": " + plural(len(group.of)-mostNames, "more name", "more names")), text("in report.json")})
				break
			}
			row(group.name+": "+strings.ReplaceAll(k, "_", " "), group.of[k])
		}
	}
	t.Note = fmt.Sprintf("%s tied by shared documents.", plural(g.Clusters, "cluster of questions", "clusters of questions"))
	if n := g.Origin["synthetic"]; n > 0 {
		t.Note += fmt.Sprintf(" %d of %d questions are synthetic: nobody asked them.", n, g.Questions)
	}
	if n := g.Adjudication["unadjudicated"]; n > 0 {
		t.Note += fmt.Sprintf(" %d of %d are unadjudicated: no second person has decided which sentences are necessary.", n, g.Questions)
	}
	return t
}

func (s story) once() table {
	return table{
		Caption: "Paid once: the index at the ordinary cuts",
		Note:    "Multiplier: indexed tokens over unique tokens. Limit: size / (size - overlap), edges ignored.",
		Head:    []string{"configuration", "indexed units", "unique source tokens", "repeated source tokens", "multiplier", "limit", "index bytes", "embedding tokens", "billed"},
		Rows: s.rows(func(a *compare.Arm) []cell {
			c := &a.Cost.Once
			return []cell{name(a), maybe(c.IndexedUnits), maybe(c.UniqueTokens), maybe(c.RepeatedTokens), figure(ratio(c.Multiplier), ""), figure(ratio(c.Limit), ""), maybe(c.IndexBytes), maybe(c.EmbeddingTokens), figure(words(c.Billed), "")}
		}),
	}
}

func (s story) perQuery() table {
	return table{
		Caption: "Paid per question",
		Note: fmt.Sprintf("Evidence in the context, of at most %s tokens. Beside it %s tokens are reserved for instructions and question, and %s for the answer.",
			number(s.Budget.Tokens), number(s.Budget.Allowance), number(s.Budget.Output)),
		Head: []string{"configuration", "context tokens, median", "context tokens, 95th percentile", "repeated tokens a context", "contexts left empty", "latency", "billed"},
		Rows: s.rows(func(a *compare.Arm) []cell {
			v := &a.Views.Budget
			p50, p95 := quantiles(v.ContextTokens)
			return []cell{name(a), p50, p95, figure(mean(v.RepeatedTokens, 1), ""), count(v.EmptyContexts), figure(words(a.Cost.PerQuery.Latency), ""), figure(words(a.Cost.PerQuery.Billed), "")}
		}),
	}
}

func (s story) cuts() table {
	return table{
		Caption: "The cuts alone",
		Note:    "No retrieval: how often evidence lies whole in one chunk, over every placement of the cuts.",
		Head:    []string{"configuration", "spans whole", "every span of a set whole", "a set in one chunk"},
		Rows: s.rows(func(a *compare.Arm) []cell {
			return []cell{name(a), intact(a.Geometry.SpansIntact), intact(a.Geometry.SetsIntact), intact(a.Geometry.HullIntact)}
		}),
	}
}

func intact(c stats.Maybe[stats.Count]) cell {
	if !c.Measured {
		return figure(stats.NotMeasured, "")
	}
	return count(c.Value)
}

func (s story) reproduce() table {
	t := table{Caption: "Reproduce", Head: []string{"what", "value"}}
	row := func(what, value string) { t.Rows = append(t.Rows, []cell{text(what), text(value)}) }
	row("command", s.Reproduce.Command)
	row("run", s.Run)
	row("kerf", s.Reproduce.Kerf)
	row("Unicode", s.Reproduce.Unicode)
	placements := fmt.Sprintf("%d placements of the cuts an arm (j/P)", s.Phases.Grid)
	if s.Phases.All {
		placements = "every placement of the cuts"
	}
	row("placements", placements)
	for _, i := range s.Reproduce.Inputs {
		row(i.Name, i.Digest)
	}
	return t
}
