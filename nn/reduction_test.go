// Reductions and options of losses.

package nn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// everyLoss are all losses of three predictions [4 3], which they differentiate.
var everyLoss = map[string]func(xs []*autograd.Var, r nn.Reduction) *autograd.Var{
	"CrossEntropy": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.CrossEntropy(xs[0], []int32{2, 9, 1, 0}, []int32{3, 0, 0}, nn.ClassWeights([]float64{1, 2, 3}), nn.LabelSmoothing(0.1), r)
	},
	"NLL": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.NLL(xs[0], []int32{2, 0, 1, 0}, nil, r)
	},
	"SoftCrossEntropy": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.SoftCrossEntropy(xs[0], xs[1].Softmax(), r)
	},
	"BCEWithLogits": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.BCEWithLogits(xs[0], xs[1].Sigmoid(), nn.PosWeight(2), r)
	},
	"MSE":   func(xs []*autograd.Var, r nn.Reduction) *autograd.Var { return nn.MSE(xs[0], xs[1], r) },
	"L1":    func(xs []*autograd.Var, r nn.Reduction) *autograd.Var { return nn.L1(xs[0], xs[1], r) },
	"Huber": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var { return nn.Huber(xs[0], xs[1], 0.4, r) },
	"SmoothL1": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.SmoothL1(xs[0], xs[1], 0.4, r)
	},
	"KLDiv": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.KLDiv(xs[0].LogSoftmax(), constant([]float64{1, 0, 0, .5, .25, .25, 0, 0, 1, .2, .3, .5}, 4, 3), r)
	},
	"MarginRanking": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.MarginRanking(xs[0], xs[1], constant([]float64{1, -1, 1, 1, -1, -1, 1, -1, 1, 1, -1, -1}, 4, 3), 0.3, r)
	},
	"CosineEmbedding": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.CosineEmbedding(xs[0], xs[1], constant([]float64{1, -1, -1, 1}, 4), 0.1, r)
	},
	"TripletMargin": func(xs []*autograd.Var, r nn.Reduction) *autograd.Var {
		return nn.TripletMargin(xs[0], xs[1], xs[2], 1, r)
	},
}

func TestReductionsAgreeAndHaveGradients(t *testing.T) {
	for name, loss := range everyLoss {
		xs := []*autograd.Var{normal(1, 4, 3), normal(2, 4, 3), normal(3, 4, 3)}
		each := loss(xs, nn.ReduceNone).Tensor().Float64s()
		sum := 0.0
		for _, x := range each {
			sum += x
		}
		wantNear(t, name+" sum", loss(xs, nn.ReduceSum).Tensor(), 1e-12, sum)
		weight := float64(len(each))
		if name == "CrossEntropy" {
			weight = 1 + 3 + 3 // of classes 0, 2 and 2
		}
		wantNear(t, name+" mean", loss(xs, nn.ReduceMean).Tensor(), 1e-12, sum/weight)
		for _, r := range []nn.Reduction{nn.ReduceMean, nn.ReduceSum, nn.ReduceNone} {
			f := func(xs ...*autograd.Var) *autograd.Var { return loss(xs, r) }
			if err := autograd.Gradcheck(f, xs); err != nil {
				t.Errorf("%s, reduction %d: %v", name, r, err)
			}
		}
	}
}

func TestLossesOfImpossibleClassesAreNotNaN(t *testing.T) {
	inf := math.Inf(1)
	logits := constant([]float64{-inf, 0, 0, 0, -inf, 0}, 2, 3)
	want := math.Ln2
	wantNear(t, "mean", nn.CrossEntropy(logits, []int32{1, 2}, nil).Tensor(), 1e-12, want)
	wantNear(t, "sum", nn.CrossEntropy(logits, []int32{1, 2}, nil, nn.ReduceSum).Tensor(), 1e-12, 2*want)
	wantNear(t, "none", nn.CrossEntropy(logits, []int32{1, 2}, nil, nn.ReduceNone).Tensor(), 1e-12, want, want)
	if got := nn.CrossEntropy(logits, []int32{0, 2}, nil, nn.ReduceNone).Tensor().At(0); got != inf {
		t.Errorf("the loss of an impossible class is %v, want +Inf", got)
	}
}

