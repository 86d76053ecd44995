package gnn_test

// What holds for every layer of the table.

import (
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	"github.com/asterias-ml/asterias/vcentric/ir"
	"github.com/asterias-ml/asterias/vcentric/plan"
)

type namedGraph struct {
	name string
	*graph.Graph
}

// degenerate are the graphs that are easily forgotten, and some that are not.
func degenerate(t testing.TB) []namedGraph {
	star := func(n int) (hub, leaves []int32) {
		for v := 1; v < n; v++ {
			hub, leaves = append(hub, 0), append(leaves, int32(v))
		}
		return hub, leaves
	}
	hub, leaves := star(40)
	return []namedGraph{
		{"no vertex", mustGraph(t, 0, nil, nil)},
		{"no edge", mustGraph(t, 3, nil, nil)},
		{"one vertex", mustGraph(t, 1, nil, nil)},
		{"two loops", mustGraph(t, 1, []int32{0, 0}, []int32{0, 0})},
		{"star into the hub", mustGraph(t, 40, leaves, hub)},
		{"star out of the hub", mustGraph(t, 40, hub, leaves)},
		{"three edges alike", mustGraph(t, 2, []int32{0, 0, 0}, []int32{1, 1, 1})},
		{"messy", messy(t)},
		{"random", random(t, 20, 70)},
	}
}

// someBlocks are bipartite graphs whose destinations are their first sources.
func someBlocks(t testing.TB) []namedGraph {
	block := func(numSrc, numDst, edges int) *graph.Graph {
		src, dst := make([]int32, edges), make([]int32, edges)
		for e := range edges {
			src[e], dst[e] = int32(rng.Hash(3, uint64(e))%uint64(numSrc)), int32(rng.Hash(4, uint64(e))%uint64(numDst))
		}
		g, err := graph.NewBipartite(numSrc, numDst, src, dst)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	return []namedGraph{
		{"block of nothing", block(0, 0, 0)},
		{"block without destinations", block(3, 0, 0)},
		{"block without edges", block(4, 2, 0)},
		{"block of one destination", block(9, 1, 12)},
		{"block of as many", block(6, 6, 15)},
		{"block", block(15, 6, 30)},
	}
}

// settings are the graphs that a layer takes.
func (c layerCase) settings(t testing.TB) []namedGraph {
	all := degenerate(t)
	if !c.homogeneous {
		all = append(all, someBlocks(t)...)
	}
	for i := range all {
		all[i].Graph = c.on(all[i].Graph)
	}
	return all
}

// inputs are x and f for a graph; f is nil for a layer that takes none.
func (c layerCase) inputs(g *graph.Graph, dt tensor.DType) (x, f *autograd.Var) {
	x = autograd.Variable(randn(dt, 1, g.NumSrc(), 5))
	if c.edge > 0 {
		f = autograd.Variable(randn(dt, 2, g.NumEdges(), c.edge))
	}
	return x, f
}

// stir gives all parameters random values, biases too.
func stir(m any) {
	for i, p := range nn.Parameters(m) {
		p.SetTensor(randn(p.DType(), uint64(i)+10, p.Shape()...))
	}
}

func TestLayersEqualTheirFormulas(t *testing.T) {
	for dt, tol := range map[tensor.DType]float64{tensor.Float64: 1e-12, tensor.Float32: 1e-5} {
		for _, c := range layerCases(dt) {
			stir(c.layer)
			nn.Eval(c.layer)
			for _, g := range c.settings(t) {
				x, f := c.inputs(g.Graph, dt)
				y := c.forward(g.Graph, x, f)
				if want := (tensor.Shape{g.NumDst(), c.out}); !y.Shape().Equal(want) {
					t.Errorf("%s, %s: the result has shape %v, want %v", c.name, g.name, y.Shape(), want)
					continue
				}
				want := make(matrix, g.NumDst())
				for v := range want {
					want[v] = c.naive(g.Graph, rowsOf(x), rowsOf(f), v)
				}
				near(t, fmt.Sprintf("%s, %s, %v", c.name, g.name, dt), y.Tensor().Float64s(), want.flat(), tol)
			}
		}
	}
}

func TestGradientsOfTheTableEqualCentralDifferences(t *testing.T) {
	for i, c := range layerCases(tensor.Float64) {
		stir(c.layer)
		nn.Eval(c.layer)
		for j, g := range c.settings(t) {
			if testing.Short() && (i+j)%23 != 0 {
				continue
			}
			x, f := c.inputs(g.Graph, tensor.Float64)
			xs := append([]*autograd.Var{x}, nn.Parameters(c.layer)...)
			if f != nil {
				xs = append(xs, f)
			}
			err := autograd.Gradcheck(func(...*autograd.Var) *autograd.Var { return c.forward(g.Graph, x, f) }, xs)
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, g.name, err)
			}
		}
	}
}

