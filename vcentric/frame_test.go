package vcentric_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// edgeMLP is a program with temporaries of vertices, which are small on a small graph.
var edgeMLP = vc.Compile("edge mlp", func(v vc.Vertex) vc.Value {
	e := v.InEdges()
	x := vc.Concat(e.Dst("h"), e.Src("h").Sub(e.Dst("h")))
	return vc.Max(x.MatMul(vc.Param("w1")).ReLU().MatMul(vc.Param("w2")))
})

// edgeMLPBindings wants no gradients, for which the temporaries would be saved.
func edgeMLPBindings(g *graph.Graph) []vc.Binding {
	ins := []input{vertex("h", 4), param("w1", 8, 6), param("w2", 6, 3)}
	xs := variables(g, tensor.Float32, ins)
	for i, x := range xs {
		xs[i] = autograd.Constant(x.Tensor())
	}
	return bindAll(ins, xs)
}

// What a run leaves to the next one is neither read by it nor given to two at a time.
func TestRunsOfSeveralGraphsInTurnAndTogetherShareNoTemporaries(t *testing.T) {
	var graphs []*graph.Graph
	var bound [][]vc.Binding
	var want [][]float32
	for _, n := range []int{150, 90, 150, 400} {
		g := hub(t, uint64(len(graphs)), n, 4*n)
		b := edgeMLPBindings(g)
		graphs, bound = append(graphs, g), append(bound, b)
		fresh := edgeMLP.Without() // compiled anew
		want = append(want, slices.Clone(tensor.Data[float32](fresh.Run(g, b...).Tensor())))
	}
	var group sync.WaitGroup
	for first := range graphs {
		group.Go(func() {
			for i := range 200 {
				k := (first + i) % len(graphs)
				y := edgeMLP.Run(graphs[k], bound[k]...)
				if got := tensor.Data[float32](y.Tensor()); !slices.Equal(got, want[k]) {
					t.Errorf("run %d of graph %d: %v, want %v", i, k, got, want[k])
					return
				}
			}
		})
	}
	group.Wait()
}

func TestACachedRunOfATinyGraphAllocatesLittle(t *testing.T) {
	g := hub(t, 1, 3, 6)
	bindings := edgeMLPBindings(g)
	run := func() { edgeMLP.Run(g, bindings...) }
	run()
	if n := numtest.Allocations(50, run); n > 30 {
		t.Errorf("%v allocations a run, want at most 30", n)
	}
}
