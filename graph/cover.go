// Products with matrices of edge types: which of them edges share, in what order.

package graph

import (
	"cmp"
	"slices"
	"sync"
)

// Cover is the edges of a CSR with types, laid out for Σ_e x_e·W[type e] over each row's
// edges with few products. Each pair of a row and a type that has edges is direct or
// through. The edges of a direct pair are summed first, and their sum is multiplied with
// the type's matrix. Those of a through pair read products of their other ends, which
// others read too: a source is a vertex and a type whose product is made once. So a leaf
// of a hub needs no product of its own, whichever way its edge runs.
//
// Which pairs are through is, for each type, a vertex cover of a bipartite graph; products
// are few where it is small. It is found in one walk, in which a row takes its edges if one of
// them would be the last that its other end has left; on random graphs with hubs it is 2 %
// larger than the least one (the size of a greatest matching, König 1931).
//
// Rows come in blocks; in PairRows and SourceRows they are vertices. With T types:
type Cover struct {
	Rows []int32 // block b is rows [Rows[b], Rows[b+1])

	// The direct pairs of block b and type t are [PairOffsets[b*T+t], PairOffsets[b*T+t+1]),
	// those of fewest edges first, then in order of rows: a loop over the edges of one pair after
	// another ends where the processor expects it to. Pair p is of row PairRows[p], has place
	// PairPlaces[p], i*T+t for row i of the block, and edges [EdgeOffsets[p], EdgeOffsets[p+1]) of
	// Direct, which has their other ends.
	PairOffsets, PairRows, PairPlaces, EdgeOffsets, Direct []int32
	// The direct pairs of row r, counted from its block's first, are
	// RowPairs[RowOffsets[r]:RowOffsets[r+1]].
	RowOffsets, RowPairs []int32

	// The through edges of row r have positions [ThroughOffsets[r], ThroughOffsets[r+1]) of
	// Through, which has their sources, and of ThroughPlaces, which has the places of their pairs.
	ThroughOffsets, Through, ThroughPlaces []int32
	// Source s is vertex Sources[s]; those of type t are [OfTypes[t], OfTypes[t+1]). Its
	// edges belong to rows SourceRows[SourceOffsets[s]:SourceOffsets[s+1]]. A vertex with
	// more than LongRow edges of a type is several sources.
	Sources, OfTypes, SourceOffsets, SourceRows []int32
}

// Blocks end with the row with which they have so many rows, or so many pairs, in all or of
// each type; they have no more edges than a long row. A longer row is a block of its own, of
// direct pairs.
const (
	CoverRows      = 512
	CoverPairs     = 384
	CoverTypePairs = 6
	LongRow        = 8192
)

// NumBlocks returns the number of blocks.
func (v *Cover) NumBlocks() int { return len(v.Rows) - 1 }

// CoverSize is how many products a cover has: one for each direct pair and source.
type CoverSize struct{ Direct, Sources int }

// lazyCovers are the covers of a CSR, each built when it is first needed.
type lazyCovers struct {
	once   sync.Once
	shared coverChoice
	sizes  [2]CoverSize

	built  [2]sync.Once
	covers [2]*Cover
}

// canBeCovered tells whether the CSR has types, and lists of all pairs of a vertex and a
// type are at most three times as long as the edges.
func (c *CSR) canBeCovered() bool {
	return c.Types != nil && max(c.NumRows(), c.numCols)*c.numTypes <= 3*len(c.Neighbors)
}

// CoverSizes returns the sizes of the covers without and with sources, and whether there
// are any (see [CSR.Cover]). Counted once, O(rows*T + columns*T + edges).
func (c *CSR) CoverSizes() (direct, shared CoverSize, ok bool) {
	if !c.canBeCovered() {
		return CoverSize{}, CoverSize{}, false
	}
	c.covers.once.Do(func() {
		c.covers.shared = c.chooseSources()
		for i := range c.covers.sizes {
			c.covers.sizes[i] = c.builder(i == 1).size()
		}
	})
	return c.covers.sizes[0], c.covers.sizes[1], true
}

