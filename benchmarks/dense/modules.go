// Modules and losses, against PyTorch's from the same weights: the result, and the
// result with the gradients of inputs and parameters.

package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

const modulesTarget = 1.0

// A moduleCase is a module, nil for a loss, and what is called on its inputs.
// torch.py has each under its name, made from its sizes.
type moduleCase struct {
	name    string
	sizes   []int
	shapes  []tensor.Shape // of the inputs
	module  any
	forward func(xs []*autograd.Var) *autograd.Var
}

// moduleCases are for n rows.
func moduleCases(n int) []moduleCase {
	const heads, length, classes = 4, 64, 40
	r := nn.NewRNG(1)
	rows, fewer, steps := tensor.Shape{n, width}, tensor.Shape{n / 4, width}, tensor.Shape{length, n/1024 + 1, width}
	linear := nn.NewLinear(2*width, width, r)
	layer, batch := nn.NewLayerNorm(width, nn.LayerNormConfig{}), nn.NewBatchNorm1d(width, nn.BatchNormConfig{})
	gruCell, lstmCell := nn.NewGRUCell(width, width, nn.CellConfig{}, r), nn.NewLSTMCell(width, width, nn.CellConfig{}, r)
	gru, lstm := nn.NewGRU(width, width, nn.RecurrentConfig{}, r), nn.NewLSTM(width, width, nn.RecurrentConfig{}, r)
	attention := nn.NewMultiheadAttention(width, heads, nn.AttentionConfig{}, r)
	encoder := nn.NewTransformerEncoderLayer(width, heads, nn.TransformerConfig{Feedforward: 4 * width}, r)
	bilinear := nn.NewBilinear(narrow, narrow, narrow, nn.BilinearConfig{}, r)
	mlp := nn.NewMLP([]int{width, 2 * width, width}, nn.MLPConfig{}, r)
	embedding := nn.NewEmbedding(n/16+1, width, nn.EmbeddingConfig{}, r)
	prelu := nn.NewPReLU(1, nn.PReLUConfig{}, r)
	ids, labels := spread(n, n/16+1), spread(n, classes)
	one := func(f func(x *autograd.Var) *autograd.Var) func(xs []*autograd.Var) *autograd.Var {
		return func(xs []*autograd.Var) *autograd.Var { return f(xs[0]) }
	}
	return []moduleCase{
		{"Linear", []int{2 * width, width}, []tensor.Shape{{n, 2 * width}}, linear, one(linear.Forward)},
		{"MLP", []int{width, 2 * width, width}, []tensor.Shape{rows}, mlp, one(mlp.Forward)},
		{"LayerNorm", []int{width}, []tensor.Shape{rows}, layer, one(layer.Forward)},
		{"BatchNorm1d", []int{width}, []tensor.Shape{rows}, batch, one(batch.Forward)},
		{"PReLU", nil, []tensor.Shape{rows}, prelu, one(prelu.Forward)},
		{"GRUCell", []int{width, width}, []tensor.Shape{fewer, fewer}, gruCell, func(xs []*autograd.Var) *autograd.Var { return gruCell.Forward(xs[0], xs[1]) }},
		{"LSTMCell", []int{width, width}, []tensor.Shape{fewer, fewer, fewer}, lstmCell, func(xs []*autograd.Var) *autograd.Var {
			h, c := lstmCell.Forward(xs[0], xs[1], xs[2])
			return h.Add(c)
		}},
		{"GRU", []int{width, width}, []tensor.Shape{steps}, gru, one(func(x *autograd.Var) *autograd.Var {
			out, _ := gru.Forward(x, nil)
			return out
		})},
		{"LSTM", []int{width, width}, []tensor.Shape{steps}, lstm, one(func(x *autograd.Var) *autograd.Var {
			out, _, _ := lstm.Forward(x, nil, nil)
			return out
		})},
		{"MultiheadAttention", []int{width, heads}, []tensor.Shape{{n/1024 + 1, length, width}}, attention, func(xs []*autograd.Var) *autograd.Var {
			return attention.Forward(xs[0], xs[0], xs[0], nn.AttentionMask{})
		}},
		{"TransformerEncoderLayer", []int{width, heads}, []tensor.Shape{{n/1024 + 1, length, width}}, encoder, one(func(x *autograd.Var) *autograd.Var {
			return encoder.Forward(x, nn.AttentionMask{})
		})},
		{"Bilinear", []int{narrow, narrow, narrow}, []tensor.Shape{{n, narrow}, {n, narrow}}, bilinear, func(xs []*autograd.Var) *autograd.Var {
			return bilinear.Forward(xs[0], xs[1])
		}},
		{"Embedding", []int{n/16 + 1, width, n}, nil, embedding, func([]*autograd.Var) *autograd.Var { return embedding.Forward(ids) }},
		{"cross entropy", []int{n, classes}, []tensor.Shape{{n, classes}}, nil, one(func(x *autograd.Var) *autograd.Var { return nn.CrossEntropy(x, labels, nil) })},
		{"MSE", nil, []tensor.Shape{rows, rows}, nil, func(xs []*autograd.Var) *autograd.Var { return nn.MSE(xs[0], xs[1]) }},
		{"Huber", nil, []tensor.Shape{rows, rows}, nil, func(xs []*autograd.Var) *autograd.Var { return nn.Huber(xs[0], xs[1], 1) }},
		{"margin ranking", nil, []tensor.Shape{{n}, {n}}, nil, func(xs []*autograd.Var) *autograd.Var {
			return nn.MarginRanking(xs[0], xs[1], autograd.Constant(tensor.Full(tensor.Float32, 1, n)), 0.5)
		}},
		{"cosine embedding", nil, []tensor.Shape{rows, rows}, nil, func(xs []*autograd.Var) *autograd.Var {
			return nn.CosineEmbedding(xs[0], xs[1], autograd.Constant(tensor.Full(tensor.Float32, 1, n)), 0.5)
		}},
	}
}

