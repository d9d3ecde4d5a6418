package baseline

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// more ends a list that further hits were ranked behind.
const more = "more"

// Encode is the file: what changes by itself stands in a line of its own, everything
// is sorted, and equal baselines give equal bytes. Read reads it.
func (b *Baseline) Encode() []byte {
	var sets []*Set // in the order in which the measures name them
	var w bytes.Buffer
	w.WriteString(`{"kerf":` + quoted(Kind) + ",\n")
	i := b.Instrument
	fmt.Fprintf(&w, "\"instrument\":{\n\"reader\":%s,\n\"access\":%s,\n", quotedList(i.Reader), quoted(i.Access))
	fmt.Fprintf(&w, "\"budget\":{\"tokens\":%d,\"tokenizer\":%s,\"overflow\":%s,\"format\":%s},\n", i.Tokens, quoted(i.Tokenizer), quoted(i.Overflow), quoted(i.Format))
	fmt.Fprintf(&w, "\"k\":%s,\n\"at_k\":%d,\n\"depth\":%d,\n\"ignorable\":%s},\n", integers(i.K), i.AtK, i.Depth, quoted(i.Ignorable))
	measures := make([]string, len(b.Measures))
	for i, m := range b.Measures {
		at := slices.Index(sets, m.Set)
		if at < 0 {
			at, sets = len(sets), append(sets, m.Set)
		}
		measures[i] = fmt.Sprintf(`%s:{"rankings":"%d","value":%s}`, quoted(m.Name), at+1, encoded(m.Value))
	}
	group(&w, "measures", "{}", measures)
	w.WriteString(",\n")
	all := make([]string, len(sets))
	for i, s := range sets {
		all[i] = fmt.Sprintf(`"%d":%s`, i+1, s.encode())
	}
	group(&w, "rankings", "{}", all)
	w.WriteString(",\n")
	accepted := make([]string, len(b.Accepted))
	for i, o := range b.Accepted {
		accepted[i] = fmt.Sprintf(`{"measure":%s,"from":%s,"to":%s,"reason":%s}`, quoted(o.Measure), encoded(o.From), encoded(o.To), quoted(o.Reason))
	}
	group(&w, "accepted", "[]", accepted)
	w.WriteString("}\n")
	return w.Bytes()
}

// encode is the object of a set.
func (s *Set) encode() string {
	var w bytes.Buffer
	fmt.Fprintf(&w, "{\"version\":%s,\n\"corpus\":%s,\n\"golden\":%s,\n\"arm\":%s,\n\"placements\":%d,\n", quoted(s.Version), quoted(s.Corpus), quoted(s.Golden), encoded(s.Arm), len(s.Labels))
	var documents []string
	for _, doc := range slices.Sorted(maps.Keys(s.Documents)) {
		documents = append(documents, quoted(doc)+":"+quoted(s.Documents[doc]))
	}
	group(&w, "documents", "{}", documents)
	w.WriteString(",\n")
	questions := make([]string, len(s.Questions))
	for i, q := range s.Questions {
		lists := make([]string, len(q.Lists))
		for j, l := range q.Lists {
			lists[j] = quoted(s.Labels[j]) + ":" + l.encode()
		}
		questions[i] = quoted(q.QID) + ":{" + strings.Join(lists, ",") + "}"
	}
	group(&w, "questions", "{}", questions)
	w.WriteString("}")
	return w.String()
}

// encode is the list of a list's hits: [doc, start, end], or [doc, start, end, prefix].
func (l List) encode() string {
	hits := make([]string, len(l.Hits), len(l.Hits)+1)
	for i, h := range l.Hits {
		hits[i] = fmt.Sprintf("[%s,%d,%d", quoted(h.Doc), h.Start, h.End)
		if h.Prefix != "" {
			hits[i] += "," + quoted(h.Prefix)
		}
		hits[i] += "]"
	}
	if l.More {
		hits = append(hits, quoted(more))
	}
	return "[" + strings.Join(hits, ",") + "]"
}

// group writes a member whose own members stand in a line each.
func group(w *bytes.Buffer, name, brackets string, lines []string) {
	w.WriteString(quoted(name) + ":" + brackets[:1])
	for i, line := range lines {
		if i > 0 {
			w.WriteString(",")
		}
		w.WriteString("\n" + line)
	}
	w.WriteString(brackets[1:])
}

func integers(n []int) string { return strings.ReplaceAll(fmt.Sprint(n), " ", ",") }

func quotedList(texts []string) string {
	quotes := make([]string, len(texts))
	for i, t := range texts {
		quotes[i] = quoted(t)
	}
	return "[" + strings.Join(quotes, ",") + "]"
}

func quoted(text string) string {
	q, err := jsontext.AppendQuote(nil, text)
	if err != nil {
		panic("BUG: a text that is no UTF-8: " + err.Error())
	}
	return string(q)
}

// encoded is the JSON of plain values.
func encoded(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return string(b)
}
