// Operations one at a time, at the shapes that models around a graph use them in,
// against PyTorch: the result, and the result with the gradients of all inputs.

package main

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

const opsTarget = 1.0

// width is the columns of a layer's features.
const width = 64

// An operation is a chain of one on inputs of its own shapes.
type operation struct {
	name   string
	shapes []tensor.Shape
	f      func(xs []*autograd.Var) *autograd.Var
}

// operations are for n rows. torch.py has each under its name.
func operations(n int) []operation {
	rows, narrowRows, row, column := tensor.Shape{n, width}, tensor.Shape{n, narrow}, tensor.Shape{width}, tensor.Shape{n, 1}
	ids, few := spread(2*n, n), spread(n, n/16+1)
	unary := func(name string, f func(x *autograd.Var) *autograd.Var) operation {
		return operation{name, []tensor.Shape{rows}, func(xs []*autograd.Var) *autograd.Var { return f(xs[0]) }}
	}
	binary := func(name string, a, b tensor.Shape, f func(a, b *autograd.Var) *autograd.Var) operation {
		return operation{name, []tensor.Shape{a, b}, func(xs []*autograd.Var) *autograd.Var { return f(xs[0], xs[1]) }}
	}
	product := func(count, side int) operation {
		shape := tensor.Shape{count, side, side}
		return binary("a@b", shape, shape, (*autograd.Var).MatMul)
	}
	return []operation{
		binary("a+b", rows, row, (*autograd.Var).Add),
		binary("a·b", rows, row, (*autograd.Var).Mul),
		binary("a·b", rows, column, (*autograd.Var).Mul),
		binary("a/b", rows, column, (*autograd.Var).Div),
		binary("max(a,b)", rows, rows, (*autograd.Var).Maximum),
		unary("x^3", func(x *autograd.Var) *autograd.Var { return x.Pow(3) }),
		unary("|x|^2.5", func(x *autograd.Var) *autograd.Var { return x.Abs().Pow(2.5) }),
		unary("clamp(x)", func(x *autograd.Var) *autograd.Var { return x.Clamp(-0.5, 0.5) }),
		unary("erf(x)", (*autograd.Var).Erf),
		unary("sin(x)", (*autograd.Var).Sin),
		unary("silu(x)", (*autograd.Var).SiLU),
		unary("elu(x)", func(x *autograd.Var) *autograd.Var { return x.ELU(1) }),
		unary("softmax(x)", (*autograd.Var).Softmax),
		unary("log softmax(x)", (*autograd.Var).LogSoftmax),
		unary("logsumexp over axis 1", func(x *autograd.Var) *autograd.Var { return x.LogSumExp(1) }),
		unary("max over axis 0", func(x *autograd.Var) *autograd.Var { return x.Max(0) }),
		unary("max over axis 1", func(x *autograd.Var) *autograd.Var { return x.Max(1) }),
		unary("variance over axis 0", func(x *autograd.Var) *autograd.Var { return x.Variance(1, 0) }),
		unary("norm over axis 1", func(x *autograd.Var) *autograd.Var { return x.Norm(2, 1) }),
		unary("cumsum over axis 1", func(x *autograd.Var) *autograd.Var { return x.CumSum(1) }),
		unary("cumsum over axis 0", func(x *autograd.Var) *autograd.Var { return x.CumSum(0) }),
		unary("x[:, 8:24]", func(x *autograd.Var) *autograd.Var { return x.Slice(1, 8, 24) }),
		unary("x[16:]", func(x *autograd.Var) *autograd.Var { return x.Slice(0, 16, x.Shape()[0]) }),
		unary("x transposed, copied", func(x *autograd.Var) *autograd.Var { return x.Transpose().Reshape(-1) }),
		unary("heads swapped, copied", func(x *autograd.Var) *autograd.Var {
			return x.Reshape(16, -1, 4, narrow).Transpose(0, 2, 1, 3).Reshape(-1)
		}),
		binary("a ‖ b", rows, narrowRows, func(a, b *autograd.Var) *autograd.Var { return autograd.Concat(1, a, b) }),
		binary("stack of a, b", narrowRows, narrowRows, func(a, b *autograd.Var) *autograd.Var { return autograd.Stack(1, a, b) }),
		binary("where(a>0, a, b)", rows, rows, func(a, b *autograd.Var) *autograd.Var {
			return autograd.Where(a.GreaterScalar(0), a, b)
		}),
		unary("x[ids]", func(x *autograd.Var) *autograd.Var { return x.IndexSelect(ids) }),
		unary("sums of rows by ids", func(x *autograd.Var) *autograd.Var { return x.ScatterAddRows(n/16+1, few) }),
		product(n/16, 8),
		product(n/256, 32),
		product(n/1024+1, 64),
		binary("a·b summed over axis 1", rows, rows, func(a, b *autograd.Var) *autograd.Var { return a.Mul(b).Sum(1) }),
	}
}

// spread returns count of the numbers below n, each about as often as any other, in an
// order that is no stride's.
func spread(count, n int) []int32 {
	ids := make([]int32, count)
	for i := range ids {
		ids[i] = int32(i * 7919 % n)
	}
	return ids
}

func opsSection(b *bench, n int) error { return opsIn(b, n, tensor.Float32) }

// doubleSection is opsSection in float64, on half of the rows: as many bytes.
func doubleSection(b *bench, n int) error { return opsIn(b, n/2, tensor.Float64) }

func opsIn(b *bench, n int, dt tensor.DType) error {
	for _, o := range operations(n) {
		for _, grad := range []bool{false, true} {
			c := chain{name: o.name, inputs: len(o.shapes), f: o.f, freed: true}
			if err := b.compareOn(c, fmt.Sprintf("%s %v", o.name, o.shapes), o.shapes, dt, opsTarget, grad); err != nil {
				return err
			}
		}
	}
	return nil
}
