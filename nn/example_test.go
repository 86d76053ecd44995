// Examples of the package documentation.

package nn_test

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/optim"
	"github.com/asterias-ml/asterias/tensor"
)

// A model is a struct with a Forward method.
type classifier struct {
	nn.Mode
	Hidden, Out *nn.Linear
	Drop        *nn.Dropout
}

func newClassifier(in, hidden, classes int, r *nn.RNG) *classifier {
	return &classifier{
		Hidden: nn.NewLinear(in, hidden, r),
		Out:    nn.NewLinear(hidden, classes, r, nn.WithInit(nn.GlorotUniform, nn.Constant(0))),
		Drop:   nn.NewDropout(0.1, r),
	}
}

func (m *classifier) Forward(x *autograd.Var) *autograd.Var {
	return m.Out.Forward(m.Drop.Forward(m.Hidden.Forward(x).ReLU()))
}

func Example() {
	x := autograd.Constant(tensor.FromSlice([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2))
	labels := []int32{0, 1, 1, 0}

	m := newClassifier(2, 32, 2, nn.NewRNG(1))
	opt := optim.NewAdam(optim.Params(nn.Parameters(m)), optim.AdamConfig{LR: 0.05})
	for range 200 {
		opt.ZeroGrad()
		nn.CrossEntropy(m.Forward(x), labels, nil).Backward()
		opt.Step()
	}
	nn.SetTraining(m, false)
	fmt.Println("accuracy:", nn.Accuracy(m.Forward(x), labels, nil))
	for _, p := range nn.NamedParameters(m) {
		fmt.Println(p.Name, p.Var.Shape())
	}
	// Output:
	// accuracy: 1
	// hidden.weight [2 32]
	// hidden.bias [32]
	// out.weight [32 2]
	// out.bias [2]
}

// Sequences of 3, 1 and 2 steps, from the first to the last and back.
func ExampleGRU_ForwardLengths() {
	gru := nn.NewGRU(8, 16, nn.RecurrentConfig{Bidirectional: true}, nn.NewRNG(1))
	x := autograd.Constant(tensor.Randn(tensor.Float32, 1, 3, 3, 8)) // [steps sequences features]
	out, last := gru.ForwardLengths(x, []int{3, 1, 2}, nil)
	fmt.Println(out.Shape(), last.Shape())
	fmt.Println("behind the end of the second:", out.Tensor().At(1, 1, 0))
	// Output:
	// [3 3 32] [2 3 16]
	// behind the end of the second: 0
}

// Sequences of 3, 1 and 2 positions in one batch, each position looking at itself and what is
// before it.
func ExampleTransformerEncoder() {
	e := nn.NewTransformerEncoder(2, 8, 4, nn.TransformerConfig{Feedforward: 32, Dropout: 0.1, NormFirst: true, FinalNorm: true}, nn.NewRNG(1))
	nn.Eval(e)
	x := autograd.Constant(tensor.Randn(tensor.Float32, 1, 3, 3, 8)) // [sequences positions columns]
	mask := nn.AttentionMask{Keys: nn.PaddingMask([]int{3, 1, 2}, 3).Keys, Pairs: nn.CausalMask(3).Pairs}
	fmt.Println(e.Forward(x, mask).Shape())
	fmt.Println(tensor.Data[bool](mask.Keys))
	fmt.Println(nn.NamedParameters(e)[0].Name)
	// Output:
	// [3 3 8]
	// [false false false false true true false false true]
	// layers.0.self_attn.in_proj_weight
}

// Sentences of 3 words and of 2, as numbers in a table of 5; number 0 fills the second one up.
func ExampleEmbedding_ForwardIndices() {
	words := nn.NewEmbedding(5, 8, nn.EmbeddingConfig{Padding: new(0)}, nn.NewRNG(1))
	ids := autograd.Constant(tensor.FromSlice([]int32{3, 1, 4, 2, 3, 0}, 2, 3)) // [batch length]
	h := words.ForwardIndices(ids)
	fmt.Println(h.Shape())

	// The next word of each, by a table that serves twice; none is known behind the ends.
	logits := h.MatMul(words.Weight.Transpose())
	next := tensor.FromSlice([]int64{1, 4, 0, 3, 0, 0}, 2, 3)
	known := nn.Rows([]bool{true, true, false, true, false, false})
	loss := nn.CrossEntropy(logits.Reshape(-1, 5), next.Int32s(), known)
	loss.Backward()
	fmt.Println(words.Weight.Gradient().Shape())
	// Output:
	// [2 3 8]
	// [5 8]
}
