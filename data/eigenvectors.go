// Eigenvectors of normalised Laplacians of connected graphs.

package data

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

const (
	denseVertices   = 256    // components of so many vertices are solved as dense matrices
	productsAtMost  = 10_000 // of the matrix with a block of vectors
	amplifyAtMost   = 1e7    // what a filter does to the largest eigenvalue found; more would hide others behind rounding
	overflowAtMost  = 1e100  // what it does to 1, whatever is found yet
	smallestDamping = -0.5   // the upper end of the range that a filter damps is at least this
)

// eigenvectors returns the k smallest eigenvalues of I - m, ascending, and their unit
// vectors, but the smallest, whose vector is kernel. m is symmetric with eigenvalues in [-1, 1].
func eigenvectors(m *tensor.Sparse, kernel []float64, k int) (values []float64, vectors [][]float64, err error) {
	n := len(kernel)
	if n <= denseVertices || 3*k >= n {
		values, vectors = denseEigenvectors(m, k)
		return values, vectors, nil
	}
	return filteredEigenvectors(m, kernel, k, productsAtMost)
}

// denseEigenvectors is eigenvectors by gonum. O(n^3).
func denseEigenvectors(m *tensor.Sparse, k int) (values []float64, vectors [][]float64) {
	n, _ := m.Dims()
	laplacian := mat.NewSymDense(n, nil)
	entries := m.Values().Float64s()
	for u := range n {
		laplacian.SetSym(u, u, 1)
	}
	for u := range n {
		for e := m.Indptr()[u]; e < m.Indptr()[u+1]; e++ {
			if v := int(m.Indices()[e]); v > u { // the other half is the same
				laplacian.SetSym(u, v, laplacian.At(u, v)-entries[e])
			}
		}
	}
	all, q := symmetricEigen(laplacian)
	for j := 1; j <= k; j++ {
		values = append(values, all[j])
		vectors = append(vectors, mat.Col(nil, j, q))
	}
	return values, vectors
}

// symmetricEigen returns the eigenvalues, ascending, and the vectors as columns.
func symmetricEigen(a mat.Symmetric) ([]float64, *mat.Dense) {
	var eigen mat.EigenSym
	if !eigen.Factorize(a, true) {
		panic("BUG: data: the eigenvalues of a symmetric matrix are not found")
	}
	var q mat.Dense
	eigen.VectorsTo(&q)
	return eigen.Values(nil), &q
}

// filteredEigenvectors is eigenvectors by iteration of a subspace: the eigenvalues of m below
// those of the block are damped by a Chebyshev polynomial, and the best vectors of the
// subspace are taken (Zhou, Saad, Tiago and Chelikowsky 2006). A block finds eigenvalues that
// occur several times, too; if they fill it, those of the block itself are no bound for what is
// damped, and a margin takes the bound down until residuals shrink.
func filteredEigenvectors(m *tensor.Sparse, kernel []float64, k, products int) (values []float64, vectors [][]float64, err error) {
	n := len(kernel)
	p := min(2*k+8, n-1)
	x := make([]float64, n*p)
	for i := range x {
		x[i] = rng.Normal(1, uint64(i))
	}
	margin, last := 0.0, math.Inf(1)
	for used := 0; ; {
		orthonormalize(x, kernel, p)
		theta, residuals := ritz(m, x, p)
		used++
		found, worst := 0, 0.0
		for j := range k {
			if residuals[j] <= max(1e-14, min(1e-12, 1e-6*(1-theta[j]))) {
				found++
			} else {
				worst = max(worst, residuals[j])
			}
		}
		if found == k {
			for j := range k {
				vector := make([]float64, n)
				for i := range vector {
					vector[i] = x[i*p+j]
				}
				values, vectors = append(values, 1-theta[j]), append(vectors, vector)
			}
			return values, vectors, nil
		}
		if worst > last/2 {
			margin = max(2*margin, (1-theta[k-1])/10)
		}
		last = worst
		// The filter damps [-1, top].
		top := max(min(theta[p-1], theta[k-1]-margin), smallestDamping)
		degree := min(max(min(degreeFor(amplifyAtMost, theta[0], top), degreeFor(overflowAtMost, 1, top)), 2), 1000)
		if used += degree; used > products {
			return nil, nil, &ConvergenceError{Vertices: n, Found: found, Wanted: k, Residual: worst}
		}
		x = filter(m, x, kernel, p, degree, top)
	}
}

