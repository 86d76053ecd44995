package ir_test

// The interpreter against cases worked by hand. It defines what every pass and
// executor must give, so nothing else can check it.

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
)

var nan, inf = math.NaN(), math.Inf(1)

// three vertices; vertex 0 has the in-edges 0, 1 and 3, vertex 1 the in-edge 2,
// vertex 2 none; vertex 0 has no out-edge.
var small = &ir.Structure{
	NumSrc: 3, NumDst: 3, Src: []int32{1, 2, 1, 1}, Dst: []int32{0, 0, 1, 0},
	Types: ir.Types{Src: 2, Dst: 2, Edge: 2}, SrcTypes: []int32{1, 0, 0}, DstTypes: []int32{1, 0, 0}, EdgeTypes: []int32{1, 0, 1, 1},
}

// operand is an input of a case: residency, row shape, numbers.
type operand struct {
	res   ir.Residency
	shape ir.Shape
	x     []float64
}

func TestInterpreterByHand(t *testing.T) {
	edge := func(x ...float64) operand { return operand{ir.Edge, ir.Shape{}, x} }
	dst := func(x ...float64) operand { return operand{ir.Dst, ir.Shape{}, x} }
	dst1 := func(x ...float64) operand { return operand{ir.Dst, ir.Shape{1}, x} }
	src := func(x ...float64) operand { return operand{ir.Src, ir.Shape{}, x} }
	param := func(shape ir.Shape, x ...float64) operand { return operand{ir.Param, shape, x} }
	one := func(shape ir.Shape, x ...float64) operand { return param(shape, x...) }
	scalar := func(x float64) operand { return param(ir.Shape{}, x) }
	in, out := ir.Attr{Dir: ir.In}, ir.Attr{Dir: ir.Out}
	type test struct {
		op   ir.Op
		attr ir.Attr
		args []operand
		want []float64
	}
	v := func(x ...float64) operand { return param(ir.Shape{len(x)}, x...) }
	un := func(op ir.Op, attr ir.Attr, x, want []float64) test { return test{op, attr, []operand{v(x...)}, want} }
	f := func(x ...float64) []float64 { return x }
	e := math.E
	tests := []test{
		{ir.OpConst, ir.Attr{Num: 2.5}, nil, f(2.5)},
		{ir.OpDegree, ir.Attr{Dir: ir.In, Res: ir.Dst}, nil, f(3, 1, 0)},
		{ir.OpDegree, ir.Attr{Dir: ir.Out, Res: ir.Src}, nil, f(0, 3, 1)},
		{ir.OpDegree, ir.Attr{Dir: ir.In, Res: ir.Src}, nil, f(3, 1, 0)},
		{ir.OpDegree, ir.Attr{Dir: ir.Out, Res: ir.Dst}, nil, f(0, 3, 1)},

		un(ir.OpNeg, ir.Attr{}, f(1, -2, nan), f(-1, 2, nan)),
		un(ir.OpExp, ir.Attr{}, f(0, 1, -inf, nan), f(1, e, 0, nan)),
		un(ir.OpLog, ir.Attr{}, f(1, e, 0, -1), f(0, 1, -inf, nan)),
		un(ir.OpSqrt, ir.Attr{}, f(4, 0, -1), f(2, 0, nan)),
		un(ir.OpRsqrt, ir.Attr{}, f(4, 0, inf), f(0.5, inf, 0)),
		un(ir.OpAbs, ir.Attr{}, f(-2, 3, nan), f(2, 3, nan)),
		un(ir.OpSign, ir.Attr{}, f(-2, 0, 3, nan), f(-1, 0, 1, nan)),
		un(ir.OpSquare, ir.Attr{}, f(-3, 0), f(9, 0)),
		un(ir.OpRecip, ir.Attr{}, f(-4, 0, inf), f(-0.25, inf, 0)),
		un(ir.OpPow, ir.Attr{Num: 3}, f(-2, 0, 2), f(-8, 0, 8)),
		un(ir.OpPow, ir.Attr{Num: 0}, f(-2, 0, nan), f(1, 1, 1)),
		un(ir.OpPow, ir.Attr{Num: 0.5}, f(9, -1), f(3, nan)),
		un(ir.OpClamp, ir.Attr{Num: -1, Num2: 2}, f(-3, -1, 0, 2, 5, nan), f(-1, -1, 0, 2, 2, nan)),
		un(ir.OpClamp, ir.Attr{Num: nan, Num2: 2}, f(-3, 5, nan), f(-3, 2, nan)),
		un(ir.OpClamp, ir.Attr{Num: -1, Num2: nan}, f(-3, 5, nan), f(-1, 5, nan)),
		un(ir.OpRelu, ir.Attr{}, f(-1, 0, 2, nan), f(0, 0, 2, nan)),
		un(ir.OpLeakyRelu, ir.Attr{Num: 0.5}, f(-2, 0, 2, nan), f(-1, 0, 2, nan)),
		un(ir.OpElu, ir.Attr{Num: 2}, f(-1, 0, 3, -inf), f(2*(1/e-1), 0, 3, -2)),
		un(ir.OpErf, ir.Attr{}, f(0, 1, -inf), f(0, 0.8427007929497149, -1)),
		un(ir.OpGelu, ir.Attr{}, f(0, 1, -1), f(0, 0.8413447460685429, -0.15865525393145707)),
		un(ir.OpSilu, ir.Attr{}, f(0, 1), f(0, 1/(1+1/e))),
		un(ir.OpSigmoid, ir.Attr{}, f(0, 1, -inf, inf), f(0.5, 1/(1+1/e), 0, 1)),
		un(ir.OpTanh, ir.Attr{}, f(0, inf), f(0, 1)),
		un(ir.OpSoftplus, ir.Attr{}, f(0, 1000, -1000, nan), f(math.Ln2, 1000, 0, nan)),
		un(ir.OpSin, ir.Attr{}, f(0, 1, -1, inf, nan), f(0, 0.8414709848078965, -0.8414709848078965, nan, nan)),
		un(ir.OpCos, ir.Attr{}, f(0, 1, -1, inf, nan), f(1, 0.5403023058681398, 0.5403023058681398, nan, nan)),

		{ir.OpAdd, ir.Attr{}, []operand{v(1, 2), scalar(10)}, f(11, 12)},
		{ir.OpSub, ir.Attr{}, []operand{v(1, 2), one(ir.Shape{2, 1}, 10, 20)}, f(-9, -8, -19, -18)},
		{ir.OpMul, ir.Attr{}, []operand{v(2, 0), v(3, inf)}, f(6, nan)},
		{ir.OpDiv, ir.Attr{}, []operand{v(1, 0, 1), v(4, 0, 0)}, f(0.25, nan, inf)},
		{ir.OpMaxOf, ir.Attr{}, []operand{v(1, nan, 2, -inf), v(2, 1, nan, -3)}, f(2, nan, nan, -3)},
		{ir.OpMinOf, ir.Attr{}, []operand{v(1, nan, 2, -inf), v(2, 1, nan, -3)}, f(1, nan, nan, -inf)},
		{ir.OpPowOf, ir.Attr{}, []operand{v(-2, 0, 0, -2, nan, 1, 4), v(3, 0, -1, 0.5, 0, nan, 0.5)}, f(-8, 1, inf, nan, 1, 1, 2)},
		{ir.OpPowOf, ir.Attr{}, []operand{v(2, 3), one(ir.Shape{2, 1}, 2, -1)}, f(4, 9, 0.5, 1./3)},
		{ir.OpGt, ir.Attr{}, []operand{v(1, 2, 2, nan), v(2, 1, 2, 0)}, f(0, 1, 0, 0)},
		{ir.OpGe, ir.Attr{}, []operand{v(1, 2, 2, nan), v(2, 1, 2, 0)}, f(0, 1, 1, 0)},
		{ir.OpEq, ir.Attr{}, []operand{v(1, 2, nan), v(1, 3, nan)}, f(1, 0, 0)},
		{ir.OpSelect, ir.Attr{}, []operand{v(1, 0, nan, -2), v(1, 2, 3, 4), scalar(9)}, f(1, 9, 3, 4)},
		{ir.OpAdd, ir.Attr{}, []operand{src(1, 2, 3), dst(10, 20, 30)}, f(12, 13, 22, 12)},
		{ir.OpSub, ir.Attr{}, []operand{edge(1, 2, 3, 4), dst(10, 20, 30)}, f(-9, -8, -17, -6)},

		{ir.OpAt, ir.Attr{Res: ir.Edge}, []operand{dst(1, 2, 3)}, f(1, 1, 2, 1)},
		{ir.OpAt, ir.Attr{Res: ir.Edge}, []operand{scalar(7)}, f(7, 7, 7, 7)},
		{ir.OpDropout, ir.Attr{Num: 0, Res: ir.Edge}, []operand{src(1, 2, 3)}, f(2, 3, 2, 2)},
		{ir.OpDropout, ir.Attr{Num: 1, Res: ir.Src}, []operand{src(1, inf, nan)}, f(0, 0, 0)},

		{ir.OpReshape, ir.Attr{Shape: ir.Shape{2, 2}}, []operand{v(1, 2, 3, 4)}, f(1, 2, 3, 4)},
		{ir.OpExpand, ir.Attr{Shape: ir.Shape{2, 2, 2}}, []operand{one(ir.Shape{2, 1}, 1, 2)}, f(1, 1, 2, 2, 1, 1, 2, 2)},
		{ir.OpReduceTo, ir.Attr{Shape: ir.Shape{2, 1}}, []operand{one(ir.Shape{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)}, f(14, 22)},
		{ir.OpReduceTo, ir.Attr{Shape: ir.Shape{}}, []operand{v(1, 2, 3)}, f(6)},
		{ir.OpConcat, ir.Attr{}, []operand{one(ir.Shape{2, 1}, 1, 2), one(ir.Shape{2, 2}, 3, 4, 5, 6), one(ir.Shape{2, 0})}, f(1, 3, 4, 2, 5, 6)},
		{ir.OpSlice, ir.Attr{Lo: 1, Hi: 3}, []operand{one(ir.Shape{2, 4}, 1, 2, 3, 4, 5, 6, 7, 8)}, f(2, 3, 6, 7)},
		{ir.OpSlice, ir.Attr{Lo: 1, Hi: 1}, []operand{v(1, 2)}, nil},
		{ir.OpPad, ir.Attr{Lo: 1, Hi: 2}, []operand{one(ir.Shape{2, 1}, 3, 4)}, f(0, 3, 0, 0, 0, 4, 0, 0)},
		{ir.OpPad, ir.Attr{Lo: 1, Hi: 1}, []operand{one(ir.Shape{0})}, f(0, 0)},

		{ir.OpAt, ir.Attr{Res: ir.Dst}, []operand{{ir.DstType, ir.Shape{}, f(5, 6)}}, f(6, 5, 5)},
		{ir.OpAdd, ir.Attr{}, []operand{{ir.SrcType, ir.Shape{}, f(5, 6)}, {ir.EdgeType, ir.Shape{}, f(10, 20)}}, f(25, 15, 25, 25)},
		{ir.OpMul, ir.Attr{}, []operand{src(1, 2, 3), {ir.SrcType, ir.Shape{}, f(10, 100)}}, f(100, 20, 30)},
		{ir.OpPermute, ir.Attr{Shape: ir.Shape{1, 0}}, []operand{one(ir.Shape{2, 3}, 1, 2, 3, 4, 5, 6)}, f(1, 4, 2, 5, 3, 6)},
		{ir.OpPermute, ir.Attr{Shape: ir.Shape{2, 0, 1}}, []operand{one(ir.Shape{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)}, f(1, 3, 5, 7, 2, 4, 6, 8)},
		{ir.OpMaxLast, ir.Attr{}, []operand{one(ir.Shape{2, 3}, 1, 5, 5, -1, nan, 7)}, f(5, nan)},
		{ir.OpFirstMax, ir.Attr{}, []operand{one(ir.Shape{2, 3}, 1, 5, 5, -1, nan, 7)}, f(0, 1, 0, 0, 1, 0)},

		{ir.OpMatMul, ir.Attr{}, []operand{one(ir.Shape{2, 2}, 1, 2, 3, 4), one(ir.Shape{2, 3}, 1, 0, 2, 0, 1, 3)}, f(1, 2, 8, 3, 4, 18)},
		{ir.OpMatMulT, ir.Attr{}, []operand{v(1, 2), one(ir.Shape{3, 2}, 1, 0, 0, 1, 2, 3)}, f(1, 2, 8)},
		{ir.OpMatMul, ir.Attr{}, []operand{one(ir.Shape{0}), one(ir.Shape{0, 2})}, f(0, 0)},
		{ir.OpMatMul, ir.Attr{}, []operand{{ir.Dst, ir.Shape{1}, f(1, 2, 3)}, one(ir.Shape{1, 2}, 10, 20)}, f(10, 20, 20, 40, 30, 60)},
		{ir.OpOuter, ir.Attr{Res: ir.Dst}, []operand{{ir.Dst, ir.Shape{2}, f(1, 2, 3, 4, 5, 6)}, {ir.Dst, ir.Shape{1}, f(1, 10, 100)}}, f(531, 642)},
		{ir.OpOuter, ir.Attr{Res: ir.Edge}, []operand{{ir.Src, ir.Shape{1}, f(1, 2, 3)}, {ir.Edge, ir.Shape{2}, f(1, 2, 3, 4, 5, 6, 7, 8)}}, f(2*13+9, 2*16+12)},
		{ir.OpOuter, ir.Attr{Res: ir.Param}, []operand{one(ir.Shape{2, 1}, 1, 2), one(ir.Shape{2, 2}, 1, 2, 3, 4)}, f(7, 10)},

		{ir.OpMatMul, ir.Attr{}, []operand{one(ir.Shape{2, 2}, 1, 2, 3, 4), one(ir.Shape{2, 2, 1}, 1, 10, 100, 1000)}, f(21, 4300)}, // a matrix a head
		{ir.OpMatMulT, ir.Attr{}, []operand{one(ir.Shape{2, 2}, 1, 2, 3, 4), one(ir.Shape{2, 1, 2}, 1, 10, 100, 1000)}, f(21, 4300)},
		{ir.OpMatMul, ir.Attr{}, []operand{{ir.Dst, ir.Shape{1}, f(1, 2, 3)}, {ir.DstType, ir.Shape{1, 1}, f(10, 100)}}, f(100, 20, 30)},
		{ir.OpMatMul, ir.Attr{}, []operand{{ir.Src, ir.Shape{1}, f(1, 2, 3)}, {ir.EdgeType, ir.Shape{1, 1}, f(10, 100)}}, f(200, 30, 200, 200)},
		{ir.OpMatMul, ir.Attr{}, []operand{{ir.Src, ir.Shape{1}, f(1, 2, 3)}, {ir.Edge, ir.Shape{1, 1}, f(1, 2, 3, 4)}}, f(2, 6, 6, 8)},
		{ir.OpOuter, ir.Attr{Res: ir.Edge, To: ir.EdgeType}, []operand{{ir.Src, ir.Shape{1}, f(1, 2, 3)}, {ir.Edge, ir.Shape{1}, f(1, 10, 100, 1000)}}, f(30, 2202)},
		{ir.OpOuter, ir.Attr{Res: ir.Dst, To: ir.DstType}, []operand{dst1(1, 2, 3), dst1(1, 10, 100)}, f(320, 1)},
		{ir.OpOuter, ir.Attr{Res: ir.Param, Heads: true}, []operand{one(ir.Shape{2, 1}, 1, 2), one(ir.Shape{2, 2}, 1, 2, 3, 4)}, f(1, 2, 6, 8)},

		{ir.OpSum, in, []operand{edge(1, 2, 3, 4)}, f(7, 3, 0)},
		{ir.OpSum, ir.Attr{Typed: true}, []operand{edge(1, 2, 3, 4)}, f(2, 5, 0, 3, 0, 0)},
		{ir.OpSum, ir.Attr{Typed: true}, []operand{{ir.Edge, ir.Shape{2}, f(1, 2, 3, 4, 5, 6, 7, 8)}}, f(3, 4, 8, 10, 0, 0, 5, 6, 0, 0, 0, 0)},
		{ir.OpMax, ir.Attr{Typed: true}, []operand{edge(-1, -2, -3, -4)}, f(-2, -1, 0, -3, 0, 0)},
		{ir.OpArgmax, ir.Attr{Typed: true}, []operand{edge(5, 2, 3, 5)}, f(1, 0, -1, 2, -1, -1)},
		{ir.OpDegree, ir.Attr{Dir: ir.Out, Res: ir.Src, Typed: true}, nil, f(0, 0, 0, 3, 1, 0)},
		{ir.OpPick, ir.Attr{}, []operand{{ir.Dst, ir.Shape{2}, f(1, 2, 3, 4, 5, 6)}}, f(2, 1, 4, 2)},
		{ir.OpPick, ir.Attr{}, []operand{one(ir.Shape{2, 2}, 1, 2, 3, 4)}, f(3, 4, 1, 2, 3, 4, 3, 4)},
		{ir.OpSum, out, []operand{edge(1, 2, 3, 4)}, f(0, 8, 2)},
		{ir.OpSum, in, []operand{src(1, 2, 3)}, f(7, 2, 0)},
		{ir.OpSum, in, []operand{dst(5, 6, inf)}, f(15, 6, 0)},
		{ir.OpSum, in, []operand{scalar(2)}, f(6, 2, 0)},
		{ir.OpMax, in, []operand{edge(1, -2, -3, 4)}, f(4, -3, 0)},
		{ir.OpMax, out, []operand{edge(-1, -2, -3, -4)}, f(0, -1, -2)},
		{ir.OpMax, in, []operand{edge(1, nan, -inf, 4)}, f(nan, -inf, 0)},
		{ir.OpArgmax, in, []operand{edge(1, 5, 3, 5)}, f(1, 2, -1)},
		{ir.OpArgmax, in, []operand{edge(9, nan, -inf, nan)}, f(1, 2, -1)},
		{ir.OpArgmax, out, []operand{src(1, 2, 3)}, f(-1, 0, 1)},
		{ir.OpArgmax, in, []operand{{ir.Edge, ir.Shape{2}, f(1, 2, 2, 1, 0, 0, 2, 2)}}, f(1, 0, 2, 2, -1, -1)},
		{ir.OpSoftmax, in, []operand{edge(0, math.Log(2), 7, 0)}, f(0.25, 0.5, 1, 0.25)},
		{ir.OpSoftmax, in, []operand{edge(1e4, 1e4, -1e4, -1e4)}, f(0.5, 0.5, 1, 0)},
		{ir.OpSoftmax, out, []operand{edge(1, 2, 1, 1)}, f(1./3, 1, 1./3, 1./3)},
		{ir.OpSoftmax, in, []operand{edge(nan, 0, 0, 0)}, f(nan, nan, 1, nan)},
		{ir.OpSoftmax, ir.Attr{Typed: true}, []operand{edge(0, 1e4, 7, math.Log(3))}, f(0.25, 1, 1, 0.75)},
		{ir.OpTotal, ir.Attr{Res: ir.Dst}, []operand{dst(1, 2, 4)}, f(7)},
		{ir.OpTotal, ir.Attr{Res: ir.Src}, []operand{scalar(2)}, f(6)},
		{ir.OpTotal, ir.Attr{Res: ir.Dst, To: ir.DstType}, []operand{dst(1, 2, 4)}, f(6, 1)},
		{ir.OpView, ir.Attr{Res: ir.Src}, []operand{dst(1, 2, 3)}, f(1, 2, 3)},
		{ir.OpStack, ir.Attr{}, []operand{{ir.EdgeType, ir.Shape{}, f(5, 6)}}, f(5, 6)},
		{ir.OpUnstack, ir.Attr{Res: ir.EdgeType}, []operand{v(5, 6)}, f(5, 6)},
	}
	covered := map[ir.Op]bool{ir.OpInput: true, ir.OpWinner: true} // winner: below
	for _, c := range tests {
		covered[c.op] = true
		b := ir.NewBuilder("hand", ir.F64, false)
		b.SetTypes(small.Types)
		bound := make(map[string][]float64)
		var args []*ir.Value
		for i, a := range c.args {
			x := b.Input(fmt.Sprintf("x%d", i), a.res, a.shape)
			args, bound[ir.InputKey(x)] = append(args, x), a.x
		}
		b.Output("out", b.Op(c.op, c.attr, args...))
		got, err := ir.Interpret(b.Program(), small, bound, 1)
		if err != nil {
			t.Errorf("%v: %v", c.op, err)
		} else if d := irtest.Diff(got, map[string][]float64{"out": c.want}, 1e-15); d != "" {
			t.Errorf("%v%v of %v: %s", c.op, b.Program().Values[len(args)].AttrString(), c.args, d)
		}
	}
	for op := ir.OpInput; op <= ir.OpUnstack; op++ {
		if !covered[op] {
			t.Errorf("%v is not covered", op)
		}
	}
}

func TestTypedWinnerPicksTheEdgeOfItsTypesMaximum(t *testing.T) {
	b := ir.NewBuilder("winner", ir.F64, false)
	b.SetTypes(small.Types)
	x, y := b.Input("x", ir.Edge, ir.Shape{}), b.Input("y", ir.Dst, ir.Shape{2})
	typed := ir.Attr{Typed: true}
	b.Output("out", b.Op(ir.OpWinner, typed, b.Op(ir.OpArgmax, typed, x), y))
	got, err := ir.Interpret(b.Program(), small, map[string][]float64{"x@edge": {5, 2, 3, 5}, "y@dst": {1, 2, 3, 4, 5, 6}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if d := irtest.Diff(got, map[string][]float64{"out": {2, 1, 4, 0}}, 0); d != "" {
		t.Error(d)
	}
}

func TestWinnerPicksTheEdgeOfTheMaximum(t *testing.T) {
	b := ir.NewBuilder("winner", ir.F64, false)
	x, y := b.Input("x", ir.Edge, ir.Shape{2}), b.Input("y", ir.Dst, ir.Shape{2})
	b.Output("out", b.Op(ir.OpWinner, ir.Attr{}, b.Op(ir.OpArgmax, ir.Attr{}, x), y))
	in := map[string][]float64{"x@edge": {1, 2, 2, 1, 0, 0, 2, 2}, "y@dst": {10, 20, 30, 40, 50, 60}}
	got, err := ir.Interpret(b.Program(), small, in, 0)
	if err != nil {
		t.Fatal(err)
	}
	if d := irtest.Diff(got, map[string][]float64{"out": {0, 20, 10, 0, 30, 40, 0, 0}}, 0); d != "" {
		t.Error(d)
	}
}

// The mask drops the asked fraction, keeps the expectation, and depends on the
// seed, the site, the row and the column, but not on the level's side.
func TestDropoutKeepsTheExpectation(t *testing.T) {
	const rows, cols = 2000, 5
	s := &ir.Structure{NumSrc: rows, NumDst: rows}
	x := make([]float64, rows*cols)
	for i := range x {
		x[i] = 1
	}
	run := func(p float64, res ir.Residency, site int, seed uint64) []float64 {
		b := ir.NewBuilder("dropout", ir.F64, false)
		v := b.Input("x", res, ir.Shape{cols})
		b.Output("out", b.Op(ir.OpDropout, ir.Attr{Num: p, Res: res, Site: site}, v))
		out, err := ir.Interpret(b.Program(), s, map[string][]float64{ir.InputKey(v): x}, seed)
		if err != nil {
			t.Fatal(err)
		}
		return out["out"]
	}
	for _, p := range []float64{0.1, 0.5, 0.9} {
		var mean float64
		for _, y := range run(p, ir.Src, 0, 1) {
			if y != 0 && y != 1/(1-p) {
				t.Fatalf("p=%v: an element became %v", p, y)
			}
			mean += y / (rows * cols)
		}
		if sigma := math.Sqrt(p / (1 - p) / (rows * cols)); math.Abs(mean-1) > 5*sigma {
			t.Errorf("p=%v: mean %v", p, mean)
		}
	}
	base := run(0.5, ir.Src, 0, 1)
	agree := func(y []float64) (n float64) {
		for i := range y {
			if y[i] == base[i] {
				n++
			}
		}
		return n / (rows * cols)
	}
	if a := agree(run(0.5, ir.Dst, 0, 1)); a != 1 {
		t.Errorf("the same vertices have another mask as destinations: %v agree", a)
	}
	for name, y := range map[string][]float64{"another seed": run(0.5, ir.Src, 0, 2), "another site": run(0.5, ir.Src, 1, 1)} {
		if a := agree(y); math.Abs(a-0.5) > 0.03 {
			t.Errorf("%s: %v of the mask agree", name, a)
		}
	}
	var first float64 // columns of a row are dropped one by one
	for r := range rows {
		if base[r*cols] == base[r*cols+1] {
			first++
		}
	}
	if math.Abs(first/rows-0.5) > 0.06 {
		t.Errorf("columns 0 and 1 agree in %v of the rows", first/rows)
	}
}

// Relabelling the vertices relabels the result, and permuting the edges
// permutes edge results; graphs have nothing else that a program can see.
// Dropout and ties are keyed by id, so they are left out.
func TestRelabellingPermutesResults(t *testing.T) {
	for seed := range uint64(300) {
		c := irtest.New(seed)
		if c.Ties || usesDropout(c.Program) {
			continue
		}
		in := c.Inputs(c.Program)
		want, err := ir.Interpret(c.Program, &c.Graph.Structure, in, 0)
		if err != nil {
			t.Fatal(err)
		}
		// Reversal is a permutation of its own inverse.
		s := c.Graph.Structure
		flip := ir.Structure{
			NumSrc: s.NumSrc, NumDst: s.NumDst, Types: s.Types,
			SrcTypes: reversed(s.SrcTypes), DstTypes: reversed(s.DstTypes), EdgeTypes: reversed(s.EdgeTypes),
		}
		for e := len(s.Src) - 1; e >= 0; e-- {
			flip.Src = append(flip.Src, int32(s.NumSrc)-1-s.Src[e])
			flip.Dst = append(flip.Dst, int32(s.NumDst)-1-s.Dst[e])
		}
		for _, v := range c.Program.Inputs() {
			if v.Res != ir.Param && !v.Res.IsType() {
				in[ir.InputKey(v)] = reverseRows(in[ir.InputKey(v)], v.Width())
			}
		}
		got, err := ir.Interpret(c.Program, &flip, in, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range c.Program.Outputs {
			got[o.Name] = reverseRows(got[o.Name], o.Value.Width())
		}
		if d := irtest.Diff(got, want, 1e-9); d != "" {
			t.Errorf("%s\n%v", d, c)
		}
	}
}

func reversed(x []int32) []int32 {
	x = slices.Clone(x)
	slices.Reverse(x)
	return x
}

func usesDropout(p *ir.Program) bool {
	for _, v := range p.Values {
		if v.Op == ir.OpDropout {
			return true
		}
	}
	return false
}

func reverseRows(x []float64, w int) []float64 {
	out := make([]float64, 0, len(x))
	for i := len(x) - w; w > 0 && i >= 0; i -= w {
		out = append(out, x[i:i+w]...)
	}
	return out
}

func TestClampKeepsTheSignOfAZeroBetweenItsBounds(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, bounds := range [][2]float64{{0, 1}, {minus, 1}, {-1, 0}, {-1, minus}, {0, minus}, {nan, 0}} {
		a := &ir.Attr{Num: bounds[0], Num2: bounds[1]}
		for _, x := range []float64{0, minus} {
			if y := ir.OpClamp.Info().Unary(a, x); y != 0 || math.Signbit(y) != math.Signbit(x) {
				t.Errorf("%v clamped to %v is %v", x, bounds, y)
			}
		}
	}
}
