// Package layerwise runs models on graphs that are too large for a whole pass: one
// layer at a time, over batches of vertices with all their in-edges.
package layerwise

import (
	"cmp"
	"context"
	"fmt"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/data"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
)

// Layer is a layer of a model, with its activation, on a batch of one
// block that has all edges into its destinations: x [NumSrc in] -> [NumDst out].
// What else a layer needs of a vertex or an edge, such as weights, it finds by
// b.Vertices and b.Edges[0].
type Layer func(b *data.Batch, x *autograd.Var) *autograd.Var

// Config says how [Infer] cuts its work.
type Config struct {
	BatchSize int // vertices a layer computes at a time; 0 stands for 1024
	Workers   int // that make batches, and
	Prefetch  int // how far ahead; see data.Loading
}

// Infer returns the result of the last layer for all vertices of a homogeneous
// graph, [N out], without gradients. It computes a layer for all vertices, batch by
// batch with all their in-edges, before the next (Hamilton, Ying and Leskovec's
// evaluation, as in DGL's and PyG's examples): every vertex is computed once a layer,
// where blocks of several hops would compute it once for each batch that reaches it.
//
// Memory is bounded by the rows of two layers and the batches ahead, each the rows of
// the sources of BatchSize vertices; nothing has an edge dimension of the whole graph.
// Layers that read no more of the graph than the edges into a vertex give what they
// give on the whole graph, up to rounding; GCN's degrees of sources are to be bound as
// features.
//
// The layers of a model in training mode drop out as in training. A graph that is
// bipartite and features of other vertices are errors, as is a context that is done. A
// layer whose result is no matrix with a row for each destination is misuse: heads are
// joined to one row. Without layers the result is a copy of the features.
func Infer(ctx context.Context, g *graph.Graph, x data.Features, c Config, layers ...Layer) (*tensor.Tensor, error) {
	if x.IsZero() {
		panic(&Error{"there are no features"})
	}
	if g == nil {
		panic(&Error{"the graph is nil"})
	}
	if ctx == nil {
		panic(&Error{"the context is nil"})
	}
	for i, layer := range layers {
		if layer == nil {
			panic(&Error{fmt.Sprintf("layer %d is nil", i)})
		}
	}
	if err := context.Cause(ctx); err != nil { // also where there are no batches
		return nil, err
	}
	if len(layers) == 0 {
		if _, err := newLoader(g, x, c); err != nil {
			return nil, err
		}
		return x.Dense().Clone(), nil
	}
	for i, layer := range layers {
		y, err := inferLayer(ctx, g, x, c, i, layer)
		if err != nil {
			return nil, err
		}
		x = data.DenseFeatures(y)
	}
	return x.Dense(), nil
}

// inferLayer computes layer i for all vertices.
func inferLayer(ctx context.Context, g *graph.Graph, x data.Features, c Config, i int, layer Layer) (*tensor.Tensor, error) {
	loader, err := newLoader(g, x, c)
	if err != nil {
		return nil, err
	}
	n := g.NumVertices()
	if n == 0 { // there are no batches, but a result has a width
		return inferBatch(&data.Batch{Blocks: []*graph.Graph{emptyBlock(g)}, Edges: [][]int32{nil}, Features: x}, i, layer), nil
	}
	var out *tensor.Tensor
	done := 0
	for b, err := range loader.Epoch(ctx, 0) {
		if err != nil {
			return nil, err
		}
		y := inferBatch(b, i, layer)
		if out == nil {
			out = tensor.Zeros(y.DType(), n, y.Dim(1))
		}
		out.Narrow(0, done, done+y.Dim(0)).CopyFrom(y)
		done += y.Dim(0)
	}
	return out, nil
}

// emptyBlock is the block of a batch of no vertices, of the types of g.
func emptyBlock(g *graph.Graph) *graph.Graph {
	var opts []graph.Option
	if n := g.NumEdgeTypes(); n > 0 {
		opts = append(opts, graph.WithEdgeTypes(nil, n))
	}
	if n := g.NumVertexTypes(); n > 0 {
		opts = append(opts, graph.WithSrcTypes(nil, n), graph.WithDstTypes(nil, n))
	}
	block, err := graph.NewBipartite(0, 0, nil, nil, opts...)
	if err != nil {
		panic("BUG: layerwise: the block of no vertices is no graph: " + err.Error())
	}
	return block
}

// newLoader returns the batches of all vertices with their in-edges.
func newLoader(g *graph.Graph, x data.Features, c Config) (*data.NeighborLoader, error) {
	seeds := make([]int32, g.NumVertices())
	for v := range seeds {
		seeds[v] = int32(v)
	}
	return data.NewNeighborLoader(g, seeds, data.NeighborConfig{
		Loading: data.Loading{BatchSize: cmp.Or(c.BatchSize, 1024), Workers: c.Workers, Prefetch: c.Prefetch, Features: x},
		Fanout:  data.Fanout{Hops: []int{-1}},
	})
}

// inferBatch computes layer i for the destinations of a block.
func inferBatch(b *data.Batch, i int, layer Layer) *tensor.Tensor {
	y := autograd.Scope(func(x ...*autograd.Var) *autograd.Var { return layer(b, x[0]) }, autograd.NoGrad(autograd.Input(b.Features)))
	if s, n := y.Shape(), b.Blocks[0].NumDst(); len(s) != 2 || s[0] != n {
		panic(&Error{fmt.Sprintf("the result of layer %d has shape %v, want a matrix with a row for each of %d destinations", i, s, n)})
	}
	return y.Tensor()
}

// Error is the panic of a call that is wrong whatever the graph.
type Error struct {
	Detail string
}

// Error returns e.g. "layerwise: Infer: there are no features".
func (e *Error) Error() string { return "layerwise: Infer: " + e.Detail }

// Misuse marks the error as the caller's mistake.
func (*Error) Misuse() {}
