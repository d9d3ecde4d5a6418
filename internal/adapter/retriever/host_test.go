package retriever

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kerf/internal/pipeline/engine"
	"kerf/internal/twin/host"
)

// TestMain is also the host of these tests: BINARY host FAULT [filter].
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "host" {
		os.Exit(serve(os.Args[2], slices.Contains(os.Args[3:], "filter")))
	}
	os.Exit(m.Run())
}

func serve(fault string, filter bool) int {
	h := host.Host{Fault: fault, Filter: filter}
	switch fault {
	case "deaf": // to SIGTERM and the end of its input
		ignoreTerm()
		h.Fault = "hang:search"
		h.Serve(os.Stdin, os.Stdout, os.Stderr)
		forever()
	case "lingers": // after bye
		h.Serve(os.Stdin, os.Stdout, os.Stderr)
		forever()
	case "parent": // of a process that would outlive it, and holds a lock and the pipes
		return parent(&h)
	case "child":
		return child()
	}
	return h.Serve(os.Stdin, os.Stdout, os.Stderr)
}

// forever waits for what never comes.
func forever() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	_, _ = io.ReadAll(r)
	w.Close()
}

// patient are limits that no healthy host meets, however slow the machine.
func patient() Limits { return Default().Within(5 * time.Minute) }

// started is a process with this fault.
func started(t *testing.T, limits Limits, fault string, more ...string) (*Host, error) {
	t.Helper()
	h, err := Start(t.Context(), append([]string{os.Args[0], "host", fault}, more...), t.TempDir(), limits)
	if err == nil {
		t.Cleanup(func() { h.transport.stop() })
	}
	return h, err
}

// listening is a server with this fault. A host that answers nothing is a process
// alone, so the faults here are those of answers.
func listening(t *testing.T, limits Limits, fault string, filter bool) (*Host, error) {
	t.Helper()
	of := host.Host{Fault: fault, Filter: filter}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %v %v", r.Method, r.Header, err)
		}
		_, _ = w.Write(of.Answer(message))
	}))
	t.Cleanup(server.Close)
	return Connect(t.Context(), Server{URL: server.URL}, limits)
}

// both runs a test over a process and over a server.
func both(t *testing.T, fault string, filter bool, test func(t *testing.T, h *Host, err error)) {
	t.Run("process", func(t *testing.T) {
		more := []string{}
		if filter {
			more = append(more, "filter")
		}
		h, err := started(t, patient(), fault, more...)
		test(t, h, err)
	})
	t.Run("http", func(t *testing.T) {
		h, err := listening(t, patient(), fault, filter)
		test(t, h, err)
	})
}

// chunksOf are n chunks of three documents; every chunk has a word of its own and
// shares others.
func chunksOf(n int) []engine.Chunk {
	var chunks []engine.Chunk
	for i := range n {
		c := engine.Chunk{ID: fmt.Sprintf("d%d:%d", i%3, i), Doc: fmt.Sprintf("d%d", i%3), Start: 10 * i, End: 10*i + 10,
			Text: fmt.Sprintf("own%d fifth%d seventh%d all\u2028 \"\\\x01é🦔", i, i%5, i%7)}
		switch i % 4 {
		case 1:
			c.Readers = []string{"staff"}
		case 2:
			c.Readers = []string{"hr", "staff"}
		}
		chunks = append(chunks, c)
	}
	return chunks
}

func ids(hits []engine.Hit) []string {
	out := []string{}
	for _, h := range hits {
		out = append(out, h.ID)
	}
	return out
}

