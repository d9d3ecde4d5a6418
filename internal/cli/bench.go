package cli

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kerf/internal/pipeline/engine"
	"kerf/internal/report"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
)

// benchOutput is bench/1.
type benchOutput struct {
	Kerf        string        `json:"kerf"`
	Version     string        `json:"version"`
	Began       string        `json:"began"` // RFC 3339, UTC
	Machine     machine       `json:"machine"`
	Corpus      string        `json:"corpus"` // digest
	Golden      string        `json:"golden"` // digest
	Questions   int           `json:"questions"`
	Depth       int           `json:"depth"`
	Rounds      int           `json:"rounds"`  // complete ones
	Planned     int           `json:"planned"` // rounds
	WarmUp      int           `json:"warm_up"`
	Concurrency int           `json:"concurrency"`
	Cache       string        `json:"cache"`
	Order       string        `json:"order"`
	Method      string        `json:"method"`
	Stopped     string        `json:"stopped"` // why rounds are missing
	Arms        []benchArm    `json:"arms"`
	NotMeasured []notMeasured `json:"not_measured"`
}

type benchArm struct {
	Arm      string   `json:"arm"`
	By       string   `json:"by"`
	Engine   string   `json:"engine,omitempty"` // of an arm that another engine ranks for
	Model    string   `json:"model,omitempty"`
	Chunks   int      `json:"chunks"`
	Index    float64  `json:"index_ms"`
	Requests int      `json:"requests"` // answered
	Failed   int      `json:"failed"`
	Latency  *latency `json:"latency_ms,omitempty"` // nil: no request was answered
}

// latency is milliseconds, percentiles by nearest rank.
type latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

type notMeasured struct {
	Arm string `json:"arm"`
	Why string `json:"why"`
}

func (a *app) newBench() *cobra.Command {
	var rounds, warmUp int
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Latencies that may be compared: the arms as they would be deployed",
		Long: `Time the arms of kerf.yaml as they would be deployed: each with an index of its
own at the ordinary cuts, all asked the same questions in the same order, one
request at a time, in turns. Writes timings.json (bench/1); no report holds times.

Exit: 0 measured, 2 trouble, 4 measured in part.`,
		Example: "  kerf -C kerf-demo bench --rounds 20",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if rounds < 1 {
				return usage("--rounds %d: expected a number from 1", rounds)
			}
			if warmUp < 0 {
				return usage("--warm-up %d: expected a number from 0", warmUp)
			}
			if err := a.kinds("bench", ".json"); err != nil {
				return err
			}
			if len(a.outputs) == 0 {
				a.outputs = []string{"timings.json"}
			}
			p, err := a.project()
			if err != nil {
				return err
			}
			return a.bench(cmd.Context(), p, rounds, warmUp)
		},
	}
	f := cmd.Flags()
	f.IntVar(&rounds, "rounds", 5, "timed rounds: every question to every arm")
	f.IntVar(&warmUp, "warm-up", 1, "rounds before them that are not timed")
	return cmd
}

// deployed is an arm with its index and its clocks.
type deployed struct {
	*sweep.Deployed
	arm    plan.Arm
	engine engine.Engine // nil: kerf ranks
	index  time.Duration
	rounds [][]time.Duration // of the timed rounds: of each answered request
	failed []int             // by timed round
}

func (a *app) bench(ctx context.Context, p *project, rounds, warmUp int) error {
	began := a.Now()
	out := benchOutput{Kerf: "bench/1", Version: Version, Began: began.UTC().Format(time.RFC3339), Machine: thisMachine(), Corpus: p.origin.Corpus, Golden: p.origin.Golden,
		Questions: len(p.asked), Depth: p.plan.Depth, Planned: rounds, WarmUp: warmUp, Concurrency: 1, Cache: "off",
		Order:  "question by question, every arm before the next one; who begins moves on by one with each question and round",
		Method: "wall clock of this process around each search, to the depth, filters applied; no packing, no verdicts. kerf's own BM25 holds postings of the questions' terms alone",
		Arms:   []benchArm{}, NotMeasured: []notMeasured{}}
	engines, end, err := a.hosts(ctx, p, "")
	if err != nil {
		return err
	}
	defer end()
	var arms []*deployed
	for _, arm := range p.plan.Arms {
		if arm.Rankings != "" {
			out.NotMeasured = append(out.NotMeasured, notMeasured{arm.Name, "its rankings come from a file"})
			continue
		}
		d, err := a.deploy(ctx, p, arm, engines)
		switch refused := (*engine.Refused)(nil); {
		case errors.As(err, &refused):
			out.NotMeasured = append(out.NotMeasured, notMeasured{arm.Name, err.Error()})
			continue
		case err != nil && !arm.Retrieve.Foreign():
			return err
		case err != nil:
			return a.hostless(arm, err)
		}
		defer d.Drop(context.WithoutCancel(ctx)) // what it answered is kept
		arms = append(arms, d)
	}
	if len(arms) == 0 {
		return usage("no arm can be timed: %s: %s", out.NotMeasured[0].Arm, out.NotMeasured[0].Why)
	}
	for round := -warmUp; round < rounds && out.Stopped == ""; round++ {
		out.Stopped = a.round(ctx, arms, round, len(p.asked), began)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if round >= 0 && out.Stopped == "" {
			out.Rounds++
		}
	}
	for _, d := range arms {
		out.Arms = append(out.Arms, d.clocks(out.Rounds))
	}
	if err := a.answer(out, func() error {
		_, err := fmt.Fprint(a.Stdout, benchText(out))
		return err
	}); err != nil {
		return err
	}
	a.next("run")
	if out.Stopped != "" || slices.ContainsFunc(out.NotMeasured, func(n notMeasured) bool { return engines[n.Arm] != nil }) {
		return exit(exitPart, nil)
	}
	return nil
}

