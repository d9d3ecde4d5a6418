package plan

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"kerf/internal/finding"
)

// Codes of the findings about an experiment.
const (
	CodeSyntax       = "E001" // not YAML, or not UTF-8
	CodeDuplicate    = "E002" // a key twice in one mapping
	CodeFeature      = "E003" // a part of YAML that kerf does not read: anchors, merge keys, tags, ...
	CodeUnknown      = "E004" // a key that no version knows
	CodeLater        = "E005" // a key or value of the format that this version does not have
	CodeIntervention = "E006" // a change that is no placement of the cuts
	CodeQuote        = "E007" // a word that YAML turns into another type where text is due
	CodeValue        = "E008" // a value of the wrong type, range or choice
	CodeArm          = "E009" // arms that cannot be run, or not together
	CodeSize         = "E010" // more than kerf reads
	CodeBOM          = "E011" // a byte order mark (warning)
	CodeNoisy        = "E012" // a tolerance of the gate that its questions cannot carry
)

// Limits of what is read. The YAML parser is quadratic in the number of keys.
const (
	maxBytes  = 1 << 20
	maxTokens = 50_000 // words and signs
	maxKeys   = 10_000
	maxNested = 50
)

type kind string

const (
	scalar  kind = "a value"
	list    kind = "a list"
	mapping kind = "a mapping"
)

// node is a YAML value with its place. A scalar's text is as written, or
// decoded where it was quoted: what it means is for the field to say.
type node struct {
	kind    kind
	text    string
	quoted  bool
	members []member
	elems   []*node
	at      Place
}

// member is one key of a mapping with its value, in file order.
type member struct{ key, value *node }

// reader collects what is wrong with one file.
type reader struct {
	file  string
	found finding.List
}

// report adds an error at a place.
func (r *reader) report(at Place, f finding.Finding) {
	f.Severity, f.File, f.Line, f.Column = finding.Error, r.file, at.Line, at.Column
	r.found = append(r.found, f)
}

// tree reads the file's one document, nil if there is none.
func (r *reader) tree(content []byte) *node {
	if len(content) > maxBytes {
		r.report(Place{}, finding.Finding{Code: CodeSize, Message: "the file is too large",
			Expected: fmt.Sprintf("at most %d bytes", maxBytes), Found: fmt.Sprintf("%d bytes", len(content))})
		return nil
	}
	if rest, ok := bytes.CutPrefix(content, []byte("\ufeff")); ok {
		content = rest
		r.found = append(r.found, finding.Finding{Code: CodeBOM, Severity: finding.Warning, File: r.file, Line: 1, Column: 1,
			Message: "the file begins with a byte order mark; it is skipped"})
	}
	if !utf8.Valid(content) {
		line, column, at := invalid(content)
		r.report(Place{line, column}, finding.Finding{Code: CodeSyntax, Message: "the file is not UTF-8",
			Found: fmt.Sprintf("the byte 0x%02X at byte %d", content[at], at)})
		return nil
	}
	tokens := lexer.Tokenize(string(content))
	if !r.readable(tokens) {
		return nil
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		f, at := finding.Finding{Code: CodeSyntax, Message: "this is not YAML: " + err.Error()}, Place{}
		var e yaml.Error
		if errors.As(err, &e) {
			f.Message, at = "this is not YAML: "+e.GetMessage(), place(e.GetToken())
		}
		if strings.Contains(f.Message, "\t") || strings.Contains(f.Message, "tab ") {
			f.Hint = "indent with blanks instead of tabs"
		}
		r.report(at, f)
		return nil
	}
	if len(file.Docs) > 1 {
		r.report(place(file.Docs[1].Start), finding.Finding{Code: CodeFeature, Message: "the file holds several YAML documents",
			Expected: "one", Found: fmt.Sprint(len(file.Docs)), Hint: "remove the lines `---`, or keep one experiment a file"})
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil || file.Docs[0].Body.Type() == ast.CommentType || file.Docs[0].Body.Type() == ast.CommentGroupType {
		r.report(Place{1, 1}, finding.Finding{Code: CodeSyntax, Message: "the experiment is empty", Paste: "kerf: experiment/1"})
		return nil
	}
	return r.node(file.Docs[0].Body, "")
}

// readable looks at the tokens alone: it refuses by name what this format
// leaves out of YAML, and what the parser would choke on.
func (r *reader) readable(tokens token.Tokens) bool {
	if len(tokens) > maxTokens {
		r.report(place(tokens[maxTokens]), finding.Finding{Code: CodeSize, Message: "the file is too large",
			Expected: fmt.Sprintf("at most %d words and signs", maxTokens), Found: fmt.Sprint(len(tokens))})
		return false
	}
	before := len(r.found)
	keys, brackets, dashes, line := 0, 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, dashes = t.Position.Line, 0
		}
		what := ""
		switch t.Type {
		case token.AnchorType:
			what = "an anchor (&)"
		case token.AliasType:
			what = "an alias (*)"
		case token.MergeKeyType:
			what = "a merge key (<<)"
		case token.TagType:
			what = "a tag (!)"
		case token.DirectiveType:
			what = "a directive (%)"
		case token.MappingKeyType:
			what = "a complex key (?)"
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType:
			dashes++
		case token.MappingValueType:
			keys++
		}
		if what != "" {
			r.report(place(t), finding.Finding{Code: CodeFeature, Message: what + ": anchors, merge keys or aliases are not supported, nor are tags, directives and complex keys",
				Expected: "plain keys and values", Found: excerpt(strings.TrimSpace(t.Origin)), Hint: "write the values out"})
		}
		if keys > maxKeys {
			r.report(place(t), finding.Finding{Code: CodeSize, Message: "the file has too many keys", Expected: fmt.Sprintf("at most %d", maxKeys)})
			return false
		}
		if brackets > maxNested || dashes > maxNested {
			r.report(place(t), finding.Finding{Code: CodeSize, Message: "the file is nested too deeply", Expected: fmt.Sprintf("at most %d levels", maxNested)})
			return false
		}
	}
	return len(r.found) == before
}

