// Package community finds groups of vertices that have more edges among each other than
// to the rest of a graph. It knows graphs as lists of neighbours only, so that package
// graph can use it.
package community

// Rows is the neighbours of vertices along edges one way: those of v are
// Neighbors[Offsets[v]:Offsets[v+1]].
type Rows struct{ Offsets, Neighbors []int32 }

func (r Rows) of(v int32) []int32 { return r.Neighbors[r.Offsets[v]:r.Offsets[v+1]] }
