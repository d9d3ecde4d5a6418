package sweep

import "kerf/internal/study/compare"

// What a core's memory was measured to be (docs/performance.md), rounded up.
const (
	bytesCore  = 16 << 20
	bytesChunk = 400 // its bounds, its terms that a question has, its rows in the making
)

// Need estimates how many bytes of memory each core takes that runs the cells, beside
// what the study holds, and by how many chunks.
func (s *Study) Need(cells []Cell) (bytes int64, chunks int, err error) {
	for _, c := range cells {
		n := 0
		if f := s.foreign[c.Arm.Name]; c.Arm.IsControl() {
			f.locate()
			n = len(f.chunks)
		} else {
			tables, err := s.Tables(c.Arm.Split.Tokenizer)
			if err != nil {
				return 0, 0, err
			}
			w := compare.Windows(c.Arm)
			for _, t := range tables {
				n += w.Cores(t.Len(), w.Stride())
			}
		}
		chunks = max(chunks, n)
	}
	return bytesCore + bytesChunk*int64(chunks), chunks, nil
}
