package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"

	"kerf/internal/study/compare"
)

//go:embed report.html.tmpl
var pageText string

//go:embed report.css
var style string

// Timing is one clock reading of timings.json, ready to print. Clocks are no
// part of a result: the same run may print others.
type Timing struct{ What, Value, Method string }

// What one page holds at most, so that it stays below a megabyte.
const (
	maxWords   = 300_000 // bytes of questions and sources, as escaped
	maxListed  = 100     // lines of any list, questions among them
	maxRows    = 40      // arms in a table
	maxTitles  = 256     // points of a strip that carry a title
	maxPlacing = 32      // placements of which a question shows each verdict and every cut
)

// page is what the template draws.
type page struct {
	Style     template.CSS
	Policy    string
	Title     string
	Verdict   string
	Against   string
	Decides   string
	Identity  string
	Labels    string  // where the questions come from
	Wrong     []drawn // at most three
	Hard      []string
	HardOK    bool
	Flags     []string
	FlagsNot  int // flags that are not listed
	Arms      []table
	More      []table
	Strip     *strip
	Heat      *heat
	Curve     *curve
	Curves    table
	Stages    table
	Targets   table
	Segments  table
	Samples   table
	Moving    []drawn
	MovingNot int // questions that are listed in report.json alone
	Golden    table
	Costs     []table
	Timings   []Timing
	Reproduce table
	Notes     []string
}

// table is any table: cells of figures stand on the right.
type table struct {
	Caption, Note string
	Head          []string
	Rows          [][]cell
}

// Heads are the cells above, aligned as the columns below them.
func (t table) Heads() []cell {
	out := make([]cell, len(t.Head))
	for i, h := range t.Head {
		out[i] = cell{Text: h, Figure: len(t.Rows) > 0 && t.Rows[0][i].Figure}
	}
	return out
}

type cell struct {
	Text   string
	Sub    string // smaller, below
	Figure bool
}

// drawn is a question with its sources.
type drawn struct {
	ID, QID, Question, Arm, Verdict, Cut string
	Says, Shown, Lost                    []string
	Placements                           []compare.PhaseResult
	Sources                              []sourceText
	NoSource                             bool
}

type sourceText struct {
	Place    string
	Label    string
	Untraced bool
	Gone     bool
	Pieces   []piece
}

