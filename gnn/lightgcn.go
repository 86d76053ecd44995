package gnn

// The recommender LightGCN.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// LightGCN is the model of "LightGCN: Simplifying and Powering Graph Convolution Network
// for Recommendation" (He, Deng, Wang, Li, Zhang, Wang, SIGIR 2020), equations 3 and 4, as
// PyG has it: a vector for each vertex, propagated along the graph without weights,
//
//	h = Σ_{k=0..K} α_k Pᵏ E,  P = D^(-1/2) A D^(-1/2)
//
// for E [N dim], result [N dim]. D are the in-degrees, d^(-1/2) being 0 for d = 0; there are
// no loops but the graph's. Users and items are vertices of one graph, whose edges go both
// ways. Per vertex, K times from z = α_K E down to α_0 E (Horner's scheme):
//
//	z'_v = Σ_{u in N(v)} (d_u d_v)^(-1/2) z_u + α_k e_v
//
// The steps are one program. A link scores h_u · h_v: the decoder is [Dot], also for
// [EvaluateLinks]. The state has the names of PyG's state dict.
type LightGCN struct {
	Alpha     *autograd.Var // α [K+1]; not a parameter
	Embedding *nn.Embedding // of E

	layers   int
	noNorm   bool
	program  *vc.Program
	weighted *vc.Program // with weights of edges
}

// LightGCNConfig has the settings of LightGCN. The zero value is the paper's.
type LightGCNConfig struct {
	Alpha  []float64 // α_0, ..., α_K; nil means 1/(K+1) each
	NoNorm bool      // P is A as it is, with weights of edges if there are any
}

// NewLightGCN returns a model for a graph of so many vertices, of K layers, 0 or more, with
// Glorot-uniform embeddings.
func NewLightGCN(vertices, dim, layers int, cfg LightGCNConfig, r *nn.RNG, opts ...Option) *LightGCN {
	const op = "LightGCN"
	wantPositive(op, vertices, dim)
	wantNotNegative(op, layers)
	alpha := cfg.Alpha
	if alpha == nil {
		for range layers + 1 {
			alpha = append(alpha, 1/float64(layers+1))
		}
	}
	if len(alpha) != layers+1 {
		misuse(op, "%d numbers of Alpha for %d layers; want %d", len(alpha), layers, layers+1)
	}
	for _, a := range alpha {
		wantFinite(op, "Alpha", a)
	}
	c := configure(opts)
	m := &LightGCN{
		Alpha:     autograd.Constant(tensor.FromSlice(alpha, len(alpha)).To(c.dtype).Clone()),
		Embedding: &nn.Embedding{Weight: c.glorot(r, vertices, dim, vertices, dim)},
		layers:    layers, noNorm: cfg.NoNorm,
	}
	of := func(name string, propagate func(vc.Vertex) vc.Value) *vc.Program {
		step := vc.Compile(name+" step", propagate)
		return vc.Compile(name, func(v vc.Vertex) vc.Value {
			share := func(k int) vc.Value { return v.Feature("x").Mul(vc.Param("alpha").Slice(k, k+1)) }
			z := share(layers)
			for k := layers - 1; k >= 0; k-- {
				z = step.Call(v, vc.Let{Name: "z", Value: z}).Add(share(k))
			}
			return z
		})
	}
	step, weighted := symmetricSteps(cfg.NoNorm)
	m.program, m.weighted = of("lightgcn", step), of("lightgcn weighted", weighted)
	return m
}

