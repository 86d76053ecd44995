package vcentric_test

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

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

func TestWhatARunLeavesToTheNextHoldsNeitherItsGraphNorItsTensors(t *testing.T) {
	var ran weak.Pointer[graph.Graph]
	var walked weak.Pointer[graph.CSR]
	var bound []weak.Pointer[tensor.Tensor]
	done := make(chan struct{})
	go func() { // on a stack of its own, which ends
		defer close(done)
		g := hub(t, 1, 3, 6)
		ran, walked = weak.Make(g), weak.Make(g.In())
		for _, name := range []string{"h", "w1", "w2", "out"} {
			bound = append(bound, weak.Make(runEdgeMLP(g, 1)[name]))
		}
	}()
	<-done
	runtime.GC() // what is in a pool outlives one
	if ran.Value() != nil || walked.Value() != nil {
		t.Error("the graph is still there")
	}
	for i, b := range bound {
		if b.Value() != nil {
			t.Errorf("tensor %d is still there", i)
		}
	}
}

// Few edges have their products with matrices where these lie, many with packed ones.
func TestRowsOfASmallGraphAreThoseOfALargeOneBitByBit(t *testing.T) {
	const copies = 20
	small := hub(t, 5, 4, 9)
	graphs := make([]*graph.Graph, copies)
	for i := range graphs {
		graphs[i] = small
	}
	large, _, err := graph.Batch(graphs...)
	if err != nil {
		t.Fatal(err)
	}
	want := tensor.Data[float32](runEdgeMLP(small, 1)["out"])
	got := tensor.Data[float32](runEdgeMLP(large, copies)["out"])
	for i := range copies {
		if part := got[i*len(want):][:len(want)]; !slices.Equal(part, want) {
			t.Fatalf("copy %d: %v, want %v", i, part, want)
		}
	}
}

// runEdgeMLP runs the program on a graph of so many copies of a smaller one, whose vertices have the
// same features. It returns what it bound, and the result.
func runEdgeMLP(g *graph.Graph, copies int) map[string]*tensor.Tensor {
	numbers := func(rows, cols int) []float32 {
		x := make([]float32, rows*cols)
		for i := range x {
			x[i] = float32(math.Sin(float64(i + 1)))
		}
		return x
	}
	h := slices.Repeat(numbers(g.NumVertices()/copies, 4), copies)
	ts := map[string]*tensor.Tensor{
		"h":  tensor.FromSlice(h, g.NumVertices(), 4),
		"w1": tensor.FromSlice(numbers(8, 6), 8, 6),
		"w2": tensor.FromSlice(numbers(6, 3), 6, 3),
	}
	ts["out"] = edgeMLP.Run(g, vc.VertexFeature("h", autograd.Constant(ts["h"])),
		vc.ParamValue("w1", autograd.Constant(ts["w1"])), vc.ParamValue("w2", autograd.Constant(ts["w2"]))).Tensor()
	return ts
}

func TestACachedRunOfATinyGraphAllocatesLittle(t *testing.T) {
	g := hub(t, 1, 3, 6)
	bindings := edgeMLPBindings(g)
	run := func() { edgeMLP.Run(g, bindings...) }
	run()
	most := 2.0 // the result, which has its memory, and its node
	if raceEnabled {
		most = 30 // pools lose some of what they are given
	}
	if n := numtest.Allocations(50, run); n > most {
		t.Errorf("%v allocations a run, want at most %v", n, most)
	}
}
