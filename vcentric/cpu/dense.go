package cpu

// Steps over operands in memory. Plain matrix products go to the matrix product of
// the dense engine, on its threads; whatever reads its operands through edges or
// types, and every sum, is a kernel without anything around it.

import (
	dense "github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// product is a plan.Product of matrices as they lie in memory.
type product[T kern.Float] struct {
	plan    *plan.Product
	in, out int // columns of the operand A, and of the result or of B
	perRow  int // rows of such a matrix in a row of the level
}

func newProduct[T kern.Float](x *Program[T], s *plan.Product) step[T] {
	v := s.Value
	a, b := v.Args[0], v.Args[1]
	n := len(a.Shape) - 1
	p := &product[T]{plan: s, in: a.Shape[n], perRow: a.Shape[:n].Size()}
	switch v.Op {
	case ir.OpMatMul, ir.OpMatMulT:
		p.out = v.Shape[n]
		if b.Res == ir.Param && len(b.Shape) == 2 {
			return p
		}
		return compileKernel(x, kernelOf(v, s.Out))
	case ir.OpOuter:
		p.out = b.Shape[n]
		if v.Attr.To == ir.Param && !v.Attr.Heads && a.Res == s.Level && b.Res == s.Level {
			return p
		}
	}
	return compileKernel(x, totalOf(v, s.Out, s.Level))
}

func (p *product[T]) run(r *run[T]) {
	rows := r.rows(p.plan.Level) * p.perRow
	a := dense.RowMajor(r.mem.Floats[p.plan.A.Index], rows, p.in)
	b, c := r.mem.Floats[p.plan.B.Index], r.mem.Floats[p.plan.Out.Index]
	switch p.plan.Value.Op {
	case ir.OpMatMul:
		dense.MatMul(dense.RowMajor(c, rows, p.out), a, dense.RowMajor(b, p.in, p.out), dense.Epilogue[T]{})
	case ir.OpMatMulT:
		dense.MatMul(dense.RowMajor(c, rows, p.out), a, dense.RowMajor(b, p.out, p.in).T(), dense.Epilogue[T]{})
	default:
		dense.MatMul(dense.RowMajor(c, p.in, p.out), a.T(), dense.RowMajor(b, rows, p.out), dense.Epilogue[T]{})
	}
}

// kernelOf is a kernel that computes and stores v.
func kernelOf(v *ir.Value, out *plan.Buffer) *plan.Kernel {
	stores := []plan.Store{{Value: v, Buffer: out}}
	if v.Res == ir.Edge {
		return &plan.Kernel{Rows: ir.Dst, Loops: []*plan.Loop{{Edge: []*ir.Value{v}, Stores: stores}}}
	}
	return &plan.Kernel{Rows: v.Res, Pre: []*ir.Value{v}, Stores: stores}
}

// totalOf is a kernel that sums over the rows of a level.
func totalOf(v *ir.Value, out *plan.Buffer, level ir.Residency) *plan.Kernel {
	sums := []plan.Sum{{Value: v, Out: out}}
	if level == ir.Edge {
		return &plan.Kernel{Rows: ir.Dst, Loops: []*plan.Loop{{Totals: sums}}}
	}
	return &plan.Kernel{Rows: level, Totals: sums}
}

func ceil(n, d int) int { return (n + max(d, 1) - 1) / max(d, 1) }
