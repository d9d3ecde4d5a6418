package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"kerf/internal/chunks"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/study/compare"
	"kerf/internal/study/score"
)

// scoring is the flags of score.
type scoring struct {
	ks            []string
	chunks, qrels string
	locate        bool
	compat        string
}

func (a *app) newScore() *cobra.Command {
	var s scoring
	cmd := &cobra.Command{
		Use:   "score RANKINGS",
		Short: "What the rankings of any retriever are worth",
		Long: `Score rankings that another program made: rankings/1, in the order of the file,
against golden.jsonl and corpus.jsonl; or, with --qrels, a TREC run against
judgements, without any of these. Every hit is verified first, beyond any cut-off.

A question without a line is an error, an empty list a search that found nothing,
a failed search missing. A hit of an older version, or one that its reader may not
read, is a hard violation: it is listed first, and is evidence of nothing.

Exit: 0 scored, with hard violations too; 2 trouble.`,
		Example: "  kerf -C kerf-demo export trec ordinary && kerf -C kerf-demo score ordinary/run.txt --qrels ordinary/qrels.txt",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.kinds("score", ".json", ".csv"); err != nil {
				return err
			}
			ks, err := cutOffs(s.ks)
			if err != nil {
				return err
			}
			if len(ks) == 0 && cmd.Flags().Changed("k") {
				return usage("--k: an empty list")
			}
			if s.qrels != "" {
				return a.scoreTREC(args[0], s, ks)
			}
			if s.compat != "" && s.compat != "chroma" {
				return usage("--compat %s goes with a TREC run and its --qrels", s.compat)
			}
			return a.score(args[0], s, ks)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&s.ks, "k", nil, "`LIST` of cut-offs (default: those of kerf.yaml, else 1,3,5,10)")
	f.StringVar(&s.chunks, "chunks", "", "the chunks/1 `FILE` that the ids of hits and labels are of")
	f.StringVar(&s.qrels, "qrels", "", "the judgements `FILE` of a TREC run")
	f.BoolVar(&s.locate, "locate", false, "place hits of document and text alone, where the text stands exactly once")
	f.StringVar(&s.compat, "compat", "", "order and means of a TREC run as trec_eval, or trec_eval-c, makes them; chroma: the measures of Chroma's report")
	return cmd
}

// cutOffs reads --k: distinct whole numbers from 1.
func cutOffs(list []string) (ks []int, err error) {
	for _, word := range list {
		k, err := strconv.Atoi(word)
		if err != nil || k < 1 || strconv.Itoa(k) != word {
			return nil, usage("--k %s: expected whole numbers from 1, as in 1,3,5,10", word)
		}
		if slices.Contains(ks, k) {
			return nil, usage("--k: %d stands twice", k)
		}
		ks = append(ks, k)
	}
	return ks, nil
}

// scoreOutput is score/1.
type scoreOutput struct {
	score.Score
	LeftOut  []compare.LeftOut `json:"left_out"` // questions that are not asked
	Warnings finding.List      `json:"warnings"`
}

func (a *app) score(file string, flags scoring, ks []int) error {
	content, err := a.bounded(file, rankings.Most)
	if err != nil {
		return err
	}
	if first := bytes.TrimLeft(content, "\uFEFF \t\r\n"); len(first) > 0 && first[0] != '{' {
		return usage("%s: no rankings/1; a TREC run needs --qrels", file)
	}
	var of []byte
	if flags.chunks != "" {
		if of, err = a.bounded(flags.chunks, rankings.Most); err != nil {
			return err
		}
	}
	read := func(set *golden.Set, c *corpus.Corpus) (*rankings.File, finding.List) {
		var table *chunks.Table
		var found finding.List
		if flags.chunks != "" {
			if table, found = chunks.Read(flags.chunks, of, c); found.Errors() == 0 {
				found = append(found, golden.Place(set, table, c)...)
			} else if table.Lines == 0 { // no table: what ids it lacks says nothing
				return &rankings.File{}, found
			}
		}
		f, bad := rankings.Read(file, content, c, table, flags.locate)
		return f, append(found, bad...)
	}
	p, err := a.ask(asking{byID: true, alone: true, beside: func(in labelSet) finding.List {
		f, found := read(in.set, in.set.With(in.corpus))
		return append(found, f.Against(in.set.Questions)...)
	}})
	if err != nil {
		return err
	}
	atK := p.plan.AtK
	if ks == nil {
		ks = p.plan.K
	}
	if !slices.Contains(ks, atK) {
		atK = slices.Max(ks)
	}
	f, found := read(p.set, p.corpus)
	found = append(found, f.Against(p.asked)...)
	found = append(found, score.Check(f, p.asked)...)
	if err := a.sound(found, "scored"); err != nil {
		return err
	}
	if flags.compat != "" {
		return a.scoreCharacters(f, p, ks)
	}
	var s *score.Score
	next := "run"
	if score.ByID(p.asked) {
		next = "check"
		s = score.IDs(f, p.asked, p.corpus, p.plan.Reader, ks, atK)
	} else {
		s = score.Spans(f, p.asked, p.corpus, p.plan.Reader, ks, atK, p.plan.Ignorable == "strict")
	}
	if err := a.scored(s, p.leftOut, found); err != nil {
		return err
	}
	a.next(next)
	return nil
}

// sound prints findings with an error among them, and ends the command.
func (a *app) sound(found finding.List, verb string) error {
	n := found.Errors()
	if n == 0 {
		return nil
	}
	fmt.Fprintln(a.Stderr, Escape(found.Err().Error()))
	return usage("%s; nothing was %s", counted(n, "error"), verb)
}

// bounded reads a file up to one byte more than most, for its reader to refuse.
func (a *app) bounded(file string, most int) ([]byte, error) {
	f, err := os.Open(a.path(file))
	if err != nil {
		return nil, a.unread(a.path(file), err, "")
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(min(info.Size(), int64(most))) + bytes.MinRead) // read without growing
	}
	if _, err := b.ReadFrom(io.LimitReader(f, int64(most)+1)); err != nil {
		return nil, a.unread(a.path(file), err, "")
	}
	return b.Bytes(), nil
}

func (a *app) scored(s *score.Score, leftOut []compare.LeftOut, warnings finding.List) error {
	asked := 0
	for _, sample := range s.Samples {
		asked += sample.Questions
	}
	if s.Longer > 0 {
		warnings = append(warnings, finding.Finding{Code: score.CodeCutOff, Severity: finding.Warning, File: s.File,
			Message: fmt.Sprintf("%d of %d rankings go on after the reporting k, %d", s.Longer, asked, s.AtK),
			Hint:    "k is a cut-off of the ranking, not the context: report at the number of chunks that is put into the prompt (--k, or at_k in kerf.yaml)"})
	}
	out := scoreOutput{*s, append([]compare.LeftOut{}, leftOut...), append(finding.List{}, warnings...)}
	return a.tabular(out, out.sheet, func() error {
		_, err := io.WriteString(a.Stdout, Escape(scoreText(out)))
		return err
	})
}
