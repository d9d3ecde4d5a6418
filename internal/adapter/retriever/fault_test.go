package retriever

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kerf/internal/pipeline/engine"
)

// talk has the whole conversation; the error is the first one.
func talk(ctx context.Context, h *Host) error {
	if err := h.Index(ctx, "i", "a", "1/1", chunksOf(300)); err != nil {
		return err
	}
	for _, text := range []string{"own4 all", "fifth2 all"} {
		if _, err := h.Search(ctx, "i", engine.Query{QID: "q1", Text: text, K: 5, Docs: []string{"d1", "d2"}}); err != nil {
			return err
		}
	}
	if err := h.Drop(ctx, "i"); err != nil {
		return err
	}
	return h.Close(ctx)
}

// faults of what a host answers, and the whole first line of the error. The rule is
// "-" where the host is stopped.
var faults = []struct{ fault, rule, want string }{
	{"version", "-", `hello (request 1): expected version 1, the only one that was offered, found version 2`},
	{"no-version", "-", `hello (request 1): expected a version, found none`},
	{"no-name", "-", `hello (request 1): expected a name, found none`},
	{"refuse:hello", "-", `hello (request 1): expected version 1, found the error "out of quota\x1b[31m"`},
	{"seq:hello", "-", `hello (request 1): expected the reply to hello 1, found one to "hello" 2`},
	{"op:hello", "-", `hello (request 1): expected the reply to hello 1, found one to "ready" 1`},
	{"no-chunks", "-", `index (request 2, index i): expected chunks, how many the index holds, found none`},
	{"count", engine.RuleCount, `index: expected 256 chunks in index i after this batch, found 255`},
	{"refuse:index", "", "index: the engine answered with an error: out of quota\x1b[31m"},
	{"seq:index", "-", `index (request 2, index i): expected the reply to index 2, found one to "index" 3`},
	{"seq:search", "-", `search (request 4, question q1, index i): expected the reply to search 4, found one to "search" 5`},
	{"seq:drop", "-", `drop (request 6, index i): expected the reply to drop 6, found one to "drop" 7`},
	{"seq:bye", "-", `bye (request 7): expected the reply to bye 7, found one to "bye" 8`},
	{"refuse:search", "", "search of question q1: the engine answered with an error: out of quota\x1b[31m"},
	{"refuse:drop", "", "drop: the engine answered with an error: out of quota\x1b[31m"},
	{"qid", "-", `search (request 4, question q1, index i): expected the reply to question "q1", found one to question "another"`},
	{"no-qid", "-", `search (request 4, question q1, index i): expected the qid of the question, found none`},
	{"no-hits", "-", `search (request 4, question q1, index i): expected hits, or [] for none, found no list of hits`},
	{"null-hits", "-", `search (request 4, question q1, index i): expected hits, or [] for none, found no list of hits`},
	{"no-id", "-", `search (request 4, question q1, index i): expected an id and a score in every hit, found none in hit 1`},
	{"no-score", "-", `search (request 4, question q1, index i): expected an id and a score in every hit, found none in hit 1`},
	{"more", engine.RuleK, `search of question q1: expected at most 5 hits, found 6`},
	{"unknown", engine.RuleKnown, `search of question q1: expected chunks of index i, found "no\nsuch" in place 5, which is none`},
	{"repeated", engine.RuleRepeated, `search of question q1: expected each chunk once, found "d1:4" in places 1 and 5`},
	{"unfiltered", engine.RuleFilter, `search of question q1: expected hits that the filter lets through, found "d0:0" in place 2: document "d0" was not to be searched`},
}