// Cover returns the cover of a CSR with types; without sources, all pairs are direct. It is
// nil where CoverSizes has none. Built once, O(rows*T + columns*T + edges). Read-only.
func (c *CSR) Cover(sources bool) *Cover {
	if _, _, ok := c.CoverSizes(); !ok {
		return nil
	}
	i := 0
	if sources {
		i = 1
	}
	c.covers.built[i].Do(func() {
		b := c.builder(sources)
		b.cut()
		b.list()
		c.covers.covers[i] = &b.Cover
	})
	return c.covers.covers[i]
}

// coverChoice tells for each pair of another end u and a type t, u*T+t, whether it may be a
// source.
type coverChoice []bool

type coverBuilder struct {
	Cover
	csr     *CSR
	types   int
	offsets []int32     // of the pairs of rows and types
	sources coverChoice // nil for none
	first   []int32     // source of each of them, where it is one
}

func (c *CSR) builder(sources bool) *coverBuilder {
	b := &coverBuilder{csr: c, types: c.numTypes, offsets: c.TypeOffsets()}
	if sources {
		b.sources = c.covers.shared
		b.number()
	}
	return b
}

// size counts the products.
func (b *coverBuilder) size() CoverSize {
	n := CoverSize{Sources: len(b.Sources)}
	for r := range b.csr.NumRows() {
		n.Direct += b.directPairs(r)
	}
	return n
}

// directPairs counts those of a row.
func (b *coverBuilder) directPairs(row int) (n int) {
	for t := range b.types {
		if len(b.neighbors(row, t)) > 0 && !b.isThrough(row, t) {
			n++
		}
	}
	return n
}

// neighbors are the other ends of the edges of a row and a type.
func (b *coverBuilder) neighbors(row, typ int) []int32 {
	i := row*b.types + typ
	return b.csr.Neighbors[b.offsets[i]:b.offsets[i+1]]
}

// chooseSources decides which pairs of other ends and types may be sources.
func (c *CSR) chooseSources() coverChoice {
	b := c.builder(false)
	b.sources = make(coverChoice, c.numCols*b.types)
	left := make([]int32, len(b.sources)) // edges that no row has taken
	for p, u := range b.csr.Neighbors {
		left[int(u)*b.types+int(b.csr.Types[p])]++
	}
	for r := range b.csr.NumRows() {
		long := b.csr.Degree(r) > LongRow
		for t := range b.types {
			neighbors := b.neighbors(r, t)
			open := int32(0)
			for _, u := range neighbors {
				if !b.sources[int(u)*b.types+t] {
					open++
				}
			}
			takes := long || slices.ContainsFunc(neighbors, func(u int32) bool {
				i := int(u)*b.types + t
				return !b.sources[i] && left[i] <= open
			})
			for _, u := range neighbors {
				switch i := int(u)*b.types + t; {
				case b.sources[i]:
				case takes:
					left[i]--
				default:
					b.sources[i] = true
				}
			}
		}
	}
	return b.sources
}

// isThrough tells whether a pair that has edges is through: if all other ends are sources.
func (b *coverBuilder) isThrough(row, typ int) bool {
	return b.sources != nil && b.csr.Degree(row) <= LongRow && !slices.ContainsFunc(b.neighbors(row, typ), func(u int32) bool {
		return !b.sources[int(u)*b.types+typ]
	})
}

// number lists those sources that have edges.
func (b *coverBuilder) number() {
	b.first = make([]int32, len(b.sources))
	for r := range b.csr.NumRows() {
		for t := range b.types {
			if b.isThrough(r, t) {
				for _, u := range b.neighbors(r, t) {
					b.first[int(u)*b.types+t]++
				}
			}
		}
	}
	b.OfTypes, b.SourceOffsets = []int32{0}, []int32{0}
	edges := int32(0)
	for t := range b.types {
		for u := range b.csr.numCols {
			first := &b.first[u*b.types+t]
			left := *first
			*first = int32(len(b.Sources))
			for ; left > 0; left -= LongRow {
				edges += min(left, LongRow)
				b.Sources, b.SourceOffsets = append(b.Sources, int32(u)), append(b.SourceOffsets, edges)
			}
		}
		b.OfTypes = append(b.OfTypes, int32(len(b.Sources)))
	}
	b.SourceRows = make([]int32, edges)
}

