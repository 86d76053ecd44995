package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestCopyRowsCopiesEachRow(t *testing.T) {
	forSets(t, testCopyRows[float32], testCopyRows[float64])
}

func testCopyRows[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(201, 202))
	for _, width := range []int{0, 1, 15, 16, 17, 32, 48, 64, 100, 256} {
		for _, rows := range []int{0, 1, 2, 7, 40} {
			for _, gap := range []int{0, 3, 64} {
				step, stride := width+gap, width+gap%5
				x, dst := newGuarded[T](max(rows-1, 0)*stride+width, rows%8), newGuarded[T](max(rows-1, 0)*step+width, width%5)
				fillRandom(r, x.s, rows == 7)
				fillRandom(r, dst.s, false)
				want := append([]T(nil), dst.s...)
				for i := range rows {
					copy(want[i*step:][:width], x.s[i*stride:])
				}
				set.CopyRows(dst.s, step, x.s, stride, width, rows)
				compare(t, fmt.Sprintf("CopyRows width=%d rows=%d gap=%d", width, rows, gap), dst, want)
			}
		}
	}
}

func TestCopyRowsRefusesShortSlices(t *testing.T) {
	forSets(t, testCopyRowsShort[float32], testCopyRowsShort[float64])
}

func testCopyRowsShort[T Float](t *testing.T, set *Set[T]) {
	for name, f := range map[string]func(){
		"dst":    func() { set.CopyRows(make([]T, 79), 32, make([]T, 80), 32, 16, 3) },
		"x":      func() { set.CopyRows(make([]T, 80), 32, make([]T, 79), 32, 16, 3) },
		"step":   func() { set.CopyRows(make([]T, 80), -1, make([]T, 80), 32, 16, 3) },
		"stride": func() { set.CopyRows(make([]T, 80), 32, make([]T, 80), -1, 16, 3) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("short %s: no panic", name)
				}
			}()
			f()
		}()
	}
}
