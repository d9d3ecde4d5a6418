package jsonl

// Taker says what takes a file whose header names kind, for a hint to somebody who
// gave it to another command; "" for a kind of file that kerf does not read.
func Taker(kind string) string {
	switch kind {
	case "golden/1":
		return "golden in kerf.yaml names a file of questions"
	case "corpus/1":
		return "corpus in kerf.yaml names the manifest of the documents"
	case "texts/1":
		return "kerf freeze --texts FILE reads texts"
	case "chunks/1":
		return "kerf import chunks FILE reads a chunk table, kerf score takes it with --chunks FILE"
	case "rankings/1":
		return "kerf score FILE reads rankings"
	}
	return ""
}
