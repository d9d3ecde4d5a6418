package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"kerf/internal/adapter/retriever"
	"kerf/internal/chunks"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/pipeline/engine"
	"kerf/internal/rankings"
	"kerf/internal/study/compare"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
)

// broughtFile is a file that an arm brings.
type broughtFile struct {
	arm      string
	path     string
	table    *chunks.Table
	rankings *rankings.File
}

// reading gives the content of a file that an arm names, and its name for messages.
type reading func(file string) (content []byte, shown string, err error)

// fromHome reads files as they stand in the experiment's folder.
func (a *app) fromHome(home string) reading {
	return func(file string) ([]byte, string, error) {
		path := resolved(home, file)
		content, err := a.bounded(absolute(path), rankings.Most)
		return content, a.shown(path), err
	}
}

// brought reads the files that the arms of in bring, each once and against the
// documents c; problems of their content are findings.
func (a *app) brought(in *labelSet, c *corpus.Corpus, read reading) ([]broughtFile, error) {
	var out []broughtFile
	tables := map[string]*chunks.Table{}
	table := func(arm, file string) (*chunks.Table, error) {
		if file == "" {
			return nil, nil
		}
		if _, ok := tables[file]; !ok {
			content, shown, err := read(file)
			if err != nil {
				return nil, exit(exitTrouble, fmt.Errorf("arm %s: %w", arm, err))
			}
			t, found := chunks.Read(shown, content, c)
			tables[file] = t
			in.found = append(in.found, found...)
		}
		out = append(out, broughtFile{arm: arm, path: file, table: tables[file]})
		return tables[file], nil
	}
	for _, arm := range in.experiment.Arms {
		if _, err := table(arm.Name, arm.Split.File); err != nil {
			return nil, err
		}
		if arm.Rankings == "" {
			continue
		}
		ids, err := table(arm.Name, arm.Chunks)
		if err != nil {
			return nil, err
		}
		content, shown, err := read(arm.Rankings)
		if err != nil {
			return nil, exit(exitTrouble, fmt.Errorf("arm %s: %w", arm.Name, err))
		}
		f, found := rankings.Read(shown, content, c, ids, false)
		if found.Errors() == 0 && f.ByID {
			found = append(found, finding.Finding{Code: rankings.CodeNoID, Severity: finding.Error, File: shown,
				Message: "arm " + arm.Name + ": hits are ids alone, which name no place in a text", Expected: "chunks: FILE, the table of these ids", Hint: "chunks: chunks.jsonl"})
		}
		if found.Errors() == 0 && ids != nil && len(ids.Chunks) == ids.Lines { // else hits may be those of a chunk without a place
			found = append(found, f.Among(ids)...)
		}
		in.found = append(in.found, found...)
		out = append(out, broughtFile{arm: arm.Name, path: arm.Rankings, rankings: f})
	}
	return out, nil
}

// unranked are the questions that are asked and that an arm's rankings lack.
func unranked(files []broughtFile, asked []*golden.Question) finding.List {
	var out finding.List
	for _, f := range files {
		if f.rankings != nil {
			out = append(out, f.rankings.Against(asked)...)
		}
	}
	return out
}

// bringing is the files as their arms take them.
func bringing(files []broughtFile, arm string) sweep.Foreign {
	var out sweep.Foreign
	for _, f := range files {
		if f.arm != arm {
			continue
		}
		if f.table != nil {
			out.Table = f.table
		}
		if f.rankings != nil {
			out.Rankings = f.rankings
		}
	}
	return out
}

// inputs name the files with their digests, for the report.
func inputs(files []broughtFile) []compare.Input {
	var out []compare.Input
	for _, f := range files {
		if f.table != nil {
			out = append(out, compare.Input{Name: f.path, Digest: f.table.Digest})
		} else {
			out = append(out, compare.Input{Name: f.path, Digest: f.rankings.Digest})
		}
	}
	return out
}

// hosts are the engines of the arms, one for all arms that name the same, running
// until end is called. only names the one arm that is needed; "": all.
func (a *app) hosts(ctx context.Context, p *project, only string) (of map[string]engine.Engine, end func(), err error) {
	of = map[string]engine.Engine{}
	running := map[plan.Retrieve]*retriever.Host{}
	end = func() {
		for _, h := range running {
			// An interrupt has done its work by now and would not end one that hangs.
			bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), retriever.Default().End)
			_ = h.Close(bye) // what it answered is kept
			cancel()
		}
	}
	for _, arm := range p.plan.Arms {
		if !arm.Retrieve.Foreign() || only != "" && arm.Name != only {
			continue
		}
		h, ok := running[arm.Retrieve]
		if !ok {
			if h, err = a.host(ctx, arm.Retrieve, p.home); err != nil {
				end()
				return nil, nil, a.hostless(arm, err)
			}
			running[arm.Retrieve] = h
		}
		of[arm.Name] = h
	}
	return of, end, nil
}

// hostless is an arm whose engine cannot be asked: it may another time, unless the
// address or the command is none.
func (a *app) hostless(arm plan.Arm, err error) error {
	failure := (*retriever.Failure)(nil)
	if !errors.As(err, &failure) {
		return usage("arm %s: %v", arm.Name, err)
	}
	fmt.Fprintln(a.Stderr, Escape("kerf: arm "+arm.Name+": "+err.Error()+"; finished cells stay, and the same command goes on"))
	a.next(doctorOf(arm.Retrieve)...)
	return exit(exitPart, nil)
}

// doctorOf is what tells more of a host that failed.
func doctorOf(r plan.Retrieve) []string {
	switch {
	case r.Run != "":
		return []string{"doctor", "--retriever", r.Run}
	case r.URL != "":
		return []string{"doctor", "--retriever-url", r.URL}
	}
	return []string{"run"} // its address stands in the environment
}

func (a *app) host(ctx context.Context, r plan.Retrieve, dir string) (*retriever.Host, error) {
	limits := retriever.Default().Within(time.Duration(r.Timeout) * time.Second)
	if r.By == "command" {
		words, err := retriever.Words(r.Run)
		if err != nil {
			return nil, err
		}
		return retriever.Start(ctx, words, dir, limits)
	}
	server := retriever.Server{URL: r.URL, Offline: a.offline, Run: strings.ToLower(rand.Text()[:8])}
	for _, v := range []struct {
		name string
		to   *string
	}{{r.URLEnv, &server.URL}, {r.KeyEnv, &server.Key}} {
		if v.name != "" {
			if *v.to = a.Getenv(v.name); *v.to == "" {
				return nil, errors.New("the environment variable " + v.name + " is not set")
			}
		}
	}
	return retriever.Connect(ctx, server, limits)
}

// study is the project in the engine's terms, with what its arms bring; end stops
// the engines.
func (a *app) study(ctx context.Context, p *project, only string) (s *sweep.Study, end func(), err error) {
	engines, end, err := a.hosts(ctx, p, only)
	if err != nil {
		return nil, nil, err
	}
	if s, err = p.studyWith(engines); err != nil {
		end()
		return nil, nil, err
	}
	return s, end, nil
}

// studyWith is study with what the arms bring.
func (p *project) studyWith(engines map[string]engine.Engine) (*sweep.Study, error) {
	s, err := p.study()
	if err != nil {
		return nil, err
	}
	for _, arm := range p.plan.Arms {
		f := bringing(p.brought, arm.Name)
		f.Engine = engines[arm.Name]
		if arm.IsControl() || f.Engine != nil {
			s.Bring(arm, f)
		}
	}
	return s, nil
}

// absolute is a path that -C does not move any more.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
