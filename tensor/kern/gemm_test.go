// Tests of the tile kernels of the matrix product: all that this machine can run.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// forGemmKernels runs a test on every kernel of both element types.
func forGemmKernels(t *testing.T, f32 func(*testing.T, *GemmKernel[float32]), f64 func(*testing.T, *GemmKernel[float64])) {
	for _, g := range GemmKernels[float32]() {
		t.Run("float32/"+g.Name, func(t *testing.T) { f32(t, g) })
	}
	for _, g := range GemmKernels[float64]() {
		t.Run("float64/"+g.Name, func(t *testing.T) { f64(t, g) })
	}
}

// A gemmCase is a panel and how its operands lie.
type gemmCase struct {
	rows, cols, depth int
	aRow, aDepth      int
	bDepth, cRow      int
	bias              bool
	mode              GemmMode
}

// fillSmall fills with small integers.
func fillSmall[T Float](r *rand.Rand, s []T) {
	for i := range s {
		s[i] = T(r.IntN(9) - 4)
	}
}

func TestGemmPanelsMatchTheDefinition(t *testing.T) {
	forGemmKernels(t, testGemmPanels[float32], testGemmPanels[float64])
}

func testGemmPanels[T Float](t *testing.T, g *GemmKernel[T]) {
	r := rand.New(rand.NewPCG(1, 1))
	for rows := range 2*g.Rows + 2 {
		for cols := range g.Cols + 1 {
			x := gemmCase{rows: rows, cols: cols, depth: []int{0, 1, 2, 3, 5, 8, 17}[r.IntN(7)], bDepth: cols + r.IntN(3), cRow: cols + r.IntN(3)}
			x.bias, x.mode = r.IntN(2) == 0, GemmMode(r.IntN(16)) // 8: gemmHalves
			switch r.IntN(4) {
			case 0: // row-major
				x.aRow, x.aDepth = x.depth+r.IntN(3), 1
			case 1: // transposed
				x.aRow, x.aDepth = 1, rows+r.IntN(3)
			case 2: // neither
				x.aRow, x.aDepth = 2*x.depth+3, 2
			case 3: // every row the same
				x.aRow, x.aDepth = 0, 1
			}
			checkGemmPanel(t, g, r, x)
		}
	}
}

// checkGemmPanel compares a panel on small integers, whose sums are exact, and
// looks at the elements around it: those of A and B are NaN and would show in the
// result.
func checkGemmPanel[T Float](t *testing.T, g *GemmKernel[T], r *rand.Rand, x gemmCase) {
	t.Helper()
	extent := func(n, stride, m, step int) int {
		if n == 0 || m == 0 {
			return 0
		}
		return (n-1)*stride + (m-1)*step + 1
	}
	a := newGuarded[T](extent(x.rows, x.aRow, x.depth, x.aDepth), r.IntN(17))
	b := newGuarded[T](extent(x.depth, x.bDepth, x.cols, 1), r.IntN(17))
	c := newGuarded[T](extent(x.rows, x.cRow, x.cols, 1), r.IntN(17))
	fillSmall(r, a.s)
	for p := range x.depth {
		if x.cols > 0 {
			fillSmall(r, b.s[p*x.bDepth:][:x.cols]) // the rest stays NaN
		}
	}
	for i := range x.rows {
		if x.cols > 0 {
			fillSmall(r, c.s[i*x.cRow:][:x.cols])
		}
	}
	var bias []T
	if x.bias {
		bias = newGuarded[T](x.cols, r.IntN(17)).s
		fillSmall(r, bias)
	}
	want := append([]T(nil), c.s...)
	for i := range x.rows {
		for j := range x.cols {
			var sum T
			for p := range x.depth {
				sum += a.s[i*x.aRow+p*x.aDepth] * b.s[p*x.bDepth+j]
			}
			if x.mode&GemmAccumulate != 0 {
				sum += c.s[i*x.cRow+j]
			}
			if x.bias {
				sum += bias[j]
			}
			if x.mode&GemmReLU != 0 {
				sum = max(sum, 0)
			}
			want[i*x.cRow+j] = sum
		}
	}
	g.Panel(x.rows, x.cols, x.depth, a.s, x.aRow, x.aDepth, b.s, x.bDepth, c.s, x.cRow, bias, x.mode)
	c.check(t, fmt.Sprintf("%+v", x))
	for i := range want {
		if !same(c.s[i], want[i]) {
			t.Fatalf("%+v: element [%d %d] is %v, want %v", x, i/x.cRow, i%x.cRow, c.s[i], want[i])
		}
	}
}

