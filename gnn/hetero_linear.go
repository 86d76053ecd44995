package gnn

// The way into a heterogeneous model: features of different widths, or none, become
// rows of one width.

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/asterias-ml/asterias/autograd"
	"github.com/asterias-ml/asterias/graph"
	"github.com/asterias-ml/asterias/nn"
)

// HeteroLinear projects the features of each vertex type to one width with a weight
// and bias of the type, and gives vertices of types without features learned rows:
//
//	h_v = x_v W_τ + b_τ,  or  h_v = the row of v in the table of τ
//
// In states the parameters carry the names of the types: types.paper.weight,
// types.paper.bias, and types.author.weight for the table of a type without features.
type HeteroLinear struct {
	// Types is a struct with a field for each vertex type, an *nn.Linear or an
	// *nn.Embedding. It is made for the graph, which is what gives the parameters
	// their names; At returns its fields.
	Types any

	names  []string
	widths []int // of each type; 0 without features
	out    int
}

// NewHeteroLinear returns a layer for the vertex types of h to rows of out values,
// with Glorot-uniform weights and tables, biases of 0. widths has the number of features of each type by its name; types that it has no
// width above 0 for get a table with a row for each vertex of h.
func NewHeteroLinear(h *graph.Hetero, widths map[string]int, out int, r *nn.RNG, opts ...Option) *HeteroLinear {
	const name = "HeteroLinear"
	wantPositive(name, out)
	if h == nil || len(h.VertexTypes()) == 0 {
		misuse(name, "the graph has no vertex types")
	}
	for _, t := range slices.Sorted(maps.Keys(widths)) {
		if !slices.Contains(h.VertexTypes(), t) {
			misuse(name, "a width for type %q; the graph has %q", t, h.VertexTypes())
		}
		wantNotNegative(name, widths[t])
	}
	c := configure(opts)
	l := &HeteroLinear{names: h.VertexTypes(), out: out}
	var fields []reflect.StructField
	var parts []any
	for i, t := range l.names {
		var part any
		if n := widths[t]; n > 0 {
			linear := []nn.LinearOption{nn.WithDType(c.dtype), nn.WithInit(nn.GlorotUniform, nn.Zeros)}
			if c.noBias {
				linear = append(linear, nn.NoBias())
			}
			part = nn.NewLinear(n, out, r, linear...)
		} else {
			part = nn.NewEmbedding(h.NumVertices(t), out, nn.EmbeddingConfig{Init: nn.GlorotUniform, DType: c.dtype}, r)
		}
		l.widths = append(l.widths, widths[t])
		parts = append(parts, part)
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprint("T", i),
			Type: reflect.TypeOf(part),
			Tag:  reflect.StructTag("nn:" + strconv.Quote(t)),
		})
	}
	types := reflect.New(reflect.StructOf(fields))
	for i, part := range parts {
		types.Elem().Field(i).Set(reflect.ValueOf(part))
	}
	l.Types = types.Interface()
	return l
}

// At returns the module of vertex type i of the graph: an *nn.Linear, or an
// *nn.Embedding for a type without features.
func (l *HeteroLinear) At(i int) any {
	if l == nil || l.Types == nil {
		panic(notMade("HeteroLinear"))
	}
	types := reflect.ValueOf(l.Types).Elem()
	if i < 0 || i >= types.NumField() {
		misuse("HeteroLinear", "vertex type %d of %d", i, types.NumField())
	}
	return types.Field(i).Interface()
}

// Forward returns the rows [N out] of all vertices, in the order of h.Homogeneous(),
// for a graph h with the types that the layer was made for. xs has, for each type
// with features, those of its vertices, [n width], which may be a sparse constant. It
// panics with *[Error] for anything else.
func (l *HeteroLinear) Forward(h *graph.Hetero, xs map[string]*autograd.Var) *autograd.Var {
	if l == nil || l.Types == nil {
		panic(notMade("HeteroLinear"))
	}
	if h == nil || !slices.Equal(h.VertexTypes(), l.names) {
		misuse("HeteroLinear", "the graph has not the vertex types %q that the layer was made for", l.names)
	}
	return l.rows(h.Homogeneous().Graph, xs, nil, true)
}

// ForwardOn returns the rows [NumSrc out] of the vertices of g, or of the sources if it
// is a block, in the order that they have in g. Their types are those that the layer
// was made for, by number. xs has, for each type with features, those of its vertices
// in the order that they have among themselves in g, [n width]. ids has, for each type
// without features that has vertices in g, the rows of the table that these are, in the
// same order; they must not change before the backward pass. It panics with *[Error] for
// anything else.
func (l *HeteroLinear) ForwardOn(g *graph.Graph, xs map[string]*autograd.Var, ids map[string][]int32) *autograd.Var {
	if l == nil || l.Types == nil {
		panic(notMade("HeteroLinear"))
	}
	return l.rows(g, xs, ids, false)
}

// rows are the rows of the vertices of g. whole says that a type without features has all
// rows of its table in their order.
func (l *HeteroLinear) rows(g *graph.Graph, xs map[string]*autograd.Var, ids map[string][]int32, whole bool) *autograd.Var {
	const name = "HeteroLinear"
	switch {
	case g == nil:
		misuse(name, "the graph is nil")
	case g.NumSrcTypes() != len(l.names):
		misuse(name, "the graph has %d vertex types, the layer takes %d", g.NumSrcTypes(), len(l.names))
	}
	for _, t := range slices.Concat(slices.Sorted(maps.Keys(xs)), slices.Sorted(maps.Keys(ids))) {
		if !slices.Contains(l.names, t) {
			misuse(name, "features of type %q; the graph has %q", t, l.names)
		}
	}
	order := g.SrcByType()
	parts := make([]*autograd.Var, len(l.names))
	for i, t := range l.names {
		parts[i] = l.rowsOf(i, xs[t], ids[t], len(order.OfType(i)), whole)
	}
	all := autograd.Concat(0, parts...)
	if order.IsIdentity() {
		return all
	}
	at := make([]int32, len(order.Order)) // where the rows are that lie type by type
	for i, v := range order.Order {
		at[v] = int32(i)
	}
	return all.IndexSelect(at)
}

// rowsOf are the rows of the n vertices of type i.
func (l *HeteroLinear) rowsOf(i int, x *autograd.Var, ids []int32, n int, whole bool) *autograd.Var {
	const name = "HeteroLinear"
	t := l.names[i]
	if part, ok := l.At(i).(*nn.Linear); ok {
		if ids != nil {
			misuse(name, "ids of type %q, which the layer has no table for", t)
		}
		wantRows(name, fmt.Sprintf("x of type %q", t), x, n, "vertices of the type", l.widths[i])
		return part.Forward(x)
	}
	table := l.At(i).(*nn.Embedding)
	switch have := table.Weight.Shape()[0]; {
	case x != nil:
		misuse(name, "features of type %q, which the layer has a table for", t)
	case whole && have != n:
		misuse(name, "the table of type %q has %d rows, the graph %d vertices of the type", t, have, n)
	case whole:
		return table.Weight
	case ids == nil && n > 0: // which vertices these are is not known, even of as many as the table has rows
		misuse(name, "no ids of type %q, which has no features: want the row of the table for each of its %d vertices", t, n)
	case len(ids) != n:
		misuse(name, "%d ids for %d vertices of type %q", len(ids), n, t)
	}
	return table.Forward(ids)
}
