// Sums of rows by segment: the product of a sparse and a dense matrix, and rows added by
// index.

package dense

import (
	_ "embed"
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

//go:embed segment.cu
var segmentText string

//go:embed offsets.cu
var offsetsText string

// SegmentSum sums rows by segment.
func (b *Backend) SegmentSum(dst, x, offsets, order tensor.View, values, valueOrder *tensor.View) error {
	rows := dst.Shape[0]
	width := dst.Shape[1:].Size()
	optional := func(v *tensor.View) argument {
		if v == nil {
			return nil
		}
		return *v
	}
	return b.launch(work{
		key:    fmt.Sprintf("segment %v", x.DType),
		text:   func() string { return segmentTextOf(x.DType) },
		blocks: blocksFor(rows * width),
		args:   []argument{x, dst, offsets, order, optional(values), optional(valueOrder), rows, width},
	})
}

// Offsets looks for each number in what is sorted, by halves.
func (b *Backend) Offsets(dst, sorted tensor.View) error {
	return b.launch(work{
		key:    fmt.Sprintf("offsets %v", sorted.DType),
		text:   func() string { return offsetsTextOf(sorted.DType) },
		blocks: blocksFor(dst.Size()),
		args:   []argument{sorted, dst, sorted.Size(), dst.Size()},
	})
}

func offsetsTextOf(dt tensor.DType) string {
	return fmt.Sprintf("typedef %s T;\n", cTypes[dt]) + offsetsText
}

func segmentTextOf(dt tensor.DType) string {
	return fmt.Sprintf("typedef %s T;\n", cTypes[dt]) + segmentText
}
