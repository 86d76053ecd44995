// Tests of the row kernels.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var widths = []int{0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40, 48, 56, 63, 64, 65, 96, 100, 120, 127, 128, 129, 200, 257}

// idCounts straddles the prefetch distance.
var idCounts = []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 70}

// idSlice returns n ids of rows. Behind their end, within the capacity, lie some that
// name no row: they are prefetched at most.
func idSlice(r *rand.Rand, n, rows int) []int32 {
	ids := make([]int32, n+n%3*20)
	for e := range ids {
		ids[e] = int32(r.IntN(rows))
	}
	for e := range ids[n:] {
		ids[n+e] = int32(r.Uint32())
	}
	return ids[:n]
}

// TestGatherKernelsAreChainsOfTheirRowKernels checks the row kernels bit by bit
// against one Add, Axpy, Max or Dot an id, in the order of the ids.
func TestGatherKernelsAreChainsOfTheirRowKernels(t *testing.T) {
	forSets(t, testGather[float32], testGather[float64])
}

func testGather[T Float](t *testing.T, set *Set[T]) {
	const rows = 23
	r := rand.New(rand.NewPCG(9, 10))
	for _, width := range widths {
		for _, n := range idCounts {
			for _, pad := range []int{0, 5} {
				stride := width + pad
				x := newGuarded[T](max(rows*stride-pad, 0), width%8)
				fillRandom(r, x.s, pad == 5 && n%2 == 1)
				for row := range rows - 1 { // columns between the rows are not read
					for k := width; k < stride; k++ {
						x.s[row*stride+k] = T(guard)
					}
				}
				ids := idSlice(r, n, rows)
				row := func(e int) []T { return x.s[int(ids[e])*stride:][:width] }
				dst, picked := newGuarded[T](n*width, n%8), []T{}
				for e := range ids {
					picked = append(picked, row(e)...)
				}
				set.GatherColumns(dst.s, x.s, width, stride, ids)
				compare(t, fmt.Sprintf("GatherColumns width=%d stride=%d ids=%d", width, stride, n), dst, picked)
				if pad == 0 {
					fillRandom(r, dst.s, false)
					set.GatherRows(dst.s, x.s, width, ids)
					compare(t, fmt.Sprintf("GatherRows width=%d ids=%d", width, n), dst, picked)
				}

				c, total := newGuarded[T](rows, 2), newGuarded[T](width, 3)
				fillRandom(r, c.s, false)
				fillRandom(r, total.s, false)
				wanted := append([]T(nil), total.s...)
				set.GatherFactorSum(total.s, x.s, stride, ids, c.s)
				for e, id := range ids {
					set.Axpy(wanted, row(e), c.s[id])
				}
				compare(t, fmt.Sprintf("GatherFactorSum width=%d ids=%d stride=%d", width, n, stride), total, wanted)

				for _, wstride := range []int{1, 3} {
					what := fmt.Sprintf("width=%d ids=%d stride=%d wstride=%d", width, n, stride, wstride)
					w := newGuarded[T](max((n-1)*wstride+1, 0), 1)
					fillRandom(r, w.s, false)
					acc, want := newGuarded[T](width, n%8), make([]T, width)
					fillRandom(r, acc.s, false)
					copy(want, acc.s)

					set.GatherScaleSum(acc.s, x.s, stride, ids, w.s, wstride)
					for e := range ids {
						set.Axpy(want, row(e), w.s[e*wstride])
					}
					compare(t, "GatherScaleSum "+what, acc, want)

					set.GatherSum(acc.s, x.s, stride, ids)
					for e := range ids {
						set.Add(want, want, row(e))
					}
					compare(t, "GatherSum "+what, acc, want)

					set.GatherMax(acc.s, x.s, stride, ids)
					for e := range ids {
						set.Max(want, want, row(e))
					}
					compare(t, "GatherMax "+what, acc, want)

					q := newGuarded[T](width, 3)
					fillRandom(r, q.s, false)
					out := newGuarded[T](len(w.s), n%3)
					wantOut := append([]T(nil), out.s...)
					set.GatherDot(out.s, wstride, q.s, x.s, stride, ids)
					for e := range ids {
						wantOut[e*wstride] = set.Dot(q.s, row(e))
					}
					compare(t, "GatherDot "+what, out, wantOut)
				}
			}
		}
	}
}

// TestIDsInARowAreLikeAnyOthers picks single numbers by ids that begin, or begin and end, as
// eight in a row or eight times the same.
func TestIDsInARowAreLikeAnyOthers(t *testing.T) {
	forSets(t, testIDsInARow[float32], testIDsInARow[float64])
}

func testIDsInARow[T Float](t *testing.T, set *Set[T]) {
	const rows = 40
	r := rand.New(rand.NewPCG(11, 12))
	pick := func(what string, ids []int32) {
		for _, stride := range []int{1, 3} {
			x, dst, want := newGuarded[T](rows*stride-stride+1, 1), newGuarded[T](len(ids), 2), make([]T, len(ids))
			fillRandom(r, x.s, true)
			for e, id := range ids {
				want[e] = x.s[int(id)*stride]
			}
			set.GatherColumns(dst.s, x.s, 1, stride, ids)
			compare(t, fmt.Sprintf("%s, stride %d, %v", what, stride, ids), dst, want)
		}
	}
	for _, step := range []int32{0, 1} {
		for _, n := range []int{7, 8, 9, 16, 23, 31} {
			ids := make([]int32, n)
			for e := range ids {
				ids[e] = 9 + int32(e)*step
			}
			pick("all", ids)
			for e := range ids { // one is another
				kept := ids[e]
				ids[e] = int32(r.IntN(rows))
				pick("but one", ids)
				ids[e] = kept
			}
		}
	}
}

