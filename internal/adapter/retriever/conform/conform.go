// Package conform holds a host of retriever/1 against its page: rule by rule, with
// texts of its own. It also measures what is no rule: how much of a ranking changes
// when the same index is built again.
package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kerf/internal/adapter/retriever"
	"kerf/internal/pipeline/engine"
)

// Outcome of a check.
type Outcome string

const (
	Kept      Outcome = "ok"
	Failed    Outcome = "failed"
	NotJudged Outcome = "not judged" // an answer broke the rule of another check
	Ended     Outcome = "ended"      // the host died, hung or broke the protocol here
	NotAsked  Outcome = "not asked"  // it had ended
)

// Check is one rule. Detail is what was looked at, or what is wrong: texts of the
// host in it are not escaped.
type Check struct {
	Name    string  `json:"check"`
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail"`
}

// Noise is how much the rankings of one index differ from those of its rebuild, over
// the first K hits of Questions. It is no failure.
type Noise struct {
	Between   string `json:"between"`
	K         int    `json:"k"`
	Questions int    `json:"questions"`
	Differ    int    `json:"differ"` // questions whose hits or their order differ
	Both      int    `json:"both"`   // hits that both rankings have
	Hits      int    `json:"hits"`   // of the longer ranking of each question
}

// Own counts chunks that stand among the first K hits of their own text.
type Own struct {
	K     int `json:"k"`
	Asked int `json:"asked"`
	Found int `json:"found"`
}

// Report is everything that was seen, in the order of the page.
type Report struct {
	Identity engine.Identity
	Checks   []Check
	Noise    []Noise
	Own      Own
}

// Worst is the worst outcome of all checks: Ended, Failed or Kept.
func (r *Report) Worst() Outcome {
	worst := Kept
	for _, c := range r.Checks {
		switch {
		case c.Outcome == Ended:
			return Ended
		case c.Outcome == Failed:
			worst = Failed
		}
	}
	return worst
}

// session is one conversation with a host.
type session struct {
	host   *retriever.Host
	report *Report
	ended  bool
	built  bool              // the index of the library
	own    string            // the rule that the running check is about, beside engine.RuleCount
	broken map[string]string // rule: its first break
	asked  int               // searches that were answered
}

// errElsewhere says that an answer broke the rule of another check.
var errElsewhere = errors.New("an answer broke a rule that is listed by itself")

const libraryIndex = "kerf-doctor"

const orderRule = "order"

// Run holds a host against every rule. open begins a conversation; it is called
// twice. The error is one of open that says that there is no host at all, or of ctx.
func Run(ctx context.Context, open func(context.Context) (*retriever.Host, error)) (*Report, error) {
	s := &session{report: &Report{}, broken: map[string]string{}}
	var failure *retriever.Failure
	var err error
	if s.host, err = open(ctx); err != nil && !errors.As(err, &failure) {
		return nil, err
	}
	s.check("hello", "", func() (string, error) { return "one version in common", err })
	if err == nil {
		s.report.Identity = s.host.Identity()
		defer func() {
			if s.host != nil {
				_ = s.host.Close(ctx)
			}
		}()
	}
	library, asked := library(), questions()
	var first, rebuilt, restarted [][]string
	s.check("index", "", func() (string, error) {
		err := s.host.Index(ctx, libraryIndex, "doctor", "8/8", library)
		s.built = err == nil
		return fmt.Sprintf("%d chunks in batches of at most 256 are counted", len(library)), err
	})
	s.check("determinism", "", func() (detail string, err error) {
		if first, err = s.ask(ctx, libraryIndex, asked); err != nil {
			return "", err
		}
		again, err := s.ask(ctx, libraryIndex, asked)
		if err != nil {
			return "", err
		}
		if n := noise("", first, again); n.Differ > 0 {
			return "", fmt.Errorf("expected the same hits when a question is asked twice, found others in %d of %d questions", n.Differ, n.Questions)
		}
		return fmt.Sprintf("%d questions asked twice have the same hits", len(asked)), nil
	})
	s.check("filters", engine.RuleFilter, func() (string, error) { return s.filters(ctx, asked) })
	s.check("deletes", engine.RuleKnown, func() (string, error) { return s.deletes(ctx, library[:40]) })
	s.check("side by side", engine.RuleKnown, func() (string, error) { return s.sideBySide(ctx, library[:40], library[40:80]) })
	s.check("texts", "", func() (string, error) { return s.texts(ctx, library[:40]) })
	s.check("nothing to find", "", func() (string, error) { return s.nothing(ctx) })
	s.check("empty index", engine.RuleKnown, func() (string, error) {
		if err := s.host.Index(ctx, "kerf-doctor-none", "doctor", "1/8", nil); err != nil {
			return "", err
		}
		_, err := s.ask(ctx, "kerf-doctor-none", asked[:1])
		return "an index of no chunks is built, and has no hits", errors.Join(err, s.drop(ctx, err, "kerf-doctor-none"))
	})
	s.check("long chunk", "", func() (string, error) {
		if err := s.host.Index(ctx, "kerf-doctor-long", "doctor", "1/8", long()); err != nil {
			return "", err
		}
		_, err := s.ask(ctx, "kerf-doctor-long", []engine.Query{{QID: "long", Text: "a lighthouse", K: 10}})
		return "a chunk of 1 MiB is indexed", errors.Join(err, s.drop(ctx, err, "kerf-doctor-long"))
	})
	s.check("rebuild", "", func() (detail string, err error) {
		if err := s.host.Index(ctx, "kerf-doctor-again", "doctor", "8/8", library); err != nil {
			return "", err
		}
		if rebuilt, err = s.ask(ctx, "kerf-doctor-again", asked); err != nil {
			return "", err
		}
		if len(first) == len(asked) {
			s.report.Noise = append(s.report.Noise, noise("two builds side by side", first, rebuilt))
		}
		return "the same chunks are indexed twice, side by side", errors.Join(s.drop(ctx, nil, "kerf-doctor-again"), s.drop(ctx, nil, libraryIndex))
	})
	s.check("bye", "", func() (string, error) { return "the host ends by itself, with status 0", s.host.Close(ctx) })
	s.check("restart", "", func() (detail string, err error) {
		if s.host, err = open(ctx); err != nil {
			return "", err
		}
		if was, is := Describe(s.report.Identity), Describe(s.host.Identity()); was != is {
			return "", fmt.Errorf("expected what the first hello said, %s; found %s", was, is)
		}
		if err := s.host.Index(ctx, libraryIndex, "doctor", "8/8", library); err != nil {
			return "", err
		}
		if restarted, err = s.ask(ctx, libraryIndex, asked); err != nil {
			return "", err
		}
		if len(first) == len(asked) {
			s.report.Noise = append(s.report.Noise, noise("before and after a restart", first, restarted))
		}
		return "name, model, settings and capabilities are the same after a restart", errors.Join(s.drop(ctx, nil, libraryIndex), s.host.Close(ctx))
	})
	s.answers()
	return s.report, ctx.Err()
}

