package cpu

// A planner for tests: the whole program in one kernel, with as many loops as its
// aggregates need, so that products, picks and sums read registers.

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

// together plans p, whose computed row values all live on the rows of one vertex
// residency, or are sums over these rows or their edges.
func together(rows ir.Residency) func(p *ir.Program) *plan.Plan {
	return func(p *ir.Program) *plan.Plan {
		pl := buffersOf(p)
		k := &plan.Kernel{Rows: rows}
		pl.Steps = []plan.Step{k}
		after := make(map[*ir.Value]int) // the loops that a value waits for
		roots := make(map[int][]*ir.Value)
		loop := func(n int) *plan.Loop {
			for len(k.Loops) < n {
				k.Loops = append(k.Loops, &plan.Loop{})
			}
			return k.Loops[n-1]
		}
		for _, v := range p.Values {
			for _, a := range v.Args {
				after[v] = max(after[v], after[a])
			}
			sums := []plan.Sum{{Value: v, Out: pl.BufferOf(v)}}
			switch c := v.Op.Info().Class; {
			case v.Res == ir.Edge || !isStep(v):
			case c == ir.Reduction || v.Op == ir.OpOuter:
				if v.Attr.Res != ir.Edge {
					k.Totals = append(k.Totals, sums...)
					break
				}
				n := after[v] + 1
				loop(n).Totals = append(loop(n).Totals, sums...)
				roots[n] = append(roots[n], v.Args...)
			case v.Res != rows:
				panic(fmt.Sprintf("%v does not live on %v rows", v, rows))
			case c == ir.Aggregate:
				after[v]++
				n := after[v]
				loop(n).Reduce = append(loop(n).Reduce, v)
				roots[n] = append(roots[n], v.Args[0])
			case after[v] == 0:
				k.Pre = append(k.Pre, v)
			default:
				loop(after[v]).Post = append(loop(after[v]).Post, v)
			}
		}
		for i, o := range p.Outputs {
			v := o.Value
			store := plan.Store{Value: v, Buffer: pl.Outputs[i]}
			switch {
			case v.Res == ir.Edge:
				n := after[v] + 1
				loop(n).Stores = append(loop(n).Stores, store)
				roots[n] = append(roots[n], v)
			case v.Res == rows:
				k.Stores = append(k.Stores, store)
			default: // a sum: it is complete after the kernel
				pl.Steps = append(pl.Steps, &plan.Kernel{Rows: v.Res, Stores: []plan.Store{store}})
			}
		}
		for n, vs := range roots {
			loop(n).Edge = onEdges(vs...)
			slices.SortFunc(loop(n).Edge, func(x, y *ir.Value) int { return cmp.Compare(x.ID, y.ID) })
		}
		return pl
	}
}

// edgeNetwork is an EdgeConv-like program (Wang et al. 2019) with its gradients:
// a network of two layers on every edge, whose weights' gradients are sums over
// all edges.
func edgeNetwork(in, hidden, out int, d ir.Dir) *ir.Program {
	b := ir.NewBuilder("edgenetwork", ir.F64, false)
	rows, other := d.Rows(), ir.Src+ir.Dst-d.Rows()
	x, y := b.Input("x", rows, ir.Shape{in}), b.Input("y", other, ir.Shape{in})
	w1, w2 := b.Input("w1", ir.Param, ir.Shape{in, hidden}), b.Input("w2", ir.Param, ir.Shape{hidden, out})
	bias := b.Input("b", ir.Param, ir.Shape{hidden})
	diff := b.Sub(y, x)
	h := b.Op(ir.OpRelu, ir.Attr{}, b.Add(b.MatMul(diff, w1), bias))
	m := b.MatMul(h, w2)
	b.Output("mean", b.Sum(d, m))
	b.Output("max", b.Max(d, m))
	g := b.Input("g", rows, ir.Shape{out}) // a gradient of the messages' sum, read at the edges
	gm := b.Mul(g, b.Const(0.5))
	gh := b.Mul(b.Op(ir.OpMatMulT, ir.Attr{}, b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, gm), w2), b.Gt(h, b.Const(0)))
	gx := b.Op(ir.OpMatMulT, ir.Attr{}, gh, w1)
	b.Output("dx", b.Neg(b.Sum(d, gx)))
	b.Output("dw2", b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, h, gm))
	b.Output("dw1", b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, diff, gh))
	b.Output("messages", m)
	return b.Program()
}

