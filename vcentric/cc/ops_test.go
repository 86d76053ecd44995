package cc

// Every op of the table, in every form in which the renderer writes it.

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	executor "github.com/asterias-ml/asterias/vcentric/cpu"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

var unaries = []ir.Op{
	ir.OpNeg, ir.OpExp, ir.OpLog, ir.OpSqrt, ir.OpRsqrt, ir.OpAbs, ir.OpSign, ir.OpSquare, ir.OpRecip, ir.OpPow, ir.OpClamp,
	ir.OpRelu, ir.OpLeakyRelu, ir.OpElu, ir.OpErf, ir.OpGelu, ir.OpSilu, ir.OpSigmoid, ir.OpTanh, ir.OpSoftplus,
	ir.OpSin, ir.OpCos,
}

var binaries = []ir.Op{ir.OpAdd, ir.OpSub, ir.OpMul, ir.OpDiv, ir.OpMaxOf, ir.OpMinOf, ir.OpPowOf, ir.OpGt, ir.OpGe, ir.OpEq}

// out makes a value a result. What the edge has goes through sums and maxima too:
// so it is computed in vectors of columns and, if narrow, in vectors of edges.
func out(b *ir.Builder, v *ir.Value) {
	add := func(v *ir.Value) { b.Output(fmt.Sprint("out", len(b.Program().Outputs)), v) }
	if v.Res != ir.Edge {
		add(v)
		return
	}
	add(v)
	for _, d := range []ir.Dir{ir.In, ir.Out} {
		add(b.Sum(d, v))
		add(b.Max(d, v))
	}
}

// small is a graph with what graphs can have, and a row of many edges.
func small() irtest.Graph {
	r := rand.New(rng.NewStream(6))
	g := irtest.RandomGraph(r, false, 12, 60)
	for range 40 {
		g.Src, g.Dst = append(g.Src, int32(r.IntN(12))), append(g.Dst, 5)
	}
	return g
}

// hostile replaces some of the inputs.
func hostile(p *ir.Program, in map[string][]float64) map[string][]float64 {
	r := rand.New(rng.NewStream(8))
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1, 80, -80}
	for _, key := range slices.Sorted(maps.Keys(in)) {
		for i := range in[key] {
			if r.IntN(4) == 0 {
				in[key][i] = special[r.IntN(len(special))]
			}
		}
	}
	return in
}

func TestEveryElementwiseOpAgreesWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	g := small()
	for _, s := range []ir.Shape{{}, {19}, {3}} {
		if testing.Short() && len(s) > 0 && s[0] == 3 {
			continue
		}
		for _, level := range []string{"row", "edge"} {
			for i, p := range elementwise(s, level) {
				native, declined := mustAgree(t, p, g, inputsOf(p, &g.Structure, 3), 3)
				if native == 0 || declined > 0 {
					t.Errorf("%s %v, part %d: %d kernels native, %d declined", level, s, i, native, declined)
				}
			}
		}
	}
}

