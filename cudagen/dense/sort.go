// Sorting the rows of the last axis.

package dense

import (
	_ "embed"
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/cudagen/driver"
	"github.com/asterias-ml/asterias/tensor"
)

//go:embed sort.cu
var sortText string

// sharedPlaces is how many places of a row fit in shared memory, as sort.cu has it.
const sharedPlaces = 2048

// Sort sorts rows and writes the first elements of each.
func (b *Backend) Sort(values, indices, x tensor.View, descending bool) error {
	last := len(x.Shape) - 1
	n, kept, rows := x.Shape[last], values.Shape[last], x.Shape[:last].Size()
	if values.Size() == 0 {
		return nil
	}
	if n > math.MaxInt32/2 {
		return fmt.Errorf("cuda: Sort: rows of %d elements are too long", n)
	}
	padded := 1
	for padded < n {
		padded *= 2
	}
	kernel := func(kind string, blocks int, args ...argument) work {
		return work{
			key:    fmt.Sprintf("sort %s %v %v", kind, x.DType, descending),
			text:   func() string { return sortTextOf(kind, x.DType, descending) },
			blocks: blocks,
			args:   args,
		}
	}
	if padded <= sharedPlaces {
		return b.launch(kernel("SMALL", min(rows, maxBlocks), x, values, indices, rows, n, kept, padded))
	}
	return b.do(func(c *driver.Ctx) error {
		places, err := c.Alloc(rows*padded*4, "Sort")
		if err != nil {
			return err
		}
		defer c.Free(places)
		if err := b.run(c, kernel("START", blocksFor(rows*padded), places, rows, padded)); err != nil {
			return err
		}
		for s := 2; s <= padded; s *= 2 {
			for d := s / 2; d > 0; d /= 2 {
				if err := b.run(c, kernel("STEP", blocksFor(rows*padded/2), x, places, rows, n, padded, s, d)); err != nil {
					return err
				}
			}
		}
		return b.run(c, kernel("TAKE", blocksFor(rows*kept), x, places, values, indices, rows, n, kept, padded))
	})
}

func sortTextOf(kind string, dt tensor.DType, descending bool) string {
	order := 0
	if descending {
		order = 1
	}
	return fmt.Sprintf("#define %s 1\n#define DESCENDING %d\ntypedef %s T;\n", kind, order, cTypes[dt]) + sortText
}
