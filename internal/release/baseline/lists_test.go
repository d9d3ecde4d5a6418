package baseline

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// sameAsPlain holds the scan against reading value by value: what it reads has no
// finding, and is the same. It says whether the file was scanned.
func sameAsPlain(t *testing.T, content []byte) bool {
	t.Helper()
	got, ok := quick("f", content)
	if !ok {
		return false
	}
	want, found := plain("f", content)
	if len(found) > 0 || !reflect.DeepEqual(got, want) {
		t.Fatalf("scanned: %s\n%.2000s", found.Err(), content)
	}
	return true
}

// TestScan: what Encode writes is scanned, and means what it means value by value. Names
// that escape something are left to the plain way.
func TestScan(t *testing.T) {
	scanned := 0
	for seed := range uint64(900) {
		b := random(rand.New(rand.NewPCG(seed, 3)))
		escaped := false
		for _, m := range b.Measures {
			for doc := range m.Set.Documents {
				escaped = escaped || strings.ContainsAny(doc, "\\\"\n\t\x00")
			}
		}
		if sameAsPlain(t, b.Encode()) {
			scanned++
		} else if !escaped {
			t.Fatalf("not scanned:\n%s", b.Encode())
		}
	}
	if scanned < 100 || !sameAsPlain(t, sized(t, 20)) {
		t.Error(scanned)
	}
	whole := file(t)
	twice := strings.Replace(whole, `[["policy.md",13,30]]`, `[["policy.md",13,30],["policy.md",0,1]]`, 1)
	for old, by := range map[string]string{`"policy.md`: `"p\\`, `"policy.md"`: `""`} {
		content := strings.ReplaceAll(twice, old, by)
		for _, hidden := range []string{content, strings.Replace(content, `["p\\",0,1]`, `["p\",0,1]`, 1)} {
			if sameAsPlain(t, []byte(hidden)) {
				t.Errorf("%s for %s: a quote that a backslash takes ends no name, and none is blank", by, old)
			}
		}
	}
	for escaped, raw := range map[string]string{`\n`: "\n", `\u0001`: "\x01", `\"`: `"`} {
		content := strings.ReplaceAll(twice, `"policy.md"`, `"a`+escaped+`b"`)
		if content = strings.Replace(content, `["a`+escaped+`b",0,1]`, `["a`+raw+`b",0,1]`, 1); sameAsPlain(t, []byte(content)) {
			t.Errorf("%q is no JSON where it is not escaped", raw)
		}
	}
	second := whole[strings.LastIndex(whole, `"questions":{`):]
	second = second[:strings.Index(second, "}}}")+2]
	for old, by := range map[string]string{second: `"questions":0`, `["policy.md",13,30]`: `["policy.md",13,30," "]`, `"1/2":[],"2/2":[]`: `"1/2":[]`, `{"1/2":[],"2/2":[]}`: `{"1/2":[],"2/2":["more"]}`} {
		if strings.Count(whole, old) != 1 || sameAsPlain(t, []byte(strings.Replace(whole, old, by, 1))) {
			t.Errorf("%s for %s", by, old)
		}
	}
	for _, qid := range []string{"q-001 ", " q-001", ""} {
		if sameAsPlain(t, []byte(strings.ReplaceAll(whole, `"q-001"`, `"`+qid+`"`))) {
			t.Errorf("%q is no qid", qid)
		}
	}
}

// TestScanOthers: a file that differs somewhere is scanned only where it is as good.
func TestScanOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	pieces := []string{"", "", ",", "]", "[", "}", "{", `"`, `\`, "0", "00", "9", "-1", "1.0", "\n", " ", "more", `"more"`, `["x",1,2]`, `,["x",1,2]`, "policy.md", "\xff", "\x01", "é", "\"questions\":{\n", "\n\"questions\":0,", "\n\"questions\":{\n},"}
	files := [][]byte{[]byte(file(t)), sized(t, 2), random(rand.New(rand.NewPCG(1, 2))).Encode(), random(rand.New(rand.NewPCG(6, 2))).Encode()}
	scanned, not := 0, 0
	for range 5000 {
		content := string(files[r.IntN(len(files))])
		for range 1 + r.IntN(2) {
			at := r.IntN(len(content))
			if i := strings.Index(content, "questions"); r.IntN(3) > 0 {
				at = min(len(content)-1, max(0, i-20+r.IntN(400)))
			}
			end := min(len(content), at+r.IntN(3))
			if r.IntN(8) == 0 { // what is there, again or elsewhere
				from := r.IntN(len(content))
				content = content[:at] + content[from:min(len(content), from+r.IntN(60))] + content[end:]
			} else {
				content = content[:at] + pieces[r.IntN(len(pieces))] + content[end:]
			}
		}
		if sameAsPlain(t, []byte(content)) {
			scanned++
		} else if _, found := plain("f", []byte(content)); found.Errors() > 0 {
			not++
		}
	}
	if scanned < 50 || not < 500 {
		t.Error(scanned, not)
	}
}
