package vcentric_test

// Programs of several results, and programs inside programs.

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// gatWithWeights returns attention's output, its weights, and the output again.
func gatWithWeights(v vc.Vertex) []vc.Value {
	u := v.InNeighbors()
	alpha := vc.Softmax(heads1(u, "al", 2).Add(heads1(v, "ar", 2)).LeakyReLU(0.2))
	out := vc.Sum(alpha.Mul(u.Feature("z")))
	return []vc.Value{out, alpha, out}
}

var gatWithWeightsInputs = []input{vertex("z", 2, 3), param("al", 2, 3), param("ar", 2, 3)}

func TestResultsOfAProgramEqualThoseOfProgramsOfOneResult(t *testing.T) {
	many := vc.CompileMany("many", gatWithWeights)
	for i := range 3 {
		one := vc.Compile("one", func(v vc.Vertex) vc.Value { return gatWithWeights(v)[i] })
		for _, bipartite := range []bool{false, true} {
			ins := gatWithWeightsInputs
			if bipartite {
				ins = forBipartite(ins)
			}
			for _, g := range append(graphs(t, bipartite), typedGraphs(t, bipartite)...) {
				xs := variables(g.Graph, tensor.Float64, ins)
				want := runBoth(one, g.Graph, ins, xs)
				for _, x := range xs {
					x.ZeroGrad()
				}
				got := many.RunMany(g.Graph, bindAll(ins, xs)...)
				if len(got) != 3 {
					t.Fatalf("%d results, want 3", len(got))
				}
				// The loss depends on result i alone.
				got[i].BackwardWith(randn(tensor.Float64, 99, got[i].Shape()...))
				what := fmt.Sprintf("%s, result %d", g.name, i)
				near(t, what, got[i].Tensor().Float64s(), want.out, 1e-13)
				for j, x := range xs {
					if x.Gradient() == nil || want.grads[j] == nil {
						t.Errorf("%s: no gradient of %s", what, ins[j].name)
						continue
					}
					near(t, what+": grad "+ins[j].name, x.Gradient().Float64s(), want.grads[j], 1e-12)
				}
			}
		}
	}
}

