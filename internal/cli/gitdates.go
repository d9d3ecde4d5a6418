package cli

import (
	"bufio"
	"context"
	"os/exec"
	"strings"
	"time"
)

// gitTime is how long git may take; without an answer the documents have no
// date, which no key and no result depends on.
const gitTime = 10 * time.Second

// gitDates are the commit dates of the files below dir that are in git as they
// stand, by their path below dir: nil without git, outside of a repository and
// where git takes too long.
func gitDates(ctx context.Context, dir string) map[string]string {
	ctx, stop := context.WithTimeout(ctx, gitTime)
	defer stop()
	git := func(args ...string) *exec.Cmd {
		// fsmonitor would start a program that the repository names.
		return exec.CommandContext(ctx, "git", append([]string{"-c", "core.fsmonitor=false", "-C", dir}, args...)...)
	}
	list := func(args ...string) ([]string, bool) {
		out, err := git(args...).Output()
		return strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 }), err == nil
	}
	tracked, ok := list("ls-files", "-z", "--", ".")
	if !ok {
		return nil
	}
	changed, ok := list("diff", "-z", "--name-only", "--relative", "HEAD", "--", ".")
	if !ok {
		return nil
	}
	open := map[string]bool{}
	for _, name := range tracked {
		open[name] = true
	}
	for _, name := range changed {
		delete(open, name)
	}
	// One walk through the history, newest first, to the last open file.
	log := git("log", "-z", "--format=%x01%cs", "--name-only", "--no-renames", "--relative", "--", ".")
	out, err := log.StdoutPipe()
	if err != nil || log.Start() != nil {
		return nil
	}
	dates := map[string]string{}
	date := ""
	for r := bufio.NewReader(out); len(open) > 0; {
		field, err := r.ReadString(0)
		if err != nil {
			break
		}
		name := strings.TrimPrefix(strings.TrimSuffix(field, "\x00"), "\n")
		if day, ok := strings.CutPrefix(name, "\x01"); ok {
			date = day
		} else if open[name] {
			dates[name] = date
			delete(open, name)
		}
	}
	late := ctx.Err() != nil
	stop()
	log.Wait() // killed where more history was left
	if late {
		return nil
	}
	return dates
}
