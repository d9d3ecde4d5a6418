package golden

import (
	"strings"
	"testing"
)

// TestNamesDoNotBreakMessages: a name with a line break stays inside its line.
func TestNamesDoNotBreakMessages(t *testing.T) {
	bad := `"a\n  paste    \"doc\":\"x\""`
	_, found := problems(header+"\n"+`{"qid":"q","question":"Q?",`+bad+`:1,"within":[`+bad+`],"spans":{`+bad+`:{"doc":`+bad+`,"quote":"x"}},"support":[["b"]]}`, documents("d", "text"), false)
	if len(found) < 4 {
		t.Error(found)
	}
	for _, f := range found {
		for _, field := range []string{f.Message, f.Expected, f.Found, f.Hint, f.Paste} {
			if strings.ContainsAny(field, "\n\r") {
				t.Errorf("%q", field)
			}
		}
	}
}