// blockOf is the block of some destinations with all their in-edges, and the
// vertices and edges of g that its sources and edges are.
func blockOf(t *testing.T, g *graph.Graph, destinations []int32) (block *graph.Graph, vertices, edges []int32) {
	t.Helper()
	position := make(map[int32]int32)
	add := func(v int32) int32 {
		if _, ok := position[v]; !ok {
			position[v] = int32(len(vertices))
			vertices = append(vertices, v)
		}
		return position[v]
	}
	for _, v := range destinations {
		add(v)
	}
	var src, dst []int32
	for e, d := range g.Dst() {
		if slices.Contains(destinations, d) {
			src, dst, edges = append(src, add(g.Src()[e])), append(dst, position[d]), append(edges, int32(e))
		}
	}
	block, err := graph.NewBipartite(len(vertices), len(destinations), src, dst)
	if err != nil {
		t.Fatal(err)
	}
	return block, vertices, edges
}

// A layer computes of a block's destinations what it computes of them in the whole
// graph, with the same gradients.
func TestBlocksEqualTheWholeGraphOnTheirDestinations(t *testing.T) {
	checked := 0
	for _, c := range layerCases(tensor.Float64) {
		if c.homogeneous {
			continue
		}
		checked++
		nn.Eval(c.layer)
		graphs := []*graph.Graph{messy(t), random(t, 20, 70)}
		destinations := [][]int32{{1, 4, 5, 0}, {7, 3, 19, 0, 12}}
		if c.degrees { // equal only where all edges and their reverses are there
			for i, g := range graphs {
				simple, _ := g.Simplify()
				graphs[i], _ = simple.Symmetrize()
				destinations[i] = nil
				for v := range g.NumVertices() {
					destinations[i] = append(destinations[i], int32(g.NumVertices()-1-v))
				}
			}
		}
		for i, g := range graphs {
			block, vertices, edges := blockOf(t, g, destinations[i])
			x, f := c.inputs(g, tensor.Float64)
			cotangent := randn(tensor.Float64, 5, len(destinations[i]), c.out)
			leaves := append([]*autograd.Var{x}, nn.Parameters(c.layer)...)
			if f != nil {
				leaves = append(leaves, f)
			}
			results := func(out *autograd.Var) (all []float64) {
				for _, v := range leaves {
					v.ZeroGrad()
				}
				out.BackwardWith(cotangent)
				all = out.Tensor().Float64s()
				for _, v := range leaves {
					all = append(all, v.Gradient().Float64s()...)
				}
				return all
			}
			want := results(c.forward(g, x, f).IndexSelect(destinations[i]))
			blockF := f
			if f != nil {
				blockF = f.IndexSelect(edges)
			}
			got := results(c.forward(block, x.IndexSelect(vertices), blockF))
			near(t, fmt.Sprintf("%s, graph %d", c.name, i), got, want, 1e-12)
		}
	}
	if checked < 15 {
		t.Errorf("only %d layers take blocks", checked)
	}
}

func TestLayersOfTheTableHaveNoEdgeTensorInTheirPlans(t *testing.T) {
	for _, c := range layerCases(tensor.Float32) {
		for _, g := range []namedGraph{{"random", c.on(random(t, 30, 300))}, someBlocks(t)[5]} {
			if g.IsBipartite() && c.homogeneous {
				continue
			}
			x, f := c.inputs(g.Graph, tensor.Float32)
			for _, training := range []bool{true, false} {
				nn.SetTraining(c.layer, training)
				compiled := c.compiled(g.Graph, x, f)
				for what, p := range map[string]*plan.Plan{"forward": compiled.Forward, "backward": compiled.Backward} {
					for _, b := range p.Buffers {
						// Edge features are bound, and their gradient is asked for.
						asked := b.Role == plan.Input || b.Role == plan.Output && b.Name == "grad edge f"
						if b.Res == ir.Edge && !asked {
							t.Errorf("%s, %s, training %v: %s holds the edge tensor %q:\n%s", c.name, g.name, training, what, b.Name, p.Report(sizes(g.Graph)))
						}
					}
				}
			}
		}
	}
}

func TestLayersOfTheTableAllocateNothingThatGrowsWithTheEdges(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what is pooled")
	}
	if testing.Short() {
		t.Skip("runs every layer on many edges")
	}
	const vertices, edges = 100, 20_000
	one, two := random(t, vertices, edges), random(t, vertices, 2*edges)
	settle() // once for all layers: what earlier tests left makes each collection long
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, c := range layerCases(tensor.Float32) {
		if c.edge > 0 {
			continue // the gradient of edge features has a row for each edge
		}
		x, _ := c.inputs(one, tensor.Float32)
		step := func(g *graph.Graph) int64 {
			g = c.on(g)
			run := func() {
				nn.ZeroGrad(c.layer)
				x.ZeroGrad()
				out := c.forward(g, x, nil)
				out.BackwardWith(out.Tensor())
			}
			run()
			return least(run)
		}
		// Twice the edges: 20,000 more of them, one number each would be 80,000 bytes.
		if got, double := step(one), step(two); double > got+edges {
			t.Errorf("%s: a step allocates %d bytes on %d edges, %d on twice as many", c.name, got, edges, double)
		}
	}
}

