package retriever

import (
	"errors"
	"fmt"
	"strings"
)

// Words splits a command as a POSIX shell does: at blanks, with '…', "…" and \. There
// is no shell: what one would act on beyond that is an error and not a plain
// character, so that no command silently means something else.
func Words(command string) ([]string, error) {
	if strings.ContainsRune(command, 0) {
		return nil, errors.New("a NUL character cannot be part of a command")
	}
	var words []string
	var word strings.Builder
	begun := false // word holds one, perhaps an empty one
	for rest := command; rest != ""; {
		c := rest[0]
		rest = rest[1:]
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
			continue
		case c == '\'':
			inside, after, ok := strings.Cut(rest, "'")
			if !ok {
				return nil, errors.New("a single quote is not closed")
			}
			word.WriteString(inside)
			rest = after
		case c == '"':
			var err error
			if rest, err = double(&word, rest); err != nil {
				return nil, err
			}
		case c == '\\':
			if rest == "" {
				return nil, errors.New("a backslash at the end quotes nothing")
			}
			if rest[0] == '\n' { // a line that goes on
				rest = rest[1:]
				continue
			}
			word.WriteByte(rest[0])
			rest = rest[1:]
		case strings.IndexByte("|&;<>()$`*?[", c) >= 0 || !begun && (c == '#' || c == '~'):
			return nil, fmt.Errorf("%q would need a shell, and there is none: quote it, or put it into a script", c)
		default:
			word.WriteByte(c)
		}
		begun = true
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) == 0 {
		return nil, errors.New("the command is empty")
	}
	return words, nil
}

// double reads a text in double quotes, of which the first is read already, and
// returns what follows it.
func double(word *strings.Builder, rest string) (string, error) {
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '"':
			return rest[i+1:], nil
		case c == '$' || c == '`':
			return "", fmt.Errorf("%q would need a shell, and there is none: write it in single quotes", c)
		case c == '\\' && i+1 < len(rest) && strings.IndexByte("\"\\$`\n", rest[i+1]) >= 0:
			if i++; rest[i] != '\n' {
				word.WriteByte(rest[i])
			}
		default:
			word.WriteByte(c)
		}
	}
	return "", errors.New("a double quote is not closed")
}