// TestConversation is a whole one: who is there, batches, questions, two indexes side
// by side, one that is built anew, the end.
func TestConversation(t *testing.T) {
	both(t, "", false, func(t *testing.T, h *Host, err error) {
		ctx := t.Context()
		if err != nil {
			t.Fatal(err)
		}
		want := engine.Identity{Name: "words", Model: "shared-words@1", Settings: `{"a":[null,"x"],"b":1}`, Capabilities: []string{"a later one"}}
		if got := h.Identity(); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("identity %+v, want %+v", got, want)
		}
		all := chunksOf(600)
		for name, chunks := range map[string][]engine.Chunk{"whole": all, "half": all[:300], "none": nil} {
			if err := h.Index(ctx, name, "arm", "1/8", chunks); err != nil {
				t.Fatal(err)
			}
		}
		ask := func(index, text string, k int) []string {
			t.Helper()
			hits, err := h.Search(ctx, index, engine.Query{QID: "q", Text: text, K: k})
			if err != nil {
				t.Fatal(err)
			}
			return ids(hits)
		}
		for _, c := range []struct {
			index, text string
			k           int
			want        []string
		}{
			{"whole", "own599", 5, []string{"d2:599"}},
			{"half", "own599", 5, []string{}},
			{"none", "all", 5, []string{}},
			{"half", "", 5, []string{}},
			{"half", "nowhere", 5, []string{}},
			{"half", "Own7 FIFTH2 all", 3, []string{"d1:7", "d0:102", "d0:117"}},
			{"whole", "all", 1, []string{"d0:0"}},
		} {
			if got := ask(c.index, c.text, c.k); !slices.Equal(got, c.want) {
				t.Errorf("%+v: %v", c, got)
			}
		}
		if err := h.Index(ctx, "whole", "arm", "2/8", all[590:]); err != nil { // in place of what was there
			t.Error(err)
		}
		if got := ask("whole", "own1 own595", 9); !slices.Equal(got, []string{"d1:595"}) {
			t.Error(got)
		}
		if err := errors.Join(h.Drop(ctx, "whole"), h.Drop(ctx, "whole"), h.Close(ctx), h.Close(ctx)); err != nil {
			t.Error(err)
		}
		if err := h.Drop(ctx, "half"); err == nil || !strings.Contains(err.Error(), "the host has ended") {
			t.Error(err)
		}
	})
}

// TestIdentity: settings are canonical, capabilities sorted and each once; settings
// need not be there.
func TestIdentity(t *testing.T) {
	r := &recorder{host: host.Host{Filter: true}}
	h, err := open(t.Context(), r, patient())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%q", h.Identity()), `{"words" "shared-words@1" "{\"a\":[null,\"x\"],\"b\":1}" ["a later one" "filter"]}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r.raw = `{"op":"hello","seq":1,"version":1,"name":"bare"}`
	if h, err = open(t.Context(), r, patient()); err != nil || fmt.Sprintf("%q", h.Identity()) != `{"bare" "" "" []}` {
		t.Errorf("%v %+v", err, h)
	}
}

// TestNotBuilt: what was not built, or was not built again as a whole, is not asked.
func TestNotBuilt(t *testing.T) {
	r := &recorder{}
	h, err := open(t.Context(), r, patient())
	if err == nil {
		err = h.Index(t.Context(), "i", "a", "1/1", chunksOf(3))
	}
	if err != nil {
		t.Fatal(err)
	}
	r.host.Fault = "count"
	if err := h.Index(t.Context(), "i", "a", "1/1", chunksOf(5)); err == nil {
		t.Fatal("an index without all of its chunks is one")
	}
	for _, index := range []string{"i", "never"} {
		func() {
			defer func() {
				if why := fmt.Sprint(recover()); why != "BUG: index "+index+" was not built" {
					t.Error(why)
				}
			}()
			_, _ = h.Search(t.Context(), index, engine.Query{QID: "q", Text: "all", K: 1})
		}()
	}
}

// recorder answers by itself and keeps the requests.
type recorder struct {
	host     host.Host
	requests []string
	raw      string // what is answered instead
}

func (r *recorder) exchange(_ context.Context, request []byte) ([]byte, error) {
	r.requests = append(r.requests, string(request))
	if r.raw != "" {
		return []byte(r.raw), nil
	}
	return r.host.Answer(request), nil
}
func (r *recorder) end(context.Context) error { return nil }
func (r *recorder) stop() string              { return "" }
func (r *recorder) hide(text string) string   { return text }

