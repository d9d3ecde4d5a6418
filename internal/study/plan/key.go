package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
)

// Key names the result of a computation by content: "sha256:" and 64 hex digits
// over the algorithm's name and version, its parameters and the digests of its
// inputs, in that order. params is a struct of plain values; its JSON with
// sorted names is the encoding, so two keys are equal only where everything in
// them is. What changes speed alone does not belong into it; what changes a
// result does.
//
// Parameters that JSON cannot hold are a defect: Key panics.
func Key(algorithm string, version int, params any, inputs ...string) string {
	encoded, err := json.Marshal(struct {
		Algorithm string
		Version   int
		Params    any
		Inputs    []string
	}{algorithm, version, params, inputs}, json.Deterministic(true))
	if err != nil {
		panic(fmt.Sprintf("BUG: the parameters of %s have no key: %v", algorithm, err))
	}
	sum := sha256.Sum256(encoded)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Cell is everything of an experiment that the ledger rows of one arm at one
// placement depend on, beside the inputs: corpus, golden set, tokenizer tables.
type Cell struct {
	Arm       string
	Label     Label
	Split     Split    // without Share, which changes no window
	Retrieve  Retrieve // without where its host is and how long it may take
	Scope     string   `json:",omitzero"`
	Reader    []string
	Access    string
	Budget    Budget
	K         []int
	Depth     int
	Ignorable string
}

// Cell is the parameters of an arm's cell.
func (e Experiment) Cell(a Arm, l Label) Cell {
	a.Split.Share, a.Split.File = Fraction{}, "" // the content of files is an input of its own
	return Cell{Arm: a.Name, Label: l, Split: a.Split, Retrieve: Retrieve{By: a.Retrieve.By, Run: a.Retrieve.Run}, Scope: a.Moving.Scope,
		Reader: e.Reader, Access: e.Access, Budget: e.Budget, K: e.K, Depth: e.Depth, Ignorable: e.Ignorable}
}