func TestEdgeNetworksInsideALoopAgreeWithTheInterpreter(t *testing.T) {
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for _, dims := range [][3]int{{1, 1, 1}, {3, 8, 16}, {33, 64, 5}, {16, 257, 3}} {
			p := edgeNetwork(dims[0], dims[1], dims[2], d)
			for _, e := range graphs() {
				if e.name == "star" && (testing.Short() || dims[1] > 100) {
					continue
				}
				mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 3), 3, 1e-4)
			}
		}
	}
}

// aggregateFirst is an R-GCN layer (Schlichtkrull et al. 2018) that sums the edges
// of each type apart and multiplies what is summed.
func aggregateFirst(types ir.Types, in, out int, d ir.Dir) *ir.Program {
	b := ir.NewBuilder("aggregatefirst", ir.F64, false)
	b.SetTypes(types)
	rows, other := d.Rows(), ir.Src+ir.Dst-d.Rows()
	h := b.Input("h", other, ir.Shape{in})
	norm := b.Input("norm", ir.Edge, ir.Shape{})
	w := b.Input("w", ir.Param, ir.Shape{types.Edge * in, out})
	perHead := b.Input("perhead", ir.Param, ir.Shape{types.Edge, in, out})
	typed := ir.Attr{Dir: d, Typed: true}
	sums := b.Op(ir.OpSum, typed, b.Mul(h, norm))
	b.Output("sum", b.MatMul(b.Reshape(sums, ir.Shape{types.Edge * in}), w))
	heads := b.MatMul(sums, perHead)
	b.Output("heads", heads)
	most := b.Op(ir.OpMax, typed, h)
	won := b.Op(ir.OpArgmax, typed, h)
	b.Output("max", b.ReduceTo(most, ir.Shape{1, in}))
	b.Output("won", won)
	b.Output("winners", b.Op(ir.OpWinner, typed, won, b.Add(most, sums)))
	pick := b.Op(ir.OpPick, ir.Attr{}, sums) // each edge sees the sum of its type's edges
	score := b.ReduceTo(b.Mul(pick, h), ir.Shape{1})
	b.Output("score", b.Sum(d, b.Exp(b.Op(ir.OpTanh, ir.Attr{}, score))))
	b.Output("mean", b.Sum(d, b.Mul(pick, norm)))
	b.Output("back", b.Op(ir.OpOuter, ir.Attr{Res: rows, Heads: true}, sums, heads))
	b.Output("perType", b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge, To: ir.EdgeType}, b.Reshape(h, ir.Shape{1, in}), b.Reshape(pick, ir.Shape{1, in})))
	return b.Program()
}

func TestTypedAggregatesInOneKernelAgreeWithTheInterpreter(t *testing.T) {
	types := ir.Types{Src: 3, Dst: 3, Edge: 4}
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		for _, dims := range [][2]int{{1, 1}, {3, 8}, {16, 33}, {64, 3}, {257, 2}} {
			p := aggregateFirst(types, dims[0], dims[1], d)
			for _, e := range graphs() {
				star, wide := e.name == "star", dims[0] > 20
				if star && wide || testing.Short() && (star || wide) {
					continue
				}
				e = e.withTypes(types)
				mustAgreeAs(t, together(d.Rows()), p, e, inputsOf(p, e.structure(), 4), 4, 1e-4)
			}
		}
	}
}

// TestWhatASumReadsIsNotAbsorbed has products of which a dot product and a sum over
// all rows or edges are readers.
func TestWhatASumReadsIsNotAbsorbed(t *testing.T) {
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		b := ir.NewBuilder("readers", ir.F64, false)
		x, y := b.Input("x", d.Rows(), ir.Shape{1, 9}), b.Input("y", ir.Src+ir.Dst-d.Rows(), ir.Shape{1, 9})
		onRows, onEdges := b.Mul(x, b.Exp(x)), b.Mul(y, b.Input("w", ir.Edge, ir.Shape{}))
		b.Output("dots", b.ReduceTo(onRows, ir.Shape{1}))
		b.Output("total", b.Op(ir.OpTotal, ir.Attr{Res: d.Rows()}, b.Reshape(onRows, ir.Shape{9})))
		b.Output("weighted", b.Sum(d, onEdges))
		b.Output("outer", b.Op(ir.OpOuter, ir.Attr{Res: ir.Edge}, onEdges, b.Op(ir.OpAt, ir.Attr{Res: ir.Edge}, x)))
		for _, e := range graphs() {
			mustAgreeAs(t, together(d.Rows()), b.Program(), e, inputsOf(b.Program(), e.structure(), 2), 2, 1e-4)
		}
	}
}
