package gnn

// The heterogeneous graph transformer of Hu et al.

import (
	"math"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// HGTConv is the layer of "Heterogeneous Graph Transformer" (Hu et al., WWW 2020),
// equations 3 to 5. For each head and an edge of type r from u to v, whose vertex
// types are σ and τ:
//
//	k = x_u K_σ + bk_σ,  q = x_v Q_τ + bq_τ,  m = x_u V_σ + bv_σ
//	s_uv = (k Att_r)·q μ_r / sqrt(d),  α_uv = softmax over v's in-edges of s_uv
//	t_v = Σ_u α_uv m Msg_r  (heads concatenated)
//	h'_v = g_τ (GELU(t_v) A_τ + ba_τ) + (1 - g_τ) x_v,  g = sigmoid(skip)
//
// for x [N dim] on a graph of T vertex types and R edge types, with heads of d =
// dim/heads: K, Q, V and A [T dim dim], their biases [T dim], Att and Msg [R heads d
// d], μ [R heads], skip [T]. With Norm each row is normalised and scaled by its
// type's Scale and Shift [T dim], as in the authors' code. Result [N dim]. On a block
// x is [NumSrc dim] and the result has NumDst rows.
type HGTConv struct {
	nn.Stochastic // of the dropout

	Key, Query, Value, Out                 *autograd.Var // [T dim dim]
	KeyBias, QueryBias, ValueBias, OutBias *autograd.Var // [T dim], nil without bias

	Att, Msg *autograd.Var // [R heads d d]
	Prior    *autograd.Var // [R heads], μ
	Skip     *autograd.Var // [T]

	Scale, Shift *autograd.Var // [T dim], nil without Norm

	dim, heads, vertexTypes, edgeTypes int
	program                            *vc.Program
}

// HGTConfig has what HGTConv has beside its sizes. The zero value is the paper's
// layer without dropout.
type HGTConfig struct {
	Dropout float64 // probability of dropping an element of GELU(t) A + ba in training
	Norm    bool    // normalise each row of the result
}

// NewHGTConv returns a layer for graphs of so many types of vertices and edges, with
// Glorot-uniform weights, priors and skips of 1. dim must be a multiple of heads. NoBias
// is of bk, bq, bv and ba, not of Norm's Shift.
func NewHGTConv(dim, heads, vertexTypes, edgeTypes int, cfg HGTConfig, r *nn.RNG, opts ...Option) *HGTConv {
	const name = "HGTConv"
	wantPositive(name, dim, heads, vertexTypes, edgeTypes)
	wantProbability(name, "dropout", cfg.Dropout)
	if dim%heads != 0 {
		misuse(name, "%d features are not made of %d equal heads", dim, heads)
	}
	c := configure(opts)
	d := dim / heads
	typed := func() *autograd.Var { return c.glorot(r, dim, dim, vertexTypes, dim, dim) }
	ones := func(shape ...int) *autograd.Var {
		w := c.zeros(shape...)
		nn.Ones(w, r)
		return w
	}
	l := &HGTConv{
		Key: typed(), Query: typed(), Value: typed(), Out: typed(),
		Att:         c.glorot(r, d, d, edgeTypes, heads, d, d),
		Msg:         c.glorot(r, d, d, edgeTypes, heads, d, d),
		Prior:       ones(edgeTypes, heads),
		Skip:        ones(vertexTypes),
		dim:         dim,
		heads:       heads,
		vertexTypes: vertexTypes,
		edgeTypes:   edgeTypes,
	}
	if !c.noBias {
		for _, b := range []**autograd.Var{&l.KeyBias, &l.QueryBias, &l.ValueBias, &l.OutBias} {
			*b = c.zeros(vertexTypes, dim)
		}
	}
	if cfg.Norm {
		l.Scale, l.Shift = ones(vertexTypes, dim), c.zeros(vertexTypes, dim)
	}
	l.Stochastic = nn.NewStochastic(r)
	l.program = vc.Compile("hgt", func(v vc.Vertex) vc.Value {
		linear := func(of vc.Vertex, x vc.Value, w string) vc.Value {
			x = x.MatMul(of.Type(w))
			if c.noBias {
				return x
			}
			return x.Add(of.Type("b" + w))
		}
		project := func(of vc.Vertex, w string) vc.Value { return linear(of, of.Feature("x"), w).Reshape(heads, d) }
		e, u := v.InEdges(), v.InNeighbors()
		key, query := project(u, "K"), project(v, "Q")
		s := key.MatMul(e.Type("att")).Dot(query).Mul(e.Type("mu")).Scale(1/math.Sqrt(float64(d))).Reshape(heads, 1)
		m := project(u, "V").MatMul(e.Type("msg"))
		t := vc.Sum(vc.Softmax(s).Mul(m))
		gate := v.Type("skip").Sigmoid()
		h := linear(v, t.Reshape(dim).GELU(), "A").Dropout(cfg.Dropout)
		h = gate.Mul(h).Add(vc.Number(1).Sub(gate).Mul(v.Feature("x")))
		if cfg.Norm {
			h = normalizeRow(h).Mul(v.Type("scale")).Add(v.Type("shift"))
		}
		return h
	})
	return l
}

// normalizeRow gives the row mean 0 and variance 1, with nn.LayerNorm's epsilon.
func normalizeRow(x vc.Value) vc.Value {
	centred := x.Sub(x.MeanLast().Reshape(1))
	return centred.Mul(centred.Square().MeanLast().AddScalar(1e-5).Rsqrt().Reshape(1))
}

// Forward applies the layer to x [N dim] on a graph of N vertices or a block, whose
// vertices and edges have the layer's numbers of types. It panics with *[Error] for
// any other.
func (l *HGTConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x)
	if l.Training() {
		bindings = append(bindings, vc.Training(l.NextSeed()))
	}
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *HGTConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x)
	if l.Training() {
		bindings = append(bindings, vc.Training(0)) // plans are the same for every seed
	}
	return l.program.Compiled(g, bindings...)
}

