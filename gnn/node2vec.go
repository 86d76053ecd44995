package gnn

// Embeddings of vertices by random walks.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
)

// Node2Vec is the model of "node2vec: Scalable Feature Learning for Networks" (Grover,
// Leskovec, KDD 2016), equation 3, with negative samples: each vertex has an embedding, and
// vertices near each other on random walks have similar ones. With walks that are uniform it
// is DeepWalk (Perozzi, Al-Rfou, Skiena, KDD 2014). data.WalkLoader draws the walks.
//
//	model := gnn.NewNode2Vec(g.NumVertices(), 128, r)
//	loss := model.Loss(gnn.Walks(b.Positive), gnn.Walks(b.Negative)) // of a data.WalkBatch
//
// Its parameter is named embedding.weight, as that of PyG's.
type Node2Vec struct {
	Embedding *nn.Embedding // [N dim]
}

// Walks are sequences of Length vertices each, one after the other, such as the windows of a
// data.WalkBatch.
type Walks struct {
	Vertices []int32
	Length   int
}

// NewNode2Vec returns a model with embeddings from the standard normal distribution, as PyG
// has them.
func NewNode2Vec(vertices, dim int, r *nn.RNG, opts ...Option) *Node2Vec {
	wantPositive("Node2Vec", vertices, dim)
	c := configure(opts)
	return &Node2Vec{Embedding: nn.NewEmbedding(vertices, dim, nn.EmbeddingConfig{DType: c.dtype}, r)}
}

// Forward returns the embeddings of the given vertices, [len(vertices) dim]; nil stands for
// all, whose embeddings are the parameter itself.
func (m *Node2Vec) Forward(vertices []int32) *autograd.Var {
	const op = "Node2Vec"
	m.check(op)
	if vertices == nil {
		return m.Embedding.Weight
	}
	m.wantVertices(op, vertices)
	return m.Embedding.Forward(vertices)
}

// Loss returns the skip-gram loss of windows of walks and of false walks,
//
//	-mean ln σ(h_first · h_other) - mean ln(1 - σ(h_first · h_other))
//
// the first mean over the pairs of the first vertex of a positive window with each of the
// others, the second over those of the negative ones. Logarithms are of the inner products as
// they are, so that a pair's gradient does not vanish where σ rounds to 0 or 1; PyG adds 1e-15
// to σ, which makes no pair's loss more than 34.5. Slices must not change before the backward pass.
func (m *Node2Vec) Loss(positive, negative Walks) *autograd.Var {
	m.check("Node2Vec")
	return bothMeans("Node2Vec", m.scores("positive", positive), m.scores("negative", negative))
}

// scores are the inner products of the first vertex of each walk with the others,
// [walks Length-1 1].
func (m *Node2Vec) scores(what string, w Walks) *autograd.Var {
	const op = "Node2Vec"
	if w.Length < 2 || len(w.Vertices)%w.Length != 0 {
		misuse(op, "%d vertices of %s walks of length %d; want whole walks of at least 2", len(w.Vertices), what, w.Length)
	}
	m.wantVertices(op, w.Vertices)
	n := len(w.Vertices) / w.Length
	ids := tensor.FromSlice(w.Vertices, n, w.Length)
	h := m.Embedding.ForwardIndices(autograd.Constant(ids))
	return h.Slice(1, 1, w.Length).MatMul(h.Slice(1, 0, 1).Transpose(0, 2, 1))
}

func (m *Node2Vec) check(op string) {
	if m == nil || m.Embedding == nil || m.Embedding.Weight == nil {
		misuse(op, "the model has no embeddings; make it with NewNode2Vec")
	}
}

func (m *Node2Vec) wantVertices(op string, vertices []int32) {
	n := m.Embedding.Weight.Shape()[0]
	for i, v := range vertices {
		if uint(v) >= uint(n) {
			misuse(op, "entry %d: vertex %d out of range [0, %d)", i, v, n)
		}
	}
}
