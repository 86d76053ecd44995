package vcentric_test

// Gradients of gradients.

import (
	"errors"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// gradients returns those of results contracted with cotangents, which can be differentiated
// in turn, as one row.
func gradients(program *vc.Program, g *graph.Graph, ins []input, xs []*autograd.Var, c *autograd.Var, more ...vc.Binding) *autograd.Var {
	y := program.Run(g, append(bindAll(ins, xs), more...)...)
	var rows []*autograd.Var
	for _, d := range autograd.GradWith(y, c, xs, autograd.CreateGraph()) {
		if d != nil {
			rows = append(rows, d.Reshape(-1))
		}
	}
	return autograd.Concat(0, rows...)
}

// second checks that gradients under CreateGraph are those of the backward plan, and that
// their own gradients are central differences of them.
func second(t *testing.T, g *graph.Graph, l layer, more ...vc.Binding) {
	t.Helper()
	program := vc.Compile(l.name, l.vertex)
	xs := variables(g, tensor.Float64, l.ins)
	y := program.Run(g, append(bindAll(l.ins, xs), more...)...)
	c := autograd.Variable(randn(tensor.Float64, 11, y.Shape()...))
	y.BackwardWith(c.Tensor())
	var want []float64
	for _, x := range xs {
		if x.Gradient() != nil {
			want = append(want, x.Gradient().Float64s()...)
		}
	}
	near(t, l.name+": gradients under CreateGraph", gradients(program, g, l.ins, xs, c, more...).Tensor().Float64s(), want, 1e-12)
	f := func(vs ...*autograd.Var) *autograd.Var {
		return gradients(program, g, l.ins, vs[:len(xs)], vs[len(xs)], more...)
	}
	if err := autograd.Gradcheck(f, append(xs, c), autograd.GradcheckTolerance(1e-5, 1e-6)); err != nil {
		t.Error(err)
	}
}

func TestGradientsOfGradientsEqualCentralDifferences(t *testing.T) {
	for _, l := range layers {
		t.Run(l.name, func(t *testing.T) { second(t, messy(t), l) })
	}
	for _, l := range bipartiteLayers {
		t.Run("bipartite "+l.name, func(t *testing.T) { second(t, messyBipartite(t), l) })
	}
	for _, l := range zooLayers(smallDims) {
		t.Run(l.name, func(t *testing.T) { second(t, typed(t, messy(t), 0), l) })
	}
	for _, l := range dropouts {
		t.Run("dropout "+l.name, func(t *testing.T) { second(t, messy(t), l, vc.Training(3)) })
	}
}

// A product for each head, whose weights' gradient is one for each head too.
func TestGradientsOfGradientsOfHeads(t *testing.T) {
	second(t, messy(t), layer{"heads", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("z").MatMul(vc.Param("w")).Mul(e.Dst("z").Mul(e.Feature("f")).MatMul(vc.Param("w"))).Tanh())
	}, []input{vertex("z", 2, 3), edge("f"), param("w", 2, 3, 2)}})
}

// A radial basis sin(k·d) in a cosine cutoff, as forces of molecules differentiate them twice.
func TestGradientsOfGradientsOfSineAndCosine(t *testing.T) {
	second(t, messy(t), layer{"radial", func(v vc.Vertex) vc.Value {
		d := v.InEdges().Feature("d")
		cutoff := d.Cos().AddScalar(1).Scale(0.5)
		return vc.Sum(d.Mul(vc.Param("k")).Sin().Mul(cutoff).Mul(v.InEdges().Src("h")))
	}, []input{edge("d", 1), param("k", 3), vertex("h", 3)}})
}

// The power mean of GENConv (Li et al. 2020) with a learned exponent.
func TestGradientsOfGradientsOfPowers(t *testing.T) {
	second(t, messy(t), layer{"power mean", func(v vc.Vertex) vc.Value {
		p := vc.Param("p")
		mean := vc.Mean(v.InEdges().Src("h").PowValue(p))
		return mean.Maximum(vc.Number(1e-3)).PowValue(p.Recip())
	}, []input{vertex("h", 3).positive(), param("p", 1).positive()}})
}

// FeaStNet's translation-invariant weights (Verma et al. 2018).
func TestGradientsOfGradientsOfASoftmaxOfTheRow(t *testing.T) {
	second(t, messy(t), layer{"feast", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		q := e.Src("h").Sub(e.Dst("h")).MatMul(vc.Param("u")).Add(vc.Param("c")).SoftmaxLast()
		return vc.Mean(q.Reshape(4, 1).Mul(e.Src("h").MatMul(vc.Param("W")).Reshape(4, 2)).SumTo(1, 2))
	}, []input{vertex("h", 3), param("u", 3, 4), param("c", 4), param("W", 3, 8)}})
}

