package vcentric_test

// Every method of Value once: its numbers against plain Go on a row, its
// gradient against central differences, on vertices and on edges.

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// method is a use of a method on rows a and b of shape [2 3] and a param w
// [3 2], and what it must give for one row.
type method struct {
	use      func(a, b vc.Value) vc.Value
	want     func(a, b, w []float64) []float64
	positive bool // a and b are at least 1/2
}

func each(use func(a, b vc.Value) vc.Value, f func(x, y float64) float64) method {
	return method{use: use, want: func(a, b, _ []float64) []float64 {
		out := make([]float64, len(a))
		for i := range a {
			out[i] = f(a[i], b[i])
		}
		return out
	}}
}

func unary(use func(a vc.Value) vc.Value, f func(x float64) float64) method {
	return each(func(a, _ vc.Value) vc.Value { return use(a) }, func(x, _ float64) float64 { return f(x) })
}

func (m method) of(positive bool) method { m.positive = positive; return m }

// lastDim applies f to each row of three.
func lastDim(use func(a, b vc.Value) vc.Value, f func(a, b []float64) float64) method {
	return method{use: use, want: func(a, b, _ []float64) []float64 {
		return []float64{f(a[:3], b[:3]), f(a[3:], b[3:])}
	}}
}

func total(x []float64) (s float64) {
	for _, v := range x {
		s += v
	}
	return s
}

