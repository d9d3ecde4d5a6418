package git

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

func TestFile(t *testing.T) {
	s := newSandbox(t)
	huge := strings.Repeat("x", 3<<20)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	names := []string{"kerf.yaml", "a b/ü.jsonl", ":(glob)*", "*.jsonl", "-x", "q\"'uote", "n\nl"}
	if runtime.GOOS == "windows" {
		names = []string{"kerf.yaml", "a b/ü.jsonl", "-x"}
	}
	files := []string{"huge", huge, "lfs.jsonl", pointer, "empty", "", "bytes", "\r\n\x00\xff\r\n", "dir/x", "x"}
	for _, name := range names {
		files = append(files, name, "old "+name)
	}
	old := s.commit("r", files...)
	now := s.commit("r", "kerf.yaml", "new")
	r := s.open("r")
	want := func(commit, name string, most int64, want string) {
		t.Helper()
		if got, err := r.File(t.Context(), commit, name, most); string(got) != want || err != nil {
			t.Errorf("%q: %.100q, %v; want %.100q", name, got, err, want)
		}
	}
	for _, name := range names {
		want(old, name, 100, "old "+name)
	}
	want(now, "kerf.yaml", 3, "new")
	want(old, "empty", 0, "")
	want(old, "bytes", 100, "\r\n\x00\xff\r\n")
	want(old, "huge", 3<<20, huge)
	for name, words := range map[string][]string{
		"huge": {"3145728 bytes; the most is 3145727"}, "dir": {"is a folder"}, "lfs.jsonl": {"pointer of git-lfs", "git lfs pull"},
	} {
		_, err := r.File(t.Context(), old, name, 3<<20-1)
		s.refuses(err, nil, append(words, name+" at "+old[:10])...)
	}
	for _, name := range []string{"gone", "dir/gone", "kerf.yaml/x", "*", "HEAD", "dir/", "kerf"} {
		_, err := r.File(t.Context(), old, name, 100)
		s.refuses(err, fs.ErrNotExist)
	}
	_, err := r.File(t.Context(), old, "../config", 100)
	s.refuses(err, nil, "outside repository")

	if runtime.GOOS != "windows" {
		if err := os.Symlink("kerf.yaml", s.path("r/link")); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("dir", s.path("r/linked")); err != nil {
			t.Fatal(err)
		}
		at := s.commit("r")
		_, err := r.File(t.Context(), at, "link", 100)
		s.refuses(err, nil, "is a link")
		_, err = r.File(t.Context(), at, "linked/x", 100)
		s.refuses(err, fs.ErrNotExist, "linked is a link")
	}
}

// TestSHA256: digests of 64 digits.
func TestSHA256(t *testing.T) {
	s := newSandbox(t)
	s.write("r/x", "")
	s.git("r", "init", "-q", "--object-format=sha256")
	sha := s.commit("r", "x", "text")
	r := s.open("r")
	if got, err := r.Commit(t.Context(), "HEAD"); got != sha || len(got) != 64 || err != nil {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := r.File(t.Context(), sha, "x", 10); string(got) != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if got := r.Dates(t.Context(), s.path("r")); got["x"] != "2026-03-04" {
		t.Errorf("%v", got)
	}
}

func TestDates(t *testing.T) {
	s := newSandbox(t)
	s.commit("r", "docs/a.md", "a", "docs/ü b.md", "b", "docs/dirty.md", "1", "docs/gone.md", "1", "beside.md", "x", "docs/merged.md", "1\n", "docs/touched.md", "1", "docs/linked.md", "x")
	s.git("r", "checkout", "-q", "-b", "side")
	t.Setenv("GIT_COMMITTER_DATE", "2026-05-06T07:08:09Z")
	s.commit("r", "docs/c.md", "c", "docs/merged.md", "side\n")
	s.git("r", "checkout", "-q", "main")
	s.commit("r", "docs/merged.md", "main\n")
	t.Setenv("GIT_COMMITTER_DATE", "2026-06-07T08:09:10Z")
	s.git("r", "merge", "-q", "--no-commit", "-X", "ours", "side")
	s.commit("r", "docs/merged.md", "both\n")
	t.Setenv("GIT_COMMITTER_DATE", "2026-07-08T09:10:11Z")
	s.git("r", "mv", "docs/a.md", "docs/renamed.md")
	s.commit("r")
	s.write("r/docs/dirty.md", "2")
	s.write("r/docs/new.md", "1")
	s.write("r/docs/touched.md", "1") // again: a new time, the same text
	if err := os.Remove(s.path("r/docs/gone.md")); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"ü b.md": "2026-03-04", "c.md": "2026-05-06", "merged.md": "2026-06-07", "renamed.md": "2026-07-08", "touched.md": "2026-03-04"}
	if runtime.GOOS == "windows" {
		want["linked.md"] = "2026-03-04"
	} else { // a link to the very same text is not the file
		s.write("r/docs/elsewhere", "x")
		if err := errors.Join(os.Remove(s.path("r/docs/linked.md")), os.Symlink("elsewhere", s.path("r/docs/linked.md"))); err != nil {
			t.Fatal(err)
		}
	}
	s.git("r", "config", "log.showRoot", "false")
	s.git("r", "config", "log.follow", "true")
	r := s.open("r")
	if got := r.Dates(t.Context(), s.path("r/docs")); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	if got := r.Dates(t.Context(), s.path("")); got != nil {
		t.Errorf("outside: %v", got)
	}
}