func TestGemmPanelsPastTheCachesAreTheSame(t *testing.T) {
	forGemmKernels(t, testGemmPast[float32], testGemmPast[float64])
}

func testGemmPast[T Float](t *testing.T, g *GemmKernel[T]) {
	r := rand.New(rand.NewPCG(5, 6))
	const depth, line = 9, 16
	for rows := range 2*g.Rows + 2 {
		for cols := 1; cols <= g.Cols; cols++ {
			for _, x := range []struct{ cRow, offset int }{{2 * g.Cols, 0}, {2 * g.Cols, line}, {2 * g.Cols, 1}, {2*g.Cols + 1, 0}} {
				a, b := make([]T, rows*depth), make([]T, depth*cols)
				fillRandom(r, a, false)
				fillRandom(r, b, false)
				panel := func(mode GemmMode) []T {
					c := make([]T, 1<<14+rows*x.cRow) // of a size that begins with a page
					for i := range c {
						c[i] = -1
					}
					if rows > 0 {
						g.Panel(rows, cols, depth, a, depth, 1, b, cols, c[x.offset:], x.cRow, nil, mode)
					}
					Fence()
					return c
				}
				if !slices.Equal(panel(GemmPast|GemmReLU), panel(GemmReLU)) {
					t.Fatalf("%d rows, %d columns, %+v: another panel past the caches", rows, cols, x)
				}
			}
		}
	}
}

// TestGemmPanelsSumEveryElementTheSameWay compares all tiles with chains of fused products,
// to which C and the bias are added in turn: how C is cut must not change a bit.
func TestGemmPanelsSumEveryElementTheSameWay(t *testing.T) {
	forGemmKernels(t, testGemmOrder[float32], testGemmOrder[float64])
}

func testGemmOrder[T Float](t *testing.T, g *GemmKernel[T]) {
	if g.Name == "go" {
		t.Skip("the compiler may fuse some of the multiplications and additions")
	}
	r := rand.New(rand.NewPCG(2, 2))
	most, wide := 2*g.Rows+5, g.Cols
	for _, depth := range []int{1, 2, 4, 37} {
		a, turned, b, bias := make([]T, most*depth), make([]T, most*depth), make([]T, depth*wide), make([]T, wide)
		fillFused(r, a)
		fillFused(r, b)
		fillFused(r, bias)
		want, added := make([]T, most*wide), make([]T, most*wide)
		for i := range most {
			for p := range depth {
				turned[p*most+i] = a[i*depth+p]
				for j := range wide {
					want[i*wide+j] = fused(a[i*depth+p], b[p*wide+j], want[i*wide+j])
				}
			}
			for j := range wide {
				added[i*wide+j] = want[i*wide+j] + bias[wide-1-j] + bias[j]
			}
		}
		for rows := 1; rows <= most; rows++ {
			for cols := 1; cols <= wide; cols++ {
				byRows, byColumns := make([]T, rows*cols), make([]T, rows*cols)
				for i := range byColumns {
					byColumns[i] = bias[wide-1-i%cols]
				}
				g.Panel(rows, cols, depth, a, depth, 1, b, wide, byRows, cols, nil, 0)
				g.Panel(rows, cols, depth, turned, 1, most, b, wide, byColumns, cols, bias, GemmAccumulate)
				for i := range rows {
					if got, exact := byRows[i*cols:][:cols], want[i*wide:][:cols]; !slices.Equal(got, exact) {
						t.Fatalf("%dx%d, depth %d: row %d is %v, want %v", rows, cols, depth, i, got, exact)
					}
					if got, exact := byColumns[i*cols:][:cols], added[i*wide:][:cols]; !slices.Equal(got, exact) {
						t.Fatalf("%dx%d, depth %d, columns of A: row %d is %v, want %v", rows, cols, depth, i, got, exact)
					}
				}
			}
		}
	}
}