// TestFaults: what is wrong is named, with the request, what was expected and what was
// found; only what concerns one request leaves the host in use.
func TestFaults(t *testing.T) {
	for _, f := range faults {
		t.Run(f.fault, func(t *testing.T) {
			both(t, f.fault, true, func(t *testing.T, h *Host, err error) {
				if err == nil {
					err = talk(t.Context(), h)
				}
				var refused *engine.Refused
				var failure *Failure
				switch {
				case err == nil || err.Error() != f.want:
					t.Errorf("got  %v\nwant %s", err, f.want)
				case f.rule == "-" && !errors.As(err, &failure), f.rule != "-" && (!errors.As(err, &refused) || refused.Rule != f.rule):
					t.Errorf("%T %+v", err, err)
				case h == nil:
				case f.rule == "-":
					if err := h.Drop(t.Context(), "i"); err == nil || !strings.Contains(err.Error(), "nothing more is asked: "+f.want) || h.Close(t.Context()) != nil {
						t.Errorf("after the failure: %v", err)
					}
				default:
					if err := h.Close(t.Context()); err != nil {
						t.Errorf("the host was not left in use: %v", err)
					}
				}
			})
		})
	}
}

const ops = "hello index search drop bye"

// named is how errors of talk name it.
func named(op string) string {
	return map[string]string{"hello": "hello (request 1)", "index": "index (request 2, index i)", "search": "search (request 4, question q1, index i)",
		"drop": "drop (request 6, index i)", "bye": "bye (request 7)"}[op]
}

// TestDies: at each op, in the middle of a line, and with text that is no reply. The
// error has the status and the last words, unescaped; the process is gone.
func TestDies(t *testing.T) {
	for fault, want := range map[string]string{
		"die":   "expected a reply, found the end of the host (exit status 3)\nits standard error ends with\n  Traceback (most recent call last):\n  MemoryError\x1b[31m",
		"part":  `expected a reply, found the end of the host (exit status 0) in the middle of a line: "{\"op\":\""`,
		"text":  `expected a reply, found "Batches: 100%", which is no JSON: `,
		"blank": `expected a reply, found an empty line (standard output is for replies alone`,
		"bom":   `expected a reply, found a line that begins with a byte order mark`,
	} {
		for _, op := range strings.Fields(ops) {
			t.Run(fault+" "+op, func(t *testing.T) {
				h, err := started(t, patient(), fault+":"+op, "filter")
				if err == nil {
					err = talk(t.Context(), h)
				}
				var failure *Failure
				if !errors.As(err, &failure) || !strings.HasPrefix(err.Error(), named(op)+": "+want) {
					t.Fatalf("got  %v\nwant %s: %s", err, named(op), want)
				}
				if h != nil {
					<-h.transport.(*process).done
				}
			})
		}
	}
}

