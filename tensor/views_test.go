// Tests of views: chains of them against index functions, and every operation on
// strided operands against the same on contiguous ones.

package tensor

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// An array is what a tensor stands for, by definition.
type array struct {
	shape Shape
	data  []float64
}

// arrayOf returns the array whose element at each index is f of it.
func arrayOf(shape Shape, f func(idx []int) float64) array {
	a := array{shape: shape.Clone()}
	for _, idx := range indices(shape) {
		a.data = append(a.data, f(idx))
	}
	return a
}

func (a array) at(idx ...int) float64 {
	at := 0
	for k, i := range idx {
		at = at*a.shape[k] + i
	}
	return a.data[at]
}

// anyView returns a view of x by a random method and what it stands for.
func anyView(r *rand.Rand, x *Tensor, a array) (string, *Tensor, array) {
	rank := len(a.shape)
	switch kind := r.IntN(7); {
	case kind == 0 && rank > 0:
		perm := r.Perm(rank)
		shape := make(Shape, rank)
		for k, p := range perm {
			shape[k] = a.shape[p]
		}
		return fmt.Sprintf("Transpose%v", perm), x.Transpose(perm...), arrayOf(shape, func(idx []int) float64 {
			from := make([]int, rank)
			for k, p := range perm {
				from[p] = idx[k]
			}
			return a.at(from...)
		})
	case kind == 1 && rank > 0:
		k := r.IntN(rank)
		lo := r.IntN(a.shape[k] + 1)
		hi := lo + r.IntN(a.shape[k]-lo+1)
		if hi == lo && r.IntN(4) > 0 { // seldom empty
			lo, hi = 0, a.shape[k]
		}
		shape := a.shape.Clone()
		shape[k] = hi - lo
		return fmt.Sprintf("Narrow(%d,%d,%d)", k, lo, hi), x.Narrow(k, lo, hi), arrayOf(shape, func(idx []int) float64 {
			from := slices.Clone(idx)
			from[k] += lo
			return a.at(from...)
		})
	case kind == 2 && a.shape.Size() <= 64:
		shape, lead := a.shape.Clone(), r.IntN(2)
		for k, d := range shape {
			if d == 1 {
				shape[k] = 1 + r.IntN(3)
			}
		}
		if lead > 0 {
			shape = slices.Insert(shape, 0, 1+r.IntN(3))
		}
		return fmt.Sprintf("Expand%v", shape), x.Expand(shape...), arrayOf(shape, func(idx []int) float64 {
			from := slices.Clone(idx[lead:])
			for k, d := range a.shape {
				if d == 1 {
					from[k] = 0
				}
			}
			return a.at(from...)
		})
	case kind == 3 && rank < 5:
		k := r.IntN(rank + 1)
		return fmt.Sprintf("Unsqueeze(%d)", k), x.Unsqueeze(k), array{slices.Insert(a.shape.Clone(), k, 1), a.data}
	case kind == 4:
		return "Squeeze", x.Squeeze(), array{slices.DeleteFunc(a.shape.Clone(), func(d int) bool { return d == 1 }), a.data}
	case kind == 5 && rank > 1 && a.shape.Size() > 0:
		shape := append(Shape{-1}, a.shape[2:]...)
		return fmt.Sprintf("Reshape%v", shape), x.Reshape(shape...), array{append(Shape{a.shape[0] * a.shape[1]}, a.shape[2:]...), a.data}
	case kind == 6 && rank > 1:
		offset := r.IntN(3) - 1
		i, j := max(-offset, 0), max(offset, 0)
		n := max(0, min(a.shape[rank-2]-i, a.shape[rank-1]-j))
		return fmt.Sprintf("Diagonal(%d)", offset), x.Diagonal(offset), arrayOf(append(a.shape[:rank-2].Clone(), n), func(idx []int) float64 {
			d := idx[rank-2]
			return a.at(append(slices.Clone(idx[:rank-2]), d+i, d+j)...)
		})
	}
	return "", x, a
}