// TestHeadKernelsAreTheirGroupsOneByOne checks the kernels with heads against one
// call a group: the sums bit by bit, the dot products up to rounding.
func TestHeadKernelsAreTheirGroupsOneByOne(t *testing.T) {
	forSets(t, testHeads[float32], testHeads[float64])
}

func testHeads[T Float](t *testing.T, set *Set[T]) {
	const rows = 23
	r := rand.New(rand.NewPCG(17, 18))
	for _, group := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 32, 40, 64, 72} {
		for _, heads := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 15, 20} {
			for _, n := range idCounts {
				width, pad := group*heads, n%2*5
				stride, wstride := width+pad, heads+n%3
				what := fmt.Sprintf("group=%d heads=%d ids=%d stride=%d wstride=%d", group, heads, n, stride, wstride)
				x, q := newGuarded[T](max(rows*stride-pad, 0), width%8), newGuarded[T](width, 3)
				fillRandom(r, x.s, n == 16)
				tame(x.s)
				fillRandom(r, q.s, false)
				ids := idSlice(r, n, rows)
				used := 0 // of the weights: the last row of them ends with its heads
				if n > 0 {
					used = (n-1)*wstride + heads
				}
				w := newGuarded[T](used, n%4)
				fillRandom(r, w.s, false)

				acc, want := newGuarded[T](width, n%8), make([]T, width)
				fillRandom(r, acc.s, false)
				copy(want, acc.s)
				set.GatherScaleSumHeads(acc.s, x.s, stride, ids, w.s, wstride, group)
				for g := range heads {
					set.GatherScaleSum(want[g*group:(g+1)*group], x.s[g*group:], stride, ids, w.s[min(g, used):], wstride)
				}
				compare(t, "GatherScaleSumHeads "+what, acc, want)

				out := newGuarded[T](used, n%3)
				wantOut := append([]T(nil), out.s...) // what lies between the rows stays
				set.GatherDotHeads(out.s, wstride, q.s, x.s, stride, ids, group)
				for e, id := range ids {
					for g := range heads {
						a, b := q.s[g*group:(g+1)*group], x.s[int(id)*stride+g*group:]
						got, dot, size := out.s[e*wstride+g], 0.0, 0.0
						for k := range a {
							dot += float64(a[k]) * float64(b[k])
							size += math.Abs(float64(a[k]) * float64(b[k]))
						}
						if !near(float64(got), dot, epsilon[T]()*float64(group/8+8)*size) {
							t.Fatalf("GatherDotHeads %s: dot %d of id %d is %v, want %v", what, g, e, got, dot)
						}
						if group < 8 && group != 2 && group != 4 && !same(got, set.Dot(a, b)) {
							t.Fatalf("GatherDotHeads %s: dot %d of id %d is %v, Dot gives %v", what, g, e, got, set.Dot(a, b))
						}
						wantOut[e*wstride+g] = got
					}
				}
				compare(t, "GatherDotHeads "+what, out, wantOut)
			}
		}
	}
}

// TestDotsOfHeadsDoNotDependOnTheirPlace shifts a group through the row.
func TestDotsOfHeadsDoNotDependOnTheirPlace(t *testing.T) {
	forSets(t, testHeadPlace[float32], testHeadPlace[float64])
}

func testHeadPlace[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, group := range []int{2, 4, 8, 16, 24} {
		for _, heads := range []int{7, 8} {
			row, x, out := make([]T, heads*group), make([]T, heads*group), make([]T, heads)
			fillRandom(r, row[:group], false)
			fillRandom(r, x[:group], false)
			for at := group; at < len(row); at += group {
				copy(row[at:], row[:group])
				copy(x[at:], x[:group])
			}
			set.GatherDotHeads(out, heads, row, x, len(x), []int32{0}, group)
			for g, v := range out {
				if v != out[0] {
					t.Errorf("group of %d: head %d gives %v, head 0 %v", group, g, v, out[0])
				}
			}
		}
	}
}

func compare[T Float](t *testing.T, what string, got *guarded[T], want []T) {
	t.Helper()
	got.check(t, what)
	for i := range want {
		if !same(got.s[i], want[i]) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got.s[i], want[i])
		}
	}
}

func TestGatherSumsDoNotDependOnColumnBlocks(t *testing.T) {
	forSets(t, testColumnBlocks[float32], testColumnBlocks[float64])
}

func testColumnBlocks[T Float](t *testing.T, set *Set[T]) {
	const rows, width = 40, 131
	r := rand.New(rand.NewPCG(11, 12))
	x, w, ids := make([]T, rows*width), make([]T, 100), make([]int32, 100)
	fillRandom(r, x, false)
	fillRandom(r, w, false)
	for e := range ids {
		ids[e] = int32(r.IntN(rows))
	}
	whole := make([]T, width)
	set.GatherScaleSum(whole, x, width, ids, w, 1)
	for cut := 1; cut < width; cut++ {
		parts := make([]T, width)
		set.GatherScaleSum(parts[:cut], x, width, ids, w, 1)
		set.GatherScaleSum(parts[cut:], x[cut:], width, ids, w, 1)
		for k := range whole {
			if parts[k] != whole[k] {
				t.Fatalf("cut at %d: column %d is %v, want %v", cut, k, parts[k], whole[k])
			}
		}
	}
}
