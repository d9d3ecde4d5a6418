package cli

import (
	"bytes"
	"io"
	"os"
	"slices"

	"kerf/internal/adapter/trec"
	"kerf/internal/study/score"
)

func (a *app) scoreTREC(file string, flags scoring, ks []int) error {
	if flags.chunks != "" || flags.locate {
		return usage("--qrels is for a TREC run, whose hits are ids: neither --chunks nor --locate goes with it")
	}
	order, others := trec.ByScore, score.TrecEval
	switch flags.compat {
	case "":
		order, others = trec.AsWritten, score.Both
	case "trec_eval":
	case "trec_eval-c":
		others = score.Complete
	default:
		return usage("--compat %s: %s", flags.compat, meant(flags.compat, []string{"trec_eval", "trec_eval-c"}))
	}
	if ks == nil {
		ks = []int{1, 3, 5, 10}
	}
	judged, closeJudged, err := a.seekable(flags.qrels)
	if err != nil {
		return err
	}
	defer closeJudged()
	ranked, closeRanked, err := a.seekable(file)
	if err != nil {
		return err
	}
	defer closeRanked()
	qrels, bad, err := trec.ReadQrels(flags.qrels, judged)
	if err != nil {
		return a.unread(a.path(flags.qrels), err, "")
	}
	run, found, err := trec.ReadRun(file, ranked, order, qrels)
	if err != nil {
		return a.unread(a.path(file), err, "")
	}
	found = append(found, bad...)
	if err := a.sound(found, "scored"); err != nil {
		return err
	}
	pairs := trec.Pairs(run, qrels)
	if others == score.Both {
		found = append(found, trec.Check(run, qrels, pairs)...)
		if err := a.sound(found, "scored"); err != nil {
			return err
		}
	}
	s := score.TREC(run, pairs, order, others, ks, slices.Max(ks), a.format != "text" || len(a.outputs) > 0)
	if s.Questions == 0 {
		return usage("%s and %s have no query in common", file, flags.qrels)
	}
	return a.scored(s, nil, found)
}

// seekable opens a file that is read a window at a time. What is no regular file
// cannot be read twice: it comes into memory.
func (a *app) seekable(file string) (src io.ReadSeeker, done func() error, err error) {
	f, err := os.Open(a.path(file))
	if err != nil {
		return nil, nil, a.unread(a.path(file), err, "")
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return f, f.Close, nil
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, trec.Most+1))
	if err != nil {
		return nil, nil, a.unread(a.path(file), err, "")
	}
	return bytes.NewReader(content), func() error { return nil }, nil
}