// checkViews draws a chain of views and holds all that reads it against the array.
func checkViews(t *testing.T, r *rand.Rand) {
	t.Helper()
	shape := make(Shape, r.IntN(4))
	for k := range shape {
		shape[k] = 1 + r.IntN(5)
	}
	dt := []DType{Float32, Float64}[r.IntN(2)]
	base := random(r, dt, shape...)
	x, a := base, array{shape, base.Float64s()}
	chain := fmt.Sprint(dt, shape)
	for range r.IntN(6) {
		var name string
		name, x, a = anyView(r, x, a)
		chain += " " + name
	}
	plus := func(a, b float64) float64 { return a + b }
	tol := 10 * tolerance(dt)
	wantClose(t, chain, x, a.shape, a.data, 0)
	wantClose(t, chain+" Clone", x.Clone(), a.shape, a.data, 0)
	if x.IsContiguous() {
		wantClose(t, chain+" Data", FromSlice(x.Contiguous().Float64s(), a.shape...), a.shape, a.data, 0)
	}
	for i, idx := range indices(a.shape) {
		if got := x.At(idx...); got != a.data[i] {
			t.Fatalf("%s: At%v is %v, want %v", chain, idx, got, a.data[i])
		}
	}
	twice := make([]float64, len(a.data))
	for i, v := range a.data {
		twice[i] = 2 * v
	}
	wantClose(t, chain+" Neg", Neg(x), a.shape, arrayOf(a.shape, func(idx []int) float64 { return -a.at(idx...) }).data, 0)
	wantClose(t, chain+" Add to itself", Add(x, x), a.shape, twice, 0)
	wantClose(t, chain+" Add to a copy", Add(x, x.Clone()), a.shape, twice, 0)
	wantClose(t, chain+" Where", Where(Greater(x, Zeros(dt)), x, Zeros(dt)), a.shape, ReLU(x).Float64s(), 0)
	wantClose(t, chain+" Sum", Sum(x, false), Shape{}, reduceNaive(x, filled(len(a.shape), true), 0, plus), tol)
	for k := range a.shape {
		marks := filled(len(a.shape), false)
		marks[k] = true
		wantClose(t, fmt.Sprintf("%s Sum over %d", chain, k), Sum(x, false, k), slices.Delete(a.shape.Clone(), k, k+1), reduceNaive(x, marks, 0, plus), tol)
	}
	if len(a.shape) >= 2 {
		y := x.Transpose()
		wantClose(t, chain+" MatMul", MatMul(x, y), MatMul(x.Clone(), y.Clone()).Shape(), MatMul(x.Clone(), y.Clone()).Float64s(), tol)
	}
	if !x.Overlaps() && SharesMemory(x, base) { // writing to the view writes to its base
		y := base.Clone()
		x.CopyFrom(Scale(x, 2))
		wantClose(t, chain+" CopyFrom", x, a.shape, twice, 0)
		x.CopyFrom(Scale(x, 0.5))
		wantClose(t, chain+" CopyFrom and back", base, shape, y.Float64s(), 0)
	}
}

func filled(n int, v bool) []bool {
	b := make([]bool, n)
	fill(b, v)
	return b
}

func TestChainsOfViewsAreIndexFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	n := 20_000
	if testing.Short() {
		n = 1000
	}
	for range n {
		checkViews(t, r)
	}
}

func FuzzViews(f *testing.F) {
	f.Add(uint64(1), uint64(2))
	f.Fuzz(func(t *testing.T, a, b uint64) { checkViews(t, rand.New(rand.NewPCG(a, b))) })
}

// scrambled returns random numbers of a shape in a random layout: axes in any order
// in memory, parts of longer ones, or expanded.
func scrambled(r *rand.Rand, dt DType, shape ...int) *Tensor {
	perm := r.Perm(len(shape))
	base, back := make(Shape, len(shape)), make([]int, len(shape))
	for k, p := range perm {
		base[k], back[p] = shape[p]+r.IntN(2), k
		if shape[p] > 1 && r.IntN(6) == 0 {
			base[k] = 1
		}
	}
	x := random(r, dt, base...).Transpose(back...)
	for k, d := range shape {
		if x.shape[k] > d {
			lo := r.IntN(x.shape[k] - d + 1)
			x = x.Narrow(k, lo, lo+d)
		}
	}
	return x.Expand(shape...)
}

