// OpenBLAS, or another library of its interface, in this process.

package main

import (
	"time"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/tensor/openblas/cblas"
)

// openBLAS loads the library at a path, or the first of the usual ones.
func openBLAS(path string) (*cblas.Library, error) {
	l, err := cblas.Open(path)
	if err != nil {
		return nil, &harness.NotInstalled{Reason: err.Error()}
	}
	return l, nil
}

// openBLASSpin is how long OpenBLAS's threads look for work, measured: 2²⁸ ticks of the
// processor's clock. Meanwhile Linux runs both of another library's threads on one core.
const openBLASSpin = 150 * time.Millisecond

// openBLAS is the product under the library that the bench has loaded.
func (p product) openBLAS(b *bench) (harness.Contender, error) {
	if b.blasErr != nil {
		return harness.Contender{}, b.blasErr
	}
	b.blas.SetThreads(b.threads)
	lda, ldb := p.strides()
	c, err := p.entry(func(c []float32) {
		b.blas.Sgemm(p.transA, p.transB, p.m, p.n, p.k, 1, p.a, lda, p.b, ldb, 0, c, p.n)
	})
	if b.threads > 1 {
		c.Spin = openBLASSpin
	}
	return c, err
}
