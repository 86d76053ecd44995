package gnn

// Propagation of labels.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/tensor"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// LabelPropagation predicts the labels of vertices from those that are known, without
// parameters ("Learning from Labeled and Unlabeled Data with Label Propagation", Zhu,
// Ghahramani 2002), as [CorrectAndSmooth] and PyG's layer of this name do:
//
//	Z⁰ = Y,  Zᵏ = post(α D^(-1/2) A D^(-1/2) Zᵏ⁻¹ + (1-α) Y)
//
// for Y [N C], 0 where the label is not known, such as autograd.OneHot makes of classes (of
// those that are known, and ScatterAddRows of these, where others are data.NoLabel).
// Per vertex:
//
//	z'_v = post(α Σ_{u in N(v)} (d_u d_v)^(-1/2) z_u + (1-α) y_v)
//
// D are the in-degrees, d^(-1/2) being 0 for d = 0; there are no loops but the graph's. The
// steps are one program. No gradient flows through it.
type LabelPropagation struct {
	program  *vc.Program
	weighted *vc.Program // with weights of edges
}

// LabelPropagationConfig has the settings of LabelPropagation. Steps must be above 0, α
// in [0, 1].
type LabelPropagationConfig struct {
	Steps int     // how far labels go
	Alpha float64 // α, what a vertex takes from its neighbours; the rest is from its own label

	// Post is a function of what each step gives, row by row; nil keeps it in [0, 1].
	Post func(z vc.Value) vc.Value
}

// NewLabelPropagation returns the propagation.
func NewLabelPropagation(cfg LabelPropagationConfig) *LabelPropagation {
	const op = "LabelPropagation"
	wantPositive(op, cfg.Steps)
	wantProbability(op, "alpha", cfg.Alpha)
	post := cfg.Post
	if post == nil {
		post = func(z vc.Value) vc.Value { return z.Clamp(0, 1) }
	}
	l := &LabelPropagation{}
	l.program, l.weighted = labelSteps{
		name: "label propagation", steps: cfg.Steps, alpha: cfg.Alpha,
		start: func(v vc.Vertex) vc.Value { return ifKnown(v, v.Feature("y"), vc.Number(0)) },
		post:  func(_ vc.Vertex, z vc.Value) vc.Value { return post(z) },
	}.compile()
	return l
}

// labelSteps is a propagation of labels from what each vertex has at the start.
type labelSteps struct {
	name  string
	steps int
	alpha float64
	start func(v vc.Vertex) vc.Value
	post  func(v vc.Vertex, z vc.Value) vc.Value // after each step
	end   func(v vc.Vertex, z vc.Value) vc.Value // after all; nil leaves it
}

// compile returns the programs without and with weights of edges.
func (s labelSteps) compile() (program, weighted *vc.Program) {
	of := func(name string, propagate func(vc.Vertex) vc.Value) *vc.Program {
		step := vc.Compile(name+" step", func(v vc.Vertex) vc.Value {
			return s.post(v, propagate(v).Scale(s.alpha).Add(v.Feature("start").Scale(1-s.alpha)))
		})
		return vc.Compile(name, func(v vc.Vertex) vc.Value {
			start := s.start(v)
			z := start
			for range s.steps {
				z = step.Call(v, vc.Let{Name: "z", Value: z}, vc.Let{Name: "start", Value: start})
			}
			if s.end != nil {
				z = s.end(v, z)
			}
			return z
		})
	}
	return of(s.name, bothBy(vc.Vertex.InDegree)), of(s.name+" weighted", weightedNeighborSum)
}

// ifKnown is a where the vertex's label is known, else b.
func ifKnown(v vc.Vertex, a, b vc.Value) vc.Value { return vc.Select(v.Feature("known"), a, b) }

// Forward propagates y [N C], dense, on a homogeneous graph of N vertices. Only the rows of
// known are looked at, nil meaning all; the others count as 0. It panics with *[Error] for
// any other.
func (l *LabelPropagation) Forward(g *graph.Graph, y *autograd.Var, known []int32) *autograd.Var {
	return l.ForwardWeighted(g, y, nil, known)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E]. It
// takes the place of (d_u d_v)^(-1/2), as in PyG and unlike in [APPNP.ForwardWeighted]: a
// step is
//
//	z'_v = post(α Σ_{u in N(v)} w_uv z_u + (1-α) y_v)
//
// nil means the degrees.
func (l *LabelPropagation) ForwardWeighted(g *graph.Graph, y, w *autograd.Var, known []int32) *autograd.Var {
	program, bindings := l.on(g, y, w, known)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and y.
func (l *LabelPropagation) Compiled(g *graph.Graph, y *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, y, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, y and w.
func (l *LabelPropagation) CompiledWeighted(g *graph.Graph, y, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, y, w, nil)
	return program.Compiled(g, bindings...)
}

func (l *LabelPropagation) on(g *graph.Graph, y, w *autograd.Var, known []int32) (*vc.Program, []vc.Binding) {
	const op = "LabelPropagation"
	if l == nil || l.program == nil {
		panic(notMade(op))
	}
	wantHomogeneous(op, g)
	wantBlock(op, g)
	wantRows(op, "y", y, g.NumVertices(), "vertices", 0)
	bindings := append(labelBindings(op, g, "y", y, w), vc.VertexFeature("y", y.Detach()), knownBinding(y, knownOf(op, g, known)))
	return either(l.program, l.weighted, w), bindings
}

// either is the program for weights of edges, or for none.
func either(program, weighted *vc.Program, w *autograd.Var) *vc.Program {
	if w == nil {
		return program
	}
	return weighted
}

// labelBindings checks labels and weights of edges, and binds those.
func labelBindings(op string, g *graph.Graph, name string, y, w *autograd.Var) []vc.Binding {
	wantDense(op, name, y)
	if w == nil {
		return nil
	}
	wantWeights(op, g, w, nil)
	if w.DType() != y.DType() {
		misuse(op, "w holds %v, %s %v: convert one of them (tensor.Tensor.To)", w.DType(), name, y.DType())
	}
	return []vc.Binding{vc.EdgeFeature(edgeWeight, w.Detach())}
}

// knownOf returns the known vertices of a graph, nil meaning all, once each.
func knownOf(op string, g *graph.Graph, known []int32) []int32 {
	if known == nil {
		known = make([]int32, g.NumVertices())
		for v := range known {
			known[v] = int32(v)
		}
		return known
	}
	for _, v := range known {
		if uint(v) >= uint(g.NumVertices()) {
			misuse(op, "vertex %d is known; the graph has %d", v, g.NumVertices())
		}
	}
	known = slices.Clone(known)
	slices.Sort(known)
	return slices.Compact(known)
}

// knownBinding binds what ifKnown reads: 1 for each of the known vertices, as of type and
// device of y [N C].
func knownBinding(y *autograd.Var, known []int32) vc.Binding {
	ones := autograd.Constant(tensor.Ones(y.DType(), len(known)).ToDevice(y.Tensor().Device()))
	return vc.VertexFeature("known", ones.ScatterAddRows(y.Shape()[0], known))
}
