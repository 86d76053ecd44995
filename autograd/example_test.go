// Examples of the package documentation.

package autograd_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

func ExampleVar_Backward() {
	x := autograd.Constant(tensor.FromSlice([]float64{1, 2, 3, 4}, 2, 2))
	w := autograd.Parameter(tensor.FromSlice([]float64{0.5, -1}, 2, 1))
	loss := x.MatMul(w).Square().Mean()
	loss.Backward()
	fmt.Println(loss.Item(), w.Gradient().Float64s())
	// Output: 4.25 [-9 -13]
}

// Transpose takes the order of all axes, as torch.permute.
func ExampleVar_Transpose() {
	x := autograd.Constant(tensor.Zeros(tensor.Float32, 2, 3))
	fmt.Println("x.T:", x.Transpose().Shape(), "x.permute(0, 1):", x.Transpose(0, 1).Shape())
	h := autograd.Constant(tensor.Zeros(tensor.Float32, 2, 3, 4))
	fmt.Println("h.transpose(0, 1):", h.Transpose(1, 0, 2).Shape())
	// Output:
	// x.T: [3 2] x.permute(0, 1): [2 3]
	// h.transpose(0, 1): [3 2 4]
}

func ExampleTry() {
	a := autograd.Constant(tensor.Zeros(tensor.Float32, 3, 4))
	b := autograd.Constant(tensor.Zeros(tensor.Float32, 5, 6))
	fmt.Println(autograd.Try(func() { a.MatMul(b) }))
	// Output: autograd: MatMul: inner dimensions differ: [3 4] x [5 6]
}

// An operation from outside the table brings its own gradient.
func ExampleCustom() {
	x := autograd.Variable(tensor.FromSlice([]float64{1, 2}, 2))
	cube := autograd.Custom("Cube", []*autograd.Var{x}, []*tensor.Tensor{tensor.Pow(x.Tensor(), 3)},
		func(g []*tensor.Tensor) []*tensor.Tensor {
			return []*tensor.Tensor{tensor.Mul(g[0], tensor.Scale(tensor.Square(x.Tensor()), 3))}
		})[0]
	cube.Sum().Backward()
	fmt.Println(x.Gradient().Float64s())
	// Output: [3 12]
}

// An evaluation puts its input into a region without gradients; the parameters
// need not know.
func ExampleNoGrad() {
	w := autograd.Parameter(tensor.FromSlice([]float64{3}, 1))
	forward := func(x *autograd.Var) *autograd.Var { return x.Mul(w) }

	x := autograd.Constant(tensor.FromSlice([]float64{2}, 1))
	fmt.Println(forward(x).RequiresGrad(), forward(autograd.NoGrad(x)).RequiresGrad())
	// Output: true false
}

// With CreateGraph, a gradient can be differentiated like any result: here the
// first three derivatives of x^4 at 2.
func ExampleGrad() {
	x := autograd.Variable(tensor.FromSlice([]float64{2}, 1))
	xs := []*autograd.Var{x}
	y := x.Pow(4)
	for range 3 {
		y = autograd.Grad(y, xs, autograd.CreateGraph())[0]
		fmt.Println(y.Item())
	}
	// Output:
	// 32
	// 48
	// 48
}

// A hook sees the gradient of a Var on its way back, and may replace it.
func ExampleVar_RegisterHook() {
	x := autograd.Variable(tensor.FromSlice([]float64{1, 100}, 2))
	h := x.Square()
	remove := h.RegisterHook(func(g *autograd.Var) *autograd.Var {
		fmt.Println("arrived:", g.Tensor().Float64s())
		return g.Clamp(-1, 1)
	})
	h.Scale(3).Sum().Backward()
	fmt.Println(x.Gradient().Float64s())
	remove()
	// Output:
	// arrived: [3 3]
	// [2 200]
}

// The block's intermediate results are not kept: Backward computes them again.
func ExampleCheckpoint() {
	w := autograd.Parameter(tensor.FromSlice([]float64{0.5}, 1))
	calls := 0
	block := func(xs ...*autograd.Var) *autograd.Var {
		calls++
		return xs[0].Mul(w).Square().Square()
	}
	x := autograd.Variable(tensor.FromSlice([]float64{2}, 1))
	y := autograd.Checkpoint(block, x)
	y.Backward()
	fmt.Println(x.Gradient().Item(), w.Gradient().Item(), calls)
	// Output: 2 8 2
}

// The error names the operation that made the first NaN, and its line.
func ExampleDetectAnomaly() {
	x := autograd.DetectAnomaly(autograd.Variable(tensor.FromSlice([]float64{1, -1}, 2)))
	err := autograd.Try(func() { x.Scale(2).Log().Exp().Sum().Backward() })
	anomaly := err.(*autograd.AnomalyError)
	file, _, _ := strings.Cut(filepath.Base(anomaly.Where), ":") // and the line
	fmt.Printf("%s in %s: %s\n", anomaly.Op, file, anomaly.Detail)
	// Output: Log in example_test.go: the result has a NaN at element 1 and the operands have none
}

// Choices by a mask let no NaN through from the side that was not chosen.
func ExampleWhere() {
	x := autograd.Variable(tensor.FromSlice([]float64{-4, 9}, 2))
	zero := autograd.Constant(tensor.Zeros(tensor.Float64))
	root := autograd.Where(x.GreaterScalar(0), x.Sqrt(), zero)
	fmt.Println(root.Tensor().Float64s(), math.IsNaN(x.Sqrt().Tensor().At(0)))
	// Output: [0 3] true
}

// Masks are made by comparisons and joined by logic.
func ExampleVar_And() {
	x := autograd.Variable(tensor.FromSlice([]float64{-4, 0.5, 9}, 3))
	inside := x.GreaterEqualScalar(0).And(x.LessEqualScalar(1))
	x.MaskedFill(inside.Not(), 0).Sum().Backward()
	fmt.Println(inside.Tensor().Float64s(), inside.Any().Item(), x.Gradient().Float64s())
	// Output: [0 1 0] 1 [0 1 0]
}
