// Positional encodings of vertices by eigenvectors of the Laplacian.

package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/internal/rng"
	"github.com/asterias-ml/asterias/tensor"
)

// LaplacianEncoding returns, float32 [vertices k], the unit eigenvectors of the smallest
// eigenvalues of I - D^-1/2 A D^-1/2 but the first, ascending: the encoding of Dwivedi et al.
// (2020), PyG's AddLaplacianEigenvectorPE. Self-loops do not count, parallel edges do, and a
// vertex without edges has the eigenvalue 1. Eigenvalues that occur several times, 0 in a graph
// of several components among them, have vectors of a basis of their own; here each but those of
// 0 is of one component. Columns beyond the vertices are 0. Signs are chosen so that the first of
// the largest entries is positive; [Features.FlipSigns] draws them.
//
// Components of up to 256 vertices, and those of which a third of the eigenvectors is wanted, are
// solved as dense matrices, larger ones by iteration: blocks of vectors, filtered by Chebyshev
// polynomials (Zhou et al. 2006), until residuals are at most 1e-12 and a millionth of the
// eigenvalue, or 1e-14. The error wraps a *[ConvergenceError] if 10,000 products with the matrix
// do not suffice, as for a path of 20,000 vertices. A product takes O(k * (V + E)), and hundreds
// are common: one vector of a random graph of 200,000 vertices and 4,000,000 edges takes minutes.
// It panics with *[Error] unless k is positive and every edge comes both ways, parallel ones as
// often, and with a *graph.BipartiteError on a bipartite graph.
func LaplacianEncoding(g *graph.Graph, k int) (Features, error) {
	const op = "LaplacianEncoding"
	values, err := laplacianVectors(op, g, k)
	if err != nil {
		return Features{}, fmt.Errorf("data: %s: %w", op, err)
	}
	return denseColumns(values, g.NumVertices(), k), nil
}

// A ConvergenceError reports eigenvectors that iteration has not found.
type ConvergenceError struct {
	Vertices      int     // of the component
	Found, Wanted int     // eigenvectors
	Residual      float64 // the largest of those that are not found
}

func (e *ConvergenceError) Error() string {
	return fmt.Sprintf("%d of %d eigenvectors of a component of %d vertices have converged, the largest residual is %.1e", e.Found, e.Wanted, e.Vertices, e.Residual)
}

// eigenpair is an eigenvalue of the Laplacian with its vector over a component.
type eigenpair struct {
	value    float64
	vector   []float64
	vertices []int32
}

// laplacianVectors is LaplacianEncoding, row by row.
func laplacianVectors(op string, g *graph.Graph, k int) ([]float64, error) {
	needHomogeneous(op, g)
	if k < 1 || k >= maxColumns {
		misuse(op, "%d eigenvectors, want 1 to %d", k, maxColumns-1)
	}
	wantSymmetric(op, g)
	components, local := componentsOf(g)
	degrees := slices.Clone(g.OutDegrees())
	for e, u := range g.Src() {
		if u == g.Dst()[e] {
			degrees[u]--
		}
	}
	zeros := 0 // components with edges, each of which has the eigenvalue 0 once
	for _, vertices := range components {
		if len(vertices) > 1 {
			zeros++
		}
	}
	var pairs []eigenpair
	for _, vertices := range components {
		if len(vertices) == 1 {
			pairs = append(pairs, eigenpair{1, []float64{1}, vertices})
			continue
		}
		want := min(k+1-zeros, len(vertices)-1)
		if want <= 0 {
			continue
		}
		adjacency := matrixOf(g, vertices, local, func(u, v int32) float64 {
			if u == v {
				return 0
			}
			return 1 / math.Sqrt(float64(degrees[u])*float64(degrees[v]))
		})
		values, vectors, err := eigenvectors(adjacency, kernelOf(vertices, degrees), want)
		if err != nil {
			return nil, err
		}
		for i, value := range values {
			pairs = append(pairs, eigenpair{value, vectors[i], vertices})
		}
	}
	// What rounding tells apart stays in the order of components.
	const digits = 1e12
	slices.SortStableFunc(pairs, func(a, b eigenpair) int {
		return cmp.Compare(math.Round(a.value*digits), math.Round(b.value*digits))
	})

	out := make([]float64, g.NumVertices()*k)
	column := kernelColumns(out, components, degrees, k)
	if zeros == 0 && len(pairs) > 0 {
		pairs = pairs[1:] // PyG leaves out the first, whatever its eigenvalue
	}
	for _, p := range pairs[:min(len(pairs), k-column)] {
		for i, v := range p.vertices {
			out[int(v)*k+column] = p.vector[i]
		}
		column++
	}
	turnSigns(out, k)
	return out, nil
}

