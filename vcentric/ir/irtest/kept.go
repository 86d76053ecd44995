package irtest

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
)

// Kept is a program whose kernels keep values of edges for one another: heads numbers that
// kernels over sources keep for those over destinations, and as many the other way. cols
// are those of a head; the more, the less plans would gather twice.
func Kept(heads, cols int) *ir.Program {
	b := ir.NewBuilder(fmt.Sprintf("kept%dx%d", heads, cols), ir.F64, false)
	x, y := b.Input("x", ir.Src, ir.Shape{heads, cols}), b.Input("y", ir.Dst, ir.Shape{heads, cols})
	score := b.Op(ir.OpReduceTo, ir.Attr{Shape: ir.Shape{heads, 1}}, b.Mul(x, y))
	b.Output("weighed", b.Sum(ir.Out, b.Mul(score, y)))
	less := b.Sub(score, b.Sum(ir.In, score)) // waits for what destinations sum
	b.Output("out", b.Sum(ir.Out, less))
	b.Output("in", b.Sum(ir.In, less))
	return b.Program()
}
