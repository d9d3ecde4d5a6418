package retriever

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"kerf/internal/pipeline/engine"
)

// Server is where a host listens. The URL may hold a secret: no error shows it.
type Server struct {
	URL     string // http or https
	Key     string // sent as Authorization: Bearer, "" for none
	Run     string // unlike that of any other run at the time: it keeps their indexes apart on the server
	Offline bool   // allow loopback addresses alone
}

// Connect begins the conversation with a server. A server that does not answer is a
// *Failure; any other error says that the URL or the key is none.
func Connect(ctx context.Context, s Server, limits Limits) (*Host, error) {
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("expected a URL that begins with http:// or https:// and names a host")
	case strings.ContainsFunc(s.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return nil, errors.New("expected a key of visible ASCII characters")
	}
	dialer := net.Dialer{}
	if s.Offline {
		dialer.Control = loopback
	}
	h, err := open(ctx, &server{Server: s, limit: limits.Reply, client: http.Client{
		Transport:     &http.Transport{DialContext: dialer.DialContext, DisableCompression: true, MaxIdleConnsPerHost: 1},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, limits)
	if err == nil && s.Run != "" {
		h.run = "." + s.Run
	}
	return h, err
}

// loopback refuses every address but this machine's own. It sees the address that
// the name was resolved to.
func loopback(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !at.Addr().Unmap().IsLoopback() {
		return fmt.Errorf("--offline allows this machine alone, and %s is elsewhere", address)
	}
	return nil
}

// server is a host over HTTP.
type server struct {
	Server
	limit  int // bytes of a reply
	client http.Client
}

func (s *server) exchange(ctx context.Context, request []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL, bytes.NewReader(request))
	if err != nil {
		return nil, errors.New("a URL that is none")
	}
	r.Header.Set("Content-Type", "application/json")
	if s.Key != "" {
		r.Header.Set("Authorization", "Bearer "+s.Key)
	}
	reply, err := s.client.Do(r)
	if err != nil {
		return nil, s.why(ctx, err)
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		const shown = 2 << 10
		body, _ := io.ReadAll(io.LimitReader(reply.Body, shown)) // as much as comes
		reason := strings.ToValidUTF8(fmt.Sprintf("status %d: %s", reply.StatusCode, body), "�")
		if to := reply.Header.Get("Location"); to != "" {
			reason += " (redirects are not followed)"
		}
		return nil, &engine.Refused{Reason: reason}
	}
	body, err := io.ReadAll(io.LimitReader(reply.Body, int64(s.limit)+1))
	switch {
	case err != nil:
		return nil, s.why(ctx, err)
	case len(body) > s.limit:
		return nil, errors.New(outLine{body, true, s.limit}.String())
	}
	return body, nil
}

// why is an error of the connection, without the URL.
func (s *server) why(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var of *url.Error
	if errors.As(err, &of) {
		err = of.Err
	}
	return fmt.Errorf("no connection: %w", err)
}

// hide leaves out the key, and of the URL what stands behind the host.
func (s *server) hide(text string) string {
	if s.Key != "" {
		text = strings.ReplaceAll(text, s.Key, "(key)")
	}
	if u, err := url.Parse(s.URL); err == nil && len(u.RequestURI()) > len("/") {
		text = strings.ReplaceAll(text, u.RequestURI(), "(path)")
	}
	return text
}

// end: the server goes on without kerf.
func (s *server) end(context.Context) error {
	s.client.CloseIdleConnections()
	return nil
}

func (s *server) stop() string {
	s.client.CloseIdleConnections()
	return ""
}
