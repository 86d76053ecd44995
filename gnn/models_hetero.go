package gnn

// Models for vertex classification on heterogeneous graphs.

import (
	"slices"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// RGCN is Schlichtkrull et al.'s model for entity classification (ESWC 2018, section
// 5.1), of vertices without features: RGCNEmbedding, ReLU, dropout, RGCNConv.
type RGCN struct {
	Input *RGCNEmbedding
	Conv  *RGCNConv
	Drop  *nn.Dropout
}

// NewRGCN returns the model for a graph of so many vertices and edge types.
func NewRGCN(vertices, hidden, classes, relations int, cfg RGCNConfig, dropout float64, r *nn.RNG) *RGCN {
	return &RGCN{
		Input: NewRGCNEmbedding(vertices, hidden, relations, cfg, r),
		Conv:  NewRGCNConv(hidden, classes, relations, cfg, r),
		Drop:  nn.NewDropout(dropout, r),
	}
}

// Forward returns the logits [N classes] of all vertices of g.
func (m *RGCN) Forward(g *graph.Graph) *autograd.Var {
	wantModel("RGCN", m)
	return m.layers(g, g, nil)
}

// ForwardBlocks returns the logits of the destinations of the second of two blocks. ids are
// the vertices that the sources of the first are, as [RGCNEmbedding.Forward] takes them: the
// Vertices of a data.Batch, the ViewVertices of a data.HeteroBatch.
func (m *RGCN) ForwardBlocks(blocks []*graph.Graph, ids []int32) *autograd.Var {
	wantModel("RGCN", m)
	wantBlocks("RGCN", blocks, 2)
	if ids == nil { // which vertices these are is not known, even of as many as the model is for
		misuse("RGCN", "ids is nil; want the vertex that each source of the first block is")
	}
	return m.layers(blocks[0], blocks[1], ids)
}

func (m *RGCN) layers(first, second *graph.Graph, ids []int32) *autograd.Var {
	return m.Conv.Forward(second, m.Drop.Forward(m.Input.Forward(first, ids).ReLU()))
}

// HGT is Hu et al.'s model (WWW 2020): the features of each type projected to one
// width, GELU, dropout, HGTConvs, a linear layer. The GELU is that of DGL's example; the
// authors' code has tanh there.
type HGT struct {
	Input *HeteroLinear
	Convs []*HGTConv
	Out   *nn.Linear
	Drop  *nn.Dropout

	edgeTypes []graph.EdgeType
}

// NewHGT returns the model for the types of h, with the widths of their features as
// [NewHeteroLinear] takes them.
func NewHGT(h *graph.Hetero, widths map[string]int, dim, heads, layers, classes int, cfg HGTConfig, r *nn.RNG) *HGT {
	wantPositive("HGT", layers, classes)
	m := &HGT{Input: NewHeteroLinear(h, widths, dim, r), Drop: nn.NewDropout(cfg.Dropout, r), edgeTypes: h.EdgeTypes()}
	for range layers {
		m.Convs = append(m.Convs, NewHGTConv(dim, heads, len(h.VertexTypes()), len(h.EdgeTypes()), cfg, r))
	}
	m.Out = nn.NewLinear(dim, classes, r)
	return m
}

// Forward returns the logits [N classes] of all vertices in the order of
// h.Homogeneous(), for a graph h with the types of vertices and edges that the model
// was made for, in their order, given the features of each type as [HeteroLinear]
// takes them. It panics with *[Error] for anything else.
func (m *HGT) Forward(h *graph.Hetero, xs map[string]*autograd.Var) *autograd.Var {
	wantModel("HGT", m)
	x := m.Input.Forward(h, xs)
	wantRelations("HGT", h, m.edgeTypes)
	return m.layers(m.same(h.Homogeneous().Graph), x)
}

// ForwardOn returns the logits of the vertices of g, which has the types of the model
// by number, in the order of g. xs and ids are as [HeteroLinear.ForwardOn] takes them.
func (m *HGT) ForwardOn(g *graph.Graph, xs map[string]*autograd.Var, ids map[string][]int32) *autograd.Var {
	wantModel("HGT", m)
	return m.layers(m.same(g), m.Input.ForwardOn(g, xs, ids))
}

// ForwardBlocks returns the logits of the destinations of the last block, one block for each
// layer, with the types of the model by number. xs and ids are of the sources of the first, as
// [HeteroLinear.ForwardOn] takes them. Of a data.HeteroBatch b around papers with features
// and authors without:
//
//	logits := model.ForwardBlocks(b.Blocks, map[string]*autograd.Var{"paper": autograd.Input(b.Features["paper"])},
//		map[string][]int32{"author": b.Vertices["author"]}) // a row for each of b.Seeds["paper"]
func (m *HGT) ForwardBlocks(blocks []*graph.Graph, xs map[string]*autograd.Var, ids map[string][]int32) *autograd.Var {
	wantModel("HGT", m)
	if len(m.Convs) == 0 {
		panic(notMade("HGT"))
	}
	wantBlocks("HGT", blocks, len(m.Convs))
	return m.layers(blocks, m.Input.ForwardOn(blocks[0], xs, ids))
}

// same is one graph for every layer.
func (m *HGT) same(g *graph.Graph) []*graph.Graph {
	return slices.Repeat([]*graph.Graph{g}, len(m.Convs))
}

func (m *HGT) layers(blocks []*graph.Graph, x *autograd.Var) *autograd.Var {
	x = m.Drop.Forward(x.GELU())
	for i, l := range m.Convs {
		x = l.Forward(blocks[i], x)
	}
	return m.Out.Forward(x)
}

// SimpleHGN is Lv et al.'s model (KDD 2021): the features of each type projected to
// one width, SimpleHGNConvs with ELU between them and residuals from the second on,
// and logits of length 1. Each hidden layer mixes the attention of the one before
// into its own, as numbers: no gradient goes that way, as in the authors' code. So all layers
// need the same edges, and the model takes no blocks, which have others for each layer; it
// runs on parts of a graph with ForwardOn.
type SimpleHGN struct {
	Input *HeteroLinear
	Convs []*SimpleHGNConv
	Drop  *nn.Dropout

	edgeTypes []graph.EdgeType
}

// SimpleHGNSizes are the sizes of the model; the authors' are 64, 8, 2 and 64.
type SimpleHGNSizes struct {
	Dim, Heads, Layers int // of the hidden layers; the last layer has one head
	EdgeDim            int // of the edge types' embeddings
}

// NewSimpleHGN returns the model for the types of h, with the widths of their features
// as [NewHeteroLinear] takes them. dropout is that of features and of attention.
func NewSimpleHGN(h *graph.Hetero, widths map[string]int, size SimpleHGNSizes, classes int, slope, dropout float64, r *nn.RNG) *SimpleHGN {
	wantPositive("SimpleHGN", size.Layers, classes)
	m := &SimpleHGN{Input: NewHeteroLinear(h, widths, size.Dim, r), Drop: nn.NewDropout(dropout, r), edgeTypes: h.EdgeTypes()}
	in, relations := size.Dim, len(m.edgeTypes)
	for i := range size.Layers {
		cfg := SimpleHGNConfig{Slope: slope, AttnDropout: dropout, Residual: i > 0}
		m.Convs = append(m.Convs, NewSimpleHGNConv(in, size.Dim, size.Heads, relations, size.EdgeDim, cfg, r))
		in = size.Heads * size.Dim
	}
	last := SimpleHGNConfig{Slope: slope, AttnDropout: dropout, Residual: true, Normalize: true}
	m.Convs = append(m.Convs, NewSimpleHGNConv(in, classes, 1, relations, size.EdgeDim, last, r))
	return m
}

// Forward returns the logits [N classes] of all vertices in the order of
// h.Homogeneous(), for a graph h with the types of vertices and edges that the model
// was made for, in their order, given the features of each type as [HeteroLinear]
// takes them. It panics with *[Error] for anything else.
func (m *SimpleHGN) Forward(h *graph.Hetero, xs map[string]*autograd.Var) *autograd.Var {
	wantModel("SimpleHGN", m)
	x := m.Input.Forward(h, xs)
	wantRelations("SimpleHGN", h, m.edgeTypes)
	return m.layers(h.Homogeneous().Graph, x)
}

// ForwardOn returns the logits of the vertices of g, which has the types of the model
// by number, in the order of g. xs and ids are as [HeteroLinear.ForwardOn] takes them.
func (m *SimpleHGN) ForwardOn(g *graph.Graph, xs map[string]*autograd.Var, ids map[string][]int32) *autograd.Var {
	wantModel("SimpleHGN", m)
	return m.layers(g, m.Input.ForwardOn(g, xs, ids))
}

func (m *SimpleHGN) layers(g *graph.Graph, x *autograd.Var) *autograd.Var {
	var prev *autograd.Var
	last := len(m.Convs) - 1
	for _, l := range m.Convs[:last] {
		var alpha *autograd.Var
		x, alpha = l.ForwardAttention(g, m.Drop.Forward(x), prev)
		x, prev = x.ELU(1), alpha.Detach()
	}
	return m.Convs[last].Forward(g, m.Drop.Forward(x), nil)
}

// wantRelations panics unless h has the edge types that a model was made for: each has
// weights of its own, found by its place among them.
func wantRelations(model string, h *graph.Hetero, types []graph.EdgeType) {
	if have := h.EdgeTypes(); !slices.Equal(have, types) {
		misuse(model, "the graph has the edge types %v, the model was made for %v", have, types)
	}
}
