package plugin

// Where operands lie in shared memory. Each has a slot of whole pages:
//
//	| no access | hidden pages | pattern, operand, or operand, pattern | hidden pages | no access |
//	            0              lo      at ... at+size                  hi            capacity
//
// Hidden pages are those of the slot that the operand does not reach. An operand lies at
// one end of the slot, where no access begins.

import "unsafe"

// The slots. A graph's sources and destinations lie in the first two.
const (
	slotX = iota
	slotY
	slotW
	slotOut
	numSlots
)

// A placement is where an operand lies in its slot, in bytes.
type placement struct {
	lo, hi int // the pages that can be reached
	at     int // where the operand starts
	size   int
}

// place puts an operand to the back or the front of a slot. Capacity is whole pages.
func place(size, capacity, page int, back bool) placement {
	p := placement{size: size, hi: roundUp(size, page)}
	if back {
		p.at = capacity - size
		p.lo, p.hi = p.at/page*page, capacity
	}
	if size == 0 {
		p.hi = p.lo
	}
	return p
}

func roundUp(n, page int) int { return (n + page - 1) / page * page }

// pattern fills what can be reached and is not the operand's: a NaN, and as an id out of
// every range.
const pattern uint32 = 0x7ff5a5a5

// fill writes the pattern around an operand.
func (p placement) fill(slot []byte) {
	for _, around := range [][]uint32{words(slot[p.lo:p.at]), words(slot[p.at+p.size : p.hi])} {
		for i := range around {
			around[i] = pattern
		}
	}
}

// damage looks for what is not the pattern any more and returns how many bytes before the
// operand and after its end the nearest of it is, -1 where there is none.
func (p placement) damage(slot []byte) (before, after int) {
	before, after = -1, -1
	front, back := words(slot[p.lo:p.at]), words(slot[p.at+p.size:p.hi])
	for i, v := range front {
		if v != pattern {
			before = 4 * (len(front) - i)
		}
	}
	for i, v := range back {
		if v != pattern {
			after = 4 * i
			break
		}
	}
	return before, after
}

// words is memory as words. Operands are made of words.
func words(b []byte) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// bytesOf is a slice as bytes.
func bytesOf[T float32 | int32](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), 4*len(s))
}

// An operand is what a call has in a slot.
type operand struct {
	name     string
	slot     int
	data     []byte // the caller's
	writable bool
	placement
}
