// What recurrent cells share: settings, initial weights, affine maps.

package nn

import (
	"fmt"
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

// CellConfig has what [GRUCell] and [LSTMCell] have beside their sizes.
type CellConfig struct {
	NoBias bool
	DType  tensor.DType
}

// newCellWeights returns the parameters of a cell with the given number of gates
// and of hidden features, drawn from U(-1/sqrt(hidden), 1/sqrt(hidden)) as in
// PyTorch; the biases are nil if cfg says so.
func newCellWeights(op string, gates, in, hidden int, cfg CellConfig, r *RNG) (weightIH, weightHH, biasIH, biasHH *autograd.Var) {
	if in < 0 || hidden < 0 {
		misuse(op, fmt.Sprintf("negative size: %d to %d", in, hidden))
	}
	init := Uniform(1 / math.Sqrt(float64(max(hidden, 1))))
	parameter := func(shape ...int) *autograd.Var {
		p := autograd.Parameter(tensor.Zeros(cfg.DType, shape...))
		init(p, r)
		return p
	}
	weightIH, weightHH = parameter(gates*hidden, in), parameter(gates*hidden, hidden)
	if !cfg.NoBias {
		biasIH, biasHH = parameter(gates*hidden), parameter(gates*hidden)
	}
	return weightIH, weightHH, biasIH, biasHH
}

// checkCell panics unless x is [N in] for weights [gates·hidden in] and
// [gates·hidden hidden]. It returns N and the number of hidden features.
func checkCell(op string, gates int, x, weightIH, weightHH *autograd.Var) (n, hidden int) {
	if weightIH == nil || weightHH == nil {
		misuse(op, "the cell has no weights; make it with New"+op)
	}
	wantVars(op, x)
	ih, hh := weightIH.Shape(), weightHH.Shape()
	if len(ih) != 2 || len(hh) != 2 || ih[0] != gates*hh[1] || hh[0] != gates*hh[1] {
		misuse(op, fmt.Sprintf("weights of shapes %v and %v do not make %d gates", ih, hh, gates))
	}
	s := x.Shape()
	if len(s) != 2 || s[1] != ih[1] {
		misuse(op, fmt.Sprintf("input of shape %v, want [N %d]", s, ih[1]))
	}
	wantType(op, weightIH, x)
	return s[0], hh[1]
}

// isOneOperation reports whether a step from these operands is one operation for all steps
// of a sequence. It is on the CPU, of dense operands of one type; what does not fit is left
// to the operations of one step to tell.
func (w cellWeights) isOneOperation(operands ...*autograd.Var) bool {
	if (w.biasIH == nil) != (w.biasHH == nil) {
		return false
	}
	for _, b := range []*autograd.Var{w.biasIH, w.biasHH} {
		if b != nil && !b.Shape().Equal(w.ih.Shape()[:1]) {
			return false
		}
	}
	for _, v := range append(operands, w.list()...) {
		if v.Sparse() != nil || v.Device() != nil || v.DType() != w.ih.DType() {
			return false
		}
	}
	return true
}

// cellState returns the state s, zeros if it is nil; it must be [n hidden].
func cellState(op string, s, x *autograd.Var, n, hidden int) *autograd.Var {
	want := tensor.Shape{n, hidden}
	if s == nil {
		return autograd.Constant(tensor.ZerosOn(x.Device(), x.DType(), want...))
	}
	if !s.Shape().Equal(want) {
		misuse(op, fmt.Sprintf("state of shape %v, want %v", s.Shape(), want))
	}
	if s.DType() != x.DType() {
		misuse(op, fmt.Sprintf("the input is %v, the state %v", x.DType(), s.DType()))
	}
	return s
}

// affineT returns x Wᵀ + b for a weight [out in], PyTorch's layout; b may be
// nil.
func affineT(x, weight, bias *autograd.Var) *autograd.Var {
	return autograd.Linear(x, weight.Transpose(), bias, false)
}
