// Embeddings.

package nn_test

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

func TestEmbeddingLooksUpRowsAndAddsTheirGradients(t *testing.T) {
	e := nn.NewEmbedding(3, 2, nn.EmbeddingConfig{DType: tensor.Float64}, nn.NewRNG(1))
	w := e.Weight.Tensor().Float64s()
	ids := []int32{2, 0, 2}
	y := e.Forward(ids)
	wantNear(t, "y", y.Tensor(), 0, w[4], w[5], w[0], w[1], w[4], w[5])
	y.BackwardWith(tensor.FromSlice([]float64{1, 2, 3, 4, 10, 20}, 3, 2))
	wantNear(t, "gradient", e.Weight.Gradient(), 0, 3, 4, 0, 0, 11, 22)
	f := func(...*autograd.Var) *autograd.Var { return e.Forward(ids).Tanh() }
	if err := autograd.Gradcheck(f, []*autograd.Var{e.Weight}); err != nil {
		t.Error(err)
	}
	if s := e.Forward(nil).Shape(); !s.Equal(tensor.Shape{0, 2}) {
		t.Errorf("no ids: shape %v", s)
	}
	if got := names(e); !slices.Equal(got, []string{"weight"}) {
		t.Errorf("names %v", got)
	}
}

func TestEmbeddingIsDrawnFromItsInitializer(t *testing.T) {
	sum, squares := 0.0, 0.0
	for _, v := range nn.NewEmbedding(300, 100, nn.EmbeddingConfig{}, nn.NewRNG(2)).Weight.Tensor().Float64s() {
		sum += v
		squares += v * v
	}
	if mean, variance := sum/30000, squares/30000; math.Abs(mean) > 0.025 || math.Abs(variance-1) > 0.03 {
		t.Errorf("mean %v, variance %v, want 0, 1", mean, variance)
	}
	e := nn.NewEmbedding(2, 2, nn.EmbeddingConfig{Init: nn.Constant(3)}, nn.NewRNG(2))
	wantNear(t, "constant", e.Weight.Tensor(), 0, 3, 3, 3, 3)
}

// With a PyTorch state dict, loaded unchanged, results, gradients and a step are PyTorch's.
func TestEmbeddingIsPyTorchs(t *testing.T) {
	paddings := map[string]*int{
		"plain": nil, "first": new(0), "last": new(4), "unused": new(2), "alone": new(1), "empty": new(0), "tied": new(0),
	}
	cases := readCases(t, "embedding.txt")
	if len(cases) != len(paddings) {
		t.Errorf("%d cases in the file", len(cases))
	}
	for name, v := range cases {
		var file bytes.Buffer
		if err := nn.SaveTensors(&file, map[string]*tensor.Tensor{"weight": v["weight"]}, nil); err != nil {
			t.Fatal(err)
		}
		cfg := nn.EmbeddingConfig{DType: tensor.Float64, Padding: paddings[name]}
		ids := v["ids"].To(tensor.Int32)
		for form, look := range map[string]func(e *nn.Embedding) *autograd.Var{
			"int32": func(e *nn.Embedding) *autograd.Var { return e.ForwardIndices(autograd.Constant(ids)) },
			"int64": func(e *nn.Embedding) *autograd.Var {
				return e.ForwardIndices(autograd.Constant(ids.To(tensor.Int64)))
			},
			"transposed": func(e *nn.Embedding) *autograd.Var {
				return e.ForwardIndices(autograd.Constant(ids.Transpose().Contiguous().Transpose()))
			},
			"slice": func(e *nn.Embedding) *autograd.Var {
				return e.Forward(tensor.Data[int32](ids)).Reshape(append(ids.Shape().Clone(), 3)...)
			},
		} {
			if form == "transposed" && ids.Rank() != 2 {
				continue
			}
			what := name + ", " + form
			e := nn.NewEmbedding(5, 3, cfg, nn.NewRNG(1))
			if err := nn.Load(bytes.NewReader(file.Bytes()), e, nn.PyTorchLayout()); err != nil {
				t.Fatal(err)
			}
			out := look(e)
			if name == "tied" {
				out = out.MatMul(e.Weight.Transpose())
			}
			if !out.Shape().Equal(v["out"].Shape()) {
				t.Errorf("%s: shape %v, want %v", what, out.Shape(), v["out"].Shape())
			}
			wantNear(t, what, out.Tensor(), 1e-13, v["out"].Float64s()...)
			out.BackwardWith(sines(0.2, out.Shape()...))
			wantNear(t, what+": gradient", e.Weight.Gradient(), 1e-13, v["grad_weight"].Float64s()...)
			optim.NewSGD([]optim.Group{{Params: nn.Parameters(e), WeightDecay: 0.1}}, optim.SGDConfig{LR: 0.5}).Step()
			wantNear(t, what+": after a step", e.Weight.Tensor(), 1e-13, v["after"].Float64s()...)
		}
	}
}

