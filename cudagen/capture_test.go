package cudagen_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/cudagen/dense"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// A recorded step reads the arrays of a graph that is gone, and what was bound.
func TestACapturedProgramKeepsItsGraph(t *testing.T) {
	d := open(t)
	p := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	var out *tensor.Tensor
	captured := func() *dense.Graph {
		g, err := graph.New(4, []int32{0, 1, 2, 3}, []int32{1, 2, 3, 0})
		if err != nil {
			t.Fatal(err)
		}
		h := autograd.Constant(tensor.Arange(tensor.Float32, 1, 13, 1).Reshape(4, 3).ToDevice(d))
		step := func() { out = p.Run(g, vc.VertexFeature("h", h)).Tensor() }
		step()
		c, err := dense.Capture(d, step)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}()
	replay := func() *tensor.Tensor {
		if err := captured.Replay(); err != nil {
			t.Fatal(err)
		}
		return out.ToDevice(tensor.CPU)
	}
	want := replay()
	for range 5 {
		runtime.GC()
		if err := d.Synchronize(); err != nil {
			t.Fatal(err)
		}
	}
	var others []*tensor.Tensor
	for i := range 50 { // take the memory that is free
		others = append(others, tensor.FullOn(d, tensor.Float32, float64(i+100), 4, 3), tensor.FullOn(d, tensor.Int32, 0, 5))
	}
	compare(t, "a replay without the graph", replay(), want, 0)
	if err := captured.Close(); err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(others)
}

// What a graph lacks that is new within a capture is said by Capture, though the function
// goes on with what the program was to give.
func TestACaptureThatMeetsANewGraphSaysSo(t *testing.T) {
	d := open(t)
	p := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InEdges().Src("h")) })
	h := autograd.Constant(tensor.Arange(tensor.Float32, 1, 13, 1).Reshape(4, 3).ToDevice(d))
	step := func(src []int32) func() {
		g, err := graph.New(4, src, []int32{1, 2, 3, 0})
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			y := p.Run(g, vc.VertexFeature("h", h)).Tensor()
			for range 5 {
				y = tensor.Exp(y)
			}
		}
	}
	step([]int32{0, 1, 2, 3})()
	_, err := dense.Capture(d, step([]int32{3, 2, 1, 0}))
	if err == nil || !strings.Contains(err.Error(), "run the step once first") || strings.Contains(err.Error(), "waits") {
		t.Errorf("Capture: %v", err)
	}
}
