// Heterogeneous graphs: vertices and edges of several named types.

package graph

import (
	"fmt"
	"slices"
	"sync"
	"unicode/utf8"
)

// EdgeType is the canonical type of an edge, a relation: what it is called and
// the vertex types it leads from and to. One name may serve several relations
// between other vertex types.
type EdgeType struct{ Src, Name, Dst string }

// String writes the type as its fields in brackets, such as (author, writes,
// paper).
func (e EdgeType) String() string { return fmt.Sprintf("(%s, %s, %s)", e.Src, e.Name, e.Dst) }

// Hetero is the structure of a heterogeneous graph: a set of vertices for each
// vertex type, numbered from 0, and a graph for each edge type. It is immutable
// and safe for concurrent use.
//
// Types are in the order in which the builder was given them; their positions are
// the types of the homogeneous view.
type Hetero struct {
	vertexTypes []string
	numVertices []int
	edgeTypes   []EdgeType
	relations   []*Graph

	vertexIndex map[string]int
	edgeIndex   map[EdgeType]int

	viewOnce sync.Once
	view     *Homogeneous
}

// An UnknownTypeError reports a vertex or edge type that a heterogeneous graph
// does not have.
type UnknownTypeError struct {
	Op, Type string
	Known    []string
}

func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("graph: %s: no type %s; the graph has %v", e.Op, e.Type, e.Known)
}

// Misuse marks the error as wrong use of the API.
func (e *UnknownTypeError) Misuse() {}

// HeteroBuilder collects the types of a heterogeneous graph. The first fault in
// what it is given is the error of Build. The zero value is an empty builder:
//
//	h, err := new(graph.HeteroBuilder).
//		Vertices("author", 3).Vertices("paper", 4).
//		Edges(graph.EdgeType{Src: "author", Name: "writes", Dst: "paper"}, src, dst).
//		Build()
type HeteroBuilder struct {
	h        Hetero
	vertices int64
	edges    int64
	err      error
}

// Vertices adds a vertex type of n vertices, which may be 0.
func (b *HeteroBuilder) Vertices(name string, n int) *HeteroBuilder {
	if b.err != nil {
		return b
	}
	if name == "" {
		return b.fail("a vertex type without a name")
	}
	if !utf8.ValidString(name) { // parameters get names of types, and files hold no other text
		return b.fail("vertex type %q is not valid UTF-8", name)
	}
	if slices.Contains(b.h.vertexTypes, name) {
		return b.fail("vertex type %q is given twice", name)
	}
	if err := checkCount("vertices", int64(n)); err != nil {
		return b.fail("vertex type %q: %w", name, err)
	}
	b.vertices += int64(n)
	if err := checkCount("vertices", b.vertices); err != nil {
		return b.fail("vertex type %q: of all types: %w", name, err)
	}
	b.h.vertexTypes = append(b.h.vertexTypes, name)
	b.h.numVertices = append(b.h.numVertices, n)
	return b
}

// Edges adds an edge type between vertex types that were added before. Its edge e
// goes from vertex src[e] of type t.Src to vertex dst[e] of type t.Dst; there may
// be none. The lists are copied.
func (b *HeteroBuilder) Edges(t EdgeType, src, dst []int32) *HeteroBuilder {
	if b.err != nil {
		return b
	}
	if t.Name == "" {
		return b.fail("edge type %v has no name", t)
	}
	if slices.Contains(b.h.edgeTypes, t) {
		return b.fail("edge type %v is given twice", t)
	}
	from, to := slices.Index(b.h.vertexTypes, t.Src), slices.Index(b.h.vertexTypes, t.Dst)
	for _, end := range []struct {
		name string
		at   int
	}{{t.Src, from}, {t.Dst, to}} {
		if end.at < 0 {
			return b.fail("edge type %v: no vertex type %q; there are %q", t, end.name, b.h.vertexTypes)
		}
	}
	var g *Graph
	var err error
	if from == to {
		g, err = New(b.h.numVertices[from], src, dst)
	} else {
		g, err = NewBipartite(b.h.numVertices[from], b.h.numVertices[to], src, dst)
	}
	if err != nil {
		return b.fail("edge type %v: %w", t, err)
	}
	if from != to {
		g.relation = t
	}
	b.edges += int64(len(src))
	if err := checkCount("edges", b.edges); err != nil {
		return b.fail("edge type %v: of all types: %w", t, err)
	}
	b.h.edgeTypes = append(b.h.edgeTypes, t)
	b.h.relations = append(b.h.relations, g)
	return b
}

