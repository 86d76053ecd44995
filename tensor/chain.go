// Element-wise operations one after another, a tile that stays in the L1 cache at a
// time: memory is read and written once, not once an operation.

package tensor

import (
	"fmt"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// A ChainOp is an element-wise operation of a [Chain]; its meaning is that of the
// function of its name.
type ChainOp uint8

// The operations of two values, then those of one. C and D are the numbers of a step.
const (
	ChainAdd ChainOp = iota
	ChainSub
	ChainMul
	ChainDiv
	ChainMaximum
	ChainMinimum

	ChainNeg
	ChainAbs
	ChainSquare
	ChainRecip
	ChainSqrt
	ChainRsqrt
	ChainScale     // by C
	ChainAddScalar // C
	ChainClamp     // to [C, D]
	ChainExp
	ChainLog
	ChainReLU
	ChainLeakyReLU // of slope C
	ChainELU       // of alpha C
	ChainGELU
	ChainSigmoid
	ChainSiLU
	ChainTanh
	ChainSoftplus

	numChainOps
)

// takesTwo reports whether an operation has a second operand.
func (op ChainOp) takesTwo() bool { return op <= ChainMinimum }

// A ChainStep is one operation of a [Chain]. A value i >= 0 is the result of step i,
// an earlier one; ^i is tensor i.
type ChainStep struct {
	Op   ChainOp
	A, B int // B of operations of two values only
	C, D float64
}

// chainTile is how many elements a tile has: some tiles of float32 fit the L1 cache.
const chainTile = 1 << 11

// Chain returns the result of the last step, in the shape of the largest tensor, to
// which the others repeat ([Shape.RepeatsTo]): they are of its shape, rows, scalars. All
// have one floating-point type. The bits are those of the operations run one by one.
func Chain(xs []*Tensor, steps []ChainStep) *Tensor {
	const op = "Chain"
	shape := wantChain(op, xs, steps)
	for _, x := range xs {
		if x.far != nil {
			return farChain(op, shape, xs, steps)
		}
	}
	out := empty(xs[0].dtype, shape)
	if out.dtype == Float32 {
		runChain[float32](out, xs, steps)
	} else {
		runChain[float64](out, xs, steps)
	}
	return out
}

// ChainSum returns the sum of all elements of [Chain]'s result, a scalar, without that
// result in memory. Tiles are added up in float64.
func ChainSum(xs []*Tensor, steps []ChainStep) *Tensor {
	const op = "ChainSum"
	shape := wantChain(op, xs, steps)
	for _, x := range xs {
		if x.far != nil {
			y := farChain(op, shape, xs, steps)
			defer y.Free()
			return Sum(y, false)
		}
	}
	if xs[0].dtype == Float32 {
		return sumChain[float32](shape, xs, steps)
	}
	return sumChain[float64](shape, xs, steps)
}

// wantChain panics unless tensors and steps make a chain, and returns its result's shape.
func wantChain(op string, xs []*Tensor, steps []ChainStep) Shape {
	wantTensors(op, xs...)
	if len(xs) == 0 || len(steps) == 0 {
		panic(&ShapeError{Op: op, Detail: "needs a tensor and a step"})
	}
	shape := xs[0].shape
	for _, x := range xs {
		if wantSame(op, xs[0], x); shape.RepeatsTo(x.shape) {
			shape = x.shape
		}
	}
	for _, x := range xs {
		if !x.shape.RepeatsTo(shape) {
			panic(&ShapeError{Op: op, Detail: "shapes differ by more than repetition", Shapes: []Shape{shape, x.shape}})
		}
	}
	for i, s := range steps {
		if s.Op >= numChainOps || s.A >= i || ^s.A >= len(xs) || s.Op.takesTwo() && (s.B >= i || ^s.B >= len(xs)) {
			panic(&ShapeError{Op: op, Detail: fmt.Sprintf("step %d %+v of %d tensors", i, s, len(xs)), Shapes: []Shape{shape}})
		}
	}
	return shape
}

// chainNames are the operations as programs of devices name them.
var chainNames = [numChainOps]string{
	"Add", "Sub", "Mul", "Div", "Maximum", "Minimum",
	"Neg", "Abs", "Square", "Recip", "Sqrt", "Rsqrt", "Scale", "AddScalar", "Clamp", "Exp", "Log",
	"ReLU", "LeakyReLU", "ELU", "GELU", "Sigmoid", "SiLU", "Tanh", "Softplus",
}

// farChain is Chain on a device: one program.
func farChain(op string, shape Shape, xs []*Tensor, steps []ChainStep) *Tensor {
	p := make([]ProgramStep, len(steps))
	for i, s := range steps {
		p[i] = ProgramStep{Op: chainNames[s.Op], Args: [3]int{s.A}, Type: xs[0].dtype, C: s.C, D: s.D}
		if s.Op.takesTwo() {
			p[i].Args[1] = s.B
		}
	}
	return farMap(op, shape, p, xs...)
}

func runChain[T Float](out *Tensor, xs []*Tensor, steps []ChainStep) {
	r, dst := newChainRun[T](out.size, xs, steps), elems[T](out)
	cpu.ParallelFor(len(dst), elementGrain, func(lo, hi int) {
		r.tiles(lo, hi, func(lo, hi int) []T { return dst[lo:hi] }, func(s *ChainStep, dst, a, b []T) { runStep(r.kernels, s, dst, a, b) })
	})
}

func sumChain[T Float](shape Shape, xs []*Tensor, steps []ChainStep) *Tensor {
	size := shape.Size()
	r, parts := newChainRun[T](size, xs, steps), make([]float64, (size+elementGrain-1)/elementGrain)
	cpu.ParallelFor(size, elementGrain, func(lo, hi int) {
		tile := empty(xs[0].dtype, Shape{chainTile})
		defer tile.Free()
		sum, room := 0.0, elems[T](tile)
		r.tiles(lo, hi, func(lo, hi int) []T { return room[:hi-lo] }, func(s *ChainStep, dst, a, b []T) {
			sum += float64(sumStep(r.kernels, s, dst, a, b))
		})
		parts[lo/elementGrain] = sum
	})
	total := 0.0
	for _, p := range parts {
		total += p
	}
	return Full(xs[0].dtype, total)
}

// chainRun is a chain on its operands.
type chainRun[T Float] struct {
	kernels *kern.Set[T]
	dtype   DType
	size    int // of the result
	src     [][]T
	rows    int // elements to lay rows out in
	steps   []ChainStep
	places  []int // of the steps' results
	count   int
}

func newChainRun[T Float](size int, xs []*Tensor, steps []ChainStep) *chainRun[T] {
	r := &chainRun[T]{kernels: kern.For[T](), dtype: xs[0].dtype, size: size, src: make([][]T, len(xs)), steps: steps}
	for i, x := range xs {
		r.src[i] = elems[T](x)
		if x.size < size {
			r.rows += layLength(x.size)
		}
	}
	r.places, r.count = placeSteps(steps)
	return r
}

// tiles runs the chain over a range of elements, a tile at a time: at tells where its
// result goes, and last runs the last step.
func (r *chainRun[T]) tiles(lo, hi int, at func(lo, hi int) []T, last func(s *ChainStep, dst, a, b []T)) {
	scratch := empty(r.dtype, Shape{(r.count-1)*chainTile + r.rows})
	defer scratch.Free()
	room := elems[T](scratch)
	laid, free := make([][]T, len(r.src)), room[(r.count-1)*chainTile:]
	for i, x := range r.src {
		if len(x) < r.size {
			n := layLength(len(x))
			laid[i], free = free[:n], free[n:]
			repeat(laid[i], copy(laid[i], x))
		}
	}
	for ; lo < hi; lo += chainTile {
		end := min(lo+chainTile, hi)
		result := at(lo, end)
		tile := func(value int) []T {
			switch {
			case value < 0 && laid[^value] != nil:
				return takeRepeated(r.src[^value], laid[^value], lo, end)
			case value < 0:
				return r.src[^value][lo:end]
			case r.places[value] == 0:
				return result
			}
			place := (r.places[value] - 1) * chainTile
			return room[place : place+end-lo]
		}
		for i := range r.steps {
			s := &r.steps[i]
			var b []T
			if s.Op.takesTwo() {
				b = tile(s.B)
			}
			if i == len(r.steps)-1 {
				last(s, result, tile(s.A), b)
			} else {
				runStep(r.kernels, s, tile(i), tile(s.A), b)
			}
		}
	}
}

// layLength returns how many elements a repeated row of n is laid out in: so many that
// a tile may start anywhere in it, or one tile if the row is longer.
func layLength(n int) int {
	if n > chainTile {
		return chainTile
	}
	return n + chainTile
}

// takeRepeated returns the elements lo to hi-1 of a row repeated without end. laid
// holds it repeated if it is short, and is written to if it is not.
func takeRepeated[T Float](row, laid []T, lo, hi int) []T {
	at, n := lo%len(row), hi-lo
	switch {
	case at+n <= len(row):
		return row[at : at+n]
	case len(row) > chainTile:
		copy(laid[copy(laid, row[at:]):], row)
		return laid[:n]
	}
	return laid[at : at+n]
}

// placeSteps gives each step's result a place in which no value lies that is still to be
// read: place 0 is the result of the chain, the others are scratch. A chain without
// branches needs no scratch.
func placeSteps(steps []ChainStep) (places []int, count int) {
	last := make([]int, len(steps)) // the last step that reads a result
	for i, s := range steps {
		last[i] = i
		if s.A >= 0 {
			last[s.A] = i
		}
		if s.Op.takesTwo() && s.B >= 0 {
			last[s.B] = i
		}
	}
	places, count = make([]int, len(steps)), 1
	free := []bool{true}
	for i := range steps {
		for j := range i {
			if last[j] == i {
				free[places[j]] = true // a kernel may write over what it reads
			}
		}
		p := 0
		for p < count && !free[p] {
			p++
		}
		if p == count {
			free, count = append(free, true), count+1
		}
		places[i], free[p] = p, last[i] == i
	}
	return places, count
}

// sumStep is the sum of what runStep writes to dst, which it may leave as it is: products are
// added up as they are computed.
func sumStep[T Float](k *kern.Set[T], s *ChainStep, dst, a, b []T) T {
	switch s.Op {
	case ChainMul:
		return k.Dot(a, b)
	case ChainSquare:
		return k.SumSquares(a)
	}
	runStep(k, s, dst, a, b)
	return k.Sum(dst)
}

func runStep[T Float](k *kern.Set[T], s *ChainStep, dst, a, b []T) {
	switch s.Op {
	case ChainAdd:
		k.Add(dst, a, b)
	case ChainSub:
		k.Sub(dst, a, b)
	case ChainMul:
		k.Mul(dst, a, b)
	case ChainDiv:
		k.Div(dst, a, b)
	case ChainMaximum:
		k.Max(dst, a, b)
	case ChainMinimum:
		k.Min(dst, a, b)
	case ChainNeg:
		k.Neg(dst, a)
	case ChainAbs:
		k.Abs(dst, a)
	case ChainSquare:
		k.Square(dst, a)
	case ChainRecip:
		k.Recip(dst, a)
	case ChainSqrt:
		k.Sqrt(dst, a)
	case ChainRsqrt:
		k.Rsqrt(dst, a)
	case ChainScale:
		k.MulScalar(dst, a, T(s.C))
	case ChainAddScalar:
		k.AddScalar(dst, a, T(s.C))
	case ChainClamp:
		k.Clamp(dst, a, T(s.C), T(s.D))
	case ChainExp:
		k.Exp(dst, a)
	case ChainLog:
		k.Log(dst, a)
	case ChainReLU:
		k.ReLU(dst, a)
	case ChainLeakyReLU:
		k.LeakyReLU(dst, a, T(s.C))
	case ChainELU:
		k.ELU(dst, a, T(s.C))
	case ChainGELU:
		k.GELU(dst, a)
	case ChainSigmoid:
		k.Sigmoid(dst, a)
	case ChainSiLU:
		k.SiLU(dst, a)
	case ChainTanh:
		k.Tanh(dst, a)
	case ChainSoftplus:
		k.Softplus(dst, a)
	default:
		panic(fmt.Sprintf("BUG: tensor: chain operation %d", s.Op))
	}
}
