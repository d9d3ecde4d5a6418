package cli

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kerf/internal/twin/host"
)

// TestDoctorOfAServer: the key of the environment is sent and not shown, and a host
// that ranks otherwise after a restart is named for it.
func TestDoctorOfAServer(t *testing.T) {
	of, hellos := host.Host{Filter: true}, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, _ := io.ReadAll(r.Body)
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			http.Error(w, "who are you, "+r.Header.Get("Authorization")+"?", http.StatusForbidden)
			return
		}
		if bytes.Contains(message, []byte(`"op":"hello"`)) {
			if hellos++; hellos == 2 {
				of.Fault = "fickle"
			}
		}
		_, _ = w.Write(of.Answer(message))
	}))
	defer server.Close()
	doctor := func(key string) (code int, stdout, stderr string) {
		var out, talk bytes.Buffer
		code = Main(context.Background(), Process{Args: []string{"-C", t.TempDir(), "--offline", "doctor", "--retriever-url", server.URL, "--key-env", "SEARCH_KEY"},
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, Getenv: func(string) string { return key }})
		return code, out.String(), talk.String()
	}
	code, stdout, stderr := doctor("s3cret")
	if code != exitDone || !strings.Contains(stdout, "two builds side by side: the first 10 hits differ in 0 of 24 questions") ||
		strings.Contains(stdout, "after a restart: the first 10 hits differ in 0 ") || !strings.Contains(stderr, "does not rank the same after a restart") {
		t.Errorf("%d %s %s", code, stdout, stderr)
	}
	code, stdout, _ = doctor("an0ther")
	if code != exitPart || !strings.Contains(stdout, "status 403: who are you, Bearer (key)?") {
		t.Errorf("%d %s", code, stdout)
	}
}
