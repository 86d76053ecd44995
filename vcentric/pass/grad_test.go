package pass_test

// Gradients against float64 central differences of the reference interpreter,
// under random cotangents.

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

// point is where a program is differentiated: a tensor per binding, and the
// cotangents of the outputs.
type point struct {
	p    *ir.Program
	s    *ir.Structure
	seed uint64
	x    tensors // by binding
	cot  tensors // by output
}

// inputs binds a program to the point; vertex tensors serve both sides.
func (pt *point) inputs(p *ir.Program) tensors {
	in := make(tensors)
	for _, v := range p.Inputs() {
		if x, ok := pt.x[p.Binding(v)]; ok {
			in[ir.InputKey(v)] = x
		}
	}
	for name, c := range pt.cot {
		for _, o := range pt.p.Outputs {
			if o.Name == name {
				in[ir.CotangentPrefix+name+"@"+o.Value.Res.String()] = c
			}
		}
	}
	return in
}

// loss is Σ out·cotangent.
func (pt *point) loss() (float64, error) {
	out, err := ir.Interpret(pt.p, pt.s, pt.inputs(pt.p), pt.seed)
	var sum float64
	for _, o := range pt.p.Outputs {
		for i, x := range out[o.Name] {
			sum += x * pt.cot[o.Name][i]
		}
	}
	return sum, err
}

// newPoint draws cotangents, and tensors with numbers in [lo, hi).
func newPoint(p *ir.Program, s *ir.Structure, seed uint64, lo, hi float64) *point {
	r := rand.New(rand.NewPCG(seed, 2))
	pt := &point{p: p, s: s, seed: seed, x: make(tensors), cot: make(tensors)}
	draw := func(v *ir.Value, lo, hi float64) []float64 {
		x := make([]float64, s.Rows(v.Res)*v.Width())
		for i := range x {
			x[i] = lo + (hi-lo)*r.Float64()
		}
		return x
	}
	for _, v := range p.Inputs() {
		if pt.x[p.Binding(v)] == nil {
			pt.x[p.Binding(v)] = draw(v, lo, hi)
		}
	}
	for _, o := range p.Outputs {
		pt.cot[o.Name] = draw(o.Value, -2, 2)
	}
	return pt
}

// gradients gives the gradient of every binding; where no output depends on it
// smoothly, it is 0.
func (pt *point) gradients() (tensors, error) {
	joint := pass.Grad(pt.p, wantAll)
	if err := ir.Check(joint); err != nil {
		return nil, err
	}
	out, err := ir.Interpret(joint, pt.s, pt.inputs(joint), pt.seed)
	if err != nil {
		return nil, err
	}
	grads := make(tensors)
	for binding, x := range pt.x {
		g := out[ir.GradPrefix+binding]
		if g == nil {
			g = make([]float64, len(x))
		}
		if len(g) != len(x) {
			return nil, fmt.Errorf("gradient of %s has %d numbers for %d", binding, len(g), len(x))
		}
		grads[binding] = g
	}
	return grads, nil
}

// gradcheck compares every element of every gradient.
func gradcheck(pt *point) error {
	grads, err := pt.gradients()
	if err != nil {
		return err
	}
	const h = 1e-5
	for binding, x := range pt.x {
		for i := range x {
			at := func(d float64) float64 {
				old := x[i]
				defer func() { x[i] = old }()
				x[i] += d
				l, e := pt.loss()
				err = errors.Join(err, e)
				return l
			}
			want := (at(h) - at(-h)) / (2 * h)
			if err != nil {
				return err
			}
			if got := grads[binding][i]; !(math.Abs(got-want) <= 1e-7*(1+math.Abs(want))) {
				return fmt.Errorf("gradient of %s[%d] is %v, central difference %v", binding, i, got, want)
			}
		}
	}
	return nil
}

// gradGraphs have self-loops, duplicates, vertices without in- and out-edges.
func gradGraphs() []*ir.Structure {
	return []*ir.Structure{
		{NumSrc: 4, NumDst: 4, Src: []int32{2, 0, 1, 1, 2, 2, 0}, Dst: []int32{2, 1, 0, 1, 0, 0, 1},
			Types: ir.Types{Src: 2, Dst: 2, Edge: 2}, SrcTypes: []int32{1, 0, 0, 0}, DstTypes: []int32{1, 0, 0, 0}, EdgeTypes: []int32{0, 1, 0, 1, 1, 0, 1}},
		{NumSrc: 3, NumDst: 2, Src: []int32{2, 0, 0, 2, 0}, Dst: []int32{1, 1, 1, 1, 1},
			Types: ir.Types{Src: 2, Dst: 3, Edge: 2}, SrcTypes: []int32{0, 0, 1}, DstTypes: []int32{2, 0}, EdgeTypes: []int32{1, 1, 0, 1, 1}},
	}
}

