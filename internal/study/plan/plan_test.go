package plan

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestLabels(t *testing.T) {
	labels, err := Labels(10, 4) // 2.5, 5, 7.5, 10, each plus a half and rounded down
	if got, want := fmt.Sprint(labels), "[1/4 2/4 3/4 4/4]"; err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	for i, want := range []int{3, 5, 8, 10} {
		if labels[i].FirstCut != want {
			t.Errorf("%s: first cut %d, want %d", labels[i], labels[i].FirstCut, want)
		}
	}
	for stride := 1; stride <= 40; stride++ {
		for grid := 1; grid <= stride; grid++ {
			labels, err := Labels(stride, grid)
			if err != nil || len(labels) != grid || labels[grid-1].FirstCut != stride {
				t.Fatalf("S %d, P %d: %v, %v", stride, grid, labels, err)
			}
			last := 0
			for j, l := range labels {
				// max(1, floor(S*j/P + 1/2)) in rationals
				x := new(big.Rat).Add(big.NewRat(int64(stride*(j+1)), int64(grid)), big.NewRat(1, 2))
				want := max(1, int(new(big.Int).Quo(x.Num(), x.Denom()).Int64()))
				if l.FirstCut != want || l.FirstCut <= last || l.J != j+1 || l.P != grid {
					t.Fatalf("S %d, P %d: label %+v, want first cut %d after %d", stride, grid, l, want, last)
				}
				last = l.FirstCut
			}
		}
	}
	for _, bad := range [][2]int{{4, 5}, {0, 1}, {1, 0}, {-1, -1}} {
		if labels, err := Labels(bad[0], bad[1]); err == nil {
			t.Errorf("Labels%v = %v", bad, labels)
		}
	}
	if labels, err := Labels(maxSize, 3); err != nil || labels[0].FirstCut != 333333 || labels[1].FirstCut != 666667 {
		t.Errorf("got %+v, %v", labels, err)
	}
	arm := Arm{Split: Split{Size: 9, Overlap: 2}}
	for want, p := range map[int]Phases{7: {All: true}, 3: {Grid: 3}} {
		if labels, err := p.Labels(arm); err != nil || len(labels) != want {
			t.Errorf("%+v: %v, %v", p, labels, err)
		}
	}
}

// TestOverlapArithmetic holds the worked example of overlap costs.
func TestOverlapArithmetic(t *testing.T) {
	for share, want := range map[Fraction]*big.Rat{
		{0, 1}: big.NewRat(1, 1), {1, 10}: big.NewRat(10, 9), {1, 5}: big.NewRat(5, 4), {1, 4}: big.NewRat(4, 3),
		{1, 3}: big.NewRat(3, 2), {1, 2}: big.NewRat(2, 1), {3, 4}: big.NewRat(4, 1),
	} {
		if got := (Split{Size: 60, Overlap: share.of(60), Share: share}).Limit(); got.Cmp(want) != 0 {
			t.Errorf("limit of %v: %v, want %v", share, got, want)
		}
		if got := (Split{Size: 60, Overlap: share.of(60)}).Limit(); got.Cmp(want) != 0 { // 60 divides evenly
			t.Errorf("limit of %v in tokens: %v, want %v", share, got, want)
		}
	}
	for _, overlap := range []string{"100%", "120%"} {
		if _, found := read("arms: {a: {split: {size: 256, overlap: " + overlap + "}}}\n"); len(found) != 1 {
			t.Errorf("overlap %s: %v", overlap, found)
		}
	}

	total := Cost{Limit: new(big.Rat)}
	for i, want := range [][2]int64{{7813, 2000000}, {9756, 2497505}, {3907, 2000000}, {4878, 2497454}, {1954, 2000000}, {2439, 2497352}, {977, 2000000}, {1221, 2498980}} {
		c := Default().Arms[i].Cost(2_000_000)
		if c.Windows != want[0] || c.Embedded != want[1] {
			t.Errorf("%s: %d windows, %d tokens; want %v", Default().Arms[i].Name, c.Windows, c.Embedded, want)
		}
		total = total.Plus(c)
	}
	if total.Embedded != 17_991_291 || total.Limit.Cmp(big.NewRat(18_000_000, 1)) != 0 {
		t.Errorf("total %d, limit %v", total.Embedded, total.Limit)
	}

	for _, w := range [][5]int{ // tokens, size, overlap, windows, embedded
		{0, 4, 1, 0, 0}, {1, 4, 1, 1, 1}, {3, 4, 1, 1, 3}, {4, 4, 1, 1, 4}, {5, 4, 1, 2, 6}, {7, 4, 1, 2, 8}, {8, 4, 1, 3, 10},
		{10, 4, 1, 3, 12}, {10, 4, 0, 3, 10}, {10, 4, 3, 7, 28}, {10, 10, 5, 1, 10}, {11, 10, 5, 2, 16},
	} {
		c := Arm{Split: Split{Size: w[1], Overlap: w[2], Edge: "drop-contained"}}.Cost(w[0])
		if c.Windows != int64(w[3]) || c.Embedded != int64(w[4]) {
			t.Errorf("%v: %d windows, %d tokens", w, c.Windows, c.Embedded)
		}
	}
}

