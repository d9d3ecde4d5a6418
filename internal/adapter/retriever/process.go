package retriever

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
)

const keptStderr = 64 << 10

// Start runs a command and begins the conversation. words are the program and its
// arguments (see Words), dir the folder that it runs in; its environment is kerf's.
// A host that begins and then fails is a *Failure; any other error says that the
// command cannot be run.
func Start(ctx context.Context, words []string, dir string, limits Limits) (*Host, error) {
	p, err := start(words, dir, limits)
	if err != nil {
		return nil, fmt.Errorf("cannot run %s: %w", quoted(words[0]), err)
	}
	return open(ctx, p, limits)
}

// process is a host over standard input and output.
type process struct {
	stdin  io.WriteCloser
	out    *lines
	stderr *tail
	kill   context.CancelFunc // begins the end: SIGTERM, then SIGKILL
	done   chan struct{}      // closed when the process is gone and its output read
	status string             // how it ended, after done
	good   bool               // with status 0
}

func start(words []string, dir string, limits Limits) (*process, error) {
	ctx, kill := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	alone(cmd)
	cmd.WaitDelay = limits.End
	p := &process{kill: kill, done: make(chan struct{}), stderr: &tail{most: keptStderr},
		out: &lines{most: limits.Reply, whole: make(chan outLine), stopped: ctx.Done()}}
	cmd.Stdout, cmd.Stderr = p.out, p.stderr // read at all times, by goroutines of cmd's
	var err error
	if p.stdin, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		kill()
		return nil, err
	}
	go func() {
		_ = cmd.Wait() // the state says it all
		endGroup(cmd)  // children that outlive it
		kill()
		p.status, p.good = cmd.ProcessState.String(), cmd.ProcessState.Success()
		close(p.done)
	}()
	return p, nil
}

func (p *process) exchange(ctx context.Context, request []byte) ([]byte, error) {
	select {
	case l := <-p.out.whole:
		return nil, fmt.Errorf("that it had written before it was asked: %s", l)
	default:
	}
	written := make(chan error, 1)
	go func() {
		_, err := p.stdin.Write(request)
		written <- err
	}()
	select {
	case l := <-p.out.whole:
		// Whoever has answered must have read the request.
		select {
		case <-written:
		case <-p.done:
		case <-ctx.Done():
			return nil, fmt.Errorf("a reply to a request that it has not read: %s", l)
		}
		if l.long {
			return nil, errors.New(l.String())
		}
		return l.text, nil
	case <-p.done:
		return nil, p.ended()
	case <-ctx.Done():
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return nil, fmt.Errorf("%w (every reply must be flushed; a slow engine needs a longer timeout)", context.Cause(ctx))
		}
		return nil, context.Cause(ctx)
	}
}

// ended says how the process ended without a reply.
func (p *process) ended() error {
	if len(p.out.part) > 0 {
		return fmt.Errorf("the end of the host (%s) in the middle of a line: %s", p.status, excerpt(p.out.part))
	}
	return fmt.Errorf("the end of the host (%s)", p.status)
}

func (p *process) end(ctx context.Context) error {
	_ = p.stdin.Close()
	select {
	case l := <-p.out.whole:
		return fmt.Errorf("%s after bye", l)
	case <-p.done:
		if !p.good {
			return errors.New(p.status)
		}
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *process) stop() string {
	p.kill()
	<-p.done
	return p.stderr.String()
}

// hide: kerf gives a process no secret.
func (p *process) hide(text string) string { return text }

// outLine is a line of standard output, or the beginning of one that is too long.
type outLine struct {
	text []byte
	long bool
	most int
}

func (l outLine) String() string {
	if l.long {
		return fmt.Sprintf("a line of more than %d bytes, which begins with %s", l.most, excerpt(l.text))
	}
	return excerpt(l.text)
}

// lines takes standard output apart. It holds one line at the most, and a host that
// writes more waits until that is taken.
type lines struct {
	most    int
	part    []byte // of the line that has not ended
	whole   chan outLine
	stopped <-chan struct{}
}

func (l *lines) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		text := rest
		if i >= 0 {
			text = rest[:i]
		}
		if len(l.part)+len(text) > l.most {
			l.part = append(l.part, text[:l.most-len(l.part)]...)
			return 0, l.hand(outLine{l.part, true, l.most}, io.ErrShortBuffer)
		}
		l.part = append(l.part, text...)
		if i < 0 {
			break
		}
		if err := l.hand(outLine{text: l.part}, nil); err != nil {
			return 0, err
		}
		l.part, rest = nil, rest[i+1:]
	}
	return len(b), nil
}

// hand passes a line on, then err.
func (l *lines) hand(line outLine, err error) error {
	select {
	case l.whole <- line:
		return err
	case <-l.stopped:
		return io.ErrClosedPipe
	}
}
