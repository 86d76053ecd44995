// Tests of what holds for every kernel of a set: it is there, panics on short
// operands, and allocates nothing.

package kern

import (
	"reflect"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
)

func TestSetsAreComplete(t *testing.T) {
	for name, set := range map[string]any{
		"float32": For[float32](), "float64": For[float64](), "float32 reference": Reference[float32](), "float64 reference": Reference[float64](),
	} {
		s := reflect.ValueOf(set).Elem()
		for i := range s.NumField() {
			if f := s.Field(i); f.Kind() == reflect.Func && f.IsNil() {
				t.Errorf("%s has no %s", name, s.Type().Field(i).Name)
			}
		}
	}
}

func TestKernelsDoNotAllocate(t *testing.T) {
	forSets(t, testAllocations[float32], testAllocations[float64])
}

func testAllocations[T Float](t *testing.T, set *Set[T]) {
	const n, rows = 40, 16
	x, y, dst, row := make([]T, rows*n), make([]T, rows*n), make([]T, rows*n), make([]T, n)
	check := func(name string, f func()) {
		t.Helper()
		if allocs := numtest.Allocations(5, f); allocs > 0 {
			t.Errorf("%s allocates %v times", name, allocs)
		}
	}
	for _, f := range functions(set) {
		check(f.name, func() { f.got(dst, x) })
	}
	for _, f := range gradients(set) {
		check(f.name, func() { f.got(dst, x, y) })
	}
	for name, update := range updates(set, 1) {
		check(name, func() { update(dst, x, y, y, y) })
	}
	check("PowEach", func() { set.PowEach(dst[:n-3], x[:n-3], y[:n-3]) })
	check("Pow", func() { set.Pow(dst[:n-3], x[:n-3], 2.5) })
	check("ArgMax", func() { set.ArgMax(x) })
	check("SoftmaxRows", func() { set.SoftmaxRows(dst, x, n) })
	check("LogSoftmaxRows", func() { set.LogSoftmaxRows(dst, x, n) })
	check("NormRows", func() { set.NormRows(dst, x, y, y, n, 1) })
	check("SoftmaxGradRows", func() { set.SoftmaxGradRows(dst, x, y, n) })
	check("NormGradRows", func() { set.NormGradRows(dst, x, y, y, y, n) })
	check("AddRow", func() { set.AddRow(dst, x, row) })
	check("AddRowReLU", func() { set.AddRowReLU(dst, x, row) })
	check("MulGroups", func() { set.MulGroups(dst, x, y[:rows], n) })
	check("SetGroups", func() { set.SetGroups(dst, y[:rows], n) })
	mask := make([]bool, rows*n)
	check("Greater", func() { set.Greater(mask, x, y) })
	check("Select", func() { set.Select(dst, mask, x, y) })
	check("SumRowsInto", func() { set.SumRowsInto(row, x, n) })
	check("ColumnMoments", func() { set.ColumnMoments(row, row, x, row) })
	check("ColumnDots", func() { set.ColumnDots(row, row, x, y, row) })
	check("ScaleColumns", func() { set.ScaleColumns(dst, x, row, row, row) })
	check("GradColumns", func() { set.GradColumns(dst, x, y, row, row, row, row) })
	ids, bounds := []int32{1, 2, 3}, []int32{0, 1, 3}
	parts := [][]T{dst[:24], dst[24:48]}
	check("SumEach", func() { set.SumEach(dst, x, 8) })
	check("GatherRows", func() { set.GatherRows(dst, x, n, ids) })
	check("GatherParts", func() { set.GatherParts(parts, x, 4, 8, ids) })
	check("GatherAdd", func() { set.GatherAdd(dst, x, y, n, ids, ids) })
	check("GatherScaleSumHeads", func() { set.GatherScaleSumHeads(dst[:n], x, n, ids, y, 5, 8) })
	check("GatherDotHeads", func() { set.GatherDotHeads(dst, 5, row, x, n, ids, 8) })
	check("ScatterRows", func() { set.ScatterRows(dst, x, n, ids, false) })
	check("RepeatRows", func() { set.RepeatRows(dst, x, 8, bounds) })
	check("CopyRows", func() { set.CopyRows(dst, n, x, n, n/2, 3) })
	check("DotEach", func() { set.DotEach(dst, x, y, n/5) })
	check("SegmentSum", func() { set.SegmentSum(dst, x, 8, bounds) })
	check("SegmentMax", func() { set.SegmentMax(dst, x, 8, bounds, false) })
	check("SegmentGatherSum", func() { set.SegmentGatherSum(dst, x, n, ids, bounds, n, Ends[T]{More: true}, Next[T]{}) })
	check("SegmentScaleSum", func() { set.SegmentScaleSum(dst, x, n, ids, bounds, y, n/5, Ends[T]{By: y}, Next[T]{}) })
	check("SegmentFactorSum", func() { set.SegmentFactorSum(dst, x, n, ids, bounds, y, Ends[T]{By: y}) })
	check("SegmentScaleSums", func() { set.SegmentScaleSums(dst, x, x, n, ids, bounds, y, y, n, Ends[T]{By: y}, Next[T]{}) })
	check("SegmentDotScaleSum", func() { set.SegmentDotScaleSum(y, dst, x, x, n, ids, bounds, y, n/5, Ends[T]{By: y}, Next[T]{}) })
}