func modulesSection(b *bench, n int) error {
	for _, m := range moduleCases(n) {
		for _, grad := range []bool{false, true} {
			if err := b.compareModule(m, grad); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) compareModule(m moduleCase, grad bool) error {
	name := fmt.Sprintf("%s %v", m.name, m.shapes)
	if grad {
		name += " and gradients"
	}
	if !b.wanted(name) {
		return nil
	}
	names, weights, err := m.weights()
	if err != nil {
		return err
	}
	var data []*tensor.Tensor
	for i, shape := range m.shapes {
		data = append(data, harness.Numbers(uint64(i+1), shape...))
	}
	ours := m.entry(data, grad)
	args := map[string]any{"name": m.name, "sizes": m.sizes, "grad": grad, "parameters": names}
	return b.compare(match{name: name, tolerance: 1e-3, ours: ours, rivals: b.torchRivals(modulesTarget, "module", args, append(data, weights...)...)})
}

// weights returns the parameters in PyTorch's layout.
func (m moduleCase) weights() (names []string, weights []*tensor.Tensor, err error) {
	if m.module == nil {
		return nil, nil, nil
	}
	var file bytes.Buffer
	if err := nn.Save(&file, m.module, nn.PyTorchLayout()); err != nil {
		return nil, nil, err
	}
	saved, err := nn.LoadTensors(&file)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range nn.NamedParameters(m.module) {
		names, weights = append(names, p.Name), append(weights, saved[p.Name])
	}
	return names, weights, nil
}

// entry computes the result, or with grad the gradients of the mean of its squares.
func (m moduleCase) entry(data []*tensor.Tensor, grad bool) entry {
	if grad {
		return m.backward(data)
	}
	return func() (harness.Contender, error) {
		xs := vars(autograd.Constant, data)
		for i, x := range xs {
			xs[i] = autograd.NoGrad(x)
		}
		forward := func() *tensor.Tensor {
			if len(xs) == 0 {
				return m.forward(nil).Tensor()
			}
			return autograd.Scope(func(xs ...*autograd.Var) *autograd.Var { return m.forward(xs) }, xs...).Tensor()
		}
		return harness.InProcess(func() { forward().Free() }, func() []float32 { return slices.Clone(tensor.Data[float32](forward())) }), nil
	}
}

func (m moduleCase) backward(data []*tensor.Tensor) entry {
	return func() (harness.Contender, error) {
		leaves := slices.Concat(vars(autograd.Variable, data), m.parameters())
		step := func() {
			for _, x := range leaves {
				x.ZeroGrad()
			}
			m.forward(leaves[:len(data)]).Square().Mean().Backward()
		}
		transposed := map[*autograd.Var]bool{} // in PyTorch
		if m.module != nil {
			nn.Apply(m.module, func(_ string, part any) {
				if l, ok := part.(*nn.Linear); ok {
					transposed[l.Weight] = true
				}
			})
		}
		return harness.InProcess(step, func() (gradients []float32) {
			step()
			for _, x := range leaves {
				g := x.Gradient()
				if transposed[x] {
					g = g.Transpose().Contiguous()
				}
				gradients = append(gradients, tensor.Data[float32](g)...)
			}
			return gradients
		}), nil
	}
}

func (m moduleCase) parameters() []*autograd.Var {
	if m.module == nil {
		return nil
	}
	return nn.Parameters(m.module)
}
