// The long short-term memory.

package nn

import "github.com/asterias-ml/asterias/autograd"

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

	gates := affineT(x, l.WeightIH, l.BiasIH).Add(affineT(h, l.WeightHH, l.BiasHH))
	gate := func(k int) *autograd.Var { return gates.Slice(1, k*hidden, (k+1)*hidden) }
	in, forget, fresh, out := gate(0).Sigmoid(), gate(1).Sigmoid(), gate(2).Tanh(), gate(3).Sigmoid()
	cNext = forget.Mul(c).Add(in.Mul(fresh))
	return out.Mul(cNext.Tanh()), cNext
}
