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
// first; of many rows, 20 have one edge each, side by side.
func someBounds(r *rand.Rand, rows, first int) []int32 {
	bounds := make([]int32, rows+1)
	bounds[0] = int32(first)
	for i := range rows {
		n := r.IntN(6) * r.IntN(9) // often none
		switch {
		case rows >= 30 && i >= 3 && i < 23:
			n = 1
		case rows >= 33 && i >= 25 && i < 33: // eight rows of as many, but not of one each
			n = (i - 24) / 8 * 8
		}
		bounds[i+1] = bounds[i] + int32(n)
	}
	return bounds
}

// TestSegmentKernelsAreTheRowKernelsRowByRow checks up to rounding: sums of few columns
// are not in order.
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
		for j, rows := range []int{0, 1, 4, 13} {
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
			ends := Ends[T]{More: (i+j)%2 == 0}
			if (i+j)%3 > 0 { // each shape of several rows has some
				by := newGuarded[T](rows*heads, n%6)
				fillRandom(r, by.s, rows == 13)
				ends.By = by.s
			}
			// sum adds up row by row, by w if that is not nil.
			sum := func(to, x, w, by []T) {
				for row := range rows {
					acc := to[row*width:][:width]
					if !ends.More {
						clear(acc)
					}
					if lo, hi := int(bounds[row]), int(bounds[row+1]); lo < hi && width > 0 {
						if w == nil {
							set.GatherSum(acc, x, width, ids[lo:hi])
						} else {
							set.GatherScaleSumHeads(acc, x, width, ids[lo:hi], w[lo*heads:], heads, group)
						}
					}
					if by != nil {
						mulGroups(acc, acc, by[row*heads:][:heads], group)
					}
				}
			}
			// check compares what f adds to got with what sum does, relative to the sizes of
			// what is added.
			check := func(what string, f func(), got []*guarded[T], w ...[]T) {
				t.Helper()
				var want, size [][]T
				for i, acc := range got {
					want, size = append(want, slices.Clone(acc.s)), append(size, sizesOf(acc.s))
					sum(want[i], x.s, w[i], ends.By)
					sum(size[i], sizesOf(x.s), sizesOf(w[i]), sizesOf(ends.By))
				}
				f()
				for i, acc := range got {
					acc.check(t, what)
					for k, v := range acc.s {
						const edges = 48 // of a row
						if !near(float64(v), float64(want[i][k]), epsilon[T]()*edges*float64(size[i][k])) {
							t.Fatalf("%s: element %d of sum %d is %v, want %v", what, k, i, v, want[i][k])
						}
					}
				}
			}

			next := Next[T]{}
			if i%2 == 0 {
				next = Next[T]{X: x.s, Width: width, Stride: width}
			}
			check("SegmentGatherSum "+what, func() {
				set.SegmentGatherSum(acc.s, x.s, width, ids, bounds, group, ends, next)
			}, []*guarded[T]{acc}, nil)
			check("SegmentScaleSum "+what, func() {
				set.SegmentScaleSum(acc.s, x.s, width, ids, bounds, w.s, group, ends, next)
			}, []*guarded[T]{acc}, w.s)
			if heads == 1 {
				c, each := newGuarded[T](picked, i%5), make([]T, n)
				fillRandom(r, c.s, false)
				set.GatherRows(each, c.s, 1, ids)
				check("SegmentFactorSum "+what, func() {
					set.SegmentFactorSum(acc.s, x.s, width, ids, bounds, c.s, ends)
				}, []*guarded[T]{acc}, each)
			}
			check("SegmentScaleSums "+what, func() {
				set.SegmentScaleSums(acc.s, acc2.s, x.s, width, ids, bounds, w.s, w2.s, group, ends, next)
			}, []*guarded[T]{acc, acc2}, w.s, w2.s)

			dots := newGuarded[T](n*heads, n%7)
			before := append([]T(nil), dots.s...)
			check("SegmentDotScaleSum "+what, func() {
				set.SegmentDotScaleSum(dots.s, acc.s, own.s, x.s, width, ids, bounds, w.s, group, ends, next)
			}, []*guarded[T]{acc}, w.s)
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

// sizesOf returns the absolute values, nil of nil.
func sizesOf[T Float](x []T) []T {
	out := slices.Clone(x)
	for i, v := range out {
		out[i] = T(math.Abs(float64(v)))
	}
	return out
}

// TestSumsOfARowDependOnTheRowAlone has the same row among others, with and without edges
// behind it, a place to begin and something to prefetch.
func TestSumsOfARowDependOnTheRowAlone(t *testing.T) {
	forSets(t, testRowAlone[float32], testRowAlone[float64])
}

func testRowAlone[T Float](t *testing.T, set *Set[T]) {
	const picked, most = 19, 23
	r := rand.New(rand.NewPCG(95, 96))
	for _, width := range []int{1, 3, 7, 15, 16, 17, 33, 64, 80, 104, 128, 208} {
		x := make([]T, picked*width)
		fillRandom(r, x, false)
		for edges := 0; edges < most; edges += 1 + width/80 {
			row, w, w2, own, c := idSlice(r, edges, picked), make([]T, edges), make([]T, edges), make([]T, width), make([]T, picked)
			fillRandom(r, c, false)
			fillRandom(r, w, false)
			fillRandom(r, w2, false)
			fillRandom(r, own, false)
			// With so many edges around, rows without edges, and ids to prefetch by behind the last.
			sums := func(before, behind, empty, spare int, next Next[T]) [][]T {
				fill := func(n int) []T {
					v := make([]T, n)
					fillRandom(r, v, false)
					return v
				}
				around := func(x []T, before, behind int) []T { return slices.Concat(fill(before), x, fill(behind)) }
				ids := slices.Concat(idSlice(r, before, picked), row, idSlice(r, behind+spare, picked))
				ids = ids[: before+edges+behind : len(ids)]
				bounds := []int32{0, int32(before), int32(before + edges), int32(before + edges + behind)}
				bounds = append(bounds, slices.Repeat(bounds[3:], empty)...)
				w, w2, own := around(w, before, behind), around(w2, before, behind), around(own, width, (1+empty)*width)
				var out [][]T
				acc := func() []T {
					x := fill((3 + empty) * width)
					out = append(out, x[width:2*width])
					return x
				}
				set.SegmentGatherSum(acc(), x, width, ids, bounds, width, Ends[T]{}, next)
				set.SegmentScaleSum(acc(), x, width, ids, bounds, w, width, Ends[T]{}, next)
				set.SegmentFactorSum(acc(), x, width, ids, bounds, c, Ends[T]{})
				set.SegmentScaleSums(acc(), acc(), x, width, ids, bounds, w, w2, width, Ends[T]{}, next)
				dots := make([]T, len(ids))
				set.SegmentDotScaleSum(dots, acc(), own, x, width, ids, bounds, w, width, Ends[T]{}, next)
				return append(out, dots[before:][:edges])
			}
			want := sums(0, 0, 0, 0, Next[T]{})
			for _, at := range [][4]int{{0, 40}, {3, 0}, {5, 100}, {32, 33}, {0, 0, 24}, {1, 3, 30}, {0, 0, 0, 15}, {0, 0, 0, 25}, {0, 0, 0, 30}, {4, 0, 0, 20}, {7, 5, 0, 21}} {
				for _, next := range []Next[T]{{}, {X: x, Width: width, Stride: width}} {
					for i, got := range sums(at[0], at[1], at[2], at[3], next) {
						if !slices.Equal(got, want[i]) {
							t.Fatalf("width %d, %d edges, %d before and %d behind, %d empty rows, %d ids more: result %d is %v, alone %v", width, edges, at[0], at[1], at[2], at[3], i, got, want[i])
						}
					}
				}
			}
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
	forSets(t, testNoBounds[float32], testNoBounds[float64])
}

func testNoBounds[T Float](t *testing.T, set *Set[T]) {
	x, ids := make([]T, 64), []int32{0, 0, 0}
	for name, f := range map[string]func(){
		"decreasing":     func() { set.SegmentScaleSum(x, x, 8, ids, []int32{0, 2, 1}, x, 8, Ends[T]{}, Next[T]{}) },
		"beyond the ids": func() { set.SegmentScaleSum(x, x, 8, ids[:3:3], []int32{0, 4}, x, 8, Ends[T]{}, Next[T]{}) },
		"short acc": func() {
			set.SegmentScaleSum(x[:15], x, 8, ids, []int32{0, 1, 3}, x, 8, Ends[T]{}, Next[T]{})
		},
		"short weights": func() {
			set.SegmentScaleSum(x, x, 8, ids, []int32{0, 1, 3}, x[:2:2], 8, Ends[T]{}, Next[T]{})
		},
		"short ends": func() {
			set.SegmentScaleSum(x, x, 8, ids, []int32{0, 1, 3}, x, 4, Ends[T]{By: x[:3:3]}, Next[T]{})
		},
		"factors, short acc": func() { set.SegmentFactorSum(x[:15], x, 8, ids, []int32{0, 1, 3}, x, Ends[T]{}) },
		"plain, short acc":   func() { set.SegmentGatherSum(x[:15], x, 8, ids, []int32{0, 1, 3}, 8, Ends[T]{}, Next[T]{}) },
		"short second": func() {
			set.SegmentScaleSums(x, x[:15:15], x, 8, ids, []int32{0, 1, 3}, x, x, 8, Ends[T]{}, Next[T]{})
		},
		"second weights": func() {
			set.SegmentScaleSums(x, x, x, 8, ids, []int32{0, 1, 3}, x, x[:2:2], 8, Ends[T]{}, Next[T]{})
		},
		"short own": func() {
			set.SegmentDotScaleSum(x, x, x[:15:15], x, 8, ids, []int32{0, 1, 3}, x, 8, Ends[T]{}, Next[T]{})
		},
		"short dots": func() {
			set.SegmentDotScaleSum(x[:2:2], x, x, x, 8, ids, []int32{0, 1, 3}, x, 8, Ends[T]{}, Next[T]{})
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

// TestSumsOfALargeTablesRowsAreThoseOfASmallOnes has tables whose rows are prefetched
// differently; the sums have the same bits.
func TestSumsOfALargeTablesRowsAreThoseOfASmallOnes(t *testing.T) {
	forSets(t, testLargeTable[float32], testLargeTable[float64])
}

func testLargeTable[T Float](t *testing.T, set *Set[T]) {
	const picked, large = 50, 3 << 20 // numbers, more than 10 MiB
	r := rand.New(rand.NewPCG(95, 96))
	table := make([]T, large)
	fillRandom(r, table[:picked*64], false)
	for _, width := range []int{1, 7, 16, 17, 31, 32, 33, 64} {
		for _, rows := range []int{1, 2, 40} {
			bounds := someBounds(r, rows, 0)
			n := int(bounds[rows])
			ids, w := idSlice(r, n, picked), make([]T, max(n, picked))
			fillRandom(r, w, false)
			sums := func(x []T) [][]T {
				var out [][]T
				acc := func() []T {
					out = append(out, make([]T, rows*width))
					return out[len(out)-1]
				}
				set.SegmentGatherSum(acc(), x, width, ids, bounds, width, Ends[T]{}, Next[T]{})
				set.SegmentScaleSum(acc(), x, width, ids, bounds, w, width, Ends[T]{}, Next[T]{})
				set.SegmentFactorSum(acc(), x, width, ids, bounds, w, Ends[T]{})
				return out
			}
			want := sums(table[:picked*width])
			for i, got := range sums(table) {
				if !slices.Equal(got, want[i]) {
					t.Errorf("width %d, %d rows: sum %d of a large table's rows differs", width, rows, i)
				}
			}
		}
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
				if c.group == width {
					set.SegmentFactorSum(acc(), x, width, ids, bounds, w, ends)
				}
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

// TestSumsWithoutEdgesAreMultipliedToo: 0 times an infinite number is none, as it is for rows
// among others that have edges.
func TestSumsWithoutEdgesAreMultipliedToo(t *testing.T) {
	forSets(t, testSumsWithoutEdges[float32], testSumsWithoutEdges[float64])
}

func testSumsWithoutEdges[T Float](t *testing.T, set *Set[T]) {
	const width = 64
	for _, by := range [][]T{{1, 2, 3}, {1, T(math.Inf(1)), 3}, {1, 2, T(math.NaN())}, {-1, 2, 0}} {
		for _, more := range []bool{false, true} {
			acc := slices.Repeat([]T{5}, 3*width)
			want := slices.Clone(acc)
			for i := range want {
				if !more {
					want[i] = 0
				}
				want[i] *= by[i/width]
			}
			set.SegmentScaleSum(acc, make([]T, width), width, nil, []int32{0, 0, 0, 0}, nil, width, Ends[T]{More: more, By: by}, Next[T]{})
			for i, x := range acc {
				if w := want[i]; x != w && (x == x || w == w) || math.Signbit(float64(x)) != math.Signbit(float64(w)) && x == x {
					t.Fatalf("by %v, more %v: [%d] is %v, want %v", by, more, i, x, w)
				}
			}
		}
	}
}

// TestSumsOfLinesEndWithTheirRowsNumber has rows of 16 columns, of many lengths: each is
// multiplied with its own number.
func TestSumsOfLinesEndWithTheirRowsNumber(t *testing.T) {
	forSets(t, testSumsOfLines[float32], testSumsOfLines[float64])
}

func testSumsOfLines[T Float](t *testing.T, set *Set[T]) {
	const width, table = 16, 50
	r := rand.New(rand.NewPCG(91, 92))
	bounds := []int32{0}
	for n := range 40 {
		bounds = append(bounds, bounds[n]+int32(n%11))
	}
	rows, edges := len(bounds)-1, int(bounds[len(bounds)-1])
	ids := idSlice(r, edges, table)
	numbers := func(n int) []T {
		x := newGuarded[T](n, 0).s
		fillRandom(r, x, false)
		return x
	}
	x, w, c, by := numbers(table*width), numbers(edges), numbers(table), numbers(rows)
	for name, sum := range map[string]func(acc []T, ends Ends[T]){
		"plain": func(acc []T, ends Ends[T]) { set.SegmentGatherSum(acc, x, width, ids, bounds, width, ends, Next[T]{}) },
		"weighted": func(acc []T, ends Ends[T]) {
			set.SegmentScaleSum(acc, x, width, ids, bounds, w, width, ends, Next[T]{})
		},
		"factors": func(acc []T, ends Ends[T]) { set.SegmentFactorSum(acc, x, width, ids, bounds, c, ends) },
	} {
		got, want := newGuarded[T](rows*width, 1), make([]T, rows*width)
		sum(want, Ends[T]{})
		set.MulGroups(want, want, by, width)
		sum(got.s, Ends[T]{By: by})
		compare(t, name, got, want)
	}
}
