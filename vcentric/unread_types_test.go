package vcentric_test

// The matrix of a type may be infinite where nobody reads it: it then counts for nothing, in
// results and in gradients.

import (
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// halfTyped has vertices 0 and 2 of type 1, which have no in-edges, and vertex 1 of type 0, which
// has no out-edges; no edge is of type 1.
func halfTyped(t *testing.T) *graph.Graph {
	t.Helper()
	g, err := graph.New(3, []int32{0, 2}, []int32{1, 1}, graph.WithVertexTypes([]int32{1, 0, 1}, 2), graph.WithEdgeTypes([]int32{0, 0}, 2))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The matrices are 1/W, and W is 0 for the type that nobody reads.
func TestInfiniteMatricesOfTypesThatNobodyReadsSpoilNothing(t *testing.T) {
	g := halfTyped(t)
	ins := []input{vertex("h", 2), vertex("x", 2), param("p", 2, 2), vertexType("W", 2, 2).positive(), edgeType("R", 2, 2).positive(), edge("f", 2)}
	for _, c := range []struct {
		name   string
		unread map[string]int // a type for each of the matrices
		f      func(v vc.Vertex) vc.Value
	}{
		{"of a destination's rows", map[string]int{"W": 1}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("h").Mul(e.Dst("x").MatMul(e.DstType("W").Recip())))
		}},
		{"of a destination's rows, which are products", map[string]int{"W": 1}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("h").Mul(e.Dst("x").MatMul(vc.Param("p")).MatMul(e.DstType("W").Recip())))
		}},
		{"of a source's rows", map[string]int{"W": 0}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Dst("h").Mul(e.Src("x").MatMul(vc.Param("p")).MatMul(e.SrcType("W").Recip())))
		}},
		{"of the centre's rows, read across out-edges", map[string]int{"W": 0}, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.OutEdges().Dst("h").Mul(v.Feature("x").MatMul(vc.Param("p")).MatMul(v.Type("W").Recip())))
		}},
		{"of sums", map[string]int{"W": 1}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("h").MatMul(e.DstType("W").Recip()))
		}},
		{"of sums, after another one", map[string]int{"W": 1}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("h").Mul(e.Dst("x")).MatMul(vc.Param("p")).MatMul(e.DstType("W").Recip()).MatMul(vc.Param("p")))
		}},
		{"of edges' rows, which backward sums for sources", map[string]int{"W": 0}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			w := e.SrcType("W").Recip().MatMul(vc.Param("p"))
			return vc.Sum(e.Feature("f").Mul(vc.AtEdges(e.Src("h")).MatMul(w)))
		}},
		{"of edges' types", map[string]int{"R": 1}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("h").Mul(e.Feature("f")).MatMul(e.Type("R").Recip()).Add(e.Dst("x").MatMul(e.Type("R").Recip()).Tanh()))
		}},
		{"of an edge type's rows", map[string]int{"R": 1}, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("h").Mul(vc.Param("p").MatMul(e.Type("R").Recip()).SumTo(1, 2).Reshape(2)))
		}},
	} {
		run := func(infinite bool) map[string][]float64 {
			xs, got := variables(g, tensor.Float64, ins), make(map[string][]float64)
			for i, in := range ins {
				if unread, ok := c.unread[in.name]; ok {
					row := tensor.Data[float64](xs[i].Tensor())[4*unread:][:4]
					for k := range row {
						if row[k] = 1; infinite {
							row[k] = 0
						}
					}
				}
			}
			program := vc.Compile(c.name, c.f)
			y := program.Run(g, bindAll(ins, xs)...)
			got["out"] = y.Tensor().Float64s()
			derived := autograd.Grad(y.Sum(), xs, autograd.CreateGraph())
			program.Run(g, bindAll(ins, xs)...).Sum().Backward()
			add := func(what string) {
				for i, in := range ins {
					if d := xs[i].Gradient(); d != nil {
						got[what+in.name] = d.Float64s()
						xs[i].ZeroGrad()
					}
				}
			}
			add("gradient of ")
			sum := autograd.Constant(tensor.Zeros(tensor.Float64))
			for i, d := range derived {
				if d != nil {
					got["gradient under CreateGraph of "+ins[i].name] = d.Tensor().Float64s()
					sum = sum.Add(d.Square().Sum())
				}
			}
			sum.Backward()
			add("second gradient of ")
			return got
		}
		got, want := run(true), run(false)
		for what, x := range want {
			near(t, fmt.Sprintf("%s: %s", c.name, what), got[what], x, 1e-12)
		}
	}
}

// Of two vertices of a type whose matrix is infinite, that which nobody reads has gradient 0.
func TestInfiniteMatricesOfTypesThatSomeReadSpoilNoOtherVertex(t *testing.T) {
	g, err := graph.New(2, []int32{0}, []int32{1}, graph.WithVertexTypes([]int32{0, 0}, 1))
	if err != nil {
		t.Fatal(err)
	}
	ins := []input{vertex("h", 2), vertex("x", 2), vertexType("W", 2, 2)}
	xs := variables(g, tensor.Float64, ins)
	clear(tensor.Data[float64](xs[2].Tensor()))
	vc.Compile("one of two", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(e.Src("h").Mul(e.Dst("x").MatMul(e.DstType("W").Recip())))
	}).Run(g, bindAll(ins, xs)...).Sum().Backward()
	near(t, "gradient of the vertex without in-edges", xs[1].Gradient().Float64s()[:2], []float64{0, 0}, 0)
}

