// Examples of the package documentation.

package autograd_test

import (
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/tensor"
)

func ExampleVar_Backward() {
	x := autograd.Constant(tensor.FromSlice([]float64{1, 2, 3, 4}, 2, 2))
	w := autograd.Parameter(tensor.FromSlice([]float64{0.5, -1}, 2, 1))
	loss := x.MatMul(w).Square().Mean()
	loss.Backward()
	fmt.Println(loss.Tensor().Item(), w.Gradient().Float64s())
	// Output: 4.25 [-9 -13]
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
