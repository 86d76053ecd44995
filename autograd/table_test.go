// Every row of the op table against central differences, once and twice.

package autograd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// A domain draws input values that keep an op away from its kinks and poles.
type domain func(r *rng.Stream) float64

func uniform(r *rng.Stream) float64 { return float64(r.Uint64()>>11) * 0x1p-53 }

func positive(r *rng.Stream) float64 { return 0.3 + 1.5*uniform(r) }

// nonzero draws from (-1.5, -0.2) and (0.2, 1.5).
func nonzero(r *rng.Stream) float64 {
	x := 0.2 + 1.3*uniform(r)
	if r.Uint64()&1 == 0 {
		return -x
	}
	return x
}

func randomTensor(seed uint64, d domain, shape ...int) *tensor.Tensor {
	r, t := rng.NewStream(seed), tensor.Zeros(tensor.Float64, shape...)
	data := tensor.Data[float64](t)
	for i := range data {
		data[i] = d(r)
	}
	return t
}

// A gradCase is one application of an op to inputs of given shapes.
type gradCase struct {
	op     opcode
	shapes []tensor.Shape
	domain domain
	f      func(xs ...*Var) *Var
}

func (c gradCase) inputs() []*Var {
	xs := make([]*Var, len(c.shapes))
	for i, s := range c.shapes {
		xs[i] = Variable(randomTensor(uint64(100*int(c.op)+i), c.domain, s...))
	}
	return xs
}

var unaryShapes = []tensor.Shape{{}, {1}, {5}, {3, 4}, {2, 3, 2}, {0}, {0, 3}, {3, 0}}

var binaryShapes = [][]tensor.Shape{
	{{}, {}}, {{4}, {4}}, {{3, 4}, {3, 4}}, {{3, 4}, {4}}, {{3, 4}, {1, 4}}, {{3, 4}, {3, 1}}, {{3, 4}, {}}, {{}, {3, 4}},
	{{3, 1}, {1, 4}}, {{2, 1, 3}, {4, 1}}, {{1}, {1, 1, 1}}, {{0, 3}, {3}}, {{0, 3}, {1, 1}}, {{2, 0}, {2, 1}}, {{1}, {0}},
}

var matrixShapes = []tensor.Shape{{3, 4}, {1, 1}, {1, 5}, {5, 1}, {0, 3}, {3, 0}, {0, 0}}

