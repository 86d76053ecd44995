// The long short-term memory: one step, and over sequences.

package nn

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// LSTMCell is one step of a long short-term memory (Hochreiter and Schmidhuber
// 1997, with the forget gate of Gers et al. 2000), as torch.nn.LSTMCell:
//
//	i  = σ(Wii x + bii + Whi h + bhi)
//	f  = σ(Wif x + bif + Whf h + bhf)
//	g  = tanh(Wig x + big + Whg h + bhg)
//	o  = σ(Wio x + bio + Who h + bho)
//	c' = f·c + i·g
//	h' = o·tanh(c')
//
// The gates are stacked in the order i, f, g, o. Unlike in [Linear], the layout
// of the weights is PyTorch's, so that its checkpoints fit.
type LSTMCell struct {
	WeightIH *autograd.Var // [4·hidden in]
	WeightHH *autograd.Var // [4·hidden hidden]
	BiasIH   *autograd.Var // [4·hidden]; nil without bias
	BiasHH   *autograd.Var // [4·hidden]; nil without bias
}

// NewLSTMCell returns a cell from in to hidden features. Its values are drawn
// from U(-1/sqrt(hidden), 1/sqrt(hidden)), as in PyTorch.
func NewLSTMCell(in, hidden int, cfg CellConfig, r *RNG) *LSTMCell {
	l := &LSTMCell{}
	l.WeightIH, l.WeightHH, l.BiasIH, l.BiasHH = newCellWeights("NewLSTMCell", 4, in, hidden, cfg, r)
	return l
}

// Forward returns the states h' and c' after input x [N in], which may be a
// sparse constant, from h and c, both [N hidden]; nil is the state of zeros.
func (l *LSTMCell) Forward(x, h, c *autograd.Var) (hNext, cNext *autograd.Var) {
	const op = "LSTMCell"
	if l == nil {
		misuse(op, "the cell is nil; make it with NewLSTMCell")
	}
	n, hidden := checkCell(op, 4, x, l.WeightIH, l.WeightHH)
	h, c = cellState(op, h, x, n, hidden), cellState(op, c, x, n, hidden)

	w := cellWeights{l.WeightIH, l.WeightHH, l.BiasIH, l.BiasHH}
	if w.isOneOperation(x, h, c) {
		states := runLSTM(w, x, []*autograd.Var{h, c}, tensor.Steps{Rows: []int{n}})
		return states[1], states[2]
	}
	return lstmStep(affineT(x, l.WeightIH, l.BiasIH), h, c, l.WeightHH, l.BiasHH)
}

// lstmStep returns the states after h and c, gi being what the input gives to the gates.
func lstmStep(gi, h, c, weightHH, biasHH *autograd.Var) (hNext, cNext *autograd.Var) {
	hidden, gates := h.Shape()[1], gi.Add(affineT(h, weightHH, biasHH))
	gate := func(k int) *autograd.Var { return gates.Slice(1, k*hidden, (k+1)*hidden) }
	in, forget, fresh, out := gate(0).Sigmoid(), gate(1).Sigmoid(), gate(2).Tanh(), gate(3).Sigmoid()
	cNext = forget.Mul(c).Add(in.Mul(fresh))
	return out.Mul(cNext.Tanh()), cNext
}

// LSTM is long short-term memories over sequences, as torch.nn.LSTM without projections: a
// [LSTMCell] goes from step to step; the states h of one layer are the inputs of the next one.
// If Bidirectional, every layer has a second cell, which goes from the last step to the first,
// and its states stand beside those of the first one. While training, what goes from layer to
// layer is thinned out by dropout.
//
// Names and layouts of the weights are PyTorch's, so that its checkpoints fit: the cell of
// layer k has weight_ih_lk [4·hidden in], weight_hh_lk [4·hidden hidden], bias_ih_lk and
// bias_hh_lk [4·hidden], the second one weight_ih_lk_reverse and so on.
type LSTM struct {
	Stochastic
	Weights
	Layers        int
	Bidirectional bool
	P             float64 // probability of dropout
}