// node turns the parser's tree into kerf's and reports repeated keys.
func (r *reader) node(n ast.Node, path string) *node {
	out := &node{at: place(n.GetToken())}
	switch n := n.(type) {
	case *ast.MappingNode:
		out.kind = mapping
		if !n.IsFlowStyle && len(n.Values) > 0 { // its own token is the first colon
			out.at = place(n.Values[0].Key.GetToken())
		}
		r.members(out, n.Values, path)
	case *ast.MappingValueNode:
		out.kind, out.at = mapping, place(n.Key.GetToken())
		r.members(out, []*ast.MappingValueNode{n}, path)
	case *ast.SequenceNode:
		out.kind = list
		for i, v := range n.Values {
			out.elems = append(out.elems, r.node(v, fmt.Sprintf("%s[%d]", path, i)))
		}
	case *ast.LiteralNode:
		out.kind, out.quoted, out.text = scalar, true, n.Value.Value
	default:
		t := n.GetToken()
		out.kind, out.text = scalar, t.Value
		out.quoted = t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
		if t.Type == token.ImplicitNullType {
			out.text = ""
		}
	}
	return out
}

func (r *reader) members(out *node, values []*ast.MappingValueNode, path string) {
	first := map[string]Place{}
	for _, v := range values {
		key := r.node(v.Key, path)
		name := join(path, key.text)
		if at, ok := first[key.text]; ok {
			r.report(key.at, finding.Finding{Code: CodeDuplicate, Message: fmt.Sprintf("%s stands twice, in lines %d and %d", name, at.Line, key.at.Line),
				Expected: "each key once", Found: excerpt(key.text), Hint: "remove one of the two"})
			continue
		}
		first[key.text] = key.at
		value := r.node(v.Value, name)
		if value.kind == scalar && value.text == "" && !value.quoted {
			value.at = key.at // nothing has no place of its own
		}
		out.members = append(out.members, member{key, value})
	}
}

// written is a scalar as it looks in the file, or what kind of node it is.
func (n *node) written() string {
	switch {
	case n.kind == list && len(n.elems) == 0:
		return "an empty list"
	case n.kind == mapping && len(n.members) == 0:
		return "an empty mapping"
	case n.kind != scalar:
		return string(n.kind)
	case n.quoted:
		return excerpt(fmt.Sprintf("%q", n.text))
	case n.text == "":
		return "nothing"
	}
	return excerpt(n.text)
}

func join(path, key string) string {
	if path == "" {
		return excerpt(key)
	}
	return path + "." + excerpt(key)
}

// excerpt keeps findings readable: the first 100 code points.
func excerpt(s string) string {
	n := 0
	for i := range s {
		if n++; n > 100 {
			return s[:i] + "…"
		}
	}
	return s
}

func place(t *token.Token) Place {
	if t == nil || t.Position == nil {
		return Place{}
	}
	return Place{max(t.Position.Line, 1), max(t.Position.Column, 1)}
}

// invalid is the place of the first byte that is no UTF-8.
func invalid(content []byte) (line, column, at int) {
	line, column = 1, 1
	for at < len(content) {
		c, w := utf8.DecodeRune(content[at:])
		switch {
		case c == utf8.RuneError && w == 1:
			return line, column, at
		case c == '\n':
			line, column = line+1, 1
		default:
			column++
		}
		at += w
	}
	return line, column, at
}
