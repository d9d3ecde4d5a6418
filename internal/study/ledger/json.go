package ledger

import (
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// Canonical JSON as in RFC 8785, but for the order of keys: they stand in the
// order of the columns.

// writeBytes is how much is gathered for one Write.
const writeBytes = 1 << 16

// WriteJSONL is described at Any.
func (t *Table[R]) WriteJSONL(w io.Writer, cell string, file []byte) error {
	rows, index, err := t.Decode(file)
	if err != nil {
		return err
	}
	var line []byte // several of them
	for i := range rows {
		line = appendText(append(line, `{"table":`...), t.name)
		line = appendText(append(line, `,"cell":`...), cell)
		line = appendText(append(line, `,"index":`...), index)
		for _, c := range t.columns {
			line = append(line, ',')
			line = append(appendText(line, c.name), ':')
			line = c.json(line, &rows[i])
		}
		if line = append(line, "}\n"...); len(line) < writeBytes && i < len(rows)-1 {
			continue
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
	return nil
}

// appendText appends s as a JSON string; bytes that are no UTF-8 become U+FFFD.
func appendText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= ' ':
			dst = utf8.AppendRune(dst, r)
		case r == '\b':
			dst = append(dst, `\b`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\f':
			dst = append(dst, `\f`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		default:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		}
	}
	return append(dst, '"')
}

func appendList(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendText(dst, s)
	}
	return append(dst, ']')
}

func appendLiteral(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return appendText(dst, s)
	}
	return append(appendBase64(append(dst, `{"base64":`...), s), '}')
}

func appendBase64(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = base64.StdEncoding.AppendEncode(dst, []byte(s))
	return append(dst, '"')
}

// appendFloat appends f as ECMAScript prints it (the shortest digits that give
// f back); what JSON cannot hold is a text.
func appendFloat(dst []byte, f float64) []byte {
	switch abs := math.Abs(f); {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return strconv.AppendQuote(dst, strconv.FormatFloat(f, 'g', -1, 64))
	case f == 0:
		return append(dst, '0') // also the negative one
	case abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') { // e-07 is e-7
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
