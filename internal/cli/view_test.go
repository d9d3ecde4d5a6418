package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kerf/internal/jsonl"
)

// No output of a redacted run holds twenty bytes of any document or question.
func TestRedactedOutputsHoldNoText(t *testing.T) {
	dir := t.TempDir()
	if code, _, stderr := command(dir, false, "demo", "."); code != 0 {
		t.Fatal(stderr)
	}
	secret := map[string]bool{}
	hide := func(text string) {
		for i := 0; i+20 <= len(text); i++ {
			secret[text[i:i+20]] = true
		}
	}
	docs, err := filepath.Glob(filepath.Join(dir, "docs", "*"))
	if err != nil || len(docs) < 8 {
		t.Fatal(docs, err)
	}
	for _, d := range docs {
		content, err := os.ReadFile(d)
		if err != nil {
			t.Fatal(err)
		}
		hide(string(content))
	}
	golden, err := os.ReadFile(filepath.Join(dir, "golden.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := jsonl.ParseFile("golden.jsonl", golden)
	questions := 0
	for _, l := range lines {
		if q := l.Value.Get("question"); q != nil {
			hide(q.Text)
			questions++
		}
	}
	if questions < 60 {
		t.Fatalf("%d questions", questions)
	}
	look := func(name, text string) (found string) {
		for i := 0; i+20 <= len(text); i++ {
			if secret[text[i:i+20]] && strings.Trim(text[i:i+20], "|-: \n") != "" { // the rule of a table is nobody's text
				return text[max(0, i-30):min(len(text), i+50)]
			}
		}
		return ""
	}
	for _, redact := range []string{"none", "text"} {
		all := map[string]string{}
		for _, format := range []string{"text", "json", "markdown"} {
			_, all["run "+format], all["run talk"] = command(dir, false, "run", "--redact", redact, "--format", format)
			if format != "text" {
				_, all["view "+format], all["view talk"] = command(dir, false, "view", "--format", format)
			}
		}
		folder := filepath.Join(dir, ".kerf", "runs", strings.TrimSpace(read(t, filepath.Join(dir, ".kerf", "runs", "latest"))))
		for _, name := range []string{"report.json", "report.html", "report.md"} {
			all[name] = read(t, filepath.Join(folder, name))
		}
		for name, text := range all {
			found := look(name, text)
			switch talk := strings.HasSuffix(name, "talk"); {
			case redact == "text" && found != "":
				t.Errorf("%s: %q", name, found)
			case redact == "none" && found == "" && !talk:
				t.Errorf("%s holds no text: nothing is compared", name)
			case !talk && len(text) < 1000:
				t.Errorf("%s: %d bytes", name, len(text))
			}
		}
	}
}
