// Kernels: vertex programs without dense products, on 64 features a vertex.

package main

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// width is the features of a vertex.
const width = heads * headDim

// A program is what one vertex does.
type program struct {
	name   string
	forms  []string // of the peers
	f      func(v vc.Vertex) vc.Value
	inputs func(g *graph.Graph) []input
	// bytes is what must be moved if no row of features is ever found in a cache: the
	// bound of a gather, for n vertices and e edges.
	bytes func(n, e int64) int64
	// target is the share of the bound's speed to reach; 0 for none.
	target float64
}

type input struct {
	name string
	bind func(name string, x *autograd.Var) vc.Binding
	t    *tensor.Tensor
}

func programs() []program {
	return []program{
		{"gcn", nil, aggregate, func(g *graph.Graph) []input {
			norm := make([]float32, g.NumVertices())
			for v, d := range g.InDegrees() {
				norm[v] = float32(1 / math.Sqrt(float64(d+1)))
			}
			return []input{vertexInput("h", 1, g, width), {"norm", vc.VertexFeature, tensor.FromSlice(norm, len(norm))}}
		}, func(n, e int64) int64 { return 4*e*(1+width) + 4*n*width }, 0.7},
		{"gat", nil, attention, func(g *graph.Graph) []input {
			return []input{vertexInput("h", 1, g, heads, headDim), vertexInput("el", 2, g, heads, 1), vertexInput("er", 3, g, heads, 1)}
		}, func(_, e int64) int64 { return e * (4 + 4*heads + 4*width) }, 0.7},
		{"sum", []string{"csr"}, weightedSum, func(g *graph.Graph) []input {
			return []input{vertexInput("h", 1, g, width), {"w", vc.EdgeFeature, harness.Numbers(2, g.NumEdges())}}
		}, func(n, e int64) int64 { return 4*e*(2+width) + 4*n*width }, 0},
	}
}

func vertexInput(name string, seed uint64, g *graph.Graph, shape ...int) input {
	return input{name, vc.VertexFeature, harness.Numbers(seed, append([]int{g.NumVertices()}, shape...)...)}
}

// aggregate is GCN after its product: norm_v Σ_u norm_u h_u.
func aggregate(v vc.Vertex) vc.Value {
	u := v.InNeighbors()
	return vc.Sum(u.Feature("h").Mul(u.Feature("norm"))).Mul(v.Feature("norm"))
}

// attention is GAT after its products: features [heads headDim], scores [heads 1].
func attention(v vc.Vertex) vc.Value {
	e := v.InEdges()
	score := e.Src("el").Add(e.Dst("er")).LeakyReLU(0.2)
	return vc.Sum(vc.Softmax(score).Mul(e.Src("h")))
}

// weightedSum is a sparse matrix times features: Σ_e w_e h_u.
func weightedSum(v vc.Vertex) vc.Value {
	e := v.InEdges()
	return vc.Sum(e.Feature("w").Mul(e.Src("h")))
}
