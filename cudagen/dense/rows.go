// Operations on the rows of the last axis.

package dense

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/asterias-ml/asterias/tensor"
)

//go:embed rows.cu
var rowsText string

// infinite is the largest number of each float type.
var infinite = map[tensor.DType]string{
	tensor.Float32: "__int_as_float(0x7f800000)",
	tensor.Float64: "__longlong_as_double(0x7ff0000000000000ll)",
}

// Rows runs Softmax, LogSoftmax, their gradients, LayerNorm or its gradient.
func (b *Backend) Rows(op string, eps float64, dst, xs []tensor.View) error {
	shape := dst[0].Shape
	n := shape[len(shape)-1]
	if dst[0].Size() == 0 {
		return nil
	}
	rows, g := shape[:len(shape)-1].Size(), groupFor(n)
	var args []argument
	for _, v := range append(append([]tensor.View(nil), xs...), dst...) {
		args = append(args, v)
	}
	dt := dst[0].DType
	if op == "LayerNorm" {
		args = append(args, numberOf(dt, eps))
	}
	return b.launch(work{
		key:    fmt.Sprintf("rows %s %v %d", op, dt, g),
		text:   func() string { return rowsTextOf(op, dt, g) },
		blocks: groupsBlocks(rows, g),
		args:   append(args, rows, n),
	})
}

func rowsTextOf(op string, dt tensor.DType, g int) string {
	return fmt.Sprintf("#define %s 1\n#define G %d\ntypedef %s T;\n#define INFINITE %s\n", strings.ToUpper(op), g, cTypes[dt], infinite[dt]) + groupText + rowsText
}
