package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"kerf/internal/adapter/retriever"
	"kerf/internal/adapter/retriever/conform"
	"kerf/internal/report"
	"kerf/internal/study/plan"
)

// doctorRetriever is the host of doctor/1 and what is no rule.
type doctorRetriever struct {
	Name         string          `json:"name"`
	Model        string          `json:"model"`
	Settings     string          `json:"settings"`
	Capabilities []string        `json:"capabilities"`
	Noise        []conform.Noise `json:"noise"`
	Own          conform.Own     `json:"own"`
}

// doctorHost holds a host against docs/format/retriever.md.
func (a *app) doctorHost(ctx context.Context, r plan.Retrieve, flag string) error {
	found, err := conform.Run(ctx, func(ctx context.Context) (*retriever.Host, error) { return a.host(ctx, r, a.dir) })
	if err != nil {
		return usage("%s: %v", flag, err)
	}
	out := doctorOutput{Kerf: "doctor/1", Checks: found.Checks, Retriever: &doctorRetriever{Name: found.Identity.Name, Model: found.Identity.Model,
		Settings: found.Identity.Settings, Capabilities: orEmpty(found.Identity.Capabilities), Noise: orEmpty(found.Noise), Own: found.Own}}
	if err := a.answer(out, func() error { return a.doctorRows(out) }); err != nil {
		return err
	}
	if n := len(found.Noise); n == 2 && found.Noise[1].Differ > 0 {
		a.say("the host does not rank the same after a restart: results of a run that is gone on with would not be those of one run")
	}
	switch found.Worst() {
	case conform.Ended:
		return exit(exitPart, nil)
	case conform.Failed:
		return exit(exitFindings, nil)
	}
	a.say("every rule of docs/format/retriever.md is kept")
	return nil
}

// doctorRows is doctor/1 as a table.
func (a *app) doctorRows(out doctorOutput) error {
	var b strings.Builder
	row := func(outcome, name, detail string) {
		detail = strings.ReplaceAll(strings.TrimSpace(detail), "\n", "\n"+strings.Repeat(" ", 27))
		fmt.Fprintln(&b, strings.TrimRight(fmt.Sprintf("%-10s %-15s %s", outcome, name, detail), " "))
	}
	if r := out.Retriever; r != nil && r.Name != "" {
		row("host", "", conform.Describe(r.identity()))
	}
	for _, c := range out.Checks {
		row(string(c.Outcome), c.Name, c.Detail)
	}
	if r := out.Retriever; r != nil {
		for _, n := range r.Noise {
			row("noise", "", fmt.Sprintf("%s: the first %d hits differ in %d of %s; %s of %s hits in both",
				n.Between, n.K, n.Differ, counted(n.Questions, "question"), report.Number(n.Both), report.Number(n.Hits)))
		}
		if r.Own.Asked > 0 {
			row("count", "", fmt.Sprintf("%d of %d chunks are among the first %d hits of their own text", r.Own.Found, r.Own.Asked, r.Own.K))
		}
	}
	_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
	return err
}

// seconds are a duration of whole seconds, as `timeout` of an arm has them.
func seconds(d time.Duration) (int, error) {
	if d < 0 || d%time.Second != 0 || d > time.Hour {
		return 0, usage("--timeout %s: expected whole seconds up to an hour, for example 120s", d)
	}
	return int(d / time.Second), nil
}
