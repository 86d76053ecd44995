// Tests of many products of one shape.

package cpu

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor/kern"
)

func TestASeriesOfProductsIsEachProductByItself(t *testing.T) {
	forGemmKernels(t, testSeries[float32], testSeries[float64])
}

func testSeries[T kern.Float](t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 300 {
		m, n, k, count := r.IntN(20), r.IntN(40), r.IntN(40), 1+r.IntN(6)
		if r.IntN(8) == 0 {
			m, n, k = 40+r.IntN(20), 40+r.IntN(20), 40+r.IntN(20)
		}
		a, aStep := laySeries[T](r, count, m, k)
		b, bStep := laySeries[T](r, count, k, n)
		c := lay[T](r, m, n, []layout{rowMajor, padded}[r.IntN(2)])
		cStep := len(c.Data) + r.IntN(3)
		c.Data = random[T](r, count*cStep)
		e := randomEpilogue[T](r, n)
		want := slices.Clone(c.Data)
		for i := range count {
			x, y, z := a, b, c
			x.Data, y.Data, z.Data = beginning(a, i*aStep), beginning(b, i*bStep), want[i*cStep:]
			MatMul(z, x, y, e)
		}
		MatMulSeries(count, c, cStep, a, aStep, b, bStep, e)
		if !slices.Equal(c.Data, want) {
			t.Fatalf("%d of %dx%dx%d, steps %d, %d, %d: not what each product is", count, m, k, n, cStep, aStep, bStep)
		}
	}
}

// laySeries returns the first of so many random matrices and how far they lie apart, 0 for
// one and the same.
func laySeries[T kern.Float](r *rand.Rand, count, rows, cols int) (first Matrix[T], step int) {
	first = lay[T](r, rows, cols, layout(r.IntN(int(layouts))))
	if r.IntN(3) == 0 || len(first.Data) == 0 {
		return first, 0
	}
	step = len(first.Data) + r.IntN(3)
	first.Data = random[T](r, (count-1)*step+len(first.Data))
	return first, step
}

func beginning[T kern.Float](m Matrix[T], offset int) []T { return m.Data[min(offset, len(m.Data)):] }

func TestASeriesOfSmallProductsAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	withThreads(t, 1)
	r := rand.New(rand.NewPCG(4, 4))
	a, b, c := random[float32](r, 5*64), random[float32](r, 5*64), make([]float32, 5*64)
	first := func(x []float32) Matrix[float32] { return RowMajor(x, 8, 8) }
	if n := numtest.Allocations(10, func() {
		MatMulSeries(5, first(c), 64, first(a), 64, first(b).T(), 64, Epilogue[float32]{})
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestASeriesOfProductsPanicsOnMisuse(t *testing.T) {
	m := func(rows, cols, n int) Matrix[float32] { return RowMajor(make([]float32, n), rows, cols) }
	for _, c := range []struct {
		c, a, b             Matrix[float32]
		cStep, aStep, bStep int
		text                string
	}{
		{m(2, 2, 12), m(2, 3, 18), m(4, 2, 24), 4, 6, 8, "inner dimensions differ"},
		{m(2, 2, 11), m(2, 3, 18), m(3, 2, 18), 4, 6, 6, "the last of 3 matrices exceeds its slice"},
		{m(2, 2, 12), m(2, 3, 17), m(3, 2, 18), 4, 6, 6, "the last of 3 matrices exceeds its slice"},
		{m(2, 2, 12), m(2, 3, 18), m(3, 2, 6), 4, 6, 1, "the last of 3 matrices exceeds its slice"},
		{m(2, 2, 12), m(2, 3, 18), m(3, 2, 18), 4, -1, 6, "the last of 3 matrices exceeds its slice"},
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var misuse *GemmError
				if !errors.As(err, &misuse) || !strings.Contains(err.Error(), c.text) {
					t.Errorf("panic %v, want %q", err, c.text)
				}
			}()
			MatMulSeries(3, c.c, c.cStep, c.a, c.aStep, c.b, c.bStep, Epilogue[float32]{})
		}()
	}
}
