package gnn

// Principal neighbourhood aggregation.

import (
	"math"
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// PNAConv is the layer of "Principal Neighbourhood Aggregation for Graph Nets"
// (Corso, Cavalleri, Beaini, Liò, Veličković, NeurIPS 2020), equations 5 to 8, with
// linear M and U:
//
//	m_uv = M([h_v ‖ h_u ‖ f_uv])
//	a_v  = mean_u m_uv ‖ max_u m_uv ‖ min_u m_uv ‖ std_u m_uv
//	h'_v = U([h_v ‖ a_v ‖ (ln(d_v+1)/δ) a_v ‖ (δ/ln(d_v+1)) a_v])
//
// for dense x [N in] and edge features f [E edge], M from 2in+edge features to in, U
// from 13in to out; result [N out]. The last three parts are the scalers identity,
// amplification and attenuation of the in-degree d_v. std is √(variance + 1e-5).
// Without neighbours a_v is 0. On a block x is [NumSrc in], the result [NumDst out].
type PNAConv struct {
	Message *nn.Linear // M
	Update  *nn.Linear // U

	in, edge int
	program  *vc.Program
}

// PNADelta is the δ of PNAConv for graphs like the given ones: the mean of ln(d+1)
// over the in-degrees d of all their vertices, which should be the training set's.
// It panics with *[Error] if they have no edge.
func PNADelta(gs ...*graph.Graph) float64 {
	sum, n := 0.0, 0
	for i, g := range gs {
		if g == nil {
			misuse("PNADelta", "graph %d is nil", i)
		}
		for _, d := range g.InDegrees() {
			sum += math.Log1p(float64(d))
		}
		n += g.NumDst()
	}
	if sum == 0 {
		misuse("PNADelta", "%d graphs without an edge", len(gs))
	}
	return sum / float64(n)
}

// NewPNAConv returns a layer for edge features of edge columns, 0 for none; delta is
// a number such as [PNADelta]. Weights are initialised as those of nn.Linear.
func NewPNAConv(in, edge, out int, delta float64, r *nn.RNG, opts ...Option) *PNAConv {
	wantPositive("PNAConv", in, out)
	wantNotNegative("PNAConv", edge)
	if !(delta > 0 && !math.IsInf(delta, 1)) {
		misuse("PNAConv", "delta %v; want a finite number above 0", delta)
	}
	c := configure(opts)
	l := &PNAConv{
		Message: c.linear(r, 2*in+edge, in, true),
		Update:  c.linear(r, 13*in, out, true),
		in:      in, edge: edge,
	}
	l.program = vc.Compile("pna", func(v vc.Vertex) vc.Value {
		e := v.InEdges()
		pair := vc.Concat(e.Dst("x"), e.Src("x"))
		if edge > 0 {
			pair = vc.Concat(e.Dst("x"), e.Src("x"), e.Feature("f"))
		}
		m := linear(pair, "message", l.Message)
		mean := vc.Mean(m)
		std := vc.Mean(m.Sub(mean).Square()).AddScalar(1e-5).Sqrt()
		std = vc.Select(v.InDegree(), std, vc.Number(0))
		a := vc.Concat(mean, vc.Max(m), vc.Min(m), std)
		// A degree of 0 counts as 1: ln 1 = 0 would divide by 0, and a is 0.
		scale := v.InDegree().Maximum(vc.Number(1)).AddScalar(1).Log().Scale(1 / delta)
		return linear(vc.Concat(v.Feature("x"), a, a.Mul(scale), a.Div(scale)), "update", l.Update)
	})
	return l
}

// Forward applies the layer to dense x [N in] and edge features f [E edge], nil if
// the layer takes none, on a homogeneous graph of N vertices or a block. It panics
// with *[Error] for any other.
func (l *PNAConv) Forward(g *graph.Graph, x, f *autograd.Var) *autograd.Var {
	bindings := l.bindings(g, x, f)
	return l.program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g, x and f.
func (l *PNAConv) Compiled(g *graph.Graph, x, f *autograd.Var) *vc.Compiled {
	bindings := l.bindings(g, x, f)
	return l.program.Compiled(g, bindings...)
}

func (l *PNAConv) bindings(g *graph.Graph, x, f *autograd.Var) []vc.Binding {
	if l == nil || l.program == nil {
		panic(notMade("PNAConv"))
	}
	wantFeatures("PNAConv", g, x, l.in)
	wantType("PNAConv", "x", x, l.Message.Weight)
	wantDense("PNAConv", "x", x)
	wantEdgeFeatures("PNAConv", g, f, l.edge, l.Message.Weight)
	return slices.Concat(vertexFeature(g, "x", x), edgeFeature("f", f),
		linearParams("PNAConv", "message", l.Message), linearParams("PNAConv", "update", l.Update))
}
