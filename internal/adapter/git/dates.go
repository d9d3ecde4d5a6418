package git

import (
	"bufio"
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"strings"
	"time"
)

// dating is how long dates may take; without them nothing is worse but dates.
const dating = 10 * time.Second

// longest is more bytes than a document has (corpus.MaxText).
const longest = 64 << 20

// Dates are the days (YYYY-MM-DD) of the last commit of the files below dir that
// stand, byte for byte, as HEAD has them, by their path below dir with "/": nil
// where dir is outside of the work tree or git takes too long.
func (r *Repository) Dates(ctx context.Context, dir string) map[string]string {
	ctx, stop := context.WithTimeout(ctx, dating)
	defer stop()
	prefix, err := ask(ctx, dir, mostLines, "rev-parse", "--show-prefix")
	if err != nil {
		return nil
	}
	prefix = strings.TrimSuffix(prefix, "\n")
	out, err := ask(ctx, dir, mostLines, "ls-tree", "-r", "-z", "HEAD")
	if err != nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	open := map[string]bool{}
	for _, entry := range fields(out) {
		head, name, _ := strings.Cut(entry, "\t")
		// git's own comparison would run the filters that the repository names.
		if w := strings.Fields(head); w[1] == "blob" && ctx.Err() == nil && stands(root, name, w[2]) {
			open[name] = true
		}
	}
	// One walk through the history, newest first, to the last open file. A merge
	// lists what it has from none of its parents, and knows no --relative.
	log := command(ctx, dir, "-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "log.follow=false",
		"log", "-z", "--format=%x01%cs", "--name-only", "-c", "--no-renames", "HEAD", "--", ".")
	lines, err := log.StdoutPipe()
	if err != nil || log.Start() != nil {
		return nil
	}
	dates := map[string]string{}
	date := ""
	for r := bufio.NewReader(lines); len(open) > 0; {
		field, err := r.ReadString(0)
		if err != nil {
			break
		}
		name := strings.TrimPrefix(strings.TrimSuffix(field, "\x00"), "\n")
		if day, ok := strings.CutPrefix(name, "\x01"); ok {
			date = day
		} else if name, ok := strings.CutPrefix(name, prefix); ok && open[name] {
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

// stands says whether a regular file has the bytes of a blob.
func stands(root *os.Root, name, digest string) bool {
	at, err := root.Lstat(name)
	if err != nil || !at.Mode().IsRegular() || at.Size() > longest {
		return false
	}
	text, err := root.ReadFile(name)
	if err != nil {
		return false
	}
	var h hash.Hash = sha1.New()
	if len(digest) == 2*sha256.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil)) == digest
}