func TestKernelsPanicOnShortOperands(t *testing.T) {
	forSets(t, testShort[float32], testShort[float64])
}

func testShort[T Float](t *testing.T, set *Set[T]) {
	long, short := make([]T, 9), make([]T, 8)
	ids := []int32{0, 0, 0}
	cases := map[string]func(){
		"Add a":            func() { set.Add(long, short, long) },
		"Add b":            func() { set.Add(long, long, short) },
		"Axpy":             func() { set.Axpy(long, short, 1) },
		"MulAdd":           func() { set.MulAdd(long, long, short) },
		"Exp":              func() { set.Exp(long, short) },
		"Dot":              func() { set.Dot(long, short) },
		"ELU":              func() { set.ELU(long, short, 1) },
		"Step":             func() { set.Step(long, short, 0, 1, 0) },
		"MulGroups":        func() { set.MulGroups(make([]T, 16), make([]T, 15), short[:1], 16) },
		"SetGroups":        func() { set.SetGroups(make([]T, 15), short[:1], 16) },
		"SetGroups odd":    func() { set.SetGroups(make([]T, 13), short[:2], 7) },
		"DivGroups":        func() { set.DivGroups(make([]T, 16), make([]T, 15), short[:1], 16) },
		"GatherRows":       func() { set.GatherRows(short, long, 3, ids) },
		"GatherColumns":    func() { set.GatherColumns(short, long, 3, 3, ids) },
		"Dropout":          func() { set.Dropout(long, short, 1, 0, 1<<31, 1) },
		"DropoutRows":      func() { set.DropoutRows(long, short, 3, ids, 1, 1<<31, 1) },
		"GatherScaleSum w": func() { set.GatherScaleSum(short, long, 1, ids, short[:2], 1) },
		"GatherDot out":    func() { set.GatherDot(short[:4], 2, short, long, 1, ids) },
		"heads w":          func() { set.GatherScaleSumHeads(short, long, 1, ids, short[:5], 2, 4) },
		"heads out":        func() { set.GatherDotHeads(short[:5], 2, short, long, 1, ids, 4) },
		"FMA3 c":           func() { set.FMA3(long, long, long, short) },
		"Axpby x":          func() { set.Axpby(long, short, long, 1, 1, false) },
		"Axpby y":          func() { set.Axpby(long, long, short, 1, 1, false) },
		"Clamp":            func() { set.Clamp(long, short, 0, 1) },
		"Sin":              func() { set.Sin(long, short) },
		"GELUGrad x":       func() { set.GELUGrad(long, long, short) },
		"ClampGrad x":      func() { set.ClampGrad(long, long, short, 0, 1) },
		"Less b":           func() { set.Less(make([]bool, 9), long, short) },
		"Select mask":      func() { set.Select(long, make([]bool, 8), long, long) },
		"SoftmaxRow":       func() { set.SoftmaxRow(long, short) },
		"SoftmaxRows x":    func() { set.SoftmaxRows(long, short, 3) },
		"SoftmaxRows n":    func() { set.SoftmaxRows(short, short, 3) },
		"SoftmaxRows n 0":  func() { set.SoftmaxRows(short, short, 0) },
		"SoftmaxGradRows":  func() { set.SoftmaxGradRows(long, long, short, 3) },
		"NormRows mean":    func() { set.NormRows(long, long, make([]T, 2), long, 3, 1) },
		"NormRows rstd":    func() { set.NormRows(long, long, long, make([]T, 2), 3, 1) },
		"NormGradRows":     func() { set.NormGradRows(long, long, long, long, make([]T, 2), 3) },
		"AddRow row":       func() { set.AddRow(short, short, long[:3]) },
		"AddRow x":         func() { set.AddRow(long, short, long[:3]) },
		"DotEach b":        func() { set.DotEach(long, make([]T, 16), short, 8) },
		"DotEach dst":      func() { set.DotEach(long[:1:1], make([]T, 16), make([]T, 16), 8) },
		"SumRowsInto acc":  func() { set.SumRowsInto(make([]T, 2), long, 3) },
		"ColumnMoments":    func() { set.ColumnMoments(make([]T, 2), long, long, long[:3]) },
		"ColumnDots x":     func() { set.ColumnDots(long, long, long, short, long[:3]) },
		"ColumnDots rows":  func() { set.ColumnDots(long, long, short, short, long[:3]) },
		"ScaleColumns x":   func() { set.ScaleColumns(long, short, long[:3], long, long) },
		"ScaleColumns n":   func() { set.ScaleColumns(long, long, long[:3], make([]T, 2), long) },
		"GradColumns g":    func() { set.GradColumns(long, short, long, long[:3], long, long, long) },
		"GradColumns c":    func() { set.GradColumns(long, long, long, long[:3], long, long, make([]T, 2)) },
		"Adam v":           func() { set.Adam(long, long, long, short, AdamArgs{}) },
		"AMSGrad top":      func() { set.AMSGrad(long, long, long, long, short, AdamArgs{}) },
		"SGD g":            func() { set.SGD(long, short, nil, SGDArgs{}) },
		"SGD v":            func() { set.SGD(long, long, short, SGDArgs{Momentum: 0.9}) },
	}
	for name, f := range cases {
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
