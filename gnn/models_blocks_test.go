package gnn_test

// The models that run on blocks.

import (
	"context"
	"fmt"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

type blockModel interface {
	model
	ForwardBlocks(blocks []*graph.Graph, x *autograd.Var) *autograd.Var
}

// blocksOf is a stack of blocks, outermost first, with all in-edges of their destinations,
// and the vertices that the sources of the first are.
func blocksOf(t *testing.T, g *graph.Graph, seeds []int32, layers int) (blocks []*graph.Graph, vertices []int32) {
	t.Helper()
	blocks, vertices = make([]*graph.Graph, layers), seeds
	for i := layers - 1; i >= 0; i-- {
		blocks[i], vertices, _ = blockOf(t, g, vertices)
	}
	return blocks, vertices
}

// equalOnBlocks checks that blocks of seeds with all their neighbours give the logits that
// the whole graph gives them, and the gradients.
func equalOnBlocks(t *testing.T, name string, m blockModel, layers int, g *graph.Graph, seeds []int32) {
	t.Helper()
	nn.Eval(m)
	nn.ToDType(m, tensor.Float64)
	x := autograd.Variable(randn(tensor.Float64, 1, g.NumVertices(), 5))
	leaves := append([]*autograd.Var{x}, nn.Parameters(m)...)
	results := func(logits *autograd.Var) (all []float64) {
		for _, v := range leaves {
			v.ZeroGrad()
		}
		logits.BackwardWith(randn(tensor.Float64, 2, len(seeds), 3))
		all = logits.Tensor().Float64s()
		for _, v := range leaves {
			all = append(all, v.Gradient().Float64s()...)
		}
		return all
	}
	blocks, vertices := blocksOf(t, g, seeds, layers)
	if len(vertices) == g.NumVertices() {
		t.Errorf("%s: the blocks have all %d vertices", name, len(vertices))
	}
	want := results(m.Forward(g, x).IndexSelect(seeds))
	near(t, name, results(m.ForwardBlocks(blocks, x.IndexSelect(vertices))), want, 1e-12)
}

func TestModelsOnBlocksEqualThoseOnTheWholeGraph(t *testing.T) {
	g, seeds := random(t, 60, 150), []int32{17, 4, 55}
	for _, cfg := range []gnn.SAGEConfig{{}, {Aggregator: gnn.SAGEMaxPool}, {Normalize: true}} {
		m := gnn.NewSAGE([]int{5, 7, 6, 3}, cfg, 0.5, nn.NewRNG(1))
		equalOnBlocks(t, fmt.Sprintf("SAGE %+v", cfg), m, 3, g, seeds)
	}
	equalOnBlocks(t, "GAT", gnn.NewGAT(5, 4, 2, 3, 2, 0.5, nn.NewRNG(1)), 2, withLoops(g), seeds)
}

// GCN norms by degrees in the block. Those of sources are the whole graph's where it is
// symmetric and no edge leads out of the block: in a component.
func TestGCNOnBlocksOfAComponentEqualsTheWholeGraph(t *testing.T) {
	var src, dst []int32
	part := random(t, 12, 30)
	for e, u := range part.Src() { // one among even vertices, one among odd ones
		v := part.Dst()[e]
		src, dst = append(src, 2*u, 2*v+1), append(dst, 2*v, 2*((u+1)%12)+1)
	}
	simple, _ := mustGraph(t, 24, src, dst).Simplify()
	g, _ := simple.Symmetrize()
	var odd []int32
	for v := int32(23); v > 0; v -= 2 {
		odd = append(odd, v)
	}
	equalOnBlocks(t, "GCN", gnn.NewGCN(5, 7, 3, 0.5, nn.NewRNG(1)), 2, g, odd)
}

func TestModelsLearnOnSampledBlocks(t *testing.T) {
	d := blocks(t)
	g := withLoops(d.Graph)
	x := autograd.Constant(d.Features.Dense())
	loader, err := data.NewNeighborLoader(g, d.Train, data.NeighborConfig{
		Loading: data.Loading{BatchSize: 16, Shuffle: true, Seed: 1, Features: d.Features},
		Fanout:  data.Fanout{Hops: []int{8, 8}},
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]blockModel{
		"GCN":  gnn.NewGCN(12, 16, 3, 0.2, nn.NewRNG(1)),
		"GAT":  gnn.NewGAT(12, 8, 2, 3, 1, 0.2, nn.NewRNG(1)),
		"SAGE": gnn.NewSAGE([]int{12, 16, 3}, gnn.SAGEConfig{}, 0.2, nn.NewRNG(1)),
	} {
		opt := newAdam(m)
		nn.Train(m)
		for epoch := range 15 {
			for b, err := range loader.Epoch(context.Background(), epoch) {
				if err != nil {
					t.Fatal(err)
				}
				opt.ZeroGrad()
				logits := m.ForwardBlocks(b.Blocks, autograd.Input(b.Features))
				nn.CrossEntropy(logits, b.Labels(d.Labels), nil).Backward()
				for _, p := range nn.NamedParameters(m) {
					if p.Var.Gradient() == nil {
						t.Fatalf("%s: %s has no gradient", name, p.Name)
					}
				}
				opt.Step()
			}
		}
		after := accuracy(m, d, g, x, d.Test)
		t.Logf("%s: test accuracy %.3f", name, after)
		if !(after > 0.85) {
			t.Errorf("%s: test accuracy is %.3f after 15 epochs of blocks", name, after)
		}
	}
}
