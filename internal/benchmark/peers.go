//go:build unix

package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed testdata/peers
var sources embed.FS

// kit is the peers of one registry, in a folder of their own.
type kit struct {
	name     string
	dir      string
	run      []string // words that a piece of work follows
	env      []string
	versions []string
}

// pins are the versions that the published figures are of.
func pins(registry string) []string {
	return map[string][]string{
		"PyPI": {"langchain-text-splitters==1.1.3", "chonkie==1.7.0", "chonkie-core==0.10.2", "semchunk==4.1.1", "bm25s==0.3.16", "ranx==0.3.21",
			"pytrec_eval-terrier==0.5.11", "scipy==1.17.1", "numpy==2.4.6", "numba==0.68.1", "tiktoken==0.14.0"},
		"npm": {"@langchain/textsplitters@1.0.2", "@langchain/core@1.4.0", "js-tiktoken@1.0.21", "gpt-tokenizer@4.0.0"},
		"Go proxy": {"github.com/blevesearch/bleve/v2@v2.6.3", "github.com/tmc/langchaingo@v0.1.14", "github.com/tiktoken-go/tokenizer@v0.10.0",
			"github.com/pkoukk/tiktoken-go@v0.1.8", "github.com/pkoukk/tiktoken-go-loader@v0.0.2"},
	}[registry]
}

// install makes the kits; one that cannot be made is missing, with its reason.
func (b *bench) install() {
	for _, k := range []struct {
		name string
		make func(dir string) (*kit, error)
	}{{"Go proxy", b.goKit}, {"PyPI", b.pythonKit}, {"npm", b.nodeKit}} {
		dir := filepath.Join(b.dir, "peers", strings.ReplaceAll(k.name, " ", "-"))
		made, err := k.make(dir)
		if err != nil {
			b.missing = append(b.missing, fmt.Sprintf("peers of %s (%s): %v", k.name, strings.Join(pins(k.name), ", "), err))
			continue
		}
		made.name, made.dir, made.versions = k.name, dir, pins(k.name)
		b.kits[k.name] = made
	}
}

// source writes a peer's source into its folder.
func source(name, to string) error {
	content, err := sources.ReadFile("testdata/peers/" + name)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o777)
	}
	if err == nil {
		err = os.WriteFile(to, content, 0o666)
	}
	return err
}

// steps runs commands in dir until one fails.
func steps(dir string, env []string, commands ...[]string) error {
	for _, words := range commands {
		if _, err := (command{words: words, dir: dir, env: env}).run(); err != nil {
			return err
		}
	}
	return nil
}

// goKit is a module of its own; kerf's go.mod knows nothing of it.
func (b *bench) goKit(dir string) (*kit, error) {
	program := filepath.Join(dir, "peers")
	env := []string{"GOFLAGS=-mod=mod", "GOWORK=off"}
	if err := source("go/main.go", filepath.Join(dir, "main.go")); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		if err := steps(dir, env, []string{"go", "mod", "init", "peers"}, append([]string{"go", "get"}, pins("Go proxy")...)); err != nil {
			return nil, err
		}
	}
	if err := steps(dir, env, []string{"go", "mod", "tidy"}, []string{"go", "build", "-o", program, "."}); err != nil {
		return nil, err
	}
	// tiktoken of PyPI downloads its vocabulary; this module brings the same file.
	o, err := command{words: []string{"go", "list", "-m", "-f", "{{.Dir}}", "github.com/pkoukk/tiktoken-go-loader"}, dir: dir, env: env}.run()
	if err == nil {
		b.vocabulary = filepath.Join(strings.TrimSpace(string(o.stdout)), "assets", "cl100k_base.tiktoken")
	}
	return &kit{run: []string{program}}, err
}

func (b *bench) pythonKit(dir string) (*kit, error) {
	python, script, cache := filepath.Join(dir, "bin", "python"), filepath.Join(dir, "peers.py"), filepath.Join(dir, "vocabulary")
	if _, err := os.Stat(filepath.Join(dir, "installed")); err != nil {
		err := steps("", nil, []string{"python3", "-m", "venv", dir}, slices.Concat([]string{python, "-m", "pip", "install", "--quiet"}, pins("PyPI")))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "installed"), nil, 0o666)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := source("peers.py", script); err != nil {
		return nil, err
	}
	k := &kit{run: []string{python, script}, env: []string{"TIKTOKEN_CACHE_DIR=" + cache}}
	if b.vocabulary != "" {
		content, err := os.ReadFile(b.vocabulary)
		if err == nil {
			err = os.MkdirAll(cache, 0o777)
		}
		if err == nil { // the name is the SHA-1 of the address that it would come from
			err = os.WriteFile(filepath.Join(cache, "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"), content, 0o666)
		}
		if err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (b *bench) nodeKit(dir string) (*kit, error) {
	script := filepath.Join(dir, "peers.mjs")
	if err := source("peers.mjs", script); err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "gpt-tokenizer")); err != nil {
		install := slices.Concat([]string{"npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", dir}, pins("npm"))
		if err := steps(dir, nil, install); err != nil {
			return nil, err
		}
	}
	return &kit{run: []string{"node", script}}, nil
}

// versions of all peers that are there, and of what runs them.
func (b *bench) versions() (out []string) {
	for _, name := range []string{"PyPI", "npm", "Go proxy"} {
		if k := b.kits[name]; k != nil {
			out = append(out, k.versions...)
		}
	}
	for _, words := range [][]string{{"python3", "--version"}, {"node", "--version"}, {"go", "env", "GOVERSION"}} {
		if o, err := (command{words: words}).run(); err == nil {
			out = append(out, words[0]+" "+strings.TrimPrefix(strings.TrimSpace(string(o.stdout)), "Python "))
		}
	}
	return out
}
