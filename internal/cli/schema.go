package cli

import (
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/schema"
	"kerf/internal/study/compare"
	"kerf/internal/study/diff"
	"kerf/internal/study/ledger"
	"kerf/internal/study/sweep"
)

// kindSchema is a kind of file or output, and how its schema is made.
type kindSchema struct {
	kind string
	make func(kind string) []byte
}

// schemas are all kinds, by name: files first, then the outputs of commands.
func schemas() []kindSchema {
	of := func(t reflect.Type) func(string) []byte {
		return func(kind string) []byte { return schema.Of(kind, t) }
	}
	return []kindSchema{
		{"chunks/1", schema.File},
		{"corpus/1", schema.File},
		{"experiment/1", schema.File},
		{"golden/1", schema.File},
		{"heldout/1", schema.File},
		{"index/1", of(reflect.TypeFor[sweep.IndexManifest]())},
		{"ledger/1", ledgerSchema},
		{"rankings/1", schema.File},
		{"report/1", of(reflect.TypeFor[compare.Report]())},
		{"run/1", of(reflect.TypeFor[sweep.RunManifest]())},
		{"texts/1", schema.File},
		{"timings/1", of(reflect.TypeFor[timings]())},
		{"add/1", of(reflect.TypeFor[addOutput]())},
		{"anchor/1", of(reflect.TypeFor[anchorOutput]())},
		{"bench/1", of(reflect.TypeFor[benchOutput]())},
		{"check/1", of(reflect.TypeFor[checkOutput]())},
		{"cuts/1", of(reflect.TypeFor[cutsOutput]())},
		{"diff/1", of(reflect.TypeFor[diff.Diff]())},
		{"doctor/1", of(reflect.TypeFor[doctorOutput]())},
		{"estimate/1", of(reflect.TypeFor[estimateOutput]())},
		{"explain/1", of(reflect.TypeFor[sweep.Explanation]())},
		{"freeze/1", of(reflect.TypeFor[frozenReport]())},
		{"freeze-verify/1", of(reflect.TypeFor[verifiedReport]())},
		{"init/1", of(reflect.TypeFor[initOutput]())},
		{"power/1", of(reflect.TypeFor[powerOutput]())},
		{"score/1", of(reflect.TypeFor[scoreOutput]())},
	}
}

// ledgerSchema is of a row of any table; what a table decodes to is its row.
func ledgerSchema(kind string) []byte {
	var rows []reflect.Type
	for _, t := range ledger.Tables() {
		decode, _ := reflect.TypeOf(t).MethodByName("Decode")
		rows = append(rows, decode.Type.Out(0).Elem())
	}
	return schema.Rows(kind, tableNames(), rows)
}

func (a *app) newExportSchema() *cobra.Command {
	var kinds []string
	for _, s := range schemas() {
		kinds = append(kinds, s.kind)
	}
	files := slices.Index(kinds, "timings/1") + 1
	return &cobra.Command{
		Use:   "schema KIND",
		Short: "The JSON Schema of a kind of file or output",
		Long: `Print the JSON Schema (2020-12) of a kind: what this version writes, and no key
beside it. Schemas of JSON Lines are of one line. The kinds, of which the number
may be left out:

  ` + strings.Join(kinds[:files], ", ") + ",\n  " + strings.Join(kinds[files:], ", "),
		Example: "  kerf export schema report",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.kinds("export schema", ".json"); err != nil {
				return err
			}
			if len(args) == 0 {
				return usage("export the schema of what? There is %s", strings.Join(kinds, ", "))
			}
			return a.exportSchema(args[0], kinds)
		},
	}
}

func (a *app) exportSchema(kind string, kinds []string) error {
	for _, s := range schemas() {
		if s.kind != kind && s.kind != kind+"/1" {
			continue
		}
		content := s.make(s.kind)
		for _, o := range a.outputs {
			if err := writeFile(a.path(o), content); err != nil {
				return err
			}
		}
		_, err := a.Stdout.Write(content)
		return err
	}
	return usage("export schema %s: %s", kind, meant(kind, kinds))
}
