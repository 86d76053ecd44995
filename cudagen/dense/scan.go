// Running sums and products.

package dense

import (
	_ "embed"
	"fmt"

	"github.com/asterias-ml/asterias/tensor"
)

//go:embed scan.cu
var scanText string

const (
	// longColumn is from which length on a block takes a column, unless there are
	// manyColumns.
	longColumn = 256
)

// Scan writes the running results along an axis of a contiguous x.
func (b *Backend) Scan(op string, dst, x tensor.View, axis int) error {
	outer, n, inner := x.Shape[:axis].Size(), x.Shape[axis], x.Shape[axis+1:].Size()
	if x.Size() == 0 {
		return nil
	}
	kind, blocks := "THREADS", blocksFor(outer*inner)
	if n >= longColumn && outer*inner < manyColumns {
		kind, blocks = "BLOCKS", min(outer*inner, maxBlocks)
	}
	return b.launch(work{
		key:    fmt.Sprintf("scan %s %s %v", kind, op, x.DType),
		text:   func() string { return scanTextOf(kind, op, x.DType) },
		blocks: blocks,
		args:   []argument{x, dst, outer, n, inner},
	})
}

func scanTextOf(kind, op string, dt tensor.DType) string {
	gathered := "double"
	if !dt.IsFloat() {
		gathered = cTypes[dt]
	}
	f := folds[op]
	return fmt.Sprintf("#define %s 1\n#define G 32\ntypedef %s T;\ntypedef %s A;\n", kind, cTypes[dt], gathered) + groupText +
		fmt.Sprintf("typedef %s F;\n#define NOTHING ((A)%s)\n", f.merge, f.nothing) + scanText
}
