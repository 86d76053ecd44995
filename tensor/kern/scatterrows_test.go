package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"
)

func TestScatterRowsWritesEachRowWhereItsIDSays(t *testing.T) {
	forSets(t, testScatterRows[float32], testScatterRows[float64])
}

func testScatterRows[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(203, 204))
	const places = 50
	for _, width := range []int{0, 1, 3, 8, 15, 16, 24, 32, 48, 64, 100, 128} {
		for _, rows := range []int{0, 1, 2, 7, 40} {
			for _, aligned := range []bool{true, false} {
				x, dst := newGuarded[T](rows*width, rows%8), guardedAt[T](places*width, aligned)
				fillRandom(r, x.s, rows == 7)
				fillRandom(r, dst.s, false)
				ids := make([]int32, rows)
				for i, id := range r.Perm(places)[:rows] {
					ids[i] = int32(id)
				}
				for _, past := range []bool{false, true} {
					want := append([]T(nil), dst.s...)
					for i, id := range ids {
						copy(want[int(id)*width:][:width], x.s[i*width:])
					}
					set.ScatterRows(dst.s, x.s, width, ids, past)
					compare(t, fmt.Sprintf("ScatterRows width=%d rows=%d aligned=%v past=%v", width, rows, aligned, past), dst, want)
				}
			}
		}
	}
}

// guardedAt returns a guarded slice that begins with a line of the cache, or does not.
func guardedAt[T Float](n int, aligned bool) *guarded[T] {
	for offset := 0; ; offset++ {
		g := newGuarded[T](n, offset)
		if uintptr(unsafe.Pointer(unsafe.SliceData(g.s)))%64 == 0 == aligned {
			return g
		}
	}
}

func TestScatterRowsRefusesFewerRowsThanIDs(t *testing.T) {
	forSets(t, testScatterRowsShort[float32], testScatterRowsShort[float64])
}

func testScatterRowsShort[T Float](t *testing.T, set *Set[T]) {
	for _, width := range []int{1, 3, 16} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("width %d: no panic", width)
				}
			}()
			set.ScatterRows(make([]T, 4*width), make([]T, 3*width-1), width, []int32{0, 1, 2}, false)
		}()
	}
}
