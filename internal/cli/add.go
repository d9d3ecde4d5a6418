package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/finding"
	"kerf/internal/golden"
)

// addition is the flags of add.
type addition struct {
	question, qid, answer, origin, segment string
	mention, dependency                    []string
	unanswerable                           bool
	evidence                               []citation // in the order of the command line
}

// citation is a document and the quotes of it.
type citation struct {
	doc    string
	quotes []string
}

func (a *app) newAdd() *cobra.Command {
	var n addition
	cmd := &cobra.Command{
		Use:     "add --question Q --doc D --quote T …, or add - <LINES",
		Short:   "Add a question that failed, or lines of questions",
		Example: `  kerf -C kerf-demo add --question "May I split my gift card?" --doc returns.md --quote "Once any part of it has been spent it can be neither returned nor split."`,
		Long: `Appends to golden.jsonl a question that failed in production, or with - the lines
of golden/1 on stdin, drafts among them. Each --quote is of the --doc before it,
and all quotes together are the evidence. A quote with exactly one place gets it
at once; what else a finished question has and this one has not is listed. A
question without adjudication runs, and is flagged where it counts.

A line with an error, a taken qid or a question that is there already (case,
punctuation and white space aside) is refused with its place, the others are
added. The file is written as a whole or not at all; its other lines stay.

Exit: 0 all added, 1 lines refused, 2 nothing could be added to this file.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 1 && args[0] != "-" {
				return usage("add %s: expected - for lines on stdin, or flags", strings.Join(args, " "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			local := false
			for _, name := range []string{"question", "doc", "quote", "answer", "must-mention", "origin", "segment", "dependency", "qid", "unanswerable"} {
				local = local || cmd.Flags().Changed(name)
			}
			switch {
			case len(args) == 1 && local:
				return usage("add takes - or flags of a question, not both")
			case len(args) == 0 && !local:
				return usage("add needs --question with --doc and --quote, or - for lines on stdin")
			}
			return a.add(n, len(args) == 1)
		},
	}
	f := cmd.Flags()
	f.StringVar(&n.question, "question", "", "the question, as it was asked")
	f.Var(flagFunc(func(s string) error {
		n.evidence = append(n.evidence, citation{doc: s})
		return nil
	}), "doc", "the `DOC` that the quotes after it are of (repeatable)")
	f.Var(flagFunc(func(s string) error {
		if len(n.evidence) == 0 {
			return fmt.Errorf("a quote is of the --doc before it, and there is none")
		}
		last := &n.evidence[len(n.evidence)-1]
		last.quotes = append(last.quotes, s)
		return nil
	}), "quote", "a `PASSAGE` that the answer needs, word for word (repeatable)")
	f.BoolVar(&n.unanswerable, "unanswerable", false, "the documents do not answer it; then without --doc")
	f.StringVar(&n.answer, "answer", "", "the right answer")
	f.StringArrayVar(&n.mention, "must-mention", nil, "`WORDS` that a right answer holds (repeatable)")
	f.StringVar(&n.origin, "origin", "", "log, ticket, chat, owner or synthetic")
	f.StringVar(&n.segment, "segment", "", "where it is counted apart, for example rule_exception")
	f.StringArrayVar(&n.dependency, "dependency", nil, "what the answer hangs on besides the rule: exception, definition, referent, numerical_scope, cross_reference (repeatable)")
	f.StringVar(&n.qid, "qid", "", "its name (default: the next free one)")
	return cmd
}

// flagFunc is a flag whose values are taken in the order of the command line.
type flagFunc func(string) error

func (f flagFunc) Set(s string) error { return f(s) }
func (flagFunc) String() string       { return "" }
func (flagFunc) Type() string         { return "string" }

// addOutput is add/1.
type addOutput struct {
	Kerf     string       `json:"kerf"`
	Golden   string       `json:"golden"`
	Added    []addedLine  `json:"added"`
	Refused  []int        `json:"refused"`
	Findings finding.List `json:"findings"`
	Errors   int          `json:"errors"`
}

type addedLine struct {
	QID     string   `json:"qid"`
	Line    int      `json:"line"`
	Placed  []string `json:"placed"`
	Drafts  []string `json:"drafts"`
	Missing []string `json:"missing"`
}

func (a *app) add(n addition, stdin bool) error {
	if err := a.kinds("add", ".json"); err != nil {
		return err
	}
	in, err := a.growing()
	if err != nil {
		return err
	}
	before := in.set.Encode() // nothing is completed: the file as it was read
	name, lines := "stdin", []byte(nil)
	if stdin {
		if lines, err = io.ReadAll(a.Stdin); err == nil && len(bytes.TrimSpace(lines)) == 0 {
			err = fmt.Errorf("no line on stdin")
		}
	} else {
		name = ""
		lines, err = n.line(in.set)
	}
	if err != nil {
		return exit(exitTrouble, err)
	}
	x, err := golden.Extend(in.set, in.corpus, name, lines)
	if err != nil {
		return exit(exitTrouble, err)
	}
	if !stdin { // flags have no lines
		x.Refused = x.Refused[:0]
		for i := range x.Found {
			x.Found[i].File, x.Found[i].Line, x.Found[i].Column = "", 0, 0
		}
	}
	if err := a.extend(in.file, before, x); err != nil {
		return exit(exitTrouble, err)
	}
	out := a.added("add/1", in.golden, x, x.Found)
	if err := a.answer(out, func() error { return a.addText(out, "line") }); err != nil {
		return err
	}
	return a.afterAdding(out, "mend what was refused, and add it again", "add", "--help")
}

// growing is a golden set that questions can be added to: documents and
// configuration, by which quotes are placed, have no errors.
func (a *app) growing() (labelSet, error) {
	in, err := a.labels()
	if err != nil {
		return in, err
	}
	var broken finding.List
	for _, f := range in.found {
		if f.File != in.golden {
			broken = append(broken, f)
		}
	}
	if err := broken.Err(); err != nil {
		return in, exit(exitTrouble, err)
	}
	if n := in.found.Errors(); n > 0 && len(in.set.Questions) > 0 {
		a.say("%s has %s already, and what cannot be read is not compared; kerf check lists all", in.golden, counted(n, "error"))
	}
	return in, nil
}

// added is the output after an extension.
func (a *app) added(kerf, file string, x golden.Extended, found finding.List) addOutput {
	out := addOutput{Kerf: kerf, Golden: file, Added: []addedLine{}, Refused: orEmpty(x.Refused), Findings: orEmpty(found), Errors: found.Errors()}
	for _, q := range x.Added {
		out.Added = append(out.Added, addedLine{q.Question.QID, q.Line, orEmpty(q.Placed), orEmpty(q.Drafts), orEmpty(q.Missing)})
	}
	return out
}

// afterAdding is what to do next: mend, with the help that says how, tell places
// apart, or check.
func (a *app) afterAdding(out addOutput, mend string, help ...string) error {
	drafts := slices.IndexFunc(out.Added, func(q addedLine) bool { return len(q.Drafts) > 0 })
	switch {
	case out.Errors > 0:
		a.say("%s", mend)
		a.next(help...)
		return exit(exitFindings, nil)
	case drafts >= 0:
		a.say("tell the places apart in line %d of %s: prefix, suffix, or more words", out.Added[drafts].Line, out.Golden)
		a.next("anchor", "-w")
	default:
		a.next("check")
	}
	return nil
}

// line is the question of the flags as a line with a header above it.
func (n addition) line(set *golden.Set) ([]byte, error) {
	q := &golden.Question{QID: n.qid, Text: n.question, Unanswerable: n.unanswerable, Answer: golden.Answer{Text: n.answer, MustMention: n.mention},
		Dependency: n.dependency, Segment: n.segment, Origin: n.origin}
	if q.QID == "" {
		q.QID = golden.NextQID(set)
	}
	var all []*golden.Span
	for _, p := range n.evidence {
		if len(p.quotes) == 0 {
			return nil, fmt.Errorf("--doc %s has no --quote after it", p.doc)
		}
		for _, text := range p.quotes {
			all = append(all, &golden.Span{Doc: p.doc, Quote: text, Draft: true})
		}
	}
	switch {
	case n.question == "":
		return nil, fmt.Errorf("add needs a --question")
	case n.unanswerable && len(all) > 0:
		return nil, fmt.Errorf("--unanswerable says that no document answers it: then without --doc and --quote")
	case !n.unanswerable && len(all) == 0:
		return nil, fmt.Errorf("add needs --doc and --quote of the evidence, or --unanswerable")
	}
	for i, s := range all {
		if s.Name = "evidence"; len(all) > 1 {
			s.Name = fmt.Sprintf("evidence-%d", i+1)
		}
	}
	if q.Spans = all; len(all) > 0 {
		q.Support = [][]*golden.Span{all}
	}
	return (&golden.Set{Unit: set.Unit, Questions: []*golden.Question{q}}).Encode(), nil
}

// extend writes the file, unless somebody else has in the meantime.
func (a *app) extend(name string, before []byte, x golden.Extended) error {
	if len(x.Added) == 0 {
		return nil
	}
	file, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	if now, err := os.ReadFile(file); err != nil {
		return err
	} else if !bytes.Equal(now, before) {
		return fmt.Errorf("%s was changed while it was read: nothing is added, do it again", a.shown(name))
	}
	return writeFile(file, x.Content)
}

func (a *app) addText(out addOutput, noun string) error {
	var b strings.Builder
	for _, q := range out.Added {
		fmt.Fprintf(&b, "%s:%d: added %s", out.Golden, q.Line, q.QID)
		if len(q.Placed) > 0 {
			fmt.Fprintf(&b, ", placed %s", strings.Join(q.Placed, ", "))
		}
		if len(q.Drafts) > 0 {
			fmt.Fprintf(&b, ", still drafts: %s", strings.Join(q.Drafts, ", "))
		}
		if b.WriteByte('\n'); len(q.Missing) > 0 {
			fmt.Fprintf(&b, "  missing  %s\n", strings.Join(q.Missing, ", "))
		}
	}
	if _, err := io.WriteString(a.Stdout, Escape(b.String())); err != nil {
		return err
	}
	if err := a.findings(out.Findings); err != nil {
		return err
	}
	line := fmt.Sprintf("%s: %s added", out.Golden, counted(len(out.Added), "question"))
	if n := len(out.Refused); n > 0 {
		line += fmt.Sprintf(", %s refused", counted(n, noun))
	} else if out.Errors > 0 {
		line += ", refused"
	}
	_, err := fmt.Fprintln(a.Stdout, Escape(line))
	return err
}