// opCase says how to differentiate an op by itself: rows of operand shapes to
// try, attributes, and where its operands may lie.
type opCase struct {
	shapes [][]ir.Shape
	attrs  []ir.Attr
	lo, hi float64
	fixed  map[int][]ir.Residency // operands that must have one of these residencies
	// wrong tells which residencies of its operands the op must refuse.
	wrong func(a ir.Attr, rs []ir.Residency) bool
}

var (
	scalarShape, vectorShape, matrixShape = ir.Shape{}, ir.Shape{3}, ir.Shape{2, 3}

	unaryShapes  = [][]ir.Shape{{scalarShape}, {matrixShape}}
	binaryShapes = [][]ir.Shape{{scalarShape, scalarShape}, {vectorShape, matrixShape}, {{2, 1}, {1, 3}}, {matrixShape, scalarShape}, {{2, 1, 2}, {3, 1}}}
	bothDirs     = []ir.Attr{{Dir: ir.In}, {Dir: ir.Out}}
	typedDirs    = append([]ir.Attr{{Dir: ir.In, Typed: true}, {Dir: ir.Out, Typed: true}}, bothDirs...)
	vectorShapes = [][]ir.Shape{{{5}}, {{2, 5}}, {{1, 2, 5}}}
	nums         = []ir.Attr{{Num: 0.2}, {Num: 1.5}}
)