// wantSymmetric panics unless there are as many edges from u to v as from v to u.
func wantSymmetric(op string, g *graph.Graph) {
	balance := make([]int32, g.NumVertices()) // edges to each neighbour less those from it
	for u := range int32(g.NumVertices()) {
		to, _ := g.Out().Row(int(u))
		from, _ := g.In().Row(int(u))
		for _, v := range to {
			balance[v]++
		}
		for _, v := range from {
			balance[v]--
		}
		for _, vs := range [][]int32{to, from} {
			for _, v := range vs {
				if balance[v] != 0 {
					misuse(op, "there are other numbers of edges from %d to %d and back: graph.Graph.Simplify and Symmetrize make a graph undirected", min(u, v), max(u, v))
				}
			}
		}
	}
}

// kernelOf returns the unit eigenvector of the eigenvalue 0 of a component with edges,
// D^1/2 1.
func kernelOf(vertices, degrees []int32) []float64 {
	var sum float64
	for _, v := range vertices {
		sum += float64(degrees[v])
	}
	kernel := make([]float64, len(vertices))
	for i, v := range vertices {
		kernel[i] = math.Sqrt(float64(degrees[v]) / sum)
	}
	return kernel
}

// kernelColumns writes an orthonormal basis of the eigenvectors of the eigenvalue 0 but the
// trivial one, D^1/2 1 over all components, into the columns of out, at most k, and returns
// how many there are: of the reflection that takes the first component's vector to the
// trivial one, the images of the other components' vectors.
func kernelColumns(out []float64, components [][]int32, degrees []int32, k int) int {
	var joined [][]int32 // the components with edges
	var w []float64      // the trivial vector in the basis of theirs, then the reflection's
	var total float64
	for _, vertices := range components {
		if len(vertices) == 1 {
			continue
		}
		var sum float64
		for _, v := range vertices {
			sum += float64(degrees[v])
		}
		joined, w, total = append(joined, vertices), append(w, math.Sqrt(sum)), total+sum
	}
	if len(w) < 2 {
		return 0
	}
	for i := range w {
		w[i] /= math.Sqrt(total)
	}
	w[0]++
	square := 2 * w[0] // the sum of the squares of w
	n := min(k, len(joined)-1)
	for i, vertices := range joined {
		kernel := kernelOf(vertices, degrees)
		for c := range n {
			factor := -2 * w[c+1] * w[i] / square
			if c+1 == i {
				factor++
			}
			for j, v := range vertices {
				out[int(v)*k+c] = factor * kernel[j]
			}
		}
	}
	return n
}

// turnSigns makes the first of the largest entries of every column positive; entries that
// rounding may tell apart are as large.
func turnSigns(rows []float64, cols int) {
	for c := range cols {
		var largest float64
		for i := c; i < len(rows); i += cols {
			largest = max(largest, math.Abs(rows[i]))
		}
		sign := 0.0
		for i := c; i < len(rows); i += cols {
			if sign == 0 && math.Abs(rows[i]) >= largest*(1-1e-6) {
				sign = math.Copysign(1, rows[i])
			}
		}
		for i := c; i < len(rows); i += cols {
			rows[i] *= sign
		}
	}
}

// FlipSigns returns the features with every column negated with probability 1/2: the signs of
// eigenvectors mean nothing, and a model that gets others in every step does not learn them
// (Dwivedi et al. 2020). The result depends on the features and the seed alone.
func (f Features) FlipSigns(seed uint64) Features {
	stream := rng.Fold(seed, streamSigns)
	sign := func(c int) float64 { return 1 - 2*math.Floor(2*rng.Uniform(stream, uint64(c))) }
	switch {
	case f.sparse != nil:
		values := f.sparse.Values()
		signs := make([]float64, f.sparse.NNZ())
		for i, c := range f.sparse.Indices() {
			signs[i] = sign(int(c))
		}
		return SparseFeatures(f.sparse.WithValues(tensor.Mul(values, signsLike(signs, values))))
	case f.dense != nil:
		signs := make([]float64, f.Cols())
		for c := range signs {
			signs[c] = sign(c)
		}
		return DenseFeatures(tensor.Mul(f.dense, signsLike(signs, f.dense)))
	}
	return f
}

// signsLike is factors of the element type of x, beside it.
func signsLike(signs []float64, x *tensor.Tensor) *tensor.Tensor {
	return tensor.FromSlice(signs, len(signs)).To(x.DType()).ToDevice(x.Device())
}
