// The gated recurrent unit: one step, and over sequences.

package nn

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// GRUCell is one step of a gated recurrent unit (Cho et al. 2014) in the variant
// of torch.nn.GRUCell, where r acts after the matrix product:
//
//	r  = σ(Wir x + bir + Whr h + bhr)
//	z  = σ(Wiz x + biz + Whz h + bhz)
//	n  = tanh(Win x + bin + r·(Whn h + bhn))
//	h' = (1 - z)·n + z·h
//
// The gates are stacked in the order r, z, n. Unlike in [Linear], the layout of
// the weights is PyTorch's, so that its checkpoints fit.
type GRUCell struct {
	WeightIH *autograd.Var // [3·hidden in]
	WeightHH *autograd.Var // [3·hidden hidden]
	BiasIH   *autograd.Var // [3·hidden]; nil without bias
	BiasHH   *autograd.Var // [3·hidden]; nil without bias
}

// NewGRUCell returns a cell from in to hidden features. Its values are drawn
// from U(-1/sqrt(hidden), 1/sqrt(hidden)), as in PyTorch.
func NewGRUCell(in, hidden int, cfg CellConfig, r *RNG) *GRUCell {
	c := &GRUCell{}
	c.WeightIH, c.WeightHH, c.BiasIH, c.BiasHH = newCellWeights("NewGRUCell", 3, in, hidden, cfg, r)
	return c
}

// Forward returns the state after input x [N in], which may be a sparse
// constant, from the state h [N hidden]; nil is the state of zeros.
func (c *GRUCell) Forward(x, h *autograd.Var) *autograd.Var {
	const op = "GRUCell"
	if c == nil {
		misuse(op, "the cell is nil; make it with NewGRUCell")
	}
	n, hidden := checkCell(op, 3, x, c.WeightIH, c.WeightHH)
	h = cellState(op, h, x, n, hidden)

	w := cellWeights{c.WeightIH, c.WeightHH, c.BiasIH, c.BiasHH}
	if w.isOneOperation(x, h) {
		return runGRU(w, x, []*autograd.Var{h}, tensor.Steps{Rows: []int{n}})[1]
	}
	return gruStep(affineT(x, c.WeightIH, c.BiasIH), h, c.WeightHH, c.BiasHH)
}

// gruStep returns the state after h, gi being what the input gives to the gates.
func gruStep(gi, h, weightHH, biasHH *autograd.Var) *autograd.Var {
	hidden, gh := h.Shape()[1], affineT(h, weightHH, biasHH)
	rz := gi.Slice(1, 0, 2*hidden).Add(gh.Slice(1, 0, 2*hidden)).Sigmoid()
	reset, update := rz.Slice(1, 0, hidden), rz.Slice(1, hidden, 2*hidden)
	fresh := gi.Slice(1, 2*hidden, 3*hidden).Add(reset.Mul(gh.Slice(1, 2*hidden, 3*hidden))).Tanh()
	return fresh.Add(update.Mul(h.Sub(fresh)))
}

// GRU is gated recurrent units over sequences, as torch.nn.GRU: a [GRUCell] goes from step to
// step; the states of one layer are the inputs of the next one. If Bidirectional, every layer
// has a second cell, which goes from the last step to the first, and its states stand beside
// those of the first one. While training, what goes from layer to layer is thinned out by
// dropout.
//
// Names and layouts of the weights are PyTorch's, so that its checkpoints fit: the cell of
// layer k has weight_ih_lk [3·hidden in], weight_hh_lk [3·hidden hidden], bias_ih_lk and
// bias_hh_lk [3·hidden], the second one weight_ih_lk_reverse and so on.
type GRU struct {
	Stochastic
	Weights
	Layers        int
	Bidirectional bool
	P             float64 // probability of dropout
}