// HTML writes one self-contained page: no script, no request, light and dark,
// printable. Texts of documents and questions pass html/template alone. Timings
// and overlays may be nil.
func HTML(w io.Writer, r *compare.Report, overlays []compare.Overlay, timings []Timing) error {
	t, err := template.New("report").Parse(pageText)
	if err != nil {
		panic("BUG: report.html.tmpl: " + err.Error())
	}
	var b bytes.Buffer // a page is written whole or not at all
	if err := t.Execute(&b, newPage(r, overlays, timings)); err != nil {
		return fmt.Errorf("report.html: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

func newPage(r *compare.Report, overlays []compare.Overlay, timings []Timing) page {
	s := tell(r)
	sum := sha256.Sum256([]byte(style))
	p := page{
		Style:   template.CSS(style), // our own file, not a text of anybody else's
		Policy:  "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Title:   "kerf: run " + short(r.Run),
		Verdict: s.moving(), Against: s.against(), Decides: s.decides(), Identity: s.identity(), Labels: s.provenance(),
		HardOK: len(r.HardViolations) == 0, Hard: s.hard(),
		Flags: s.flags()[len(r.HardViolations):],
		Arms:  []table{s.evidence(), s.pairs("budget"), s.ranking()}, More: []table{s.readings(), s.topK(), s.pairs("top_k"), s.cuts()},
		Strip: newStrip(s), Heat: newHeat(s), Curve: newCurve(s), Curves: s.curves(), Stages: s.stages(), Targets: s.targets(), Segments: s.segments(), Samples: s.samples(),
		Golden: s.quality(), Costs: []table{s.once(), s.perQuery()}, Timings: timings, Reproduce: s.reproduce(),
		Notes: []string{
			sensitivity,
			"Lowest placement: " + stress + ".",
			resolution(s.questions()) + ": no smaller step exists in a figure over questions.",
			"n is questions. The placements of one question are never independent observations.",
		},
	}
	if s.questions() == 0 {
		p.Notes = p.Notes[:2]
	}
	if held := s.heldOut(); held != "" {
		p.Notes = append(p.Notes, strings.ToUpper(held[:1])+held[1:]+".")
	}
	for _, n := range s.notCounted() {
		p.Flags = append(p.Flags, "not counted: "+n)
	}
	if hidden := len(r.Arms) - maxRows; hidden > 0 {
		p.Flags = append(p.Flags, plural(hidden, "more arm in report.json", "more arms in report.json"))
	}
	if len(p.Flags) > maxListed {
		p.Flags, p.FlagsNot = p.Flags[:maxListed], len(p.Flags)-maxListed
	}
	p.Moving = drawings(s, overlays)
	p.MovingNot = len(r.WorstQuestions) - len(p.Moving)
	for _, halves := range []bool{true, false} { // first those of which one span is shown and another is not
		for i, d := range p.Moving {
			half := len(r.WorstQuestions[i].Shown) > 0 && len(r.WorstQuestions[i].Lost) > 0
			if len(p.Wrong) < 3 && half == halves && len(d.Says) > 0 && len(d.Lost) > 0 {
				p.Wrong = append(p.Wrong, d.short())
			}
		}
	}
	return p
}

// short is d for a card: its sources have the whole texts.
func (d drawn) short() drawn {
	const quotes, wide = 4, 240 // columns
	for _, list := range []*[]string{&d.Says, &d.Shown, &d.Lost} {
		var out []string
		for i, q := range *list {
			if i == quotes {
				out[i-1] += " […] (" + plural(len(*list)-quotes, "more piece", "more pieces") + ")"
				break
			}
			out = append(out, clip(q, wide))
		}
		*list = out
	}
	return d
}

// drawings are the listed questions with their overlays, as many as fit.
func drawings(s story, overlays []compare.Overlay) []drawn {
	type key struct{ qid, arm string }
	of := map[key][]*compare.Overlay{}
	for i := range overlays {
		k := key{overlays[i].QID, overlays[i].Arm}
		of[k] = append(of[k], &overlays[i])
	}
	var out []drawn
	room := maxWords
	fits := func(text string) bool {
		room -= len(template.HTMLEscapeString(text))
		return room >= 0
	}
	for i, q := range s.WorstQuestions {
		if i == maxListed || !fits(q.Question+q.Question) {
			break
		}
		d := drawn{ID: fmt.Sprintf("w%d", i+1), QID: q.QID, Question: q.Question, Arm: q.Arm,
			Verdict: fmt.Sprintf("whole in %d of %s", q.Hits, plural(q.Phases, "placement", "placements"))}
		if s.unadjudicated(q.QID) {
			d.Verdict += "; unadjudicated: no second person has decided which spans it needs"
		}
		switch {
		case q.Hits == q.Phases:
		case q.Cut == nil:
			d.Cut = fmt.Sprintf("At placement %s no cut falls inside its evidence: a chunk that holds it was not shown.", q.Label)
		case q.Cut.Span == "":
			d.Cut = fmt.Sprintf("At placement %s a cut falls between two spans of its evidence: %s, before byte %d.", q.Label, q.Cut.Place(), q.Cut.At)
		default:
			d.Cut = fmt.Sprintf("At placement %s a cut falls inside its evidence %s: %s, before byte %d of [%d,%d).", q.Label, q.Cut.Span, q.Cut.Place(), q.Cut.At, q.Cut.Start, q.Cut.End)
		}
		for _, o := range of[key{q.QID, q.Arm}] {
			if len(o.Placement) <= maxPlacing {
				d.Placements = o.Placement
			}
			if o.Gone {
				d.Sources = append(d.Sources, sourceText{Place: o.Path, Label: o.Label, Gone: true})
				continue
			}
			if !fits(o.Text + o.Text) { // drawn, and quoted
				d.Sources, d.NoSource = nil, true
				break
			}
			d.Sources = append(d.Sources, sourceText{o.Place(), o.Label, o.Untraced, false, pieces(o)})
			d.says(&q, o)
		}
		out = append(out, d)
	}
	return out
}

// says adds what the document says, what of it the model was shown, and what not.
func (d *drawn) says(q *compare.WorstQuestion, o *compare.Overlay) {
	evidence := concerns(q, o)
	for _, e := range evidence {
		d.Says = append(d.Says, quoted(o, e))
	}
	for _, s := range places(evidence).Intersect(packed(o)) {
		d.Shown = append(d.Shown, strings.TrimSpace(excerpt(o, s)))
	}
	for _, s := range unshown(q, o) {
		d.Lost = append(d.Lost, strings.TrimSpace(excerpt(o, s)))
	}
}
