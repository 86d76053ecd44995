package tensor_test

import (
	"fmt"
	"log"

	gt "gorgonia.org/tensor"

	"github.com/asterias-ml/asterias/tensor"
)

// Rows of a matrix less their means: operands broadcast, views read the same memory.
func Example() {
	x := tensor.FromSlice([]float32{1, 2, 6, 3, 3, 0}, 2, 3)
	centred := tensor.Sub(x, tensor.Mean(x, true, -1)) // [2 3] - [2 1]
	fmt.Println(centred)
	fmt.Println(centred.Transpose().Contiguous())
	fmt.Println(centred.Narrow(0, 1, 2))
	// Output:
	// f32[2 3] [-2 -1 3 1 1 -2]
	// f32[3 2] [-2 1 -1 1 3 -2]
	// f32[1 3] [1 1 -2]
}

// Gorgonia's operations on a tensor's memory, which they share.
func ExampleTensor_Dense() {
	x := tensor.FromSlice([]float64{1, 2, 3, 4}, 2, 2)
	if _, err := gt.Mul(x.Dense(), 10.0, gt.UseUnsafe()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x)
	// Output:
	// f64[2 2] [10 20 30 40]
}
