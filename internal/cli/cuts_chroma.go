package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kerf/internal/golden"
	"kerf/internal/report"
	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/geometry"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
	"kerf/internal/verdict"
)

// omegaOutput is cuts-chroma/1.
type omegaOutput struct {
	Kerf    string     `json:"kerf"`
	Measure string     `json:"measure"`
	Unit    string     `json:"unit"`
	Arms    []omegaArm `json:"arms"`
}

type omegaArm struct {
	Arm       string          `json:"arm"`
	Sample    string          `json:"sample"` // samples are never pooled
	Chunks    int             `json:"chunks"`
	Elsewhere int             `json:"elsewhere"`
	Exact     stats.Spread    `json:"exact"`
	Imitated  stats.Spread    `json:"imitated"`
	Questions []omegaQuestion `json:"questions"`
}

type omegaQuestion struct {
	QID      string        `json:"qid"`
	Exact    verdict.Areas `json:"exact"`
	Imitated verdict.Areas `json:"imitated"`
}

// omega measures the ordinary cuts of each arm by Chroma's precision_omega.
func (a *app) omega(ctx context.Context, p *project, arms []plan.Arm) error {
	s, err := p.study()
	if err != nil {
		return err
	}
	var texts []string
	for _, d := range p.corpus.Documents {
		texts = append(texts, d.Text)
	}
	out := omegaOutput{Kerf: "cuts-chroma/1", Measure: "precision_omega", Unit: "codepoint", Arms: []omegaArm{}}
	for _, arm := range arms {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if arm.Rankings != "" { // nothing was cut by it
			continue
		}
		name, cut, err := chunked(p, s, arm)
		if err != nil {
			return err
		}
		for _, sample := range []string{golden.Representative, golden.Enriched} {
			var evidence []verdict.Evidence
			of := omegaArm{Arm: name, Sample: sample, Questions: []omegaQuestion{}}
			for _, q := range s.Questions {
				if q.Sample == sample && !q.Unanswerable {
					evidence, of.Questions = append(evidence, q.Evidence), append(of.Questions, omegaQuestion{QID: q.QID})
				}
			}
			if len(evidence) == 0 && sample != golden.Headline(p.asked) {
				continue
			}
			o := geometry.TakeOmega(texts, cut, evidence)
			of.Chunks, of.Elsewhere = o.Chunks, o.Elsewhere
			of.Exact, of.Imitated = spread(o.Exact), spread(o.Imitated)
			for i := range of.Questions {
				of.Questions[i].Exact, of.Questions[i].Imitated = o.Exact[i], o.Imitated[i]
			}
			out.Arms = append(out.Arms, of)
		}
	}
	if len(out.Arms) == 0 {
		return usage("no arm of the experiment cuts anything; --size 256,512 names some that do")
	}
	return a.answer(out, func() error { return a.omegaText(out) })
}

// chunked is an arm's name and the chunks of its ordinary cuts.
func chunked(p *project, s *sweep.Study, arm plan.Arm) (name string, cut []verdict.Ref, err error) {
	if arm.Split.By == "table" {
		of := slices.IndexFunc(p.brought, func(b broughtFile) bool { return b.arm == arm.Name && b.path == arm.Split.File })
		for _, c := range p.brought[of].table.Chunks {
			cut = append(cut, verdict.Ref{Doc: c.Doc, Span: c.Span})
		}
		return arm.Name, cut, nil
	}
	tables, err := s.Tables(arm.Split.Tokenizer)
	if err != nil {
		return "", nil, err
	}
	return cutsArm{arm.Split.Size, arm.Split.Overlap, arm.Split.Tokenizer}.name(), geometry.Ordinary(compare.Windows(arm), tables), nil
}

// spread is over the questions' IoU, each a rounded quotient.
func spread(areas []verdict.Areas) stats.Spread {
	var values []float64
	for _, a := range areas {
		values = append(values, float64(a.Found)/float64(a.Shown+a.Lost))
	}
	return stats.SpreadOf(values)
}

// meanSD prints a spread in percent.
func meanSD(s stats.Spread) string {
	if s.N == 0 {
		return stats.NotMeasured
	}
	return fmt.Sprintf("%.2f ± %.2f", 100*s.Mean.Value, 100*s.SD.Value)
}

func (a *app) omegaText(out omegaOutput) error {
	var b strings.Builder
	rows := [][]string{{"precision_omega, %", "questions", "chunks", "elsewhere", string(verdict.Exact), string(verdict.Imitated)}}
	for _, arm := range out.Arms {
		name := arm.Arm
		if arm.Sample != golden.Representative {
			name += ", " + arm.Sample
		}
		rows = append(rows, []string{name, fmt.Sprint(len(arm.Questions)), fmt.Sprint(arm.Chunks), fmt.Sprint(arm.Elsewhere), meanSD(arm.Exact), meanSD(arm.Imitated)})
	}
	report.Columns(&b, rows)
	b.WriteString(`mean ± standard deviation over questions, in code points, of the ordinary cuts: Chroma, "Evaluating Chunking".
exact: chunks where they are. imitated: as the published code has it; a chunk is where its text occurs first, without
a final full stop, and counts where it only touches a reference. elsewhere: chunks that this puts somewhere else.
recall, precision, IoU: not measured; they need a ranking (kerf score --compat chroma).
`)
	_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
	return err
}
