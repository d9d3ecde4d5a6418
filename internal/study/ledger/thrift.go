package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The compact protocol of Apache Thrift, as far as Parquet's headers need it
// (thrift-compact-protocol.md). Written and read here for the same reason as
// the pages: the bytes are pinned, and a hostile header can claim no memory.

// The type codes of the protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftI32    = 5
	thriftI64    = 6
	thriftBinary = 8
	thriftList   = 9
	thriftStruct = 12
)

// fields writes one struct: fields in rising order of their ids, then end.
type fields struct {
	b    []byte
	last int
}

func (f *fields) head(id, code int) {
	f.b = append(f.b, byte((id-f.last)<<4|code))
	f.last = id
}

func (f *fields) i32(id, v int) { f.integer(id, thriftI32, int64(v)) }
func (f *fields) i64(id, v int) { f.integer(id, thriftI64, int64(v)) }

func (f *fields) integer(id, code int, v int64) {
	f.head(id, code)
	f.b = binary.AppendVarint(f.b, v)
}

func (f *fields) text(id int, s string) {
	f.head(id, thriftBinary)
	f.b = appendBinary(f.b, s)
}

func (f *fields) list(id, code int, elements [][]byte) {
	f.head(id, thriftList)
	if len(elements) < 15 {
		f.b = append(f.b, byte(len(elements)<<4|code))
	} else {
		f.b = binary.AppendUvarint(append(f.b, byte(0xf0|code)), uint64(len(elements)))
	}
	for _, e := range elements {
		f.b = append(f.b, e...)
	}
}

func (f *fields) child(id int, s []byte) {
	f.head(id, thriftStruct)
	f.b = append(f.b, s...)
}

func (f *fields) end() []byte { return append(f.b, 0) }

func appendBinary(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

var errShort = errors.New("cut short")

// reader takes from bytes until something is missing; the first error stays.
type reader struct {
	b   []byte
	at  int
	err error
}

func (r *reader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.b)-r.at {
		r.fail(errShort)
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uvarint() uint64 {
	if r.err != nil {
		return 0
	}
	v, n := binary.Uvarint(r.b[r.at:])
	if n <= 0 {
		r.fail(errShort)
		return 0
	}
	r.at += n
	return v
}

func (r *reader) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// value is anything in a header. Its parts together are never larger than a
// constant times the bytes that they were read from.
type value struct {
	n      int64
	b      []byte
	parts  []value // of a list
	fields []field // of a struct
}

type field struct {
	id int64
	value
}

// get is the field with this id; the zero value if there is none.
func (v value) get(id int64) value {
	for _, f := range v.fields {
		if f.id == id {
			return f.value
		}
	}
	return value{}
}

const maxDepth = 12

func (r *reader) value(code byte, depth int) (v value) {
	if depth > maxDepth {
		r.fail(errors.New("header nested too deeply"))
		return v
	}
	switch code {
	case thriftTrue:
		v.n = 1
	case thriftFalse:
	case 3: // a byte
		v.n = int64(int8(r.byte()))
	case 4, thriftI32, thriftI64:
		v.n = r.varint()
	case 7: // a double, which no field that is used has
		r.take(8)
	case thriftBinary:
		v.b = r.take(int(min(r.uvarint(), uint64(len(r.b)+1))))
	case thriftList, 10: // a set is a list
		head := r.byte()
		n := uint64(head >> 4)
		if n == 15 {
			n = r.uvarint()
		}
		for range n {
			code := head & 15
			if code == thriftTrue || code == thriftFalse { // one byte each, in a list
				code = 3
			}
			at := r.at
			part := r.value(code, depth+1)
			if r.err == nil && r.at == at {
				r.fail(errors.New("list elements without bytes"))
			}
			if r.err != nil {
				return v
			}
			v.parts = append(v.parts, part)
		}
	case thriftStruct:
		for id := int64(0); r.err == nil; {
			head := r.byte()
			if head == 0 {
				break
			}
			if delta := head >> 4; delta > 0 {
				id += int64(delta)
			} else {
				id = r.varint()
			}
			v.fields = append(v.fields, field{id, r.value(head&15, depth+1)})
		}
	default:
		r.fail(fmt.Errorf("header field of type %d", code))
	}
	return v
}
