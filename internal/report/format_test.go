package report

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"kerf/internal/study/compare"
)

// docs/format/report.md names every key of a report.
func TestFormatPageIsComplete(t *testing.T) {
	page, err := os.ReadFile("../../docs/format/report.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[reflect.Type]bool{}
	keys := 0
	var look func(reflect.Type)
	look = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			look(typ.Elem())
		case reflect.Struct:
			if seen[typ] || !strings.HasPrefix(typ.PkgPath(), "kerf/") {
				return
			}
			seen[typ] = true
			for i := range typ.NumField() {
				f := typ.Field(i)
				if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key != "" {
					keys++
					if !regexp.MustCompile("[`\"]" + key + "[`\"]").Match(page) {
						t.Errorf("the page does not name %s of %s", key, typ)
					}
				}
				look(f.Type)
			}
		}
	}
	look(reflect.TypeFor[compare.Report]())
	if keys < 100 {
		t.Errorf("only %d keys looked at", keys)
	}
}
