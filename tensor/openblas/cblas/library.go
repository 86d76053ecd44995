// A loaded BLAS library: its products, its name, its threads.

package cblas

import (
	"errors"
	"fmt"
	"math"
	"runtime"
)

// Library is a loaded BLAS. Its methods may be called from several goroutines.
type Library struct {
	path, version string
	setThreads    func(n int)

	sgemm func(order, transA, transB, m, n, k int32, alpha float32, a *float32, lda int32, b *float32, ldb int32, beta float32, c *float32, ldc int32)
	dgemm func(order, transA, transB, m, n, k int32, alpha float64, a *float64, lda int32, b *float64, ldb int32, beta float64, c *float64, ldc int32)
}

// The constants of cblas.h.
const (
	rowMajor = 101
	noTrans  = 111
	trans    = 112
)

// Open loads the library at a path, or the first one with that name where the
// system looks for libraries. An empty path tries the usual names of OpenBLAS,
// MKL and BLIS in this order. A library stays loaded until the process ends.
func Open(path string) (*Library, error) {
	if path != "" {
		return open(path)
	}
	var errs []error
	for _, name := range usualNames[runtime.GOOS] {
		l, err := open(name)
		if err == nil {
			return l, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("cblas: no BLAS library found: %w", errors.Join(errs...))
}

var usualNames = map[string][]string{
	"linux":   {"libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libmkl_rt.so", "libblis.so.4", "libblis.so"},
	"darwin":  {"libopenblas.dylib", "/opt/homebrew/opt/openblas/lib/libopenblas.dylib", "/usr/local/opt/openblas/lib/libopenblas.dylib", "libmkl_rt.dylib", "libblis.dylib"},
	"windows": {"libopenblas.dll", "openblas.dll", "mkl_rt.2.dll", "mkl_rt.dll", "libblis.dll"},
}

// Path returns the path that the library was opened with.
func (l *Library) Path() string { return l.path }

// Version returns the library's name, version and kernels, e.g.
// "openblas 0.3.21 (SkylakeX)".
func (l *Library) Version() string { return l.version }

// SetThreads sets how many threads a product may use, if the library can be told.
func (l *Library) SetThreads(n int) { l.setThreads(max(n, 1)) }

// Sgemm computes C = alpha·op(A)·op(B) + beta·C, where op transposes if asked. C
// is m×n, op(A) m×k and op(B) k×n; all are row-major with lda, ldb and ldc
// elements from a row of what is stored to the next. It panics with a
// [*SizeError] if a slice is too short for that.
func (l *Library) Sgemm(transA, transB bool, m, n, k int, alpha float32, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
	if !check(transA, transB, m, n, k, len(a), lda, len(b), ldb, len(c), ldc) {
		return
	}
	l.sgemm(rowMajor, op(transA), op(transB), int32(m), int32(n), int32(k), alpha, first(a), int32(lda), first(b), int32(ldb), beta, &c[0], int32(ldc))
}

// Dgemm is [Library.Sgemm] for float64.
func (l *Library) Dgemm(transA, transB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
	if !check(transA, transB, m, n, k, len(a), lda, len(b), ldb, len(c), ldc) {
		return
	}
	l.dgemm(rowMajor, op(transA), op(transB), int32(m), int32(n), int32(k), alpha, first(a), int32(lda), first(b), int32(ldb), beta, &c[0], int32(ldc))
}

func op(transposed bool) int32 {
	if transposed {
		return trans
	}
	return noTrans
}

// first returns the address of x's first element, nil if there is none.
func first[T any](x []T) *T {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// SizeError is the panic of a product whose matrices do not fit their slices or
// a 32-bit dimension.
type SizeError struct {
	Matrix                string // "A", "B" or "C"
	Rows, Cols, Lead, Len int    // as stored: size, leading dimension and slice length
}

// Error returns e.g. "cblas: gemm: A is 3x4 with leading dimension 2 in 7 elements".
func (e *SizeError) Error() string {
	return fmt.Sprintf("cblas: gemm: %s is %dx%d with leading dimension %d in %d elements", e.Matrix, e.Rows, e.Cols, e.Lead, e.Len)
}

// Misuse marks the error as the caller's mistake.
func (e *SizeError) Misuse() {}

// check panics unless the matrices lie within their slices, and reports whether
// C has any element.
func check(transA, transB bool, m, n, k, lenA, lda, lenB, ldb, lenC, ldc int) bool {
	stored := func(transposed bool, rows, cols int) (int, int) {
		if transposed {
			return cols, rows
		}
		return rows, cols
	}
	rowsA, colsA := stored(transA, m, k)
	rowsB, colsB := stored(transB, k, n)
	for _, e := range [...]SizeError{{"A", rowsA, colsA, lda, lenA}, {"B", rowsB, colsB, ldb, lenB}, {"C", m, n, ldc, lenC}} {
		tooLarge := max(e.Rows, e.Cols, e.Lead) > math.MaxInt32
		if e.Rows < 0 || e.Cols < 0 || e.Lead < max(e.Cols, 1) || tooLarge || e.Rows > 0 && e.Cols > 0 && (e.Rows-1)*e.Lead+e.Cols > e.Len {
			panic(&SizeError{e.Matrix, e.Rows, e.Cols, e.Lead, e.Len})
		}
	}
	return m > 0 && n > 0
}
