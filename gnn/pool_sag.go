package gnn

// The pooling of Lee, Lee and Kang.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
)

// SAGPool is the layer of "Self-Attention Graph Pooling" (Lee, Lee, Kang, ICML 2019),
// equations 3 to 5: it keeps the vertices of each graph that a graph convolution gives
// the highest scores, and gates what they have by them:
//
//	z = Score(x),  x'_v = tanh(z_v) x_v for the k vertices v of the largest z
//
// for x [N in], giving the graphs induced by these vertices. Ties, NaN and the order are
// as in [TopKPool]. Score learns through the gate only.
type SAGPool struct {
	Score SourceConv // from in features to one

	ratio float64
}

// NewSAGPool returns a layer that keeps the share ratio, in (0, 1], of the vertices of
// each graph, rounded up. The paper's score is a [GCNConv], that of PyG's SAGPooling a
// [GraphConv]; PyG's has one more weight, whose sign may turn the order:
//
//	pool := gnn.NewSAGPool(gnn.NewGCNConv(64, 1, r), 0.5)
func NewSAGPool(score SourceConv, ratio float64) *SAGPool {
	if score == nil {
		misuse("SAGPool", "the score is nil")
	}
	wantShare("SAGPool", ratio)
	return &SAGPool{Score: score, ratio: ratio}
}

// Forward pools the graphs of a batch, all in g, whose vertices have x [N in].
func (l *SAGPool) Forward(g *graph.Graph, batch *graph.BatchInfo, x *autograd.Var) Pooled {
	const op = "SAGPool"
	if l == nil || l.ratio == 0 || l.Score == nil {
		panic(notMade(op))
	}
	wantBlock(op, g)
	wantHomogeneous(op, g)
	wantDense(op, "x", x)
	wantBatchOf(op, g, batch)
	z := l.Score.Forward(g, x)
	if s := z.Shape(); len(s) != 2 || s[1] != 1 {
		misuse(op, "the scores have shape %v, the layer takes [%d 1]", s, g.NumVertices())
	}
	z = z.Squeeze(1)
	return keepBest(op, g, batch, x, z, z.Tanh(), l.ratio)
}