// gradCases lists the cases of every row.
func gradCases() []gradCase {
	var cases []gradCase
	unary := func(op opcode, d domain, f func(x *Var) *Var) {
		for _, s := range unaryShapes {
			cases = append(cases, gradCase{op, []tensor.Shape{s}, d, func(xs ...*Var) *Var { return f(xs[0]) }})
		}
	}
	binary := func(op opcode, d domain, f func(a, b *Var) *Var) {
		for _, s := range binaryShapes {
			cases = append(cases, gradCase{op, s, d, func(xs ...*Var) *Var { return f(xs[0], xs[1]) }})
		}
	}
	add := func(op opcode, f func(xs ...*Var) *Var, shapes ...tensor.Shape) {
		cases = append(cases, gradCase{op, shapes, nonzero, f})
	}

	binary(opAdd, nonzero, (*Var).Add)
	binary(opSub, nonzero, (*Var).Sub)
	binary(opMul, nonzero, (*Var).Mul)
	binary(opDiv, nonzero, (*Var).Div)
	binary(opMaximum, nonzero, (*Var).Maximum)
	binary(opMinimum, nonzero, (*Var).Minimum)

	unary(opNeg, nonzero, (*Var).Neg)
	unary(opExp, nonzero, (*Var).Exp)
	unary(opLog, positive, (*Var).Log)
	unary(opSqrt, positive, (*Var).Sqrt)
	unary(opRsqrt, positive, (*Var).Rsqrt)
	unary(opRecip, nonzero, (*Var).Recip)
	unary(opAbs, nonzero, (*Var).Abs)
	unary(opSquare, nonzero, (*Var).Square)
	for _, p := range []float64{-1.5, 0, 0.5, 1, 2, 3.7} {
		unary(opPow, positive, func(x *Var) *Var { return x.Pow(p) })
	}
	unary(opPow, nonzero, func(x *Var) *Var { return x.Pow(3) })
	unary(opClamp, nonzero, func(x *Var) *Var { return x.Clamp(-0.7, 0.9) })
	unary(opScale, nonzero, func(x *Var) *Var { return x.Scale(-2.5) })
	unary(opAddScalar, nonzero, func(x *Var) *Var { return x.AddScalar(0.3) })

	unary(opRelu, nonzero, (*Var).ReLU)
	unary(opLeakyRelu, nonzero, func(x *Var) *Var { return x.LeakyReLU(0.2) })
	unary(opElu, nonzero, func(x *Var) *Var { return x.ELU(1) })
	unary(opElu, nonzero, func(x *Var) *Var { return x.ELU(0.4) })
	unary(opGelu, nonzero, (*Var).GELU)
	unary(opErf, nonzero, (*Var).Erf)
	unary(opSilu, nonzero, (*Var).SiLU)
	unary(opSigmoid, nonzero, (*Var).Sigmoid)
	unary(opTanh, nonzero, (*Var).Tanh)
	unary(opSoftplus, nonzero, (*Var).Softplus)
	for _, s := range [][]tensor.Shape{{{}, {}}, {{5}, {}}, {{3, 4}, {1}}, {{2, 3, 2}, {1, 1}}, {{0, 3}, {1}}} {
		add(opPReLU, func(xs ...*Var) *Var { return xs[0].PReLU(xs[1]) }, s...)
	}
	for _, s := range unaryShapes {
		add(opGate, func(xs ...*Var) *Var { return gate(xs[0], xs[1], 0) }, s, s)
		add(opGate, func(xs ...*Var) *Var { return gate(xs[0], xs[1], 0.2) }, s, s)
		add(opEluGrad, func(xs ...*Var) *Var { return eluGrad(xs[0], xs[1], 1.3) }, s, s)
	}

	for _, d := range [][3]int{{3, 4, 2}, {1, 1, 1}, {5, 1, 3}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}} {
		n, k, m := d[0], d[1], d[2]
		add(opMatMul, func(xs ...*Var) *Var { return xs[0].MatMul(xs[1]) }, tensor.Shape{n, k}, tensor.Shape{k, m})
		add(opMatMul, func(xs ...*Var) *Var { return xs[0].Transpose().MatMul(xs[1]) }, tensor.Shape{k, n}, tensor.Shape{k, m})
		add(opMatMul, func(xs ...*Var) *Var { return xs[0].MatMul(xs[1].Transpose()) }, tensor.Shape{n, k}, tensor.Shape{m, k})
		add(opMatMul, func(xs ...*Var) *Var { return xs[0].Transpose().MatMul(xs[1].Transpose()) }, tensor.Shape{k, n}, tensor.Shape{m, k})
	}
	add(opMatMul, func(xs ...*Var) *Var { return xs[0].MatMul(xs[0]) }, tensor.Shape{3, 3})
	for _, s := range [][2]tensor.Shape{
		{{2, 3, 4}, {4, 2}}, {{2, 3, 4}, {2, 4, 2}}, {{3, 4}, {2, 4, 2}}, {{2, 1, 3, 4}, {3, 4, 2}}, {{0, 3, 4}, {4, 2}},
	} {
		add(opMatMul, func(xs ...*Var) *Var { return xs[0].MatMul(xs[1]) }, s[0], s[1])
	}
	for _, s := range [][3]tensor.Shape{{{3, 4}, {4, 2}, {2}}, {{2, 3, 4}, {4, 1}, {1}}, {{0, 4}, {4, 2}, {2}}} {
		for _, relu := range []bool{false, true} {
			add(opLinear, func(xs ...*Var) *Var { return Linear(xs[0], xs[1], xs[2], relu) }, s[:]...)
			add(opLinear, func(xs ...*Var) *Var { return Linear(xs[0], xs[1], nil, relu) }, s[:2]...)
		}
	}
	for _, m := range []int{1, 5, 0} {
		s := SparseConstant(exampleSparse())
		add(opSparseMatMul, func(xs ...*Var) *Var { return s.MatMul(xs[0]) }, tensor.Shape{3, m})
		add(opSparseMatMul, func(xs ...*Var) *Var { return sparseMatMul(s, xs[0], true) }, tensor.Shape{4, m})
	}
	for _, s := range matrixShapes {
		add(opTranspose, func(xs ...*Var) *Var { return xs[0].Transpose() }, s)
		add(opTranspose, func(xs ...*Var) *Var { return xs[0].Transpose(1, 0) }, s)
	}

	add(opReshape, func(xs ...*Var) *Var { return xs[0].Reshape(2, -1) }, tensor.Shape{3, 4})
	add(opReshape, func(xs ...*Var) *Var { return xs[0].Reshape() }, tensor.Shape{1, 1})
	add(opReshape, func(xs ...*Var) *Var { return xs[0].Reshape(0) }, tensor.Shape{0, 3})
	for _, s := range [][2]tensor.Shape{
		{{}, {3, 4}}, {{4}, {3, 4}}, {{3, 1}, {3, 4}}, {{1}, {0}}, {{1, 3}, {0, 3}}, {{0, 1}, {0, 3}}, {{2, 1, 3}, {5, 2, 4, 3}},
	} {
		add(opBroadcastTo, func(xs ...*Var) *Var { return xs[0].BroadcastTo(s[1]...) }, s[0])
		add(opSumTo, func(xs ...*Var) *Var { return xs[0].SumTo(s[0]...) }, s[1])
	}
	for _, axes := range [][]int{nil, {0}, {1}, {-1}, {0, 2}, {2, 1, 0}} {
		for _, s := range []tensor.Shape{{2, 3, 4}, {1, 1, 1}, {2, 0, 3}} {
			add(opSum, func(xs ...*Var) *Var { return xs[0].Sum(axes...).Exp() }, s)
			add(opSum, func(xs ...*Var) *Var { return xs[0].SumKeep(axes...).Exp() }, s)
			if s.Size() > 0 {
				add(opSum, func(xs ...*Var) *Var { return xs[0].Mean(axes...).Exp() }, s)
				add(opSum, func(xs ...*Var) *Var { return xs[0].MeanKeep(axes...).Exp() }, s)
			}
		}
	}
	for _, rows := range [][]int32{{0}, {2, 0, 2, 2}, {}} {
		for _, s := range []tensor.Shape{{3}, {3, 4}, {3, 0}, {3, 2, 2}} {
			add(opIndexSelect, func(xs ...*Var) *Var { return xs[0].IndexSelect(rows) }, s)
			t := s.Clone()
			t[0] = len(rows)
			add(opScatterAddRows, func(xs ...*Var) *Var { return xs[0].ScatterAddRows(4, rows) }, t)
		}
	}
	for axis := range 2 {
		at := func(n int) tensor.Shape { s := tensor.Shape{3, 3}; s[axis] = n; return s }
		add(opConcat, func(xs ...*Var) *Var { return Concat(axis, xs...) }, at(2), at(0), at(3), at(1))
		add(opConcat, func(xs ...*Var) *Var { return Concat(axis, xs...) }, at(0), at(0))
		add(opConcat, func(xs ...*Var) *Var { return Concat(axis-2, xs[0]) }, at(1))
		add(opConcat, func(xs ...*Var) *Var { return Concat(axis, xs[0], xs[0]) }, at(2))
		for _, r := range [][2]int{{0, 3}, {1, 2}, {2, 2}, {0, 1}} {
			add(opSlice, func(xs ...*Var) *Var { return xs[0].Slice(axis, r[0], r[1]) }, at(3))
			add(opUnslice, func(xs ...*Var) *Var { return unslice(xs[0], axis, 1, r[1]-r[0]+2) }, at(r[1]-r[0]))
		}
	}
	add(opSlice, func(xs ...*Var) *Var { return xs[0].Slice(-2, 1, 3) }, tensor.Shape{2, 4, 2})
	add(opSlice, func(xs ...*Var) *Var { return xs[0].Slice(1, 0, 2) }, tensor.Shape{0, 3})

	for _, s := range []tensor.Shape{{1}, {5}, {3, 4}, {2, 3, 4}, {4, 1}, {0, 3}, {3, 0}} {
		add(opSoftmax, func(xs ...*Var) *Var { return xs[0].Softmax() }, s)
		add(opLogSoftmax, func(xs ...*Var) *Var { return xs[0].LogSoftmax() }, s)
		if s[len(s)-1] != 1 { // of one element the result is 0
			row := s[len(s)-1:]
			add(opLayerNorm, func(xs ...*Var) *Var { return LayerNorm(xs[0], nil, nil, 1e-2) }, s)
			add(opLayerNorm, func(xs ...*Var) *Var { return LayerNorm(xs[0], xs[1], nil, 1e-2) }, s, row)
			add(opLayerNorm, func(xs ...*Var) *Var { return LayerNorm(xs[0], xs[1], xs[2], 1e-2) }, s, row, row)
		}
		if len(s) == 2 {
			row := s[1:]
			norm := func(x, w, b *Var) *Var { y, _, _ := BatchNorm(x, w, b, 1e-2); return y }
			add(opBatchNorm, func(xs ...*Var) *Var { return norm(xs[0], nil, nil) }, s)
			add(opBatchNorm, func(xs ...*Var) *Var { return norm(xs[0], xs[1], nil) }, s, row)
			add(opBatchNorm, func(xs ...*Var) *Var { return norm(xs[0], xs[1], xs[2]) }, s, row, row)
		}
	}
	for _, s := range []tensor.Shape{{}, {5}, {3, 4}, {2, 0}, {2, 3, 4}} {
		if len(s) > 0 {
			add(opVecDot, func(xs ...*Var) *Var { return xs[0].VecDot(xs[1]) }, s, s)
		}
		add(opSquaredError, func(xs ...*Var) *Var { return SquaredError(xs[0], xs[1], 0.3) }, s, s)
		for _, delta := range []float64{0.3, 10} {
			add(opHuberError, func(xs ...*Var) *Var { return HuberError(xs[0], xs[1], delta, 0.7) }, s, s)
		}
	}
	labels := []int32{2, 0, 1, 2, 2}
	for _, rows := range [][]int32{nil, {4}, {3, 0}, {1, 1, 1}} {
		add(opCrossEntropy, func(xs ...*Var) *Var { return CrossEntropy(xs[0], labels, rows) }, tensor.Shape{5, 3})
		add(opNLL, func(xs ...*Var) *Var { return NLL(xs[0], labels, rows) }, tensor.Shape{5, 3})
		for _, opts := range [][]CrossEntropyOption{
			{LabelSmoothing(0.1)}, {ClassWeights([]float64{0.5, 2, 1.5})}, {ClassWeights([]float64{-3, 1, -2})}, {ClassWeights([]float64{0.5, 2, 1.5}), LabelSmoothing(0.3)},
		} {
			add(opCrossEntropy, func(xs ...*Var) *Var { return CrossEntropy(xs[0], labels, rows, opts...) }, tensor.Shape{5, 3})
			add(opNLL, func(xs ...*Var) *Var { return NLL(xs[0], labels, rows, opts...) }, tensor.Shape{5, 3})
		}
	}
	add(opCrossEntropy, func(xs ...*Var) *Var { return CrossEntropy(xs[0], []int32{0}, nil) }, tensor.Shape{1, 1})
	add(opNLL, func(xs ...*Var) *Var { return NLL(xs[0], []int32{0}, nil) }, tensor.Shape{1, 1})
	for _, s := range []tensor.Shape{{5}, {3, 4}, {0, 3}} {
		add(opBCEWithLogits, func(xs ...*Var) *Var { return BCEWithLogits(xs[0], xs[1]) }, s, s)
	}
	for _, p := range []float64{0.1, 0.5, 1} {
		unary(opDropout, nonzero, func(x *Var) *Var { return Dropout(x, p, 7) })
	}
	return slices.Concat(cases, transcendentalCases(), choiceCases(), reductionCases(), shapeCases())
}

