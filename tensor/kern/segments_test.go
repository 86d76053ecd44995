// Tests of the kernels of segments.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// someBounds returns the bounds of rows of which some have no edges, the first at edge
// first.
func someBounds(r *rand.Rand, rows, first int) []int32 {
	bounds := make([]int32, rows+1)
	bounds[0] = int32(first)
	for i := range rows {
		bounds[i+1] = bounds[i] + int32(r.IntN(6)*r.IntN(9)) // often none
	}
	return bounds
}

// TestSegmentKernelsAreTheRowKernelsRowByRow checks sums bit by bit, dot products up to
// rounding.
func TestSegmentKernelsAreTheRowKernelsRowByRow(t *testing.T) {
	forSets(t, testSegments[float32], testSegments[float64])
}

func testSegments[T Float](t *testing.T, set *Set[T]) {
	const picked = 23
	r := rand.New(rand.NewPCG(91, 92))
	shapes := [][2]int{{0, 1}, {1, 0}, {7, 0}}
	for _, group := range []int{1, 2, 3, 4, 5, 8, 12, 16, 31, 32, 33, 48, 64, 65, 100, 128, 192, 257} {
		for _, heads := range []int{1, 2, 3, 5, 8, 11, 20} {
			if group*heads <= 400 {
				shapes = append(shapes, [2]int{group, heads})
			}
		}
	}
	for i, s := range shapes {
		group, heads := max(s[0], 1), s[1]
		for _, rows := range []int{0, 1, 4, 13} {
			width := group * heads
			bounds := someBounds(r, rows, i%3*rows)
			first, n := int(bounds[0]), int(bounds[rows])
			what := fmt.Sprintf("group=%d heads=%d rows=%d edges=%d-%d", group, heads, rows, first, n)
			x, own := newGuarded[T](picked*width, width%8), newGuarded[T](rows*width, 3)
			fillRandom(r, x.s, rows == 4)
			tame(x.s)
			fillRandom(r, own.s, false)
			ids := idSlice(r, n, picked)
			w, w2 := newGuarded[T](n*heads, n%4), newGuarded[T](n*heads, n%3)
			fillRandom(r, w.s, false)
			fillRandom(r, w2.s, false)
			acc, acc2 := newGuarded[T](rows*width, n%8), newGuarded[T](rows*width, n%5)
			fillRandom(r, acc.s, false)
			fillRandom(r, acc2.s, false)
			want, want2 := append([]T(nil), acc.s...), append([]T(nil), acc2.s...)
			ends := Ends[T]{More: i%2 == 0}
			if i%3 > 0 {
				by := newGuarded[T](rows*heads, n%6)
				fillRandom(r, by.s, rows == 13)
				ends.By = by.s
			}
			// sum adds up row by row, by w if that is not nil.
			sum := func(to, w []T) {
				for row := range rows {
					acc := to[row*width:][:width]
					if !ends.More {
						clear(acc)
					}
					if lo, hi := int(bounds[row]), int(bounds[row+1]); lo < hi && width > 0 {
						if w == nil {
							set.GatherSum(acc, x.s, width, ids[lo:hi])
						} else {
							set.GatherScaleSumHeads(acc, x.s, width, ids[lo:hi], w[lo*heads:], heads, group)
						}
					}
					if ends.By != nil {
						mulGroups(acc, acc, ends.By[row*heads:][:heads], group)
					}
				}
			}

			next := Next[T]{}
			if i%2 == 0 {
				next = Next[T]{X: x.s, Width: width, Stride: width}
			}
			set.SegmentGatherSum(acc.s, x.s, width, ids, bounds, group, ends, next)
			sum(want, nil)
			compare(t, "SegmentGatherSum "+what, acc, want)

			set.SegmentScaleSum(acc.s, x.s, width, ids, bounds, w.s, group, ends, next)
			sum(want, w.s)
			compare(t, "SegmentScaleSum "+what, acc, want)

			set.SegmentScaleSums(acc.s, acc2.s, x.s, width, ids, bounds, w.s, w2.s, group, ends, next)
			sum(want, w.s)
			sum(want2, w2.s)
			compare(t, "SegmentScaleSums "+what, acc, want)
			compare(t, "SegmentScaleSums, second, "+what, acc2, want2)

			dots := newGuarded[T](n*heads, n%7)
			before := append([]T(nil), dots.s...)
			set.SegmentDotScaleSum(dots.s, acc.s, own.s, x.s, width, ids, bounds, w.s, group, ends, next)
			sum(want, w.s)
			compare(t, "SegmentDotScaleSum "+what, acc, want)
			for row := range rows {
				for e := int(bounds[row]); e < int(bounds[row+1]); e++ {
					for g := range heads {
						a, b := own.s[row*width+g*group:][:group], x.s[int(ids[e])*width+g*group:]
						got, dot, size := dots.s[e*heads+g], 0.0, 0.0
						for k := range a {
							dot += float64(a[k]) * float64(b[k])
							size += math.Abs(float64(a[k]) * float64(b[k]))
						}
						if !near(float64(got), dot, epsilon[T]()*float64(group/8+8)*size) {
							t.Fatalf("SegmentDotScaleSum %s: dot %d of edge %d is %v, want %v", what, g, e, got, dot)
						}
						before[e*heads+g] = got
					}
				}
			}
			compare(t, "SegmentDotScaleSum, dots, "+what, dots, before)
		}
	}
}

// TestDotsOfSegmentsDoNotDependOnTheirPlace has the same numbers in every head and row.
func TestDotsOfSegmentsDoNotDependOnTheirPlace(t *testing.T) {
	forSets(t, testSegmentPlace[float32], testSegmentPlace[float64])
}