// TestWindows compares the closed forms with windows that are made one by one.
func TestWindows(t *testing.T) {
	for _, edge := range edges {
		for size := 1; size <= 7; size++ {
			for overlap := 0; overlap < size; overlap++ {
				var documents []int
				var windows, tokens int64
				for n := 0; n <= 30; n++ {
					documents = append(documents, n)
					for start := 0; start < n; start += size - overlap {
						windows++
						tokens += int64(min(size, n-start))
						if edge == "drop-contained" && start+size >= n {
							break
						}
					}
				}
				c := Arm{Split: Split{Size: size, Overlap: overlap, Edge: edge}}.Cost(documents...)
				if c.Windows != windows || c.Embedded != tokens || c.Tokens != 465 {
					t.Errorf("%s %d/%d: %+v, want %d windows, %d tokens", edge, size, overlap, c, windows, tokens)
				}
			}
		}
	}
}

// TestKeyChanges sets each parameter in turn and demands another key.
func TestKeyChanges(t *testing.T) {
	e := Default()
	e.Arms = e.Arms[:2]
	cell := e.Cell(e.Arms[1], Label{1, 8, 26})
	keys := map[string]string{Key("cell", 1, cell, "sha256:a", "sha256:b"): "the cell", Key("run", 1, e): "the experiment"}
	another := func(key, what string) {
		if other, ok := keys[key]; ok {
			t.Errorf("%s has the key of %s", what, other)
		}
		keys[key] = what
	}
	changes := 0
	each(reflect.ValueOf(&cell).Elem(), "cell", func(path string) {
		changes++
		another(Key("cell", 1, cell, "sha256:a", "sha256:b"), path)
	})
	each(reflect.ValueOf(&e).Elem(), "experiment", func(path string) {
		changes++
		another(Key("run", 1, e), path)
	})
	if changes < 50 {
		t.Errorf("only %d parameters were set", changes)
	}
	another(Key("cell", 2, cell, "sha256:a", "sha256:b"), "the version")
	another(Key("cells", 1, cell, "sha256:a", "sha256:b"), "the algorithm")
	another(Key("cell", 1, cell, "sha256:a", "sha256:c"), "another input")
	another(Key("cell", 1, cell, "sha256:b", "sha256:a"), "inputs in another order")
	another(Key("cell", 1, cell, "sha256:asha256:b"), "inputs joined")
	another(Key("cell", 1, cell), "no input")
	if Key("cell", 1, cell) != Key("cell", 1, cell, []string{}...) {
		t.Error("two keys of one cell")
	}

	// Of the experiment, a cell's rows depend on all but these.
	whole := Key("cell", 1, e.Cell(e.Arms[1], Label{1, 8, 26}))
	each(reflect.ValueOf(&e).Elem(), "", func(path string) {
		if strings.HasPrefix(path, ".Arms") && !strings.HasPrefix(path, ".Arms[1]") || strings.HasPrefix(path, ".Arms[1].Split.Share") || len(e.Arms) < 2 {
			return
		}
		changed := Key("cell", 1, e.Cell(e.Arms[1], Label{1, 8, 26})) != whole
		free := slices.Contains([]string{".AtK", ".Phases.All", ".Phases.Grid", ".Phases.Target", ".Stale", ".Seed", ".Baseline", ".Redact", ".Arms longer",
			// The content of files, and what a host says of itself, are inputs.
			".Arms[1].Split.File", ".Arms[1].Rankings", ".Arms[1].Chunks", ".Arms[1].Retrieve.URL", ".Arms[1].Retrieve.URLEnv", ".Arms[1].Retrieve.KeyEnv",
			".Arms[1].Moving.Grid"}, path)
		if changed == free {
			t.Errorf("%s: the key of a cell changes: %v", path, changed)
		}
	})

	// What changes no row of a cell is not in its key.
	same := Key("cell", 1, cell)
	e.Corpus, e.Seed, e.Baseline, e.AtK = "elsewhere.jsonl", 7, "tokens-256-51", 1
	a := e.Arms[1]
	a.At, a.Split.Share = Place{9, 9}, Fraction{}
	if Key("cell", 1, e.Cell(a, Label{1, 8, 26})) != same {
		t.Error("a place, a share or a report's choice changes a cell's key")
	}
}

