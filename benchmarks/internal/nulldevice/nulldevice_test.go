package nulldevice

import (
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
	"github.com/asterias-ml/asterias/vcentric/pass"
)

func TestOperationsHaveShapesAndNoElements(t *testing.T) {
	d := New()
	x := tensor.Full(tensor.Float32, 3, 4, 2).ToDevice(d)
	y := tensor.MatMul(x, tensor.Full(tensor.Float32, 1, 2, 5).ToDevice(d))
	if y.Device() != d || !y.Shape().Equal(tensor.Shape{4, 5}) {
		t.Errorf("the product has shape %v on %v", y.Shape(), y.Device())
	}
	for i, v := range y.ToDevice(tensor.CPU).Float64s() {
		if v != 0 {
			t.Fatalf("element %d is %v", i, v)
		}
	}
}

// What forward saves of edges is a choice for the CPU.
func TestBackwardOnADeviceComputesNumbersOfEdgesAgain(t *testing.T) {
	g, err := graph.New(3, []int32{0, 1}, []int32{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	p := vc.Compile("attention", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		return vc.Sum(vc.Softmax(e.Src("s").Add(e.Dst("s"))).Mul(e.Src("h")))
	})
	for _, d := range []*tensor.Device{tensor.CPU, New()} {
		h, s := autograd.Variable(tensor.EmptyOn(d, tensor.Float32, 3, 128)), autograd.Variable(tensor.EmptyOn(d, tensor.Float32, 3, 1))
		saved := p.Compiled(g, vc.VertexFeature("h", h), vc.VertexFeature("s", s)).Fired[pass.SaveEdgeValue]
		if (saved > 0) != (d == tensor.CPU) {
			t.Errorf("%d values of edges are saved on %v", saved, d)
		}
	}
}

// A large step takes no time that depends on its size: it would take minutes.
func TestVertexProgramsRunForwardAndBackwardAtOnce(t *testing.T) {
	const vertices, width = 1 << 20, 1 << 12
	src, dst := make([]int32, vertices), make([]int32, vertices)
	g, err := graph.New(vertices, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	d := New()
	x := autograd.Variable(tensor.EmptyOn(d, tensor.Float32, vertices, width))
	sum := vc.Compile("sum", func(v vc.Vertex) vc.Value { return vc.Sum(v.InNeighbors().Feature("x").Exp()) })
	y := sum.Run(g, vc.VertexFeature("x", x))
	y.Sum().Backward()
	if got := x.Gradient(); got == nil || !got.Shape().Equal(tensor.Shape{vertices, width}) || got.Device() != d {
		t.Errorf("the gradient is %v", got)
	}
	if err := d.Synchronize(); err != nil {
		t.Error(err)
	}
}
