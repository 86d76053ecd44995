package cpu

// The flat loops of the element-wise ops. What is hot has a loop or a kernel of
// its own; the rest goes through the reference meaning of the op table, in
// float64.

import (
	"math"

	"github.com/asterias-ml/asterias/tensor/kern"
	"github.com/asterias-ml/asterias/vcentric/ir"
)

// unaryLoop is the loop of an op of one operand.
func unaryLoop[T kern.Float](set *kern.Set[T], op ir.Op, attr ir.Attr) func(dst, x []T) {
	switch op {
	case ir.OpExp:
		return set.Exp
	case ir.OpRelu:
		return set.ReLU
	case ir.OpLeakyRelu:
		slope := T(attr.Num)
		return func(dst, x []T) { set.LeakyReLU(dst, x, slope) }
	case ir.OpNeg:
		return func(dst, x []T) { set.MulScalar(dst, x, -1) }
	case ir.OpSquare:
		return func(dst, x []T) { set.Mul(dst, x, x) }
	case ir.OpRecip:
		return recip[T]
	case ir.OpSqrt:
		return sqrt[T]
	case ir.OpRsqrt:
		return func(dst, x []T) {
			sqrt(dst, x)
			recip(dst, dst)
		}
	case ir.OpSigmoid:
		return set.Sigmoid
	case ir.OpTanh:
		return set.Tanh
	case ir.OpElu:
		alpha := T(attr.Num)
		return func(dst, x []T) { set.ELU(dst, x, alpha) }
	}
	f := op.Info().Unary
	return func(dst, x []T) {
		x = x[:len(dst)]
		for i := range dst {
			dst[i] = T(f(&attr, float64(x[i])))
		}
	}
}

func recip[T kern.Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = 1 / x[i]
	}
}

func sqrt[T kern.Float](dst, x []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = T(math.Sqrt(float64(x[i])))
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
	case ir.OpGt:
		return greater[T]
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

// choose: dst[i] = x[i] if c[i] != 0, else y[i]. It selects bits, which takes no
// branch.
func choose[T kern.Float](dst, c, x, y []T) {
	switch dst := any(dst).(type) {
	case []float32:
		c, x, y := any(c).([]float32)[:len(dst)], any(x).([]float32)[:len(dst)], any(y).([]float32)[:len(dst)]
		for i := range dst {
			b, z := math.Float32bits(x[i]), math.Float32bits(y[i])
			if c[i] != 0 {
				z = b
			}
			dst[i] = math.Float32frombits(z)
		}
	case []float64:
		c, x, y := any(c).([]float64)[:len(dst)], any(x).([]float64)[:len(dst)], any(y).([]float64)[:len(dst)]
		for i := range dst {
			b, z := math.Float64bits(x[i]), math.Float64bits(y[i])
			if c[i] != 0 {
				z = b
			}
			dst[i] = math.Float64frombits(z)
		}
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
		return func(dst, x []T) {
			set.MulScalar(dst, x, -1)
			set.AddScalar(dst, dst, c)
		}
	}
	return nil
}