func TestLayersOfTheTableGiveTheSameBitsOnAnyNumberOfThreads(t *testing.T) {
	t.Cleanup(func() { tensor.SetThreads(0) })
	src, dst := make([]int32, 6000), make([]int32, 6000)
	for e := range src {
		src[e], dst[e] = int32(rng.Hash(1, uint64(e))%500), int32(rng.Hash(2, uint64(e))%500)
		if e%3 == 0 {
			dst[e] = 7 // a hub
		}
	}
	whole := mustGraph(t, 500, src, dst)
	for _, c := range layerCases(tensor.Float32) {
		g := c.on(whole)
		nn.Eval(c.layer)
		x, f := c.inputs(g, tensor.Float32)
		cotangent := randn(tensor.Float32, 6, 500, c.out)
		var want []float64
		for _, threads := range []int{1, 2, 3} {
			tensor.SetThreads(threads)
			nn.ZeroGrad(c.layer)
			x.ZeroGrad()
			out := c.forward(g, x, f)
			out.BackwardWith(cotangent)
			got := append(out.Tensor().Float64s(), x.Gradient().Float64s()...)
			for _, p := range nn.Parameters(c.layer) {
				got = append(got, p.Gradient().Float64s()...)
			}
			if threads == 1 {
				want = got
			} else if !sameBits(got, want) {
				t.Errorf("%s: %d threads give other bits than one", c.name, threads)
			}
		}
	}
}

func TestSparseFeaturesGiveWhatDenseOnesDo(t *testing.T) {
	const cols = 5
	sparse := func(n int) *tensor.Sparse {
		indptr, indices := make([]int32, n+1), []int32{}
		for v := range n {
			for k := v % 3; k < cols; k += 2 + v%2 {
				indices = append(indices, int32(k))
			}
			indptr[v+1] = int32(len(indices))
		}
		s, err := tensor.NewSparse(n, cols, indptr, indices, randn(tensor.Float64, 1, len(indices)))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range layerCases(tensor.Float64) {
		nn.Eval(c.layer)
		for _, g := range []*graph.Graph{c.on(random(t, 20, 70)), someBlocks(t)[5].Graph} {
			if g.IsBipartite() && c.homogeneous {
				continue
			}
			s := sparse(g.NumSrc())
			_, f := c.inputs(g, tensor.Float64)
			if !c.sparse {
				err := autograd.Try(func() { c.forward(g, autograd.SparseConstant(s), f) })
				if err == nil || !isMisuse(err, "x is sparse; the layer takes it dense") {
					t.Errorf("%s: sparse features give %v", c.name, err)
				}
				continue
			}
			results := func(x *autograd.Var) []float64 {
				nn.ZeroGrad(c.layer)
				out := c.forward(g, x, f)
				out.BackwardWith(randn(tensor.Float64, 5, g.NumDst(), c.out))
				all := out.Tensor().Float64s()
				for _, p := range nn.Parameters(c.layer) {
					all = append(all, p.Gradient().Float64s()...)
				}
				return all
			}
			near(t, c.name, results(autograd.SparseConstant(s)), results(autograd.Constant(s.ToDense())), 1e-12)
		}
	}
}

// The names in files: a checkpoint must not lose its way.
func TestStateOfLayersHasTheNamesOfTheirFields(t *testing.T) {
	for _, c := range layerCases(tensor.Float32) {
		var got []string
		for _, s := range nn.State(c.layer) {
			got = append(got, s.Name)
		}
		if !slices.Equal(got, c.state) {
			t.Errorf("%s: the state is %v, want %v", c.name, got, c.state)
		}
	}
}

func TestNaNReachesTheNeighboursAndNobodyElse(t *testing.T) {
	g := mustGraph(t, 4, []int32{0, 2, 3, 2}, []int32{1, 1, 2, 3})
	for _, c := range layerCases(tensor.Float64) {
		nn.Eval(c.layer)
		x, f := c.inputs(c.on(g), tensor.Float64)
		for k := range 5 {
			tensor.Data[float64](x.Tensor())[k] = math.NaN()
		}
		y := rowsOf(c.forward(c.on(g), x, f))
		hasNaN := func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) }
		if !hasNaN(y[1]) || hasNaN(y[2]) || hasNaN(y[3]) {
			t.Errorf("%s: a NaN of vertex 0, whose only out-neighbour is 1, gives %v", c.name, y)
		}
	}
}
