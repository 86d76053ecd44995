package cpu

// The flat loops of the element-wise ops. What is hot has a loop or a kernel of
// its own; the rest goes through the reference meaning of the op table, in
// float64.

import (
	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// unaryLoop is the loop of an op of one operand.
func unaryLoop[T kern.Float](set *kern.Set[T], op ir.Op, attr ir.Attr) func(dst, x []T) {
	switch op {
	case ir.OpNeg:
		return set.Neg
	case ir.OpExp:
		return set.Exp
	case ir.OpLog:
		return set.Log
	case ir.OpSqrt:
		return set.Sqrt
	case ir.OpRsqrt:
		return set.Rsqrt
	case ir.OpAbs:
		return set.Abs
	case ir.OpSign:
		return sign[T]
	case ir.OpSquare:
		return set.Square
	case ir.OpRecip:
		return set.Recip
	case ir.OpPow:
		if f := power(set, attr.Num); f != nil {
			return f
		}
	case ir.OpClamp:
		lo, hi := T(attr.Num), T(attr.Num2)
		return func(dst, x []T) { set.Clamp(dst, x, lo, hi) }
	case ir.OpRelu:
		return set.ReLU
	case ir.OpLeakyRelu:
		slope := T(attr.Num)
		return func(dst, x []T) { set.LeakyReLU(dst, x, slope) }
	case ir.OpElu:
		alpha := T(attr.Num)
		return func(dst, x []T) { set.ELU(dst, x, alpha) }
	case ir.OpErf:
		return set.Erf
	case ir.OpGelu:
		return set.GELU
	case ir.OpSilu:
		return set.SiLU
	case ir.OpSigmoid:
		return set.Sigmoid
	case ir.OpTanh:
		return set.Tanh
	case ir.OpSoftplus:
		return set.Softplus
	case ir.OpSin:
		return set.Sin
	case ir.OpCos:
		return set.Cos
	case ir.OpAt:
		return func(dst, x []T) { copy(dst, x) }
	}
	f := op.Info().Unary
	return func(dst, x []T) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = T(f(&attr, float64(x[i])))
		}
	}
}

// power is the loop of x^p for exponents that need no logarithm, else nil.
func power[T kern.Float](set *kern.Set[T], p float64) func(dst, x []T) {
	switch p {
	case 1:
		return func(dst, x []T) { copy(dst, x) }
	case 2:
		return set.Square
	case -1:
		return set.Recip
	case -2:
		return func(dst, x []T) {
			set.Square(dst, x)
			set.Recip(dst, dst)
		}
	}
	return nil
}

// sign: dst[i] = -1, 0 or 1; NaN stays
func sign[T kern.Float](dst, x []T) {
	x = x[:len(dst)]
	for i, v := range x {
		var above, below int32 // flags, not branches: signs have no pattern
		if v > 0 {
			above = 1
		}
		if v < 0 {
			below = 1
		}
		s := T(above - below)
		if v != v {
			s = v
		}
		dst[i] = s
	}
}

// binaryLoop is the loop of an op of two operands.
func binaryLoop[T kern.Float](set *kern.Set[T], op ir.Op) func(dst, x, y []T) {
	switch op {
	case ir.OpAdd:
		return set.Add
	case ir.OpSub:
		return set.Sub
	case ir.OpMul:
		return set.Mul
	case ir.OpDiv:
		return set.Div
	case ir.OpMaxOf:
		return set.Max
	case ir.OpMinOf:
		return set.Min
	case ir.OpPowOf:
		return set.PowEach
	case ir.OpGt:
		return greater[T]
	case ir.OpGe:
		return notLess[T]
	case ir.OpEq:
		return equal[T]
	}
	f := op.Info().Binary
	return func(dst, x, y []T) {
		x, y = x[:len(dst)], y[:len(dst)]
		for i := range dst {
			dst[i] = T(f(float64(x[i]), float64(y[i])))
		}
	}
}

func greater[T kern.Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		var one int32 // a flag, not a branch: what is compared has no pattern
		if x[i] > y[i] {
			one = 1
		}
		dst[i] = T(one)
	}
}

func notLess[T kern.Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		var one int32
		if x[i] >= y[i] {
			one = 1
		}
		dst[i] = T(one)
	}
}

func equal[T kern.Float](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		var one int32
		if x[i] == y[i] {
			one = 1
		}
		dst[i] = T(one)
	}
}

// chooser is what choosing by numbers needs: where they differ from 0.
type chooser[T kern.Float] struct {
	mask  [256]bool
	zeros [256]T
}

// choose: dst[i] = x[i] if c[i] != 0, else y[i]
func (m *chooser[T]) choose(set *kern.Set[T], dst, c, x, y []T) {
	for lo := 0; lo < len(dst); lo += len(m.mask) {
		hi := min(lo+len(m.mask), len(dst))
		mask := m.mask[:hi-lo]
		set.NotEqual(mask, c[lo:hi], m.zeros[:hi-lo])
		set.Select(dst[lo:hi], mask, x[lo:hi], y[lo:hi])
	}
}

// withConstant is the loop of an op of two operands, the second of which is the
// number c (the first, if swapped), or nil where there is none of its own.
func withConstant[T kern.Float](set *kern.Set[T], op ir.Op, c T, swapped bool) func(dst, x []T) {
	switch {
	case op == ir.OpAdd:
		return func(dst, x []T) { set.AddScalar(dst, x, c) }
	case op == ir.OpMul:
		return func(dst, x []T) { set.MulScalar(dst, x, c) }
	case op == ir.OpGt && !swapped:
		return func(dst, x []T) { set.Step(dst, x, c, 1, 0) }
	case op == ir.OpSub && !swapped:
		return func(dst, x []T) { set.AddScalar(dst, x, -c) }
	case op == ir.OpSub:
		return func(dst, x []T) { set.RSubScalar(dst, x, c) }
	case op == ir.OpDiv && !swapped:
		return func(dst, x []T) { set.DivScalar(dst, x, c) }
	case op == ir.OpDiv:
		return func(dst, x []T) { set.RDivScalar(dst, x, c) }
	}
	return nil
}
