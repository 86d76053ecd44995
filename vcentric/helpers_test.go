package vcentric_test

// What the tests share: graphs, random tensors, and the inputs of a program.

import (
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir/irtest"
)

// messy has an isolated vertex (5), one without in-edges (3), one without
// out-edges (4), self-loops, duplicate edges, and edges in no order.
func messy(t testing.TB) *graph.Graph {
	return mustGraph(t, 6,
		[]int32{3, 0, 2, 1, 0, 2, 2, 0, 1, 3, 0, 2},
		[]int32{0, 1, 0, 4, 1, 2, 1, 0, 0, 4, 2, 2})
}

// messyBipartite has, on each side, a vertex without edges.
func messyBipartite(t testing.TB) *graph.Graph {
	t.Helper()
	g, err := graph.NewBipartite(4, 5, []int32{3, 0, 0, 1, 3, 0, 1}, []int32{0, 4, 4, 1, 1, 0, 4})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func mustGraph(t testing.TB, n int, src, dst []int32) *graph.Graph {
	t.Helper()
	g, err := graph.New(n, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// randomArcs draws arcs with replacement: duplicates and self-loops occur.
func randomArcs(seed uint64, numSrc, numDst, edges int) (src, dst []int32) {
	src, dst = make([]int32, edges), make([]int32, edges)
	for e := range src {
		src[e] = int32(rng.Hash(seed, uint64(2*e)) % uint64(numSrc))
		dst[e] = int32(rng.Hash(seed, uint64(2*e+1)) % uint64(numDst))
	}
	return src, dst
}

// hub is a random graph of n vertices with as many edges, and as many again
// into and out of vertex 0.
func hub(t testing.TB, seed uint64, n, edges int) *graph.Graph {
	t.Helper()
	src, dst := randomArcs(seed, n, n, edges)
	for e := range edges {
		switch e % 4 {
		case 0:
			src[e] = 0
		case 1:
			dst[e] = 0
		}
	}
	return mustGraph(t, n, src, dst)
}

type namedGraph struct {
	name string
	*graph.Graph
}

// graphs are the degenerate graphs of package irtest, and two on which rows
// have many edges.
func graphs(t testing.TB, bipartite bool) []namedGraph {
	t.Helper()
	var all []namedGraph
	for _, s := range irtest.Graphs(bipartite) {
		g, err := graph.New(s.NumSrc, s.Src, s.Dst)
		if bipartite {
			g, err = graph.NewBipartite(s.NumSrc, s.NumDst, s.Src, s.Dst)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, namedGraph{s.Name, g})
	}
	if bipartite {
		src, dst := randomArcs(7, 13, 29, 150)
		g, err := graph.NewBipartite(13, 29, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		return append(all, namedGraph{"random", g})
	}
	return append(all, namedGraph{"hub of 300 edges", hub(t, 5, 12, 600)})
}

// randn is a standard normal tensor; one seed gives the same numbers in every
// number type, up to rounding.
func randn(dt tensor.DType, seed uint64, shape ...int) *tensor.Tensor {
	x := make([]float64, tensor.Shape(shape).Size())
	for i := range x {
		x[i] = float64(float32(rng.Normal(seed, uint64(i))))
	}
	return tensor.FromSlice(x, shape...).To(dt)
}

// input is a tensor that a program reads, described without its numbers.
type input struct {
	name string
	row  []int
	bind func(string, *autograd.Var) vc.Binding
	rows func(g *graph.Graph) int // nil for params
	fn   func(x float64) float64  // applied to the random numbers; nil for none
}

func vertex(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.VertexFeature, rows: (*graph.Graph).NumVertices}
}
func source(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.SrcFeature, rows: (*graph.Graph).NumSrc}
}
func destination(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.DstFeature, rows: (*graph.Graph).NumDst}
}
func edge(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.EdgeFeature, rows: (*graph.Graph).NumEdges}
}
func param(name string, shape ...int) input {
	return input{name: name, row: shape, bind: vc.ParamValue}
}

// positive draws numbers of at least 1/2.
func (in input) positive() input {
	in.fn = func(x float64) float64 { return math.Abs(x) + 0.5 }
	return in
}

func (in input) variable(g *graph.Graph, dt tensor.DType, seed uint64) *autograd.Var {
	shape := slices.Clone(in.row)
	if in.rows != nil {
		shape = append([]int{in.rows(g)}, in.row...)
	}
	x := randn(tensor.Float64, rng.Fold(seed, uint64(len(in.name)), uint64(in.name[0])), shape...)
	if in.fn != nil {
		for i, v := range tensor.Data[float64](x) {
			tensor.Data[float64](x)[i] = in.fn(v)
		}
	}
	return autograd.Variable(x.To(dt))
}

// variables makes the inputs for a graph, in order.
func variables(g *graph.Graph, dt tensor.DType, ins []input) []*autograd.Var {
	xs := make([]*autograd.Var, len(ins))
	for i, in := range ins {
		xs[i] = in.variable(g, dt, uint64(i)+1)
	}
	return xs
}

func bindAll(ins []input, xs []*autograd.Var) []vc.Binding {
	bindings := make([]vc.Binding, len(ins))
	for i, in := range ins {
		bindings[i] = in.bind(in.name, xs[i])
	}
	return bindings
}

// gradcheck compares the gradients of a program with central differences.
func gradcheck(t *testing.T, g *graph.Graph, f func(vc.Vertex) vc.Value, ins []input, more ...vc.Binding) {
	t.Helper()
	program := vc.Compile(t.Name(), f)
	xs := variables(g, tensor.Float64, ins)
	err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var {
		return program.Run(g, append(bindAll(ins, xs), more...)...)
	}, xs)
	if err != nil {
		t.Errorf("%v\n%v", err, program.Compiled(g, append(bindAll(ins, xs), more...)...).Traced)
	}
}

// results are the output of a program and the gradients of its inputs under a
// random cotangent, as float64.
type results struct {
	out   []float64
	grads [][]float64
}

func runBoth(program *vc.Program, g *graph.Graph, ins []input, xs []*autograd.Var, more ...vc.Binding) results {
	for _, x := range xs {
		x.ZeroGrad()
	}
	out := program.Run(g, append(bindAll(ins, xs), more...)...)
	out.BackwardWith(randn(out.DType(), 99, out.Shape()...))
	r := results{out: out.Tensor().Float64s()}
	for _, x := range xs {
		var grad []float64
		if x.Gradient() != nil {
			grad = x.Gradient().Float64s()
		}
		r.grads = append(r.grads, grad)
	}
	return r
}

var near, sameBits = numtest.Near, numtest.SameBits

func (r results) sameBits(s results) bool {
	return sameBits(r.out, s.out) && slices.EqualFunc(r.grads, s.grads, sameBits)
}