func (b *HeteroBuilder) fail(format string, args ...any) *HeteroBuilder {
	b.err = fmt.Errorf("graph: hetero: "+format, args...)
	return b
}

// Build returns the graph, or the first fault in what the builder was given: a
// name that is empty or given twice, a vertex type whose name is not valid UTF-8, an
// edge type between unknown vertex types, an end of an edge that is out of range,
// counts that exceed math.MaxInt32 over all types. The builder may go on being used; what was built does not change.
func (b *HeteroBuilder) Build() (*Hetero, error) {
	if b.err != nil {
		return nil, b.err
	}
	h := &Hetero{
		vertexTypes: slices.Clone(b.h.vertexTypes),
		numVertices: slices.Clone(b.h.numVertices),
		edgeTypes:   slices.Clone(b.h.edgeTypes),
		relations:   slices.Clone(b.h.relations),
		vertexIndex: make(map[string]int, len(b.h.vertexTypes)),
		edgeIndex:   make(map[EdgeType]int, len(b.h.edgeTypes)),
	}
	for i, name := range h.vertexTypes {
		h.vertexIndex[name] = i
	}
	for i, t := range h.edgeTypes {
		h.edgeIndex[t] = i
	}
	return h, nil
}

// VertexTypes returns the names of the vertex types. Read-only.
func (h *Hetero) VertexTypes() []string { return h.vertexTypes }

// EdgeTypes returns the canonical edge types. Read-only.
func (h *Hetero) EdgeTypes() []EdgeType { return h.edgeTypes }

// NumVertices returns the number of vertices of a type. It panics with an
// *UnknownTypeError if the graph has no such type.
func (h *Hetero) NumVertices(vertexType string) int {
	i, ok := h.vertexIndex[vertexType]
	if !ok {
		panic(&UnknownTypeError{Op: "NumVertices", Type: fmt.Sprintf("%q", vertexType), Known: h.vertexTypes})
	}
	return h.numVertices[i]
}

// NumEdges returns the number of edges of a type. It panics with an
// *UnknownTypeError if the graph has no such type.
func (h *Hetero) NumEdges(t EdgeType) int { return h.relation("NumEdges", t).NumEdges() }

// Relation returns the edges of one type as a graph without types: bipartite, or
// homogeneous if the type leads from a vertex type to itself. It panics with an
// *UnknownTypeError if the graph has no such type.
//
// Layers of package gnn take the features of both its ends with ForwardPair; where
// destinations are the first sources, as of blocks, they refuse a bipartite one
// ([Graph.Relation]).
func (h *Hetero) Relation(t EdgeType) *Graph { return h.relation("Relation", t) }

func (h *Hetero) relation(op string, t EdgeType) *Graph {
	i, ok := h.edgeIndex[t]
	if !ok {
		known := make([]string, len(h.edgeTypes))
		for i, e := range h.edgeTypes {
			known[i] = e.String()
		}
		panic(&UnknownTypeError{Op: op, Type: t.String(), Known: known})
	}
	return h.relations[i]
}

// Canonical returns the edge type of a name. It is an error if no edge type has
// the name or several have it.
func (h *Hetero) Canonical(name string) (EdgeType, error) {
	var found []EdgeType
	for _, t := range h.edgeTypes {
		if t.Name == name {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 0:
		return EdgeType{}, fmt.Errorf("graph: no edge type is named %q; the graph has %v", name, h.edgeTypes)
	case 1:
		return found[0], nil
	}
	return EdgeType{}, fmt.Errorf("graph: several edge types are named %q: %v", name, found)
}

// String describes the graph in a few words.
func (h *Hetero) String() string {
	vertices, edges := 0, 0
	for _, n := range h.numVertices {
		vertices += n
	}
	for _, r := range h.relations {
		edges += r.NumEdges()
	}
	return fmt.Sprintf("hetero graph(%d vertices of %d types, %d edges of %d types)",
		vertices, len(h.vertexTypes), edges, len(h.edgeTypes))
}