// Attention within relations, on a graph with a type without edges.
func TestGradientsOfGradientsOfASoftmaxByType(t *testing.T) {
	second(t, typed(t, messy(t), 0), layer{"wirgat", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		z := e.Src("x").MatMul(e.Type("W"))
		alpha := vc.SoftmaxByType(z.Dot(e.Type("k")).Add(e.Dst("x").MatMul(e.Type("W")).Dot(e.Type("q"))).Tanh())
		return vc.Sum(alpha.Mul(z))
	}, []input{vertex("x", 3), edgeType("W", 3, 2), edgeType("k", 2), edgeType("q", 2)}})
}

// The conventions of the tape's PowVar.
func TestDerivativesOfAPowerAtBaseZeroAndExponentZero(t *testing.T) {
	g := mustGraph(t, 6, nil, nil)
	x := autograd.Variable(tensor.FromSlice([]float64{0, 0, 0, 0, 2, 2}, 6))
	p := autograd.Variable(tensor.FromSlice([]float64{2, 3, 1, 0, 0, 3}, 6))
	power := vc.Compile("power", func(v vc.Vertex) vc.Value { return v.Feature("x").PowValue(v.Feature("p")) })
	derivatives := func(y *autograd.Var) [][]float64 {
		all := [][]float64{y.Tensor().Float64s()}
		d := autograd.Grad(y.Sum(), []*autograd.Var{x, p}, autograd.CreateGraph())
		for _, d := range d {
			all = append(all, d.Tensor().Float64s())
			for _, dd := range autograd.Grad(d.Sum(), []*autograd.Var{x, p}, autograd.CreateGraph()) {
				all = append(all, dd.Tensor().Float64s())
			}
		}
		return all
	}
	got := derivatives(power.Run(g, vc.VertexFeature("x", x), vc.VertexFeature("p", p)))
	for i, want := range derivatives(x.PowVar(p)) {
		near(t, []string{"value", "x", "xx", "xp", "p", "px", "pp"}[i], got[i], want, 1e-14)
	}
}

// Of several results some may have no cotangent, and of what is bound some need no gradient.
func TestGradientsOfGradientsOfSomeResultsAndInputs(t *testing.T) {
	g := messy(t)
	program := vc.CompileMany("several", func(v vc.Vertex) []vc.Value {
		e := v.InEdges()
		m := e.Src("h").Mul(e.Feature("f")).MatMul(vc.Param("w"))
		return []vc.Value{vc.Sum(m.Tanh()), m.Sigmoid(), v.Feature("c").Mul(vc.Max(m))}
	})
	ins := []input{vertex("h", 3), edge("f", 3), param("w", 3, 2), vertex("c", 2)}
	for _, used := range [][]int{{0}, {1}, {2}, {2, 0}, {0, 1, 2}} {
		for _, constant := range []int{-1, 0, 1, 2, 3} {
			xs := variables(g, tensor.Float64, ins)
			var wanted []*autograd.Var
			for i, x := range xs {
				if x.SetRequiresGrad(i != constant); i != constant {
					wanted = append(wanted, x)
				}
			}
			f := func(...*autograd.Var) *autograd.Var {
				ys := program.RunMany(g, bindAll(ins, xs)...)
				loss := autograd.Constant(tensor.Full(tensor.Float64, 0))
				for _, i := range used {
					loss = loss.Add(ys[i].Square().Sum())
				}
				var rows []*autograd.Var
				for _, d := range autograd.Grad(loss, wanted, autograd.CreateGraph()) {
					if d != nil {
						rows = append(rows, d.Reshape(-1))
					}
				}
				return autograd.Concat(0, rows...)
			}
			if err := autograd.Gradcheck(f, wanted, autograd.GradcheckTolerance(1e-5, 1e-6)); err != nil {
				t.Errorf("results %v, input %d constant: %v", used, constant, err)
			}
		}
	}
}

