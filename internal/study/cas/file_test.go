package cas

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestWriteFile: a replaced file keeps its permissions, a new one has those that
// the umask leaves; links stay, also one to nothing yet; nothing else is left.
func TestWriteFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs permissions and links of POSIX")
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("plain"), nil, 0o666)) // what the umask leaves
	plain, err := os.Stat(at("plain"))
	must(err)
	must(os.WriteFile(at("secret"), []byte("old"), 0o600))
	must(os.WriteFile(at("shared"), []byte("old"), 0o600))
	must(os.Chmod(at("shared"), 0o664))
	must(os.Mkdir(at("deep"), 0o777))
	must(os.Symlink("../secret", at("deep/one")))
	must(os.Symlink("deep/one", at("two")))
	must(os.Symlink("deep", at("folder")))
	must(os.Symlink("later", at("dangling")))
	must(os.Symlink("round", at("round")))
	for _, c := range []struct {
		write, file string
		mode        os.FileMode
	}{
		{"secret", "secret", 0o600}, {"shared", "shared", 0o664}, {"new/file", "new/file", plain.Mode()},
		{"two", "secret", 0o600}, {"folder/one", "secret", 0o600}, {"dangling", "later", plain.Mode()},
	} {
		must(WriteFile(at(c.write), []byte(c.write), 0o666))
		content, err := os.ReadFile(at(c.file))
		must(err)
		info, err := os.Lstat(at(c.file))
		must(err)
		if string(content) != c.write || info.Mode() != c.mode {
			t.Errorf("%s: %s holds %q, mode %v, want %v", c.write, c.file, content, info.Mode(), c.mode)
		}
	}
	for _, link := range []string{"deep/one", "two", "folder", "dangling"} {
		if info, err := os.Lstat(at(link)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", link, err)
		}
	}
	if err := WriteFile(at("round"), nil, 0o666); err == nil {
		t.Error("a link to itself was written")
	}
	if err := WriteFile(at("deep"), nil, 0o666); err == nil {
		t.Error("a folder was written over")
	}
	must(os.Symlink("/dev/null", at("device")))
	must(WriteFile(at("device"), []byte("x"), 0o666))
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode().IsRegular() {
		t.Fatal("the device was replaced by a file", err)
	}
	if left, _ := filepath.Glob(at(Temporary + "*")); left != nil {
		t.Error(left)
	}
}
