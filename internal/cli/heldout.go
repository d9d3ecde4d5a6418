package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"kerf/internal/jsonl"
)

// heldoutName is the file beside the golden set that counts how often its
// held-out questions were asked (docs/format/heldout.md).
const (
	heldoutName = "heldout.jsonl"
	heldoutKind = "heldout/1"
)

// heldoutUse is a line of it: a run that asked held-out questions.
type heldoutUse struct {
	Run       string `json:"run"`
	Kerf      string `json:"kerf"`
	Golden    string `json:"golden"`    // digest
	Questions int    `json:"questions"` // held-out ones that were asked
}

// useHeldOut appends the run to the file, where it does not stand there yet, and
// returns how many other runs stand before it. A last line that a kill has cut off
// is removed first and said.
func (a *app) useHeldOut(file string, use heldoutUse) (before int, err error) {
	content, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, a.unread(file, err, "")
	}
	header, err := json.Marshal(map[string]string{"kerf": heldoutKind})
	if err != nil {
		return 0, err
	}
	header = append(header, '\n')
	end := bytes.LastIndexByte(content, '\n') + 1
	torn := content[end:]
	if l, _ := jsonl.Parse("", 1, torn); l.Value != nil || end == 0 && !bytes.HasPrefix(header, torn) {
		end, torn = len(content), nil // whole but for its end; or not a file of ours, of which nothing is cut off
	}
	runs, err := a.heldoutRuns(file, content[:end])
	if err != nil {
		return 0, err
	}
	seen := map[string]bool{}
	for _, run := range runs {
		if run == use.Run {
			return len(seen), nil
		}
		seen[run] = true
	}
	if len(torn) > 0 {
		if err := os.Truncate(file, int64(end)); err != nil {
			return 0, part(err)
		}
		a.say("%s:%d: the last line was cut off in the writing and is removed: %s", a.shown(file), bytes.Count(content, []byte("\n"))+1, jsonl.Quote(torn))
	}
	line, err := json.Marshal(use)
	if err != nil {
		return 0, err
	}
	switch {
	case end > 0 && content[end-1] == '\n':
		header = nil
	case end > 0:
		header = []byte("\n")
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err == nil {
		_, err = f.Write(append(append(header, line...), '\n')) // at once: two processes may append
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return 0, part(fmt.Errorf("the use of the held-out questions could not be recorded, so they were not asked: %w", err))
	}
	return len(seen), nil
}

// heldoutRuns are the runs that a heldout/1 file names, line by line. Its header
// may stand there again: two runs may have begun the file at once.
func (a *app) heldoutRuns(file string, content []byte) (runs []string, err error) {
	lines, found := jsonl.ParseFile(a.shown(file), content)
	if found.Errors() > 0 {
		return nil, exit(exitTrouble, found.Err())
	}
	for i, l := range lines {
		kind, run := l.Value.Get("kerf"), l.Value.Get("run")
		switch {
		case kind != nil && kind.Text == heldoutKind && run == nil:
		case i == 0:
			return nil, usage(`%s:%d: expected {"kerf":%q}; another file has this name: move it, the uses of the held-out questions are counted here`, a.shown(file), l.Number, heldoutKind)
		case run == nil || run.Kind != jsonl.String || run.Text == "":
			return nil, usage("%s:%d: a line without the ID of a run", a.shown(file), l.Number)
		default:
			runs = append(runs, run.Text)
		}
	}
	return runs, nil
}
