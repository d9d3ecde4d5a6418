package compare

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kerf/internal/stats"
)

// NotApplicable is what a figure about moving the cuts says of an arm whose cuts
// do not move.
const NotApplicable = "not applicable"

// Moving is a figure that needs two placements at least: its JSON is the value,
// or the text "not applicable".
type Moving[T any] struct {
	Value   T
	Applies bool
}

// Moved wraps the figure of an arm whose cuts were moved.
func Moved[T any](v T) Moving[T] { return Moving[T]{v, true} }

// MarshalJSON writes the value or "not applicable".
func (m Moving[T]) MarshalJSON() ([]byte, error) {
	if !m.Applies {
		return json.Marshal(NotApplicable)
	}
	return json.Marshal(m.Value)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *Moving[T]) UnmarshalJSON(b []byte) error {
	if string(b) == `"`+NotApplicable+`"` {
		*m = Moving[T]{}
		return nil
	}
	m.Applies = true
	return json.Unmarshal(b, &m.Value)
}

// Measures are the figures of one phase on the raw ranking, in declared order.
// Their JSON is one object: {"label":"8/8","single_hit@5":{"num":…},…}.
type Measures struct {
	Label string
	List  []Measure
}

// Measure is a named figure: a Count, or a Sum for the means of reciprocal
// ranks. Exactly one of the two is set.
type Measure struct {
	Name  string // "single_hit@5", "union_hit@5", "union_hit_ws@5", "single_mrr@5", …
	Count *stats.Count
	Sum   *stats.Sum
}

// Find is the measure with this name; ok is false where there is none.
func (m Measures) Find(name string) (found Measure, ok bool) {
	for _, f := range m.List {
		if f.Name == name {
			return f, true
		}
	}
	return Measure{}, false
}

// MarshalJSON writes the object, keys in the order of List.
func (m Measures) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	write := func(key string, v any) error {
		k, err := json.Marshal(key)
		if err != nil {
			return err
		}
		j, err := json.Marshal(v)
		if err != nil {
			return err
		}
		b.Write(k)
		b.WriteByte(':')
		b.Write(j)
		return nil
	}
	b.WriteByte('{')
	if err := write("label", m.Label); err != nil {
		return nil, err
	}
	for _, f := range m.List {
		b.WriteByte(',')
		var v any = f.Count
		if f.Count == nil {
			v = f.Sum
		}
		if err := write(f.Name, v); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes, keeping the order of the keys.
func (m *Measures) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("measures: expected an object, found %v", t)
	}
	*m = Measures{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if key == "label" {
			if err := d.Decode(&m.Label); err != nil {
				return fmt.Errorf("measures: label: %w", err)
			}
			continue
		}
		f := Measure{Name: key.(string)}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return fmt.Errorf("measures: %s: %w", f.Name, err)
		}
		var is struct {
			Sum *string `json:"sum"`
		}
		if err := json.Unmarshal(raw, &is); err != nil {
			return fmt.Errorf("measures: %s: %w", f.Name, err)
		}
		if is.Sum != nil {
			f.Sum = new(stats.Sum)
			err = json.Unmarshal(raw, f.Sum)
		} else {
			f.Count = new(stats.Count)
			err = json.Unmarshal(raw, f.Count)
		}
		if err != nil {
			return fmt.Errorf("measures: %s: %w", f.Name, err)
		}
		m.List = append(m.List, f)
	}
	return nil
}