func opCases() map[ir.Op]opCase {
	un := opCase{shapes: unaryShapes, lo: -2, hi: 2}
	bin := opCase{shapes: binaryShapes, lo: -2, hi: 2}
	with := func(c opCase, attrs ...ir.Attr) opCase { c.attrs = attrs; return c }
	positive := func(c opCase) opCase { c.lo, c.hi = 0.5, 2; return c }
	weights := map[int][]ir.Residency{1: {ir.Param, ir.SrcType, ir.DstType, ir.EdgeType}}
	within := func(a ir.Attr, rs []ir.Residency) bool { return rs[0].Within(a.Dir.Rows()) }
	return map[ir.Op]opCase{
		ir.OpNeg: un, ir.OpExp: un, ir.OpAbs: un, ir.OpSign: un, ir.OpSquare: un, ir.OpRelu: un,
		ir.OpErf: un, ir.OpGelu: un, ir.OpSilu: un, ir.OpSigmoid: un, ir.OpTanh: un, ir.OpSoftplus: un,
		ir.OpSin: un, ir.OpCos: un,
		ir.OpLog: positive(un), ir.OpSqrt: positive(un), ir.OpRsqrt: positive(un), ir.OpRecip: positive(un),
		ir.OpPow:       positive(with(un, ir.Attr{Num: 0}, ir.Attr{Num: 1}, ir.Attr{Num: 2}, ir.Attr{Num: -0.5}, ir.Attr{Num: 3.5})),
		ir.OpClamp:     with(un, ir.Attr{Num: -0.7, Num2: 0.9}),
		ir.OpLeakyRelu: with(un, nums...),
		ir.OpElu:       with(un, nums...),

		ir.OpAdd: bin, ir.OpSub: bin, ir.OpMul: bin, ir.OpMaxOf: bin, ir.OpMinOf: bin,
		ir.OpDiv:    positive(bin),
		ir.OpPowOf:  positive(bin),
		ir.OpSelect: {shapes: [][]ir.Shape{{scalarShape, scalarShape, scalarShape}, {{2, 1}, {3}, {1, 1}}, {{3}, {2, 3}, {}}}, lo: -2, hi: 2},

		ir.OpAt: {shapes: unaryShapes, lo: -2, hi: 2, attrs: []ir.Attr{{Res: ir.Edge}, {Res: ir.Src}, {Res: ir.Dst}, {Res: ir.EdgeType}},
			wrong: func(a ir.Attr, rs []ir.Residency) bool { return !rs[0].Within(a.Res) }},
		ir.OpDropout: {shapes: unaryShapes, lo: -2, hi: 2,
			attrs: []ir.Attr{{Num: 0.5, Site: 1, Res: ir.Src}, {Num: 0.5, Site: 1, Res: ir.Dst}, {Num: 0.5, Site: 1, Res: ir.Edge}, {Num: 1, Site: 2, Res: ir.Edge}},
			wrong: func(a ir.Attr, rs []ir.Residency) bool { return !rs[0].Within(a.Res) }},

		ir.OpReshape:  with(opCase{shapes: [][]ir.Shape{{{6}}, {{2, 3}}, {{3, 2, 1}}}, lo: -2, hi: 2}, ir.Attr{Shape: ir.Shape{2, 3}}, ir.Attr{Shape: ir.Shape{6}}),
		ir.OpExpand:   with(opCase{shapes: [][]ir.Shape{{{3}}, {{1, 3}}, {{2, 1}}, {{}}}, lo: -2, hi: 2}, ir.Attr{Shape: ir.Shape{2, 3}}, ir.Attr{Shape: ir.Shape{2, 2, 3}}),
		ir.OpReduceTo: with(opCase{shapes: [][]ir.Shape{{{2, 3}}, {{2, 2, 3}}}, lo: -2, hi: 2}, ir.Attr{Shape: ir.Shape{3}}, ir.Attr{Shape: ir.Shape{2, 1}}, ir.Attr{Shape: ir.Shape{}}),
		ir.OpConcat:   {shapes: [][]ir.Shape{{{2}}, {{2}, {3}}, {{2, 1}, {2, 2}, {2, 1}}}, lo: -2, hi: 2},
		ir.OpSlice:    with(opCase{shapes: vectorShapes, lo: -2, hi: 2}, ir.Attr{Lo: 1, Hi: 4}, ir.Attr{Lo: 0, Hi: 5}, ir.Attr{Lo: 2, Hi: 2}),
		ir.OpPad:      with(opCase{shapes: vectorShapes, lo: -2, hi: 2}, ir.Attr{Lo: 1, Hi: 2}, ir.Attr{}),

		ir.OpPermute: with(opCase{shapes: [][]ir.Shape{{{2, 3, 2}}, {{1, 2, 4}}}, lo: -2, hi: 2}, ir.Attr{Shape: ir.Shape{2, 0, 1}}, ir.Attr{Shape: ir.Shape{1, 0, 2}}),
		ir.OpMaxLast: {shapes: vectorShapes, lo: -2, hi: 2},

		ir.OpMatMul:  {shapes: [][]ir.Shape{{{3}, {3, 2}}, {{2, 3}, {3, 1}}, {{2, 1, 3}, {3, 2}}, {{2, 3}, {2, 3, 2}}, {{2, 2, 1}, {2, 1, 3}}}, lo: -2, hi: 2, fixed: weights},
		ir.OpMatMulT: {shapes: [][]ir.Shape{{{3}, {2, 3}}, {{2, 3}, {1, 3}}, {{2, 1, 3}, {2, 3}}, {{2, 3}, {2, 2, 3}}}, lo: -2, hi: 2, fixed: weights},

		ir.OpOuter: {shapes: [][]ir.Shape{{{3}, {2}}, {{2, 3}, {2, 1}}}, lo: -2, hi: 2,
			attrs: []ir.Attr{{Res: ir.Edge}, {Res: ir.Edge, To: ir.EdgeType}, {Res: ir.Src}, {Res: ir.Dst, To: ir.DstType}},
			wrong: func(a ir.Attr, rs []ir.Residency) bool { return !rs[0].Within(a.Res) || !rs[1].Within(a.Res) }},

		ir.OpSum: with(un, typedDirs...),
		ir.OpMax: with(un, typedDirs...),
		ir.OpWinner: {shapes: [][]ir.Shape{{{}, {}}, {{2, 3}, {}}}, lo: -2, hi: 2, attrs: typedDirs,
			wrong: func(a ir.Attr, rs []ir.Residency) bool { return !rs[1].Within(a.Dir.Rows()) }},
		ir.OpTotal: {shapes: unaryShapes, lo: -2, hi: 2, attrs: []ir.Attr{{Res: ir.Src}, {Res: ir.Dst}, {Res: ir.Dst, To: ir.DstType}},
			wrong: func(a ir.Attr, rs []ir.Residency) bool { return !rs[0].Within(a.Res) }},
		ir.OpPick: {shapes: [][]ir.Shape{{{2}}, {{2, 3}}}, lo: -2, hi: 2,
			wrong: func(_ ir.Attr, rs []ir.Residency) bool { return rs[0] == ir.Edge || rs[0] == ir.EdgeType }},
		ir.OpStack: {shapes: unaryShapes, lo: -2, hi: 2, wrong: func(_ ir.Attr, rs []ir.Residency) bool { return !rs[0].IsType() }},
		ir.OpUnstack: {shapes: [][]ir.Shape{{{2}}, {{2, 3}}}, lo: -2, hi: 2, attrs: []ir.Attr{{Res: ir.SrcType}, {Res: ir.EdgeType}},
			wrong: func(_ ir.Attr, rs []ir.Residency) bool { return rs[0] != ir.Param }},
		ir.OpSoftmax: {shapes: unaryShapes, attrs: typedDirs, lo: -2, hi: 2, wrong: within},
		ir.OpView:    {shapes: unaryShapes, attrs: []ir.Attr{{Res: ir.Src}, {Res: ir.Dst}}, lo: -2, hi: 2, wrong: func(_ ir.Attr, rs []ir.Residency) bool { return rs[0] == ir.Edge || rs[0].IsType() }},
	}
}

