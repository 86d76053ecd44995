// Package openblas makes matrix products run on a BLAS library, if this machine
// has one. It is imported for its effect:
//
//	import _ "github.com/asterias-ml/asterias/tensor/openblas"
//
// When the program starts, the first of OpenBLAS, MKL and BLIS that the system
// finds is loaded, without cgo, and [cpu.MatMul] uses it for all but tiny products.
// Without a library nothing changes. [cpu.BLAS] says what multiplies, [Err] why
// it is not a library.
//
// The default kernels need no library and are faster on most shapes of graph
// networks; measure before importing this package. With a library the bits of a
// product may depend on the number of threads and on the library's version, and
// the program needs the system's dynamic loader.
package openblas

import (
	"sync/atomic"

	"github.com/asterias-ml/asterias/tensor/cpu"
	"github.com/asterias-ml/asterias/tensor/openblas/cblas"
)

var library, failure = cblas.Open("")

func init() {
	if failure == nil {
		register(library)
	}
}

// Err returns why no library is used, nil if one is.
func Err() error { return failure }

// Version names the library that is used, e.g. "openblas 0.3.21 (SkylakeX)", or is
// empty if none is.
func Version() string {
	if failure != nil {
		return ""
	}
	return library.Version()
}

// register makes package cpu use a library, with as many threads as it uses itself.
func register(l *cblas.Library) {
	var last atomic.Int64
	setThreads := func(n int) {
		if last.Swap(int64(n)) != int64(n) {
			l.SetThreads(n)
		}
	}
	cpu.RegisterBLAS(l.Version(),
		func(threads int, transA, transB bool, m, n, k int, a []float32, lda int, b []float32, ldb int, beta float32, c []float32, ldc int) {
			setThreads(threads)
			l.Sgemm(transA, transB, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
		},
		func(threads int, transA, transB bool, m, n, k int, a []float64, lda int, b []float64, ldb int, beta float64, c []float64, ldc int) {
			setThreads(threads)
			l.Dgemm(transA, transB, m, n, k, 1, a, lda, b, ldb, beta, c, ldc)
		})
}
