// Positional encodings of vertices by random walks.

package data

import (
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// RandomWalkEncoding returns, float32, the probabilities of a random walk from each vertex
// to be back there after 1, 2 to steps steps: the diagonals of the powers of D^-1 A, [vertices
// steps], of Dwivedi et al. (ICLR 2022), PyG's AddRandomWalkPE. Walks take edges from source to
// destination, each of those that leave a vertex, parallel ones too, with the same probability;
// at a vertex that none leaves they end. (Of graphs up to 2000 vertices PyG counts parallel edges
// in D but not in A.) No n by n matrix is made: blocks of columns are multiplied by the sparse
// one, component by component. It panics with *[Error] unless steps is positive, and with a
// *graph.BipartiteError on a bipartite graph. O(steps * (V + E) * V) in a connected graph.
func RandomWalkEncoding(g *graph.Graph, steps int) Features {
	const op = "RandomWalkEncoding"
	return denseColumns(randomWalks(op, g, steps), g.NumVertices(), steps)
}

// randomWalks is RandomWalkEncoding, row by row.
func randomWalks(op string, g *graph.Graph, steps int) []float64 {
	needHomogeneous(op, g)
	if steps < 1 || steps > maxColumns {
		misuse(op, "%d steps, want 1 to %d", steps, maxColumns)
	}
	components, local := componentsOf(g)
	degrees := g.OutDegrees()
	out := make([]float64, g.NumVertices()*steps)
	for _, vertices := range components {
		n := len(vertices)
		walk := matrixOf(g, vertices, local, func(u, v int32) float64 { return 1 / float64(degrees[u]) })
		if walk.NNZ() == 0 {
			continue
		}
		block := min(max(walkBlock/n, 8), 256, n)
		for lo := 0; lo < n; lo += block {
			columns := min(block, n-lo)
			x := tensor.Zeros(tensor.Float64, n, columns)
			values := tensor.Data[float64](x)
			for c := range columns {
				values[(lo+c)*columns+c] = 1
			}
			for s := range steps {
				before := x
				x = tensor.SparseMatMul(walk, before, false)
				before.Free()
				values = tensor.Data[float64](x)
				for c := range columns {
					out[int(vertices[lo+c])*steps+s] = values[(lo+c)*columns+c]
				}
			}
		}
	}
	return out
}

// walkBlock is the entries of a block of columns: 32 MB.
const walkBlock = 1 << 22

// componentsOf returns the vertices of each weakly connected component, ascending, and at
// which place of its component each vertex is.
func componentsOf(g *graph.Graph) (components [][]int32, local []int32) {
	component, n := g.ConnectedComponents()
	components = make([][]int32, n)
	local = make([]int32, len(component))
	for v, c := range component {
		local[v] = int32(len(components[c]))
		components[c] = append(components[c], int32(v))
	}
	return components, local
}

// matrixOf returns the square matrix of a component with value(u, v) for each edge from u
// to v in row u and column v; entries of parallel edges add up.
func matrixOf(g *graph.Graph, vertices, local []int32, value func(u, v int32) float64) *tensor.Sparse {
	indptr, indices, values := make([]int32, len(vertices)+1), []int32{}, []float64{}
	for i, u := range vertices {
		neighbors, _ := g.Out().Row(int(u))
		for _, v := range neighbors {
			indices = append(indices, local[v])
			values = append(values, value(u, v))
		}
		indptr[i+1] = int32(len(indices))
	}
	s, err := tensor.NewSparse(len(vertices), len(vertices), indptr, indices, tensor.FromSlice(values, len(values)))
	if err != nil {
		panic("BUG: data: edges of a component: " + err.Error())
	}
	return s
}

// denseColumns is a matrix, given row by row, as float32 features.
func denseColumns(values []float64, rows, cols int) Features {
	return DenseFeatures(tensor.FromSlice(values, rows, cols).To(tensor.Float32))
}
