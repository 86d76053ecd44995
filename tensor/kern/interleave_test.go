package kern

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestInterleavePutsColumnsSideBySide(t *testing.T) {
	forSets(t, testInterleave[float32], testInterleave[float64])
}

func testInterleave[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(31, 32))
	for n := range 40 {
		for columns := range 35 {
			for _, step := range []int{columns, columns + 1, 40} {
				for _, stride := range []int{0, n, n + 3, 64} {
					x := newGuarded[T](max(columns-1, 0)*stride+n, n%8)
					fillRandom(r, x.s, n%3 == 0)
					dst := newGuarded[T](max(n-1, 0)*step+columns, n%5)
					fillRandom(r, dst.s, false)
					want := append([]T(nil), dst.s...)
					for i := range n {
						for c := range columns {
							want[i*step+c] = x.s[c*stride+i]
						}
					}
					set.Interleave(dst.s, step, x.s, stride, columns, n)
					compare(t, fmt.Sprintf("Interleave n=%d columns=%d step=%d stride=%d", n, columns, step, stride), dst, want)
				}
			}
		}
	}
}

func TestInterleaveRefusesShortSlices(t *testing.T) {
	set := For[float32]()
	for name, f := range map[string]func(){
		"dst":  func() { set.Interleave(make([]float32, 39), 8, make([]float32, 64), 8, 8, 5) },
		"x":    func() { set.Interleave(make([]float32, 64), 8, make([]float32, 60), 8, 8, 5) },
		"step": func() { set.Interleave(make([]float32, 64), 7, make([]float32, 64), 8, 8, 5) },
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

func BenchmarkInterleave(b *testing.B) {
	const n = 256
	dst, x := make([]float32, 32*n), make([]float32, 32*1024)
	forTwins(b, "Interleave", func(b *testing.B, set *Set[float32]) {
		b.SetBytes(4 * 32 * n)
		for b.Loop() {
			set.Interleave(dst, 32, x, 1024, 32, n)
		}
	})
}
