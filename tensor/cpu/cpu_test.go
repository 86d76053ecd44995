// Tests of the parallel loop, the matrix product and the Gorgonia engine.

package cpu

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	gt "gorgonia.org/tensor"
	// gorgonia.org/tensor does not start under this Go release without it.
	_ "go4.org/unsafe/assume-no-moving-gc"

	"github.com/asterias-ml/asterias/tensor/kern"
)

func withThreads(t *testing.T, n int) {
	old := int(threads.Load())
	SetThreads(n)
	t.Cleanup(func() { SetThreads(old) })
}

func TestThreadsDefaultsToGOMAXPROCS(t *testing.T) {
	withThreads(t, 3)
	if got := Threads(); got != 3 {
		t.Errorf("Threads() is %d after SetThreads(3)", got)
	}
	SetThreads(0)
	if got := Threads(); got != runtime.GOMAXPROCS(0) {
		t.Errorf("Threads() is %d by default, want %d", got, runtime.GOMAXPROCS(0))
	}
	SetThreads(-5)
	if got := Threads(); got != runtime.GOMAXPROCS(0) {
		t.Errorf("Threads() is %d after SetThreads(-5), want %d", got, runtime.GOMAXPROCS(0))
	}
}

func TestParallelForCoversEveryIterationOnceInTheSameRanges(t *testing.T) {
	for _, c := range []struct{ n, grain int }{{0, 1}, {-3, 1}, {1, 1}, {1, 100}, {7, 0}, {100, 7}, {101, 10}, {1000, 1}} {
		var want [][2]int
		for lo := 0; lo < c.n; lo += max(c.grain, 1) {
			want = append(want, [2]int{lo, min(lo+max(c.grain, 1), c.n)})
		}
		for _, workers := range []int{1, 2, 5} {
			withThreads(t, workers)
			got := make([][2]int, len(want))
			var calls atomic.Int32
			ParallelFor(c.n, c.grain, func(lo, hi int) {
				calls.Add(1)
				got[lo/max(c.grain, 1)] = [2]int{lo, hi}
			})
			if int(calls.Load()) != len(want) || !slices.Equal(got, want) {
				t.Errorf("n=%d grain=%d threads=%d: %d calls with ranges %v, want %v", c.n, c.grain, workers, calls.Load(), got, want)
			}
		}
	}
}

func TestParallelForNests(t *testing.T) {
	withThreads(t, 3)
	var sum atomic.Int64
	ParallelFor(10, 1, func(lo, hi int) {
		ParallelFor(10, 1, func(lo2, hi2 int) { sum.Add(int64(lo*10 + lo2)) })
	})
	if sum.Load() != 99*100/2 {
		t.Errorf("sum of 0..99 is %d", sum.Load())
	}
}

func TestParallelForHandsPanicsToItsCaller(t *testing.T) {
	for _, workers := range []int{1, 4} {
		withThreads(t, workers)
		func() {
			defer func() {
				if v := recover(); v != "seven" {
					t.Errorf("threads=%d: recovered %v", workers, v)
				}
			}()
			ParallelFor(100, 1, func(lo, hi int) {
				if lo == 7 {
					panic("seven")
				}
			})
			t.Errorf("threads=%d: no panic", workers)
		}()
	}
}

func random[T kern.Float](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.NormFloat64())
	}
	return x
}

func fillWith[T any](x []T, v T) {
	for i := range x {
		x[i] = v
	}
}

func TestTransposeSwapsIndices(t *testing.T) {
	for _, d := range [][2]int{{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 40}, {40, 1}, {16, 16}, {17, 33}, {700, 5}} {
		rows, cols := d[0], d[1]
		src, dst := make([]int, rows*cols), make([]int, rows*cols)
		for i := range src {
			src[i] = i
		}
		Transpose(dst, src, rows, cols)
		for i := range rows {
			for j := range cols {
				if dst[j*rows+i] != src[i*cols+j] {
					t.Fatalf("%dx%d: [%d %d] is %d", rows, cols, j, i, dst[j*rows+i])
				}
			}
		}
	}
}