// TestMessages are the messages of the page, byte for byte.
func TestMessages(t *testing.T) {
	ctx := t.Context()
	r := &recorder{host: host.Host{Filter: true}}
	h, err := open(ctx, r, patient())
	if err != nil {
		t.Fatal(err)
	}
	chunks := []engine.Chunk{{ID: "policy.md:0-9", Doc: "policy.md", Start: 0, End: 9, Text: "Requests\u2028", Readers: []string{"public", "staff"}}}
	if err := h.Index(ctx, "mine.3of8", "mine", "3/8", chunks); err != nil {
		t.Fatal(err)
	}
	_, err = h.Search(ctx, "mine.3of8", engine.Query{QID: "q-017", Text: "", K: 101, Reader: []string{"public"}, Docs: []string{"policy.md"}})
	if err := errors.Join(err, h.Index(ctx, "e", "mine", "8/8", nil), h.Drop(ctx, "mine.3of8"), h.Close(ctx)); err != nil {
		t.Fatal(err)
	}
	want := `{"op":"hello","seq":1,"kerf":"retriever/1","versions":[1]}
{"op":"index","seq":2,"index":"mine.3of8","arm":"mine","label":"3/8","first":true,"chunks":[{"id":"policy.md:0-9","doc":"policy.md","start":0,"end":9,"text":"Requests\u2028","readers":["public","staff"]}],"last":true}
{"op":"search","seq":3,"index":"mine.3of8","qid":"q-017","text":"","k":101,"reader":["public"],"docs":["policy.md"]}
{"op":"index","seq":4,"index":"e","arm":"mine","label":"8/8","first":true,"chunks":[],"last":true}
{"op":"drop","seq":5,"index":"mine.3of8"}
{"op":"bye","seq":6}
`
	if got := strings.Join(r.requests, ""); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestBatches: at most 256 chunks and 4 MiB of text, a longer chunk alone; the first
// begins and the last ends an index.
func TestBatches(t *testing.T) {
	sizes := func(texts ...int) (out []int) {
		var chunks []engine.Chunk
		for i, n := range texts {
			chunks = append(chunks, engine.Chunk{ID: fmt.Sprint(i), Text: strings.Repeat("x", n)})
		}
		r := &recorder{}
		h, err := open(t.Context(), r, patient())
		if err == nil {
			err = h.Index(t.Context(), "i", "a", "1/1", chunks)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, request := range r.requests[1:] {
			if strings.Contains(request, `"first":true`) != (i == 0) || strings.Contains(request, `"last":true`) != (i == len(r.requests)-2) {
				t.Errorf("batch %d of %d: %.80s", i+1, len(r.requests)-1, request)
			}
			out = append(out, strings.Count(request, `"id":`))
		}
		return out
	}
	const full = 4 << 20
	for _, c := range []struct{ texts, want []int }{
		{nil, []int{0}},
		{make([]int, 256), []int{256}},
		{make([]int, 513), []int{256, 256, 1}},
		{[]int{full - 1, 1, 1}, []int{2, 1}},
		{[]int{1, full + 1, 1}, []int{1, 1, 1}},
		{[]int{full, full}, []int{1, 1}},
	} {
		if got := sizes(c.texts...); !slices.Equal(got, c.want) {
			t.Errorf("%d texts: batches of %v, want %v", len(c.texts), got, c.want)
		}
	}
}

// TestFilters: a host that filters and one that does not give the same hits, for any
// documents, readers and k; the second is asked again and again.
func TestFilters(t *testing.T) {
	ctx := t.Context()
	var hosts []*Host
	var asked []*recorder
	for _, filter := range []bool{true, false} {
		r := &recorder{host: host.Host{Filter: filter}}
		h, err := open(ctx, r, patient())
		if err == nil {
			err = h.Index(ctx, "i", "a", "1/1", chunksOf(90))
		}
		if err != nil {
			t.Fatal(err)
		}
		hosts, asked = append(hosts, h), append(asked, r)
	}
	rng, most := rand.New(rand.NewPCG(1, 2)), 0
	for i := range 400 {
		q := engine.Query{QID: fmt.Sprint("q", i), Text: fmt.Sprintf("fifth%d seventh%d own%d", rng.IntN(6), rng.IntN(8), rng.IntN(90)), K: 1 + rng.IntN(40)}
		if rng.IntN(3) == 0 {
			q.Text += " all"
		}
		q.Docs = [][]string{nil, {}, {"d0"}, {"d1", "d2"}, {"nowhere"}}[rng.IntN(5)]
		q.Reader = [][]string{nil, {}, {"public"}, {"hr"}, {"public", "staff"}}[rng.IntN(5)]
		before := len(asked[1].requests)
		with, err1 := hosts[0].Search(ctx, "i", q)
		without, err2 := hosts[1].Search(ctx, "i", q)
		if err1 != nil || err2 != nil || !slices.Equal(with, without) {
			t.Fatalf("%+v: %v %v, %v %v", q, ids(with), err1, ids(without), err2)
		}
		most = max(most, len(asked[1].requests)-before)
		for _, request := range asked[1].requests[before:] {
			if strings.Contains(request, `"docs"`) || strings.Contains(request, `"reader":`) {
				t.Fatalf("a host without the capability was sent %s", request)
			}
		}
	}
	if most < 5 { // 1, 2, 4, … chunks of 90
		t.Errorf("asked %d times at the most: the filters left out too little", most)
	}
}

// capped is a host that finds nothing above some k.
type capped struct {
	recorder
	most int
}

func (c *capped) exchange(ctx context.Context, request []byte) ([]byte, error) {
	b, err := c.recorder.exchange(ctx, request)
	var k struct{ K int }
	if json.Unmarshal(request, &k) == nil && k.K > c.most {
		b = regexp.MustCompile(`"hits":\[.*\]`).ReplaceAll(b, []byte(`"hits":[]`))
	}
	return b, err
}

// TestFewer: a host that gives fewer hits when it is asked for more has answered
// wrongly; the hits that are gone are no misses.
func TestFewer(t *testing.T) {
	for most, want := range map[int]string{30: "", 8: "search of question q: expected at least the 8 hits of the same search with a smaller k, found 0 with k 16"} {
		h, err := open(t.Context(), &capped{most: most}, patient())
		if err == nil {
			err = h.Index(t.Context(), "i", "a", "1/1", chunksOf(30))
		}
		if err != nil {
			t.Fatal(err)
		}
		hits, err := h.Search(t.Context(), "i", engine.Query{QID: "q", Text: "all", K: 8, Docs: []string{"d2"}})
		if got := fmt.Sprint(err); want != "" && got != want || want == "" && (err != nil || len(hits) != 8) {
			t.Errorf("at most %d: %v, %v", most, ids(hits), err)
		}
	}
}

// TestRunsOnOneServer: what one run builds, searches and drops is no index of another.
func TestRunsOnOneServer(t *testing.T) {
	of := host.Host{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		message, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(of.Answer(message))
	}))
	defer server.Close()
	ctx, q := t.Context(), engine.Query{QID: "q", Text: "all", K: 9}
	var runs []*Host
	for i, run := range []string{"one", "two"} {
		h, err := Connect(ctx, Server{URL: server.URL, Run: run}, patient())
		if err == nil {
			err = h.Index(ctx, "a.1of1", "a", "1/1", chunksOf(3+i))
		}
		if err != nil {
			t.Fatal(err)
		}
		runs = append(runs, h)
	}
	for i, h := range runs {
		if hits, err := h.Search(ctx, "a.1of1", q); err != nil || len(hits) != 3+i {
			t.Errorf("run %d: %v, %v", i, ids(hits), err)
		}
		if err := h.Drop(ctx, "a.1of1"); err != nil {
			t.Error(err)
		}
	}
}

