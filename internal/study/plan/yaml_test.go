package plan

import "testing"

// TestEmpty: what is empty is said to be.
func TestEmpty(t *testing.T) {
	for text, want := range map[string]string{"reader: []": "an empty list", "arms: {}": "an empty mapping", "k: []": "an empty list", "reader: {a: b}": "a mapping"} {
		_, found := Parse("kerf.yaml", []byte("kerf: experiment/1\n"+text+"\n"))
		if len(found) != 1 || found[0].Found != want {
			t.Errorf("%s: %v, want %s", text, found, want)
		}
	}
}
