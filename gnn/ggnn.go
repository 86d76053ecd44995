package gnn

// The gated graph neural network.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
	vc "github.com/asterias-ml/asterias/vcentric"
)

// GGNNConv is the propagation of "Gated Graph Sequence Neural Networks" (Li, Tarlow,
// Brockschmidt, Zemel, ICLR 2016), section 3.2, GG-NN in NGra (figure 12). From
// h = x, padded with zeros to the hidden size, a number of times:
//
//	a_v  = Σ_u w_uv h_u A_r(u,v)
//	h'_v = GRU(a_v, h_v)
//
// for dense x [N in] with in <= hidden: A [R hidden hidden], one matrix for each
// edge type r, or [hidden hidden] for all edges; result [N hidden]. w_uv is 1, as in the
// paper, unless weights are given, as PyG takes them ([GGNNConv.ForwardWeighted]). The
// steps share their weights and are one program. The paper's messages against the edges
// are edges of types of their own.
type GGNNConv struct {
	Weight *autograd.Var // [R hidden hidden] or [hidden hidden], A
	GRU    *nn.GRUCell

	in, hidden, edgeTypes int
	program               *vc.Program
	weighted              *vc.Program // with weights of edges
}

// NewGGNNConv returns a layer with Glorot-uniform weights for a graph of so many
// edge types; 0 is for one weight for all edges, whose types, if they have any, then
// do not count. NoBias is of the GRU.
func NewGGNNConv(in, hidden, edgeTypes, steps int, r *nn.RNG, opts ...Option) *GGNNConv {
	wantPositive("GGNNConv", in, hidden, steps)
	wantNotNegative("GGNNConv", edgeTypes)
	if in > hidden {
		misuse("GGNNConv", "%d features; want at most the %d of the hidden state", in, hidden)
	}
	c := configure(opts)
	shape := []int{hidden, hidden}
	if edgeTypes > 0 {
		shape = []int{edgeTypes, hidden, hidden}
	}
	l := &GGNNConv{
		Weight: c.glorot(r, hidden, hidden, shape...),
		GRU:    nn.NewGRUCell(hidden, hidden, nn.CellConfig{NoBias: c.noBias, DType: c.dtype}, r),
		in:     in, hidden: hidden, edgeTypes: edgeTypes,
	}
	propagate := func(name string, weigh func(e vc.Edge, message vc.Value) vc.Value) *vc.Program {
		step := vc.Compile(name+" step", func(v vc.Vertex) vc.Value { return l.step(v, weigh) })
		return vc.Compile(name, func(v vc.Vertex) vc.Value {
			h := v.Feature("h")
			for range steps {
				h = step.Call(v, vc.Let{Name: "h", Value: h})
			}
			return h
		})
	}
	l.program = propagate("ggnn", func(_ vc.Edge, message vc.Value) vc.Value { return message })
	l.weighted = propagate("ggnn weighted", func(e vc.Edge, message vc.Value) vc.Value { return message.Mul(e.Feature(edgeWeight)) })
	return l
}

// step is one message and one step of the GRU, in the notation of nn.GRUCell.
func (l *GGNNConv) step(v vc.Vertex, weigh func(e vc.Edge, message vc.Value) vc.Value) vc.Value {
	e := v.InEdges()
	weight := vc.Param("A")
	if l.edgeTypes > 0 {
		weight = e.Type("A")
	}
	a, h := vc.Sum(weigh(e, e.Src("h").MatMul(weight))), v.Feature("h")
	input, state := a.MatMul(vc.Param("Wih")), h.MatMul(vc.Param("Whh"))
	if l.GRU.BiasIH != nil {
		input, state = input.Add(vc.Param("bih")), state.Add(vc.Param("bhh"))
	}
	gate := func(x vc.Value, k int) vc.Value { return x.Slice(k*l.hidden, (k+1)*l.hidden) }
	reset := gate(input, 0).Add(gate(state, 0)).Sigmoid()
	update := gate(input, 1).Add(gate(state, 1)).Sigmoid()
	fresh := gate(input, 2).Add(reset.Mul(gate(state, 2))).Tanh()
	return fresh.Add(update.Mul(h.Sub(fresh)))
}

// Forward applies the layer to dense x [N in] on a homogeneous graph of N vertices
// with the layer's edge types. It panics with *[Error] for any other.
func (l *GGNNConv) Forward(g *graph.Graph, x *autograd.Var) *autograd.Var {
	return l.ForwardWeighted(g, x, nil)
}

// ForwardWeighted is Forward with a weight for each edge, in order of edge ids: w [E], nil
// for 1 each.
func (l *GGNNConv) ForwardWeighted(g *graph.Graph, x, w *autograd.Var) *autograd.Var {
	program, bindings := l.on(g, x, w)
	return program.Run(g, bindings...)
}

// Compiled returns the plans that Forward runs for g and x.
func (l *GGNNConv) Compiled(g *graph.Graph, x *autograd.Var) *vc.Compiled {
	return l.CompiledWeighted(g, x, nil)
}

// CompiledWeighted returns the plans that ForwardWeighted runs for g, x and w.
func (l *GGNNConv) CompiledWeighted(g *graph.Graph, x, w *autograd.Var) *vc.Compiled {
	program, bindings := l.on(g, x, w)
	return program.Compiled(g, bindings...)
}

func (l *GGNNConv) on(g *graph.Graph, x, w *autograd.Var) (*vc.Program, []vc.Binding) {
	if l == nil || l.program == nil {
		panic(notMade("GGNNConv"))
	}
	wantHomogeneous("GGNNConv", g)
	wantFeatures("GGNNConv", g, x, l.in)
	wantType("GGNNConv", "x", x, l.Weight)
	wantDense("GGNNConv", "x", x)
	weight := vc.ParamValue("A", l.Weight)
	if l.edgeTypes > 0 {
		if n := g.NumEdgeTypes(); n != l.edgeTypes {
			misuse("GGNNConv", "the graph has %d edge types, the layer %d; one made for 0 has one weight for all edges", n, l.edgeTypes)
		}
		weight = vc.EdgeTypeFeature("A", l.Weight)
	}
	if w != nil {
		wantWeights("GGNNConv", g, w, l.Weight)
	}
	wantShape("GGNNConv", "GRU.WeightIH", l.GRU.WeightIH, 3*l.hidden, l.hidden)
	wantShape("GGNNConv", "GRU.WeightHH", l.GRU.WeightHH, 3*l.hidden, l.hidden)
	bindings := slices.Concat(
		[]vc.Binding{vc.VertexFeature("h", x.Pad(1, 0, l.hidden-l.in, 0)), weight},
		param("Wih", l.GRU.WeightIH.Transpose()), param("Whh", l.GRU.WeightHH.Transpose()),
		shaped("GGNNConv", "GRU.BiasIH", "bih", l.GRU.BiasIH, 3*l.hidden),
		shaped("GGNNConv", "GRU.BiasHH", "bhh", l.GRU.BiasHH, 3*l.hidden),
	)
	if w == nil {
		return l.program, bindings
	}
	return l.weighted, append(bindings, vc.EdgeFeature(edgeWeight, w))
}
