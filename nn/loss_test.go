// Losses against their definitions, and the misuse of layers and losses.

package nn_test

import (
	"math"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/golden"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// Differences that fall on both sides of every kink, and away from it.
var (
	predictions = []float64{0.3, -1.2, 2.5, -0.4, 4, 0.9}
	targets     = []float64{0.1, 0.6, 2.1, 0.2, 1, 0.95}
	directions  = []float64{1, -1, 1, 1, -1, -1}
)

func meanOf(f func(i int) float64) float64 {
	sum := 0.0
	for i := range predictions {
		sum += f(i)
	}
	return sum / float64(len(predictions))
}

func TestLossesAreTheirDefinitions(t *testing.T) {
	diff := func(i int) float64 { return predictions[i] - targets[i] }
	// like returns a constant of a's type.
	like := func(a *autograd.Var, x []float64, shape ...int) *autograd.Var {
		return autograd.Constant(tensor.FromSlice(x, shape...).To(a.DType()))
	}
	for name, c := range map[string]struct {
		loss func(a, b *autograd.Var) *autograd.Var
		want float64
	}{
		"L1":  {reduced(nn.L1), meanOf(func(i int) float64 { return math.Abs(diff(i)) })},
		"MSE": {reduced(nn.MSE), meanOf(func(i int) float64 { return diff(i) * diff(i) })},
		"Huber": {
			func(a, b *autograd.Var) *autograd.Var { return nn.Huber(a, b, 0.5) },
			meanOf(func(i int) float64 {
				if d := math.Abs(diff(i)); d > 0.5 {
					return 0.5 * (d - 0.25)
				}
				return diff(i) * diff(i) / 2
			}),
		},
		"BCEWithLogits": {func(a, b *autograd.Var) *autograd.Var { return nn.BCEWithLogits(a, b) }, meanOf(func(i int) float64 {
			p := sigmoid(predictions[i])
			return -targets[i]*math.Log(p) - (1-targets[i])*math.Log(1-p)
		})},
		"MarginRanking": {
			func(a, b *autograd.Var) *autograd.Var { return nn.MarginRanking(a, b, like(a, directions, 2, 3), 0.3) },
			meanOf(func(i int) float64 { return max(0, -directions[i]*diff(i)+0.3) }),
		},
		"CosineEmbedding": {
			func(a, b *autograd.Var) *autograd.Var {
				return nn.CosineEmbedding(a, b, like(a, []float64{1, -1}, 2), 0.1)
			},
			(1 - cosine(predictions[:3], targets[:3]) + max(0, cosine(predictions[3:], targets[3:])-0.1)) / 2,
		},
		"CosineEmbedding within the margin": {
			func(a, b *autograd.Var) *autograd.Var {
				return nn.CosineEmbedding(a, b, like(a, []float64{-1, 1}, 2), 0.9)
			},
			(1 - cosine(predictions[3:], targets[3:])) / 2,
		},
	} {
		for dt, tol := range precisions {
			a, b := tensor.FromSlice(predictions, 2, 3).To(dt), tensor.FromSlice(targets, 2, 3).To(dt)
			wantNear(t, name+" "+dt.String(), c.loss(autograd.Constant(a), autograd.Constant(b)).Tensor(), tol, c.want)
		}
		a, b := autograd.Variable(tensor.FromSlice(predictions, 2, 3).Clone()), autograd.Variable(tensor.FromSlice(targets, 2, 3).Clone())
		f := func(xs ...*autograd.Var) *autograd.Var { return c.loss(xs[0], xs[1]) }
		if err := autograd.Gradcheck(f, []*autograd.Var{a, b}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return ab / math.Sqrt((aa+1e-12)*(bb+1e-12))
}

func TestLossGradientsAtKinksAndExtremes(t *testing.T) {
	zero := constant([]float64{0, 0, 0, 0}, 4)
	gradient := func(loss func(x *autograd.Var) *autograd.Var, x ...float64) *tensor.Tensor {
		v := autograd.Variable(tensor.FromSlice(x, 4))
		loss(v).Backward()
		return tensor.Scale(v.Gradient(), 4) // of the sum
	}
	huber := func(x *autograd.Var) *autograd.Var { return nn.Huber(x, zero, 2) }
	wantNear(t, "L1", gradient(func(x *autograd.Var) *autograd.Var { return nn.L1(x, zero) }, 0, -3, 3, 1e300), 0, 0, -1, 1, 1)
	wantNear(t, "Huber", gradient(huber, 0, 2, -2, 1e-30), 0, 0, 2, -2, 1e-30)
	wantNear(t, "Huber far away", gradient(huber, 1e300, -1e300, 2.5, -1.5), 0, 2, -2, 2, -1.5)
}

// The gradients are those of torch 2.9.1, whose losses end in clamp_min(0).
func TestLossesWithAMarginPassTheGradientAtTheHinge(t *testing.T) {
	for name, c := range map[string]struct {
		loss func(a, b *autograd.Var) *autograd.Var
		a, b []float64
		ga   []float64
		gb   []float64
	}{
		"MarginRanking": {func(a, b *autograd.Var) *autograd.Var {
			return nn.MarginRanking(a.Reshape(2), b.Reshape(2), constant([]float64{1, -1}, 2), 0.5, nn.ReduceSum)
		}, []float64{1, 2}, []float64{0.5, 2.5}, []float64{-1, 1}, []float64{1, -1}},
		"MarginRanking beyond it": {func(a, b *autograd.Var) *autograd.Var {
			return nn.MarginRanking(a.Reshape(2), b.Reshape(2), constant([]float64{1, -1}, 2), 0.5, nn.ReduceSum)
		}, []float64{2, 1}, []float64{0.5, 2.5}, []float64{0, 0}, []float64{0, 0}},
		"CosineEmbedding": {func(a, b *autograd.Var) *autograd.Var {
			return nn.CosineEmbedding(a, b, constant([]float64{-1}, 1), 0, nn.ReduceSum)
		}, []float64{1, 0}, []float64{0, 1}, []float64{0, 1}, []float64{1, 0}},
		"TripletMargin": {func(a, b *autograd.Var) *autograd.Var {
			anchor := constant([]float64{-1e-6, -1e-6}, 1, 2)
			return nn.TripletMargin(anchor, a, b, 1, nn.ReduceSum)
		}, []float64{1, 0}, []float64{2, 0}, []float64{1, 0}, []float64{-1, 0}},
	} {
		a, b := autograd.Variable(tensor.FromSlice(c.a, 1, 2)), autograd.Variable(tensor.FromSlice(c.b, 1, 2))
		loss := c.loss(a, b)
		wantNear(t, name, loss.Tensor(), 0, 0)
		loss.Backward()
		wantNear(t, name+": gradient of the first", a.Gradient(), 1e-9, c.ga...)
		wantNear(t, name+": gradient of the second", b.Gradient(), 1e-9, c.gb...)
	}
}

func TestBCEWithLogitsGolden(t *testing.T) {
	golden.Check(t, "bce_logits_mean", func(c *golden.Case) *autograd.Var {
		x := c.In["logits"]
		bits, columns := make([]float64, x.Shape().Size()), x.Shape()[1]
		for i := range bits {
			bits[i] = float64(i / columns >> (i % columns) & 1)
		}
		target := autograd.Constant(tensor.FromSlice(bits, x.Shape()...).To(c.DType))
		return nn.BCEWithLogits(x, target).Reshape(1) // scalars are stored with one dimension
	})
}

// Expected values by math.Log1p in float64; with infinities and NaN those of torch 2.9.1,
// which gives NaN also for x = -Inf where t > 0.
func TestBCEWithLogitsIsPreciseForConfidentLogits(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, w := range []float64{1, 3} {
		opts := []nn.BCEOption{nn.ReduceSum}
		if w != 1 {
			opts = append(opts, nn.PosWeight(w))
		}
		for _, x := range []float64{-200, -50, -20, -1, -1e-3, 0, 1e-3, 1, 20, 50, 200} {
			for _, target := range []float64{0, 0.001, 0.25, 1} {
				tail := math.Log1p(math.Exp(-math.Abs(x)))
				want := w*target*(max(-x, 0)+tail) + (1-target)*(max(x, 0)+tail)
				sig := 1 / (1 + math.Exp(-x))
				slope := sig*(1-target) - w*target*(1-sig)
				for dt, tol := range precisions {
					v := autograd.Variable(tensor.FromSlice([]float64{x}, 1).To(dt))
					loss := nn.BCEWithLogits(v, autograd.Constant(tensor.FromSlice([]float64{target}, 1).To(dt)), opts...)
					loss.Backward()
					if got := loss.Tensor().Item(); math.Abs(got-want) > tol*want+1e-30 {
						t.Errorf("%v: x %v, t %v, w %v: %v, want %v", dt, x, target, w, got, want)
					}
					if got := v.Gradient().At(0); math.Abs(got-slope) > tol {
						t.Errorf("%v: x %v, t %v, w %v: gradient %v, want %v", dt, x, target, w, got, slope)
					}
				}
			}
		}
		for _, c := range []struct{ x, t, loss, slope float64 }{
			{-inf, 0, nan, 0}, {-inf, 1, inf, -w}, {inf, 0, inf, 1}, {inf, 1, nan, 0}, {inf, 0.25, inf, 0.75},
			{nan, 0, nan, nan}, {nan, 1, nan, nan},
		} {
			v := autograd.Variable(tensor.FromSlice([]float64{c.x}, 1))
			loss := nn.BCEWithLogits(v, constant([]float64{c.t}, 1), opts...)
			loss.Backward()
			for what, pair := range map[string][2]float64{"loss": {loss.Tensor().Item(), c.loss}, "gradient": {v.Gradient().At(0), c.slope}} {
				if pair[0] != pair[1] && !(pair[0] != pair[0] && pair[1] != pair[1]) {
					t.Errorf("x %v, t %v, w %v: %s %v, want %v", c.x, c.t, w, what, pair[0], pair[1])
				}
			}
		}
	}
}

func TestCosineEmbeddingOfZeroRowsHasFiniteGradients(t *testing.T) {
	for _, dt := range []tensor.DType{tensor.Float32, tensor.Float64} {
		a, b := autograd.Variable(tensor.Zeros(dt, 2, 3)), autograd.Variable(tensor.Full(dt, 1, 2, 3))
		y := autograd.Constant(tensor.FromSlice([]float64{1, -1}, 2).To(dt))
		loss := nn.CosineEmbedding(a, b, y, 0)
		wantNear(t, "loss", loss.Tensor(), 1e-6, 0.5)
		loss.Backward()
		if !tensor.AllFinite(a.Gradient()) || !tensor.AllFinite(b.Gradient()) {
			t.Errorf("%v: gradients %v, %v", dt, a.Gradient(), b.Gradient())
		}
		if y.Gradient() != nil {
			t.Error("y has a gradient")
		}
	}
}

func TestNewLayersAndLossesRejectMisuse(t *testing.T) {
	r := nn.NewRNG(1)
	zeros := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float32, shape...)) }
	doubles := func(shape ...int) *autograd.Var { return autograd.Constant(tensor.Zeros(tensor.Float64, shape...)) }
	one, err := tensor.NewSparse(1, 1, []int32{0, 1}, []int32{0}, tensor.FromSlice([]float32{1}, 1))
	if err != nil {
		t.Fatal(err)
	}
	sparse := autograd.SparseConstant(one)
	norm, batch := nn.NewLayerNorm(3, nn.LayerNormConfig{}), nn.NewBatchNorm1d(3, nn.BatchNormConfig{})
	gru, lstm := nn.NewGRUCell(3, 2, nn.CellConfig{}, r), nn.NewLSTMCell(3, 2, nn.CellConfig{}, r)
	twoRows := nn.NewEmbedding(2, 2, nn.EmbeddingConfig{}, r)
	numbers := func(dt tensor.DType, x ...int64) *autograd.Var {
		return autograd.Constant(tensor.FromSlice(x, len(x), 1).To(dt))
	}
	for want, f := range map[string]func(){
		"nn: NewLayerNorm: -1 features":                                        func() { nn.NewLayerNorm(-1, nn.LayerNormConfig{}) },
		"nn: NewLayerNorm: Eps is -1, want a finite number >= 0":               func() { nn.NewLayerNorm(1, nn.LayerNormConfig{Eps: -1}) },
		"nn: LayerNorm: the layer is nil; make it with NewLayerNorm":           func() { (*nn.LayerNorm)(nil).Forward(zeros(1, 3)) },
		"nn: LayerNorm: input of shape [2 4], layer for [3] features":          func() { norm.Forward(zeros(2, 4)) },
		"nn: LayerNorm: input of shape [3 1], layer for [3] features":          func() { norm.Forward(zeros(3, 1)) },
		"nn: LayerNorm: a scalar has no rows":                                  func() { norm.Forward(zeros()) },
		"nn: CosineSimilarity: a scalar has no rows":                           func() { nn.CosineSimilarity(zeros(), zeros()) },
		"nn: CosineSimilarity: shapes differ: [2] and [3]":                     func() { nn.CosineSimilarity(zeros(2), zeros(3)) },
		"nn: CosineSimilarity: an operand is nil":                              func() { nn.CosineSimilarity(zeros(2), nil) },
		"nn: NormalizeRows: a scalar has no rows":                              func() { nn.NormalizeRows(zeros()) },
		"nn: NewBatchNorm1d: Eps is NaN":                                       func() { nn.NewBatchNorm1d(1, nn.BatchNormConfig{Eps: math.NaN()}) },
		"nn: NewBatchNorm1d: Momentum 2 is outside (0, 1]":                     func() { nn.NewBatchNorm1d(1, nn.BatchNormConfig{Momentum: 2}) },
		"nn: BatchNorm1d: the layer is nil; make it with NewBatchNorm1d":       func() { (*nn.BatchNorm1d)(nil).Forward(zeros(2, 3)) },
		"nn: BatchNorm1d: takes a matrix, got [3]":                             func() { batch.Forward(zeros(3)) },
		"nn: BatchNorm1d: input of shape [2 1], layer for [3] features":        func() { batch.Forward(zeros(2, 1)) },
		"nn: BatchNorm1d: input is f64, the layer f32":                         func() { batch.Forward(doubles(2, 3)) },
		"nn: BatchNorm1d: a training batch needs more than one row, got [1 3]": func() { batch.Forward(zeros(1, 3)) },
		"nn: BatchNorm1d: the layer has one of RunningMean and RunningVar, not both": func() {
			(&nn.BatchNorm1d{RunningMean: zeros(3)}).Forward(zeros(2, 3))
		},
		"nn: NewEmbedding: negative size: -1 rows of 2":                      func() { nn.NewEmbedding(-1, 2, nn.EmbeddingConfig{}, r) },
		"nn: Embedding: the layer has no weight":                             func() { (&nn.Embedding{}).Forward(nil) },
		"tensor: Embedding: index 1 is 5, out of range [0, 2)":               func() { nn.NewEmbedding(2, 2, nn.EmbeddingConfig{}, r).Forward([]int32{0, 5}) },
		"tensor: Embedding: index 3 is 2, out of range [0, 2)":               func() { twoRows.ForwardIndices(numbers(tensor.Int32, 0, 1, 1, 2)) },
		"tensor: Embedding: index 1 is -1, out of range [0, 2)":              func() { twoRows.ForwardIndices(numbers(tensor.Int64, 0, -1)) },
		"tensor: Embedding: index 0 is 4294967296, out of range [0, 2)":      func() { twoRows.ForwardIndices(numbers(tensor.Int64, 1<<32)) },
		"tensor: Embedding: element type f32, want i32 or i64":               func() { twoRows.ForwardIndices(zeros(2)) },
		"nn: Embedding: an operand is nil":                                   func() { twoRows.ForwardIndices(nil) },
		"nn: Embedding: the layer has no weight; make":                       func() { (*nn.Embedding)(nil).ForwardIndices(numbers(tensor.Int32)) },
		"autograd: Embedding: padding row 2 is outside [0, 2): [2 2]":        func() { (&nn.Embedding{Weight: twoRows.Weight, Padding: new(2)}).Forward(nil) },
		"nn: NewEmbedding: padding row 2 is outside [0, 2)":                  func() { nn.NewEmbedding(2, 2, nn.EmbeddingConfig{Padding: new(2)}, r) },
		"nn: NewEmbedding: padding row -1 is outside [0, 2)":                 func() { nn.NewEmbedding(2, 2, nn.EmbeddingConfig{Padding: new(-1)}, r) },
		"nn: NewGRUCell: negative size: -1 to 2":                             func() { nn.NewGRUCell(-1, 2, nn.CellConfig{}, r) },
		"nn: GRUCell: the cell is nil":                                       func() { (*nn.GRUCell)(nil).Forward(nil, nil) },
		"nn: GRUCell: the cell has no weights; make it with NewGRUCell":      func() { (&nn.GRUCell{}).Forward(zeros(1, 3), nil) },
		"nn: GRUCell: weights of shapes [8 3] and [8 2] do not make 3 gates": func() { (&nn.GRUCell{WeightIH: lstm.WeightIH, WeightHH: lstm.WeightHH}).Forward(zeros(1, 3), nil) },
		"nn: GRUCell: input of shape [1 4], want [N 3]":                      func() { gru.Forward(zeros(1, 4), nil) },
		"nn: GRUCell: state of shape [1 2], want [4 2]":                      func() { gru.Forward(zeros(4, 3), zeros(1, 2)) },
		"nn: LSTMCell: the cell is nil":                                      func() { (*nn.LSTMCell)(nil).Forward(nil, nil, nil) },
		"nn: LSTMCell: state of shape [4 1], want [4 2]":                     func() { lstm.Forward(zeros(4, 3), nil, zeros(4, 1)) },
		"nn: NewMLP: what Norm gives for 3 features is nil": func() {
			nn.NewMLP([]int{2, 3, 1}, nn.MLPConfig{Norm: func(int) nn.Layer { return nil }}, r)
		},
		"nn: MLP: 1 normalisations of 1 hidden layers, or one is nil": func() {
			(&nn.MLP{Layers: []*nn.Linear{linear(), linear()}, Norms: []nn.Layer{nil}}).Forward(zeros(1, 2))
		},
		"nn: MLP: 1 normalisations of 2 hidden layers, or one is nil": func() {
			(&nn.MLP{Layers: []*nn.Linear{linear(), linear(), linear()}, Norms: []nn.Layer{nn.ReLU()}}).Forward(zeros(1, 2))
		},
		"nn: Sequential: layer 1 is nil":                  func() { nn.Sequential{linear(), nil}.Forward(zeros(1, 2)) },
		"nn: F1Score.Add: the score to add is nil":        func() { nn.F1(zeros(1, 2), []int32{0}, nil).Add(nil) },
		"nn: F1Score.Add: the score is nil":               func() { (*nn.F1Score)(nil).Add(&nn.F1Score{}) },
		"nn: F1Score.Class: the score is nil":             func() { (*nn.F1Score)(nil).Class(0) },
		"nn: F1Score.Micro: the score is nil":             func() { (*nn.F1Score)(nil).Micro() },
		"nn: F1Score.Macro: the score is nil":             func() { (*nn.F1Score)(nil).Macro() },
		"nn: L1: shapes differ: [2] and [2 1]":            func() { nn.L1(zeros(2), zeros(2, 1)) },
		"nn: L1: takes dense operands only":               func() { nn.L1(sparse, sparse) },
		"nn: L1: types differ: f32 and f64":               func() { nn.L1(zeros(2), doubles(2)) },
		"nn: Huber: delta is 0, want a finite number > 0": func() { nn.Huber(zeros(2), zeros(2), 0) },
		"nn: MarginRanking: shapes differ: [2] and [1]":   func() { nn.MarginRanking(zeros(2), zeros(2), zeros(1), 0) },
		"nn: CosineEmbedding: takes matrices, got [2]":    func() { nn.CosineEmbedding(zeros(2), zeros(2), zeros(2), 0) },
		"nn: CosineEmbedding: y has shape [3], want [2]":  func() { nn.CosineEmbedding(zeros(2, 3), zeros(2, 3), zeros(3), 0) },
		"nn: CosineEmbedding: types differ: f32 and f64":  func() { nn.CosineEmbedding(zeros(2, 3), zeros(2, 3), doubles(2), 0) },
		"nn: CosineEmbedding: y[0] is 0, want 1 or -1":    func() { nn.CosineEmbedding(zeros(2, 3), zeros(2, 3), zeros(2), 0) },
	} {
		if err := autograd.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	wantNear(t, "batches after misuse", batch.NumBatchesTracked.Tensor(), 0, 0)
}

// reduced is a loss with its default reduction.
func reduced(loss func(a, b *autograd.Var, r ...nn.Reduction) *autograd.Var) func(a, b *autograd.Var) *autograd.Var {
	return func(a, b *autograd.Var) *autograd.Var { return loss(a, b) }
}