func softmaxOf(x []float64) []float64 {
	out, sum := make([]float64, len(x)), 0.0
	for i, v := range x {
		out[i] = math.Exp(v)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

func bit(c bool) float64 {
	if c {
		return 1
	}
	return 0
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// inspected have no result to compare: see TestShapeAndString.
var inspected = []string{"Shape", "String"}

var methods = map[string]method{
	"Add":       each(vc.Value.Add, func(x, y float64) float64 { return x + y }),
	"Sub":       each(vc.Value.Sub, func(x, y float64) float64 { return x - y }),
	"Mul":       each(vc.Value.Mul, func(x, y float64) float64 { return x * y }),
	"Div":       each(vc.Value.Div, func(x, y float64) float64 { return x / y }).of(true),
	"Maximum":   each(vc.Value.Maximum, math.Max),
	"Minimum":   each(vc.Value.Minimum, math.Min),
	"AddScalar": unary(func(a vc.Value) vc.Value { return a.AddScalar(0.7) }, func(x float64) float64 { return x + 0.7 }),
	"Scale":     unary(func(a vc.Value) vc.Value { return a.Scale(-1.3) }, func(x float64) float64 { return -1.3 * x }),
	"Neg":       unary(vc.Value.Neg, func(x float64) float64 { return -x }),
	"Exp":       unary(vc.Value.Exp, math.Exp),
	"Log":       unary(vc.Value.Log, math.Log).of(true),
	"Sqrt":      unary(vc.Value.Sqrt, math.Sqrt).of(true),
	"Rsqrt":     unary(vc.Value.Rsqrt, func(x float64) float64 { return 1 / math.Sqrt(x) }).of(true),
	"Sin":       unary(vc.Value.Sin, math.Sin),
	"Cos":       unary(vc.Value.Cos, math.Cos),
	"Abs":       unary(vc.Value.Abs, math.Abs),
	"Square":    unary(vc.Value.Square, func(x float64) float64 { return x * x }),
	"Recip":     unary(vc.Value.Recip, func(x float64) float64 { return 1 / x }).of(true),
	"Pow":       unary(func(a vc.Value) vc.Value { return a.Pow(2.5) }, func(x float64) float64 { return math.Pow(x, 2.5) }).of(true),
	"PowValue":  each(vc.Value.PowValue, math.Pow).of(true),
	"Clamp": unary(func(a vc.Value) vc.Value { return a.Clamp(-0.4, 0.6) }, func(x float64) float64 {
		return math.Min(math.Max(x, -0.4), 0.6)
	}),
	"ReLU":      unary(vc.Value.ReLU, func(x float64) float64 { return math.Max(x, 0) }),
	"LeakyReLU": unary(func(a vc.Value) vc.Value { return a.LeakyReLU(0.3) }, func(x float64) float64 { return math.Max(x, 0.3*x) }),
	"ELU": unary(func(a vc.Value) vc.Value { return a.ELU(1.5) }, func(x float64) float64 {
		if x > 0 {
			return x
		}
		return 1.5 * (math.Exp(x) - 1)
	}),
	"GELU":     unary(vc.Value.GELU, func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }),
	"SiLU":     unary(vc.Value.SiLU, func(x float64) float64 { return x * sigmoid(x) }),
	"Sigmoid":  unary(vc.Value.Sigmoid, sigmoid),
	"Tanh":     unary(vc.Value.Tanh, math.Tanh),
	"Softplus": unary(vc.Value.Softplus, func(x float64) float64 { return math.Log(1 + math.Exp(x)) }),
	"Gt":       each(vc.Value.Gt, func(x, y float64) float64 { return bit(x > y) }),
	"Ge":       each(vc.Value.Ge, func(x, y float64) float64 { return bit(x >= y) }),
	"Lt":       each(vc.Value.Lt, func(x, y float64) float64 { return bit(x < y) }),
	"Le":       each(vc.Value.Le, func(x, y float64) float64 { return bit(x <= y) }),
	"Ne":       unary(func(a vc.Value) vc.Value { return a.Ne(a.Abs()) }, func(x float64) float64 { return bit(x < 0) }),
	"Step":     unary(vc.Value.Step, func(x float64) float64 { return bit(x > 0) }),
	"Eq":       unary(func(a vc.Value) vc.Value { return a.Eq(a.Abs()) }, func(x float64) float64 { return bit(x >= 0) }),
	"Dropout":  unary(func(a vc.Value) vc.Value { return a.Dropout(0.5) }, func(x float64) float64 { return x }), // not training
	"Dot":      lastDim(vc.Value.Dot, dot),
	"SumLast":  lastDim(func(a, _ vc.Value) vc.Value { return a.SumLast() }, func(a, _ []float64) float64 { return total(a) }),
	"MeanLast": lastDim(func(a, _ vc.Value) vc.Value { return a.MeanLast() }, func(a, _ []float64) float64 { return total(a) / 3 }),
	"MaxLast":  lastDim(func(a, _ vc.Value) vc.Value { return a.MaxLast() }, func(a, _ []float64) float64 { return slices.Max(a) }),
	"MinLast":  lastDim(func(a, _ vc.Value) vc.Value { return a.MinLast() }, func(a, _ []float64) float64 { return slices.Min(a) }),
	"SoftmaxLast": {use: func(a, _ vc.Value) vc.Value { return a.SoftmaxLast() }, want: func(a, _, _ []float64) []float64 {
		return append(softmaxOf(a[:3]), softmaxOf(a[3:])...)
	}},
	"Permute": {use: func(a, _ vc.Value) vc.Value { return a.Permute(1, 0) }, want: func(a, _, _ []float64) []float64 {
		return []float64{a[0], a[3], a[1], a[4], a[2], a[5]}
	}},
	"SumTo": {use: func(a, _ vc.Value) vc.Value { return a.SumTo(1, 3) }, want: func(a, _, _ []float64) []float64 {
		return []float64{a[0] + a[3], a[1] + a[4], a[2] + a[5]}
	}},
	"Reshape": {use: func(a, _ vc.Value) vc.Value { return a.Reshape(3, 2) }, want: func(a, _, _ []float64) []float64 { return a }},
	"Slice": {use: func(a, _ vc.Value) vc.Value { return a.Slice(1, 3) }, want: func(a, _, _ []float64) []float64 {
		return []float64{a[1], a[2], a[4], a[5]}
	}},
	"MatMul": {use: func(a, _ vc.Value) vc.Value { return a.MatMul(vc.Param("w")) }, want: func(a, _, w []float64) []float64 {
		out := make([]float64, 4)
		for i := range 2 {
			for j := range 2 {
				for k := range 3 {
					out[i*2+j] += a[i*3+k] * w[k*2+j]
				}
			}
		}
		return out
	}},
}

func TestEveryValueMethodIsTested(t *testing.T) {
	typ := reflect.TypeFor[vc.Value]()
	for i := range typ.NumMethod() {
		name := typ.Method(i).Name
		if _, ok := methods[name]; !ok && !slices.Contains(inspected, name) {
			t.Errorf("the method %s of Value is not in the table", name)
		}
	}
}

func (m method) inputs() []input {
	ins := []input{vertex("a", 2, 3), vertex("b", 2, 3), param("w", 3, 2)}
	if m.positive {
		ins[0], ins[1] = ins[0].positive(), ins[1].positive()
	}
	return ins
}

func TestMethodsComputeWhatGoDoesOnVerticesAndEdges(t *testing.T) {
	g := messy(t)
	for name, m := range methods {
		onVertices := vc.Compile(name, func(v vc.Vertex) vc.Value { return m.use(v.Feature("a"), v.Feature("b")) })
		onEdges := vc.Compile(name, func(v vc.Vertex) vc.Value { return vc.AtEdges(m.use(v.InEdges().Src("a"), v.Feature("b"))) })
		for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-14, tensor.Float32: 1e-6} {
			xs := variables(g, dt, m.inputs())
			a, b, w := xs[0].Tensor().Float64s(), xs[1].Tensor().Float64s(), xs[2].Tensor().Float64s()
			var vertices, edges []float64
			for v := range g.NumVertices() {
				vertices = append(vertices, m.want(a[6*v:][:6], b[6*v:][:6], w)...)
			}
			for e, u := range g.Src() {
				edges = append(edges, m.want(a[6*u:][:6], b[6*g.Dst()[e]:][:6], w)...)
			}
			near(t, name+" of vertices", onVertices.Run(g, bindAll(m.inputs(), xs)...).Tensor().Float64s(), vertices, tol)
			near(t, name+" of edges", onEdges.Run(g, bindAll(m.inputs(), xs)...).Tensor().Float64s(), edges, tol)
		}
	}
}

func TestMethodGradientsEqualCentralDifferences(t *testing.T) {
	for name, m := range methods {
		t.Run(name, func(t *testing.T) {
			gradcheck(t, messy(t), func(v vc.Vertex) vc.Value { return m.use(v.Feature("a"), v.Feature("b")) }, m.inputs())
			gradcheck(t, messy(t), func(v vc.Vertex) vc.Value {
				return vc.AtEdges(m.use(v.InEdges().Src("a"), v.Feature("b")))
			}, m.inputs())
			gradcheck(t, messy(t), func(v vc.Vertex) vc.Value {
				return vc.Sum(m.use(v.InEdges().Src("a"), v.Feature("b")).Mul(v.InEdges().Feature("c")))
			}, append(m.inputs(), edge("c", 1)))
		})
	}
}

func TestSoftmaxOfARowIsStable(t *testing.T) {
	g := mustGraph(t, 4, nil, nil)
	program := vc.Compile("softmax", func(v vc.Vertex) vc.Value { return v.Feature("x").SoftmaxLast() })
	inf := math.Inf(1)
	x := autograd.Variable(tensor.FromSlice([]float32{1e4, 1e4, 0, -1e4, -1e4, -1e4, 1000, -1000, float32(-inf), 3, float32(-inf), 3}, 4, 3))
	y := program.Run(g, vc.VertexFeature("x", x))
	near(t, "softmax", y.Tensor().Float64s(), []float64{0.5, 0.5, 0, 1. / 3, 1. / 3, 1. / 3, 1, 0, 0, 0.5, 0, 0.5}, 1e-7)
	y.BackwardWith(tensor.FromSlice([]float32{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, 4, 3))
	near(t, "gradient", x.Gradient().Float64s(), []float64{0.25, -0.25, 0, 2. / 9, -1. / 9, -1. / 9, 0, 0, 0, 0.25, 0, -0.25}, 1e-7)
}

func TestShapeAndString(t *testing.T) {
	var shapes [][]int
	var text string
	program := vc.Compile("shapes", func(v vc.Vertex) vc.Value {
		h := v.Feature("a")
		shapes = [][]int{h.Shape(), h.Dot(h).Shape(), v.InDegree().Shape(), h.MatMul(vc.Param("w")).Shape()}
		shapes[0][0] = 2 // the caller's own copy
		text = h.String()
		return h
	})
	ins := []input{vertex("a", 2, 3), param("w", 3, 2)}
	g := messy(t)
	out := program.Run(g, bindAll(ins, variables(g, tensor.Float32, ins))...)
	if want := [][]int{{2, 3}, {2}, {}, {2, 2}}; !reflect.DeepEqual(shapes, want) {
		t.Errorf("row shapes are %v, want %v", shapes, want)
	}
	if want := `%0:dst f32[2 3] = input name="a"`; text != want {
		t.Errorf("a value prints as %q, want %q", text, want)
	}
	if got := vc.Param("w").String(); got == "" {
		t.Error("a param prints as nothing")
	}
	if !out.Shape().Equal(tensor.Shape{6, 2, 3}) {
		t.Errorf("the result has shape %v", out.Shape())
	}
}

func TestReshapeInfersOneDimension(t *testing.T) {
	var shapes [][]int
	program := vc.Compile("inferred", func(v vc.Vertex) vc.Value {
		h, none := v.Feature("a"), v.Feature("a").Slice(0, 0)
		w := vc.Param("w").Reshape(-1)
		shapes = [][]int{h.Reshape(-1).Shape(), h.Reshape(3, -1).Shape(), h.Reshape(-1, 2, 3).Shape(), v.InDegree().Reshape(-1).Shape(), none.Reshape(-1, 3).Shape(), h.Reshape(-1).Mul(w).Shape()}
		return vc.Sum(v.InNeighbors().Feature("a").Reshape(-1).Mul(w))
	})
	ins := []input{vertex("a", 2, 3), param("w", 3, 2)}
	g := messy(t)
	xs := variables(g, tensor.Float64, ins)
	out := program.Run(g, bindAll(ins, xs)...)
	if want := [][]int{{6}, {3, 2}, {1, 2, 3}, {1}, {0, 3}, {6}}; !reflect.DeepEqual(shapes, want) {
		t.Errorf("row shapes are %v, want %v", shapes, want)
	}
	told := vc.Compile("told", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("a").Reshape(6).Mul(vc.Param("w").Reshape(6)))
	})
	if want := told.Run(g, bindAll(ins, xs)...); !slices.Equal(out.Tensor().Float64s(), want.Tensor().Float64s()) {
		t.Errorf("the result is %v, want %v", out.Tensor(), want.Tensor())
	}
}

