// Tests that the kernels read and write nothing beyond their slices, not even
// what they throw away: the slices end where the next page may not be touched.

package kern

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"
)

// pageEnd returns a slice of n numbers that ends at an inaccessible page.
func pageEnd[T any](t *testing.T, n int) []T {
	t.Helper()
	mem, size := guardedPages[T](t, n)
	return numbersAt[T](mem[len(mem)-size:], n)
}

// pageStart returns a slice of n numbers that starts after an inaccessible page.
func pageStart[T any](t *testing.T, n int) []T {
	t.Helper()
	mem, _ := guardedPages[T](t, n)
	return numbersAt[T](mem, n)
}

func numbersAt[T any](mem []byte, n int) []T {
	if n == 0 {
		return []T{}
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&mem[0])), n)
}

// guardedPages returns pages between inaccessible ones, and the bytes of n numbers, for which
// they are enough.
func guardedPages[T any](t *testing.T, n int) (mem []byte, size int) {
	t.Helper()
	var zero T
	page := syscall.Getpagesize()
	size = n * int(unsafe.Sizeof(zero))
	end := page + (size+page-1)/page*page
	all, err := syscall.Mmap(-1, 0, end+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skipf("no pages to guard with: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{all[:page], all[end:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Skipf("no pages to guard with: %v", err)
		}
	}
	return all[page:end], size
}

// TestKernelsStayWithinTheirSlices ends by a fault, not a failure, if one does not.
func TestKernelsStayWithinTheirSlices(t *testing.T) {
	stayInSlices(t, For[float32]())
	if below, _ := slower32(); below != nil {
		stayInSlices(t, below)
	}
	stayInSlices(t, For[float64]())
	if below, _ := slower64(); below != nil {
		stayInSlices(t, below)
	}
}

func TestScoreKernelsStayWithinTheirSlices(t *testing.T) {
	set := For[float32]()
	for _, n := range []int{1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 100, 128, 129} {
		dst, pre, x, y := pageEnd[float32](t, n), pageEnd[float32](t, n), pageEnd[float32](t, n), pageEnd[float32](t, n)
		own, most, sums, bounds := pageEnd[float32](t, 1), pageEnd[float32](t, 1), pageEnd[float32](t, 1), pageEnd[int32](t, 2)
		bounds[1] = int32(n)
		set.SegmentAdd(dst, x, own, bounds)
		set.SegmentScoreMax(dst, pre, most, x, own, 0.5, bounds, true)
		set.SegmentExpSum(dst, sums, x, own, bounds)
		set.SegmentSoftmax(dst, pre, most, sums, x, own, 0.5, bounds)
		set.SegmentStepSum(dst, sums, y, x, 0, 1, 0.5, bounds)
	}
}

func TestAttentionStaysWithinItsSlices(t *testing.T) {
	set := For[float32]()
	for _, shape := range [][2]int{{1, 16}, {1, 32}, {1, 64}, {1, 128}, {8, 64}, {4, 64}, {2, 64}, {8, 128}, {4, 128}, {2, 128}, {16, 128}, {6, 192}} {
		for _, n := range []int{1, 15, 16, 17, 40, 129} {
			heads, width := shape[0], shape[1]
			a := Attention[float32]{
				X: pageEnd[float32](t, 3*width), Width: width, Heads: heads, IDs: pageEnd[int32](t, n), Bounds: pageEnd[int32](t, 2), Own: pageEnd[float32](t, heads),
				Acc: pageEnd[float32](t, width), Sums: pageEnd[float32](t, heads), Scratch: pageEnd[float32](t, AttendScratch(heads, n, 1)), Slope: 0.5,
			}
			a.Bounds[1] = int32(n)
			for e := range a.IDs {
				a.IDs[e] = 2
			}
			attends := set.Attends(heads, width, true)
			if n%2 == 1 && attends.AtOnce {
				a.Masks = pageEnd[float32](t, AttendMasks(heads, n))
			}
			scores, most := pageEnd[float32](t, 3*heads), pageEnd[float32](t, heads)
			f := AttendForward[float32]{Attention: a, Scores: scores, Most: most}
			alone := f
			if a.Apart = attends.Apart; a.Apart {
				a.Above = 1
				f.Attention, f.Powers = a, pageEnd[float32](t, 12)
				alone = f
				alone.Most, alone.Sums = nil, nil
				if a.Masks == nil {
					alone.Powers = pageEnd[float32](t, 6)
				}
			}
			set.SegmentAttend(alone)
			set.SegmentAttend(f)
			f.Acc2, f.Sums2 = pageEnd[float32](t, width), pageEnd[float32](t, heads)
			set.SegmentAttend(f)
			set.SegmentAttendBack(AttendBackward[float32]{Attention: a, Quads: pageEnd[float32](t, 12*heads), Factors: pageEnd[float32](t, 12*heads), Rows: pageEnd[float32](t, width)})
		}
	}
}

