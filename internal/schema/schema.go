// Package schema writes the JSON Schema (2020-12) of kerf's files: of a Go type
// where the type is the truth, read from an embedded file where a codec is
// written by hand.
//
// The words: a kind is the value of "kerf" in a file, such as report/1. A schema
// is strict: it names every key that this version writes and allows no other,
// although readers of machine-written files keep keys that they do not know.
package schema

import (
	"embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/score"
)

//go:embed *.json
var files embed.FS

// dialect is the version of JSON Schema.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// File is the schema of a kind that is written by hand: chunks/1, corpus/1,
// experiment/1, golden/1, heldout/1, rankings/1, texts/1. Those of JSON Lines are of one line.
func File(kind string) []byte {
	name, _, _ := strings.Cut(kind, "/")
	content, err := files.ReadFile(name + ".json")
	if err != nil {
		panic("BUG: schema of " + kind + ": " + err.Error())
	}
	return content
}

// object is a schema, or a part of one.
type object = map[string]any

// Of is the schema of a kind whose files are JSON of type t, a struct with the
// member "kerf".
func Of(kind string, t reflect.Type) []byte {
	b := builder{object{}, map[string]reflect.Type{}}
	root := b.fields(t)
	root["properties"].(object)["kerf"] = object{"const": kind}
	return b.finish(kind, root)
}

// Rows is the schema of a line of `kerf export ledger`, of any of the tables:
// names and row types. Columns are the fields that have a parquet tag.
func Rows(kind string, names []string, rows []reflect.Type) []byte {
	b := builder{object{}, map[string]reflect.Type{}}
	var tables []any
	for i, t := range rows {
		properties := object{"table": object{"const": names[i]}, "cell": object{"type": "string"}}
		required := []string{"table", "cell"}
		for j := range t.NumField() {
			column, _, _ := strings.Cut(t.Field(j).Tag.Get("parquet"), ",")
			properties[column], required = values(t.Field(j).Type), append(required, column)
		}
		b.defs[names[i]] = object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
		tables = append(tables, object{"$ref": "#/$defs/" + names[i]})
	}
	return b.finish(kind, object{"description": "a line of kerf export ledger", "oneOf": tables})
}

// values is the schema of a column's values.
func values(t reflect.Type) any {
	switch t.Kind() {
	case reflect.String: // bytes that are no UTF-8 are base64
		return object{"anyOf": []any{object{"type": "string"}, object{"type": "object", "properties": object{"base64": object{"type": "string"}}, "required": []string{"base64"}, "additionalProperties": false}}}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return object{"type": "string", "contentEncoding": "base64"}
		}
		return object{"type": "array", "items": object{"type": "string"}}
	case reflect.Pointer:
		return orWord(object{"type": "integer"}, stats.NotMeasured)
	}
	return basic(t)
}

func basic(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Uint64:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	panic(fmt.Sprintf("BUG: a schema of %s", t))
}

// orWord is a value, or the word that stands in its place.
func orWord(s any, word string) object { return object{"anyOf": []any{object{"const": word}, s}} }

type builder struct {
	defs  object
	types map[string]reflect.Type // of the definitions
}

// finish is the whole schema, keys sorted, two blanks a level.
func (b *builder) finish(kind string, root object) []byte {
	root["$schema"], root["title"] = dialect, kind
	if len(b.defs) > 0 {
		root["$defs"] = b.defs
	}
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic("BUG: schema of " + kind + ": " + err.Error())
	}
	return append(out, '\n')
}

// of is the schema of t. Structs become definitions.
func (b *builder) of(t reflect.Type) any {
	generic, _, _ := strings.Cut(t.Name(), "[")
	switch {
	case t == reflect.TypeFor[stats.Sum]():
		return b.define(t, func() object {
			return closed(object{"sum": object{"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$"}, "den": object{"type": "integer"}, "missing": object{"type": "integer"}}, "sum", "den", "missing")
		})
	case t == reflect.TypeFor[compare.Measures]():
		return b.define(t, func() object {
			return object{"type": "object", "properties": object{"label": object{"type": "string"}}, "required": []string{"label"},
				"additionalProperties": object{"anyOf": []any{b.of(reflect.TypeFor[stats.Count]()), b.of(reflect.TypeFor[stats.Sum]())}}}
		})
	case t == reflect.TypeFor[score.Measures](): // a sum of irrational numbers is a decimal
		return b.define(t, func() object {
			return object{"type": "object", "additionalProperties": object{"anyOf": []any{b.of(reflect.TypeFor[stats.Count]()),
				closed(object{"sum": object{"type": "string", "pattern": "^[0-9]+(/[0-9]+|[.][0-9]+)?$"}, "den": object{"type": "integer"}, "missing": object{"type": "integer"}}, "sum", "den", "missing")}}}
		})
	case generic == "Maybe" && t.PkgPath() == reflect.TypeFor[stats.Sum]().PkgPath():
		return orWord(b.field(t, "Value"), stats.NotMeasured)
	case generic == "Moving" && t.PkgPath() == reflect.TypeFor[compare.Measures]().PkgPath():
		return orWord(b.field(t, "Value"), compare.NotApplicable)
	}
	if _, own := reflect.New(t).Interface().(json.Marshaler); own {
		panic(fmt.Sprintf("BUG: %s writes itself, and no schema knows how", t))
	}
	switch t.Kind() {
	case reflect.Pointer:
		return b.of(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": b.of(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": b.of(t.Elem())}
	case reflect.Struct:
		if t.Name() == "" {
			return b.fields(t)
		}
		return b.define(t, func() object { return b.fields(t) })
	}
	return basic(t)
}

func (b *builder) field(t reflect.Type, name string) any {
	f, _ := t.FieldByName(name)
	return b.of(f.Type)
}

// define makes the definition of a type once and refers to it.
func (b *builder) define(t reflect.Type, build func() object) any {
	name := t.Name()
	name = strings.ToUpper(name[:1]) + name[1:]
	switch b.types[name] {
	case t:
	case nil:
		b.types[name] = t
		b.defs[name] = build()
	default:
		panic(fmt.Sprintf("BUG: %s and %s have one name in a schema", t, b.types[name]))
	}
	return object{"$ref": "#/$defs/" + name}
}

// fields is a struct as encoding/json writes it; those of embedded structs stand
// among its own.
func (b *builder) fields(t reflect.Type) object {
	properties := object{}
	var required []string
	var add func(t reflect.Type, optional bool)
	add = func(t reflect.Type, optional bool) {
		for i := range t.NumField() {
			f := t.Field(i)
			tag := f.Tag.Get("json")
			key, options, _ := strings.Cut(tag, ",")
			switch {
			case tag == "-", !f.IsExported() && !f.Anonymous:
				continue
			case f.Anonymous && key == "" && f.Type.Kind() == reflect.Pointer:
				add(f.Type.Elem(), true)
				continue
			case f.Anonymous && key == "":
				add(f.Type, optional)
				continue
			case key == "":
				key = f.Name
			}
			properties[key] = b.of(f.Type)
			if left := strings.Split(options, ","); !optional && !slices.Contains(left, "omitempty") && !slices.Contains(left, "omitzero") {
				required = append(required, key)
			}
		}
	}
	add(t, false)
	return closed(properties, required...)
}

// closed is an object with these members and no other.
func closed(properties object, required ...string) object {
	out := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}
