package pass

// Softmax over the edges of a vertex: recognised in user code before the
// gradient is taken, written out in its stable form after.

import "github.com/asterias-ml/asterias/vcentric/ir"

var softmaxRules = []Rule{{Name: "softmax", Apply: recogniseSoftmax}}

// recogniseSoftmax finds Seastar's spelling exp(x) / Σ exp(x) (EuroSys 2021,
// Figure 3), which overflows for scores above 88 in float32.
func recogniseSoftmax(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpDiv {
		return nil
	}
	e, sum := v.Args[0], v.Args[1]
	if e.Op != ir.OpExp || sum.Op != ir.OpSum || sum.Attr.Typed || sum.Args[0] != e || v.Res != ir.Edge {
		return nil
	}
	return b.Op(ir.OpSoftmax, sum.Attr, e.Args[0])
}

var lowerRules = []Rule{{Name: "lower-softmax", Apply: lowerSoftmax, Needed: true}}

// lowerSoftmax writes e^(x-m) * (1/Σ e^(x-m)) with m the row's maximum. The sum
// is at least 1, because the maximum contributes e^0; bounding it by 1 changes
// only rows without edges, whose reciprocal then stays finite.
func lowerSoftmax(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSoftmax {
		return nil
	}
	d, x := v.Attr.Dir, v.Args[0]
	e := b.Exp(b.Sub(x, b.Max(d, x)))
	inv := b.Recip(b.MaxOf(b.Sum(d, e), b.Const(1)))
	return b.Mul(e, inv)
}
