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
)

var residencyNames = [...]string{Param: "param", Src: "src", Dst: "dst", Edge: "edge"}

func (r Residency) String() string { return residencyNames[r] }

// Join is the residency of an op over operands of residencies a and b: Param is
// the identity, and two different ones among src, dst and edge meet on the edge.
func Join(a, b Residency) Residency {
	switch {
	case a == b || b == Param:
		return a
	case a == Param:
		return b
	}
	return Edge
}

// Within tells whether a value of residency r can be read wherever level is
// iterated: every vertex value can be read at an edge, a param anywhere.
func (r Residency) Within(level Residency) bool { return Join(r, level) == level }

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

// Over is the direction of the edges that belong to a vertex of residency r.
func Over(r Residency) Dir {
	if r == Src {
		return Out
	}
	return In
}
