// Command gen writes the vocabulary file that package token embeds:
//
//	go run ./internal/text/token/gen FILE.tiktoken OUT.vocab
//
// FILE.tiktoken has one "base64(token) rank" a line. OUT.vocab is the number
// of tokens as uint32 little endian, one byte of length for each token in rank
// order, then the tokens' bytes in the same order.
package main

import (
	"bufio"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: gen FILE.tiktoken OUT.vocab")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	var lengths, blob []byte
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		code, rank, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			return fmt.Errorf("%s:%d: want TOKEN RANK", from, n)
		}
		if r, err := strconv.Atoi(rank); err != nil || r != n-1 {
			return fmt.Errorf("%s:%d: rank %q, want %d", from, n, rank, n-1)
		}
		token, err := base64.StdEncoding.DecodeString(code)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", from, n, err)
		}
		if len(token) < 1 || len(token) > 255 {
			return fmt.Errorf("%s:%d: token of %d bytes, want 1 to 255", from, n, len(token))
		}
		lengths = append(lengths, byte(len(token)))
		blob = append(blob, token...)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(lengths)))
	out = append(append(out, lengths...), blob...)
	return os.WriteFile(to, out, 0o644)
}
