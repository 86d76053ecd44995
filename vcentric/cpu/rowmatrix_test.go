package cpu

// Products of rows with matrices of their own, wherever these lie.

import (
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/pass"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

func TestRowsTimesMatricesOfTheirOwnAgreeWithTheInterpreter(t *testing.T) { rowsTimesMatrices(t) }

// More rows of matrices than ids can name are met matrix by matrix.
func TestRowsTimesMoreMatricesThanIDsCanNameAgreeWithTheInterpreter(t *testing.T) {
	defer func(most int) { mostMatrixRows = most }(mostMatrixRows)
	mostMatrixRows = 0
	rowsTimesMatrices(t)
}

// Of a matrix for each type, a vertex's edges pick theirs.
func TestRowsTimesMatricesThatTypesPickAgreeWithTheInterpreter(t *testing.T) {
	const rows, cols = 8, 16
	e := random("typed", rand.New(rng.NewStream(8)), 30, 30, 200, false).withTypes(ir.Types{Src: 2, Dst: 2, Edge: 3})
	b := ir.NewBuilder("picked", ir.F64, false)
	b.SetTypes(e.types)
	of := b.Op(ir.OpPick, ir.Attr{}, b.Input("w", ir.Dst, ir.Shape{3, rows, cols}))
	b.Output("out", b.Sum(ir.In, b.MatMul(b.Input("x", ir.Src, ir.Shape{rows}), of)))
	p, _ := pass.Forward(b.Program(), pass.Options{})
	mustAgreeAs(t, plan.Build, p, e, inputsOf(p, e.structure(), 3), 3, 1e-4)
}

func rowsTimesMatrices(t *testing.T) {
	graphs := []edges{
		random("random", rand.New(rng.NewStream(5)), 30, 30, 200, false),
		random("bipartite", rand.New(rng.NewStream(6)), 20, 30, 150, true),
		random("without edges", rand.New(rng.NewStream(7)), 5, 5, 0, false),
	}
	for _, c := range []struct {
		name string
		of   func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value)
	}{
		{"a source's row, an edge's matrix", func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value) {
			return b.Input("x", ir.Src, ir.Shape{n}), b.Input("w", ir.Edge, shape)
		}},
		{"an edge's row, a matrix that it computes", func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value) {
			return b.Input("x", ir.Edge, ir.Shape{n}), b.Mul(b.Input("w", ir.Src, shape), b.Input("f", ir.Edge, ir.Shape{}))
		}},
		{"a source's row, the destination's matrix", func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value) {
			return b.Input("x", ir.Src, ir.Shape{n}), b.Input("w", ir.Dst, shape)
		}},
		{"a destination's row, the source's matrix", func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value) {
			return b.Input("x", ir.Dst, ir.Shape{n}), b.Input("w", ir.Src, shape)
		}},
		{"a destination's row and matrix", func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value) {
			return b.Input("x", ir.Dst, ir.Shape{n}), b.Input("w", ir.Dst, shape)
		}},
		{"a destination's row, a matrix that it computes", func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value) {
			return b.Input("x", ir.Dst, ir.Shape{n}), b.Sum(ir.In, b.Input("w", ir.Src, shape))
		}},
		{"a param, an edge's matrix", func(b *ir.Builder, n int, shape ir.Shape) (x, w *ir.Value) {
			return b.Input("x", ir.Param, ir.Shape{n}), b.Input("w", ir.Edge, shape)
		}},
	} {
		for _, size := range [][2]int{{16, 16}, {5, 24}, {3, 8}, {9, 8}, {33, 17}, {1, 64}, {70, 9}, {8, 65}} {
			for _, op := range []ir.Op{ir.OpMatMul, ir.OpMatMulT} {
				for _, e := range graphs {
					b := ir.NewBuilder(c.name, ir.F64, e.bipartite)
					n := size[0]
					if op == ir.OpMatMulT {
						n = size[1]
					}
					x, w := c.of(b, n, ir.Shape{size[0], size[1]})
					y := b.Op(op, ir.Attr{}, x, w)
					if y.Res == ir.Edge || y.Res == ir.Src {
						b.Output("most", b.Max(ir.In, y))
						y = b.Sum(ir.In, y)
					}
					b.Output("out", y)
					p, _ := pass.Forward(b.Program(), pass.Options{})
					mustAgreeAs(t, plan.Build, p, e, inputsOf(p, e.structure(), 3), 3, 1e-4)
					joint := withGradients(b.Program())
					mustAgreeAs(t, plan.Build, joint, e, inputsOf(joint, e.structure(), 3), 3, 1e-4)
				}
			}
		}
	}
}