// TestHangs: at each op, and after bye. The error names the request and the time; a
// host that is deaf to SIGTERM is gone as well.
func TestHangs(t *testing.T) {
	const short = 20 * time.Millisecond
	for _, op := range strings.Fields(ops) {
		limits := patient()
		switch op {
		case "hello":
			limits.Hello = short
		case "index":
			limits.Index = short
		}
		h, err := started(t, limits, "hang:"+op, "filter")
		if err == nil {
			if op != "hello" && op != "index" {
				h.limits.Search = 2 * time.Second // above what the earlier requests take
			}
			err = talk(t.Context(), h)
		}
		limit := short
		if h != nil && op != "index" {
			limit = h.limits.Search
		}
		if want := fmt.Sprintf("%s: expected a reply, found none after %v (every reply must be flushed; a slow engine needs a longer timeout)", named(op), limit); err == nil || err.Error() != want || !errors.As(err, new(*Failure)) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	for fault, want := range map[string]string{
		"lingers": "bye (request 7): expected the end of the host, with status 0, found none after 20ms",
		"deaf":    "search (request 4, question q1, index i): expected a reply, found none after 20ms (every reply must be flushed; a slow engine needs a longer timeout)",
	} {
		limits := patient()
		limits.End = short
		if fault == "deaf" {
			limits.Search = short
		}
		h, err := started(t, limits, fault, "filter")
		if err != nil {
			t.Fatal(err)
		}
		if err := talk(t.Context(), h); err == nil || err.Error() != want {
			t.Errorf("%s: %v", fault, err)
		}
		<-h.transport.(*process).done
	}
}

// TestEnds: bye is not enough, the status must be 0 and nothing may follow; an
// interrupted request ends the host.
func TestEnds(t *testing.T) {
	for fault, want := range map[string]string{
		"status":       "bye (request 7): expected the end of the host, with status 0, found exit status 7",
		"twice:bye":    `bye (request 7): expected the end of the host, with status 0, found "{\"a later key\":[1],\"op\":\"bye\",\"seq\":7}" after bye`,
		"crlf:bye":     "",
		"eof":          "", // ends with its input, behind bye
		"flood:search": "",
	} {
		h, err := started(t, patient(), fault, "filter")
		if err == nil {
			err = talk(t.Context(), h)
		}
		if got := fmt.Sprint(err); got != want && !(err == nil && want == "") {
			t.Errorf("%s: %v", fault, err)
		}
		if fault == "flood:search" {
			if kept := len(h.transport.stop()); kept != keptStderr {
				t.Errorf("%d bytes of standard error are kept", kept)
			}
		}
	}
	h, err := started(t, patient(), "hang:search")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := h.Index(ctx, "i", "a", "1/1", nil); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := h.Search(ctx, "i", engine.Query{QID: "q", K: 1}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-h.transport.(*process).done
}

// TestUnasked: a line too many is found with the next request, as one that was not
// asked for or as the reply to another.
func TestUnasked(t *testing.T) {
	for _, op := range []string{"hello", "index", "search", "drop"} {
		h, err := started(t, patient(), "twice:"+op)
		if err != nil {
			t.Fatal(err)
		}
		err = talk(t.Context(), h)
		if err == nil || !strings.Contains(err.Error(), "found that it had written before it was asked: ") && !strings.Contains(err.Error(), "found one to ") {
			t.Errorf("%s: %v", op, err)
		}
	}
	if _, err := started(t, patient(), "banner"); err == nil || !strings.HasPrefix(err.Error(), "hello (request 1): expected a reply, found ") || !strings.Contains(err.Error(), `"Loading model …"`) {
		t.Error(err)
	}
}

// TestEndless: of a line of 200 MB the first 16 MiB are read, and that is the end of
// the host; the rest is not held.
func TestEndless(t *testing.T) {
	h, err := started(t, patient(), "endless:search")
	if err == nil {
		err = h.Index(t.Context(), "i", "a", "1/1", chunksOf(3))
	}
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = h.Search(t.Context(), "i", engine.Query{QID: "q", Text: "all", K: 1})
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "search (request 3, question q, index i): expected a reply, found a line of more than 16777216 bytes, which begins with \"....") || len(err.Error()) > 1000 {
		t.Errorf("%.1000v", err)
	}
	// What append leaves behind while it grows is counted too.
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 100<<20 {
		t.Errorf("%d MiB were allocated", grown>>20)
	}
	if held := after.HeapSys - before.HeapSys; int64(held) > 100<<20 {
		t.Errorf("%d MiB were held", held>>20)
	}
}

// TestCommands: what cannot be run is no failure of a host.
func TestCommands(t *testing.T) {
	for _, words := range [][]string{{"no-such-program-of-kerf"}, {t.TempDir()}} {
		_, err := Start(t.Context(), words, t.TempDir(), patient())
		if err == nil || errors.As(err, new(*Failure)) || !strings.HasPrefix(err.Error(), "cannot run ") {
			t.Errorf("%v: %v", words, err)
		}
	}
}

// TestServers: the key is sent and never shown, a redirect is not followed, a status
// is a failed request, a reply is bounded, and so is the time.
func TestServers(t *testing.T) {
	ctx := t.Context()
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	defer other.Close()
	at := func(answer http.HandlerFunc) string {
		s := httptest.NewServer(answer)
		t.Cleanup(s.Close)
		return s.URL + "/path?secret=url"
	}
	closed := httptest.NewServer(nil)
	closed.Close()
	short := patient()
	short.Hello = 20 * time.Millisecond
	for name, c := range map[string]struct {
		server Server
		limits Limits
		want   string
	}{
		"redirect": {Server{URL: at(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		})}, patient(),
			`expected version 1, found the error "status 307: `},
		"status": {Server{URL: at(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, "no "+r.Header.Get("Authorization")+strings.Repeat(".", 1<<20))
		}), Key: "s3cret"}, patient(), `expected version 1, found the error "status 401: no Bearer (key)....`},
		"not found": {Server{URL: at(func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "cannot POST "+r.RequestURI, http.StatusNotFound)
		})}, patient(), `expected version 1, found the error "status 404: cannot POST (path)`},
		"tells": {Server{URL: at(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, `{"op":"hello","seq":1,"error":"unknown key s3cret"}`)
		}), Key: "s3cret"}, patient(), `expected version 1, found the error "unknown key (key)"`},
		"echoes": {Server{URL: at(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "Authorization: "+r.Header.Get("Authorization"))
		}), Key: "s3cret"}, patient(), `expected a reply, found "Authorization: Bearer (key)", which is no JSON`},
		"endless": {Server{URL: at(func(w http.ResponseWriter, _ *http.Request) {
			block := bytes.Repeat([]byte{'x'}, 1<<20)
			for range 200 {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		})}, patient(), `expected a reply, found a line of more than 16777216 bytes, which begins with "xxx`},
		"cut off": {Server{URL: at(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"op":`)
		})}, patient(), "expected a reply, found no connection: unexpected EOF"},
		"hangs": {Server{URL: at(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // else the server does not see that kerf has gone
			<-r.Context().Done()
		})}, short, "expected a reply, found none after 20ms"},
		"nobody":  {Server{URL: closed.URL + "/?secret=url"}, patient(), "expected a reply, found no connection: "},
		"offline": {Server{URL: "http://192.0.2.1/?secret=url", Offline: true}, patient(), "expected a reply, found no connection: dial tcp 192.0.2.1:80: --offline allows this machine alone, and 192.0.2.1:80 is elsewhere"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Connect(ctx, c.server, c.limits)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 200<<20 { // the server's part included
			t.Errorf("%s: %d MiB were allocated", name, grown>>20)
		}
		if err == nil || !errors.As(err, new(*Failure)) || !strings.HasPrefix(err.Error(), "hello (request 1): "+c.want) {
			t.Errorf("%s: %.300v", name, err)
			continue
		}
		if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "s3cret") || len(err.Error()) > 4<<10 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if elsewhere.Load() > 0 {
		t.Error("a redirect was followed")
	}
	for _, s := range []Server{{URL: "localhost:8000"}, {URL: "ftp://localhost"}, {URL: "http://"}, {URL: "http://\x00"}, {URL: closed.URL, Key: "two words"}, {URL: closed.URL, Key: "é"}} {
		if _, err := Connect(ctx, s, patient()); err == nil || errors.As(err, new(*Failure)) || !strings.HasPrefix(err.Error(), "expected a ") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestStatusOfASearch: a status is an answer to its request alone, and the search is
// asked once more.
func TestStatusOfASearch(t *testing.T) {
	r := &recorder{}
	refuse, asked := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		message, _ := io.ReadAll(request.Body)
		if strings.Contains(string(message), `"op":"search"`) {
			if asked++; asked <= refuse {
				http.Error(w, "warming up"+strings.Repeat(".", 1<<20), http.StatusServiceUnavailable)
				return
			}
		}
		_, _ = w.Write(r.host.Answer(message))
	}))
	defer server.Close()
	h, err := Connect(t.Context(), Server{URL: server.URL, Offline: true}, patient())
	if err == nil {
		err = h.Index(t.Context(), "i", "a", "1/1", chunksOf(3))
	}
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{0: "<nil>", 1: "<nil>", 2: "search of question q: the engine answered with an error: status 503: warming up" + strings.Repeat(".", 2<<10-10)} {
		refuse, asked = n, 0
		if _, err := h.Search(t.Context(), "i", engine.Query{QID: "q", Text: "all", K: 1}); fmt.Sprint(err) != want {
			t.Errorf("%d times 503: %v", n, err)
		}
	}
}