// dense returns a Gorgonia matrix on our engine.
func dense[T kern.Float](data []T, rows, cols int) *gt.Dense {
	return gt.New(gt.WithShape(rows, cols), gt.WithBacking(data), gt.WithEngine(Engine{}))
}

// TestGorgoniaMatMulRunsOnOurs tells the two engines apart by 0·NaN, which
// gonum's product under the standard engine drops.
func TestGorgoniaMatMulRunsOnOurs(t *testing.T) {
	nan := float32(math.NaN())
	product := func(e gt.Engine) float32 {
		a := gt.New(gt.WithShape(2, 2), gt.WithBacking(make([]float32, 4)), gt.WithEngine(e))
		b := gt.New(gt.WithShape(2, 2), gt.WithBacking([]float32{nan, nan, nan, nan}), gt.WithEngine(e))
		c, err := gt.MatMul(a, b)
		if err != nil {
			t.Fatal(err)
		}
		return c.(*gt.Dense).Float32s()[0]
	}
	if got := product(Engine{}); got == got {
		t.Errorf("0·NaN is %v: the product did not run on our engine", got)
	}
	if got := product(gt.StdEng{}); got != 0 {
		t.Errorf("0·NaN is %v on the standard engine: this test no longer tells the engines apart", got)
	}
}

func TestGorgoniaMatMulTakesLazyTransposes(t *testing.T) {
	t.Run("float32", func(t *testing.T) { testEngine[float32](t, (*gt.Dense).Float32s) })
	t.Run("float64", func(t *testing.T) { testEngine[float64](t, (*gt.Dense).Float64s) })
}

func testEngine[T kern.Float](t *testing.T, data func(*gt.Dense) []T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, d := range [][3]int{{2, 3, 4}, {5, 5, 5}, {1, 4, 3}, {4, 1, 3}, {4, 3, 1}, {70, 66, 130}} {
		m, n, k := d[0], d[1], d[2]
		for trans := range 4 {
			transA, transB := trans&1 != 0, trans&2 != 0
			what := fmt.Sprintf("%dx%dx%d trans %v %v", m, n, k, transA, transB)
			av, bv := random[T](r, m*k), random[T](r, k*n)
			a, b := dense(av, m, k), dense(bv, k, n)
			if transA {
				a = dense(av, k, m)
				a.T()
			}
			if transB {
				b = dense(bv, n, k)
				b.T()
			}
			got, err := gt.MatMul(a, b)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			want := make([]T, m*n)
			MatMul(RowMajor(want, m, n), asStored(av, m, k, transA), asStored(bv, k, n, transB), Epilogue[T]{})
			if g := data(got.(*gt.Dense)); !slices.Equal(g, want) {
				t.Errorf("%s: Gorgonia's product differs from MatMul: %v, want %v", what, g, want)
			}
			if _, ok := got.Engine().(Engine); !ok {
				t.Errorf("%s: the result is on %T", what, got.Engine())
			}
		}
	}
}

func TestEngineLeavesTheRestToGorgonia(t *testing.T) {
	// A view: the left two columns of a 2x3 matrix.
	a := dense([]float64{1, 2, 3, 4, 5, 6}, 2, 3)
	view, err := a.Slice(nil, gt.S(0, 2))
	if err != nil {
		t.Fatal(err)
	}
	b := dense([]float64{1, 0, 0, 1}, 2, 2)
	got, err := gt.MatMul(gt.Materialize(view), b)
	if err != nil {
		t.Fatal(err)
	}
	if g := got.(*gt.Dense).Float64s(); !slices.Equal(g, []float64{1, 2, 4, 5}) {
		t.Errorf("view times identity is %v", g)
	}
	if err := (Engine{}).MatMul(dense(make([]float64, 6), 2, 3), dense(make([]float64, 8), 4, 2), dense(make([]float64, 4), 2, 2)); err == nil {
		t.Error("inner dimensions 3 and 4: no error")
	}
	sum, err := gt.Add(a, a)
	if err != nil {
		t.Fatal(err)
	}
	if g := sum.(*gt.Dense).Float64s(); !slices.Equal(g, []float64{2, 4, 6, 8, 10, 12}) {
		t.Errorf("a + a is %v", g)
	}
}
