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
// only rows without edges, whose reciprocal then stays finite. Typed, m and the
// sum are those of the edge's type.
func lowerSoftmax(b *ir.Builder, v *ir.Value) *ir.Value {
	if v.Op != ir.OpSoftmax {
		return nil
	}
	x := v.Args[0]
	own := func(row *ir.Value) *ir.Value {
		if v.Attr.Typed {
			return b.Op(ir.OpPick, ir.Attr{}, row)
		}
		return row
	}
	e := b.Exp(b.Sub(x, own(b.Op(ir.OpMax, v.Attr, x))))
	inv := b.Recip(b.MaxOf(b.Op(ir.OpSum, v.Attr, e), b.Const(1)))
	return b.Mul(e, own(inv))
}
