package finding

import (
	"fmt"
	"strings"
)

// DidYouMean is `did you mean "x"?` for the word of known that word most likely
// was meant to be, else "". The distance counts insertions, deletions,
// substitutions and swaps of neighbours (Damerau-Levenshtein, optimal string
// alignment) over code points without regard to case; a guess is at most 2 away
// and at most a third of the longer word's length, the first of equals wins.
func DidYouMean(word string, known []string) string {
	const longest = 100 // a longer word is no slip of the pen
	if len(word) > longest {
		return ""
	}
	guess, best := "", 3
	w := []rune(strings.ToLower(word))
	for _, k := range known {
		if len(k) > longest {
			continue
		}
		r := []rune(strings.ToLower(k))
		if d := distance(w, r); d < best && (d <= max(len(w), len(r))/3 || d == 0) {
			guess, best = k, d
		}
	}
	if best > 2 {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", guess)
}

// distance is the optimal string alignment distance of a and b.
func distance(a, b []rune) int {
	var before []int // two rows up
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j, y := range b {
			change := 0
			if x != y {
				change = 1
			}
			next[j+1] = min(row[j]+change, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && x == b[j-1] && a[i-1] == y {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