// Every op with a gradient rule, its operands at every residency (those of one
// op at different ones too), with every broadcast of the table.
func TestGradientOfEveryOpMatchesCentralDifferences(t *testing.T) {
	cases := opCases()
	for op := ir.OpInput; op <= ir.OpUnstack; op++ {
		c, ok := cases[op]
		if ok != (op.Info().Grad != nil) {
			t.Errorf("%v: has a gradient rule: %v, is differentiated here: %v", op, op.Info().Grad != nil, ok)
			continue
		}
		if !ok {
			continue
		}
		t.Run(op.String(), func(t *testing.T) {
			if c.attrs == nil {
				c.attrs = []ir.Attr{{}}
			}
			for _, shapes := range c.shapes {
				for _, attr := range c.attrs {
					eachResidency(len(shapes), c.fixed, func(rs []ir.Residency) {
						for g, s := range gradGraphs() {
							if err := gradcheckOp(op, attr, c, shapes, rs, s, g == 1); err != nil {
								t.Errorf("%v of %v at %v on graph %d: %v", op, shapes, rs, g, err)
							}
						}
					})
				}
			}
		})
	}
}

// eachResidency calls f with every assignment of residencies to n operands.
func eachResidency(n int, fixed map[int][]ir.Residency, f func([]ir.Residency)) {
	rs := make([]ir.Residency, n)
	var rec func(i int)
	rec = func(i int) {
		if i == n {
			f(rs)
			return
		}
		last := ir.EdgeType
		if n > 2 { // three operands have enough combinations without types
			last = ir.Edge
		}
		for r := ir.Param; r <= last; r++ {
			if only, ok := fixed[i]; !ok || slices.Contains(only, r) {
				rs[i] = r
				rec(i + 1)
			}
		}
	}
	rec(0)
}

func gradcheckOp(op ir.Op, attr ir.Attr, c opCase, shapes []ir.Shape, rs []ir.Residency, s *ir.Structure, bipartite bool) error {
	b := ir.NewBuilder("op", ir.F64, bipartite)
	b.SetTypes(s.Types)
	args := make([]*ir.Value, len(shapes))
	for i, shape := range shapes {
		args[i] = b.Input(fmt.Sprintf("x%d", i), rs[i], shape)
	}
	if op == ir.OpSelect { // a condition that is now true, now false
		args[0] = b.Gt(args[0], b.Const(0))
	}
	if op == ir.OpWinner { // the ids of maxima, and a number for each
		args[0] = b.Op(ir.OpArgmax, attr, args[0])
		args[1] = b.Input("y", rs[1], args[0].Shape)
	}
	var v *ir.Value
	err := try(func() error { v = b.Op(op, attr, args...); return nil })
	refused := c.wrong != nil && c.wrong(attr, rs) || bipartite && op == ir.OpView
	if refused || err != nil {
		if refused != (err != nil) {
			return fmt.Errorf("refused: %v, want %v", err, refused)
		}
		return nil
	}
	b.Output("out", v)
	return gradcheck(newPoint(b.Program(), s, 7, c.lo, c.hi))
}

