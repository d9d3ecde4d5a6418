package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryCodeIsDocumented: the codes that the sources define and those that
// docs/codes.md explains are the same.
func TestEveryCodeIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/codes.md")
	if err != nil {
		t.Fatal(err)
	}
	defined := map[string]string{}
	definition := regexp.MustCompile(`= "([KE]\d{3})"`)
	err = filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file)
		for _, m := range definition.FindAllSubmatch(source, -1) {
			code := string(m[1])
			if other, twice := defined[code]; twice {
				t.Errorf("%s is defined in %s and %s", code, other, file)
			}
			defined[code] = file
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| ([KE]\d{3}) `).FindAllSubmatch(page, -1) {
		explained[string(m[1])] = true
	}
	for code, file := range defined {
		if !explained[code] {
			t.Errorf("%s of %s is not in docs/codes.md", code, file)
		}
	}
	for code := range explained {
		if defined[code] == "" {
			t.Errorf("%s of docs/codes.md is defined nowhere", code)
		}
	}
}
