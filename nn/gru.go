// The gated recurrent unit.

package nn

import "github.com/asterias-ml/asterias/autograd"

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

	gi, gh := affineT(x, c.WeightIH, c.BiasIH), affineT(h, c.WeightHH, c.BiasHH)
	rz := gi.Slice(1, 0, 2*hidden).Add(gh.Slice(1, 0, 2*hidden)).Sigmoid()
	reset, update := rz.Slice(1, 0, hidden), rz.Slice(1, hidden, 2*hidden)
	fresh := gi.Slice(1, 2*hidden, 3*hidden).Add(reset.Mul(gh.Slice(1, 2*hidden, 3*hidden))).Tanh()
	return fresh.Add(update.Mul(h.Sub(fresh)))
}
