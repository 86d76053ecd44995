package pass

// Linear orders sums over edges and matrix products: A(XW) or (AX)W, whichever
// gathers narrower rows. It runs before the gradient, whose sums and products
// then follow the same order. Products with rows of matrices are multiplied out
// here too, since neither a plan nor a gradient rule has them.

import "github.com/asterias-ml/asterias/vcentric/ir"

var multiplyOutRules = []Rule{{Name: "multiply-out", Apply: multiplyOut, Needed: true}}

// multiplyOut: x·W_r with a matrix for each vertex or edge is Σ_k x_k W_r[k].
func multiplyOut(b *ir.Builder, v *ir.Value) *ir.Value {
	if !isProductOp(v) || v.Args[1].Res == ir.Param || v.Args[1].Res.IsType() {
		return nil
	}
	x, w := v.Args[0], v.Args[1]
	n := len(x.Shape)
	if v.Op == ir.OpMatMul { // [.. F 1] * [F O], summed over F
		p := b.Mul(b.Reshape(x, append(x.Shape[:n:n], 1)), w)
		s := append(ir.Shape{}, p.Shape...)
		s[len(s)-2] = 1
		return b.Reshape(b.ReduceTo(p, s), v.Shape)
	}
	s := append(x.Shape[:n-1:n-1], 1, x.Shape[n-1]) // [.. 1 F] * [O F], summed over F
	p := b.Mul(b.Reshape(x, s), w)
	s = append(ir.Shape{}, p.Shape...)
	s[len(s)-1] = 1
	return b.Reshape(b.ReduceTo(p, s), v.Shape)
}

func linearRules(Options, *ir.Program) []Rule {
	return []Rule{
		{Name: "aggregate-first", ApplyUses: make(finiteness).aggregateFirst},
		{Name: "transform-first", ApplyUses: transformFirst},
	}
}

// aggregateFirst: Σ_e c·(x·W) = (Σ_e c·x)·W for a product of the other end that
// nothing else reads and that is wider than x. Where there are no edges the sum is 0, but 0
// times an infinite matrix is not.
func (f finiteness) aggregateFirst(b *ir.Builder, v *ir.Value, uses func(*ir.Value) int) *ir.Value {
	if v.Op != ir.OpSum || v.Attr.Typed {
		return nil
	}
	var product *ir.Value
	replaced := inProduct(b, v.Args[0], uses, func(m *ir.Value) *ir.Value {
		if m.Op != ir.OpMatMul || !m.Res.IsVertex() || m.Res == v.Res || m.Args[1].Res != ir.Param ||
			uses(m) != 1 || m.Args[0].Width() >= m.Width() || !f.of(m.Args[1]) {
			return nil
		}
		product = m
		return m.Args[0]
	})
	if replaced == nil {
		return nil
	}
	return b.MatMul(b.Op(ir.OpSum, v.Attr, replaced), product.Args[1])
}

// transformFirst: (Σ_e c·x)·W = Σ_e c·(x·W) for rows x of the other end and a
// product narrower than they.
func transformFirst(b *ir.Builder, v *ir.Value, uses func(*ir.Value) int) *ir.Value {
	if v.Op != ir.OpMatMul || v.Args[1].Res != ir.Param || v.Args[0].Op != ir.OpSum || v.Width() >= v.Args[0].Width() {
		return nil
	}
	sum := v.Args[0]
	if sum.Attr.Typed || uses(sum) != 1 {
		return nil
	}
	replaced := inProduct(b, sum.Args[0], uses, func(x *ir.Value) *ir.Value {
		if !x.Res.IsVertex() || x.Res == sum.Res || !x.Shape.Equal(sum.Shape) || len(x.Shape) == 0 {
			return nil
		}
		return b.MatMul(x, v.Args[1])
	})
	if replaced == nil {
		return nil
	}
	return b.Op(ir.OpSum, sum.Attr, replaced)
}

// inProduct rebuilds a product of x with factors that are the same in all of x's
// columns, with f(x) in x's place; nil if f declines, or if others read the
// product too.
func inProduct(b *ir.Builder, x *ir.Value, uses func(*ir.Value) int, f func(*ir.Value) *ir.Value) *ir.Value {
	if y := f(x); y != nil {
		return y
	}
	if x.Op != ir.OpMul || uses(x) != 1 {
		return nil
	}
	for i, a := range x.Args {
		c := x.Args[1-i]
		if !a.Shape.Equal(x.Shape) || !sameInColumns(c) {
			continue
		}
		if y := inProduct(b, a, uses, f); y != nil {
			return b.Mul(y, c)
		}
	}
	return nil
}
