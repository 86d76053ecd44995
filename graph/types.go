// Vertices and edges in order of their types.

package graph

import (
	"slices"
	"sync"
)

// TypeOrder lists vertices, or edges, by type: those of type t are
// Order[Offsets[t]:Offsets[t+1]], in order of ids. If the graph gives them no
// types, they are all of one type: Offsets is [0, n] and Order the identity (the
// graph's number of types is 0 nevertheless). All fields are read-only.
type TypeOrder struct {
	Order   []int32 // every id once; 32 zero entries lie past its length, within its capacity
	Offsets []int32 // NumTypes()+1 entries; the last is the number of ids

	identity bool
}

// NumTypes returns the number of types, 1 where there are none.
func (o *TypeOrder) NumTypes() int { return len(o.Offsets) - 1 }

// OfType returns the ids of type t, ascending. Read-only.
func (o *TypeOrder) OfType(t int) []int32 { return o.Order[o.Offsets[t]:o.Offsets[t+1]] }

// IsIdentity tells whether ids are in order of types already, so that entry i
// of Order is i and rows of features need not be gathered to lie type by type.
func (o *TypeOrder) IsIdentity() bool { return o.identity }

// lazyOrder builds a TypeOrder when it is first needed.
type lazyOrder struct {
	types          []int32 // nil: no types
	numTypes, size int

	once  sync.Once
	order *TypeOrder
}

func (l *lazyOrder) get() *TypeOrder {
	l.once.Do(func() { l.order = newTypeOrder(l.types, l.numTypes, l.size) })
	return l.order
}

// newTypeOrder is one stable counting sort by type. O(size + types).
func newTypeOrder(types []int32, numTypes, size int) *TypeOrder {
	if types == nil {
		return &TypeOrder{Order: paddedCopy(iota32(size)), Offsets: []int32{0, int32(size)}, identity: true}
	}
	return &TypeOrder{
		Order:    sortBy(nil, types, numTypes),
		Offsets:  countOffsets(numTypes, types),
		identity: slices.IsSorted(types),
	}
}
