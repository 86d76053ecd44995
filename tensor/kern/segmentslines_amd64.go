//go:build amd64 && !noasm

// Segments of rows that are a cache line each: from blocks to the assembly.

package kern

// lineTable is the bytes of a table from which on its rows are better prefetched.
const lineTable = 4 << 20

// linesInCache tells whether the block is all of such rows, of a table in the caches, with one
// weight an edge or none. Their sums begin here, rows have more than one edge, and nothing
// is prefetched for others.
func (p *picked) linesInCache(x []float32, width, group int) bool {
	const columns = 16
	return width == columns && group == width && 4*len(x) < lineTable && p.more == 0 && p.leaves == 0 && p.soon == 0
}

//go:noescape
func segmentGatherSumLinesAVX512(p *picked, acc *float32)

//go:noescape
func segmentFactorSumLinesAVX512(p *picked, acc *float32)

//go:noescape
func segmentScaleSumLinesAVX512(p *picked, acc *float32)
