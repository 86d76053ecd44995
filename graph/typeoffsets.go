// Where a row's edges of each type begin.

package graph

// TypeOffsets returns where the edges of each row and type begin: with T types of edges,
// those of row r and type t have positions [offsets[r*T+t], offsets[r*T+t+1]), maybe none.
// The last entry is the number of edges. A CSR without types has nil. Built once,
// O(rows*T + edges). Read-only.
func (c *CSR) TypeOffsets() []int32 {
	if c.Types == nil {
		return nil
	}
	c.typeOffsetsOnce.Do(func() {
		types := c.numTypes
		offsets := make([]int32, c.NumRows()*types+1)
		for r := range c.NumRows() {
			ends := offsets[r*types+1:][:types]
			for i := c.Offsets[r]; i < c.Offsets[r+1]; i++ {
				ends[c.Types[i]] = i + 1 // the last edge of a type stays
			}
		}
		for i := range offsets[1:] {
			offsets[i+1] = max(offsets[i+1], offsets[i])
		}
		c.typeOffsets = offsets
	})
	return c.typeOffsets
}
