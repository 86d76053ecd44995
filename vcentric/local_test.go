package vcentric_test

// Graphs whose rows are walked in an order of their own once they have been walked often.

import (
	"testing"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// communities is a graph, with types of edges if there are any, of groups of vertices that
// are numbered by chance, and hubs. It is large enough for an order of its own.
func communities(t *testing.T, types int) *graph.Graph {
	t.Helper()
	const groups, size, edges = 840, 40, 360_000
	number := make([]int32, groups*size)
	for i := range number {
		j := rng.Hash(5, uint64(i)) % uint64(i+1)
		number[i], number[j] = number[j], int32(i)
	}
	src, dst, kinds := make([]int32, edges), make([]int32, edges), make([]int32, edges)
	for e := range src {
		draw := func(k, n uint64) uint64 { return rng.Hash(6+k, uint64(e)) % n }
		group := draw(0, groups) * size
		src[e], dst[e], kinds[e] = number[group+draw(1, size)], number[group+draw(2, size)], int32(draw(3, 3))
		if e%20 == 0 { // an edge of a hub
			src[e] = 7
		} else if e%20 == 1 {
			dst[e] = 8
		}
	}
	var opts []graph.Option
	if types > 0 {
		opts = append(opts, graph.WithEdgeTypes(kinds, types))
	}
	g, err := graph.New(groups*size, src, dst, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if g.LocalIn() == nil {
		t.Fatal("the graph has no order of its own")
	}
	return g
}

func TestNoBitDependsOnHowOftenAGraphWasWalked(t *testing.T) {
	ins := []input{vertex("h", 128), vertex("el", 1), vertex("er", 1), param("W", 128, 128)}
	for _, c := range []struct {
		name  string
		types int
		f     func(v vc.Vertex) vc.Value
	}{
		{"gcn", 0, func(v vc.Vertex) vc.Value {
			u := v.InNeighbors()
			return vc.Sum(u.Feature("h").Mul(u.Feature("el"))).Mul(v.Feature("er"))
		}},
		{"gat", 0, func(v vc.Vertex) vc.Value { return vc.Sum(scores(v)) }},
		{"gat with dropout", 0, func(v vc.Vertex) vc.Value { return vc.Sum(scores(v).Dropout(0.4)).Dropout(0.2) }},
		{"pool", 0, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Max(e.Src("h").Mul(e.Dst("er"))).Add(v.Feature("h"))
		}},
		{"both ways", 0, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("h")).Mul(vc.Sum(v.OutEdges().Dst("el")))
		}},
		{"product", 0, func(v vc.Vertex) vc.Value {
			return vc.Sum(v.InNeighbors().Feature("h")).MatMul(vc.Param("W")).ReLU()
		}},
		{"relations", 3, func(v vc.Vertex) vc.Value {
			e := v.InEdges()
			return vc.Sum(e.Src("h").Mul(e.Src("el")).Div(e.TypeDegree()))
		}},
	} {
		if testing.Short() && c.name != "gcn" {
			continue
		}
		g, p := communities(t, c.types), vc.Compile(c.name, c.f)
		xs := variables(g, tensor.Float32, ins)
		first := runBoth(p, g, ins, xs, vc.Training(7))
		for n := range 9 { // an order is looked for after 8 walks, one a run at least
			if again := runBoth(p, g, ins, xs, vc.Training(7)); !again.sameBits(first) {
				t.Fatalf("%s: run %d has other bits than the first", c.name, n+2)
			}
		}
	}
}
