package gnn

// The first layer of an R-GCN over vertices without features.

import (
	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// RGCNEmbedding is [RGCNConv] for features that are one-hot, which it never makes:
// a vertex's product with a weight is the row that the weight has for it
// (Schlichtkrull et al. 2018, section 5.1).
//
//	h'_v = Σ_r Σ_{u in N_r(v)} W_ur / c_vr + W0_v + b
//
// The weights belong to the N vertices: Weight [N R out], or with bases W_ur =
// Σ_k Coef_rk Bases_uk, Coef [R B], Bases [N B out]; Self [N out]. Result [N out].
type RGCNEmbedding struct {
	Weight *autograd.Var // [N R out], nil with bases
	Coef   *autograd.Var // [R B], nil without bases
	Bases  *autograd.Var // [N B out], nil without bases
	Self   *autograd.Var // [N out], nil without
	Bias   *autograd.Var // [out], nil without bias

	vertices, out, relations int
	program                  *vc.Program
}

// NewRGCNEmbedding returns a layer for a graph of so many vertices and edge types,
// with weights that are Glorot-uniform for the one-hot features they stand for. Such
// weights have no blocks.
func NewRGCNEmbedding(vertices, out, relations int, cfg RGCNConfig, r *nn.RNG, opts ...Option) *RGCNEmbedding {
	const name = "RGCNEmbedding"
	wantPositive(name, vertices, out, relations)
	cfg.check(name)
	if cfg.Blocks > 0 {
		misuse(name, "%d blocks: one-hot features have none", cfg.Blocks)
	}
	c := configure(opts)
	l := &RGCNEmbedding{vertices: vertices, out: out, relations: relations, Bias: c.bias(out)}
	message := func(e vc.Edge) vc.Value { return e.Src("W").Div(e.TypeDegree()) }
	if b := cfg.Bases; b > 0 {
		l.Coef, l.Bases = c.glorot(r, relations, b, relations, b), c.glorot(r, vertices, out, vertices, b, out)
		message = func(e vc.Edge) vc.Value { return e.Type("coef").Div(e.TypeDegree()).Reshape(b, 1).Mul(e.Src("V")) }
	} else {
		l.Weight = c.glorot(r, vertices, out, vertices, relations, out)
	}
	if !cfg.NoSelf {
		l.Self = c.glorot(r, vertices, out, vertices, out)
	}
	l.program = vc.Compile("rgcn embedding", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		h := vc.Sum(message(e))
		if cfg.Bases > 0 {
			h = h.SumTo(1, out).Reshape(out)
		}
		if l.Self != nil {
			h = h.Add(v.Feature("W0"))
		}
		return addBias(h, l.Bias)
	})
	return l
}

// Forward computes the layer on a graph whose edges have the layer's number of
// types. ids are the vertices that the sources of g are: those of a block, or nil
// if g has all vertices. The slice must not change before the backward pass. It
// panics with *[Error] for any other graph, and with *[tensor.IndexError] if an id is
// out of range.
func (l *RGCNEmbedding) Forward(g *graph.Graph, ids []int32) *autograd.Var {
	on, bindings := l.bindings(g, ids)
	return l.program.Run(on, bindings...)
}

// Compiled returns the plans that Forward runs for g and ids.
func (l *RGCNEmbedding) Compiled(g *graph.Graph, ids []int32) *vc.Compiled {
	on, bindings := l.bindings(g, ids)
	return l.program.Compiled(on, bindings...)
}

func (l *RGCNEmbedding) bindings(g *graph.Graph, ids []int32) (*graph.Graph, []vc.Binding) {
	const name = "RGCNEmbedding"
	if l == nil || l.program == nil {
		panic(notMade(name))
	}
	wantBlock(name, g)
	switch {
	case ids == nil && g.NumSrc() != l.vertices:
		misuse(name, "the graph has %d vertices, the layer is for %d: give ids", g.NumSrc(), l.vertices)
	case ids != nil && len(ids) != g.NumSrc():
		misuse(name, "%d ids for %d vertices of the graph", len(ids), g.NumSrc())
	}
	wantEdgeTypes(name, g, l.relations)
	rows := func(w *autograd.Var, ids []int32) *autograd.Var {
		if ids == nil {
			return w
		}
		return w.IndexSelect(ids)
	}
	bindings := shaped(name, "Bias", "b", l.Bias, l.out)
	if l.Coef != nil {
		bindings = append(bindings, sourceFeature(g, "V", rows(l.Bases, ids)), vc.EdgeTypeFeature("coef", l.Coef))
	} else {
		wantShape(name, "Weight", l.Weight, l.vertices, l.relations, l.out)
		w := rows(l.Weight, ids)
		var err error
		if g, err = g.SourcesByRelation(); err != nil {
			misuse(name, "%v", err)
		}
		bindings = append(bindings, vc.SrcFeature("W", w.Reshape(g.NumSrc(), l.Weight.Shape()[2])))
	}
	if l.Self != nil {
		wantShape(name, "Self", l.Self, l.vertices, l.out)
		self := rows(l.Self, ids)
		if self.Shape()[0] > g.NumDst() { // of a block
			self = self.Slice(0, 0, g.NumDst())
		}
		bindings = append(bindings, ownFeature(g, "W0", self))
	}
	return g, bindings
}
