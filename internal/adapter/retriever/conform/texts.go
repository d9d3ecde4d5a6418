package conform

import (
	"fmt"
	"strings"

	"kerf/internal/pipeline/engine"
)

// library is the chunks that most checks use: rules of an invented house, 600 of
// them, in 12 documents. Every fourth room is for staff alone, every fifth for staff
// and board.
func library() (chunks []engine.Chunk) {
	kinds := []string{"reading room", "workshop", "kiln room", "darkroom", "print shop", "music room", "seed bank", "map cellar", "greenhouse", "archive", "lecture hall", "sewing room"}
	needs := []string{"a member card", "a signed form", "safety shoes", "a deposit of twelve crowns", "a booking of the day before"}
	at := map[string]int{}
	for i := range 600 {
		kind := kinds[i%len(kinds)]
		text := fmt.Sprintf("The %s number %d opens at %d o'clock. Visitors need %s; members of circle %d are excepted until noon.",
			kind, i+1, 6+i%11, needs[i%len(needs)], 1+i%37)
		doc := strings.ReplaceAll(kind, " ", "-") + ".md"
		c := engine.Chunk{Doc: doc, Start: at[doc], End: at[doc] + len(text), Text: text}
		switch {
		case i%4 == 3:
			c.Readers = []string{"staff"}
		case i%5 == 4:
			c.Readers = []string{"board", "staff"}
		}
		chunks = append(chunks, named(c))
		at[doc] += len(text) + 1
	}
	return chunks
}

// named has the id that kerf gives a chunk.
func named(c engine.Chunk) engine.Chunk {
	c.ID = fmt.Sprintf("%s:%d-%d", c.Doc, c.Start, c.End)
	return c
}

// questions ask for rooms of the library in other words than the rules have.
func questions() (out []engine.Query) {
	for i := range 24 {
		room := 25*i + 7
		text := fmt.Sprintf("When does number %d open for visitors, and who is excepted?", room)
		if i%3 == 2 {
			text = fmt.Sprintf("What do members of circle %d need in the morning?", 1+room%37)
		}
		out = append(out, engine.Query{QID: fmt.Sprintf("q-%d", i+1), Text: text, K: 10})
	}
	return out
}

// strange are texts that engines and their drivers have stumbled over. No text of
// kerf's holds NUL.
func strange() (chunks []engine.Chunk) {
	for i, text := range []string{
		"Emoji: 🦔 hedgehog, 👩‍🔬 scientist, 🇳🇴 flag, 👍🏽 thumb.",
		"Composed é and decomposed e\u0301 are two texts; so are Å, A\u030a and \u212b.",
		"\u0301A combining mark begins this line, many follow: z\u0300\u0301\u0302\u0303\u0304\u0305.",
		"الكتب تعاد خلال ثلاثين يوما، والخرائط لا تعار.",
		"ספרים מוחזרים תוך שלושים יום \u202eright to left\u202c.",
		"退货须在三十日内提出。例外：促销商品不退。",
		"図書は三十日以内に返却してください。ただし地図は貸し出しません。",
		"หนังสือต้องคืนภายในสามสิบวัน",
		"Line separator\u2028paragraph separator\u2029next line\u0085end.",
		"Controls \x01\x02\x1b[31m\x7f\u009b, tab\t, line\nbreak, carriage\rreturn, both\r\n.",
		"Quotes ' \" ` and \\ backslashes \\n {json} <b>html</b> %s ${x} '; DROP TABLE chunks; --",
		"\ufeffA byte order mark, a zero\u200bwidth space, a soft\u00adhyphen, a no-break\u00a0space.",
		"Outside of the basic plane: 𝔎𝔢𝔯𝔣 𠮷野家 \U0001F1FA \U000E0041 \U0010FFFD.",
		"<|endoftext|> [CLS] </s> and other words of models.",
		strings.Repeat("x", 20_000),
		"7",
		".",
	} {
		doc := []string{"plain.md", "ünï/🦔 a.md", "q\"uo'te\\.md", "line\nbreak.md", "e\u0301/كتب.md"}[i%5]
		chunks = append(chunks, named(engine.Chunk{Doc: doc, Start: 100_000 * i, End: 100_000*i + len(text), Text: text}))
	}
	return chunks
}

// long is a chunk of a MiB.
func long() []engine.Chunk {
	text := strings.Repeat("A long rule has many words. ", 1<<20/28) + "It ends with a lighthouse."
	return []engine.Chunk{named(engine.Chunk{Doc: "long.md", End: len(text), Text: text}), named(engine.Chunk{Doc: "short.md", End: 13, Text: "A lighthouse."})}
}