// NewGRU returns a layer from in to hidden features. Its values are drawn from
// U(-1/sqrt(hidden), 1/sqrt(hidden)), as in PyTorch.
func NewGRU(in, hidden int, cfg RecurrentConfig, r *RNG) *GRU {
	cfg, weights := newRecurrent("NewGRU", 3, in, hidden, cfg, r)
	return &GRU{Stochastic: NewStochastic(r), Weights: weights, Layers: cfg.Layers, Bidirectional: cfg.Bidirectional, P: cfg.Dropout}
}

// Forward returns, for N sequences of T steps x [T N in], the states of the last layer after
// every step, [T N hidden] or, if Bidirectional, [T N 2·hidden], and the last states of all
// cells, [layers N hidden] or [2·layers N hidden], the two directions of a layer one after the
// other. h are the states to begin with, in the same order; nil is zeros. T and N may be 0:
// without steps the last states are the first ones.
//
// Sequences that lie one after the other, [N T in], are transposed, without a copy of theirs:
//
//	out, last := gru.Forward(x.Transpose(1, 0, 2), nil)
//	out = out.Transpose(1, 0, 2)
func (g *GRU) Forward(x, h *autograd.Var) (out, last *autograd.Var) {
	return g.ForwardLengths(x, nil, h)
}

// ForwardLengths is [GRU.Forward] for sequences of different lengths, of which x has the
// steps from 0 on, and anything behind them: lengths[n], from 0 to T, is that of sequence n;
// nil is T for all. As with PyTorch's packed sequences, outputs behind the end are 0, the last
// state is that at the end, and the second direction begins there. The result has all T
// steps, whatever the longest sequence, and a sequence of length 0 keeps its first states.
func (g *GRU) ForwardLengths(x *autograd.Var, lengths []int, h *autograd.Var) (out, last *autograd.Var) {
	const op = "GRU"
	if g == nil {
		misuse(op, "the layer is nil; make it with NewGRU")
	}
	r := &recurrent{op: op, gates: 3, stochastic: &g.Stochastic, weights: g.Weights, layers: g.Layers, bidirectional: g.Bidirectional, p: g.P, run: runGRU}
	out, states := r.forward(x, lengths, h)
	return out, states[0]
}

// runGRU takes a cell through a layer's steps as one operation.
func runGRU(w cellWeights, x *autograd.Var, states []*autograd.Var, s tensor.Steps) []*autograd.Var {
	inputs := append([]*autograd.Var{x, states[0]}, w.list()...)
	composed := func(xs ...*autograd.Var) []*autograd.Var {
		w := listedWeights(xs[2:])
		return stepwise(affineT(xs[0], w.ih, w.biasIH), xs[1:2], s, func(gi *autograd.Var, h []*autograd.Var) []*autograd.Var {
			return []*autograd.Var{gruStep(gi, h[0], w.hh, w.biasHH)}
		})
	}
	if x.Device() != nil {
		return composed(inputs...)
	}
	xt, ih, hh := x.Operand(), w.ih.Operand(), w.hh.Operand()
	var biasIH, biasHH *tensor.Tensor
	if w.biasIH != nil {
		biasIH, biasHH = w.biasIH.Operand(), w.biasHH.Operand()
	}
	run := tensor.GRU(tensor.Linear(xt, ih.Transpose(), biasIH, false), hh, biasHH, states[0].Operand(), s)
	backward := func(grads []*tensor.Tensor) []*tensor.Tensor {
		gates, sums, dH := run.Grad(hh, grads[0], grads[1])
		defer gates.Free()
		defer sums.Free()
		all := []*tensor.Tensor{
			ifWanted(x, func() *tensor.Tensor { return tensor.MatMul(gates, ih) }), dH,
			ifWanted(w.ih, func() *tensor.Tensor { return tensor.MatMul(gates.Transpose(), xt) }),
			ifWanted(w.hh, func() *tensor.Tensor { return run.GradWeight(sums) }),
		}
		if biasIH != nil {
			all = append(all, tensor.SumTo(gates, biasIH.Shape()), tensor.SumTo(sums, biasHH.Shape()))
		}
		return all
	}
	return autograd.CustomFused("GRU", composed, inputs, []*tensor.Tensor{run.Out, run.H}, run.Saved(), backward)
}
