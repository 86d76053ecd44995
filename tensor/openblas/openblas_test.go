// Tests of the registration, with or without a library on this machine.

package openblas

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/tensor/cpu"
)

func TestImportRegistersTheLibraryOrSaysWhyNot(t *testing.T) {
	if Err() != nil {
		if Version() != "" || !strings.HasPrefix(cpu.BLAS(), "asterias ") {
			t.Errorf("no library (%v), but version %q and BLAS %q", Err(), Version(), cpu.BLAS())
		}
		return
	}
	if Version() == "" || cpu.BLAS() != Version() {
		t.Errorf("version %q, BLAS %q", Version(), cpu.BLAS())
	}
}

// TestMatMulIsRightOnTheLibrary covers a result within a larger matrix, transposed
// operands and the epilogue, for several numbers of threads.
func TestMatMulIsRightOnTheLibrary(t *testing.T) {
	if Err() != nil {
		t.Skip(Err())
	}
	t.Cleanup(func() { cpu.SetThreads(0) })
	r := rand.New(rand.NewPCG(1, 1))
	const m, n, k, stride = 40, 50, 60, 53
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = r.NormFloat64()
		}
		return x
	}
	for trans := range 4 {
		a, b := cpu.RowMajor(random(m*k), m, k), cpu.RowMajor(random(k*n), k, n)
		if trans&1 != 0 {
			a = cpu.RowMajor(a.Data, k, m).T()
		}
		if trans&2 != 0 {
			b = cpu.RowMajor(b.Data, n, k).T()
		}
		bias, old := random(n), random(m*stride)
		for _, threads := range []int{1, 2} {
			cpu.SetThreads(threads)
			c := append([]float64(nil), old...)
			cpu.MatMul(cpu.Matrix[float64]{Data: c, Rows: m, Cols: n, RowStride: stride, ColStride: 1}, a, b,
				cpu.Epilogue[float64]{Accumulate: true, Bias: bias, ReLU: true})
			for i := range m {
				for j := range stride {
					want := old[i*stride+j]
					if j < n {
						want += bias[j]
						for p := range k {
							want += a.Data[i*a.RowStride+p*a.ColStride] * b.Data[p*b.RowStride+j*b.ColStride]
						}
						want = max(want, 0)
					}
					if got := c[i*stride+j]; math.Abs(got-want) > 1e-12 {
						t.Fatalf("trans %d, %d threads: [%d %d] is %v, want %v", trans, threads, i, j, got, want)
					}
				}
			}
		}
	}
}