// deploy indexes the corpus for an arm, over a study of its own: nothing is
// shared with the other arms.
func (a *app) deploy(ctx context.Context, p *project, arm plan.Arm, engines map[string]engine.Engine) (*deployed, error) {
	alone := *p
	alone.kin = nil
	s, err := alone.studyWith(engines)
	if err != nil {
		return nil, err
	}
	began := a.Now()
	d, err := s.Deploy(ctx, arm)
	return &deployed{Deployed: d, arm: arm, engine: engines[arm.Name], index: a.Now().Sub(began)}, err
}

// round asks every arm every question, once; round is negative where it is not
// timed. It is cut short with the reason.
func (a *app) round(ctx context.Context, arms []*deployed, round, questions int, began time.Time) (stopped string) {
	if round >= 0 {
		for _, d := range arms {
			d.rounds, d.failed = append(d.rounds, nil), append(d.failed, 0)
		}
	}
	n := len(arms)
	for q := range questions {
		for k := range n {
			d := arms[(max(round, 0)+q+k)%n]
			from := a.Now()
			if a.deadline > 0 && from.Sub(began) >= a.deadline {
				return "deadline"
			}
			_, err := d.Search(ctx, q)
			took := a.Now().Sub(from)
			refused := (*engine.Refused)(nil)
			switch {
			case ctx.Err() != nil:
				return "interrupted"
			case err != nil && !errors.As(err, &refused):
				return "arm " + d.arm.Name + ": " + err.Error()
			case round < 0:
			case err != nil:
				d.failed[round]++
			default:
				d.rounds[round] = append(d.rounds[round], took)
			}
		}
	}
	return ""
}

// clocks are the figures over the first so many rounds.
func (d *deployed) clocks(rounds int) benchArm {
	out := benchArm{Arm: d.arm.Name, By: d.arm.Retrieve.By, Chunks: d.Chunks(), Index: milliseconds(d.index)}
	if d.engine != nil {
		id := d.engine.Identity()
		out.Engine, out.Model = id.Name, id.Model
	}
	for i := range rounds {
		out.Requests += len(d.rounds[i])
		out.Failed += d.failed[i]
	}
	if out.Requests > 0 {
		out.Latency = d.percentiles(rounds)
	}
	return out
}

// percentiles by nearest rank over the first so many rounds, with a request in
// them.
func (d *deployed) percentiles(rounds int) *latency {
	taken := slices.Sorted(slices.Values(slices.Concat(d.rounds[:rounds]...)))
	at := func(percent int) float64 { return milliseconds(taken[(percent*len(taken)+99)/100-1]) }
	return &latency{at(50), at(95), at(99), at(100)}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func thisMachine() machine {
	return machine{runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), runtime.Version()}
}

// benchText is bench/1 as a table.
func benchText(out benchOutput) string {
	var b strings.Builder
	rows := [][]string{{"arm", "ranked by", "chunks", "index ms", "requests", "failed", "p50 ms", "p95 ms", "p99 ms"}}
	for _, arm := range out.Arms {
		by := arm.By
		if arm.Engine != "" {
			by = strings.TrimSpace(arm.Engine + " " + arm.Model)
		}
		row := []string{arm.Arm, by, report.Number(arm.Chunks), fmt.Sprintf("%.1f", arm.Index), report.Number(arm.Requests), report.Number(arm.Failed)}
		if l := arm.Latency; l != nil {
			for _, ms := range []float64{l.P50, l.P95, l.P99} {
				row = append(row, fmt.Sprintf("%.3f", ms))
			}
		} else {
			row = append(row, "-", "-", "-")
		}
		rows = append(rows, row)
	}
	report.Columns(&b, rows)
	for _, n := range out.NotMeasured {
		fmt.Fprintf(&b, "not measured: %s: %s\n", n.Arm, n.Why)
	}
	if out.Stopped != "" {
		fmt.Fprintf(&b, "stopped after %d of %s: %s\n", out.Rounds, counted(out.Planned, "round"), out.Stopped)
	}
	fmt.Fprintf(&b, "%s, %s after %d to warm up, one request at a time, arms in turns; %s/%s, %s\n",
		counted(out.Questions, "question"), counted(out.Rounds, "round"), out.WarmUp, out.Machine.OS, out.Machine.Arch, counted(out.Machine.Cores, "core"))
	if slices.ContainsFunc(out.Arms, func(arm benchArm) bool { return arm.Engine == "" }) {
		b.WriteString("kerf's own BM25 knows the questions beforehand: compare such arms with each other, not with a search engine\n")
	}
	return Escape(b.String())
}
