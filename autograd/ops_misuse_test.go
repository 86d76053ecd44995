// Misuse of choosing, reducing, shaping and composed operations.

package autograd

import (
	"math"
	"testing"

	"github.com/asterias-ml/asterias/tensor"
)

func TestMisuseOfShapesAxesAndTypesNamesTheOp(t *testing.T) {
	floats := Constant(tensor.Zeros(tensor.Float32, 2))
	whole := ids(tensor.Shape{2}, int64(0), 1)
	for _, c := range []struct {
		want string
		f    func()
	}{
		{"autograd: Where: the mask is f64, want bool: [2]", func() { Where(zeros(2), zeros(2), zeros(2)) }},
		{"autograd: Where: operands of different types: f64 [2] x f32 [2]", func() { Where(mask(2), zeros(2), floats) }},
		{"Where: shapes do not broadcast", func() { Where(mask(3), zeros(2), zeros(2)) }},
		{"autograd: MaskedFill: the mask does not broadcast to the operand: [2 3] x [3]", func() { zeros(3).MaskedFill(mask(2, 3), 0) }},
		{"tensor: PReLU: shapes do not broadcast: [4 3] x [2]", func() { zeros(4, 3).PReLU(zeros(2)) }},
		{"autograd: Less: operands of different types: f64 [2] x i64 [2]", func() { zeros(2).Less(whole) }},
		{"tensor: LessEqualScalar: element type bool, want f32 or f64 or i32 or i64", func() { mask(2).LessEqualScalar(1) }},
		{"autograd: And: the mask is f64, want bool: [2]", func() { zeros(2).And(mask(2)) }},
		{"autograd: Or: the mask is i64, want bool: [2]", func() { mask(2).Or(whole) }},
		{"tensor: Xor: shapes do not broadcast: [2] x [3]", func() { mask(2).Xor(mask(3)) }},
		{"autograd: Not: the mask is f64, want bool: [2]", func() { zeros(2).Not() }},
		{"autograd: Any: the mask is f64, want bool: [2]", func() { zeros(2).Any() }},
		{"autograd: AllKeep: axis 1 does not exist: [2]", func() { mask(2).AllKeep(1) }},
		{"autograd: All: axis -1 appears twice: [2 3]", func() { mask(2, 3).All(1, -1) }},
		{"autograd: Backward: the result is bool, which has no gradient: []", func() { zeros(2).GreaterScalar(0).All().Backward() }},
		{"autograd: MaskedSelect: the mask is f64, want bool: [2]", func() { zeros(2).MaskedSelect(zeros(2)) }},
		{"MaskedSelect: shapes do not broadcast", func() { zeros(3).MaskedSelect(mask(2)) }},
		{"autograd: PowVar: operands of different types", func() { zeros(2).PowVar(floats) }},
		{"autograd: BCEWithLogits: logits are f64, targets f64: [2] x [3]", func() { BCEWithLogits(zeros(2), zeros(3)) }},
		{"autograd: BCEWithLogits: logits are f64, targets f32: [2] x [2]", func() { BCEWithLogits(zeros(2), floats) }},
		{"autograd: Max: axis 1 does not exist: [3]", func() { zeros(3).Max(1) }},
		{"autograd: MinKeep: axis -1 appears twice: [2 3]", func() { zeros(2, 3).MinKeep(1, -1) }},
		{"Argmax: no elements along axis 0", func() { zeros(0, 2).Argmax(0) }},
		{"autograd: SumKeep: axis 2 does not exist: [2]", func() { zeros(2).SumKeep(2) }},
		{"autograd: Prod: axis 0 does not exist: []", func() { zeros().Prod(0) }},
		{"tensor: Mean: element type i64, want f32 or f64", func() { whole.Mean() }},
		{"autograd: Prod: axis 1 does not exist: [2]", func() { whole.Prod(1) }},
		{"tensor: Lerp: element type i64, want f32 or f64", func() { whole.Lerp(whole, 1) }},
		{"tensor: Div: element type i64, want f32 or f64; FloorDiv divides integers, To makes floats of them", func() { whole.Div(whole) }},
		{"tensor: FloorDiv: an integer is divided by 0: i64[2] by i64[2]", func() { whole.FloorDiv(whole) }},
		{"tensor: Remainder: an integer is divided by 0: i64[2] by i64[2]", func() { whole.Remainder(whole) }},
		{"tensor: Scale: 0.5 is no whole number that i64 holds", func() { whole.Scale(0.5) }},
		{"autograd: Clamp: lower bound is not below the upper: [2]", func() { whole.Clamp(1, 0) }},
		{"autograd: Mul: operands of different types: i64 [2] x f32 [2]", func() { whole.Mul(floats) }},
		{"autograd: Backward: the result is i64, which has no gradient: []", func() { whole.Mul(whole).Sum().Backward() }},
		{"autograd: Variance: axis 3 does not exist: [2]", func() { zeros(2).Variance(1, 3) }},
		{"autograd: Norm: p is not positive: [2]", func() { zeros(2).Norm(0) }},
		{"autograd: Norm: p is not positive: [2]", func() { zeros(2).Norm(math.NaN()) }},
		{"autograd: CumSum: axis 1 does not exist: [2]", func() { zeros(2).CumSum(1) }},
		{"autograd: Flip: axis 0 appears twice: [2]", func() { zeros(2).Flip(0, 0) }},
		{"autograd: Gather: axis 2 does not exist: [2 3]", func() { zeros(2, 3).Gather(2, whole) }},
		{"Gather: index 1 is 9, out of range [0, 3)", func() { zeros(3).Gather(0, ids(tensor.Shape{2}, int64(0), 9)) }},
		{"tensor: Gather: element type f64, want i32 or i64", func() { zeros(3).Gather(0, zeros(3)) }},
		{"autograd: ScatterAdd: indices and source differ in shape: [2] x [3]", func() { zeros(4).ScatterAdd(0, whole, zeros(3)) }},
		{"ScatterAdd: index 0 is 0, out of range [0, 0)", func() { zeros(0).ScatterAdd(0, whole, zeros(2)) }},
		{"autograd: Stack: needs at least one input", func() { Stack(0) }},
		{"autograd: Stack: shapes differ: [2] x [3]", func() { Stack(0, zeros(2), zeros(3)) }},
		{"autograd: Stack: axis 2 does not exist", func() { Stack(2, zeros(2)) }},
		{"autograd: Stack: operands of different types", func() { Stack(0, zeros(2), floats) }},
		{"autograd: Split: lengths [1 2] do not add up to axis 0: [4]", func() { zeros(4).Split(0, 1, 2) }},
		{"autograd: Split: length -1: [4]", func() { zeros(4).Split(0, 5, -1) }},
		{"autograd: Chunk: into 0 parts: [4]", func() { zeros(4).Chunk(0, 0) }},
		{"Squeeze: axis 0 has length 2", func() { zeros(2).Squeeze(0) }},
		{"Squeeze: an axis is given twice: [1 2]", func() { zeros(1, 2).Squeeze(0, -2) }},
		{"Unsqueeze: no place 3 for an axis", func() { zeros(2).Unsqueeze(3) }},
		{"autograd: Flatten: axis 1 comes after axis 0: [2 3]", func() { zeros(2, 3).Flatten(1, 0) }},
		{"autograd: Repeat: 1 numbers for 2 axes: [2 3]", func() { zeros(2, 3).Repeat(2) }},
		{"autograd: Repeat: -1 times along axis 0: [2]", func() { zeros(2).Repeat(-1) }},
		{"autograd: Pad: by -1 and 0 elements: [2]", func() { zeros(2).Pad(0, -1, 0, 0) }},
		{"autograd: Roll: axis 1 does not exist: [2]", func() { zeros(2).Roll(1, 1) }},
		{"autograd: GLU: the axis has no halves: [3]", func() { zeros(3).GLU(0) }},
		{"autograd: Dot: takes two vectors of one length; VecDot takes rows: [2] x [3]", func() { zeros(2).Dot(zeros(3)) }},
		{"autograd: Outer: takes two vectors: [2 1] x [3]", func() { zeros(2, 1).Outer(zeros(3)) }},
		{"autograd: MatVec: takes a matrix and a vector as long as its rows: [2 3] x [2]", func() { zeros(2, 3).MatVec(zeros(2)) }},
		{"Tril: 1 axes are no matrix", func() { zeros(2).Tril(0) }},
		{"autograd: SoftmaxAlong: axis 0 does not exist: []", func() { zeros().SoftmaxAlong(0) }},
		{"autograd: IndexSelectAlong: axis 2 does not exist: [2 3]", func() { zeros(2, 3).IndexSelectAlong(2, nil) }},
		{"OneHot: index 1 is 2, out of range [0, 2)", func() { OneHot(ids(tensor.Shape{2}, int32(0), 2), 2, tensor.Float32) }},
		{"autograd: Item: want one element, such as Sum and Mean make of many: [2 1]", func() { zeros(2, 1).Item() }},
		{"autograd: Item: want one element, such as Sum and Mean make of many: [0]", func() { zeros(0).Item() }},
		{"TopK: no 4 of the last axis", func() { zeros(3).TopK(4, true) }},
	} {
		wantMisuse(t, c.want, c.f)
	}
}

