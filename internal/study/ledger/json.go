package ledger

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/stats"
)

// writeBytes is how much is gathered for one Write.
const writeBytes = 1 << 16

// WriteJSONL is described at Any. The JSON is canonical as in RFC 8785, but for
// the order of keys.
func (t *Table[R]) WriteJSONL(w io.Writer, cell string, file []byte) error {
	rows, _, err := t.Decode(file)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	out := jsontext.NewEncoder(&b)
	columns := t.Columns()
	for i := range rows {
		tokens := []jsontext.Token{jsontext.BeginObject, jsontext.String("table"), jsontext.String(t.name), jsontext.String("cell"), jsontext.String(cell)}
		row := reflect.ValueOf(&rows[i]).Elem()
		for j, name := range columns {
			tokens = append(tokens, jsontext.String(name))
			tokens = appendTokens(tokens, row.Field(j).Interface())
		}
		for _, token := range append(tokens, jsontext.EndObject) {
			if err := out.WriteToken(token); err != nil {
				return err
			}
		}
		if b.Len() < writeBytes && i < len(rows)-1 {
			continue
		}
		if _, err := w.Write(b.Bytes()); err != nil {
			return err
		}
		b.Reset()
	}
	return nil
}

// appendTokens appends the value of a column.
func appendTokens(dst []jsontext.Token, v any) []jsontext.Token {
	switch v := v.(type) {
	case string:
		if utf8.ValidString(v) {
			return append(dst, jsontext.String(v))
		}
		return append(dst, jsontext.BeginObject, jsontext.String("base64"), jsontext.String(base64.StdEncoding.EncodeToString([]byte(v))), jsontext.EndObject)
	case []byte:
		return append(dst, jsontext.String(base64.StdEncoding.EncodeToString(v)))
	case List:
		dst = append(dst, jsontext.BeginArray)
		for _, s := range v {
			dst = append(dst, jsontext.String(s))
		}
		return append(dst, jsontext.EndArray)
	case int:
		return append(dst, jsontext.Int(int64(v)))
	case *int:
		if v == nil {
			return append(dst, jsontext.String(stats.NotMeasured))
		}
		return append(dst, jsontext.Int(int64(*v)))
	case float64:
		return append(dst, jsontext.Float(v+0)) // no negative zero
	case bool:
		return append(dst, jsontext.Bool(v))
	}
	panic(fmt.Sprintf("BUG: a column of type %T", v))
}
