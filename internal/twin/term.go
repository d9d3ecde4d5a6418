package twin

import "unicode"

// Terms gives the lexical terms of a text, repeats included, in source order:
// lower-cased runs of letters, marks, digits and `_`, and in their place
// overlapping pairs of code points where a script has no word spaces.
func Terms(text string) []string {
	var terms []string
	var run []rune // of one class
	unspaced := false
	flush := func() {
		if !unspaced || len(run) == 1 {
			if len(run) > 0 {
				terms = append(terms, string(run))
			}
		} else {
			for i := 0; i+1 < len(run); i++ {
				terms = append(terms, string(run[i:i+2]))
			}
		}
		run = nil
	}
	for _, r := range text {
		if r != '_' && !unicode.In(r, unicode.L, unicode.M, unicode.N) {
			flush()
			continue
		}
		class := withoutWordSpaces(r)
		if unicode.Is(unicode.M, r) && unicode.Is(unicode.Inherited, r) {
			// A mark that starts the run has no predecessor in it and is an
			// ordinary word character.
			class = len(run) > 0 && unspaced
		}
		if class != unspaced {
			flush()
		}
		unspaced = class
		run = append(run, unicode.ToLower(r))
	}
	flush()
	return terms
}

func withoutWordSpaces(r rune) bool {
	return r == 0x30FC || r == 0xFF70 || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
