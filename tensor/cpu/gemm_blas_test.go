// Tests of the choice of what multiplies.

package cpu

import (
	"math/rand/v2"
	"testing"

	"github.com/asterias-ml/asterias/tensor/kern"
)

// withLibrary registers a naive BLAS for a test and returns how often it is called.
func withLibrary(t *testing.T) *int {
	old32, old64 := state32.library.Load(), state64.library.Load()
	t.Cleanup(func() {
		state32.library.Store(old32)
		state64.library.Store(old64)
	})
	calls := new(int)
	RegisterBLAS("naive 1.0", naiveBLAS[float32](calls), naiveBLAS[float64](calls))
	return calls
}

func naiveBLAS[T kern.Float](calls *int) GemmFunc[T] {
	return func(_ int, transA, transB bool, m, n, k int, a []T, lda int, b []T, ldb int, beta T, c []T, ldc int) {
		*calls++
		aRow, aDepth, bDepth, bCol := lda, 1, ldb, 1
		if transA {
			aRow, aDepth = 1, lda
		}
		if transB {
			bDepth, bCol = 1, ldb
		}
		for i := range m {
			for j := range n {
				var sum T
				for p := range k {
					sum += a[i*aRow+p*aDepth] * b[p*bDepth+j*bCol]
				}
				if beta != 0 { // NaN times 0 would stay
					sum += beta * c[i*ldc+j]
				}
				c[i*ldc+j] = sum
			}
		}
	}
}

func TestBLASNamesTheKernel(t *testing.T) {
	if got, want := BLAS(), "asterias "+kern.GemmKernels[float32]()[0].Name; got != want {
		t.Errorf("BLAS() is %q, want %q", got, want)
	}
}

func TestMatMulUsesARegisteredLibraryWhereItCan(t *testing.T) {
	calls := withLibrary(t)
	if got := BLAS(); got != "naive 1.0" {
		t.Errorf("BLAS() is %q", got)
	}
	r := rand.New(rand.NewPCG(1, 1))
	const m, n, k = 33, 34, 35
	for la := range layouts {
		for lb := range layouts {
			*calls = 0
			checkMatMul(t, r, m, n, k, la, lb, randomEpilogue[float32](r, n), 2)
			checkMatMul(t, r, m, n, k, la, lb, randomEpilogue[float64](r, n), 0)
			can := la < scattered && lb < scattered
			if can && *calls == 0 || !can && *calls > 0 {
				t.Errorf("layouts %d and %d: %d calls of the library", la, lb, *calls)
			}
		}
	}
}

func TestMatMulKeepsTinyProductsFromTheLibrary(t *testing.T) {
	calls := withLibrary(t)
	r := rand.New(rand.NewPCG(2, 2))
	checkMatMul(t, r, 2, 3, 4, rowMajor, rowMajor, Epilogue[float32]{}, 0)
	if *calls != 0 {
		t.Errorf("%d calls of the library", *calls)
	}
}