// TestRetry: a search that the host answers with an error is asked once more; an
// answer that breaks a rule is not.
func TestRetry(t *testing.T) {
	for fault, want := range map[string]int{"": 1, "refuse-first:search": 2, "refuse:search": 2, "more": 1} {
		r := &recorder{host: host.Host{Fault: fault, Filter: true}}
		h, err := open(t.Context(), r, patient())
		if err == nil {
			err = h.Index(t.Context(), "i", "a", "1/1", chunksOf(9))
		}
		if err != nil {
			t.Fatal(err)
		}
		_, err = h.Search(t.Context(), "i", engine.Query{QID: "q", Text: "all", K: 2})
		if n := strings.Count(strings.Join(r.requests, ""), `"op":"search"`); n != want {
			t.Errorf("%q: %d requests, want %d", fault, n, want)
		}
		if (err == nil) != (fault == "" || fault == "refuse-first:search") {
			t.Errorf("%q: %v", fault, err)
		}
	}
}

// TestTail: the end of what was written is kept, whatever the pieces.
func TestTail(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		tl, all := tail{most: 10}, []byte{}
		for range rng.IntN(20) {
			piece := bytes.Repeat([]byte{byte('a' + rng.IntN(26))}, rng.IntN(25))
			if n, err := tl.Write(piece); n != len(piece) || err != nil {
				t.Fatal(n, err)
			}
			all = append(all, piece...)
			if want := string(all[max(0, len(all)-10):]); tl.String() != want || cap(tl.b) > 64 {
				t.Fatalf("%q, want %q", tl.String(), want)
			}
		}
	}
}

// TestLastLines: the last 20, without what ends the text.
func TestLastLines(t *testing.T) {
	var all []string
	for i := range 25 {
		all = append(all, fmt.Sprint("  line ", i))
	}
	text := strings.ReplaceAll(strings.Join(all, "\r\n"), "  ", "") + "\n\n "
	if got, want := lastLines(text, 20), strings.Join(all[5:], "\n"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := lastLines("\n", 20); got != "" {
		t.Errorf("%q", got)
	}
}
