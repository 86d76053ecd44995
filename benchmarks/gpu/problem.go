// Graphs with features and labels.

package main

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/asterias-ml/asterias/benchmarks/internal/harness"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// relations is the number of edge types.
const relations = 8

// A problem is a graph to classify the vertices of. Its edges have relations types
// and are in the order of the rows of its matrix, for ours and for peers.
type problem struct {
	name     string
	g        *graph.Graph
	features *tensor.Tensor // [N features]
	hidden   int            // width of the hidden layer, but for GAT's
	classes  int
	captured bool // small: a step is launched as a CUDA graph, too
}

// A size is what a problem is made from.
type size struct {
	name                         string
	vertices, edges              int
	features, hidden, classes    int
	powerLaw, captured, emulated bool // emulated: so small that an emulator can do it
	layers                       bool // what runs on it is all layers, without peers
}

var sizes = []size{
	{name: "cora-sized", vertices: 2708, edges: 10556, features: 1433, hidden: 16, classes: 7, captured: true},
	{name: "rmat200k", vertices: 200_000, edges: 4_000_000, features: 64, hidden: 64, classes: 16, powerLaw: true},
	{name: "layers", vertices: 30_000, edges: 1_000_000, features: 64, hidden: 64, classes: 16, powerLaw: true, layers: true},
	{name: "rmat1m", vertices: 1_000_000, edges: 16_000_000, features: 64, hidden: 64, classes: 16, powerLaw: true},
	{name: "tiny", vertices: 40, edges: 200, features: 12, hidden: 16, classes: 3, captured: true, emulated: true},
	{name: "tiny-layers", vertices: 40, edges: 200, features: 16, hidden: 16, classes: 3, layers: true, emulated: true},
}

// sizeNames lists the problems: those for GPUs, or all.
func sizeNames(all bool) (names []string) {
	for _, s := range sizes {
		if all || !s.emulated {
			names = append(names, s.name)
		}
	}
	return names
}

func sizeOf(name string) size {
	return sizes[slices.IndexFunc(sizes, func(s size) bool { return s.name == name })]
}

// build draws the problem.
func (s size) build() (*problem, error) {
	src, dst, err := s.draw()
	if err != nil {
		return nil, err
	}
	types := make([]int32, len(src))
	r := rand.New(rand.NewPCG(7, 7))
	for i := range types {
		types[i] = int32(r.IntN(relations))
	}
	unsorted, err := graph.New(s.vertices, src, dst, graph.WithEdgeTypes(types, relations))
	if err != nil {
		return nil, err
	}
	order := unsorted.In().EdgeIDs // of destinations, then types
	opts := []graph.Option{graph.WithEdgeTypes(pick(types, order), relations)}
	if s.layers { // one of which wants types of vertices
		of := make([]int32, s.vertices)
		for v := range of {
			of[v] = int32(v % vertexTypes)
		}
		opts = append(opts, graph.WithVertexTypes(of, vertexTypes))
	}
	g, err := graph.New(s.vertices, pick(src, order), pick(dst, order), opts...)
	if err != nil {
		return nil, err
	}
	return &problem{s.name, g, harness.Numbers(1, s.vertices, s.features), s.hidden, s.classes, s.captured}, nil
}

// draw returns edges without loops, which PyTorch Geometric would count otherwise.
func (s size) draw() (src, dst []int32, err error) {
	if s.powerLaw {
		g, err := data.RMAT(data.RMATConfig{Vertices: s.vertices, Edges: s.edges, Seed: 1})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s.name, err)
		}
		g, _ = g.RemoveSelfLoops()
		return slices.Clone(g.Src()), slices.Clone(g.Dst()), nil
	}
	r := rand.New(rand.NewPCG(3, 3))
	for range s.edges {
		v := r.IntN(s.vertices)
		src = append(src, int32((v+1+r.IntN(s.vertices-1))%s.vertices))
		dst = append(dst, int32(v))
	}
	return src, dst, nil
}

func pick(values, order []int32) []int32 {
	out := make([]int32, len(order))
	for i, e := range order {
		out[i] = values[e]
	}
	return out
}

// labels are one-hot, [N classes].
func (p *problem) labels() *tensor.Tensor {
	n := p.g.NumVertices()
	t := tensor.Zeros(tensor.Float32, n, p.classes)
	values := tensor.Data[float32](t)
	for v := range n {
		values[v*p.classes+v*7%p.classes] = 1
	}
	return t
}