// A sum over no edges is 0 also where a matrix that is infinite leaves it.
func TestSumsOfProductsOverNoEdgesAreZeroWhateverTheMatrix(t *testing.T) {
	g := halfTyped(t)
	for _, cols := range []int{1, 2, 3} {
		ins := []input{vertex("h", 2), edge("f", 2), param("W", 2, cols)}
		for name, f := range map[string]func(v vc.Vertex) vc.Value{
			"of sources": func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("h").MatMul(vc.Param("W").Recip())) },
			"of edges":   func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Feature("f").MatMul(vc.Param("W").Recip())) },
		} {
			xs := variables(g, tensor.Float64, ins)
			clear(tensor.Data[float64](xs[2].Tensor()))
			out := vc.Compile(name, f).Run(g, bindAll(ins, xs)...).Tensor().Float64s()
			for _, v := range []int{0, 2} {
				near(t, name, out[v*cols:][:cols], make([]float64, cols), 0)
			}
		}
	}
}

// A vertex is none of those that have edges of the type whose matrix is infinite.
func TestInfiniteMatricesOfEdgeTypesSpoilOnlyVerticesWithEdgesOfTheType(t *testing.T) {
	src, dst := make([]int32, 61), make([]int32, 61) // many edges for each vertex, and one of type 1, to vertex 1
	types := make([]int32, 61)
	for e := range src {
		src[e], dst[e] = int32(e%3), int32(e/3%3)
	}
	src[60], dst[60], types[60] = 0, 1, 1
	g, err := graph.New(3, src, dst, graph.WithEdgeTypes(types, 2))
	if err != nil {
		t.Fatal(err)
	}
	ins := []input{vertex("h", 8), edge("f", 8), edgeType("R", 8, 8).positive()}
	finite := variables(g, tensor.Float64, ins)
	xs := variables(g, tensor.Float64, ins)
	clear(tensor.Data[float64](xs[2].Tensor())[64:])
	for name, f := range map[string]func(v vc.Vertex) vc.Value{
		"products of sources": func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h").MatMul(v.InEdges().Type("R").Recip())) },
		"products of edges": func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InEdges().Feature("f").MatMul(v.InEdges().Type("R").Recip()))
		},
	} {
		program := vc.Compile(name, f)
		got, want := runBoth(program, g, ins, xs), runBoth(program, g, ins, finite)
		near(t, name+": vertex 0", got.out[:8], want.out[:8], 1e-12)
		near(t, name+": vertex 2", got.out[16:], want.out[16:], 1e-12)
		near(t, name+": gradient of type 0", got.grads[2][:64], want.grads[2][:64], 1e-12)
	}
}

// What a product reads of a type's matrix where nobody reads the product is a type's matrix too.
func TestGradientsOfGradientsOfMatricesThatAreReadTwice(t *testing.T) {
	ins := []input{vertex("h", 2), vertex("x", 2), vertex("y", 2), vertexType("W", 2, 2)}
	in := func(v vc.Vertex) vc.Value {
		w := v.Type("W").Exp()
		return vc.Sum(v.InEdges().Src("h").Mul(v.Feature("x").MatMul(w))).Add(v.Feature("y").MatMul(w))
	}
	second(t, halfTyped(t), layer{"across in-edges", in, ins})
	second(t, halfTyped(t), layer{"across out-edges", func(v vc.Vertex) vc.Value {
		w := v.Type("W").Exp()
		return vc.Sum(v.OutEdges().Dst("h").Mul(v.Feature("x").MatMul(w))).Add(v.Feature("y").MatMul(w))
	}, ins})
	second(t, halfTyped(t), layer{"of sources", func(v vc.Vertex) vc.Value {
		u := v.InNeighbors()
		w := u.Type("W").Exp()
		return vc.Sum(u.Feature("x").MatMul(w)).Add(vc.Sum(v.Feature("h").Mul(v.InEdges().Feature("f").MatMul(w))))
	}, append(ins, edge("f", 2))})
	second(t, halfTyped(t), layer{"of edge types", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		w := e.Type("R").Exp()
		return vc.Sum(e.Src("h").Mul(vc.Param("p").MatMul(w))).Add(vc.Sum(e.Src("x").MatMul(w)))
	}, append(ins, edgeType("R", 2, 2), param("p", 2))})

	// As a result that the loss does not depend on.
	g := halfTyped(t)
	xs := variables(g, tensor.Float64, ins)
	program := vc.CompileMany("two", func(v vc.Vertex) []vc.Value { return []vc.Value{in(v), v.Feature("x").Log()} })
	program.RunMany(g, bindAll(ins, xs)...)[0].Sum().Backward()
	one := variables(g, tensor.Float64, ins)
	vc.Compile("one", in).Run(g, bindAll(ins, one)...).Sum().Backward()
	for i, name := range []string{"h", "x", "y", "W"} {
		near(t, "beside another result: gradient of "+name, xs[i].Gradient().Float64s(), one[i].Gradient().Float64s(), 1e-12)
	}
}
