package ledger

import "fmt"

// Sources gives the frozen text of a document's version; ok is false where
// there is none.
type Sources func(doc, version string) (text string, ok bool)

// Texts is the literal units of a cell by their digest.
func Texts(units []UnitRow) map[string]string {
	texts := make(map[string]string, len(units))
	for _, u := range units {
		texts[u.Digest] = u.Bytes
	}
	return texts
}

// resolve is the literal text of context row i of its question, checked to be
// the bytes of the source that the row names.
func (r *ContextRow) resolve(i int, texts map[string]string, sources Sources) (string, error) {
	unit, ok := texts[r.Unit]
	source, known := sources(r.Doc, r.Version)
	switch {
	case r.N != i+1:
		return "", fmt.Errorf("question %s: unit %d stands at place %d", r.QID, r.N, i+1)
	case r.Kind != "source":
		return "", fmt.Errorf("question %s, unit %d: kind %q", r.QID, r.N, r.Kind)
	case !ok:
		return "", fmt.Errorf("question %s, unit %d: no unit %s", r.QID, r.N, r.Unit)
	case !known:
		return "", fmt.Errorf("question %s, unit %d: no text of %s at version %s", r.QID, r.N, r.Doc, r.Version)
	case r.Start < 0 || r.End < r.Start || r.End > len(source):
		return "", fmt.Errorf("question %s, unit %d: [%d,%d) in %s of %d bytes", r.QID, r.N, r.Start, r.End, r.Doc, len(source))
	case source[r.Start:r.End] != unit:
		return "", fmt.Errorf("question %s, unit %d: the unit is not the text of %s at [%d,%d)", r.QID, r.N, r.Doc, r.Start, r.End)
	}
	return unit, nil
}

// Reconstruct appends the literal context of one question to dst: rows are its
// context rows in order, texts its cell's units. Each unit is checked against
// its source (S1-108).
func Reconstruct(dst []byte, rows []ContextRow, texts map[string]string, sources Sources) ([]byte, error) {
	for i := range rows {
		unit, err := rows[i].resolve(i, texts, sources)
		if err != nil {
			return nil, err
		}
		dst = append(append(append(dst, rows[i].Before...), unit...), rows[i].After...)
	}
	return dst, nil
}

// CheckContext checks that Reconstruct would give literal, without building it:
// what a run does with each context before it is stored.
func CheckContext(literal []byte, rows []ContextRow, texts map[string]string, sources Sources) error {
	rest := literal
	for i := range rows {
		unit, err := rows[i].resolve(i, texts, sources)
		if err != nil {
			return err
		}
		for _, piece := range [...]string{rows[i].Before, unit, rows[i].After} {
			if len(rest) < len(piece) || string(rest[:len(piece)]) != piece {
				return fmt.Errorf("question %s, unit %d: the context differs at byte %d", rows[i].QID, rows[i].N, len(literal)-len(rest))
			}
			rest = rest[len(piece):]
		}
	}
	if len(rest) > 0 {
		return fmt.Errorf("the context has %d bytes that no row accounts for", len(rest))
	}
	return nil
}

// Cell is what VerifyCell looks at.
type Cell struct {
	Contexts []ContextRow
	Units    []UnitRow
	Budgets  []BudgetRow
}

// VerifyCell rebuilds every context of a cell from the sources and compares it
// with what the budget rows say of the literal one: sha256, bytes, units. Each
// unit must have its digest and be used. The first difference is the error.
func VerifyCell(c Cell, sources Sources) error {
	texts := make(map[string]string, len(c.Units))
	for _, u := range c.Units {
		if got := Object([]byte(u.Bytes)); got != u.Digest {
			return fmt.Errorf("unit %s has the digest %s", u.Digest, got)
		}
		if _, twice := texts[u.Digest]; twice {
			return fmt.Errorf("unit %s stands twice", u.Digest)
		}
		texts[u.Digest] = u.Bytes
	}
	rows := map[string][]ContextRow{}
	for i := 0; i < len(c.Contexts); {
		qid, start := c.Contexts[i].QID, i
		for i < len(c.Contexts) && c.Contexts[i].QID == qid {
			i++
		}
		if rows[qid] != nil {
			return fmt.Errorf("question %s: its context rows are apart", qid)
		}
		rows[qid] = c.Contexts[start:i]
	}
	used := map[string]bool{}
	seen := map[string]bool{}
	var literal []byte
	for _, b := range c.Budgets {
		if seen[b.QID] {
			return fmt.Errorf("question %s: two budget rows", b.QID)
		}
		seen[b.QID] = true
		var err error
		if literal, err = Reconstruct(literal[:0], rows[b.QID], texts, sources); err != nil {
			return err
		}
		switch got := Object(literal); {
		case b.Units != len(rows[b.QID]):
			return fmt.Errorf("question %s: %d units where the budget has %d", b.QID, len(rows[b.QID]), b.Units)
		case b.ContextBytes != len(literal):
			return fmt.Errorf("question %s: a context of %d bytes where the budget has %d", b.QID, len(literal), b.ContextBytes)
		case b.ContextSHA256 != got:
			return fmt.Errorf("question %s: the context has the digest %s, the budget %s", b.QID, got, b.ContextSHA256)
		}
		for _, r := range rows[b.QID] {
			used[r.Unit] = true
		}
	}
	for _, r := range c.Contexts {
		if !seen[r.QID] {
			return fmt.Errorf("question %s: a context without a budget row", r.QID)
		}
	}
	for _, u := range c.Units {
		if !used[u.Digest] {
			return fmt.Errorf("unit %s is in no context", u.Digest)
		}
	}
	return nil
}
