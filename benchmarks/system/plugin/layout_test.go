package plugin

// Operands in slots.

import "testing"

func TestOperandsTouchTheEndOfWhatCanBeReached(t *testing.T) {
	const page = 64
	for _, capacity := range []int{page, 3 * page} {
		for size := 0; size <= capacity; size += 4 {
			for _, back := range []bool{false, true} {
				p := place(size, capacity, page, back)
				end := p.at + p.size
				switch {
				case p.size != size || p.at < 0 || end > capacity:
					t.Errorf("%d of %d bytes, back %t: from %d to %d", size, capacity, back, p.at, end)
				case size == 0 && p.lo != p.hi:
					t.Errorf("nothing, back %t: %d to %d can be reached", back, p.lo, p.hi)
				case p.lo%page != 0 || p.hi%page != 0 || p.lo > p.at || size > 0 && (p.at-p.lo >= page || p.hi-end >= page || p.hi < end):
					t.Errorf("%d bytes at %d, back %t: %d to %d can be reached", size, p.at, back, p.lo, p.hi)
				case back && end != capacity, !back && p.at != 0:
					t.Errorf("%d of %d bytes, back %t, lie from %d to %d", size, capacity, back, p.at, end)
				}
			}
		}
	}
}

func TestEveryWordBesideAnOperandIsLookedAt(t *testing.T) {
	const page = 64
	for size := 0; size <= 2*page; size += 4 {
		for _, back := range []bool{false, true} {
			slot := make([]byte, 3*page)
			p := place(size, len(slot), page, back)
			p.fill(slot)
			if before, after := p.damage(slot); before != -1 || after != -1 {
				t.Fatalf("%d bytes, back %t: damage where nothing was done: %d, %d", size, back, before, after)
			}
			for at := p.lo; at < p.hi; at += 4 {
				words(slot)[at/4] ^= 1
				before, after := p.damage(slot)
				wantBefore, wantAfter := -1, -1
				if at < p.at {
					wantBefore = p.at - at
				} else if at >= p.at+size {
					wantAfter = at - p.at - size
				}
				if before != wantBefore || after != wantAfter {
					t.Fatalf("%d bytes, back %t, a write at %d: damage %d, %d, want %d, %d", size, back, at, before, after, wantBefore, wantAfter)
				}
				words(slot)[at/4] ^= 1
			}
		}
	}
}
