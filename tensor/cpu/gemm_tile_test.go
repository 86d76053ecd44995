// Tests of the products of tiles.

package cpu

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor/kern"
)

func TestPackedAndTileProductsMatchTheDefinition(t *testing.T) {
	forGemmKernels(t, testTiles[float32], testTiles[float64])
}

func testTiles[T kern.Float](t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	g := stateOf[T]().kernel.Load()
	around := func(tile int) int { return []int{0, 1, tile - 1, tile, 2*tile + 1, r.IntN(3 * tile)}[r.IntN(6)] }
	for range 200 {
		m, n, k := around(g.Rows), around(g.Cols), r.IntN(70)
		a, b := lay[T](r, m, k, layout(r.IntN(int(layouts)))), lay[T](r, k, n, layout(r.IntN(int(layouts))))
		e := randomEpilogue[T](r, n)
		c := lay[T](r, m, n, []layout{rowMajor, padded}[r.IntN(2)])
		old, exact := slices.Clone(c.Data), want(c, a, b, e)
		packed := Pack(b, random[T](r, PackedSize[T](k, n)))
		packed.Multiply(c, a, e)
		checkTile(t, c, old, exact, k)
		if k > 0 {
			copy(c.Data, old)
			lo := r.IntN(k)
			hi := lo + r.IntN(k-lo+1)
			some, part := packed.Slice(lo, hi), a
			part.Data, part.Cols = a.Data[min(lo*a.ColStride, len(a.Data)):], hi-lo
			rows := b
			rows.Data, rows.Rows = b.Data[min(lo*b.RowStride, len(b.Data)):], hi-lo
			exact := want(c, part, rows, e)
			some.Multiply(c, part, e)
			checkTile(t, c, old, exact, hi-lo)
		}
		if b.ColStride == 1 {
			copy(c.Data, old)
			MatMulTile(c, a, b, e)
			checkTile(t, c, old, exact, k)
			wantSameInPlace(t, r, a, b, e)
		}
	}
}

// wantSameInPlace compares products with B, and with some of its rows, where it lies and packed.
func wantSameInPlace[T kern.Float](t *testing.T, r *rand.Rand, a, b Matrix[T], e Epilogue[T]) {
	t.Helper()
	lo := r.IntN(b.Rows + 1)
	old := random[T](r, a.Rows*b.Cols)
	var got [2][]T
	for i, packed := range []Packed[T]{Pack(b, random[T](r, PackedSize[T](b.Rows, b.Cols))), InPlace(b)} {
		part, some := packed.Slice(lo, b.Rows), a
		some.Data, some.Cols = a.Data[min(lo*a.ColStride, len(a.Data)):], b.Rows-lo
		got[i] = slices.Clone(old)
		part.Multiply(RowMajor(got[i], a.Rows, b.Cols), some, e)
	}
	for i, v := range got[0] {
		if w := got[1][i]; v != w && (v == v || w == w) {
			t.Fatalf("%dx%dx%d: element %d is %v, in place %v", a.Rows, b.Rows-lo, b.Cols, i, v, w)
		}
	}
}

// checkTile compares C with what it should be, and its gaps with what they were.
func checkTile[T kern.Float](t *testing.T, c Matrix[T], old []T, exact []float64, k int) {
	t.Helper()
	for i, v := range c.Data {
		row, col := i/max(c.RowStride, 1), i%max(c.RowStride, 1)
		if col >= c.Cols {
			if v != old[i] && old[i] == old[i] {
				t.Fatalf("%dx%d: wrote between the rows", c.Rows, c.Cols)
			}
		} else if x := exact[row*c.Cols+col]; !near(v, x, k) {
			t.Fatalf("%dx%dx%d: [%d %d] is %v, want %v", c.Rows, k, c.Cols, row, col, v, x)
		}
	}
}

// TestPackedProductsOfARowDoNotDependOnTheOthers is what lets tiles be cut anywhere.
func TestPackedProductsOfARowDoNotDependOnTheOthers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const m, n, k = 37, 45, 70
	a, b, c := lay[float32](r, m, k, rowMajor), lay[float32](r, k, n, rowMajor), lay[float32](r, m, n, rowMajor)
	packed := Pack(b, make([]float32, PackedSize[float32](k, n)))
	packed.Multiply(c, a, Epilogue[float32]{})
	for lo := range m {
		for _, rows := range []int{1, 3, 16} {
			rows = min(rows, m-lo)
			got := RowMajor(make([]float32, rows*n), rows, n)
			packed.Multiply(got, RowMajor(a.Data[lo*k:(lo+rows)*k], rows, k), Epilogue[float32]{})
			if !slices.Equal(got.Data, c.Data[lo*n:(lo+rows)*n]) {
				t.Fatalf("rows %d to %d alone differ", lo, lo+rows)
			}
		}
	}
}

func TestTileProductsOfMisfitsPanic(t *testing.T) {
	x := func(rows, cols int) Matrix[float32] { return RowMajor(make([]float32, rows*cols), rows, cols) }
	packed := Pack(x(3, 4), make([]float32, PackedSize[float32](3, 4)))
	short := x(3, 4)
	short.Data = short.Data[1:]
	for name, f := range map[string]func(){
		"inner dimensions":     func() { packed.Multiply(x(2, 4), x(2, 5), Epilogue[float32]{}) },
		"result":               func() { packed.Multiply(x(2, 5), x(2, 3), Epilogue[float32]{}) },
		"bias":                 func() { packed.Multiply(x(2, 4), x(2, 3), Epilogue[float32]{Bias: make([]float32, 3)}) },
		"rows of a part":       func() { packed.Slice(1, 4) },
		"no part":              func() { packed.Slice(2, 1) },
		"a short slice":        func() { Pack(short, make([]float32, 1000)) },
		"a short one in place": func() { InPlace(short) },
		"columns in place":     func() { InPlace(x(4, 3).T()) },
		"in place, inner":      func() { MatMulTile(x(2, 4), x(2, 5), x(3, 4), Epilogue[float32]{}) },
		"in place, by column":  func() { MatMulTile(x(2, 4), x(2, 3), x(4, 3).T(), Epilogue[float32]{}) },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var misfit *GemmError
				if !errors.As(err, &misfit) {
					t.Errorf("%s: panic %v, want a *GemmError", name, err)
				}
			}()
			f()
		}()
	}
}

func TestPackedProductsAllocateNothing(t *testing.T) {
	a, c := RowMajor(make([]float32, 50*60), 50, 60), RowMajor(make([]float32, 50*70), 50, 70)
	b := RowMajor(make([]float32, 60*70), 60, 70)
	packed := Pack(b, make([]float32, PackedSize[float32](60, 70)))
	if n := numtest.Allocations(10, func() {
		packed.Multiply(c, a, Epilogue[float32]{})
		MatMulTile(c, a, b, Epilogue[float32]{Accumulate: true})
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