// each sets every leaf of v that has a place in a key, one at a time, calls
// changed, and sets it back.
func each(v reflect.Value, path string, changed func(path string)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("json") != "-" {
				each(v.Field(i), path+"."+f.Name, changed)
			}
		}
		return
	case reflect.Slice:
		for i := range v.Len() {
			each(v.Index(i), fmt.Sprintf("%s[%d]", path, i), changed)
		}
		old := reflect.ValueOf(v.Interface())
		v.Set(reflect.Append(v.Slice3(0, v.Len(), v.Len()), reflect.Zero(v.Type().Elem())))
		changed(path + " longer")
		if old.Len() > 0 {
			v.Set(old.Slice(0, old.Len()-1))
			changed(path + " shorter")
		}
		v.Set(old)
		return
	}
	old := reflect.ValueOf(v.Interface())
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	default:
		panic("BUG: " + path + " has a kind that this test does not set: " + v.Kind().String())
	}
	changed(path)
	v.Set(old)
}

// TestKeyOfSettings: the order of keys in a file changes nothing, each of the
// settings does.
func TestKeyOfSettings(t *testing.T) {
	const a, b = "aaaaaaaaaaaaaaaa", "abababababababab"
	setting := func(overlap, phase int, version string, header bool, document, revision string) string {
		return fmt.Sprintf(`{"splitter":{"size":256,"overlap":%d,"phase":%d},"tokenizer":{"name":"cl100k_base","version":%q},"header":%v,"doc_sha256":%q,"model":{"name":"m","revision":%q}}`,
			overlap, phase, version, header, document, revision)
	}
	key := func(text string) string {
		var params any
		if err := json.Unmarshal([]byte(text), &params); err != nil {
			t.Fatal(err)
		}
		return Key("setting", 1, params)
	}
	base := setting(32, 0, "1", false, a, "r1")
	reordered := `{ "doc_sha256": "` + a + `", "header": false, "model": {"name": "m", "revision": "r1"},
		"splitter": {"overlap": 32, "phase": 0, "size": 256}, "tokenizer": {"name": "cl100k_base", "version": "1"}}`
	if key(base) != key(reordered) {
		t.Error("another order of names has another key")
	}
	seen := map[string]string{}
	for _, s := range []string{base, setting(0, 0, "1", false, a, "r1"), setting(32, 1, "1", false, a, "r1"), setting(32, 0, "2", false, a, "r1"),
		setting(32, 0, "1", true, a, "r1"), setting(32, 0, "1", false, b, "r1"), setting(32, 0, "1", false, a, "r2")} {
		if other, ok := seen[key(s)]; ok {
			t.Errorf("one key for\n%s\n%s", s, other)
		}
		seen[key(s)] = s
	}

	// The same through kerf.yaml.
	cell := func(body string) string {
		e, found := read(body)
		if len(found) > 0 {
			t.Fatal(found)
		}
		labels, err := e.Phases.Labels(e.Arms[0])
		if err != nil {
			t.Fatal(err)
		}
		return Key("cell", 1, e.Cell(e.Arms[0], labels[len(labels)-1]))
	}
	one := cell("depth: 50\narms: {a: {split: {by: tokens, size: 256, overlap: 32}, retrieve: {by: bm25}}}\n")
	if one != cell("arms:\n  a:\n    retrieve: {by: bm25}\n    split: {overlap: 12.5%, size: 256}\n# moved\ndepth: 50\n") {
		t.Error("another order of keys in kerf.yaml has another key")
	}
	if one == cell("depth: 50\narms: {a: {split: {by: tokens, size: 256, overlap: 0}, retrieve: {by: bm25}}}\n") {
		t.Error("another overlap has the same key")
	}
}

func TestKeyPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("text that is not UTF-8 has a key: two such texts could share it")
		}
	}()
	Key("cell", 1, Split{By: "\xff"})
}