func (l *HGTConv) bindings(g *graph.Graph, x *autograd.Var) []vc.Binding {
	const name = "HGTConv"
	if l == nil || l.program == nil {
		panic(notMade(name))
	}
	wantFeatures(name, g, x, l.dim)
	wantType(name, "x", x, l.Key)
	wantDense(name, "x", x)
	wantVertexTypes(name, g, l.vertexTypes)
	wantEdgeTypes(name, g, l.edgeTypes)
	for _, p := range []struct {
		field string
		w     *autograd.Var
	}{
		{"KeyBias", l.KeyBias}, {"QueryBias", l.QueryBias}, {"ValueBias", l.ValueBias}, {"OutBias", l.OutBias},
		{"Scale", l.Scale}, {"Shift", l.Shift},
	} {
		wantShape(name, p.field, p.w, l.vertexTypes, l.dim)
	}
	for _, p := range []struct {
		field string
		w     *autograd.Var
	}{{"Key", l.Key}, {"Query", l.Query}, {"Value", l.Value}, {"Out", l.Out}} {
		wantShape(name, p.field, p.w, l.vertexTypes, l.dim, l.dim)
	}
	wantShape(name, "Att", l.Att, l.edgeTypes, l.heads, l.dim/l.heads, l.dim/l.heads)
	wantShape(name, "Msg", l.Msg, l.edgeTypes, l.heads, l.dim/l.heads, l.dim/l.heads)
	wantShape(name, "Skip", l.Skip, l.vertexTypes)
	wantShape(name, "Prior", l.Prior, l.edgeTypes, l.heads)
	bindings := append(vertexFeature(g, "x", x),
		sourceType(g, "K", l.Key), sourceType(g, "V", l.Value),
		ownType(g, "Q", l.Query), ownType(g, "A", l.Out), ownType(g, "skip", l.Skip),
		vc.EdgeTypeFeature("att", l.Att), vc.EdgeTypeFeature("msg", l.Msg), vc.EdgeTypeFeature("mu", l.Prior))
	if l.KeyBias != nil {
		bindings = append(bindings,
			sourceType(g, "bK", l.KeyBias), sourceType(g, "bV", l.ValueBias),
			ownType(g, "bQ", l.QueryBias), ownType(g, "bA", l.OutBias))
	}
	if l.Scale != nil {
		bindings = append(bindings, ownType(g, "scale", l.Scale), ownType(g, "shift", l.Shift))
	}
	return bindings
}
