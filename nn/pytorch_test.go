// Checkpoints of PyTorch load unchanged and compute what they computed there;
// losses are PyTorch's.

package nn_test

import (
	"bytes"
	"math"
	"os"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// torchLayers is the module of testdata/pytorch.py.
type torchLayers struct {
	Linear    *nn.Linear
	Embedding *nn.Embedding
	GRU       *nn.GRUCell
	LSTM      *nn.LSTMCell
	LayerNorm *nn.LayerNorm
	BatchNorm *nn.BatchNorm1d
	Attention *nn.MultiheadAttention
	Cross     *nn.MultiheadAttention
	Bilinear  *nn.Bilinear
	PReLU     *nn.PReLU `nn:"prelu"`
}

func newTorchLayers(r *nn.RNG) *torchLayers {
	return &torchLayers{
		Linear: nn.NewLinear(5, 4, r), Embedding: nn.NewEmbedding(6, 3, nn.EmbeddingConfig{}, r),
		GRU: nn.NewGRUCell(4, 3, nn.CellConfig{}, r), LSTM: nn.NewLSTMCell(4, 3, nn.CellConfig{}, r),
		LayerNorm: nn.NewLayerNorm(5, nn.LayerNormConfig{}), BatchNorm: nn.NewBatchNorm1d(4, nn.BatchNormConfig{}),
		Attention: nn.NewMultiheadAttention(6, 2, nn.AttentionConfig{}, r),
		Cross:     nn.NewMultiheadAttention(6, 3, nn.AttentionConfig{KDim: 4, VDim: 5}, r),
		Bilinear:  nn.NewBilinear(3, 4, 2, nn.BilinearConfig{}, r), PReLU: nn.NewPReLU(4, nn.PReLUConfig{}, r),
	}
}

// torchValues is the file of inputs and outputs.
type torchValues map[string]*tensor.Tensor

func readTorchValues(t *testing.T) torchValues {
	t.Helper()
	f, err := os.Open("testdata/values.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := nn.LoadTensors(f)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (v torchValues) in(name string) *autograd.Var { return autograd.Constant(v[name]) }

// want compares with an output, of which shapes differ at most in axes of one.
func (v torchValues) want(t *testing.T, name string, got *autograd.Var) {
	t.Helper()
	if v[name] == nil {
		t.Fatalf("the file has no %s", name)
	}
	if !got.Shape().Equal(v[name].Shape()) {
		t.Errorf("%s: shape %v, want %v", name, got.Shape(), v[name].Shape())
	}
	numtest.Near(t, name, got.Tensor().Float64s(), v[name].Float64s(), 2e-6)
}

func bools(x [][]bool) *tensor.Tensor {
	var flat []bool
	for _, row := range x {
		flat = append(flat, row...)
	}
	return tensor.FromSlice(flat, len(x), len(x[0]))
}

func TestPyTorchCheckpointsLoadUnchanged(t *testing.T) {
	m, v := newTorchLayers(nn.NewRNG(1)), readTorchValues(t)
	if err := nn.LoadFile("testdata/layers.safetensors", m, nn.PyTorchLayout()); err != nil {
		t.Fatal(err)
	}
	nn.Eval(m)
	v.want(t, "linear.y", m.Linear.Forward(v.in("linear.x")))
	v.want(t, "embedding.y", m.Embedding.Forward([]int32{5, 0, 5, 2}))
	x, h, c := v.in("cell.x"), v.in("cell.h"), v.in("cell.c")
	v.want(t, "gru.y", m.GRU.Forward(x, h))
	lstmH, lstmC := m.LSTM.Forward(x, h, c)
	v.want(t, "lstm.h", lstmH)
	v.want(t, "lstm.c", lstmC)
	v.want(t, "layer_norm.y", m.LayerNorm.Forward(v.in("layer_norm.x")))
	v.want(t, "batch_norm.y", m.BatchNorm.Forward(v.in("batch_norm.x")))
	v.want(t, "prelu.y", m.PReLU.Forward(v.in("batch_norm.x")))
	v.want(t, "bilinear.y", m.Bilinear.Forward(v.in("bilinear.x1"), v.in("bilinear.x2")))
	if n := tensor.Data[int64](m.BatchNorm.NumBatchesTracked.Tensor())[0]; n != 1 {
		t.Errorf("%d batches tracked, want 1", n)
	}
}

func TestAttentionIsPyTorchs(t *testing.T) {
	m, v := newTorchLayers(nn.NewRNG(1)), readTorchValues(t)
	if err := nn.LoadFile("testdata/layers.safetensors", m, nn.PyTorchLayout()); err != nil {
		t.Fatal(err)
	}
	x := v.in("attention.x")
	again := autograd.Constant(x.Tensor()) // another Var: the projections are made apart
	keys := bools([][]bool{{false, false, true, false}, {false, true, false, true}})
	for _, k := range []*autograd.Var{x, again} {
		y, weights := m.Attention.ForwardWeights(x, k, k, nn.AttentionMask{})
		v.want(t, "attention.y", y)
		v.want(t, "attention.weights", weights)
		y, weights = m.Attention.ForwardWeights(x, k, k, nn.AttentionMask{Keys: keys})
		v.want(t, "attention.keys", y)
		v.want(t, "attention.keys_weights", weights)
		v.want(t, "attention.causal", m.Attention.Forward(x, k, k, nn.CausalMask(4)))
		v.want(t, "attention.both", m.Attention.Forward(x, k, k, nn.AttentionMask{Keys: keys, Pairs: v["attention.added"]}))
	}
	first := autograd.Constant(x.Tensor().Narrow(0, 0, 1).Reshape(4, 6))
	y, weights := m.Attention.ForwardWeights(first, first, first, nn.AttentionMask{Keys: keys.Narrow(0, 0, 1).Reshape(4)})
	v.want(t, "attention.single", y)
	v.want(t, "attention.single_weights", weights)
	y, weights = m.Cross.ForwardWeights(x, v.in("cross.k"), v.in("cross.v"), nn.AttentionMask{})
	v.want(t, "cross.y", y)
	v.want(t, "cross.weights", weights)
}

func TestOurFilesOfPyTorchsLayersAreTheirs(t *testing.T) {
	m := newTorchLayers(nn.NewRNG(1))
	theirs, err := os.ReadFile("testdata/layers.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if err := nn.Load(bytes.NewReader(theirs), m, nn.PyTorchLayout()); err != nil {
		t.Fatal(err)
	}
	var ours bytes.Buffer
	if err := nn.Save(&ours, m, nn.PyTorchLayout()); err != nil {
		t.Fatal(err)
	}
	// Theirs has no metadata, with which loaders for PyTorch are content.
	tensors, err := nn.LoadTensors(&ours)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := nn.SaveTensors(&again, tensors, nil); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(again.Bytes(), theirs) {
		t.Error("the same tensors make another file")
	}
}

func TestLossesArePyTorchs(t *testing.T) {
	v := readTorchValues(t)
	logits, target, pred := v.in("loss.logits"), v.in("loss.target"), v.in("loss.pred")
	labels, weight := []int32{2, 0, 1, 1, 2}, []float64{0.5, 2, 1.25}
	ones := autograd.Constant(tensor.FromSlice([]float32{1, -1, -1, 1, -1}, 5))
	column := func(x *autograd.Var) *autograd.Var { return x.Slice(1, 0, 1).Reshape(5) }
	for suffix, r := range map[string]nn.Reduction{".mean": nn.ReduceMean, ".sum": nn.ReduceSum, ".none": nn.ReduceNone} {
		smooth := nn.LabelSmoothing(0.2)
		for name, got := range map[string]*autograd.Var{
			"cross_entropy":         nn.CrossEntropy(logits, labels, nil, r),
			"cross_entropy_weights": nn.CrossEntropy(logits, labels, nil, nn.ClassWeights(weight), r),
			"cross_entropy_smooth":  nn.CrossEntropy(logits, labels, nil, r, smooth),
			"cross_entropy_all":     nn.CrossEntropy(logits, labels, nil, smooth, nn.ClassWeights(weight), r),
			"cross_entropy_soft":    nn.SoftCrossEntropy(logits, target, r),
			"nll":                   nn.NLL(logits.LogSoftmax(), labels, nil, nn.ClassWeights(weight), r),
			"bce":                   nn.BCEWithLogits(logits, target, r),
			"bce_weights":           nn.BCEWithLogits(logits, target, r, nn.PosWeight(weight...)),
			"mse":                   nn.MSE(logits, pred, r),
			"l1":                    nn.L1(logits, pred, r),
			"huber":                 nn.Huber(logits, pred, 0.7, r),
			"smooth_l1":             nn.SmoothL1(logits, pred, 0.7, r),
			"kl_div":                nn.KLDiv(logits.LogSoftmax(), target, r),
			"margin_ranking":        nn.MarginRanking(column(logits), column(pred), ones, 0.3, r),
			"cosine_embedding":      nn.CosineEmbedding(logits, pred, ones, 0.1, r),
			"triplet_margin":        nn.TripletMargin(logits, pred, target, 0.5, r),
		} {
			v.want(t, name+suffix, got)
		}
	}
}

func TestHalfPrecisionCheckpointsBecomeFloat32(t *testing.T) {
	l := nn.NewLinear(5, 4, nn.NewRNG(1))
	if err := nn.LoadFile("testdata/half.safetensors", l, nn.PyTorchLayout()); err != nil {
		t.Fatal(err)
	}
	for i, got := range l.Weight.Tensor().Transpose().Float64s() {
		if want := float64(i) / 7; math.Abs(got-want) > want/2048 {
			t.Errorf("weight %d is %v, want %v to 11 bits", i, got, want)
		}
	}
	for i, got := range l.Bias.Tensor().Float64s() {
		if want := float64(5*i+1) / 7; math.Abs(got-want) > want/256 {
			t.Errorf("bias %d is %v, want %v to 8 bits", i, got, want)
		}
	}
	if err := nn.LoadFile("testdata/half.safetensors", nn.NewLinear(5, 4, nn.NewRNG(1), nn.WithDType(tensor.Float64)), nn.PyTorchLayout()); err == nil {
		t.Error("16 bits were loaded into float64")
	}
}