// elementwise are all elementwise ops in several programs: the C compiler takes more than twice as
// long for a function of twice the length.
func elementwise(s ir.Shape, level string) []*ir.Program {
	var calls []func(b *ir.Builder, x, y *ir.Value) *ir.Value
	for _, op := range unaries {
		calls = append(calls, func(b *ir.Builder, x, _ *ir.Value) *ir.Value {
			if op == ir.OpLog || op == ir.OpSqrt || op == ir.OpRsqrt || op == ir.OpPow || op == ir.OpRecip {
				x = b.Add(b.Op(ir.OpAbs, ir.Attr{}, x), b.Const(0.25))
			}
			return b.Op(op, ir.Attr{Num: -0.5, Num2: 0.75}, x)
		})
	}
	for _, op := range binaries {
		calls = append(calls, func(b *ir.Builder, x, y *ir.Value) *ir.Value {
			if op == ir.OpPowOf {
				x = b.Add(b.Op(ir.OpAbs, ir.Attr{}, x), b.Const(0.25))
			}
			return b.Op(op, ir.Attr{}, x, b.Add(y, b.Const(3)))
		})
	}
	calls = append(calls,
		func(b *ir.Builder, x, y *ir.Value) *ir.Value { return b.Select(y, x, b.Const(7)) },
		func(b *ir.Builder, x, y *ir.Value) *ir.Value { return b.Select(b.Gt(x, y), y, x) })
	for _, p := range []float64{0, 0.3, 1} {
		calls = append(calls, func(b *ir.Builder, x, _ *ir.Value) *ir.Value {
			return b.Op(ir.OpDropout, ir.Attr{Num: p, Site: int(10 * p), Res: x.Res}, x)
		})
	}
	var programs []*ir.Program
	for some := range slices.Chunk(calls, 13) {
		b := ir.NewBuilder("ops", ir.F64, false)
		x, y := b.Input("x", ir.Dst, s), b.Input("y", ir.Dst, s)
		if level == "edge" {
			x, y = b.Input("x", ir.Src, s), b.Input("y", ir.Edge, s)
			x = b.Add(x, b.Input("z", ir.Dst, s))
		}
		for _, call := range some {
			out(b, call(b, x, y))
		}
		programs = append(programs, b.Program())
	}
	return programs
}

func TestNaNAndInfinityPropagateAsInTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	for _, s := range []ir.Shape{{}, {5}} {
		b := ir.NewBuilder("nan", ir.F64, false)
		x, y := b.Input("x", ir.Src, s), b.Input("y", ir.Dst, s)
		z := b.Add(x, b.Input("e", ir.Edge, ir.Shape{}))
		for _, op := range unaries {
			if op != ir.OpSign { // a sum's sign depends on its rounding
				out(b, b.Op(op, ir.Attr{Num: 0.5, Num2: 0.75}, z))
			}
			out(b, b.Op(op, ir.Attr{Num: 2, Num2: 3}, y))
		}
		for _, bounds := range []ir.Attr{{Num: math.NaN(), Num2: 0.5}, {Num: 0.5, Num2: math.NaN()}, {Num: 0, Num2: 1}, {Num: -1, Num2: 0}, {Num: math.Copysign(0, -1), Num2: 1}} {
			out(b, b.Op(ir.OpClamp, bounds, z))
			out(b, b.Op(ir.OpRecip, ir.Attr{}, b.Op(ir.OpClamp, bounds, y))) // tells the sign of a zero
		}
		for _, op := range binaries {
			out(b, b.Op(op, ir.Attr{}, x, y))
		}
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			arg := b.Op(ir.OpArgmax, ir.Attr{Dir: d}, x)
			if d == ir.Out {
				arg = b.Op(ir.OpArgmax, ir.Attr{Dir: d}, y)
			}
			b.Output("arg"+d.String(), arg)
			out(b, b.Op(ir.OpWinner, ir.Attr{Dir: d}, arg, b.Max(d, z)))
		}
		out(b, b.Select(x, y, b.Const(1)))
		if len(s) > 0 {
			out(b, b.ReduceTo(b.Mul(x, y), ir.Shape{1}))
			out(b, b.Op(ir.OpMaxLast, ir.Attr{}, z))
			out(b, b.Op(ir.OpFirstMax, ir.Attr{}, z))
		}
		p := b.Program()
		for _, g := range append(irtest.Graphs(false), small()) {
			mustAgree(t, p, g, hostile(p, inputsOf(p, &g.Structure, 9)), 9)
		}
	}
}

func TestEveryWidthAgreesWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	g := small()
	for _, w := range []int{1, 2, 3, 7, 8, 9, 16, 31, 32, 33, 64, 65, 128, 257} {
		if testing.Short() && w > 33 {
			continue
		}
		b := ir.NewBuilder("widths", ir.F64, false)
		s := ir.Shape{w}
		h, q, a := b.Input("h", ir.Src, s), b.Input("q", ir.Dst, s), b.Input("a", ir.Edge, ir.Shape{})
		b.Output("sum", b.Sum(ir.In, h))
		b.Output("weighted", b.Sum(ir.In, b.Mul(a, h)))
		dot := b.ReduceTo(b.Mul(h, q), ir.Shape{1})
		out(b, dot)
		b.Output("gated", b.Sum(ir.Out, b.Mul(b.Op(ir.OpSigmoid, ir.Attr{}, dot), q)))
		b.Output("max", b.Max(ir.In, b.Add(h, q)))
		arg := b.Op(ir.OpArgmax, ir.Attr{Dir: ir.Out}, b.Sub(q, h))
		b.Output("arg", arg)
		b.Output("won", b.Sum(ir.In, b.Op(ir.OpWinner, ir.Attr{Dir: ir.Out}, arg, h)))
		b.Output("total", b.Total(b.Mul(q, q), ir.Dst))
		p := b.Program()
		if native, _ := mustAgree(t, p, g, inputsOf(p, &g.Structure, 5), 5); native == 0 {
			t.Errorf("width %d: no kernel is native", w)
		}
	}
}

func TestHeadsAndLayoutsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	g := small()
	for _, hd := range [][2]int{{1, 16}, {3, 5}, {8, 8}, {4, 16}, {2, 32}, {8, 1}, {5, 4}} {
		b := ir.NewBuilder("heads", ir.F64, false)
		wide, narrow, last := ir.Shape{hd[0], hd[1]}, ir.Shape{hd[0], 1}, ir.Shape{hd[1]}
		h, q := b.Input("h", ir.Src, wide), b.Input("q", ir.Dst, wide)
		el, c := b.Input("el", ir.Src, narrow), b.Input("c", ir.Param, last)
		m := b.Mul(b.Mul(h, q), b.Exp(b.Add(el, b.Input("er", ir.Dst, narrow))))
		out(b, m)
		out(b, b.ReduceTo(m, narrow))
		out(b, b.ReduceTo(m, last))
		out(b, b.Mul(m, c))
		out(b, b.Op(ir.OpPermute, ir.Attr{Shape: ir.Shape{1, 0}}, m))
		out(b, b.Op(ir.OpConcat, ir.Attr{}, m, b.Op(ir.OpExpand, ir.Attr{Shape: wide}, el)))
		out(b, b.Op(ir.OpSlice, ir.Attr{Lo: hd[1] / 2, Hi: hd[1]}, h))
		out(b, b.Op(ir.OpPad, ir.Attr{Lo: 1, Hi: 2}, b.Mul(el, q)))
		out(b, b.Op(ir.OpPad, ir.Attr{Lo: 1}, b.Exp(el)))
		out(b, b.Op(ir.OpMaxLast, ir.Attr{}, m))
		out(b, b.Op(ir.OpFirstMax, ir.Attr{}, q))
		p := b.Program()
		native, declined := mustAgree(t, p, g, inputsOf(p, &g.Structure, 7), 7)
		if native == 0 || declined > 0 {
			t.Errorf("%v: %d kernels native, %d declined", hd, native, declined)
		}
	}
}

