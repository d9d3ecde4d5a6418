package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kerf/internal/finding"
)

// envName is the name of an environment variable.
var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// longest is the longest time that a host may be given for one request, in seconds.
const longest = 3600

// arm reads what an arm is: a split and a retrieval, or rankings.
func (r *reader) arm(m member, path string, a *Arm) {
	var split, size, retrieve, rankings, table, phases *node
	if m.value.kind == mapping && slices.ContainsFunc(m.value.members, func(k member) bool { return k.key.text == "rankings" }) {
		a.Split, a.Retrieve = Split{}, Retrieve{}
	}
	r.fields(m.value, path, laterArm,
		field{"split", func(n *node, path string) { split, size = n, r.split(n, path, &a.Split) }},
		field{"retrieve", func(n *node, path string) { retrieve = n; r.retrieve(n, path, &a.Retrieve) }},
		field{"rankings", func(n *node, path string) { rankings = n; r.text(&a.Rankings)(n, path) }},
		field{"chunks", func(n *node, path string) { table = n; r.text(&a.Chunks)(n, path) }},
		field{"phases", func(n *node, path string) { phases = n; r.moving(n, path, &a.Moving) }})
	clash := func(n *node, message, expected string) {
		if n != nil {
			r.report(n.at, finding.Finding{Code: CodeArm, Message: path + ": " + message, Expected: expected, Found: n.written()})
		}
	}
	switch {
	case m.value.kind != mapping:
	case rankings != nil:
		const why = "rankings are what a retriever has found; nothing is split, ranked or moved for them"
		clash(split, why, "no split")
		clash(retrieve, why, "no retrieve")
		clash(phases, why, "no phases")
	case split == nil && slices.ContainsFunc(m.value.members, func(k member) bool {
		return finding.DidYouMean(k.key.text, []string{"split", "rankings"}) != ""
	}): // said already
	case split == nil:
		r.missing(m.key.at, path+".split", "{by: tokens, size: 512}")
	case a.Split.By == "table":
		clash(phases, "the chunks of a table do not move", "no phases")
	case split.kind == mapping && size == nil && a.Split.By == "tokens":
		r.missing(split.at, path+".split.size", "512")
	}
	if rankings == nil {
		clash(table, "chunks is the table of the ids in rankings", "split: {by: table, file: FILE}, or rankings")
	}
}

// table reads a split by a table of chunks.
func (r *reader) table(n, file *node, path string, s *Split) {
	for _, m := range n.members {
		if slices.Contains([]string{"size", "overlap", "tokenizer", "edge"}, m.key.text) {
			r.report(m.key.at, finding.Finding{Code: CodeArm, Message: join(path, m.key.text) + ": the chunks of a table are as they are", Expected: "by and file alone", Found: m.value.written()})
		}
	}
	if file == nil {
		r.missing(n.at, path+".file", "chunks.jsonl")
	}
	*s = Split{By: s.By, File: s.File}
}

// retrieve reads how chunks are ranked.
func (r *reader) retrieve(n *node, path string, to *Retrieve) {
	keys := map[string]*node{}
	seen := func(name string, read func(*node, string)) field {
		return field{name, func(n *node, path string) { keys[name] = n; read(n, path) }}
	}
	r.fields(n, path, laterRetrieve,
		seen("by", r.choice(&to.By, []string{"bm25", "command", "http"}, laterRank...)),
		seen("run", r.text(&to.Run)), seen("url", r.text(&to.URL)), seen("url_env", r.env(&to.URLEnv)),
		seen("key_env", r.env(&to.KeyEnv)), seen("timeout", r.integer(&to.Timeout, 1, longest)))
	if n.kind != mapping || keys["by"] != nil && to.By != keys["by"].text { // a wrong by has no keys of its own
		return
	}
	belong := append([]string{"by"}, map[string][]string{"command": {"run", "timeout"}, "http": {"url", "url_env", "key_env", "timeout"}}[to.By]...)
	for _, m := range n.members {
		if keys[m.key.text] != nil && !slices.Contains(belong, m.key.text) {
			r.report(m.key.at, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("%s is no key of by: %s", join(path, m.key.text), to.By),
				Expected: oneOf(belong), Found: excerpt(m.key.text)})
		}
	}
	switch {
	case to.By == "command" && keys["run"] == nil:
		r.missing(n.at, path+".run", `"python host.py"`)
	case to.By == "http" && (keys["url"] == nil) == (keys["url_env"] == nil):
		r.report(n.at, finding.Finding{Code: CodeValue, Message: path + ": a host has one address", Expected: "url or url_env", Found: map[bool]string{false: "both", true: "none"}[keys["url"] == nil], Paste: `url: "http://127.0.0.1:8000/"`})
	case to.URL != "" && !strings.HasPrefix(to.URL, "http://") && !strings.HasPrefix(to.URL, "https://"):
		r.value(keys["url"], path+".url", "an http or https address", "")
	case strings.Contains(to.URL, "@"):
		r.report(keys["url"].at, finding.Finding{Code: CodeValue, Message: path + ".url holds a name or a password", Expected: "an address without @; key_env names the variable of a token", Found: "not shown"})
	}
}

// moving reads an arm's own phases.
func (r *reader) moving(n *node, path string, to *Moving) {
	scope := ""
	r.fields(n, path, []string{"all", "target"},
		field{"grid", r.integer(&to.Grid, 1, maxSize)},
		field{"scope", r.choice(&scope, []string{"all", Labelled})})
	if scope == Labelled {
		to.Scope = scope
	}
}

// env reads the name of an environment variable.
func (r *reader) env(to *string) func(*node, string) {
	return func(n *node, path string) {
		if n.kind != scalar || !envName.MatchString(n.text) {
			r.report(n.at, finding.Finding{Code: CodeValue, Message: path + " is not the name of an environment variable", Expected: "a name such as RETRIEVER_URL", Found: "not shown: it may be a secret"})
			return
		}
		*to = n.text
	}
}