// TestHostile: what the configuration of a repository names is not run, with a
// control that each of these programs would be.
func TestHostile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the traps are shell scripts")
	}
	s := newSandbox(t)
	at := s.commit("r", "a.md", "text", "b.md", "text", ".gitattributes", "*.md filter=trap diff=trap merge=trap\n")
	marker := s.path("sprung")
	s.write("trap", "#!/bin/sh\necho \"$0 $*\" >> '"+marker+"'\ncat\n")
	if err := os.Chmod(s.path("trap"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "core.askPass", "core.alternateRefsCommand",
		"filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "diff.trap.textconv", "diff.trap.command", "diff.external",
		"gpg.program", "gpg.ssh.program", "gpg.x509.program", "credential.helper", "uploadpack.packObjectsHook", "pager.log", "pager.rev-parse"} {
		s.git("r", "config", key, s.path("trap"))
	}
	s.git("r", "config", "log.showSignature", "true")
	s.git("r", "config", "alias.ls-tree", "!"+s.path("trap"))
	for _, hook := range []string{"post-index-change", "reference-transaction", "fsmonitor-watchman", "post-checkout"} {
		s.write("r/.git/hooks/"+hook, "#!/bin/sh\necho hook >> '"+marker+"'\n")
		if err := os.Chmod(s.path("r/.git/hooks/"+hook), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	// A commit with a signature, for gpg.program.
	raw := s.git("r", "cat-file", "commit", at)
	head, message, _ := strings.Cut(raw, "\n\n")
	s.write("signed", head+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n"+message+"\n")
	signed := s.git("r", "-c", "core.fsmonitor=false", "hash-object", "-t", "commit", "-w", s.path("signed"))
	s.write("r/.git/refs/heads/main", signed+"\n")
	s.write("r/a.md", "text") // no longer what the index saw
	s.write("r/b.md", "other")

	r := s.open("r")
	if sha, err := r.Commit(t.Context(), "HEAD"); sha != signed || err != nil {
		t.Errorf("%s, %v", sha, err)
	}
	if _, sha, err := r.Base(t.Context(), env()); sha != signed || err != nil {
		t.Errorf("%s, %v", sha, err)
	}
	if text, err := r.File(t.Context(), signed, "a.md", 10); string(text) != "text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if got := r.Dates(t.Context(), s.path("r")); got["a.md"] != "2026-03-04" || got["b.md"] != "" {
		t.Errorf("%v", got)
	}
	if sprung, err := os.ReadFile(marker); err == nil {
		t.Errorf("run: %s", sprung)
	}

	for _, control := range [][]string{{"-c", "core.fsmonitor=false", "diff", "--name-only", "HEAD"}, {"status"}, {"log", "-1", "--format=%cs"}} {
		os.Remove(marker)
		s.try("r", control...)
		if _, err := os.Stat(marker); err != nil {
			t.Errorf("git %q springs no trap: this test shows nothing", control)
		}
	}
}

// TestPartial: what a partial clone left out is not fetched.
func TestPartial(t *testing.T) {
	s := newSandbox(t)
	s.commit("hub", "it's.yaml", "old")
	s.commit("hub", "it's.yaml", "new")
	s.git("hub", "config", "uploadpack.allowFilter", "true")
	s.git("hub", "config", "uploadpack.allowAnySHA1InWant", "true")
	s.git("", "clone", "-q", "--filter=blob:none", "file://"+s.path("hub"), "work")
	r := s.open("work")
	old, err := r.Commit(t.Context(), "HEAD~1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.File(t.Context(), old, "it's.yaml", 10)
	s.refuses(err, ErrPartial, `git cat-file -e '`+old+`:it'\''s.yaml'`)
	if got := s.git("work", "rev-list", "--objects", "--missing=print", "--all"); !strings.Contains(got, "\n?") {
		t.Errorf("the file was fetched:\n%s", got)
	}
	if got := r.Dates(t.Context(), s.path("work")); got["it's.yaml"] != "2026-03-04" {
		t.Errorf("dates %v", got)
	}
	// The command that is named mends it.
	s.git("work", "cat-file", "-e", old+":it's.yaml")
	if text, err := r.File(t.Context(), old, "it's.yaml", 10); string(text) != "old" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}