// Forward returns h [N dim] on a homogeneous graph of the model's vertices. It panics with
// *[Error] for any other.
func (m *LightGCN) Forward(g *graph.Graph) *autograd.Var { return m.ForwardWeighted(g, nil) }

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E], nil
// for 1 each; see [TAGConv.ForwardWeighted].
func (m *LightGCN) ForwardWeighted(g *graph.Graph, w *autograd.Var) *autograd.Var {
	program, bindings := m.on(g, w)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g.
func (m *LightGCN) Compiled(g *graph.Graph) *vc.Compiled { return m.CompiledWeighted(g, nil) }

// CompiledWeighted returns the plans that ForwardWeighted runs for g and w; those of the
// degrees are not among them.
func (m *LightGCN) CompiledWeighted(g *graph.Graph, w *autograd.Var) *vc.Compiled {
	program, bindings := m.on(g, w)
	return program.Compiled(g, bindings...)
}

func (m *LightGCN) on(g *graph.Graph, w *autograd.Var) (*vc.Program, []vc.Binding) {
	const op = "LightGCN"
	wantModel(op, m)
	if m.program == nil {
		panic(notMade(op))
	}
	wantHomogeneous(op, g)
	wantBlock(op, g)
	m.wantEmbedding(op)
	x := m.Embedding.Weight
	if n := x.Shape()[0]; g.NumVertices() != n {
		misuse(op, "the graph has %d vertices, the model is for %d", g.NumVertices(), n)
	}
	if w != nil {
		wantWeights(op, g, w, x)
	}
	wantShape(op, "Alpha", m.Alpha, m.layers+1)
	wantType(op, "Alpha", m.Alpha, x)
	bindings := []vc.Binding{vc.VertexFeature("x", x), vc.ParamValue("alpha", m.Alpha)}
	return either(m.program, m.weighted, w), append(bindings, symmetricBindings(g, w, m.noNorm)...)
}

// Scores returns the scores of links on a graph that need not have them, [links], the larger,
// the likelier; w [E] are weights of the graph's edges, nil for 1 each. It is what PyG's model
// computes; more scores of one pass are Dot{}.Score of the result of ForwardWeighted.
func (m *LightGCN) Scores(g *graph.Graph, w *autograd.Var, l Links) *autograd.Var {
	return Dot{}.Score(m.ForwardWeighted(g, w), l)
}

// PredictLink returns the probabilities of links, σ(score), [links]; see Scores. PyG's 0 and
// 1 are whether they are above a half.
func (m *LightGCN) PredictLink(g *graph.Graph, w *autograd.Var, l Links) *autograd.Var {
	return m.Scores(g, w, l).Sigmoid()
}

// Recommend returns what [Recommend] does by the model's scores, best first, such as items
// for each of some users; w [E] are weights of the graph's edges, nil for 1 each.
func (m *LightGCN) Recommend(g *graph.Graph, w *autograd.Var, src []int32, k int, cfg RecommendConfig) [][]int32 {
	return Recommend(Dot{}, m.ForwardWeighted(g, w), src, k, cfg)
}

// Loss returns the loss of the paper (equation 15) for scores of true links [n] and of k false
// ones for each, [n k], in the form of PyG's recommendation_loss:
//
//	LinkBPR(positive, negative) + λ/n Σ_{v in vertices} |e_v|²
//
// vertices are the ends of the batch's links; nil means all. PyG's default of λ is 1e-4. The
// loss for link prediction is [LinkBCE]. Of no links, n = 0, the loss is NaN, with gradient 0,
// where PyG's is infinite in the embeddings of vertices.
func (m *LightGCN) Loss(positive, negative *autograd.Var, vertices []int32, lambda float64) *autograd.Var {
	const op = "LightGCN"
	wantModel(op, m)
	if !(lambda >= 0) || math.IsInf(lambda, 1) { // also true for NaN
		misuse(op, "lambda is %v; want a finite number, 0 or more", lambda)
	}
	loss := LinkBPR(positive, negative)
	n := positive.Shape()[0]
	if lambda == 0 || n == 0 { // λ/0 would make the gradients infinite
		return loss
	}
	m.wantEmbedding(op)
	e := m.Embedding.Weight
	if vertices != nil {
		e = m.Embedding.Forward(vertices)
	}
	return loss.Add(e.Square().Sum().Scale(lambda / float64(n)))
}

func (m *LightGCN) wantEmbedding(op string) {
	if m.Embedding == nil || m.Embedding.Weight == nil {
		misuse(op, "the model has no embeddings; make it with NewLightGCN")
	}
}