// TestFunctionsAreWithinAFewUnitsInTheLastPlace compares the float32 functions with
// float64 over all magnitudes; the bounds are in units of the last place of the
// result.
func TestFunctionsAreWithinAFewUnitsInTheLastPlace(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	bounds := map[ir.Op]float64{
		ir.OpExp: 2, ir.OpLog: 2, ir.OpSigmoid: 4, ir.OpTanh: 3, ir.OpElu: 4, ir.OpSoftplus: 4, ir.OpSin: 2, ir.OpCos: 2,
		ir.OpErf: 2, ir.OpSqrt: 1, ir.OpRsqrt: 2, ir.OpSilu: 5, ir.OpGelu: 150, // 2x² for the rounding of x/√2
	}
	b := ir.NewBuilder("functions", ir.F32, false)
	x := b.Input("x", ir.Dst, ir.Shape{})
	ops := slices.Sorted(maps.Keys(bounds))
	for _, op := range ops {
		b.Output(op.String(), b.Op(op, ir.Attr{Num: 1}, x))
	}
	p := b.Program()
	var xs []float64
	for e := -40.0; e < 7; e += 0.003 {
		v := float64(float32(math.Exp2(e)))
		xs = append(xs, v, -v)
	}
	xs = append(xs, math.Inf(1), math.Inf(-1), math.NaN())
	g := irtest.Graph{Name: "vertices", Structure: ir.Structure{NumSrc: len(xs), NumDst: len(xs)}}
	pl := plan.Build(p)
	mem := memoryOf[float32](pl, &g.Structure, map[string][]float64{"x@dst": xs})
	compiled[float32](t, pl).Run(graphOf(t, &g.Structure, false), mem, executor.Options{})
	got := outputs(pl, mem)
	for _, op := range ops {
		worst, at := 0.0, 0.0
		for i, v := range xs {
			want := op.Info().Unary(&ir.Attr{Num: 1}, v)
			if math.IsNaN(want) != math.IsNaN(got[op.String()][i]) {
				t.Errorf("%v(%v) = %v, want %v", op, v, got[op.String()][i], want)
			}
			if math.IsInf(v, 0) && !math.IsNaN(want) && got[op.String()][i] != want {
				t.Errorf("%v(%v) = %v, want %v", op, v, got[op.String()][i], want)
			}
			if op == ir.OpSilu && math.Abs(v) > 87 { // the sigmoid has fewer digits below the smallest normal number
				continue
			}
			if math.Abs(want) < 0x1p-126 || math.Abs(want) > math.MaxFloat32 || math.IsNaN(want) || math.IsInf(v, 0) {
				continue
			}
			ulp := math.Exp2(math.Floor(math.Log2(math.Abs(want))) - 23)
			if d := math.Abs(got[op.String()][i]-want) / ulp; !(d <= worst) {
				worst, at = d, v
			}
		}
		t.Logf("%v: %.2f ulp at %v", op, worst, at)
		if !(worst <= bounds[op]) {
			t.Errorf("%v is off by %.2f units in the last place at %v, bound %v", op, worst, at, bounds[op])
		}
	}
}

// withTypes gives the vertices and edges of a graph types, some of which stay without any.
func withTypes(g irtest.Graph, types ir.Types) irtest.Graph {
	r := rand.New(rng.NewStream(12))
	draw := func(n, types int) []int32 {
		out := make([]int32, n)
		for i := range out {
			if out[i] = int32(r.IntN(types)); types > 2 && out[i] == 1 {
				out[i] = 2
			}
		}
		return out
	}
	g.Types = types
	g.SrcTypes, g.EdgeTypes = draw(g.NumSrc, types.Src), draw(len(g.Src), types.Edge)
	g.DstTypes = g.SrcTypes
	return g
}