// stridedCases are operations on operands of the given shapes.
var stridedCases = []struct {
	name   string
	shapes []Shape
	op     func(x []*Tensor) *Tensor
}{
	{"Exp", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { return Exp(x[0]) }},
	{"Scale", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { return Scale(x[0], 3) }},
	{"LeakyReLU large", []Shape{{70, 3, 130}}, func(x []*Tensor) *Tensor { return LeakyReLU(x[0], 0.1) }},
	{"Dropout", []Shape{{7, 5}}, func(x []*Tensor) *Tensor { return Dropout(x[0], 1, 1<<31, 2) }},
	{"To", []Shape{{7, 5}}, func(x []*Tensor) *Tensor { return x[0].To(Int64) }},
	{"Mul", []Shape{{3, 4, 5}, {4, 1}}, func(x []*Tensor) *Tensor { return Mul(x[0], x[1]) }},
	{"Sub large", []Shape{{70, 3, 130}, {3, 130}}, func(x []*Tensor) *Tensor { return Sub(x[0], x[1]) }},
	{"Add long rows", []Shape{{3, 40000}, {3, 1}}, func(x []*Tensor) *Tensor { return Add(x[0], x[1]) }},
	{"Add short rows", []Shape{{9000, 3}, {3}}, func(x []*Tensor) *Tensor { return Add(x[0], x[1]) }},
	{"Hypot", []Shape{{1, 5}, {4, 1}}, func(x []*Tensor) *Tensor { return Hypot(x[0], x[1]) }},
	{"AddInto", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { y := Ones(x[0].DType(), 4, 5); AddInto(y, x[0]); return y }},
	{"Less", []Shape{{3, 4, 5}, {4, 5}}, func(x []*Tensor) *Tensor { return Less(x[0], x[1]) }},
	{"LessEqualScalar", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { return LessEqualScalar(x[0], 0.5) }},
	{"IsFinite", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return IsFinite(x[0]) }},
	{"Where", []Shape{{3, 1, 5}, {4, 5}, {4, 1}}, func(x []*Tensor) *Tensor { return Where(GreaterScalar(x[0], 0).Expand(3, 4, 5), x[1], x[2]) }},
	{"Where large", []Shape{{300, 150}, {300, 150}, {150}}, func(x []*Tensor) *Tensor { return Where(GreaterScalar(x[0], 0), x[1], x[2]) }},
	{"MaskedFill", []Shape{{4, 5}, {5}}, func(x []*Tensor) *Tensor { return MaskedFill(x[0], GreaterScalar(x[1], 0), 7) }},
	{"MaskedSelect", []Shape{{4, 5}, {4, 1}}, func(x []*Tensor) *Tensor { return MaskedSelect(x[0], GreaterScalar(x[1], 0)) }},
	{"NonZero", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return NonZero(GreaterScalar(x[0], 0)) }},
	{"Sum 0 2", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { return Sum(x[0], false, 0, 2) }},
	{"Mean 1", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { return Mean(x[0], true, 1) }},
	{"Max 1", []Shape{{30, 40, 50}}, func(x []*Tensor) *Tensor { return Max(x[0], false, 1) }},
	{"Var 0", []Shape{{30, 40}}, func(x []*Tensor) *Tensor { return Var(x[0], 1, false, 0) }},
	{"Std 1", []Shape{{30, 40}}, func(x []*Tensor) *Tensor { return Std(x[0], 0, false, 1) }},
	{"LogSumExp 1", []Shape{{30, 40}}, func(x []*Tensor) *Tensor { return LogSumExp(x[0], false, 1) }},
	{"Norm 3", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Norm(x[0], 3, false, 0) }},
	{"Argmax 0", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Argmax(x[0], 0) }},
	{"MinAlong", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { v, _ := MinAlong(x[0], 1, false); return v }},
	{"SumTo", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { return SumTo(x[0], Shape{4, 1}) }},
	{"CumSum 0", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return CumSum(x[0], 0) }},
	{"CumProd 1", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return CumProd(x[0], 1) }},
	{"Sort", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { v, _ := Sort(x[0], false); return v }},
	{"TopK", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { _, i := TopK(x[0], 2, true); return i }},
	{"Softmax", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Softmax(x[0]) }},
	{"Concat", []Shape{{4, 5}, {4, 2}}, func(x []*Tensor) *Tensor { return Concat(1, x...) }},
	{"Concat large", []Shape{{400, 150}, {200, 150}}, func(x []*Tensor) *Tensor { return Concat(0, x...) }},
	{"Stack", []Shape{{4, 5}, {4, 5}}, func(x []*Tensor) *Tensor { return Stack(1, x...) }},
	{"Repeat", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Repeat(x[0], 2, 1, 3) }},
	{"Flip", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Flip(x[0], 0) }},
	{"Roll", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Roll(x[0], 2, 1) }},
	{"Pad", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Pad(x[0], 9, []int{1, 0}, []int{0, 2}) }},
	{"Unnarrow", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return Unnarrow(x[0], 1, 2, 8) }},
	{"IndexSelect", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return IndexSelect(x[0], []int32{3, 1}) }},
	{"IndexSelectAxis", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return IndexSelectAxis(x[0], 1, []int32{3, 1}) }},
	{"ScatterAddRows", []Shape{{4, 5}}, func(x []*Tensor) *Tensor { return ScatterAddRows(x[0], []int32{3, 1, 3, 0}, 5) }},
	{"ScatterAddRowsInto", []Shape{{4, 5}}, func(x []*Tensor) *Tensor {
		y := Ones(x[0].DType(), 5, 5)
		ScatterAddRowsInto(y, x[0], []int32{3, 1, 3, 0})
		return y
	}},
	{"ScatterAddAxis", []Shape{{3, 4, 5}}, func(x []*Tensor) *Tensor { return ScatterAddAxis(x[0], 1, []int32{3, 1, 3, 0}, 5) }},
	{"Gather", []Shape{{4, 5}, {4, 3}}, func(x []*Tensor) *Tensor { return Gather(x[0], 1, Clamp(Abs(x[1]), 0, 4).To(Int64)) }},
	{"Gather transposed index", []Shape{{4, 5}, {2, 4}}, func(x []*Tensor) *Tensor { return Gather(x[0], 1, Clamp(Abs(x[1]), 0, 4).To(Int32).Transpose()) }},
	{"Scatter", []Shape{{4, 5}, {3, 3}, {4, 3}}, func(x []*Tensor) *Tensor { return Scatter(x[0], 1, Clamp(Abs(x[1]), 0, 4).To(Int64), x[2]) }},
	{"ScatterAdd", []Shape{{4, 5}, {3, 3}, {4, 3}}, func(x []*Tensor) *Tensor { return ScatterAdd(x[0], 0, Clamp(Abs(x[1]), 0, 3).To(Int64), x[2]) }},
	{"MatMul", []Shape{{4, 5}, {5, 3}}, func(x []*Tensor) *Tensor { return MatMul(x[0], x[1]) }},
	{"MatMul batched", []Shape{{2, 1, 4, 5}, {3, 5, 2}}, func(x []*Tensor) *Tensor { return MatMul(x[0], x[1]) }},
	{"MatMul tall", []Shape{{2, 3, 4, 5}, {5, 2}}, func(x []*Tensor) *Tensor { return MatMul(x[0], x[1]) }},
	{"MatMul of vectors", []Shape{{5}, {3, 5, 2}}, func(x []*Tensor) *Tensor { return MatMul(x[0], x[1]) }},
	{"MatMulAdd", []Shape{{4, 5}, {5, 3}}, func(x []*Tensor) *Tensor {
		y := Ones(x[0].DType(), 4, 6)
		MatMulAdd(y.Narrow(1, 1, 4), x[0], x[1])
		return y
	}},
	{"Linear", []Shape{{2, 4, 5}, {5, 3}, {3}}, func(x []*Tensor) *Tensor { return Linear(x[0], x[1], x[2], true) }},
	{"Dot", []Shape{{5}, {5}}, func(x []*Tensor) *Tensor { return Dot(x[0], x[1]) }},
	{"Outer", []Shape{{5}, {4}}, func(x []*Tensor) *Tensor { return Outer(x[0], x[1]) }},
	{"Tril", []Shape{{2, 4, 5}}, func(x []*Tensor) *Tensor { return Tril(x[0], 1) }},
	{"DiagEmbed", []Shape{{2, 4}}, func(x []*Tensor) *Tensor { return DiagEmbed(x[0], -1) }},
}

func TestOperationsReadStridedOperands(t *testing.T) {
	forFloats(t, func(t *testing.T, dt DType) {
		r := rand.New(rand.NewPCG(2, 2))
		for _, c := range stridedCases {
			rounds := 30
			if c.shapes[0].Size() > 1000 {
				rounds = 6
			}
			for range rounds {
				var views, copies, before []*Tensor
				for _, s := range c.shapes {
					x := scrambled(r, dt, s...)
					views, copies, before = append(views, x), append(copies, FromSlice(x.Float64s(), s...).To(dt)), append(before, x.Clone())
				}
				want := c.op(copies)
				got := c.op(views)
				if got.DType() != want.DType() {
					t.Fatalf("%s: type %v, want %v", c.name, got.DType(), want.DType())
				}
				wantClose(t, c.name, got, want.Shape(), want.Float64s(), 10*tolerance(dt))
				for i, x := range views {
					wantClose(t, c.name+" changed an operand:", x, x.Shape(), before[i].Float64s(), 0)
				}
			}
		}
	})
}
