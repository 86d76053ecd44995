// Tests of cross-entropy and its gradient.

package tensor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

func TestCrossEntropyAndItsGradientMatchTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, shape := range []Shape{{1, 1}, {3, 2}, {7, 5}, {300, 7}, {1000, 40}, {5, 3000}, {4, 0}, {0, 3}} {
		n := shape[0]
		picks := map[string][]int32{"all": nil, "none": {}}
		if n > 0 && shape[1] > 0 {
			var some []int32
			for i := range n {
				if r.IntN(3) > 0 {
					some = append(some, int32(i))
				}
			}
			picks["some"], picks["reversed"], picks["twice"] = some, slices.Clone(some), slices.Concat(some, some)
			slices.Reverse(picks["reversed"])
			picks["first"], picks["last"] = []int32{0}, []int32{int32(n - 1)}
			for i := n / 4; i < n-n/4; i++ {
				picks["middle"] = append(picks["middle"], int32(i))
			}
		} else {
			delete(picks, "all")
		}
		for name, rows := range picks {
			for _, dt := range []DType{Float32, Float64} {
				t.Run(fmt.Sprintf("%v of %v, %v", name, shape, dt), func(t *testing.T) {
					testCrossEntropy(t, r, shape, rows, dt)
				})
			}
		}
	}
}

func testCrossEntropy(t *testing.T, r *rand.Rand, shape Shape, rows []int32, dt DType) {
	const scale = 0.3
	n, classes := shape[0], shape[1]
	values := make([]float64, n*classes)
	for i := range values {
		values[i] = 30 * r.NormFloat64()
	}
	x := FromSlice(values, shape...).To(dt)
	count := n
	if rows != nil {
		count = len(rows)
	}
	labels, loss, grad := make([]int32, count), 0.0, make([]float64, n*classes)
	for i := range labels {
		row := i
		if rows != nil {
			row = int(rows[i])
		}
		labels[i] = int32(r.IntN(classes))
		most, sum := math.Inf(-1), 0.0
		for j := range classes {
			most = max(most, x.At(row, j))
		}
		for j := range classes {
			sum += math.Exp(x.At(row, j) - most)
		}
		loss += math.Log(sum) - (x.At(row, int(labels[i])) - most)
		for j := range classes {
			grad[row*classes+j] += scale * math.Exp(x.At(row, j)-most) / sum
		}
		grad[row*classes+int(labels[i])] -= scale
	}
	tolerance := 1e-6
	if dt == Float64 {
		tolerance = 1e-14
	}
	defer cpu.SetThreads(0)
	var first float64
	for _, threads := range []int{1, 3} {
		cpu.SetThreads(threads)
		got := CrossEntropy(x, rows, labels)
		if math.Abs(got-loss) > tolerance*max(1, loss) {
			t.Fatalf("%v, want %v", got, loss)
		}
		if threads == 1 {
			first = got
		} else if got != first {
			t.Fatalf("%d threads change the bits", threads)
		}
		Full(dt, math.NaN(), shape...).Free() // the gradient's memory may hold anything
		wantClose(t, "gradient", CrossEntropyGrad(x, rows, labels, scale), shape, grad, 4*tolerance)
	}
}

func TestCrossEntropyPanicsOnMisuse(t *testing.T) {
	x := Zeros(Float32, 2, 3)
	for text, f := range map[string]func(){
		"tensor: CrossEntropy: takes a matrix: [3]":        func() { CrossEntropy(Zeros(Float32, 3), nil, nil) },
		"tensor: CrossEntropy: 1 labels for 2 rows: [2 3]": func() { CrossEntropy(x, nil, []int32{0}) },
		"tensor: CrossEntropy: 2 labels for 1 rows: [2 3]": func() { CrossEntropy(x, []int32{1}, []int32{0, 1}) },
	} {
		wantPanic[*ShapeError](t, text, f)
	}
	wantPanic[*IndexError](t, "tensor: CrossEntropy: index 0 is 2, out of range [0, 2)", func() { CrossEntropy(x, []int32{2}, []int32{0}) })
	wantPanic[*IndexError](t, "tensor: CrossEntropy: index 1 is 3, out of range [0, 3)", func() { CrossEntropy(x, nil, []int32{0, 3}) })
}
