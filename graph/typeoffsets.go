// Where a row's edges of each type begin.

package graph

import "fmt"

// TypeOffsets returns where the edges of each row and type begin: those of row r and type
// t have positions [offsets[r*types+t], offsets[r*types+t+1]), maybe none. The last entry is
// the number of edges. types is the number of the graph's edge types; a CSR without types
// has nil. Built once, O(rows*types + edges). Read-only.
func (c *CSR) TypeOffsets(types int) []int32 {
	if c.Types == nil {
		return nil
	}
	c.typeOffsetsOnce.Do(func() {
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
	if len(c.typeOffsets) != c.NumRows()*types+1 {
		panic(fmt.Sprintf("BUG: graph: offsets of %d rows by %d types: there are %d", c.NumRows(), types, len(c.typeOffsets)))
	}
	return c.typeOffsets
}
