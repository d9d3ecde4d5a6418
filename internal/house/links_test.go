package house

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// TestLinks: every link from one page of the repository to another leads to a
// file that is there.
func TestLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]+)(#[^)]*)?\)`)
	root, links := os.DirFS("../.."), 0
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && (strings.HasPrefix(path.Base(name), ".") || path.Base(name) == "testdata" || name == "kerf-demo" || name == "examples"):
			return fs.SkipDir // examples hold documents, not documentation
		case path.Ext(name) != ".md":
			return nil
		}
		page, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		for _, m := range link.FindAllStringSubmatch(string(page), -1) {
			links++
			if _, err := fs.Stat(root, path.Join(path.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
		return nil
	})
	if err != nil || links < 20 {
		t.Fatal(links, err)
	}
}
