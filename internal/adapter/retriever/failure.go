package retriever

import (
	"fmt"
	"strings"
)

// Failure is the end of a host: it died, hung, or broke the protocol, and was
// stopped. Texts of the host in it are not escaped.
type Failure struct {
	Op       string
	Seq      int
	QID      string // of a search
	Index    string // of index, search, drop
	Expected string
	Found    string
	Stderr   string // the last that the process wrote there, at most 64 KiB
	cause    error
}

func (f *Failure) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (request %d", f.Op, f.Seq)
	if f.QID != "" {
		fmt.Fprintf(&b, ", question %s", f.QID)
	}
	if f.Index != "" {
		fmt.Fprintf(&b, ", index %s", f.Index)
	}
	fmt.Fprintf(&b, "): expected %s, found %s", f.Expected, f.Found)
	if last := lastLines(f.Stderr, 20); last != "" {
		fmt.Fprintf(&b, "\nits standard error ends with\n%s", last)
	}
	return b.String()
}

func (f *Failure) Unwrap() error { return f.cause }

// lastLines are the last n lines of s, each set off by blanks.
func lastLines(s string, n int) string {
	s = strings.TrimRight(s, "\r\n\t ")
	if s == "" {
		return ""
	}
	lines := strings.Split(s, "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	for i := range lines {
		lines[i] = "  " + strings.TrimRight(lines[i], "\r")
	}
	return strings.Join(lines, "\n")
}

// tail is a writer that keeps the last of what is written.
type tail struct {
	most int
	b    []byte
}

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if n > t.most {
		p = p[n-t.most:]
	}
	if len(t.b)+len(p) > 2*t.most { // moved now and then, not for every write
		t.b = append(t.b[:0], t.b[max(0, len(t.b)-t.most):]...)
	}
	t.b = append(t.b, p...)
	return n, nil
}

// String is what is kept. Nobody may write meanwhile.
func (t *tail) String() string {
	return strings.ToValidUTF8(string(t.b[max(0, len(t.b)-t.most):]), "�")
}