// The gradient of a loss over several results is the sum of theirs: by central
// differences of the loss.
func TestGradientThroughSeveralResultsEqualsCentralDifferences(t *testing.T) {
	for name, p := range map[string]struct {
		f   func(v vc.Vertex) []vc.Value
		ins []input
	}{
		"vertex, edge and vertex again": {gatWithWeights, gatWithWeightsInputs},
		"a feature and its sum": {func(v vc.Vertex) []vc.Value {
			return []vc.Value{v.Feature("x"), vc.Sum(v.InNeighbors().Feature("x").Tanh())}
		}, []input{vertex("x", 2)}},
		"in-edges and out-edges": {func(v vc.Vertex) []vc.Value {
			in, out := v.InEdges(), v.OutEdges()
			return []vc.Value{in.Src("x").Mul(in.Type("a")), vc.Softmax(out.Dst("x")), v.Feature("x").Mul(v.Type("b"))}
		}, []input{vertex("x", 2), edgeType("a", 2), vertexType("b", 2)}},
	} {
		t.Run(name, func(t *testing.T) {
			g := typed(t, messy(t), 0)
			program := vc.CompileMany(name, p.f)
			xs := variables(g, tensor.Float64, p.ins)
			err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var {
				var loss *autograd.Var
				for i, y := range program.RunMany(g, bindAll(p.ins, xs)...) {
					part := y.Mul(autograd.Constant(randn(tensor.Float64, uint64(i), y.Shape()...))).Sum()
					if loss == nil {
						loss = part
					} else {
						loss = loss.Add(part)
					}
				}
				return loss
			}, xs)
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// A result that the loss does not use, and one that it uses twice.
func TestGradientThroughSomeResultsIsAsIfTheOthersWereNotThere(t *testing.T) {
	g := messy(t)
	program := vc.CompileMany("pair", func(v vc.Vertex) []vc.Value {
		x := v.Feature("x")
		return []vc.Value{x.Scale(2), x.Scale(3), x.Scale(5)}
	})
	x := autograd.Variable(randn(tensor.Float64, 1, 6))
	c := randn(tensor.Float64, 2, 6)
	for _, k := range []struct {
		name string
		loss func(y []*autograd.Var) *autograd.Var
		want float64
	}{
		{"the first", func(y []*autograd.Var) *autograd.Var { return y[0] }, 2},
		{"the last", func(y []*autograd.Var) *autograd.Var { return y[2] }, 5},
		{"the first and the last", func(y []*autograd.Var) *autograd.Var { return y[0].Add(y[2]) }, 7},
		{"one of them twice", func(y []*autograd.Var) *autograd.Var { return y[1].Add(y[1]) }, 6},
	} {
		x.ZeroGrad()
		k.loss(program.RunMany(g, vc.VertexFeature("x", x))).BackwardWith(c)
		want := c.Float64s()
		for i := range want {
			want[i] *= k.want
		}
		near(t, k.name, x.Gradient().Float64s(), want, 1e-14)
	}
}

func TestMisuseOfSeveralResultsNamesTheProgram(t *testing.T) {
	g := messy(t)
	x := vc.VertexFeature("x", autograd.Constant(randn(tensor.Float32, 1, 6, 3)))
	wantMisuse[*vc.BindError](t, "Run of several results", func() {
		vc.CompileMany("pair", func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x")} }).Run(g, x)
	}, "pair", "RunMany")
	for _, c := range []struct {
		name, at string
		f        func(v vc.Vertex) []vc.Value
		want     string
	}{
		{"no results", here(), func(v vc.Vertex) []vc.Value { return nil }, "no results"},
		{"the zero value", here(), func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x"), {}} }, "zero Value"},
		{"a neighbour's value", here(), func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x"), v.OutNeighbors().Feature("x")} }, "AtEdges"},
		{"a param", here(), func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x"), vc.Number(3)} }, "param"},
	} {
		wantMisuse[*ir.Error](t, c.name, func() { vc.CompileMany("bad", c.f).RunMany(g, x) }, c.at, c.want)
	}
	one := vc.Compile("one", func(v vc.Vertex) vc.Value { return v.Feature("x").Scale(2) })
	if got := one.RunMany(g, x); len(got) != 1 {
		t.Errorf("RunMany of a program of one result gives %d", len(got))
	}
}

func TestCallInlinesTheProgram(t *testing.T) {
	hop := vc.Compile("hop", func(v vc.Vertex) vc.Value {
		return vc.Sum(v.InNeighbors().Feature("h").Mul(v.InEdges().Feature("w"))).MatMul(vc.Param("W")).Add(v.Feature("h")).Tanh()
	})
	two := vc.Compile("two hops", func(v vc.Vertex) vc.Value {
		h := hop.Call(v)
		return hop.Call(v, vc.Let{Name: "h", Value: h})
	})
	ins := []input{vertex("h", 3), edge("w"), param("W", 3, 3)}
	for _, g := range append(graphs(t, false), typedGraphs(t, false)...) {
		xs := variables(g.Graph, tensor.Float64, ins)
		got := runBoth(two, g.Graph, ins, xs)
		for _, x := range xs {
			x.ZeroGrad()
		}
		h := hop.Run(g.Graph, bindAll(ins, xs)...)
		out := hop.Run(g.Graph, vc.VertexFeature("h", h), vc.EdgeFeature("w", xs[1]), vc.ParamValue("W", xs[2]))
		out.BackwardWith(randn(tensor.Float64, 99, out.Shape()...))
		near(t, g.name, got.out, out.Tensor().Float64s(), 1e-13)
		for i, x := range xs {
			near(t, g.name+": grad "+ins[i].name, got.grads[i], x.Gradient().Float64s(), 1e-12)
		}
	}
}

// A program that calls another gives with a let what it gives with that feature bound.
func TestALetIsSeenThroughAllCalls(t *testing.T) {
	hop := vc.Compile("hop", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h")) })
	layer := vc.Compile("layer", func(v vc.Vertex) vc.Value { return hop.Call(v).Sub(v.Feature("h")).Tanh() })
	two := vc.Compile("two layers", func(v vc.Vertex) vc.Value { return layer.Call(v, vc.Let{Name: "h", Value: layer.Call(v)}) })
	for _, g := range graphs(t, false) {
		x := variables(g.Graph, tensor.Float64, []input{vertex("h", 3)})[0]
		want := layer.Run(g.Graph, vc.VertexFeature("h", layer.Run(g.Graph, vc.VertexFeature("h", x))))
		near(t, g.name, two.Run(g.Graph, vc.VertexFeature("h", x)).Tensor().Float64s(), want.Tensor().Float64s(), 1e-13)
	}
}

// The matrix of a vertex's type that a program computes is one for both ends of an edge,
// which may have different types.
func TestComputedMatricesOfTheTypesOfBothEndsEqualBoundOnes(t *testing.T) {
	at := vc.Compile("at neighbour", func(v vc.Vertex) vc.Value { return v.InNeighbors().Feature("W") })
	both := func(v vc.Vertex, own, other vc.Value) vc.Value {
		x := v.InEdges().Feature("x")
		return vc.Sum(x.MatMul(own).Tanh().Add(x.MatMul(other).Square()))
	}
	computed := vc.Compile("computed", func(v vc.Vertex) vc.Value {
		w := v.Type("w").MatMul(vc.Param("u")).Tanh()
		return both(v, w, at.Call(v, vc.Let{Name: "W", Value: w}))
	})
	bound := vc.Compile("bound", func(v vc.Vertex) vc.Value { return both(v, v.Type("W"), v.InNeighbors().Type("W")) })
	ins := []input{edge("x", 3), vertexType("w", 3, 1), param("u", 1, 4)}
	for _, g := range typedGraphs(t, false) {
		xs := variables(g.Graph, tensor.Float64, ins)
		x, w, u := xs[0], xs[1], xs[2]
		W := w.Mul(u.Reshape(1, 1, 4)).Tanh() // [types 3 1] by [1 4]
		got := computed.Run(g.Graph, vc.EdgeFeature("x", x), vc.VertexTypeFeature("w", w), vc.ParamValue("u", u))
		want := bound.Run(g.Graph, vc.EdgeFeature("x", x), vc.VertexTypeFeature("W", W))
		near(t, g.name, got.Tensor().Float64s(), want.Tensor().Float64s(), 1e-13)
		cotangent := autograd.Constant(randn(tensor.Float64, 99, got.Shape()...))
		a, b := autograd.GradWith(got, cotangent, xs), autograd.GradWith(want, cotangent, xs)
		for i := range xs {
			near(t, g.name+": grad "+ins[i].name, a[i].Tensor().Float64s(), b[i].Tensor().Float64s(), 1e-12)
		}
	}
}

// A program of ten calls equals ten runs, in result and gradient.
func TestTenStepsOfAPPNPInOneProgramEqualTenRuns(t *testing.T) {
	one := vc.Compile("appnp", zooLayerOf("appnp").vertex(smallDims))
	ins := []input{vertex("x", 5)}
	for _, g := range graphs(t, false) {
		xs := variables(g.Graph, tensor.Float64, ins)
		got := runBoth(one, g.Graph, ins, xs)
		x := autograd.Variable(xs[0].Tensor().Clone())
		z := x
		for range 10 {
			z = appnpHop.Run(g.Graph, vc.VertexFeature("z", z), vc.VertexFeature("x", x))
		}
		z.BackwardWith(randn(tensor.Float64, 99, z.Shape()...))
		near(t, g.name, got.out, z.Tensor().Float64s(), 1e-13)
		near(t, g.name+": grad x", got.grads[0], x.Gradient().Float64s(), 1e-13)
	}
}

// What a let stands for is seen by calls inside the called program, too, unless they
// have one of that name: a program with a let is the program with that feature.
func TestLetsOfNestedCalls(t *testing.T) {
	inner := vc.Compile("inner", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("a")).Add(v.Feature("b")) })
	for _, c := range []struct {
		name string
		f    func(v vc.Vertex) vc.Value
		same func(v vc.Vertex) vc.Value
	}{
		{"of a number", func(v vc.Vertex) vc.Value {
			return inner.Call(v, vc.Let{Name: "a", Value: vc.Number(2)})
		}, func(v vc.Vertex) vc.Value {
			return v.InDegree().Scale(2).Add(v.Feature("b"))
		}},
		{"of a param", func(v vc.Vertex) vc.Value {
			return inner.Call(v, vc.Let{Name: "b", Value: vc.Param("p")})
		}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("a")).Add(vc.Param("p"))
		}},
		{"of the value of a type", func(v vc.Vertex) vc.Value {
			return inner.Call(v, vc.Let{Name: "a", Value: v.Type("t")})
		}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Type("t")).Add(v.Feature("b"))
		}},
		{"of both", func(v vc.Vertex) vc.Value {
			return inner.Call(v, vc.Let{Name: "a", Value: v.Feature("b")}, vc.Let{Name: "b", Value: v.Feature("a")})
		}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("b")).Add(v.Feature("a"))
		}},
		{"of an aggregate over out-edges", func(v vc.Vertex) vc.Value {
			return inner.Call(v, vc.Let{Name: "a", Value: vc.Sum(v.OutNeighbors().Feature("a"))})
		}, func(v vc.Vertex) vc.Value {
			return inner.Call(v, vc.Let{Name: "a", Value: vc.Sum(v.OutEdges().Dst("a"))})
		}},
		{"inside a called program", func(v vc.Vertex) vc.Value {
			outer := vc.Compile("outer", func(v vc.Vertex) vc.Value {
				return inner.Call(v, vc.Let{Name: "b", Value: v.Feature("a").Scale(3)})
			})
			return outer.Call(v, vc.Let{Name: "a", Value: v.Feature("b").Tanh()})
		}, func(v vc.Vertex) vc.Value {
			return inner.Call(v, vc.Let{Name: "a", Value: v.Feature("b").Tanh()}, vc.Let{Name: "b", Value: v.Feature("b").Tanh().Scale(3)})
		}},
	} {
		g := typed(t, messy(t), 0)
		ins := []input{vertex("a"), vertex("b"), param("p"), vertexType("t")}
		xs := variables(g, tensor.Float64, ins)
		got, want := runBoth(vc.Compile(c.name, c.f), g, ins, xs), runBoth(vc.Compile(c.name, c.same), g, ins, xs)
		near(t, c.name, got.out, want.out, 1e-14)
		for i := range ins {
			if (got.grads[i] == nil) != (want.grads[i] == nil) {
				t.Errorf("%s: gradient of %s: %v, want %v", c.name, ins[i].name, got.grads[i], want.grads[i])
			} else if want.grads[i] != nil {
				near(t, c.name+": grad "+ins[i].name, got.grads[i], want.grads[i], 1e-14)
			}
		}
	}
}

