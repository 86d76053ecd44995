package vcentric_test

// What the tests share: graphs, random tensors, and the inputs of a program.

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/ir"
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

// typed gives a graph types of vertices and edges: four and three, of which one
// each has no members, or for other salts fewer.
func typed(t testing.TB, g *graph.Graph, salt uint64) *graph.Graph {
	t.Helper()
	counts := [...]struct{ edge, vertex int }{{4, 3}, {1, 1}, {3, 4}}[salt%3]
	draw := func(stream uint64, n, types int) []int32 {
		out := make([]int32, n)
		for i := range out {
			if out[i] = int32(rng.Hash(rng.Fold(salt, stream), uint64(i)) % uint64(types)); out[i] == 1 {
				out[i] = 0 // nothing has type 1
			}
		}
		return out
	}
	edges := graph.WithEdgeTypes(draw(1, g.NumEdges(), counts.edge), counts.edge)
	sources := draw(2, g.NumSrc(), counts.vertex)
	var out *graph.Graph
	var err error
	if g.IsBipartite() {
		out, err = graph.NewBipartite(g.NumSrc(), g.NumDst(), g.Src(), g.Dst(), edges,
			graph.WithSrcTypes(sources, counts.vertex), graph.WithDstTypes(draw(3, g.NumDst(), 2), 2))
	} else {
		out, err = graph.New(g.NumVertices(), g.Src(), g.Dst(), edges, graph.WithVertexTypes(sources, counts.vertex))
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// typedGraphs are graphs with types, which differ from graph to graph.
func typedGraphs(t testing.TB, bipartite bool) []namedGraph {
	all := graphs(t, bipartite)
	for i := range all {
		all[i].Graph = typed(t, all[i].Graph, uint64(i))
	}
	return all
}

// structure is a graph as the interpreter of the IR takes it.
func structure(g *graph.Graph) *ir.Structure {
	return &ir.Structure{
		NumSrc: g.NumSrc(), NumDst: g.NumDst(), Src: g.Src(), Dst: g.Dst(),
		Types:    ir.Types{Src: g.NumSrcTypes(), Dst: g.NumDstTypes(), Edge: g.NumEdgeTypes()},
		SrcTypes: g.SrcTypes(), DstTypes: g.DstTypes(), EdgeTypes: g.EdgeTypes(),
	}
}

// interpret runs a traced program by the interpreter, which defines what it means.
func interpret(t testing.TB, p *ir.Program, g *graph.Graph, ins []input, xs []*autograd.Var) map[string][]float64 {
	t.Helper()
	bound := make(map[string][]float64)
	for i, in := range ins {
		for _, r := range in.from {
			bound[in.name+"@"+r.String()] = xs[i].Tensor().Float64s()
		}
	}
	out, err := ir.Interpret(p, structure(g), bound, 0)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// randn is a standard normal tensor; one seed gives the same numbers in every
// number type, up to rounding.
func randn(dt tensor.DType, seed uint64, shape ...int) *tensor.Tensor {
	n := tensor.Shape(shape).Size()
	drawn.Lock()
	defer drawn.Unlock()
	x := drawn.of[seed]
	for i := len(x); i < n; i++ {
		x = append(x, float64(float32(rng.Normal(seed, uint64(i)))))
	}
	drawn.of[seed] = x
	return tensor.FromSlice(slices.Clone(x[:n]), shape...).To(dt)
}

// drawn are the numbers of each seed so far: tests ask for the same ones again and again.
var drawn = struct {
	sync.Mutex
	of map[uint64][]float64
}{of: make(map[uint64][]float64)}

// input is a tensor that a program reads, described without its numbers.
type input struct {
	name string
	row  []int
	bind func(string, *autograd.Var) vc.Binding
	from []ir.Residency           // where programs read it
	rows func(g *graph.Graph) int // nil for params
	fn   func(x float64) float64  // applied to the random numbers; nil for none
}

var bothEnds, bothTypes = []ir.Residency{ir.Src, ir.Dst}, []ir.Residency{ir.SrcType, ir.DstType}

func vertex(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.VertexFeature, from: bothEnds, rows: (*graph.Graph).NumVertices}
}
func source(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.SrcFeature, from: bothEnds[:1], rows: (*graph.Graph).NumSrc}
}
func destination(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.DstFeature, from: bothEnds[1:], rows: (*graph.Graph).NumDst}
}
func edge(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.EdgeFeature, from: []ir.Residency{ir.Edge}, rows: (*graph.Graph).NumEdges}
}
func vertexType(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.VertexTypeFeature, from: bothTypes, rows: (*graph.Graph).NumVertexTypes}
}
func sourceType(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.SrcTypeFeature, from: bothTypes[:1], rows: (*graph.Graph).NumSrcTypes}
}
func destinationType(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.DstTypeFeature, from: bothTypes[1:], rows: (*graph.Graph).NumDstTypes}
}
func edgeType(name string, row ...int) input {
	return input{name: name, row: row, bind: vc.EdgeTypeFeature, from: []ir.Residency{ir.EdgeType}, rows: (*graph.Graph).NumEdgeTypes}
}
func param(name string, shape ...int) input {
	return input{name: name, row: shape, bind: vc.ParamValue, from: []ir.Residency{ir.Param}}
}

// forBipartite are the inputs on a graph of two vertex sets: what vertices have,
// sources and destinations have apart.
func forBipartite(ins []input) []input {
	var out []input
	for _, in := range ins {
		switch in.from[0] {
		case ir.Src:
			out = append(out, source(in.name, in.row...), destination(in.name, in.row...))
		case ir.SrcType:
			out = append(out, sourceType(in.name, in.row...), destinationType(in.name, in.row...))
		default:
			out = append(out, in)
		}
	}
	return out
}

// ofElements tells whether the input has a row for each vertex or edge.
func (in input) ofElements() bool { return in.from[0] != ir.Param && !in.from[0].IsType() }

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