func TestAFreedOperandIsMisuseOfTheOp(t *testing.T) {
	one := zeros(1, 1)
	for op, f := range map[string]func(v *Var){
		"Linear": func(v *Var) { Linear(one, v, nil, false) }, "MatMul": func(v *Var) { v.MatMul(one) }, "Add": func(v *Var) { one.Add(v) },
		"CrossEntropy": func(v *Var) { CrossEntropy(v, []int32{0}, nil) }, "Sum": func(v *Var) { v.Sum() }, "Slice": func(v *Var) { v.Slice(0, 0, 1) },
		"Softmax": func(v *Var) { v.Softmax() }, "Reshape": func(v *Var) { v.Reshape(1) }, "LayerNorm": func(v *Var) { LayerNorm(one, v, nil, 0) },
		"SetRequiresGrad": func(v *Var) { v.SetRequiresGrad(true) },
	} {
		v := zeros(1, 1)
		v.Tensor().Free()
		wantMisuse(t, "tensor: "+op+": an operand has been freed", func() { f(v) })
	}
}

func TestNilOperandsOfChoicesReductionsAndShapesAreMisuseOfTheOp(t *testing.T) {
	one := zeros(1)
	index := ids(tensor.Shape{1}, int64(0))
	for op, f := range map[string]func(v *Var){
		"Equal": func(v *Var) { one.Equal(v) }, "NotEqual": func(v *Var) { v.NotEqual(one) }, "Less": func(v *Var) { v.Less(one) },
		"LessEqual": func(v *Var) { v.LessEqual(one) }, "Greater": func(v *Var) { v.Greater(one) },
		"GreaterEqual": func(v *Var) { v.GreaterEqual(one) }, "Where": func(v *Var) { Where(v, one, one) },
		"EqualScalar": func(v *Var) { v.EqualScalar(0) }, "NotEqualScalar": func(v *Var) { v.NotEqualScalar(0) },
		"LessScalar": func(v *Var) { v.LessScalar(0) }, "LessEqualScalar": func(v *Var) { v.LessEqualScalar(0) },
		"GreaterScalar": func(v *Var) { v.GreaterScalar(0) }, "GreaterEqualScalar": func(v *Var) { v.GreaterEqualScalar(0) },
		"And": func(v *Var) { mask(1).And(v) }, "Or": func(v *Var) { v.Or(mask(1)) }, "Xor": func(v *Var) { mask(1).Xor(v) },
		"Not": func(v *Var) { v.Not() }, "Any": func(v *Var) { v.Any() }, "AnyKeep": func(v *Var) { v.AnyKeep() },
		"All": func(v *Var) { v.All() }, "AllKeep": func(v *Var) { v.AllKeep() },
		"MaskedFill": func(v *Var) { one.MaskedFill(v, 0) }, "MaskedSelect": func(v *Var) { one.MaskedSelect(v) }, "To": func(v *Var) { v.To(tensor.Int32) }, "FloorDiv": func(v *Var) { v.FloorDiv(one) },
		"Remainder": func(v *Var) { one.Remainder(v) }, "Lerp": func(v *Var) { one.Lerp(v, 1) },
		"PowVar": func(v *Var) { one.PowVar(v) }, "Atan2": func(v *Var) { v.Atan2(one) }, "PReLU": func(v *Var) { one.PReLU(v) },
		"LogSigmoid": func(v *Var) { v.LogSigmoid() }, "Mish": func(v *Var) { v.Mish() }, "SELU": func(v *Var) { v.SELU() },
		"Softsign": func(v *Var) { v.Softsign() }, "Hardswish": func(v *Var) { v.Hardswish() }, "GLU": func(v *Var) { v.GLU(0) },
		"Sin": func(v *Var) { v.Sin() }, "Floor": func(v *Var) { v.Floor() }, "Expm1": func(v *Var) { v.Expm1() },
		"Max": func(v *Var) { v.Max() }, "Argmin": func(v *Var) { v.Argmin(0) }, "Prod": func(v *Var) { v.Prod() },
		"SumKeep": func(v *Var) { v.SumKeep() }, "Variance": func(v *Var) { v.Variance(0) }, "Std": func(v *Var) { v.Std(0) },
		"LogSumExp": func(v *Var) { v.LogSumExp() }, "Norm": func(v *Var) { v.Norm(2) }, "CumSum": func(v *Var) { v.CumSum(0) },
		"Flip": func(v *Var) { v.Flip(0) }, "Sort": func(v *Var) { v.Sort(true) }, "TopK": func(v *Var) { v.TopK(1, true) },
		"Gather": func(v *Var) { one.Gather(0, v) }, "Embedding": func(v *Var) { Embedding(one, v, nil) }, "ScatterAdd": func(v *Var) { one.ScatterAdd(0, index, v) },
		"OneHot": func(v *Var) { OneHot(v, 1, tensor.Float32) }, "Stack": func(v *Var) { Stack(0, one, v) },
		"Split": func(v *Var) { v.Split(0, 1) }, "Chunk": func(v *Var) { v.Chunk(0, 1) }, "Squeeze": func(v *Var) { v.Squeeze() },
		"Unsqueeze": func(v *Var) { v.Unsqueeze(0) }, "Flatten": func(v *Var) { v.Flatten(0, -1) }, "Repeat": func(v *Var) { v.Repeat(1) },
		"Pad": func(v *Var) { v.Pad(0, 1, 1, 1) }, "Roll": func(v *Var) { v.Roll(1, 0) }, "Dot": func(v *Var) { one.Dot(v) },
		"Outer": func(v *Var) { v.Outer(one) }, "MatVec": func(v *Var) { v.MatVec(one) }, "Tril": func(v *Var) { v.Tril(0) },
		"SoftmaxAlong": func(v *Var) { v.SoftmaxAlong(0) }, "IndexSelectAlong": func(v *Var) { v.IndexSelectAlong(0, nil) },
	} {
		wantMisuse(t, "autograd: "+op+": an operand is nil", func() { f(nil) })
		wantMisuse(t, "autograd: "+op+": an operand is nil", func() { f(&Var{}) })
	}
}
