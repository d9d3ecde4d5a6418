// Package export writes what kerf knows for programs that are not kerf: TREC runs
// and qrels, BEIR sets, Web Annotations. It only writes; docs/format/export.md
// says what of kerf's data a format cannot hold.
package export

import (
	"bytes"
	"encoding/json"
)

// line is v as one line of JSON, keys in the order of the type; HTML signs stay.
func line(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("BUG: " + err.Error())
	}
	return b.Bytes()
}
