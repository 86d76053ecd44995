package vcentric_test

import (
	"runtime/debug"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// A training step whose result and gradients are given back leaves no memory to the
// garbage collector: what a program saves goes when its backward pass is over.
func TestWhatAProgramSavesIsFreedByTheBackwardPass(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	g := hub(t, 3, 500, 8000)
	p := vc.Compile("gat", gatVertex(3))
	ins := []input{vertex("h", 3, 40), param("al", 3, 40), param("ar", 3, 40)}
	xs := variables(g, tensor.Float32, ins)
	bindings := bindAll(ins, xs)
	if saved := len(p.Compiled(g, bindings...).Forward.Outputs); saved < 2 {
		t.Fatalf("the program has %d outputs, and saves nothing", saved)
	}
	tensor.TrimMemory() // what other tests have left
	live := func(backward ...autograd.BackwardOption) int64 {
		before := tensor.MemoryStats().Live
		y := p.Run(g, bindings...)
		cotangent := tensor.Full(tensor.Float32, 1, y.Shape()...)
		for range len(backward) + 1 {
			y.BackwardWith(cotangent, backward...)
			backward = nil // the second time lets go
		}
		y.Tensor().Free()
		cotangent.Free()
		for _, x := range xs {
			x.ZeroGrad()
		}
		return tensor.MemoryStats().Live - before
	}
	// Less than before is what a late finalizer has brought back.
	if got := live(); got > 0 {
		t.Errorf("%d bytes are left to the collector", got)
	}
	if got := live(autograd.RetainGraph()); got > 0 {
		t.Errorf("%d bytes are left to the collector after two backward passes", got)
	}
}