func TestTypedOpsAgreeWithTheInterpreter(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	types := ir.Types{Src: 2, Dst: 2, Edge: 3}
	for _, s := range []ir.Shape{{}, {5}, {16}, {2, 9}} {
		b := ir.NewBuilder("typed", ir.F64, false)
		b.SetTypes(types)
		x, y := b.Input("x", ir.Src, s), b.Input("y", ir.Dst, s)
		e := b.Mul(b.Add(x, y), b.Input("w", ir.EdgeType, ir.Shape{}))
		out(b, b.Mul(b.Add(x, b.Input("st", ir.SrcType, s)), b.Input("dt", ir.DstType, s)))
		out(b, b.Exp(b.Mul(b.Input("n", ir.SrcType, ir.Shape{}), b.Input("m", ir.EdgeType, ir.Shape{}))))
		for _, d := range []ir.Dir{ir.In, ir.Out} {
			at := ir.Attr{Dir: d, Typed: true}
			sum, most := b.Op(ir.OpSum, at, e), b.Op(ir.OpMax, at, e)
			arg := b.Op(ir.OpArgmax, at, e)
			b.Output("sum"+d.String(), sum)
			b.Output("max"+d.String(), most)
			b.Output("arg"+d.String(), arg)
			b.Output("degree"+d.String(), b.Op(ir.OpDegree, ir.Attr{Dir: d, Res: d.Rows(), Typed: true}))
			out(b, b.Op(ir.OpPick, ir.Attr{}, sum))
			out(b, b.Op(ir.OpWinner, at, arg, most))
			b.Output("total"+d.String(), b.Op(ir.OpTotal, ir.Attr{Res: d.Rows(), To: d.Rows().TypeOf()}, b.Mul(b.Sum(d, e), b.Const(2))))
		}
		b.Output("edges", b.Op(ir.OpTotal, ir.Attr{Res: ir.Dst, To: ir.DstType}, y))
		out(b, b.Op(ir.OpPick, ir.Attr{}, b.Input("p", ir.Param, append(ir.Shape{3}, s...))))
		p := b.Program()
		for _, g := range append(irtest.Graphs(false), small()) {
			g = withTypes(g, types)
			native, declined := mustAgree(t, p, g, inputsOf(p, &g.Structure, 3), 3)
			if native == 0 || declined > 0 {
				t.Errorf("%v: %d kernels native, %d declined", s, native, declined)
			}
		}
	}
}

// Rows of one number, whatever they come from, are broadcast: each is read by rows of
// several columns, on vertices and on edges.
func TestRowsOfOneNumberAreBroadcast(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	const wide = 9
	type builder = *ir.Builder
	in, inTyped := ir.Attr{Dir: ir.In}, ir.Attr{Dir: ir.In, Typed: true}
	one := ir.Shape{1}
	ids := func(b builder, types ...int) *ir.Value {
		return b.InputOf("ids", &ir.Value{Res: ir.Dst, Shape: append(ir.Shape(types), 1), Type: ir.I32})
	}
	slice := func(b builder) *ir.Value {
		return b.Op(ir.OpSlice, ir.Attr{Lo: 1, Hi: 2}, b.Add(b.Input("x", ir.Src, ir.Shape{3}), b.Input("y", ir.Dst, ir.Shape{3})))
	}
	row := func(b builder) *ir.Value { return b.Input("y", ir.Dst, ir.Shape{3}) }
	for _, c := range []struct {
		name  string
		types int
		f     func(b builder) *ir.Value // an edge's
	}{
		{"winner of ids in memory", 0, func(b builder) *ir.Value { return b.Op(ir.OpWinner, in, ids(b), b.Input("g", ir.Dst, one)) }},
		{"winner of typed ids in memory", 3, func(b builder) *ir.Value {
			return b.Op(ir.OpWinner, inTyped, ids(b, 3), b.Input("g", ir.Dst, ir.Shape{3, 1}))
		}},
		{"winner of ids of the one type in memory", 1, func(b builder) *ir.Value {
			return b.Op(ir.OpWinner, inTyped, ids(b, 1), b.Input("g", ir.Dst, ir.Shape{1, 1}))
		}},
		{"winner of ids of the kernel", 0, func(b builder) *ir.Value {
			x := slice(b)
			return b.Op(ir.OpWinner, in, b.Op(ir.OpArgmax, in, x), b.Max(ir.In, x))
		}},
		{"winner of typed ids of the kernel", 3, func(b builder) *ir.Value {
			x := slice(b)
			return b.Op(ir.OpWinner, inTyped, b.Op(ir.OpArgmax, inTyped, x), b.Op(ir.OpMax, inTyped, x))
		}},
		{"winner of ids of the one type of the kernel", 1, func(b builder) *ir.Value {
			x := slice(b)
			return b.Op(ir.OpWinner, inTyped, b.Op(ir.OpArgmax, inTyped, x), b.Op(ir.OpMax, inTyped, x))
		}},
		{"slice", 0, slice},
		{"sum of slices", 0, func(b builder) *ir.Value { return b.Mul(b.Sum(ir.In, slice(b)), slice(b)) }},
		{"maximum of slices", 0, func(b builder) *ir.Value { return b.Mul(b.Max(ir.In, slice(b)), slice(b)) }},
		{"slice of a row", 0, func(b builder) *ir.Value {
			return b.Mul(b.Op(ir.OpSlice, ir.Attr{Lo: 2, Hi: 3}, b.Exp(row(b))), b.Input("x", ir.Src, one))
		}},
	} {
		b := ir.NewBuilder("one", ir.F64, false)
		types := ir.Types{Edge: c.types}
		if c.types > 0 {
			types.Src, types.Dst = 2, 2
			b.SetTypes(types)
		}
		x := c.f(b)
		spread := b.Mul(x, b.Input("wide", ir.Edge, ir.Shape{wide}))
		b.Output("edges", spread)
		b.Output("other", b.Sum(ir.Out, spread))
		b.Output("own", b.Sum(ir.In, spread))
		b.Output("rows", b.Mul(b.Sum(ir.In, x), b.Input("wide", ir.Dst, ir.Shape{wide})))
		p := b.Program()
		g := small()
		if c.types > 0 {
			g = withTypes(g, types)
		}
		native, _ := mustAgree(t, p, g, inputsOf(p, &g.Structure, 4), 4)
		if native == 0 {
			t.Errorf("%s: no kernel is native", c.name)
		}
	}
}