// NewLSTM returns a layer from in to hidden features. Its values are drawn from
// U(-1/sqrt(hidden), 1/sqrt(hidden)), as in PyTorch.
func NewLSTM(in, hidden int, cfg RecurrentConfig, r *RNG) *LSTM {
	cfg, weights := newRecurrent("NewLSTM", 4, in, hidden, cfg, r)
	return &LSTM{Stochastic: NewStochastic(r), Weights: weights, Layers: cfg.Layers, Bidirectional: cfg.Bidirectional, P: cfg.Dropout}
}

// Forward returns, for N sequences of T steps x [T N in], the states h of the last layer after
// every step, [T N hidden] or, if Bidirectional, [T N 2·hidden], and the last states h and c of
// all cells, [layers N hidden] or [2·layers N hidden], the two directions of a layer one after
// the other. h and c are the states to begin with, in the same order; nil is zeros. T and N
// may be 0: without steps the last states are the first ones.
//
// Sequences that lie one after the other, [N T in], are transposed; see [GRU.Forward].
func (l *LSTM) Forward(x, h, c *autograd.Var) (out, hLast, cLast *autograd.Var) {
	return l.ForwardLengths(x, nil, h, c)
}

// ForwardLengths is [LSTM.Forward] for sequences of different lengths; see
// [GRU.ForwardLengths].
func (l *LSTM) ForwardLengths(x *autograd.Var, lengths []int, h, c *autograd.Var) (out, hLast, cLast *autograd.Var) {
	const op = "LSTM"
	if l == nil {
		misuse(op, "the layer is nil; make it with NewLSTM")
	}
	r := &recurrent{op: op, gates: 4, stochastic: &l.Stochastic, weights: l.Weights, layers: l.Layers, bidirectional: l.Bidirectional, p: l.P, run: runLSTM}
	out, states := r.forward(x, lengths, h, c)
	return out, states[0], states[1]
}

// runLSTM takes a cell through a layer's steps as one operation.
func runLSTM(w cellWeights, x *autograd.Var, states []*autograd.Var, s tensor.Steps) []*autograd.Var {
	inputs := append([]*autograd.Var{x, states[0], states[1]}, w.list()...)
	composed := func(xs ...*autograd.Var) []*autograd.Var {
		w := listedWeights(xs[3:])
		return stepwise(affineT(xs[0], w.ih, w.biasIH), xs[1:3], s, func(gi *autograd.Var, states []*autograd.Var) []*autograd.Var {
			h, c := lstmStep(gi, states[0], states[1], w.hh, w.biasHH)
			return []*autograd.Var{h, c}
		})
	}
	if x.Device() != nil {
		return composed(inputs...)
	}
	xt, ih, hh := x.Operand(), w.ih.Operand(), w.hh.Operand()
	var bias *tensor.Tensor
	if w.biasIH != nil {
		bias = tensor.Add(w.biasIH.Operand(), w.biasHH.Operand())
	}
	run := tensor.LSTM(tensor.Linear(xt, ih.Transpose(), bias, false), hh, states[0].Operand(), states[1].Operand(), s)
	backward := func(grads []*tensor.Tensor) []*tensor.Tensor {
		gates, dH, dC := run.Grad(hh, grads[0], grads[1], grads[2])
		defer gates.Free()
		all := []*tensor.Tensor{
			ifWanted(x, func() *tensor.Tensor { return tensor.MatMul(gates, ih) }), dH, dC,
			ifWanted(w.ih, func() *tensor.Tensor { return tensor.MatMul(gates.Transpose(), xt) }),
			ifWanted(w.hh, func() *tensor.Tensor { return run.GradWeight(gates) }),
		}
		if bias != nil {
			sum := tensor.SumTo(gates, bias.Shape())
			all = append(all, sum, sum.Clone())
		}
		return all
	}
	return autograd.CustomFused("LSTM", composed, inputs, []*tensor.Tensor{run.Out, run.H, run.C}, run.Saved(), backward)
}
