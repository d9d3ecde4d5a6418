package ledger

import (
	"encoding/json"
	"fmt"
	"strconv"

	"kerf/internal/stats"
)

// kind is how a column is stored: its Parquet type and the one encoding that
// kerf writes for it.
type kind int

const (
	kindText    kind = iota // BYTE_ARRAY, UTF8, RLE_DICTIONARY
	kindInt                 // INT64, DELTA_BINARY_PACKED
	kindMaybe               // the same, optional
	kindDouble              // DOUBLE, PLAIN
	kindBool                // BOOLEAN, PLAIN
	kindLiteral             // BYTE_ARRAY, PLAIN
)

// column is one column of rows of type R. The accessor that made it serves
// writing, reading and printing alike, so that the three cannot disagree.
type column[R any] struct {
	name  string
	kind  kind
	write func(w *writer, rows []R)
	read  func(c *chunk, rows []R) error
	json  func(dst []byte, r *R) []byte
}

func text[R any](name string, at func(*R) *string) column[R] {
	return column[R]{
		name: name, kind: kindText,
		write: func(w *writer, rows []R) {
			d := w.dictionary()
			for i := range rows {
				d.add(*at(&rows[i]))
			}
			w.texts(name, d)
		},
		read: func(c *chunk, rows []R) error {
			return c.codes(func(i int, word string) error {
				*at(&rows[i]) = word
				return nil
			})
		},
		json: func(dst []byte, r *R) []byte { return appendText(dst, *at(r)) },
	}
}

// list is a text column that holds a canonical JSON array of texts: names may
// hold any character, so that no separator is safe. nil and an empty list are
// both "[]", and are read back as nil.
func list[R any](name string, at func(*R) *[]string) column[R] {
	return column[R]{
		name: name, kind: kindText,
		write: func(w *writer, rows []R) {
			d := w.dictionary()
			for i := range rows {
				d.add(string(appendList(nil, *at(&rows[i]))))
			}
			w.texts(name, d)
		},
		read: func(c *chunk, rows []R) error {
			return c.codes(func(i int, word string) error {
				if word == "[]" {
					return nil
				}
				return json.Unmarshal([]byte(word), at(&rows[i]))
			})
		},
		json: func(dst []byte, r *R) []byte { return appendList(dst, *at(r)) },
	}
}

func number[R any](name string, at func(*R) *int) column[R] {
	return column[R]{
		name: name, kind: kindInt,
		write: func(w *writer, rows []R) {
			values := w.numbers()
			for i := range rows {
				values = append(values, int64(*at(&rows[i])))
			}
			w.ints(name, values)
		},
		read: func(c *chunk, rows []R) error {
			return c.ints(func(i int, v int64) error { return setInt(at(&rows[i]), v) })
		},
		json: func(dst []byte, r *R) []byte { return strconv.AppendInt(dst, int64(*at(r)), 10) },
	}
}

func setInt(p *int, v int64) error {
	*p = int(v)
	if int64(*p) != v {
		return fmt.Errorf("%d does not fit this machine's int", v)
	}
	return nil
}

// maybe is a number that may not have been measured: null.
func maybe[R any](name string, at func(*R) *stats.Maybe[int]) column[R] {
	return column[R]{
		name: name, kind: kindMaybe,
		write: func(w *writer, rows []R) {
			values := w.numbers()
			present := make([]int32, len(rows))
			for i := range rows {
				if m := at(&rows[i]); m.Measured {
					values = append(values, int64(m.Value))
					present[i] = 1
				}
			}
			w.maybes(name, present, values)
		},
		read: func(c *chunk, rows []R) error {
			return c.maybes(func(i int, v int64) error {
				m := at(&rows[i])
				m.Measured = true
				return setInt(&m.Value, v)
			})
		},
		json: func(dst []byte, r *R) []byte {
			if m := at(r); m.Measured {
				return strconv.AppendInt(dst, int64(m.Value), 10)
			}
			return appendText(dst, stats.NotMeasured)
		},
	}
}

func decimal[R any](name string, at func(*R) *float64) column[R] {
	return column[R]{
		name: name, kind: kindDouble,
		write: func(w *writer, rows []R) {
			w.doubles(name, func(i int) float64 { return *at(&rows[i]) })
		},
		read: func(c *chunk, rows []R) error {
			return c.doubles(func(i int, v float64) { *at(&rows[i]) = v })
		},
		json: func(dst []byte, r *R) []byte { return appendFloat(dst, *at(r)) },
	}
}

func boolean[R any](name string, at func(*R) *bool) column[R] {
	return column[R]{
		name: name, kind: kindBool,
		write: func(w *writer, rows []R) {
			w.bools(name, func(i int) bool { return *at(&rows[i]) })
		},
		read: func(c *chunk, rows []R) error {
			return c.bools(func(i int, v bool) { *at(&rows[i]) = v })
		},
		json: func(dst []byte, r *R) []byte { return strconv.AppendBool(dst, *at(r)) },
	}
}

// literal is bytes that are nearly always distinct, and UTF-8 as a rule: they
// are printed as a text, or as {"base64":…} where they are not UTF-8.
func literal[R any](name string, at func(*R) *string) column[R] {
	c := column[R]{
		name: name, kind: kindLiteral,
		write: func(w *writer, rows []R) {
			w.literals(name, func(i int) string { return *at(&rows[i]) })
		},
		read: func(c *chunk, rows []R) error {
			return c.literals(func(i int, v string) { *at(&rows[i]) = v })
		},
		json: func(dst []byte, r *R) []byte { return appendLiteral(dst, *at(r)) },
	}
	return c
}

// bits is stored as literal and always printed as base64.
func bits[R any](name string, at func(*R) *string) column[R] {
	c := literal(name, at)
	c.json = func(dst []byte, r *R) []byte { return appendBase64(dst, *at(r)) }
	return c
}
