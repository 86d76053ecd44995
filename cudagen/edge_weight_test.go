package cudagen_test

// Graph convolutions with weights of edges on the device.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestWeightedPropagationOnTheDeviceIsThatOnTheCPU(t *testing.T) {
	device := open(t)
	src, dst := []int32{0, 1, 2, 3, 4, 0, 0}, []int32{1, 2, 2, 0, 1, 1, 0}
	whole, err := graph.New(6, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	block, err := graph.NewBipartite(6, 3, src, dst)
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*graph.Graph{"graph": whole, "block": block} {
		for _, norm := range []gnn.Norm{gnn.RenormLoops, gnn.BothDegrees} {
			results := func(d *tensor.Device) (all []float64) {
				l := gnn.NewGCNConvNorm(4, 3, norm, nn.NewRNG(1))
				nn.To(l, d)
				x := autograd.Variable(tensor.Randn(tensor.Float32, 1, 6, 4).ToDevice(d))
				w := autograd.Variable(tensor.FromSlice([]float32{0.5, 2, 1, -3, 0.25, 1, 4}, 7).ToDevice(d))
				y := l.ForwardWeighted(g, x, w)
				y.Square().Sum().Backward()
				for _, r := range []*tensor.Tensor{y.Tensor(), x.Gradient(), w.Gradient(), l.Weight.Gradient()} {
					if r.Device() != d {
						t.Errorf("a result is on %v, want %v", r.Device(), d)
					}
					all = append(all, r.Float64s()...)
				}
				return all
			}
			got, want := results(device), results(tensor.CPU)
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-5*(1+math.Abs(want[i]))) {
					t.Errorf("%s, norm %d: number %d is %v, on the CPU %v", name, norm, i, got[i], want[i])
				}
			}
		}
	}
}
