package vcentric_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

func TestVertexFunctionsThatRunTheirOwnProgramAreMisuse(t *testing.T) {
	g := messy(t)
	x := vc.VertexFeature("x", autograd.Constant(tensor.Full(tensor.Float32, 1, 6, 2)))
	var own, a, b *vc.Program
	own = vc.Compile("own", func(v vc.Vertex) vc.Value { own.Run(g, x); return v.Feature("x") })
	a = vc.Compile("a", func(v vc.Vertex) vc.Value { b.Run(g, x); return v.Feature("x") })
	b = vc.Compile("b", func(v vc.Vertex) vc.Value { a.Run(g, x); return v.Feature("x") })
	wantMisuse[*vc.BindError](t, "its own", func() { own.Run(g, x) }, "own: Run", "its own program")
	wantMisuse[*vc.BindError](t, "one that runs it", func() { a.Run(g, x) }, "its own program")
	wantMisuse[*vc.BindError](t, "explained", func() { own.Explain(g, x) }, "its own program")
	// Two goroutines, each of which needs what the other compiles.
	var wait sync.WaitGroup
	for range 4 {
		for _, p := range []*vc.Program{a, b} {
			wait.Add(1)
			go func() {
				defer wait.Done()
				if err := autograd.Try(func() { p.Run(g, x) }); err == nil {
					t.Error("no error")
				}
			}()
		}
	}
	wait.Wait()
}

func TestVertexFunctionsMayRunOtherPrograms(t *testing.T) {
	g := messy(t)
	x := vc.VertexFeature("x", autograd.Constant(tensor.Full(tensor.Float32, 1, 6)))
	var traced atomic.Int32
	inner := vc.Compile("inner", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x")) })
	outer := vc.Compile("outer", func(v vc.Vertex) vc.Value {
		traced.Add(1)
		return v.Feature("x").Scale(inner.Run(g, x).Tensor().Float64s()[0])
	})
	var wait sync.WaitGroup
	for range 8 {
		wait.Add(2)
		go func() {
			defer wait.Done()
			near(t, "outer", outer.Run(g, x).Tensor().Float64s(), []float64{4, 4, 4, 4, 4, 4}, 0)
		}()
		go func() {
			defer wait.Done()
			near(t, "inner", inner.Run(g, x).Tensor().Float64s(), []float64{4, 3, 3, 0, 2, 0}, 0)
		}()
	}
	wait.Wait()
	if n := traced.Load(); n != 1 {
		t.Errorf("goroutines that asked for a program at the same time compiled it %d times", n)
	}
}