// cut cuts the rows into blocks.
func (b *coverBuilder) cut() {
	b.Rows = []int32{0}
	pairs, edges := 0, 0
	for r := range b.csr.NumRows() {
		degree := b.csr.Degree(r)
		rows := r - int(b.Rows[len(b.Rows)-1])
		if rows > 0 && (rows >= CoverRows || pairs >= max(CoverPairs, CoverTypePairs*b.types) || edges+degree > LongRow) {
			b.Rows, pairs, edges = append(b.Rows, int32(r)), 0, 0
		}
		edges += degree
		pairs += b.directPairs(r)
	}
	if n := b.csr.NumRows(); n > 0 {
		b.Rows = append(b.Rows, int32(n))
	}
}

// list lists the edges, block by block.
func (b *coverBuilder) list() {
	through := len(b.SourceRows)
	b.Direct, b.Through, b.ThroughPlaces = make([]int32, 0, len(b.csr.Neighbors)-through), make([]int32, 0, through), make([]int32, 0, through)
	b.PairOffsets, b.EdgeOffsets = []int32{0}, []int32{0}
	b.RowOffsets, b.ThroughOffsets = []int32{0}, []int32{0}
	next := slices.Clone(b.SourceOffsets)
	for i := range b.NumBlocks() {
		b.block(int(b.Rows[i]), int(b.Rows[i+1]), next)
	}
}

// block lists the edges of rows [lo, hi); next is where the next row of each source goes.
func (b *coverBuilder) block(lo, hi int, next []int32) {
	base := len(b.PairRows)
	pairs := make([]int32, (hi-lo)*b.types) // direct ones by place, counted from 1
	rows := make([]int, 0, hi-lo)
	for t := range b.types {
		rows = rows[:0]
		for r := lo; r < hi; r++ {
			if len(b.neighbors(r, t)) > 0 && !b.isThrough(r, t) {
				rows = append(rows, r)
			}
		}
		slices.SortStableFunc(rows, func(x, y int) int { return cmp.Compare(len(b.neighbors(x, t)), len(b.neighbors(y, t))) })
		for _, r := range rows {
			place := (r-lo)*b.types + t
			b.PairRows, b.PairPlaces = append(b.PairRows, b.csr.vertexOf(r)), append(b.PairPlaces, int32(place))
			b.Direct = append(b.Direct, b.neighbors(r, t)...)
			b.EdgeOffsets = append(b.EdgeOffsets, int32(len(b.Direct)))
			pairs[place] = int32(len(b.PairRows) - base)
		}
		b.PairOffsets = append(b.PairOffsets, int32(len(b.PairRows)))
	}
	for r := lo; r < hi; r++ {
		for t := range b.types {
			place := (r-lo)*b.types + t
			if pairs[place] > 0 {
				b.RowPairs = append(b.RowPairs, pairs[place]-1)
				continue
			}
			for _, u := range b.neighbors(r, t) {
				s := &b.first[int(u)*b.types+t]
				b.Through, b.ThroughPlaces = append(b.Through, *s), append(b.ThroughPlaces, int32(place))
				b.SourceRows[next[*s]] = b.csr.vertexOf(r)
				if next[*s]++; next[*s] == b.SourceOffsets[*s+1] {
					*s++ // its next part, if there is one
				}
			}
		}
		b.RowOffsets, b.ThroughOffsets = append(b.RowOffsets, int32(len(b.RowPairs))), append(b.ThroughOffsets, int32(len(b.Through)))
	}
}