// fillFused fills with numbers whose fused sums of products are exact in float64 if they
// are float32, and are not those of rounded products.
func fillFused[T Float](r *rand.Rand, s []T) {
	for i := range s {
		s[i] = T(1 + float64(r.IntN(1<<15))/(1<<15))
		if _, ok := any(s[i]).(float64); ok {
			s[i] = T(1 + r.Float64())
		}
	}
}

// fused is a*b + c rounded once.
func fused[T Float](a, b, c T) T { return T(math.FMA(float64(a), float64(b), float64(c))) }

func TestGemmPanelsPropagateNaNAndInf(t *testing.T) {
	forGemmKernels(t, testGemmSpecial[float32], testGemmSpecial[float64])
}

func testGemmSpecial[T Float](t *testing.T, g *GemmKernel[T]) {
	inf, nan := T(math.Inf(1)), T(math.NaN())
	for _, x := range []struct {
		a, b, bias, want T
		mode             GemmMode
	}{
		{a: 0, b: nan, want: nan},
		{a: nan, b: 0, want: nan},
		{a: 0, b: inf, want: nan},
		{a: 2, b: inf, want: inf},
		{a: 2, b: -inf, want: -inf},
		{a: 2, b: -inf, want: 0, mode: GemmReLU},
		{a: 2, b: nan, want: nan, mode: GemmReLU},
		{a: 2, b: inf, bias: -inf, want: nan, mode: GemmReLU},
		{a: 1, b: 1, bias: -3, want: 0, mode: GemmReLU},
	} {
		for _, rows := range []int{1, 2, 3, g.Rows, g.Rows + 1} {
			for _, cols := range []int{1, g.Cols/2 + 1, g.Cols} {
				a, b, bias, c := make([]T, rows), make([]T, cols), make([]T, cols), make([]T, rows*cols)
				for i := range a {
					a[i] = x.a
				}
				for j := range b {
					b[j], bias[j] = x.b, x.bias
				}
				g.Panel(rows, cols, 1, a, 1, 1, b, cols, c, cols, bias, x.mode)
				for i, v := range c {
					if !same(v, x.want) {
						t.Fatalf("%dx%d %+v: element %d is %v", rows, cols, x, i, v)
					}
				}
			}
		}
	}
}

func TestGemmPanelPanicsWhenAnOperandIsShort(t *testing.T) {
	forGemmKernels(t, testGemmShort[float32], testGemmShort[float64])
}

func testGemmShort[T Float](t *testing.T, g *GemmKernel[T]) {
	const rows, cols, depth = 3, 2, 4
	for short := range 5 {
		n := [4]int{rows * depth, depth * cols, rows * cols, cols}
		wide := cols
		if short < 4 {
			n[short]--
		} else {
			wide = g.Cols + 1
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("operand %d too short: no panic", short)
				}
			}()
			g.Panel(rows, wide, depth, make([]T, n[0], 99), depth, 1, make([]T, n[1], 99), cols, make([]T, n[2], 99), cols, make([]T, n[3], 99), 0)
		}()
	}
}

func TestReadingAheadChangesNothing(t *testing.T) {
	forGemmKernels(t, testGemmAhead[float32], testGemmAhead[float64])
}

func testGemmAhead[T Float](t *testing.T, g *GemmKernel[T]) {
	r := rand.New(rand.NewPCG(9, 10))
	for rows := range 2*g.Rows + 6 {
		const depth = 40
		a, b := make([]T, rows*depth), make([]T, depth*g.Cols)
		fillRandom(r, a, false)
		fillRandom(r, b, false)
		want := make([]T, rows*g.Cols)
		g.Panel(rows, g.Cols, depth, a, depth, 1, b, g.Cols, want, g.Cols, nil, 0)
		for _, next := range [][]T{nil, make([]T, 1), make([]T, 4096)} {
			got := make([]T, rows*g.Cols)
			g.PanelAhead(rows, g.Cols, depth, a, depth, 1, b, g.Cols, got, g.Cols, nil, 0, next)
			if !slices.Equal(got, want) {
				t.Errorf("%d rows: other sums with %d numbers ahead", rows, len(next))
			}
		}
	}
}
