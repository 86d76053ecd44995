// Cases of the op table: transcendental functions, choices, reductions, indices.

package autograd

import (
	"math"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// inUnit draws from (-0.9, 0.9).
func inUnit(r *rng.Stream) float64 { return 1.8*uniform(r) - 0.9 }

// offGrid draws numbers at least 0.1 away from multiples of a half.
func offGrid(r *rng.Stream) float64 {
	return float64(r.Uint64()%8)/2 - 2 + 0.1 + 0.3*uniform(r)
}

// apply1 is a case of every shape of unaryShapes, apply2 of binaryShapes.
func apply1(op opcode, d domain, f func(x *Var) *Var) (cases []gradCase) {
	for _, s := range unaryShapes {
		cases = append(cases, gradCase{op, []tensor.Shape{s}, d, func(xs ...*Var) *Var { return f(xs[0]) }})
	}
	return cases
}

func apply2(op opcode, d domain, f func(a, b *Var) *Var) (cases []gradCase) {
	for _, s := range binaryShapes {
		cases = append(cases, gradCase{op, s, d, func(xs ...*Var) *Var { return f(xs[0], xs[1]) }})
	}
	return cases
}

// transcendentalCases are exponentials, logarithms, angles and roundings.
func transcendentalCases() (cases []gradCase) {
	for _, c := range []struct {
		op opcode
		d  domain
		f  func(x *Var) *Var
	}{
		{opSign, offGrid, (*Var).Sign}, {opFloor, offGrid, (*Var).Floor}, {opCeil, offGrid, (*Var).Ceil},
		{opRound, offGrid, (*Var).Round}, {opTrunc, offGrid, (*Var).Trunc},
		{opExpm1, nonzero, (*Var).Expm1}, {opLog1p, inUnit, (*Var).Log1p}, {opLog2, positive, (*Var).Log2},
		{opLog10, positive, (*Var).Log10}, {opErfc, nonzero, (*Var).Erfc},
		{opSin, nonzero, (*Var).Sin}, {opCos, nonzero, (*Var).Cos}, {opTan, inUnit, (*Var).Tan},
		{opAsin, inUnit, (*Var).Asin}, {opAcos, inUnit, (*Var).Acos}, {opAtan, nonzero, (*Var).Atan},
		{opSinh, nonzero, (*Var).Sinh}, {opCosh, nonzero, (*Var).Cosh},
		{opNeg, nonzero, (*Var).LogSigmoid}, {opDiv, nonzero, (*Var).Softsign}, {opMul, nonzero, (*Var).Mish},
		{opScale, nonzero, (*Var).SELU}, {opScale, nonzero, (*Var).Hardswish},
	} {
		cases = append(cases, apply1(c.op, c.d, c.f)...)
	}
	cases = append(cases, apply2(opPowVar, positive, (*Var).PowVar)...)
	cases = append(cases, apply2(opAtan2, nonzero, (*Var).Atan2)...)
	cases = append(cases, apply2(opFloorDiv, nonzero, (*Var).FloorDiv)...)
	cases = append(cases, apply2(opRemainder, nonzero, (*Var).Remainder)...)
	for _, weight := range []float64{0, 0.3, 1, 1.5} {
		cases = append(cases, apply2(opSub, nonzero, func(a, b *Var) *Var { return a.Lerp(b, weight) })...)
	}
	return append(cases, apply2(opWhere, nonzero, func(a, b *Var) *Var { return a.PReLU(b) })...)
}

// mask returns a pattern of true and false.
func mask(shape ...int) *Var {
	t := tensor.Zeros(tensor.Bool, shape...)
	for i := range tensor.Data[bool](t) {
		tensor.Data[bool](t)[i] = i%3 != 1
	}
	return Constant(t.ToDevice(casesOn))
}

// casesOn is where the constants of the cases are: a device while TestEveryOp... runs on it.
var casesOn *tensor.Device

// ids returns indices as a constant of a shape.
func ids[T int32 | int64](shape tensor.Shape, index ...T) *Var {
	return Constant(tensor.FromSlice(index, shape...).ToDevice(casesOn))
}

// choiceCases are choices by mask and by index.
func choiceCases() (cases []gradCase) {
	add := func(op opcode, f func(xs ...*Var) *Var, shapes ...tensor.Shape) {
		cases = append(cases, gradCase{op, shapes, nonzero, f})
	}
	type shape = tensor.Shape
	for _, s := range [][3]tensor.Shape{
		{{}, {}, {}}, {{3, 4}, {3, 4}, {3, 4}}, {{4}, {3, 4}, {}}, {{3, 1}, {}, {4}}, {{3, 4}, {1, 4}, {3, 1}}, {{2, 1, 1}, {3, 1}, {4}},
		{{0, 3}, {3}, {0, 3}}, {{0, 1}, {3}, {}}, {{1}, {0}, {1}},
	} {
		add(opWhere, func(xs ...*Var) *Var { return Where(mask(s[0]...), xs[0], xs[1]) }, s[1], s[2])
	}
	add(opWhere, func(xs ...*Var) *Var { return Where(mask(3, 3), xs[0], xs[0].Transpose()) }, shape{3, 3})
	add(opWhere, func(xs ...*Var) *Var { return xs[0].MaskedFill(mask(4), 7) }, shape{3, 4})
	add(opWhere, func(xs ...*Var) *Var {
		small, some := xs[0].GreaterScalar(-1).And(xs[0].LessEqualScalar(1)), xs[1].GreaterScalar(0).AnyKeep(1)
		return Where(small.Xor(some.Not()), xs[0].Square(), xs[1])
	}, shape{3, 4}, shape{3, 4})

	for _, s := range [][2]tensor.Shape{{{3, 4}, {3, 4}}, {{3, 4}, {4}}, {{4}, {3, 1}}, {{}, {}}, {{}, {5}}, {{0, 3}, {3}}, {{2, 3, 2}, {3, 1}}} {
		add(opGather, func(xs ...*Var) *Var { return xs[0].MaskedSelect(mask(s[1]...)) }, s[0])
	}
	add(opGather, func(xs ...*Var) *Var { return xs[0].Transpose().MaskedSelect(mask(2, 4)) }, shape{4, 2})
	square := ids(shape{3, 2}, int64(1), 1, 0, 3, 1, 2)
	for _, index := range []*Var{square, ids(shape{2, 2}, int32(3), 0, 1, 1), ids(shape{3, 1}, int64(0), 0, 0), ids(shape{0, 2}, []int64{}...)} {
		add(opGather, func(xs ...*Var) *Var { return xs[0].Gather(1, index) }, shape{3, 4})
		add(opGather, func(xs ...*Var) *Var { return xs[0].Gather(-2, index) }, shape{4, 2})
		add(opGather, func(xs ...*Var) *Var { return xs[0].Transpose().Gather(1, index) }, shape{4, 3})
		add(opScatterAdd, func(xs ...*Var) *Var { return xs[0].ScatterAdd(1, index, xs[1]) }, shape{3, 4}, index.Shape())
		add(opScatterAdd, func(xs ...*Var) *Var { return xs[0].ScatterAdd(0, index, xs[1]) }, shape{4, 2}, index.Shape())
		add(opScatterAdd, func(xs ...*Var) *Var { return xs[0].Transpose().ScatterAdd(-1, index, xs[1]) }, shape{4, 3}, index.Shape())
	}
	none := ids(shape{0, 2}, []int64{}...)
	add(opGather, func(xs ...*Var) *Var { return xs[0].Gather(0, none) }, shape{0, 2})
	add(opScatterAdd, func(xs ...*Var) *Var { return xs[0].ScatterAdd(1, none, xs[1]) }, shape{0, 4}, shape{0, 2})
	for _, index := range []*Var{ids(shape{2, 2}, int32(3), 0, 1, 3), ids(shape{4}, int64(0), 0, 2, 1), ids(shape{}, int32(2)), ids(shape{0, 3}, []int64{}...)} {
		for _, s := range []tensor.Shape{{4}, {4, 3}, {4, 0}, {4, 2, 2}} {
			add(opEmbedding, func(xs ...*Var) *Var { return Embedding(xs[0], index, nil) }, s)
			for padding := range 4 { // what is looked up there does not matter, so nor does its gradient
				ones := make(shape, len(s)-1)
				for i := range ones {
					ones[i] = 1
				}
				add(opEmbedding, func(xs ...*Var) *Var {
					used := index.NotEqual(Constant(tensor.Full(index.DType(), float64(padding)).ToDevice(casesOn))).To(xs[0].DType())
					return Embedding(xs[0], index, &padding).Mul(used.Reshape(append(index.Shape().Clone(), ones...)...))
				}, s)
			}
		}
	}
	for axis := range 3 {
		add(opTranspose, func(xs ...*Var) *Var { return xs[0].IndexSelectAlong(axis, []int32{1, 0, 1}) }, shape{2, 3, 2})
	}
	return cases
}

// with gives a reduction its first argument.
func with(f func(x *Var, c float64, axes ...int) *Var, c float64) func(x *Var, axes ...int) *Var {
	return func(x *Var, axes ...int) *Var { return f(x, c, axes...) }
}

// reductionCases reduce every set of axes, in both forms.
func reductionCases() (cases []gradCase) {
	for _, axes := range [][]int{nil, {0}, {1}, {-1}, {0, 2}, {2, 1, 0}} {
		for _, s := range []tensor.Shape{{2, 3, 4}, {1, 1, 1}, {2, 0, 3}, {3, 2, 1}} {
			for _, c := range []struct {
				op        opcode
				f, keep   func(x *Var, axes ...int) *Var
				emptyFine bool
			}{
				{opSum, (*Var).Sum, (*Var).SumKeep, true},
				{opScale, (*Var).Mean, (*Var).MeanKeep, false},
				{opMax, (*Var).Max, (*Var).MaxKeep, true},
				{opMin, (*Var).Min, (*Var).MinKeep, true},
				{opReshape, (*Var).Prod, (*Var).ProdKeep, true},
				{opVariance, with((*Var).Variance, 1), with((*Var).VarianceKeep, 0), false},
				{opStd, with((*Var).Std, 0.5), with((*Var).StdKeep, 0), false},
				{opLogSumExp, (*Var).LogSumExp, (*Var).LogSumExpKeep, true},
				{opNorm, with((*Var).Norm, 2), with((*Var).NormKeep, 1), true},
				{opNorm, with((*Var).Norm, 1.5), with((*Var).NormKeep, 3), true},
				{opMax, with((*Var).Norm, math.Inf(1)), with((*Var).NormKeep, math.Inf(1)), true},
			} {
				if s[2] == 1 && (c.op == opVariance || c.op == opStd) {
					continue // one element less the correction is nothing
				}
				if s.Size() == 0 && !c.emptyFine {
					continue
				}
				for _, f := range []func(x *Var, axes ...int) *Var{c.f, c.keep} {
					cases = append(cases, gradCase{c.op, []tensor.Shape{s}, nonzero, func(xs ...*Var) *Var { return f(xs[0], axes...) }})
				}
			}
		}
	}
	for _, op := range []opcode{opVariance, opStd} { // nothing is reduced to nothing
		cases = append(cases, gradCase{op, []tensor.Shape{{0, 3}}, nonzero, func(xs ...*Var) *Var {
			if op == opStd {
				return xs[0].Std(1, 1)
			}
			return xs[0].Variance(1, 1)
		}})
	}
	for _, n := range []int{1, 2, 3, 7, 8, 13} { // halves and what is left of them
		cases = append(cases, gradCase{opReshape, []tensor.Shape{{n}}, nonzero, func(xs ...*Var) *Var { return xs[0].Prod() }})
	}
	return cases
}

// shapeCases are the operations made of views, joins and cuts.
func shapeCases() (cases []gradCase) {
	add := func(op opcode, f func(xs ...*Var) *Var, shapes ...tensor.Shape) {
		cases = append(cases, gradCase{op, shapes, nonzero, f})
	}
	type shape = tensor.Shape
	for _, s := range []tensor.Shape{{2, 1, 3}, {1, 1, 1}, {0, 1, 3}} {
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Squeeze() }, s)
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Squeeze(1) }, s)
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Transpose(2, 1, 0).Squeeze(-2).Unsqueeze(-1).Unsqueeze(0) }, s)
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Flatten(0, -1) }, s)
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Transpose().Flatten(1, 2) }, s)
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Repeat(2, 3, 1) }, s)
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Repeat(2, 1, 0, 2) }, s)
		for axis := range 3 {
			add(opUnslice, func(xs ...*Var) *Var { return xs[0].Pad(axis, 1, 2, 0) }, s)
			add(opConcat, func(xs ...*Var) *Var { return xs[0].Pad(axis, 1, 0, 3) }, s)
			add(opConcat, func(xs ...*Var) *Var { return xs[0].Roll(1, axis).Scale(2) }, s)
			add(opConcat, func(xs ...*Var) *Var { return xs[0].Roll(-4, axis-3).Scale(2) }, s)
			add(opSlice, func(xs ...*Var) *Var { return xs[0].Chunk(axis, 2)[0] }, s)
			add(opSoftmax, func(xs ...*Var) *Var { return xs[0].SoftmaxAlong(axis) }, s)
			add(opLogSoftmax, func(xs ...*Var) *Var { return xs[0].LogSoftmaxAlong(axis - 3) }, s)
		}
		for axis := range 3 {
			add(opCumSum, func(xs ...*Var) *Var { return xs[0].CumSum(axis) }, s)
			add(opFlip, func(xs ...*Var) *Var { return xs[0].Flip(axis) }, s)
		}
		add(opFlip, func(xs ...*Var) *Var { return xs[0].Flip(-1, 0) }, s)
		add(opFlip, func(xs ...*Var) *Var { return xs[0].Flip() }, s)
		for diagonal := -2; diagonal <= 2; diagonal++ {
			add(opTril, func(xs ...*Var) *Var { return xs[0].Tril(diagonal) }, s)
			add(opTriu, func(xs ...*Var) *Var { return xs[0].Transpose(1, 2, 0).Triu(diagonal) }, s)
		}
		for axis := range 4 {
			add(opConcat, func(xs ...*Var) *Var { return Stack(axis, xs[0], xs[1].Transpose(0, 1, 2), xs[0]) }, s, s)
		}
	}
	add(opSlice, func(xs ...*Var) *Var {
		parts := xs[0].Split(1, 2, 0, 3)
		return parts[2].Mul(parts[0].Sum())
	}, shape{2, 5})
	for _, n := range []int{3, 1, 0} {
		add(opReshape, func(xs ...*Var) *Var { return xs[0].Dot(xs[1]) }, shape{n}, shape{n})
		add(opMul, func(xs ...*Var) *Var { return xs[0].Outer(xs[1]) }, shape{n}, shape{2})
		add(opReshape, func(xs ...*Var) *Var { return xs[0].MatVec(xs[1]) }, shape{2, n}, shape{n})
		add(opMul, func(xs ...*Var) *Var { return xs[0].GLU(0) }, shape{2 * n, 3})
	}
	for _, k := range []int{4, 0} {
		add(opReshape, func(xs ...*Var) *Var { return xs[0].MatVec(xs[1]) }, shape{2, 3, k}, shape{k})
		add(opMatMul, func(xs ...*Var) *Var { return xs[0].MatMul(xs[1]) }, shape{2, 3, k}, shape{k, 2})
		add(opMatMul, func(xs ...*Var) *Var { return xs[0].MatMul(xs[1]) }, shape{k, 3, 2}, shape{2, 2})
		add(opLinear, func(xs ...*Var) *Var { return Linear(xs[0], xs[1], xs[2], true) }, shape{2, 3, k}, shape{k, 2}, shape{2})
		add(opLinear, func(xs ...*Var) *Var { return Linear(xs[0], xs[1], nil, false) }, shape{2, k, 3}, shape{3, k})
	}
	for _, down := range []bool{false, true} {
		add(opGather, func(xs ...*Var) *Var { y, _ := xs[0].Sort(down); return y }, shape{2, 5})
		add(opGather, func(xs ...*Var) *Var { y, _ := xs[0].TopK(2, down); return y }, shape{3, 4})
	}
	sparse := SparseConstant(exampleSparse())
	add(opSparseMatMul, func(xs ...*Var) *Var { return sparse.MatVec(xs[0]) }, shape{3})
	add(opMul, func(xs ...*Var) *Var { return xs[0].GLU(-1) }, shape{3, 4})
	return cases
}
