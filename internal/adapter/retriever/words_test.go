package retriever

import (
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for command, want := range map[string][]string{
		"python host.py":           {"python", "host.py"},
		"  a \t b\nc ":             {"a", "b", "c"},
		`a 'b c' "d e"f g\ h`:      {"a", "b c", "d ef", "g h"},
		`'' "" a''`:                {"", "", "a"},
		`'a"b' "a'b" "a\"b\\c\d"`:  {`a"b`, `a'b`, `a"b\c\d`},
		"a\\\nb \"c\\\nd\"":        {"ab", "cd"},
		`a#b c~d '#' '~' '$HOME|'`: {"a#b", "c~d", "#", "~", "$HOME|"},
		`"\$x" \$ \| 'ü 🦔'`:        {"$x", "$", "|", "ü 🦔"},
	} {
		if got, err := Words(command); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q %v, want %q", command, got, err, want)
		}
	}
	for command, want := range map[string]string{
		"": "empty", " \n": "empty", "'a": "single quote", `"a`: "double quote", `a\`: "backslash", `"a\`: "double quote",
		"a | b": "shell", "a&": "shell", "a; b": "shell", "a > b": "shell", "a $HOME": "shell", `a "$HOME"`: "shell", "a `b`": "shell", "\"`b`\"": "shell",
		"a *": "shell", "a ?": "shell", "a [b]": "shell", "~/a": "shell", "a #b": "shell", "(a)": "shell", "a\x00": "NUL", "'a\x00'": "NUL",
	} {
		if got, err := Words(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q %v", command, got, err)
		}
	}
}

// TestWordsAsAShell: what Words takes, a POSIX shell takes for the same words.
func TestWordsAsAShell(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("needs a POSIX shell")
	}
	rng, taken := rand.New(rand.NewPCG(5, 6)), 0
	letters := []string{"a", "b", " ", " ", "'", "'", `"`, `"`, `\`, "\n", "$", "#", "~", "=", "é"}
	for range 2000 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(letters[rng.IntN(len(letters))])
		}
		command := b.String()
		want, err := Words(command)
		if err != nil || bare(command) { // a line break ends a command for a shell
			continue
		}
		if taken++; taken > 400 {
			break
		}
		script := "printf '%s\\0' x " + command
		out, err := exec.Command(shell, "-c", script).Output()
		if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); err != nil || !slices.Equal(got[1:], want) {
			t.Errorf("%q: a shell has %q %v, Words %q", command, got[1:], err, want)
		}
	}
	if taken < 200 {
		t.Errorf("%d commands alone were compared", taken)
	}
}

// bare says whether a line break stands outside of quotes.
func bare(command string) bool {
	var quote rune
	escaped := false
	for _, r := range command {
		switch {
		case escaped:
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case r == '\n':
			return true
		}
	}
	return false
}

// FuzzWords: whatever is taken, quoted word by word, is taken for the same words.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"a 'b c' \"d\\\"\" \\e", "''", "a\\\n", "\"$\"", "#", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, command string) {
		words, err := Words(command)
		if err != nil {
			return
		}
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		if again, err := Words(strings.Join(quoted, " ")); err != nil || !slices.Equal(again, words) {
			t.Errorf("%q: %q, then %q %v", command, words, again, err)
		}
	})
}

// FuzzDecode: no line of a host does harm, and none that is no object is a reply.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{`{"op":"search","seq":1,"qid":"q","hits":[{"id":"a","score":1}]}`, `{"seq":1e99}`, `{"seq":"1"}`, "null", "[]", "\xef\xbb\xbf{}", `{"op":"a","op":"b"}`, `{"op":"\ud800"}`, "{", " ", `{} {}`, `{"settings":{"b":1,"b":2}}`, "{\"op\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decode(b)
		if err != nil {
			if len(err.Error()) > 2000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		if trimmed := strings.TrimSpace(string(b)); trimmed != "null" && trimmed[0] != '{' {
			t.Errorf("%q is the reply %+v", b, r)
		}
	})
}
