// Compressed sparse rows of a graph, built by counting sort where the edges are not in order.

package graph

import "sync"

// CSR lists the edges of a graph by row: row r owns positions
// [Offsets[r], Offsets[r+1]) of Neighbors and EdgeIDs. Within a row, edges stand
// in order of ids; if edges have types, in order of (type, id), so that a row's
// edges of one type lie side by side and a typed parameter is read once for all
// of them. The first edge of a row by id is then not at its first position.
// All fields are read-only. The lists of edges that stand in this order by their ids, too, as
// those of sampled blocks do, are the graph's own.
type CSR struct {
	Offsets   []int32 // NumRows()+1 entries; the last is the number of edges
	Neighbors []int32 // the other end of each edge; 32 zero entries lie past its length, within its capacity
	EdgeIDs   []int32 // the id of each edge; padded like Neighbors
	Types     []int32 // the type of each edge, padded like Neighbors; nil if edges have no types
	Vertices  []int32 // the vertex of each row; nil if row v is vertex v (see [Graph.LocalIn])

	numCols   int
	numTypes  int // of edges, 0 if they have none
	maxDegree int

	degreesOnce sync.Once
	degrees     []int32
	orderOnce   sync.Once
	order       []int32
	idsOnce     sync.Once
	idsInOrder  bool

	typeOffsetsOnce sync.Once
	typeOffsets     []int32
	covers          lazyCovers
	positions       lazyPositions
	localOnce       sync.Once
	local           *CSR // the same rows in another order
}

// lazyCSR builds a CSR of edges (rows[e], cols[e]) when it is first needed.
type lazyCSR struct {
	numRows, numCols int
	rows, cols       []int32
	byType           *lazyOrder // of the edges

	once sync.Once
	csr  *CSR
}

func (l *lazyCSR) get() *CSR {
	l.once.Do(func() {
		var c *CSR
		if l.inOrder() {
			c = l.asTheyStand()
		} else {
			c = l.sorted()
		}
		for r := range l.numRows {
			c.maxDegree = max(c.maxDegree, c.Degree(r))
		}
		l.csr = c
	})
	return l.csr
}

// inOrder tells whether the edges stand in the order of the CSR, that of (row, type), as those
// of sampled blocks and of sorted graphs do.
func (l *lazyCSR) inOrder() bool {
	rows, types := l.rows, l.byType.types
	for e := 1; e < len(rows); e++ {
		if rows[e] < rows[e-1] || types != nil && rows[e] == rows[e-1] && types[e] < types[e-1] {
			return false
		}
	}
	return true
}

// asTheyStand is the CSR of edges in its order: their lists are those of the graph.
// O(rows + edges).
func (l *lazyCSR) asTheyStand() *CSR {
	c := &CSR{
		Offsets:   countOffsets(l.numRows, l.rows),
		Neighbors: l.cols,
		EdgeIDs:   padded(len(l.rows)),
		Types:     l.byType.types,
		numCols:   l.numCols,
		numTypes:  l.byType.numTypes,
	}
	for e := range c.EdgeIDs {
		c.EdgeIDs[e] = int32(e)
	}
	c.idsOnce.Do(func() { c.idsInOrder = true })
	return c
}

// sorted is one stable counting sort by row of the edges in order of types, or of ids if
// they have none: within a row they stay in this order. O(rows + edges).
func (l *lazyCSR) sorted() *CSR {
	rows, cols, types := l.rows, l.cols, l.byType.types
	c := &CSR{
		Offsets:   countOffsets(l.numRows, rows),
		Neighbors: padded(len(rows)),
		EdgeIDs:   padded(len(rows)),
		numCols:   l.numCols,
		numTypes:  l.byType.numTypes,
	}
	var order []int32 // nil for that of ids
	if types != nil {
		order = l.byType.get().Order
		c.Types = padded(len(rows))
	}
	next := make([]int32, l.numRows)
	copy(next, c.Offsets)
	for i := range rows {
		e := int32(i)
		if order != nil {
			e = order[i]
		}
		at := next[rows[e]]
		next[rows[e]]++
		c.Neighbors[at] = cols[e]
		c.EdgeIDs[at] = e
		if types != nil {
			c.Types[at] = types[e]
		}
	}
	return c
}

// countOffsets returns n+1 offsets: keys equal to k belong to positions
// [out[k], out[k+1]) of the sorted list.
func countOffsets(n int, keys []int32) []int32 {
	offsets := make([]int32, n+1)
	for _, k := range keys {
		offsets[k+1]++
	}
	for i := range n {
		offsets[i+1] += offsets[i]
	}
	return offsets
}

// NumRows returns the number of rows.
func (c *CSR) NumRows() int { return len(c.Offsets) - 1 }

// NumCols returns the number of vertices that Neighbors may name.
func (c *CSR) NumCols() int { return c.numCols }

// Degree returns the number of edges of row r.
func (c *CSR) Degree(r int) int { return int(c.Offsets[r+1] - c.Offsets[r]) }

// vertexOf returns the vertex of a row.
func (c *CSR) vertexOf(row int) int32 {
	if c.Vertices != nil {
		return c.Vertices[row]
	}
	return int32(row)
}

// MaxDegree returns the largest degree of a row, 0 if there are no rows.
func (c *CSR) MaxDegree() int { return c.maxDegree }

// Row returns the neighbours and the edge ids of row r, in order of edge ids; if
// edges have types, of (type, id). Read-only.
func (c *CSR) Row(r int) (neighbors, edgeIDs []int32) {
	lo, hi := c.Offsets[r], c.Offsets[r+1]
	return c.Neighbors[lo:hi], c.EdgeIDs[lo:hi]
}

// Degrees returns the degree of every row. Built once, O(rows). Read-only.
func (c *CSR) Degrees() []int32 {
	c.degreesOnce.Do(func() {
		c.degrees = make([]int32, c.NumRows())
		for r := range c.degrees {
			c.degrees[r] = c.Offsets[r+1] - c.Offsets[r]
		}
	})
	return c.degrees
}

// DegreeOrder returns the rows by descending degree, equal degrees in order of
// rows: work handed out in this order starts with the hubs, so none is left
// alone at the end. Built once by counting sort, O(rows + MaxDegree).
// Read-only.
func (c *CSR) DegreeOrder() []int32 {
	c.orderOnce.Do(func() {
		keys := make([]int32, c.NumRows()) // small keys for large degrees
		for r := range keys {
			keys[r] = int32(c.maxDegree - c.Degree(r))
		}
		c.order = sortBy(nil, keys, c.maxDegree+1)
	})
	return c.order
}

// IDsInOrder tells whether edge e stands at position e for all edges, as in In of a graph that
// [Graph.SortEdges] has made: what there is for each edge then lies side by side for a row. Looked
// up once, O(E).
func (c *CSR) IDsInOrder() bool {
	c.idsOnce.Do(func() {
		for i, e := range c.EdgeIDs {
			if e != int32(i) {
				return
			}
		}
		c.idsInOrder = true
	})
	return c.idsInOrder
}

// sortBy returns the entries of perm (nil: every index of keys) stably sorted
// by keys[entry], where keys are in [0, n); padded. O(n + len(keys)).
func sortBy(perm, keys []int32, n int) []int32 {
	next := countOffsets(n, keys)
	out := padded(len(keys))
	for i := range keys {
		e := int32(i)
		if perm != nil {
			e = perm[i]
		}
		k := keys[e]
		out[next[k]] = e
		next[k]++
	}
	return out
}
