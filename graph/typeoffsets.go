// Where a row's edges of each type begin.

package graph

import "slices"

// TypeOffsets returns where the edges of each row and type begin: with T types of edges,
// those of row r and type t have positions [offsets[r*T+t], offsets[r*T+t+1]), maybe none.
// The last entry is the number of edges. A CSR without types has nil. Built once,
// O(rows*T + edges). Read-only.
func (c *CSR) TypeOffsets() []int32 {
	if c.Types == nil {
		return nil
	}
	c.typeOffsetsOnce.Do(func() { c.typeOffsets = CutByType(nil, c.Offsets, c.Types, c.numTypes) })
	return c.typeOffsets
}

// CutByType cuts rows of edges by type, as [CSR.TypeOffsets] does, for some rows of a CSR
// or some of their edges: those of row r and type t have positions [bounds[r*numTypes+t],
// bounds[r*numTypes+t+1]), counted from the first row's first edge. Row r owns positions
// [offsets[r], offsets[r+1]); types has the type of each edge from the first row's first on,
// in [0, numTypes) and ascending within a row. The room of bounds is used if it suffices.
// O(rows*numTypes + edges).
func CutByType(bounds, offsets, types []int32, numTypes int) []int32 {
	rows, first := len(offsets)-1, offsets[0]
	bounds = slices.Grow(bounds[:0], rows*numTypes+1)[:rows*numTypes+1]
	clear(bounds)
	for r := range rows {
		lo, hi := offsets[r]-first, offsets[r+1]-first
		ends := bounds[r*numTypes+1:][:numTypes]
		for i, t := range types[lo:hi] { // the last one of a type stays
			ends[t] = lo + int32(i) + 1
		}
	}
	end := int32(0)
	for i, b := range bounds {
		end = max(end, b)
		bounds[i] = end
	}
	return bounds
}
