package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
)

// TestWinnersAreTheFirstOfTheLargest holds the three kernels to the definition, ties,
// NaN, infinities and ids in any order among the cases.
func TestWinnersAreTheFirstOfTheLargest(t *testing.T) {
	forSets(t, testWinners[float32], testWinners[float64])
}

func testWinners[T Float](t *testing.T, set *Set[T]) {
	const tableRows = 9
	r := rand.New(rand.NewPCG(31, 32))
	for _, width := range widths {
		for _, n := range idCounts {
			what := fmt.Sprintf("width=%d rows=%d", width, n)
			stride := width + n%2*5
			x := newGuarded[T](max(tableRows*stride, 1), width%8)
			fillRandom(r, x.s, n%3 == 1)
			for i := range x.s {
				if r.IntN(4) == 0 {
					x.s[i] = T(r.IntN(3)) // ties
				}
			}
			rows, ids := idSlice(r, n, tableRows), make([]int32, n)
			for e, p := range r.Perm(n) {
				ids[e] = int32(p * 3)
			}
			if n%2 == 0 {
				slices.Sort(ids)
			}
			best, arg := newGuarded[T](width, n%8), make([]int32, width+1)
			for k := range width {
				best.s[k], arg[k] = T(math.Inf(-1)), -1
			}
			arg[width] = 77
			half := n / 2
			set.GatherArgMax(best.s, arg[:width], x.s, stride, rows[:half], ids[:half])
			set.GatherArgMax(best.s, arg[:width], x.s, stride, rows[half:], ids[half:])
			wantBest, wantArg := make([]T, width), make([]int32, width)
			for k := range width {
				wantBest[k], wantArg[k] = T(math.Inf(-1)), -1
				for e, row := range rows {
					v, m := x.s[int(row)*stride+k], wantBest[k]
					larger := v > m || v != v && m == m
					if a := wantArg[k]; a < 0 || larger || same(v, m) && ids[e] < a {
						wantBest[k], wantArg[k] = v, ids[e]
					}
				}
			}
			compare(t, "GatherArgMax "+what, best, wantBest)
			if !slices.Equal(arg[:width], wantArg) || arg[width] != 77 {
				t.Fatalf("GatherArgMax %s: %v, want %v", what, arg, wantArg)
			}
			testSelection(t, set, r, what, width, n)
		}
	}
}

// testSelection finds and gathers the winners of random tables.
func testSelection[T Float](t *testing.T, set *Set[T], r *rand.Rand, what string, width, n int) {
	const tableRows = 9
	table, ids := make([]int32, tableRows*width), make([]int32, n)
	for i := range table {
		table[i] = int32(r.IntN(4*width+1)) - 1
	}
	for e := range ids {
		ids[e] = int32(r.IntN(4*width + 1))
	}
	rows, yRows := idSlice(r, n, tableRows), idSlice(r, n, tableRows)
	y, dst := newGuarded[T](max(tableRows*width, 1), width%7), newGuarded[T](n*width, n%8)
	fillRandom(r, y.s, n%2 == 1)
	want, live := make([]T, n*width), []int32{}
	for e := range n {
		won := false
		for k := range width {
			if table[int(rows[e])*width+k] == ids[e] {
				want[e*width+k], won = y.s[int(yRows[e])*width+k], true
			}
		}
		if won {
			live = append(live, int32(e))
		}
	}
	set.GatherWinners(dst.s, y.s, table, width, yRows, rows, ids)
	compare(t, "GatherWinners "+what, dst, want)
	words := (width + 63) / 64
	masks, wantMasks := make([]uint64, n*words+1), make([]uint64, n*words+1)
	for i := range masks {
		masks[i] = 77
	}
	wantMasks[n*words] = 77
	for e := range n {
		for k := range width {
			if table[int(rows[e])*width+k] == ids[e] {
				wantMasks[e*words+k/64] |= 1 << (k % 64)
			}
		}
	}
	if set.MarkWinners(masks, table, width, rows, ids); !slices.Equal(masks, wantMasks) {
		t.Fatalf("MarkWinners %s: %x, want %x", what, masks, wantMasks)
	}
	found := make([]int32, n)
	if k := set.FindWinners(found, table, width, rows, ids); !slices.Equal(found[:k], live) {
		t.Fatalf("FindWinners %s: %v, want %v", what, found[:k], live)
	}
}

func TestWinnerKernelsPanicOnShortOperands(t *testing.T) {
	forSets(t, testShortWinners[float32], testShortWinners[float64])
}

func testShortWinners[T Float](t *testing.T, set *Set[T]) {
	x, ids, few := make([]T, 32), []int32{0, 1, 2, 3}, []int32{0, 1, 2}
	arg := make([]int32, 32)
	for name, f := range map[string]func(){
		"GatherArgMax arg":    func() { set.GatherArgMax(x[:8], arg[:7:7], x, 8, ids, ids) },
		"GatherArgMax ids":    func() { set.GatherArgMax(x[:8], arg, x, 8, ids, few[:3:3]) },
		"FindWinners found":   func() { set.FindWinners(few[:3:3], arg, 8, ids, ids) },
		"FindWinners ids":     func() { set.FindWinners(arg, arg, 8, ids, few[:3:3]) },
		"MarkWinners masks":   func() { set.MarkWinners(make([]uint64, 3), arg, 8, ids, ids) },
		"MarkWinners ids":     func() { set.MarkWinners(make([]uint64, 4), arg, 8, ids, few[:3:3]) },
		"GatherWinners dst":   func() { set.GatherWinners(x[:31:31], x, arg, 8, ids, ids, ids) },
		"GatherWinners yRows": func() { set.GatherWinners(x, x, arg, 8, few[:3:3], ids, ids) },
		"GatherWinners ids":   func() { set.GatherWinners(x, x, arg, 8, ids, ids, few[:3:3]) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func TestWinnerAndPairKernelsDoNotAllocate(t *testing.T) {
	set := For[float32]()
	x, ids, arg, found := make([]float32, 200), []int32{0, 1, 2, 3}, make([]int32, 200), make([]int32, 4)
	if n := numtest.Allocations(5, func() {
		set.GatherArgMax(x[:20], arg[:20], x, 20, ids, ids)
		set.FindWinners(found, arg, 16, ids, ids)
		set.GatherWinners(x, x, arg, 16, ids, ids, ids)
		set.GatherSub(x, x, x, 16, ids, ids)
		set.GatherRSub(x, x, x, 9, ids, ids)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
