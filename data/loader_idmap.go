// Numbering the vertices of a batch.

package data

import "math/bits"

// idMap gives vertices consecutive ids from 0 on, in the order in which they
// come. It is a hash table with open addressing, as large as the batch and not as
// the graph. The zero value is ready.
type idMap struct {
	list  []int32 // the vertex of each id
	slots []slot  // a power of two, at most half full
	shift uint    // 64 - log2 of their number
}

// slot is a vertex and its id; no vertex is -1, so stored as vertex+1.
type slot struct{ vertex, id int32 }

const minSlots = 1 << 10

func (m *idMap) len() int { return len(m.list) }

// reset forgets all vertices.
func (m *idMap) reset() {
	m.list = m.list[:0]
	clear(m.slots)
}

// id returns the id of v, a new one if it has none.
func (m *idMap) id(v int32) int32 {
	if 2*len(m.list) >= len(m.slots) {
		m.grow()
	}
	s := m.find(v)
	if s.vertex != v+1 {
		*s = slot{v + 1, int32(len(m.list))}
		m.list = append(m.list, v)
	}
	return s.id
}

// lookup returns the id of v, if it has one.
func (m *idMap) lookup(v int32) (id int32, ok bool) {
	if len(m.list) == 0 {
		return 0, false
	}
	s := m.find(v)
	return s.id, s.vertex == v+1
}

// find returns the slot of v, or the empty one where it belongs.
func (m *idMap) find(v int32) *slot {
	mask := len(m.slots) - 1
	at := int(uint64(v) * 0x9E3779B97F4A7C15 >> m.shift) // Fibonacci hashing
	for {
		s := &m.slots[at&mask]
		if s.vertex == v+1 || s.vertex == 0 {
			return s
		}
		at++
	}
}

func (m *idMap) grow() {
	n := max(minSlots, 2*len(m.slots))
	m.slots, m.shift = make([]slot, n), uint(64-bits.Len(uint(n-1)))
	for id, v := range m.list {
		*m.find(v) = slot{v + 1, int32(id)}
	}
}
