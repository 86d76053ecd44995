package cudagen_test

// Layers with products of edges, attention by cosines and edges turned round on the device.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestNNConvAGNNConvAndDirGNNConvOnTheDeviceAreThoseOnTheCPU(t *testing.T) {
	device := open(t)
	g, err := graph.New(6, []int32{3, 0, 2, 1, 0, 2, 2, 0, 1, 3, 0, 2}, []int32{0, 1, 0, 4, 1, 2, 1, 0, 0, 4, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	type forward func(x, f *autograd.Var) *autograd.Var
	cases := map[string]func() (any, forward){
		"agnn": func() (any, forward) {
			l := gnn.NewAGNNConv(1.5, gnn.AGNNConfig{})
			return l, func(x, _ *autograd.Var) *autograd.Var { return l.Forward(g, x) }
		},
		"dirgnn": func() (any, forward) {
			r := nn.NewRNG(1)
			l := gnn.NewDirGNNConv(4, 3, 0.3, func() gnn.PairConv { return gnn.NewGATConv(4, 3, 1, gnn.GATConfig{}, r) }, gnn.DirGNNConfig{}, r)
			return l, func(x, _ *autograd.Var) *autograd.Var { return l.Forward(g, x) }
		},
	}
	nnconv := func(hidden int, reduce gnn.Reduce) func() (any, forward) {
		return func() (any, forward) {
			r := nn.NewRNG(1)
			l := gnn.NewNNConv(4, 2, 3, nn.NewMLP([]int{2, hidden, 12}, nn.MLPConfig{}, r), gnn.NNConvConfig{Reduce: reduce}, r)
			return l, func(x, f *autograd.Var) *autograd.Var { return l.Forward(g, x, f) }
		}
	}
	cases["nnconv by source"], cases["nnconv by edge"] = nnconv(2, gnn.ReduceMax), nnconv(9, gnn.ReduceSum)
	for name, make := range cases {
		results := func(d *tensor.Device) (all []float64) {
			l, forward := make()
			nn.To(l, d)
			x := autograd.Variable(tensor.Randn(tensor.Float32, 1, 6, 4).ToDevice(d))
			f := autograd.Variable(tensor.Randn(tensor.Float32, 2, 12, 2).ToDevice(d))
			y := forward(x, f)
			y.Square().Sum().Backward()
			made := []*tensor.Tensor{y.Tensor(), x.Gradient(), f.Gradient()}
			for _, p := range nn.Parameters(l) {
				made = append(made, p.Gradient())
			}
			for _, r := range made {
				if r == nil {
					continue // of features of edges that are not read
				}
				if r.Device() != d {
					t.Errorf("%s: a result is on %v, want %v", name, r.Device(), d)
				}
				all = append(all, r.Float64s()...)
			}
			return all
		}
		got, want := results(device), results(tensor.CPU)
		if len(got) != len(want) {
			t.Fatalf("%s: %d numbers, on the CPU %d", name, len(got), len(want))
		}
		for i := range want {
			if !(math.Abs(got[i]-want[i]) <= 1e-5*(1+math.Abs(want[i]))) {
				t.Errorf("%s: number %d is %v, on the CPU %v", name, i, got[i], want[i])
				break
			}
		}
	}
}
