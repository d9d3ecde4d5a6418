package retriever

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// kind and version are what kerf speaks.
const (
	kind    = "retriever/1"
	version = 1
)

// The requests. Every one has its op and its number.
type (
	helloRequest struct {
		Op       string `json:"op"`
		Seq      int    `json:"seq"`
		Kerf     string `json:"kerf"`
		Versions []int  `json:"versions"`
	}
	indexRequest struct {
		Op     string  `json:"op"`
		Seq    int     `json:"seq"`
		Index  string  `json:"index"`
		Arm    string  `json:"arm"`
		Label  string  `json:"label"`
		First  bool    `json:"first"`
		Chunks []chunk `json:"chunks"`
		Last   bool    `json:"last"`
	}
	searchRequest struct {
		Op     string   `json:"op"`
		Seq    int      `json:"seq"`
		Index  string   `json:"index"`
		QID    string   `json:"qid"`
		Text   string   `json:"text"`
		K      int      `json:"k"`
		Reader []string `json:"reader,omitzero"`
		Docs   []string `json:"docs,omitzero"`
	}
	dropRequest struct {
		Op    string `json:"op"`
		Seq   int    `json:"seq"`
		Index string `json:"index"`
	}
	byeRequest struct {
		Op  string `json:"op"`
		Seq int    `json:"seq"`
	}
	chunk struct {
		ID      string   `json:"id"`
		Doc     string   `json:"doc"`
		Start   int      `json:"start"`
		End     int      `json:"end"`
		Text    string   `json:"text"`
		Readers []string `json:"readers,omitzero"`
	}
)

// reply is every reply; which members are there depends on the op. A member that is
// absent or null stays nil: nothing is taken for zero or empty.
type reply struct {
	Op    string  `json:"op"`
	Seq   int     `json:"seq"`
	Error *string `json:"error"`

	Version      *int           `json:"version"`
	Name         *string        `json:"name"`
	Model        string         `json:"model"`
	Settings     jsontext.Value `json:"settings"`
	Capabilities []string       `json:"capabilities"`

	Chunks *int `json:"chunks"`

	QID  *string `json:"qid"`
	Hits []hit   `json:"hits"`
}

type hit struct {
	ID    *string  `json:"id"`
	Score *float64 `json:"score"`
}

// line is a request as one line. Line and paragraph separators are escaped: some
// readers end lines there.
func line(request any) []byte {
	b, err := json.Marshal(request, jsontext.EscapeForJS(true))
	if err != nil {
		panic(fmt.Sprintf("BUG: no JSON of a request: %v", err))
	}
	return append(b, '\n')
}

// decode reads a reply. The error says what the line is instead.
func decode(b []byte) (r reply, err error) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return r, errors.New("a line that begins with a byte order mark")
	case len(bytes.TrimSpace(b)) == 0:
		return r, errors.New("an empty line")
	}
	err = json.Unmarshal(b, &r)
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case err == nil:
		return r, nil
	case errors.As(err, &syntax):
		return r, fmt.Errorf("%s, which is no JSON: %w", excerpt(b), syntax.Err)
	case errors.As(err, &semantic):
		return r, fmt.Errorf("%s, in which %s has another type or range than expected (%s)", excerpt(b), member(semantic.JSONPointer), jsonType(semantic.JSONKind))
	}
	return r, fmt.Errorf("%s: %w", excerpt(b), err)
}

func member(p jsontext.Pointer) string {
	if p == "" {
		return "the whole"
	}
	return string(p)
}

func jsonType(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "text"
	case '0':
		return "number"
	case '{':
		return "object"
	}
	return "list"
}

// excerpt is the beginning of what came, in quotes, at most 120 code points.
func excerpt(b []byte) string {
	const most = 120
	s, n := bytes.TrimRight(b, "\r\n"), 0
	for i := range string(s[:min(len(s), 4*most+4)]) {
		if n++; n > most {
			return fmt.Sprintf("%q…", s[:i])
		}
	}
	return fmt.Sprintf("%q", s)
}

// quoted is an id or a name in a message, cut off where it is long.
func quoted(s string) string {
	const most = 200
	if len(s) <= most {
		return fmt.Sprintf("%q", s)
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%q…", s[:cut])
}
