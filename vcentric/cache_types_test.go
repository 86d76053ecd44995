package vcentric_test

// What types add to a signature, and typed programs running concurrently.

import (
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// withTypes is a random graph of n vertices and so many edges, with types drawn
// from these numbers.
func withTypes(t *testing.T, n, edges, edgeTypes, vertexTypes int) *graph.Graph {
	t.Helper()
	src, dst := randomArcs(uint64(n+edges), n, n, edges)
	et, _ := randomArcs(5, edgeTypes, 1, edges)
	vt, _ := randomArcs(6, vertexTypes, 1, n)
	g, err := graph.New(n, src, dst, graph.WithEdgeTypes(et, edgeTypes), graph.WithVertexTypes(vt, vertexTypes))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The number of types is part of the signature, and so is a rough mean degree of
// graphs with types: the cost model goes by both. Nothing else of the graph is.
func TestTypesAndTheirGraphsDegreeArePartOfTheSignature(t *testing.T) {
	z := zooLayerOf("rgcn_full")
	traced := 0
	vertex := z.vertex(smallDims)
	p := vc.Compile(z.name, func(v vc.Vertex) vc.Value { traced++; return vertex(v) })
	ins := z.ins(smallDims)
	for i, c := range []struct {
		what string
		g    *graph.Graph
		want int // traces so far
	}{
		{"the first run", withTypes(t, 20, 100, 4, 3), 1},
		{"another graph of as many types and a like degree", withTypes(t, 33, 180, 4, 3), 1},
		{"fewer edge types", withTypes(t, 20, 100, 3, 3), 2},
		{"fewer vertex types", withTypes(t, 20, 100, 4, 2), 3},
		{"a much higher degree", withTypes(t, 20, 900, 4, 3), 4},
		{"no edges", withTypes(t, 20, 0, 4, 3), 5},
		{"the first again", withTypes(t, 20, 100, 4, 3), 5},
	} {
		xs := variables(c.g, tensor.Float64, ins)
		want := interpretGradients(t, p.Compiled(c.g, bindAll(ins, xs)...).Traced, c.g, ins, xs)
		got := runBoth(p, c.g, ins, xs)
		near(t, c.what, got.out, want.out, 1e-12)
		for j := range ins {
			near(t, c.what+": grad "+ins[j].name, got.grads[j], want.grads[j], 1e-12)
		}
		if traced != c.want {
			t.Errorf("%d: after %s the function has run %d times, want %d", i, c.what, traced, c.want)
			traced = c.want
		}
	}
	// Without types degrees matter to gradients alone.
	for _, c := range []struct {
		of   func(*tensor.Tensor) *autograd.Var
		want int
	}{{autograd.Constant, 1}, {autograd.Parameter, 3}} {
		plain := 0
		q := vc.Compile("sum", func(v vc.Vertex) vc.Value { plain++; return vc.Sum(v.InNeighbors().Feature("x")) })
		for _, edges := range []int{0, 30, 1000, 1010} {
			src, dst := randomArcs(1, 20, 20, edges)
			g := mustGraph(t, 20, src, dst)
			x := variables(g, tensor.Float32, ins[:1])[0]
			q.Run(g, bindAll(ins[:1], []*autograd.Var{c.of(x.Tensor())})...)
		}
		if plain != c.want {
			t.Errorf("graphs without types, of other degrees: the function has run %d times, want %d", plain, c.want)
		}
	}
}

// Types' orders are built when first needed, here by several runs at once.
func TestTypedProgramsRunConcurrently(t *testing.T) {
	fresh := func() *graph.Graph { return typed(t, hub(t, 3, 50, 1000), 0) }
	layers := []layer{zooLayerOf("hgt").layer(smallDims), zooLayerOf("rgcn_full").layer(smallDims), zooLayerOf("typed_ends").layer(smallDims)}
	g := fresh()
	want := make([]results, len(layers))
	for i, l := range layers {
		want[i] = runBoth(vc.Compile(l.name, l.vertex), g, l.ins, variables(g, tensor.Float32, l.ins))
	}
	shared := fresh()
	programs := make([]*vc.Program, len(layers))
	for i, l := range layers {
		programs[i] = vc.Compile(l.name, l.vertex)
	}
	same := make([]bool, 9)
	var wg sync.WaitGroup
	for w := range same {
		wg.Go(func() {
			i := w % len(layers)
			got := runBoth(programs[i], shared, layers[i].ins, variables(shared, tensor.Float32, layers[i].ins))
			same[w] = got.sameBits(want[i])
		})
	}
	wg.Wait()
	for w, ok := range same {
		if !ok {
			t.Errorf("%s: another result than alone", layers[w%len(layers)].name)
		}
	}
}
