package gnn

// The relational graph convolution of Schlichtkrull et al.

import (
	"cmp"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// RGCNConv is the layer of "Modeling Relational Data with Graph Convolutional
// Networks" (Schlichtkrull et al., ESWC 2018), equation 2 before its activation:
//
//	h'_v = Σ_r Σ_{u in N_r(v)} h_u W_r / c_vr + h_v W_0 + b
//
// for x [N in] on a graph whose edges have R types; c_vr is the number of edges of
// type r into v. The weights W_r [in out] are
//
//	free            Weight [R in out]
//	sums of bases   W_r = Σ_k Coef_rk Bases_k, Coef [R B], Bases [B in out] (equation 3)
//	block-diagonal  W_r = diag(Blocks_r1, …, Blocks_rK), Blocks [R K in/K out/K] (equation 4)
//
// and W_0 is Self [in out]; result [N out]. Edges against the relations' direction
// are relations of their own: add them to the graph, as the paper does. On a block x
// is [NumSrc in] and the result has NumDst rows. For vertices without features there
// is [RGCNEmbedding].
type RGCNConv struct {
	Weight *autograd.Var // [R in out]; nil with bases or blocks
	Coef   *autograd.Var // [R B], nil without bases
	Bases  *autograd.Var // [B in out], nil without bases
	Blocks *autograd.Var // [R K in/K out/K], nil without blocks
	Self   *autograd.Var // [in out], nil without
	Bias   *autograd.Var // [out], nil without bias

	in, out, relations, blocks int
	program                    *vc.Program
}

// RGCNConfig has what an R-GCN layer has beside its sizes. The zero value is a free
// weight for each relation.
type RGCNConfig struct {
	Bases  int  // so many bases that the relations share; 0 for none
	Blocks int  // so many blocks on the diagonal of each weight; 0 for none
	NoSelf bool // leave out the vertex's own term
}

func (cfg RGCNConfig) check(layer string) {
	wantNotNegative(layer, cfg.Bases, cfg.Blocks)
	if cfg.Bases > 0 && cfg.Blocks > 0 {
		misuse(layer, "%d bases and %d blocks; want one of the two", cfg.Bases, cfg.Blocks)
	}
}

// NewRGCNConv returns a layer for graphs of the given number of edge types, with
// Glorot-uniform weights.
func NewRGCNConv(in, out, relations int, cfg RGCNConfig, r *nn.RNG, opts ...Option) *RGCNConv {
	const name = "RGCNConv"
	wantPositive(name, in, out, relations)
	cfg.check(name)
	if k := cfg.Blocks; k > 0 && (in%k != 0 || out%k != 0) {
		misuse(name, "weights [%d %d] are not made of %d equal blocks", in, out, k)
	}
	c := configure(opts)
	l := &RGCNConv{in: in, out: out, relations: relations, blocks: cfg.Blocks, Bias: c.bias(out)}
	var message func(e vc.Edge) vc.Value
	switch b, k := cfg.Bases, cfg.Blocks; {
	case b > 0:
		l.Coef, l.Bases = c.glorot(r, relations, b, relations, b), c.glorot(r, in, out, b, in, out)
		message = func(e vc.Edge) vc.Value {
			bases := vc.Param("V").Reshape(b, in*out)
			return e.Src("x").MatMul(e.Type("coef").MatMul(bases).Reshape(in, out))
		}
	case k > 0:
		l.Blocks = c.glorot(r, in/k, out/k, relations, k, in/k, out/k)
		message = func(e vc.Edge) vc.Value {
			return e.Src("x").Reshape(k, in/k).MatMul(e.Type("W")).Reshape(out)
		}
	default:
		l.Weight = c.glorot(r, in, out, relations, in, out)
		message = func(e vc.Edge) vc.Value { return e.Src("x").MatMul(e.Type("W")) }
	}
	if !cfg.NoSelf {
		l.Self = c.glorot(r, in, out, in, out)
	}
	l.program = vc.Compile("rgcn", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		h := vc.Sum(message(e).Div(e.TypeDegree()))
		if l.Self != nil {
			h = h.Add(v.Feature("x").MatMul(vc.Param("W0")))
		}
		return addBias(h, l.Bias)
	})
	return l
}

// Forward applies the layer to x [N in] on a graph of N vertices or a block, whose
// edges have the layer's number of types. It panics with *[Error] for any other.
func (l *RGCNConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *RGCNConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	return l.program.Compiled(g, bindings...)
}

func (l *RGCNConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	const name = "RGCNConv"
	if l == nil || l.program == nil {
		panic(notMade(name))
	}
	wantFeatures(name, g, x, l.in)
	wantType(name, "x", x, cmp.Or(l.Coef, l.Blocks, l.Weight))
	wantDense(name, "x", x)
	wantEdgeTypes(name, g, l.relations)
	bindings := slices.Concat(vertexFeature(g, "x", x), param("V", l.Bases), shaped(name, "Self", "W0", l.Self, l.in, l.out), shaped(name, "Bias", "b", l.Bias, l.out))
	switch {
	case l.Coef != nil:
		return append(bindings, vc.EdgeTypeFeature("coef", l.Coef))
	case l.Blocks != nil:
		wantShape(name, "Blocks", l.Blocks, l.relations, l.blocks, l.in/l.blocks, l.out/l.blocks)
		return append(bindings, vc.EdgeTypeFeature("W", l.Blocks))
	}
	wantShape(name, "Weight", l.Weight, l.relations, l.in, l.out)
	return append(bindings, vc.EdgeTypeFeature("W", l.Weight))
}