// A loop's counter must not hide the ids that the loop reads, however values are numbered.
func TestNamesOfIDsAreNotThoseOfCounters(t *testing.T) {
	needsCompiler(t)
	t.Parallel()
	typed := ir.Attr{Dir: ir.In, Typed: true}
	types := ir.Types{Src: 2, Dst: 2, Edge: 3}
	g := withTypes(small(), types)
	for first := range 10 {
		b := ir.NewBuilder("ids", ir.F64, false)
		b.SetTypes(types)
		for range first {
			b.Const(1)
		}
		x := b.Input("x", ir.Src, ir.Shape{2})
		b.Output("sum", b.Sum(ir.In, b.Op(ir.OpWinner, typed, b.Op(ir.OpArgmax, typed, x), b.Op(ir.OpMax, typed, x))))
		p := b.Program()
		mustAgree(t, p, g, inputsOf(p, &g.Structure, 2), 2)
	}
}

// 1/-0 is -Inf: a constant keeps the sign of its zero, in columns and in vectors of edges.
func TestTheConstantMinusZeroKeepsItsSign(t *testing.T) {
	needsCompiler(t)
	for _, s := range []ir.Shape{{}, {3}, {19}} {
		b := ir.NewBuilder("minus_zero", ir.F64, false)
		for _, zero := range []float64{0, math.Copysign(0, -1)} {
			out(b, b.Div(b.Input("x", ir.Dst, s), b.Const(zero)))
			out(b, b.Div(b.Op(ir.OpAbs, ir.Attr{}, b.Input("y", ir.Edge, s)), b.Const(zero)))
			out(b, b.Op(ir.OpRecip, ir.Attr{}, b.Op(ir.OpClamp, ir.Attr{Num: zero, Num2: 1}, b.Op(ir.OpSub, ir.Attr{}, b.Input("y", ir.Edge, s), b.Const(9)))))
		}
		p := b.Program()
		g := small()
		if _, declined := mustAgree(t, p, g, inputsOf(p, &g.Structure, 3), 0); declined > 0 {
			t.Error("declined")
		}
	}
}