// sines are those of the scripts in testdata.
func sines(phase float64, shape ...int) *tensor.Tensor {
	values := make([]float64, tensor.Shape(shape).Size())
	for i := range values {
		values[i] = math.Sin(1.7*float64(i) + phase)
	}
	return tensor.FromSlice(values, shape...)
}

func TestIndicesOfAnyShapeGiveRowsOfTheirShape(t *testing.T) {
	e := nn.NewEmbedding(4, 2, nn.EmbeddingConfig{DType: tensor.Float64}, nn.NewRNG(1))
	w := e.Weight.Tensor().Float64s()
	for _, shape := range []tensor.Shape{{}, {1}, {6}, {2, 3}, {3, 1, 2}, {0}, {2, 0}, {0, 3, 1}} {
		numbers, want := make([]int32, shape.Size()), []float64{}
		for i := range numbers {
			numbers[i] = int32(3 * i % 4)
			want = append(want, w[2*numbers[i]], w[2*numbers[i]+1])
		}
		ids := tensor.FromSlice(numbers, shape...)
		for _, index := range []*tensor.Tensor{ids, ids.To(tensor.Int64)} {
			y := e.ForwardIndices(autograd.Constant(index))
			if want := append(shape.Clone(), 2); !y.Shape().Equal(want) {
				t.Errorf("indices %v%v: shape %v, want %v", index.DType(), shape, y.Shape(), want)
			}
			wantNear(t, fmt.Sprint(index.DType(), shape), y.Tensor(), 0, want...)
			f := func(...*autograd.Var) *autograd.Var { return e.ForwardIndices(autograd.Constant(index)).Tanh() }
			if err := autograd.Gradcheck(f, []*autograd.Var{e.Weight}); err != nil {
				t.Errorf("indices %v%v: %v", index.DType(), shape, err)
			}
		}
	}
}

func TestThePaddingRowBeginsAsZerosAndTheOthersAsWithoutIt(t *testing.T) {
	plain := nn.NewEmbedding(5, 3, nn.EmbeddingConfig{}, nn.NewRNG(1)).Weight.Tensor().Float64s()
	if slices.Contains(plain, 0) {
		t.Error("a row is zero without padding")
	}
	for p := range 5 {
		cfg := nn.EmbeddingConfig{Padding: new(p)}
		e := nn.NewEmbedding(5, 3, cfg, nn.NewRNG(1))
		want := slices.Clone(plain)
		clear(want[3*p : 3*p+3])
		wantNear(t, fmt.Sprint("padding ", p), e.Weight.Tensor(), 0, want...)
		if *cfg.Padding = -7; *e.Padding != p {
			t.Errorf("padding %d became %d with the config's", p, *e.Padding)
		}
		if got := names(e); !slices.Equal(got, []string{"weight"}) {
			t.Errorf("names %v", got)
		}
		cfg = nn.EmbeddingConfig{Init: nn.Constant(2), Padding: new(p)}
		if got := nn.NewEmbedding(5, 3, cfg, nn.NewRNG(1)).Weight.Tensor().Float64s(); got[3*p] != 0 || got[(3*p+3)%15] != 2 {
			t.Errorf("padding %d with an initialiser: %v", p, got)
		}
	}
}

// An optimiser that moves every row with a gradient leaves that of padding where it is.
func TestThePaddingRowStaysInTraining(t *testing.T) {
	e := nn.NewEmbedding(6, 4, nn.EmbeddingConfig{Padding: new(0)}, nn.NewRNG(1))
	before := e.Weight.Tensor().Float64s()
	opt := optim.NewAdam(optim.Params(nn.Parameters(e)), optim.AdamConfig{LR: 0.1})
	ids := autograd.Constant(tensor.FromSlice([]int64{1, 2, 3, 0, 0, 4, 5, 4}, 2, 4))
	for range 3 {
		opt.ZeroGrad()
		y := e.ForwardIndices(ids).AddScalar(-1)
		again := e.Forward([]int32{0, 5, 0}) // added to the first one's gradient
		y.Square().Mean().Add(again.AddScalar(-1).Square().Sum()).Backward()
		opt.Step()
	}
	for i, v := range e.Weight.Tensor().Float64s() {
		if moved := v != before[i]; moved != (i >= 4) {
			t.Errorf("row %d: %v became %v", i/4, before[i], v)
		}
	}
}

func TestIndicesUnderNoGradRecordNothing(t *testing.T) {
	e := nn.NewEmbedding(3, 2, nn.EmbeddingConfig{Padding: new(1)}, nn.NewRNG(1))
	ids := autograd.Constant(tensor.FromSlice([]int32{0, 1, 2, 2}, 2, 2))
	if !e.ForwardIndices(ids).RequiresGrad() || e.ForwardIndices(autograd.NoGrad(ids)).RequiresGrad() {
		t.Error("recorded under NoGrad, or not without")
	}
}
