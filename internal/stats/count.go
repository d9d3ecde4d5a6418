// Package stats is numbers only: counts with their denominators, and the
// statistics of a table of verdicts over questions and phases. It knows no
// question, no document and no arm.
//
// A measure is stored as counts and derived as a fraction: a Count, or a Sum
// where the numerator is no count. Missing cells stay in the denominator; they
// are never misses.
package stats

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
)

// Count is a measure: Num of Den, of which Missing have no result. The rate is
// over the Den - Missing that were measured.
type Count struct {
	Num     int `json:"num"`
	Den     int `json:"den"`
	Missing int `json:"missing"`
}

// Add counts one more cell with a result.
func (c *Count) Add(hit bool) {
	c.Den++
	if hit {
		c.Num++
	}
}

// Plus is the count over the cells of both.
func (c Count) Plus(d Count) Count {
	return Count{c.Num + d.Num, c.Den + d.Den, c.Missing + d.Missing}
}

// Rat is the exact rate; ok is false where nothing was measured (undefined).
func (c Count) Rat() (r *big.Rat, ok bool) {
	if c.Den-c.Missing <= 0 {
		return nil, false
	}
	return big.NewRat(int64(c.Num), int64(c.Den-c.Missing)), true
}

// Rate is the rate as a float64, only for drawing and printing; ok as in Rat.
func (c Count) Rate() (f float64, ok bool) {
	r, ok := c.Rat()
	if !ok {
		return 0, false
	}
	f, _ = r.Float64()
	return f, true
}

// String is num/den, with the missing cells named.
func (c Count) String() string {
	if c.Missing > 0 {
		return fmt.Sprintf("%d/%d (%d missing)", c.Num, c.Den, c.Missing)
	}
	return fmt.Sprintf("%d/%d", c.Num, c.Den)
}

// Sum is a measure whose numerator is an exact rational, such as a sum of
// reciprocal ranks. Its JSON has "sum" as a text: an integer or "a/b".
type Sum struct {
	Sum     *big.Rat
	Den     int
	Missing int
}

// NewSum is the empty sum.
func NewSum() Sum { return Sum{Sum: new(big.Rat)} }

// Add adds one cell's value num/den; den > 0.
func (s *Sum) Add(num, den int) {
	s.Sum = new(big.Rat).Add(s.Sum, big.NewRat(int64(num), int64(den)))
	s.Den++
}

// Rat is the exact mean; ok is false where nothing was measured.
func (s Sum) Rat() (r *big.Rat, ok bool) {
	if s.Den-s.Missing <= 0 || s.Sum == nil {
		return nil, false
	}
	return new(big.Rat).Quo(s.Sum, big.NewRat(int64(s.Den-s.Missing), 1)), true
}

// Rate is the mean as a float64, only for drawing and printing.
func (s Sum) Rate() (f float64, ok bool) {
	r, ok := s.Rat()
	if !ok {
		return 0, false
	}
	f, _ = r.Float64()
	return f, true
}

type sumJSON struct {
	Sum     string `json:"sum"`
	Den     int    `json:"den"`
	Missing int    `json:"missing"`
}

// MarshalJSON writes {"sum":"a/b","den":n,"missing":m}.
func (s Sum) MarshalJSON() ([]byte, error) {
	sum := "0"
	if s.Sum != nil {
		sum = s.Sum.RatString()
	}
	return json.Marshal(sumJSON{sum, s.Den, s.Missing})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Sum) UnmarshalJSON(b []byte) error {
	var j sumJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	r, ok := new(big.Rat), strings.Trim(j.Sum, "-/0123456789") == "" // big.Rat reads "1e1000000" too
	if ok {
		_, ok = r.SetString(j.Sum)
	}
	if !ok {
		return fmt.Errorf("%q is no rational number", j.Sum)
	}
	*s = Sum{r, j.Den, j.Missing}
	return nil
}

// NotMeasured is what a figure says that nobody computed.
const NotMeasured = "not measured"

// Maybe is a figure that may not have been measured: its JSON is the value, or
// the text "not measured".
type Maybe[T any] struct {
	Value    T
	Measured bool
}

// Measured wraps a figure that was.
func Measured[T any](v T) Maybe[T] { return Maybe[T]{v, true} }

// MarshalJSON writes the value or "not measured".
func (m Maybe[T]) MarshalJSON() ([]byte, error) {
	if !m.Measured {
		return json.Marshal(NotMeasured)
	}
	return json.Marshal(m.Value)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Maybe[T]) UnmarshalJSON(b []byte) error {
	if string(b) == `"`+NotMeasured+`"` {
		*m = Maybe[T]{}
		return nil
	}
	m.Measured = true
	return json.Unmarshal(b, &m.Value)
}