func testSegmentPlace[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(93, 94))
	for _, group := range []int{1, 2, 4, 8, 16, 32, 64, 128} {
		for _, heads := range []int{2, 3, 7} {
			width := group * heads
			a, b := make([]T, group), make([]T, group)
			fillRandom(r, a, false)
			fillRandom(r, b, false)
			var own, x []T
			for range heads {
				own, x = append(own, a...), append(x, b...)
			}
			own = append(own, own...)
			dots, acc, w := make([]T, 3*heads), make([]T, 2*width), make([]T, 3*heads)
			set.SegmentDotScaleSum(dots, acc, own, x, width, []int32{0, 0, 0}, []int32{0, 1, 3}, w, group, Ends[T]{}, Next[T]{})
			for i, v := range dots {
				if v != dots[0] {
					t.Errorf("group of %d: head %d of edge %d gives %v, the first %v", group, i%heads, i/heads, v, dots[0])
				}
			}
		}
	}
}

func TestSegmentKernelsRefuseBoundsThatAreNone(t *testing.T) {
	set := For[float32]()
	x, ids := make([]float32, 64), []int32{0, 0, 0}
	for name, f := range map[string]func(){
		"decreasing":     func() { set.SegmentScaleSum(x, x, 8, ids, []int32{0, 2, 1}, x, 8, Ends[float32]{}, Next[float32]{}) },
		"beyond the ids": func() { set.SegmentScaleSum(x, x, 8, ids[:3:3], []int32{0, 4}, x, 8, Ends[float32]{}, Next[float32]{}) },
		"short acc": func() {
			set.SegmentScaleSum(x[:15], x, 8, ids, []int32{0, 1, 3}, x, 8, Ends[float32]{}, Next[float32]{})
		},
		"short weights": func() {
			set.SegmentScaleSum(x, x, 8, ids, []int32{0, 1, 3}, x[:2:2], 8, Ends[float32]{}, Next[float32]{})
		},
		"short ends": func() {
			set.SegmentScaleSum(x, x, 8, ids, []int32{0, 1, 3}, x, 4, Ends[float32]{By: x[:3:3]}, Next[float32]{})
		},
		"plain, short acc": func() { set.SegmentGatherSum(x[:15], x, 8, ids, []int32{0, 1, 3}, 8, Ends[float32]{}, Next[float32]{}) },
		"short second": func() {
			set.SegmentScaleSums(x, x[:15:15], x, 8, ids, []int32{0, 1, 3}, x, x, 8, Ends[float32]{}, Next[float32]{})
		},
		"second weights": func() {
			set.SegmentScaleSums(x, x, x, 8, ids, []int32{0, 1, 3}, x, x[:2:2], 8, Ends[float32]{}, Next[float32]{})
		},
		"short own": func() {
			set.SegmentDotScaleSum(x, x, x[:15:15], x, 8, ids, []int32{0, 1, 3}, x, 8, Ends[float32]{}, Next[float32]{})
		},
		"short dots": func() {
			set.SegmentDotScaleSum(x[:2:2], x, x, x, 8, ids, []int32{0, 1, 3}, x, 8, Ends[float32]{}, Next[float32]{})
		},
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

// TestSumsWrittenPastTheCachesAreTheSame has rows that are whole cache lines, and rows
// that are not.
func TestSumsWrittenPastTheCachesAreTheSame(t *testing.T) {
	forSets(t, testPast[float32], testPast[float64])
}

func testPast[T Float](t *testing.T, set *Set[T]) {
	const rows, picked = 40, 50
	r := rand.New(rand.NewPCG(93, 94))
	random := func(n, offset int) []T {
		x := make([]T, 1<<14+n)[offset:] // of a size that begins with a page
		fillRandom(r, x, false)
		return x[:n]
	}
	for _, c := range []struct{ width, group int }{{16, 16}, {16, 1}, {32, 8}, {48, 48}, {64, 64}, {64, 8}, {72, 72}, {128, 128}, {192, 64}} {
		for _, offset := range []int{0, 1, 8} {
			bounds := someBounds(r, rows, 0)
			n, width := int(bounds[rows]), c.width
			x, own, w, w2 := random(picked*width, 0), random(rows*width, 0), random(n*width, 0), random(n*width, 0)
			ids, by := idSlice(r, n, picked), random(rows*width/c.group, 0)
			sums := func(past bool) [][]T {
				var out [][]T
				acc := func() []T {
					const behind = 64
					x := random(rows*width+behind, offset)
					for i := range behind {
						x[rows*width+i] = T(i + 1)
					}
					out = append(out, x)
					return x[:rows*width]
				}
				ends := Ends[T]{By: by, Past: past}
				set.SegmentGatherSum(acc(), x, width, ids, bounds, c.group, ends, Next[T]{})
				set.SegmentScaleSum(acc(), x, width, ids, bounds, w, c.group, ends, Next[T]{})
				set.SegmentScaleSums(acc(), acc(), x, width, ids, bounds, w, w2, c.group, ends, Next[T]{})
				dots := make([]T, n*width)
				set.SegmentDotScaleSum(dots, acc(), own, x, width, ids, bounds, w, c.group, ends, Next[T]{})
				return append(out, dots)
			}
			want := sums(false)
			for i, got := range sums(true) {
				if !slices.Equal(got, want[i]) {
					t.Errorf("width %d, groups of %d, offset %d: result %d differs past the caches", width, c.group, offset, i)
				}
			}
		}
	}
}
