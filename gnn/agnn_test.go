package gnn_test

// AGNNConv at the ends of what it takes. Its values go through the tables of layers.

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/gnn"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

func TestAGNNConvOfGreatBetaIsFinite(t *testing.T) {
	// Vertex 0 has its like, its opposite and an orthogonal one; vertex 1 nobody.
	g := mustGraph(t, 5, []int32{2, 3, 4}, []int32{0, 0, 0})
	rows := []float64{1, 0, 5, 6, 2, 0, -3, 0, 0, 4}
	for beta, want := range map[float64][]float64{
		1000:  {1.5, 0}, // the mean of the loop and its like
		-1000: {-3, 0},  // the opposite
		40:    {1.5, 0}, -40: {-3, 0},
		0: {0, 1}, // the mean of all
	} {
		for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
			l := gnn.NewAGNNConv(beta, gnn.AGNNConfig{}, gnn.WithDType(dt))
			x := autograd.Variable(tensor.FromSlice(rows, 5, 2).To(dt))
			y := l.Forward(g, x)
			near(t, "y", y.Tensor().Float64s(), append(append([]float64{}, want...), rows[2:]...), 1e-6)
			y.BackwardWith(randn(dt, 3, 5, 2))
			for _, v := range append(x.Gradient().Float64s(), l.Beta.Gradient().Float64s()...) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("beta %v, %v: gradients %v and %v", beta, dt, x.Gradient(), l.Beta.Gradient())
					break
				}
			}
		}
	}
}

// A row of zeros is as alike to all others, and to itself: cos is 0.
func TestAGNNConvOfZeroRowsAttendsEvenly(t *testing.T) {
	g := mustGraph(t, 3, []int32{1, 2}, []int32{0, 0})
	x := autograd.Variable(tensor.FromSlice([]float64{0, 0, 3, 0, 0, 6}, 3, 2))
	l := gnn.NewAGNNConv(5, gnn.AGNNConfig{}, gnn.WithDType(tensor.Float64))
	near(t, "y", l.Forward(g, x).Tensor().Float64s(), []float64{1, 2, 3, 0, 0, 6}, 1e-15)
}

func TestFixedBetaIsNoParameter(t *testing.T) {
	if n := len(nn.Parameters(gnn.NewAGNNConv(0, gnn.AGNNConfig{FixBeta: true}))); n != 0 {
		t.Errorf("%d parameters", n)
	}
	if n := len(nn.Parameters(gnn.NewAGNNConv(1, gnn.AGNNConfig{}))); n != 1 {
		t.Errorf("%d parameters, want 1", n)
	}
}

func TestAttentionOfAGNNConvIsThatOfDirections(t *testing.T) {
	l := gnn.NewAGNNConv(3, gnn.AGNNConfig{}, gnn.WithDType(tensor.Float64))
	x := autograd.Constant(randn(tensor.Float64, 1, 6, 5))
	want := l.Forward(messy(t), x).Tensor().Float64s()
	for _, c := range []float64{1e-9, 1e-3, 1e6} {
		near(t, "y", l.Forward(messy(t), x.Scale(c)).Scale(1/c).Tensor().Float64s(), want, 1e-12)
	}
}