// degreeFor returns the degree of the filter that amplifies an eigenvalue so much, 1000 if
// none or a higher one does.
func degreeFor(amplify, value, top float64) int {
	growth := math.Acosh(max(1, (2*value+1-top)/(1+top))) // with every degree, as an exponent
	return int(min(math.Acosh(amplify)/growth, 1000))
}

// filter returns T(m) x with the Chebyshev polynomial of a degree of at least 1 that is
// within [-1, 1] on [-1, top]. x is orthogonal to the kernel, whose eigenvalue would grow most:
// what rounding adds of it is taken away with every product.
func filter(m *tensor.Sparse, x, kernel []float64, p, degree int, top float64) []float64 {
	center, radius := (top-1)/2, (top+1)/2
	var before []float64
	for i := range degree {
		factor := 2 / radius
		if i == 0 {
			factor = 1 / radius
		}
		next := product(m, x, p)
		for j := range next {
			next[j] = factor * (next[j] - center*x[j])
			if i > 0 {
				next[j] -= before[j]
			}
		}
		project(next, kernel, p)
		before, x = x, next
	}
	return x
}

// product returns m x for p columns.
func product(m *tensor.Sparse, x []float64, p int) []float64 {
	return tensor.Data[float64](tensor.SparseMatMul(m, tensor.FromSlice(x, len(x)/p, p), false))
}

// project makes the p columns of x orthogonal to a unit vector.
func project(x, kernel []float64, p int) {
	dots := make([]float64, p)
	for i, q := range kernel {
		for j, v := range x[i*p : (i+1)*p] {
			dots[j] += q * v
		}
	}
	for i, q := range kernel {
		for j, dot := range dots {
			x[i*p+j] -= q * dot
		}
	}
}

// orthonormalize makes the p columns of x orthonormal and orthogonal to a unit vector.
func orthonormalize(x, kernel []float64, p int) {
	project(x, kernel, p)
	a := blas64.General{Rows: len(kernel), Cols: p, Stride: p, Data: x}
	tau := make([]float64, p)
	work := make([]float64, 1)
	lapack64.Geqrf(a, tau, work, -1)
	work = make([]float64, int(work[0]))
	lapack64.Geqrf(a, tau, work, len(work))
	work = append(work[:0], make([]float64, p*64)...)
	lapack64.Orgqr(a, tau, work, len(work))
}

// ritz turns the orthonormal columns of x into the best eigenvectors in their span, the
// largest eigenvalues first, and returns these and the norms of m x - x theta.
func ritz(m *tensor.Sparse, x []float64, p int) (theta, residuals []float64) {
	n := len(x) / p
	xs := tensor.FromSlice(x, n, p)
	mx := tensor.SparseMatMul(m, xs, false)
	h := tensor.MatMul(xs.Transpose(), mx).Float64s()
	small := mat.NewSymDense(p, nil)
	for i := range p {
		for j := i; j < p; j++ {
			small.SetSym(i, j, (h[i*p+j]+h[j*p+i])/2)
		}
	}
	theta, q := symmetricEigen(small)
	slices.Reverse(theta)
	turn := make([]float64, p*p)
	for i := range p {
		for j := range p {
			turn[i*p+j] = q.At(i, p-1-j)
		}
	}
	turned := tensor.FromSlice(turn, p, p)
	best := tensor.MatMul(xs, turned).Float64s()
	images := tensor.MatMul(mx, turned).Float64s()
	residuals = make([]float64, p)
	for i := range n {
		for j := range p {
			r := images[i*p+j] - theta[j]*best[i*p+j]
			residuals[j] += r * r
		}
	}
	for j, r := range residuals {
		residuals[j] = math.Sqrt(r)
	}
	copy(x, best)
	return theta, residuals
}