// A vertex tensor that is read as source and as destination has one gradient.
func TestGradientAddsUpBothSidesOfAVertexTensor(t *testing.T) {
	b := ir.NewBuilder("sides", ir.F64, false)
	src, dst := b.Input("x", ir.Src, ir.Shape{2}), b.Input("x", ir.Dst, ir.Shape{2})
	b.Output("edge", b.Mul(src, dst))
	b.Output("row", b.Add(dst, b.Sum(ir.In, b.Mul(src, src))))
	b.Output("itself", src)
	if err := gradcheck(newPoint(b.Program(), gradGraphs()[0], 1, -2, 2)); err != nil {
		t.Error(err)
	}
}

func TestGradientOfWantedBindingsOnly(t *testing.T) {
	b := ir.NewBuilder("want", ir.F64, false)
	x, w, f := b.Input("x", ir.Src, ir.Shape{2}), b.Input("w", ir.Param, ir.Shape{2}), b.Input("f", ir.Edge, ir.Shape{})
	unread := b.Input("unread", ir.Param, ir.Shape{})
	b.Output("out", b.Sum(ir.In, b.Mul(b.Mul(x, w), f)))
	b.Output("step", b.Gt(unread, b.Const(0)))
	for _, want := range [][]string{nil, {"param w"}, {"vertex x", "edge f"}, {"param unread"}} {
		p := pass.Grad(b.Program(), func(binding string) bool { return slices.Contains(want, binding) })
		var got []string
		for _, o := range p.Outputs[2:] {
			got = append(got, o.Name)
		}
		var exp []string
		for _, name := range want {
			if name != "param unread" { // a step is flat: no gradient at all
				exp = append(exp, ir.GradPrefix+name)
			}
		}
		if !slices.Equal(got, exp) {
			t.Errorf("want %v: gradients %v", want, got)
		}
	}
}