func TestLossesOfNoRows(t *testing.T) {
	x := autograd.Variable(tensor.Full(tensor.Float64, 1, 2, 3))
	labels := []int32{0, 1}
	if got := nn.CrossEntropy(x, labels, []int32{}).Tensor().Item(); !math.IsNaN(got) {
		t.Errorf("mean %v, want NaN", got)
	}
	sum := nn.CrossEntropy(x, labels, []int32{}, nn.ReduceSum)
	if got := sum.Tensor().Item(); got != 0 {
		t.Errorf("sum %v, want 0", got)
	}
	sum.Backward()
	wantNear(t, "gradient", x.Gradient(), 0, 0, 0, 0, 0, 0, 0)
	if got := nn.CrossEntropy(x, labels, []int32{}, nn.ReduceNone); !got.Shape().Equal(tensor.Shape{0}) {
		t.Errorf("none %v, want [0]", got.Shape())
	}
}

func TestKLDivIsZeroAtTheTargetAndGivesItNoGradient(t *testing.T) {
	p := autograd.Variable(tensor.FromSlice([]float64{0.25, 0.75, 1, 0}, 2, 2))
	logP := constant([]float64{math.Log(0.25), math.Log(0.75), 0, -700}, 2, 2)
	wantNear(t, "divergence", nn.KLDiv(logP, p, nn.ReduceSum).Tensor(), 1e-12, 0)
	q := autograd.Variable(logP.Tensor().Clone())
	nn.KLDiv(q, p).Backward()
	if p.Gradient() != nil || q.Gradient() == nil {
		t.Error("the gradient went to the target, or not to the prediction")
	}
}

func TestBCEWithLogitsOfLargeLogitsIsFinite(t *testing.T) {
	x, target := constant([]float64{-1000, 1000, -1000, 1000}, 4), constant([]float64{0, 1, 1, 0}, 4)
	wantNear(t, "losses", nn.BCEWithLogits(x, target, nn.ReduceNone).Tensor(), 1e-12, 0, 0, 1000, 1000)
	wantNear(t, "weighted", nn.BCEWithLogits(x, target, nn.PosWeight(3), nn.ReduceNone).Tensor(), 1e-12, 0, 0, 3000, 1000)
	scalar := constant([]float64{0})
	wantNear(t, "scalar", nn.BCEWithLogits(scalar, constant([]float64{1}), nn.PosWeight(2)).Tensor(), 1e-12, 2*math.Ln2)
}

func TestLossOptionsRejectMisuse(t *testing.T) {
	x, y := constant([]float64{1, 2, 3, 4}, 2, 2), constant([]float64{1, 2}, 2)
	labels := []int32{0, 1}
	for want, f := range map[string]func(){
		"nn: MSE: 2 reductions":                                       func() { nn.MSE(x, x, nn.ReduceSum, nn.ReduceSum) },
		"nn: L1: there is no reduction 7":                             func() { nn.L1(x, x, 7) },
		"nn: CrossEntropy: 3 class weights for 2 classes":             func() { nn.CrossEntropy(x, labels, nil, nn.ReduceSum, nn.ClassWeights(make([]float64, 3))) },
		"nn: CrossEntropy: label smoothing 2 is outside [0, 1]":       func() { nn.CrossEntropy(x, labels, nil, nn.ReduceSum, nn.LabelSmoothing(2)) },
		"autograd: CrossEntropy: label smoothing 2 is outside [0, 1]": func() { nn.CrossEntropy(x, labels, nil, nn.LabelSmoothing(2)) },
		"nn: CrossEntropy: takes a dense matrix":                      func() { nn.CrossEntropy(y, labels, nil, nn.ReduceNone) },
		"nn: CrossEntropy: 1 labels for 2 rows":                       func() { nn.CrossEntropy(x, labels[:1], nil, nn.ReduceNone) },
		"nn: NLL: row 2 is outside [0, 2)":                            func() { nn.NLL(x, labels, []int32{2}, nn.ReduceSum) },
		"nn: NLL: label 2 of row 1 is outside [0, 2)":                 func() { nn.NLL(x, []int32{0, 2}, nil, nn.ReduceSum) },
		"nn: NLL: there is no reduction 9":                            func() { nn.NLL(x, labels, nil, nn.Reduction(9)) },
		"nn: SoftCrossEntropy: takes matrices, got [2]":               func() { nn.SoftCrossEntropy(y, y) },
		"nn: BCEWithLogits: 3 positive weights for 2 columns":         func() { nn.BCEWithLogits(x, x, nn.PosWeight(1, 2, 3)) },
		"nn: SmoothL1: beta is 0, want a finite number > 0":           func() { nn.SmoothL1(x, x, 0) },
		"nn: TripletMargin: shapes differ: [2 2] and [2]":             func() { nn.TripletMargin(x, x, y, 1) },
		"nn: TripletMargin: takes matrices, got [2]":                  func() { nn.TripletMargin(y, y, y, 1) },
		"nn: KLDiv: shapes differ: [2 2] and [2]":                     func() { nn.KLDiv(x, y) },
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
