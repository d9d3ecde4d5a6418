package finding

import "testing"

func TestDidYouMean(t *testing.T) {
	known := []string{"size", "overlap", "tolerance", "start", "k", "must_mention"}
	for word, want := range map[string]string{
		"overlpa":     `did you mean "overlap"?`,
		"Start":       `did you mean "start"?`,
		"K":           `did you mean "k"?`,
		"tolerence":   `did you mean "tolerance"?`,
		"mustmention": `did you mean "must_mention"?`,
		"siez":        `did you mean "size"?`,
		"x":           "",
		"":            "",
		"overhaul":    "",
		"prize":       "",
	} {
		if got := DidYouMean(word, known); got != want {
			t.Errorf("DidYouMean(%q) = %q, want %q", word, got, want)
		}
	}
	if got, want := DidYouMean("bats", []string{"cats", "bits"}), `did you mean "cats"?`; got != want {
		t.Errorf("of equals: got %q, want %q", got, want)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"ca", "abc", 3}, {"straße", "strasse", 2}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