func TestMisuseOfCallsNamesTheLine(t *testing.T) {
	hop := vc.Compile("hop", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x")) })
	pair := vc.CompileMany("pair", func(v vc.Vertex) []vc.Value { return []vc.Value{v.Feature("x"), v.Feature("x")} })
	let := func(x vc.Value) vc.Let { return vc.Let{Name: "x", Value: x} }
	var other vc.Vertex
	vc.Compile("other", func(v vc.Vertex) vc.Value { other = v; return v.InDegree() }).
		Run(messy(t), vc.VertexFeature("x", autograd.Constant(randn(tensor.Float32, 1, 6, 3))))
	homogeneous, bipartite := messy(t), messyBipartite(t)
	for _, c := range []struct {
		name, at string
		g        *graph.Graph
		f        func(v vc.Vertex) vc.Value
		want     []string
	}{
		{"no vertex", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(vc.Vertex{}) }, []string{"call of hop", "no program"}},
		{"a neighbour", here(), homogeneous, func(v vc.Vertex) vc.Value { return vc.Sum(hop.Call(v.InNeighbors())) }, []string{"call of hop", "two hops"}},
		{"several results", here(), homogeneous, func(v vc.Vertex) vc.Value { return pair.Call(v) }, []string{"call of pair", "several results"}},
		{"an edge's value", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(v, let(v.InEdges().Feature("f"))) }, []string{"call of hop", `"x"`, "edges"}},
		{"an out-edge's value", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(v, let(v.OutEdges().Feature("f"))) }, []string{"call of hop", `"x"`, "edges"}},
		{"a neighbour's value", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(v, let(v.InNeighbors().Feature("x"))) }, []string{"call of hop", `"x"`, "centre"}},
		{"a number at each edge", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(v, let(vc.AtEdges(vc.Number(1)))) }, []string{"call of hop", `"x"`, "edges"}},
		{"a softmax of a number", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(v, let(vc.Softmax(vc.Number(1)))) }, []string{"call of hop", `"x"`, "edges"}},
		{"a name twice", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(v, let(v.Feature("x")), let(v.Feature("x"))) }, []string{"call of hop", `"x"`, "twice"}},
		{"the zero value", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(v, let(vc.Value{})) }, []string{"zero Value"}},
		{"a let on a bipartite graph", here(), bipartite, func(v vc.Vertex) vc.Value { return hop.Call(v, let(v.Feature("x"))) }, []string{"call of hop", "bipartite"}},
		{"another program's vertex", here(), homogeneous, func(v vc.Vertex) vc.Value { return hop.Call(other) }, []string{"another program"}},
		{"not bound, inside", here(), homogeneous, func(v vc.Vertex) vc.Value {
			return vc.Compile("reads y", func(v vc.Vertex) vc.Value { return v.Feature("y") }).Call(v)
		}, []string{`vertex feature "y" is not bound`}},
	} {
		bindings := []vc.Binding{vc.VertexFeature("x", autograd.Constant(randn(tensor.Float32, 1, c.g.NumDst(), 3)))}
		if c.g.IsBipartite() {
			bindings = []vc.Binding{vc.DstFeature("x", autograd.Constant(randn(tensor.Float32, 1, c.g.NumDst(), 3)))}
		}
		bindings = append(bindings, vc.EdgeFeature("f", autograd.Constant(randn(tensor.Float32, 1, c.g.NumEdges(), 3))))
		if c.name == "not bound, inside" || c.name == "the zero value" { // it is the called program that reads it
			c.at = "many_test.go:"
		}
		wantMisuse[*ir.Error](t, c.name, func() { vc.Compile("bad", c.f).Run(c.g, bindings...) }, append(c.want, c.at)...)
	}
}