// The power of a sum, whose third derivative is known.
func TestThirdDerivatives(t *testing.T) {
	g := mustGraph(t, 2, []int32{0, 1, 1}, []int32{1, 1, 0})
	cube := vc.Compile("cube", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x")).Pow(3) })
	x := autograd.Variable(tensor.FromSlice([]float64{2, 5}, 2, 1))
	y := cube.Run(g, vc.VertexFeature("x", x)).Sum() // x1³ + (x0 + x1)³
	for _, want := range [][]float64{{147, 222}, {42 + 42, 84 + 30}, {6*2 + 6*2, 6*2 + 6*2 + 6}} {
		y = autograd.Grad(y, []*autograd.Var{x}, autograd.CreateGraph())[0]
		near(t, "derivative", y.Tensor().Float64s(), want, 1e-12)
		y = y.Sum()
	}
}

// A gradient penalty trains: the usual backward pass goes through the first gradient.
func TestBackwardGoesThroughAGradient(t *testing.T) {
	g := messy(t)
	program := vc.Compile("penalised", func(v vc.Vertex) vc.Value { return attention(v, 2, 0.2).Tanh() })
	ins := []input{vertex("z", 2, 2), param("al", 2, 2), param("ar", 2, 2)}
	for _, native := range []bool{false, true} {
		if _, err := exec.LookPath("cc"); native && err != nil {
			continue
		} else if native {
			program = program.Native("cc")
		}
		xs := variables(g, tensor.Float64, ins)
		f := func(...*autograd.Var) *autograd.Var {
			y := program.Run(g, bindAll(ins, xs)...)
			d := autograd.Grad(y.Square().Sum(), xs[:1], autograd.CreateGraph())[0]
			return y.Sum().Add(d.Square().Sum())
		}
		if err := autograd.Gradcheck(f, xs, autograd.GradcheckTolerance(1e-5, 1e-6)); err != nil {
			t.Errorf("native %v: %v", native, err)
		}
	}
}

// A gradient that nobody asks for is not computed: where it is infinite, nothing becomes NaN.
func TestGradientsThatNobodyWantsCountForNothing(t *testing.T) {
	g := mustGraph(t, 2, []int32{0, 1, 1}, []int32{1, 1, 0})
	program := vc.Compile("roots", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InEdges().Feature("f").Sqrt().Mul(vc.Param("w").Square()))
	})
	f, w := autograd.Variable(tensor.FromSlice([]float64{4, 0, 9}, 3, 1)), autograd.Variable(tensor.FromSlice([]float64{3}, 1))
	y := program.Run(g, vc.EdgeFeature("f", f), vc.ParamValue("w", w)).Sum() // 5 w²
	slope := func(xs ...*autograd.Var) *autograd.Var { return autograd.Grad(y, xs, autograd.CreateGraph())[0] }
	near(t, "second derivative", autograd.Grad(slope(w).Sum(), []*autograd.Var{w})[0].Tensor().Float64s(), []float64{10}, 1e-14)
	near(t, "of both", slope(w, f).Tensor().Float64s(), []float64{30}, 1e-14)
}

// Cotangents have names that nothing has that is bound, read or not: what a linear program is
// bound to is not read by the gradients of its gradients.
func TestCotangentsHaveNamesOfTheirOwn(t *testing.T) {
	g := messy(t)
	program := vc.Compile("linear", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("h")).MatMul(vc.Param("w"))
	})
	h, w := autograd.Constant(randn(tensor.Float64, 1, 6, 3)), autograd.Variable(randn(tensor.Float64, 2, 3, 2))
	run := func(w *autograd.Var) *autograd.Var {
		return program.Run(g, vc.VertexFeature("h", h), vc.ParamValue("w", w), vc.VertexFeature("∂out", h))
	}
	// The gradient of y·c to w, contracted with d, is linear in c with the gradient y of d.
	y, last := run(w), w
	for i := range 6 {
		c := autograd.Variable(randn(tensor.Float64, uint64(3+i), y.Shape()...))
		y, last = autograd.GradWith(y, c, []*autograd.Var{last}, autograd.CreateGraph())[0], c
		if i%2 == 1 {
			near(t, "gradient", y.Tensor().Float64s(), run(last).Tensor().Float64s(), 1e-12)
		}
	}
}

// DetectAnomaly names the user's line, of programs of gradients that which asks for them.
func TestAnomaliesAreFoundWhereGradientsAreAskedFor(t *testing.T) {
	program := vc.Compile("root", func(v vc.Vertex) vc.Value { return v.Feature("x").Sqrt() })
	below, zero := autograd.Variable(tensor.FromSlice([]float64{-1}, 1, 1)), autograd.Variable(tensor.FromSlice([]float64{0}, 1, 1))
	g := mustGraph(t, 1, nil, nil)
	line := func(f func()) int {
		var e *autograd.AnomalyError
		if !errors.As(autograd.Try(f), &e) || !strings.Contains(e.Where, "derive_test.go:") {
			t.Fatalf("found %v", e)
		}
		n, err := strconv.Atoi(e.Where[strings.LastIndex(e.Where, ":")+1:])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	y := program.Run(g, vc.VertexFeature("x", zero))
	c := autograd.DetectAnomaly(autograd.Constant(tensor.Zeros(tensor.Float64, 1, 1))) // 0 times infinity
	_, _, here, _ := runtime.Caller(0)
	forward := line(func() { program.Run(g, vc.VertexFeature("x", autograd.DetectAnomaly(below))) })
	gradient := line(func() { autograd.GradWith(y, c, []*autograd.Var{zero}, autograd.CreateGraph()) })
	if forward != here+1 || gradient != here+2 {
		t.Errorf("found in lines %d and %d, want %d and %d", forward, gradient, here+1, here+2)
	}
}