// check runs one check; own is the rule whose break it is about.
func (s *session) check(name, own string, run func() (string, error)) {
	c := Check{Name: name, Outcome: NotAsked}
	if !s.ended {
		s.own = own
		detail, err := run()
		var failure *retriever.Failure
		switch {
		case err == nil:
			c.Outcome, c.Detail = Kept, detail
		case errors.As(err, &failure):
			c.Outcome, c.Detail, s.ended = Ended, failure.Error(), true
		case errors.Is(err, errElsewhere):
			c.Outcome, c.Detail = NotJudged, errElsewhere.Error()
		default:
			c.Outcome, c.Detail = Failed, err.Error()
		}
	}
	s.report.Checks = append(s.report.Checks, c)
}

// answers adds the rules that every answer must keep, behind hello and index.
func (s *session) answers() {
	var rules []Check
	for _, rule := range []struct{ rule, name, detail string }{
		{engine.RuleKnown, "known ids", "%d answers name chunks of their index alone"},
		{engine.RuleRepeated, "unique ids", "%d answers name no chunk twice"},
		{engine.RuleK, "k", "%d answers have no more hits than were asked for"},
		{orderRule, "order", "%d answers have scores that never rise"},
	} {
		c := Check{rule.name, Kept, fmt.Sprintf(rule.detail, s.asked)}
		if why, ok := s.broken[rule.rule]; ok {
			c.Outcome, c.Detail = Failed, why
		} else if s.asked == 0 {
			c.Outcome, c.Detail = NotAsked, ""
		}
		rules = append(rules, c)
	}
	s.report.Checks = slices.Insert(s.report.Checks, 2, rules...)
}

// ask puts questions to an index and gives the ids of their hits. A broken rule of
// answers is kept for its own check, but for one that the running check is about.
func (s *session) ask(ctx context.Context, index string, asked []engine.Query) ([][]string, error) {
	if index == libraryIndex && !s.built {
		return nil, errElsewhere
	}
	var out [][]string
	for _, q := range asked {
		hits, err := s.host.Search(ctx, index, q)
		var refused *engine.Refused
		switch {
		case err == nil:
		case errors.As(err, &refused) && refused.Rule != "" && refused.Rule != s.own:
			s.breaks(refused.Rule, err.Error())
			return nil, errElsewhere
		default:
			return nil, err
		}
		s.asked++
		ids := []string{}
		for i, h := range hits {
			if i > 0 && h.Score > hits[i-1].Score {
				s.breaks(orderRule, fmt.Sprintf("question %s: expected the best first, found a score of %v after %v (place %d)", q.QID, h.Score, hits[i-1].Score, i+1))
			}
			ids = append(ids, h.ID)
		}
		out = append(out, ids)
	}
	return out, nil
}

func (s *session) breaks(rule, why string) {
	if _, ok := s.broken[rule]; !ok {
		s.broken[rule] = why
	}
}

// drop forgets an index where the host can still be asked.
func (s *session) drop(ctx context.Context, err error, index string) error {
	if err != nil {
		return nil
	}
	return s.host.Drop(ctx, index)
}

// noise compares the rankings of the same questions.
func noise(between string, a, b [][]string) Noise {
	n := Noise{Between: between, K: 10, Questions: len(a)}
	for i := range a {
		if !slices.Equal(a[i], b[i]) {
			n.Differ++
		}
		for _, id := range a[i] {
			if slices.Contains(b[i], id) {
				n.Both++
			}
		}
		n.Hits += max(len(a[i]), len(b[i]))
	}
	return n
}

// Describe is an identity in one line.
func Describe(i engine.Identity) string {
	out := i.Name
	if i.Model != "" {
		out += ", model " + i.Model
	}
	if i.Settings != "" {
		out += ", settings " + i.Settings
	}
	if len(i.Capabilities) > 0 {
		out += ", capabilities " + strings.Join(i.Capabilities, ", ")
	}
	return out
}