func stayInSlices[T Float](t *testing.T, set *Set[T]) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 65, 100, 127, 128, 129} {
		dst, a, b := pageEnd[T](t, n), pageEnd[T](t, n), pageEnd[T](t, n)
		fillRandom(r, a, false)
		fillRandom(r, b, false)
		for _, f := range []func(dst, a, b []T){set.Add, set.Sub, set.Mul, set.Div, set.Max, set.Min, set.MulAdd} {
			f(dst, a, b)
		}
		for _, f := range []func(dst, a []T, c T){set.AddScalar, set.MulScalar, set.Axpy, set.LeakyReLU} {
			f(dst, a, 2)
		}
		set.ReLU(dst, a)
		set.Exp(dst, a)
		set.ELU(dst, a, 1)
		set.Sigmoid(dst, a)
		set.Tanh(dst, a)
		set.Step(dst, a, 0, 1, 2)
		set.Dropout(dst, a, 1, 7, 1<<31, 2)
		set.Dot(a, b)
		set.Sum(a)
		set.MaxOf(a)

		c, mask := pageEnd[T](t, n), pageEnd[bool](t, n)
		for _, f := range functions(set) {
			f.got(dst, a)
		}
		for _, f := range gradients(set) {
			f.got(dst, a, b)
		}
		set.Pow(dst, a, 2.5)
		set.FMA3(dst, a, b, c)
		set.Axpby(dst, a, b, 2, 3, n%2 == 0)
		for _, f := range []func(dst []bool, a, b []T){set.Equal, set.NotEqual, set.Less, set.LessEqual, set.Greater, set.GreaterEqual} {
			f(mask, a, b)
		}
		set.Select(dst, mask, a, b)
		set.SumAbs(a)
		set.SumSquares(a)
		set.SumSquaredDev(a, 1)
		set.MinOf(a)
		set.ArgMax(a)
		set.ArgMin(a)
		for _, update := range updates(set, 1) {
			update(dst, a, b, c, c)
		}
		stayInRows(t, set, n)
		set.Interleave(pageEnd[T](t, 8*n), 8, pageEnd[T](t, 8*n), n, 8, n)
		set.Interleave(pageEnd[T](t, 27*n), 27, pageEnd[T](t, 27*n), n, 27, n)

		const rows = 3
		x := pageEnd[T](t, rows*n)
		for _, count := range []int{1, 2, 3, 16, 17, 18, 19, 40} {
			ids, w, out := pageEnd[int32](t, count), pageEnd[T](t, count), pageEnd[T](t, count)
			for e := range ids {
				ids[e] = int32(r.IntN(rows))
			}
			ids[count-1] = rows - 1
			inARow, whole := pageEnd[int32](t, count), pageEnd[T](t, count)
			for e := range inARow {
				inARow[e] = int32(e)
			}
			set.GatherColumns(out, whole, 1, 1, inARow)
			picked := pageEnd[T](t, count*n)
			set.GatherRows(picked, x, n, ids)
			set.GatherColumns(out, x[n-1:], 1, n, ids)
			set.GatherParts([][]T{picked[:count], picked[:count], picked[:count], picked[:count]}, pageEnd[T](t, rows*4), 1, 4, ids)
			if n == 8 {
				set.GatherParts([][]T{picked, picked, picked}, pageEnd[T](t, rows*24), n, 24, ids)
			}
			set.RepeatRows(picked, a, n, []int32{0, int32(count)})
			for _, f := range []func(dst, x, y []T, width int, xs, ys []int32){set.GatherAdd, set.GatherSub, set.GatherRSub, set.GatherMul} {
				f(picked, x, x, n, ids, ids)
			}
			set.ScatterRows(x, picked, n, ids, count%2 == 0)
			set.CopyRows(picked, n, pageEnd[T](t, count*n), n, n, count)
			found, arg := pageEnd[int32](t, count), pageEnd[int32](t, rows*n)
			set.GatherArgMax(pageEnd[T](t, n), arg[:n], x, n, ids, ids)
			set.FindWinners(found, arg, n, ids, ids)
			set.GatherWinners(picked, x, arg, n, ids, ids, ids)
			set.DropoutRows(picked, picked, n, ids, 1, 1<<31, 2)
			set.DropoutRows(out, w, 1, ids, 1, 1<<31, 2)
			set.GatherSum(dst, x, n, ids)
			set.GatherMax(dst, x, n, ids)
			set.GatherScaleSum(dst, x, n, ids, w, 1)
			c, ends := pageEnd[T](t, rows), Ends[T]{By: pageEnd[T](t, 1)}
			set.GatherFactorSum(dst, x, n, ids, c)
			const spare = 32 // as graphs have, which ids may be read ahead of: what belongs to edges has none
			padded := append(pageEnd[int32](t, count+spare)[:0], ids...)
			set.SegmentFactorSum(dst, x, n, ids, []int32{0, int32(count)}, c, ends)
			set.SegmentFactorSum(dst, x, n, padded, []int32{0, int32(count)}, c, ends)
			set.GatherDot(out, 1, a, x, n, ids)
			for _, group := range []int{1, 2, 3, 4, 8, 16, 32, 64, 128} {
				if n%group == 0 {
					heads := n / group
					w, out := pageEnd[T](t, count*heads), pageEnd[T](t, count*heads)
					for _, f := range []func(dst, x, y []T, group int){set.AddGroups, set.SubGroups, set.MulGroups, set.DivGroups} {
						f(dst, a, w[:heads], group)
					}
					set.SetGroups(dst, w[:heads], group)
					set.GatherScaleSumHeads(dst, x, n, ids, w, heads, group)
					set.GatherDotHeads(out, heads, a, x, n, ids, group)
					bounds := pageEnd[int32](t, 2)
					bounds[1] = int32(count)
					set.DotEach(w[:heads], dst, a, group)
					by := pageEnd[T](t, heads)
					wide := pageEnd[T](t, count*n)
					set.SegmentSum(dst, wide, n, bounds)
					set.SegmentMax(dst, wide, n, bounds, true)
					for _, next := range []Next[T]{{}, {X: x, Width: n, Stride: n}} { // lines know of none
						for _, ids := range [][]int32{ids, padded} {
							set.SegmentGatherSum(dst, x, n, ids, bounds, group, Ends[T]{By: by}, next)
							set.SegmentScaleSum(dst, x, n, ids, bounds, w, group, Ends[T]{By: by}, next)
							set.SegmentScaleSums(dst, b, x, n, ids, bounds, w, w, group, Ends[T]{By: by}, next)
							set.SegmentDotScaleSum(out, dst, a, x, n, ids, bounds, w, group, Ends[T]{By: by}, next)
						}
					}
				}
			}
		}
	}
}