// exampleSparse is 4x3 with an empty row, an empty column and a repeated entry.
func exampleSparse() *tensor.Sparse {
	values := tensor.FromSlice([]float64{2, -1, 0.5, 3, 1.5}, 5)
	s, err := tensor.NewSparse(4, 3, []int32{0, 2, 2, 4, 5}, []int32{0, 2, 2, 2, 0}, values)
	if err != nil {
		panic(err)
	}
	return s.ToDevice(casesOn)
}

func (c gradCase) String() string { return fmt.Sprintf("%s%v", table[c.op].name, c.shapes) }

func TestEveryOpMatchesCentralDifferences(t *testing.T) {
	for _, c := range gradCases() {
		if err := Gradcheck(c.f, c.inputs()); err != nil {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// A gradient is itself a differentiable function of the operands and of the
// result's gradient.
func TestEveryGradientCanBeDifferentiated(t *testing.T) {
	checked := map[opcode]bool{}
	for _, c := range gradCases() {
		xs := c.inputs()
		probe := c.f(xs...)
		if probe.node != nil {
			checked[probe.node.op] = true
		}
		g := Variable(randomTensor(9, nonzero, probe.Shape()...))
		for i := range xs {
			gradient := func(args ...*Var) *Var {
				y := c.f(args[:len(xs)]...)
				d := GradWith(y, args[len(xs)], args[i:i+1], CreateGraph())[0]
				if d == nil {
					return Constant(tensor.Zeros(tensor.Float64))
				}
				return d
			}
			if err := Gradcheck(gradient, append(xs[:len(xs):len(xs)], g)); err != nil {
				t.Errorf("%v: gradient of input %d: %v", c, i, err)
			}
		}
	}
	for op := opCustom + 1; op < numOps; op++ {
		if !checked[op] {
			t.Errorf("the gradient of %s was not checked", table[op].name)
		}
	}
}

// Rules that are computed in one pass over memory where nobody differentiates them
// say the same as those made of operations.
func TestGradientsAreTheSameWhetherTheyCanBeDifferentiatedOrNot(t *testing.T) {
	for _, c := range gradCases() {
		xs := c.inputs()
		cotangent := Constant(randomTensor(9, nonzero, c.f(xs...).Shape()...))
		plain := GradWith(c.f(xs...), cotangent, xs)
		created := GradWith(c.f(xs...), cotangent, xs, CreateGraph())
		for i := range xs {
			if (plain[i] == nil) != (created[i] == nil) {
				t.Errorf("%v: input %d: %v and %v", c, i, plain[i], created[i])
			} else if plain[i] != nil {
				wantNear(t, c.String(), plain[i].Tensor().Float64s(), created[i].Tensor().Float64s(), 1e-12)
			}
		}
	}
}

// A row without a name, a rule, a meaning or a case here fails, and so does a
// case that does not run its op.
func TestOpTableIsComplete(t *testing.T) {
	covered, sizes := map[opcode]bool{}, map[opcode]map[bool]bool{}
	for _, c := range gradCases() {
		xs := c.inputs()
		if y := c.f(xs...); y.node != nil { // else the operand itself
			for _, n := range newPass("Grad", nil).postorder([]*Var{y}) {
				covered[c.op] = covered[c.op] || n.op == c.op
			}
		}
		if sizes[c.op] == nil {
			sizes[c.op] = map[bool]bool{}
		}
		sizes[c.op][xs[0].Shape().Size() == 0] = true
	}
	names := map[string]bool{}
	for op := opCustom + 1; op < numOps; op++ {
		r := table[op]
		switch {
		case r.name == "" || r.grad == nil || r.doc == "":
			t.Errorf("row %d (%s) lacks a name, a rule or a meaning", op, r.name)
		case names[r.name]:
			t.Errorf("row %d: the name %s appears twice", op, r.name)
		case !covered[op]:
			t.Errorf("%s has no gradient check", r.name)
		case !sizes[op][true] && op != opCrossEntropy && op != opNLL:
			t.Errorf("%s has no gradient check of an empty tensor", r.name)
		}
		names[r.name] = true
	}
}

func TestGradientsAtKinks(t *testing.T) {
	for _, c := range []struct {
		name string
		f    func(x *Var) *Var
		want float64
	}{
		{"ReLU", (*Var).ReLU, 0},
		{"LeakyReLU", func(x *Var) *Var { return x.LeakyReLU(0.2) }, 0.2},
		{"Abs", (*Var).Abs, 0},
		{"Pow 0", func(x *Var) *Var { return x.Pow(0) }, 0},
		{"Pow 1", func(x *Var) *Var { return x.Pow(1) }, 1},
		{"Clamp at a bound", func(x *Var) *Var { return x.Clamp(0, 1) }, 1},
		{"Hardtanh at the lower bound", func(x *Var) *Var { return x.Hardtanh(0, 1) }, 0},
		{"Hardtanh at the upper bound", func(x *Var) *Var { return x.Hardtanh(-1, 0) }, 0},
		{"Hardtanh within", func(x *Var) *Var { return x.Hardtanh(-1, 1) }, 1},
		{"Maximum of itself", func(x *Var) *Var { return x.Maximum(x) }, 1},
		{"PReLU", func(x *Var) *Var { return x.PReLU(Constant(tensor.Full(tensor.Float64, 0.3))) }, 0.3},
		{"Sign", (*Var).Sign, 0},
		{"Floor", (*Var).Floor, 0},
		{"Softsign", (*Var).Softsign, 1},
		{"Hardswish", (*Var).Hardswish, 0.5},
		{"Hardswish at -3", func(x *Var) *Var { return x.AddScalar(-3).Hardswish() }, 0},
		{"Hardswish at 3", func(x *Var) *Var { return x.AddScalar(3).Hardswish() }, 1},
		{"SELU", func(x *Var) *Var { return x.SELU().Scale(1 / (seluScale * seluAlpha)) }, 1},
		{"Norm", func(x *Var) *Var { return x.Norm(2) }, 0},
		{"Std", func(x *Var) *Var { return x.Std(0) }, 0},
		{"PowVar with exponent 0", func(x *Var) *Var { return x.PowVar(Constant(tensor.Zeros(tensor.Float64))) }, 0},
		{"Minimum tie", func(x *Var) *Var { return x.Minimum(Constant(tensor.Zeros(tensor.Float64))) }, 0.5},
	} {
		x := Variable(tensor.Zeros(tensor.Float64))
		c.f(x).Backward()
		got := 0.0
		if x.Gradient() != nil {
			got = x.Gradient().Item()
		}
		if got != c.want {
			t.Errorf("%s: gradient %v at the kink, want %v", c.name, got, c.want)
		}
	}
}

// As torch has them; a gradient that can be differentiated again is the same.
func TestGradientsAtNaNAndAtBounds(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	below, above := float64(math.Nextafter32(-1, 0)), float64(math.Nextafter32(1, 2))
	for name, c := range map[string]struct {
		f    func(x *Var) *Var
		x    []float64
		want []float64
	}{
		"Clamp":          {func(x *Var) *Var { return x.Clamp(0, 1) }, []float64{nan, -inf, inf, 0, 1, 0.5}, []float64{0, 0, 0, 1, 1, 1}},
		"Hardtanh":       {func(x *Var) *Var { return x.Hardtanh(-1, 1) }, []float64{nan, -inf, inf, -1, 1, below, above}, []float64{0, 0, 0, 0, 0, 1, 0}},
		"Hardtanh of -0": {func(x *Var) *Var { return x.Hardtanh(0, inf) }, []float64{math.Copysign(0, -1), 0, 1, inf}, []float64{0, 0, 1, 0}},
		"Maximum":        {func(x *Var) *Var { return x.Maximum(x.Detach().Flip(0)) }, []float64{nan, 3, 3, 1}, []float64{1, 0.5, 0.5, 1}},
		"Minimum":        {func(x *Var) *Var { return x.Minimum(x.Detach().Flip(0)) }, []float64{nan, 2, 3, 1}, []float64{1, 1, 0, 1}},
		"LeakyReLU":      {func(x *Var) *Var { return x.LeakyReLU(0.25) }, []float64{nan, -inf, inf, 0, -1, 1}, []float64{0.25, 0.25, 1, 0.25, 0.25, 1}},
		"ReLU":           {(*Var).ReLU, []float64{nan, -inf, inf, 0, -1, 1}, []float64{1, 0, 1, 0, 0, 1}},
		"Norm of 1/2":    {func(x *Var) *Var { return x.Norm(0.5) }, []float64{0, 1, 4}, []float64{0, 3, 1.5}},
		"norms of 0":     {func(x *Var) *Var { return x.Reshape(3, 1).Norm(0.5, 1) }, []float64{0, -4, 0}, []float64{0, -1, 0}},
	} {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			for mode, opts := range map[string][]BackwardOption{"": nil, ", CreateGraph": {CreateGraph()}} {
				x := Variable(tensor.FromSlice(c.x, len(c.x)).To(dt))
				if got := Grad(c.f(x).Sum(), []*Var{x}, opts...)[0].Tensor().Float64s(); !slices.Equal(got, c.want) {
					t.Errorf("%s of %v%s: %v, want %v", name, dt, mode, got, c.want)
				}
			}
		}
	}
}

// As torch has them.
func TestSecondDerivativesAtKinks(t *testing.T) {
	for name, f := range map[string]func(x *Var) *Var{
		"ELU":  func(x *Var) *Var { return x.ELU(0.7) },
		"SELU": (*Var).SELU,
	} {
		x := Variable(tensor.FromSlice([]float64{0, math.Copysign(0, -1), 2, -1}, 4))
		d := Grad(f(x).Sum(), []*Var{x}, CreateGraph())[0]
		got := Grad(d.Sum(), []*Var{x})[0].Tensor().Float64s()
		if slope := d.Tensor().Float64s()[3]; !slices.Equal(got[:3], []float64{0, 0, 0}) || got[3] != slope {
			t.Errorf("%s: second derivatives %v, want [0 0 0 %v]", name, got, slope)
		}
	}
}

func TestPowVarAtBaseZeroIsDifferentiatedAgain(t *testing.T) {
	for _, c := range []struct {
		v, w              float64
		dw, dvv, dvw, dww float64
	}{
		{0, 2, 0, 2, 0, 0},
		{0, 3, 0, 0, 0, 0},
		{0, 1, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0},
		{2, 0, math.Ln2, 0, 0.5, math.Ln2 * math.Ln2},
		{2, 3, 8 * math.Ln2, 12, 12*math.Ln2 + 4, 8 * math.Ln2 * math.Ln2},
	} {
		v, w := Variable(tensor.FromSlice([]float64{c.v}, 1)), Variable(tensor.FromSlice([]float64{c.w}, 1))
		d := Grad(v.PowVar(w).Sum(), []*Var{v, w}, CreateGraph())
		dv := Grad(d[0].Sum(), []*Var{v})[0].Tensor().At(0)
		of := Grad(d[1].Sum(), []*Var{v, w})
		got := []float64{d[1].Tensor().At(0), dv, of[0].Tensor().At(0), of[1].Tensor().At(0)}
		for i, want := range []float64{c.dw, c.dvv, c.dvw, c.dww} {
			if !(math.Abs(got[i]-want) <= 1e-14) {
				t.Errorf("%v^%v: derivatives w, vv, wv, ww are %v, want %v", c.v, c.w, got, []float64{c.dw, c.dvv, c.dvw, c.dww})
				break
			}
		}
	}
}

func TestReluPassesAnInfiniteGradientWithoutNaN(t *testing.T) {
	x := Variable(tensor.FromSlice([]float64{-1, 1}, 2))
	x.ReLU().BackwardWith(tensor.Full(tensor.Float64, math.Inf(1), 2))
	if g := x.Gradient().Float64s(); g[0] != 0 || !math.IsInf(g[1], 1) {
		t.Errorf("gradient %v, want [0 +Inf]", g)
	}
}

func TestLayerNormOfConstantRowsIsDifferentiatedAgain(t *testing.T) {
	for _, n := range []int{7, 100, 1000} {
		x := Variable(tensor.FromSlice([]float32{3.3, 0.7, -9.1}, 3, 1).Expand(3, n).Clone())
		g := Constant(tensor.Randn(tensor.Float32, 1, 3, n))
		y := LayerNorm(x, nil, nil, 1e-12)
		if largest := tensor.Norm(y.Tensor(), math.Inf(1), false).Item(); largest != 0 {
			t.Errorf("n=%d: the result is up to %v, want 0", n, largest)
		}
		want := GradWith(y, g, []*Var{x}, RetainGraph())[0].Tensor().Float64s()
		for i, got := range GradWith(y, g, []*Var{x}, CreateGraph())[0].Tensor().Float64s() {
			if !(math.Abs(got-want[i]) <= 10) { // of millions
				t.Fatalf("n=%d: gradient %d is %v if it is to be differentiated, else %v", n, i, got, want[i])
			}
		}
	}
}
