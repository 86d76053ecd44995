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
	dst, src := elems[T](out), make([][]T, len(xs))
	rows := 0 // elements to lay rows out in
	for i, x := range xs {
		src[i] = elems[T](x)
		if x.size < out.size {
			rows += layLength(x.size)
		}
	}
	places, count := placeSteps(steps)
	k := kern.For[T]()
	cpu.ParallelFor(len(dst), elementGrain, func(lo, hi int) {
		scratch := empty(out.dtype, Shape{(count-1)*chainTile + rows})
		defer scratch.Free()
		room := elems[T](scratch)
		laid, free := make([][]T, len(xs)), room[(count-1)*chainTile:]
		for i, x := range src {
			if len(x) < len(dst) {
				n := layLength(len(x))
				laid[i], free = free[:n], free[n:]
				repeat(laid[i], copy(laid[i], x))
			}
		}
		for ; lo < hi; lo += chainTile {
			end := min(lo+chainTile, hi)
			tile := func(value int) []T {
				switch {
				case value < 0 && laid[^value] != nil:
					return takeRepeated(src[^value], laid[^value], lo, end)
				case value < 0:
					return src[^value][lo:end]
				case places[value] == 0:
					return dst[lo:end]
				}
				at := (places[value] - 1) * chainTile
				return room[at : at+end-lo]
			}
			for i := range steps {
				s := &steps[i]
				var b []T
				if s.Op.takesTwo() {
					b = tile(s.B)
				}
				runStep(k, s, tile(i), tile(s.A), b)
			}
		}
	})
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