// stayInRows runs the kernels of rows of n elements.
func stayInRows[T Float](t *testing.T, set *Set[T], n int) {
	t.Helper()
	for _, rows := range []int{1, 2, 3, 5, 16, 19} {
		dst, x, g := pageEnd[T](t, rows*n), pageEnd[T](t, rows*n), pageEnd[T](t, rows*n)
		row, mean, rstd := pageEnd[T](t, n), pageEnd[T](t, rows), pageEnd[T](t, rows)
		set.SumEach(mean, x, n)
		set.MaxEach(mean, x, n)
		set.MinEach(mean, x, n)
		set.SoftmaxRows(dst, x, n)
		set.LogSoftmaxRows(dst, x, n)
		set.SoftmaxGradRows(dst, g, x, n)
		set.LogSoftmaxGradRows(dst, g, x, n)
		set.NormRows(dst, x, mean, rstd, n, 1e-5)
		set.NormGradRows(dst, g, x, mean, rstd, n)
		set.AddRow(dst, x, row)
		set.AddRowReLU(dst, x, row)
		set.SumRowsInto(row, x, n)
		set.ColumnMoments(row, row, x, row)
		set.ColumnDots(row, row, x, x, row)
		set.ScaleColumns(dst, x, row, row, row)
		set.GradColumns(dst, g, x, row, row, row, row)
	}
}
