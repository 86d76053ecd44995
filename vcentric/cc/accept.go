package cc

// Which kernels the renderer declines.

import (
	"fmt"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// maxVectors bounds the vectors of a value: the text of every op is repeated for
// each of them.
const maxVectors = 40

// declines says why a kernel is not rendered; it is empty for one that is.
func (r *renderer) declines(k *plan.Kernel) string {
	values := append([]*ir.Value{}, k.Pre...)
	sums := append([]plan.Sum{}, k.Totals...)
	for _, l := range k.Loops {
		values = append(append(append(values, l.Edge...), l.Reduce...), l.Post...)
		sums = append(sums, l.Totals...)
	}
	for _, s := range sums {
		if s.Value.Op == ir.OpOuter {
			return fmt.Sprintf("a sum of outer products: %v", s.Value)
		}
		values = append(values, s.Value)
	}
	for _, v := range values {
		ofType := v.Op == ir.OpPick || v.Op == ir.OpWinner && v.Attr.Typed // of whose operands only a part is read
		for _, x := range append([]*ir.Value{v}, v.Args...) {
			if w := x.Width(); w == 0 || w > maxVectors*r.lanes && !(ofType && x != v) {
				return fmt.Sprintf("a row of %d numbers: %v", w, x)
			}
			ids := x.Type == ir.I32
			if ids && x == v && v.Op != ir.OpArgmax || ids && x != v && v.Op != ir.OpWinner {
				return fmt.Sprintf("ids that are neither found nor compared: %v", v)
			}
		}
		if v.Op.Info().Class == ir.Dense {
			return fmt.Sprintf("a matrix product: %v", v)
		}
	}
	return ""
}