// grads runs a program's gradient with all cotangents 1, 2, 3...
func grads(t *testing.T, p *ir.Program, s *ir.Structure, x tensors) tensors {
	t.Helper()
	pt := &point{p: p, s: s, x: x, cot: make(tensors)}
	for _, o := range p.Outputs {
		c := make([]float64, s.Rows(o.Value.Res)*o.Value.Width())
		for i := range c {
			c[i] = float64(i + 1)
		}
		pt.cot[o.Name] = c
	}
	g, err := pt.gradients()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGradientOfTies(t *testing.T) {
	s := &ir.Structure{NumSrc: 2, NumDst: 2, Src: []int32{1, 0, 1, 0}, Dst: []int32{1, 0, 0, 0}}
	one := func(op ir.Op, attr ir.Attr, res ir.Residency, n int) *ir.Program {
		b := ir.NewBuilder("ties", ir.F64, false)
		var args []*ir.Value
		for i := range n {
			args = append(args, b.Input(fmt.Sprintf("x%d", i), res, ir.Shape{}))
		}
		b.Output("out", b.Op(op, attr, args...))
		return b.Program()
	}
	nan := math.NaN()
	for _, c := range []struct {
		name string
		p    *ir.Program
		x    tensors
		want tensors
	}{
		{"maximum over in-edges: the first edge in id order", one(ir.OpMax, ir.Attr{}, ir.Edge, 1),
			tensors{"edge x0": {5, 1, 7, 7}}, tensors{"edge x0": {2, 0, 1, 0}}},
		{"maximum: the first NaN", one(ir.OpMax, ir.Attr{}, ir.Edge, 1),
			tensors{"edge x0": {5, 9, nan, nan}}, tensors{"edge x0": {2, 0, 1, 0}}},
		{"maximum over out-edges of one source value", one(ir.OpMax, ir.Attr{Dir: ir.Out}, ir.Src, 1),
			tensors{"vertex x0": {4, 4}}, tensors{"vertex x0": {1, 2}}},
		{"maximum of two: half each", one(ir.OpMaxOf, ir.Attr{}, ir.Dst, 2),
			tensors{"vertex x0": {3, 1}, "vertex x1": {3, 2}}, tensors{"vertex x0": {0.5, 0}, "vertex x1": {0.5, 2}}},
		{"minimum of two: half each", one(ir.OpMinOf, ir.Attr{}, ir.Dst, 2),
			tensors{"vertex x0": {3, 3}, "vertex x1": {3, 2}}, tensors{"vertex x0": {0.5, 0}, "vertex x1": {0.5, 2}}},
		{"clamp: through on its bounds", one(ir.OpClamp, ir.Attr{Num: -1, Num2: 1}, ir.Dst, 1),
			tensors{"vertex x0": {-1, 1}}, tensors{"vertex x0": {1, 2}}},
		{"clamp: NaN is no lower bound", one(ir.OpClamp, ir.Attr{Num: nan, Num2: 1}, ir.Dst, 1),
			tensors{"vertex x0": {-5, 3}}, tensors{"vertex x0": {1, 0}}},
		{"clamp: NaN is no upper bound", one(ir.OpClamp, ir.Attr{Num: -1, Num2: nan}, ir.Dst, 1),
			tensors{"vertex x0": {-5, 3}}, tensors{"vertex x0": {0, 2}}},
		{"clamp: none at NaN", one(ir.OpClamp, ir.Attr{Num: nan, Num2: nan}, ir.Dst, 1),
			tensors{"vertex x0": {nan, 3}}, tensors{"vertex x0": {0, 2}}},
		{"relu: none at 0", one(ir.OpRelu, ir.Attr{}, ir.Dst, 1),
			tensors{"vertex x0": {0, 1}}, tensors{"vertex x0": {0, 2}}},
		{"x^0 is constant, at 0 too", one(ir.OpPow, ir.Attr{Num: 0}, ir.Dst, 1),
			tensors{"vertex x0": {0, 3}}, tensors{"vertex x0": {0, 0}}},
		{"absolute value: none at 0", one(ir.OpAbs, ir.Attr{}, ir.Dst, 1),
			tensors{"vertex x0": {0, -3}}, tensors{"vertex x0": {0, -2}}},
	} {
		if d := irtest.Diff(grads(t, c.p, s, c.x), c.want, 0); d != "" {
			t.Errorf("%s: gradient of %s", c.name, d)
		}
	}
}

// Directional derivatives of random programs. A direction along which the two
// one-sided differences disagree crosses a kink and says nothing.
func TestGradientsOfRandomProgramsMatchDirectionalDerivatives(t *testing.T) {
	const n = 600
	checked := 0
	for seed := range uint64(n) {
		c := irtest.New(30_000 + seed)
		pt := newPoint(c.Program, &c.Graph.Structure, c.Seed, -2, 2)
		var smooth bool
		err := try(func() (err error) {
			smooth, err = directional(pt)
			return err
		})
		if err != nil {
			t.Errorf("%v\n%v\n%v", err, c, pass.Grad(c.Program, wantAll))
		}
		if smooth {
			checked++
		}
	}
	if checked < n*8/10 {
		t.Errorf("only %d of %d points were smooth", checked, n)
	}
}

// directional compares the gradient with a central difference along a random
// direction.
func directional(pt *point) (smooth bool, err error) {
	grads, err := pt.gradients()
	if err != nil {
		return false, err
	}
	r := rand.New(rand.NewPCG(pt.seed, 3))
	dir, at := make(tensors), pt.x
	var want float64
	for _, v := range pt.p.Inputs() { // in a fixed order: the sum is compared
		binding := pt.p.Binding(v)
		if dir[binding] != nil {
			continue
		}
		dir[binding] = make([]float64, len(at[binding]))
		for i := range dir[binding] {
			dir[binding][i] = r.NormFloat64()
			want += dir[binding][i] * grads[binding][i]
		}
	}
	defer func() { pt.x = at }()
	move := func(h float64) float64 {
		pt.x = make(tensors)
		for binding, x := range at {
			moved := slices.Clone(x)
			for i := range moved {
				moved[i] += h * dir[binding][i]
			}
			pt.x[binding] = moved
		}
		l, e := pt.loss()
		err = errors.Join(err, e)
		return l
	}
	const h = 1e-6
	mid := move(0)
	right, left := (move(h)-mid)/h, (mid-move(-h))/h
	got := (move(h) - move(-h)) / (2 * h)
	scale := 1 + math.Abs(want) + math.Abs(mid)
	if math.Abs(right-left) > 1e-3*scale {
		return false, err
	}
	if !(math.Abs(got-want) <= 1e-5*scale) {
		err = errors.Join(err, fmt.Errorf("derivative along a direction: %v, central difference %v", want, got))
	}
	return true, err
}

func FuzzGradients(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		c := irtest.New(seed)
		if _, err := directional(newPoint(c.Program, &c.Graph.Structure, seed, -2, 2)); err != nil {
			t.Errorf("%v\n%v", err, c)
		}
	})
}