// Over edges the gradient of a maximum goes to the first edge in id order; equal
// operands of a maximum of two get half of it each.
func TestTiesOfMaximaFollowTheDocs(t *testing.T) {
	g := mustGraph(t, 3, []int32{2, 1, 0, 1}, []int32{0, 0, 0, 1})
	x := autograd.Variable(tensor.FromSlice([]float64{5, 5, 5}, 3))
	f := autograd.Variable(tensor.FromSlice([]float64{7, 7, 7, 7}, 4))
	for _, p := range []*vc.Program{
		vc.Compile("max", func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Max(e.Src("x")).Add(vc.Max(e.Feature("f")))
		}),
		vc.Compile("min", func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Min(e.Src("x")).Add(vc.Min(e.Feature("f")))
		}),
	} {
		x.ZeroGrad()
		f.ZeroGrad()
		out := p.Run(g, vc.VertexFeature("x", x), vc.EdgeFeature("f", f))
		near(t, p.Name(), out.Tensor().Float64s(), []float64{12, 12, 0}, 0)
		out.BackwardWith(tensor.FromSlice([]float64{1, 10, 100}, 3))
		near(t, p.Name()+": grad x", x.Gradient().Float64s(), []float64{0, 10, 1}, 0) // edge 0 comes from vertex 2
		near(t, p.Name()+": grad f", f.Gradient().Float64s(), []float64{1, 0, 0, 10}, 0)
	}
	y := autograd.Variable(tensor.FromSlice([]float64{5, 5, 5}, 3))
	x.ZeroGrad()
	both := vc.Compile("maximum", func(v vc.Vertex) vc.Value {
		return v.Feature("x").Maximum(v.Feature("y")).Add(v.Feature("x").Minimum(v.Feature("y")).Scale(4))
	})
	both.Run(g, vc.VertexFeature("x", x), vc.VertexFeature("y", y)).BackwardWith(tensor.FromSlice([]float64{1, 1, 2}, 3))
	near(t, "grad x", x.Gradient().Float64s(), []float64{2.5, 2.5, 5}, 0)
	near(t, "grad y", y.Gradient().Float64s(), []float64{2.5, 2.5, 5}, 0)
}
