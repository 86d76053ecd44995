package ir

// Where a value lives, and the lattice in which residencies join.

// Residency says which element of the graph a value belongs to; it fixes the
// leading dimension of the tensor that would hold the value.
type Residency uint8

const (
	// Param values are shared by all vertices and edges; no leading dimension.
	Param Residency = iota
	// Src values have a row per source vertex, read through an edge's source.
	Src
	// Dst values have a row per destination vertex, read through an edge's
	// destination or by the vertex itself.
	Dst
	// Edge values have a row per edge.
	Edge
	// SrcType and DstType values have a row per vertex type, read through the
	// type of a source or destination; EdgeType values one per edge type
	// (Graphiler section 4.2 has the same residencies).
	SrcType
	DstType
	EdgeType

	numResidencies
)

var residencyNames = [numResidencies]string{
	Param: "param", Src: "src", Dst: "dst", Edge: "edge", SrcType: "srctype", DstType: "dsttype", EdgeType: "etype",
}

func (r Residency) String() string { return residencyNames[r] }

// What must be known to find the row of a value: the type of an edge or of one
// of its ends, or that end itself, which knows its type.
const (
	knowsSrcType = 1 << iota
	knowsDstType
	knowsEdgeType
	knowsSrc
	knowsDst
	knowsEdge
)

var knows = [numResidencies]uint8{
	SrcType:  knowsSrcType,
	DstType:  knowsDstType,
	EdgeType: knowsEdgeType,
	Src:      knowsSrcType | knowsSrc,
	Dst:      knowsDstType | knowsDst,
	Edge:     knowsSrcType | knowsDstType | knowsEdgeType | knowsSrc | knowsDst | knowsEdge,
}

// Join is the residency of an op over operands of residencies a and b: the
// least one at whose rows both can be read. Param is the identity, a type lies
// below its vertices and edges, and what has nothing else in common meets on
// the edge.
func Join(a, b Residency) Residency {
	both := knows[a] | knows[b]
	switch both {
	case knows[a]:
		return a
	case knows[b]:
		return b
	}
	return Edge
}

// Within tells whether a value of residency r can be read wherever level is
// iterated: every vertex value can be read at an edge, a type's value at its
// vertices or edges, a param anywhere.
func (r Residency) Within(level Residency) bool { return Join(r, level) == level }

// IsVertex tells whether values of residency r have a row per vertex.
func (r Residency) IsVertex() bool { return r == Src || r == Dst }

// Other is the residency of the vertices at the other ends of the edges of r's, Src or Dst.
func (r Residency) Other() Residency {
	if r == Src {
		return Dst
	}
	return Src
}

// IsType tells whether values of residency r have a row per type.
func (r Residency) IsType() bool { return r >= SrcType }

// TypeOf is the residency of the types of r's vertices or edges.
func (r Residency) TypeOf() Residency {
	switch r {
	case Src:
		return SrcType
	case Dst:
		return DstType
	}
	return EdgeType
}

// Dir is the side of a vertex whose edges an aggregation runs over.
type Dir uint8

const (
	// In aggregates over in-edges: the result lives on destinations.
	In Dir = iota
	// Out aggregates over out-edges: the result lives on sources.
	Out
)

func (d Dir) String() string {
	if d == Out {
		return "out"
	}
	return "in"
}

// Rows is the residency of the vertices whose edges d aggregates.
func (d Dir) Rows() Residency {
	if d == Out {
		return Src
	}
	return Dst
}

// Over is the direction of the edges that belong to a vertex of residency r, or
// to one of its types.
func Over(r Residency) Dir {
	if r == Src || r == SrcType {
		return Out
	}
	return In
}
