// Tests of the matrix product, on every kernel of this machine.

package cpu

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/asterias-ml/asterias/internal/numtest"
	"github.com/asterias-ml/asterias/tensor/kern"
)

// forGemmKernels runs a test with every kernel forced in turn.
func forGemmKernels(t *testing.T, f32, f64 func(*testing.T)) {
	forceKernels[float32](t, "float32", f32)
	forceKernels[float64](t, "float64", f64)
}

func forceKernels[T kern.Float](t *testing.T, name string, test func(*testing.T)) {
	s := stateOf[T]()
	chosen := s.kernel.Load()
	defer s.kernel.Store(chosen)
	for _, k := range kern.GemmKernels[T]() {
		s.kernel.Store(k)
		t.Run(name+"/"+k.Name, test)
	}
}

// layout is how a matrix lies in its slice.
type layout int

const (
	rowMajor layout = iota
	padded          // rows with a gap
	transposed
	transposedPadded
	scattered // neither stride is 1
	repeated  // every row the same
	layouts
)

// lay returns a matrix of random numbers; what lies between its elements is NaN.
func lay[T kern.Float](r *rand.Rand, rows, cols int, l layout) Matrix[T] {
	m := Matrix[T]{Rows: rows, Cols: cols, RowStride: cols, ColStride: 1}
	switch l {
	case padded:
		m.RowStride += 3
	case transposed:
		m.RowStride, m.ColStride = 1, rows
	case transposedPadded:
		m.RowStride, m.ColStride = 1, rows+2
	case scattered:
		m.RowStride, m.ColStride = 2*cols+1, 2
	case repeated:
		m.RowStride = 0
	}
	if rows > 0 && cols > 0 {
		m.Data = make([]T, (rows-1)*m.RowStride+(cols-1)*m.ColStride+1)
	}
	fillWith(m.Data, T(math.NaN()))
	for i := range rows {
		for j := range cols {
			m.Data[i*m.RowStride+j*m.ColStride] = T(r.NormFloat64())
		}
	}
	return m
}

// want is C after a product by definition, in float64, rows and columns as in C.
func want[T kern.Float](c, a, b Matrix[T], e Epilogue[T]) []float64 {
	at := func(m Matrix[T], i, j int) float64 { return float64(m.Data[i*m.RowStride+j*m.ColStride]) }
	out := make([]float64, c.Rows*c.Cols)
	for i := range c.Rows {
		row := out[i*c.Cols : (i+1)*c.Cols]
		for p := range a.Cols {
			x := at(a, i, p)
			for j := range row {
				row[j] += x * at(b, p, j)
			}
		}
		for j := range row {
			if e.Accumulate {
				row[j] += at(c, i, j)
			}
			if e.Bias != nil {
				row[j] += float64(e.Bias[j])
			}
			if e.ReLU && row[j] < 0 {
				row[j] = 0
			}
		}
	}
	return out
}

// near reports whether a result of k products is close enough to the exact one.
func near[T kern.Float](got T, want float64, k int) bool {
	eps := 1e-6
	if _, ok := any(got).(float64); ok {
		eps = 1e-15
	}
	return math.Abs(float64(got)-want) <= 8*eps*math.Sqrt(float64(k)+1)*max(1, math.Abs(want))
}

// checkMatMul multiplies with several numbers of threads and compares with the
// definition and bit for bit with each other; C's gaps must stay as they are.
func checkMatMul[T kern.Float](t *testing.T, r *rand.Rand, m, n, k int, la, lb layout, e Epilogue[T], cPad int) {
	t.Helper()
	what := fmt.Sprintf("%dx%dx%d layouts %d %d accumulate %v bias %v relu %v", m, k, n, la, lb, e.Accumulate, e.Bias != nil, e.ReLU)
	a, b := lay[T](r, m, k, la), lay[T](r, k, n, lb)
	c := lay[T](r, m, n, rowMajor)
	if cPad > 0 && m > 0 && n > 0 {
		c.RowStride += cPad
		c.Data = random[T](r, m*c.RowStride)
	}
	exact := want(c, a, b, e)
	old := slices.Clone(c.Data)
	var first []T
	threads := []int{1, 2, 3, 7}
	if testing.Short() {
		threads = []int{1, 3}
	}
	for _, workers := range threads {
		withThreads(t, workers)
		copy(c.Data, old)
		MatMul(c, a, b, e)
		if first != nil {
			if !slices.EqualFunc(c.Data, first, func(x, y T) bool { return x == y || x != x && y != y }) {
				t.Fatalf("%s: %d threads change the bits", what, workers)
			}
			continue
		}
		first = slices.Clone(c.Data)
		for i, v := range c.Data {
			row, col := i/c.RowStride, i%c.RowStride
			if col >= n {
				if v != old[i] {
					t.Fatalf("%s: wrote between the rows", what)
				}
			} else if x := exact[row*n+col]; !near(v, x, k) {
				t.Fatalf("%s: [%d %d] is %v, want %v", what, row, col, v, x)
			}
		}
	}
}

// randomEpilogue returns any of the eight.
func randomEpilogue[T kern.Float](r *rand.Rand, n int) Epilogue[T] {
	e := Epilogue[T]{Accumulate: r.IntN(2) == 0, ReLU: r.IntN(2) == 0}
	if r.IntN(2) == 0 {
		e.Bias = random[T](r, n)
	}
	return e
}

func TestMatMulMatchesTheDefinitionAroundTileEdges(t *testing.T) {
	forGemmKernels(t, testEdges[float32], testEdges[float64])
}

func testEdges[T kern.Float](t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	g := stateOf[T]().kernel.Load()
	near := func(tile int) int {
		return []int{r.IntN(4), tile - 1, tile, tile + 1, 2 * tile, 2*tile + 1, r.IntN(2*tile + 2)}[r.IntN(7)]
	}
	for range 150 {
		m, n, k := near(g.Rows), near(g.Cols), r.IntN(40)
		checkMatMul(t, r, m, n, k, layout(r.IntN(int(layouts))), layout(r.IntN(int(layouts))), randomEpilogue[T](r, n), r.IntN(3))
	}
}

// TestMatMulMatchesTheDefinitionOnEveryWay has a case for each way to cut and pack.
func TestMatMulMatchesTheDefinitionOnEveryWay(t *testing.T) {
	forGemmKernels(t, testWays[float32], testWays[float64])
}

func testWays[T kern.Float](t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct {
		m, n, k int
		la, lb  layout
		long    bool
	}{
		{m: 0, n: 3, k: 2}, {m: 3, n: 0, k: 2}, {m: 3, n: 2, k: 0}, {m: 40, n: 70, k: 0}, {m: 1, n: 1, k: 1},
		{m: 33, n: 35, k: 37},                               // one block
		{m: 200, n: 100, k: 60},                             // blocks below each other
		{m: 10, n: 900, k: 130},                             // blocks beside each other
		{m: 33, n: 35, k: 37, lb: transposed},               // B packed for its columns
		{m: 33, n: 35, k: 37, la: transposed, lb: repeated}, // A in place by columns
		{m: 31, n: 210, k: 300, la: transposed},             // A packed by columns, two depth blocks
		{m: 31, n: 210, k: 300, la: scattered, lb: scattered, long: true},
		{m: 80, n: 40, k: 1024},                                               // A packed by rows that collide
		{m: 80, n: 1024, k: 30},                                               // B packed for rows that collide
		{m: 530, n: 40, k: 30},                                                // B packed for many rows
		{m: 50, n: 300, k: 20, lb: transposed},                                // shallow: along C's rows
		{m: 9, n: 21, k: 6000, la: transposed},                                // split depth
		{m: 9, n: 21, k: 6000, la: transposed, lb: transposed},                // split depth, B packed
		{m: 70, n: 40, k: 6000, la: transposed, long: true},                   // split depth, A packed for low tiles
		{m: 290, n: 33, k: 6001, la: transposedPadded, long: true},            // the same of too many rows
		{m: 17, n: 5, k: 20000, la: transposedPadded, lb: padded, long: true}, // many splits
		{m: 200, n: 1, k: 700}, {m: 40, n: 1, k: 700, la: padded}, {m: 40, n: 1, k: 700, la: transposed},
		{m: 1, n: 40, k: 700, lb: transposed}, {m: 1, n: 40, k: 700},
		{m: 5, n: 40, k: 4200, lb: transposed},                              // two slabs of depth
		{m: 5, n: 4200, k: 40, lb: transposed, long: true},                  // three slabs of columns
		{m: 4, n: 2100, k: 2100, la: scattered, lb: transposed, long: true}, // slabs both ways
	} {
		if c.long && testing.Short() {
			continue
		}
		for _, e := range []Epilogue[T]{{}, {Accumulate: true, Bias: random[T](r, c.n), ReLU: true}} {
			checkMatMul(t, r, c.m, c.n, c.k, c.la, c.lb, e, c.m%2*3)
		}
	}
}

func TestMatMulWithDeepBlocksMatchesTheDefinition(t *testing.T) {
	forGemmKernels(t, testDeepBlocks[float32], testDeepBlocks[float64])
}

func testDeepBlocks[T kern.Float](t *testing.T) {
	was := secondCache
	defer func() { secondCache = was }()
	r := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		m, n, k int
		la, lb  layout
	}{
		{m: 80, n: 40, k: 1024, lb: transposed},                 // one block of depth
		{m: 150, n: 210, k: 1100, la: transposed, lb: repeated}, // two, the second after the first's sums
		{m: 300, n: 40, k: 3072, lb: transposed},                // two slabs
		{m: 530, n: 40, k: 1100},                                // A in place
		{m: 530, n: 5, k: 2100},                                 // one panel of B in place, too
	} {
		p := product[T]{kernel: stateOf[T]().kernel.Load(), c: Matrix[T]{Rows: c.m, Cols: c.n, RowStride: c.n, ColStride: 1}, a: lay[T](r, c.m, c.k, c.la), b: lay[T](r, c.k, c.n, c.lb), depth: c.k}
		secondCache = deepCache - 1
		if cut := p.cuts(); cut.depth > blockDepth {
			t.Errorf("%v: %+v for a small cache", c, cut)
		}
		secondCache = deepCache
		onePanel := c.n <= p.kernel.Cols && c.lb == rowMajor
		if cut := p.cuts(); cut.depth <= blockDepth || !onePanel && cut.rows > deepRows+p.kernel.Rows || onePanel && (cut.packB || cut.depth <= deepDepth) {
			t.Errorf("%v: %+v for a large cache", c, cut)
		}
		for _, e := range []Epilogue[T]{{}, {Accumulate: true, Bias: random[T](r, c.n), ReLU: true}} {
			checkMatMul(t, r, c.m, c.n, c.k, c.la, c.lb, e, 3)
		}
	}
}

// TestBlocksOfAProductAreItsRows: none left out, none twice, and none larger than the
// memory for what is packed of it.
func TestBlocksOfAProductAreItsRows(t *testing.T) {
	forGemmKernels(t, testBlocks[float32], testBlocks[float64])
}

func testBlocks[T kern.Float](t *testing.T) {
	was := secondCache
	defer func() { secondCache = was }()
	r := rand.New(rand.NewPCG(9, 9))
	for range 2000 {
		m, n, k := 1+r.IntN(1<<(2+r.IntN(14))), 1+r.IntN(300), 1+r.IntN(2000)
		secondCache = r.IntN(2) * deepCache
		p := product[T]{kernel: stateOf[T]().kernel.Load(), c: Matrix[T]{Rows: m, Cols: n, RowStride: n, ColStride: 1}, a: Matrix[T]{RowStride: k, ColStride: 1}, b: Matrix[T]{RowStride: n, ColStride: 1}, depth: k}
		if r.IntN(2) == 0 {
			p.a.RowStride, p.a.ColStride = 1, m
		}
		cut := p.cuts()
		if cut.splits > 1 {
			continue
		}
		end, low := 0, 0
		for i := range cut.down {
			from, to := cut.from(i, m), cut.from(i+1, m)
			if from != end || to <= from || to-from > cut.rows {
				t.Fatalf("%d×%d×%d: block %d of %+v has rows %d to %d", m, k, n, i, cut, from, to)
			}
			if (to-from)%p.kernel.Rows > 0 && cut.rows >= wholeTiles*p.kernel.Rows {
				low++
			}
			end = to
		}
		if end != m || low > 1 {
			t.Fatalf("%d×%d×%d: %d rows by %+v, %d blocks end with a low tile", m, k, n, end, cut, low)
		}
	}
}

func TestMatMulPastTheCachesIsTheSame(t *testing.T) {
	forGemmKernels(t, testPastCaches[float32], testPastCaches[float64])
}

func testPastCaches[T kern.Float](t *testing.T) {
	was := pastCaches
	defer func() { pastCaches = was }()
	r := rand.New(rand.NewPCG(8, 8))
	for _, c := range []struct{ m, n, k, space, offset int }{
		{m: 300, n: 64, k: 128},
		{m: 301, n: 124, k: 40, space: 4},             // a last panel that is not full
		{m: 290, n: 256, k: 30, space: 16},            // shallow
		{m: 300, n: 64, k: 128, offset: 16},           // from another line on
		{m: 300, n: 64, k: 128, offset: 1},            // no line begins with a row
		{m: 300, n: 64, k: 128, space: 1},             // some do
		{m: 300, n: 66, k: 600},                       // sums of several blocks
		{m: 70, n: 64, k: 9000, space: 16},            // and of parts of the depth
		{m: 1, n: 4096, k: 90}, {m: 300, n: 1, k: 50}, // not by tiles
	} {
		a, b := RowMajor(random[T](r, c.m*c.k), c.m, c.k), RowMajor(random[T](r, c.k*c.n), c.k, c.n)
		for _, e := range []Epilogue[T]{{}, {Bias: random[T](r, c.n), ReLU: true}, {Accumulate: true}} {
			old := random[T](r, 1<<14+c.m*(c.n+c.space)) // of a size that begins with a page
			product := func(past int) []T {
				x := slices.Clone(old)
				pastCaches = past
				out := Matrix[T]{Data: x[c.offset:], Rows: c.m, Cols: c.n, RowStride: c.n + c.space, ColStride: 1}
				p := newProduct(&out, &a, &b, &e)
				cut := p.cuts()
				once := cut.splits == 1 && c.k <= cut.depth && !e.Accumulate && c.n > p.kernel.Cols
				if cut.past != (once && past == 0) {
					t.Errorf("%+v, %+v: past the caches: %v, from %d bytes on", c, e, cut.past, past)
				}
				MatMul(out, a, b, e)
				return x
			}
			if !slices.Equal(product(0), product(math.MaxInt)) {
				t.Errorf("%+v, %+v: another result past the caches", c, e)
			}
		}
	}
}

func TestMatMulReadsTransposesInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const m, n, k = 7, 5, 9
	for trans := range 4 {
		transA, transB := trans&1 != 0, trans&2 != 0
		la, lb := rowMajor, rowMajor
		if transA {
			la = transposed
		}
		if transB {
			lb = transposed
		}
		a, b, c := lay[float32](r, m, k, la), lay[float32](r, k, n, lb), make([]float32, m*n)
		exact := want(RowMajor(c, m, n), a, b, Epilogue[float32]{})
		MatMul(RowMajor(c, m, n), asStored(a.Data, m, k, transA), asStored(b.Data, k, n, transB), Epilogue[float32]{})
		for i := range c {
			if !near(c[i], exact[i], k) {
				t.Fatalf("trans %v %v: element %d is %v, want %v", transA, transB, i, c[i], exact[i])
			}
		}
	}
}

func TestMatMulWritesASliceOfALargerMatrix(t *testing.T) {
	whole := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1}
	c := Matrix[float64]{Data: whole[1:], Rows: 2, Cols: 2, RowStride: 3, ColStride: 1}
	a := RowMajor([]float64{1, 2, 3, 4}, 2, 2)
	MatMul(c, a, a.T(), Epilogue[float64]{Accumulate: true})
	if want := []float64{1, 6, 12, 1, 12, 26, 1, 1, 1}; !slices.Equal(whole, want) {
		t.Errorf("got %v, want %v", whole, want)
	}
}

func TestMatMulPropagatesNaNAndInfThroughZeros(t *testing.T) {
	forGemmKernels(t, testGemmNaN[float32], testGemmNaN[float64])
}

func testGemmNaN[T kern.Float](t *testing.T) {
	for _, d := range [][3]int{{3, 4, 5}, {3, 1, 5}, {40, 40, 40}, {9, 9, 7000}} {
		m, n, k := d[0], d[1], d[2]
		for _, v := range []float64{math.NaN(), math.Inf(1)} {
			for trans := range 4 {
				a, b, c := make([]T, m*k), make([]T, k*n), make([]T, m*n)
				fillWith(b, T(v))
				MatMul(RowMajor(c, m, n), asStored(a, m, k, trans&1 != 0), asStored(b, k, n, trans&2 != 0), Epilogue[T]{})
				if i := slices.IndexFunc(c, func(x T) bool { return x == x }); i >= 0 {
					t.Fatalf("%v 0·%v, trans %d: element %d is %v, want NaN", d, v, trans, i, c[i])
				}
				fillWith(a, T(v))
				clear(b)
				MatMul(RowMajor(c, m, n), RowMajor(a, m, k), RowMajor(b, k, n), Epilogue[T]{ReLU: true})
				if i := slices.IndexFunc(c, func(x T) bool { return x == x }); i >= 0 {
					t.Fatalf("%v relu(%v·0), trans %d: element %d is %v, want NaN", d, v, trans, i, c[i])
				}
			}
		}
	}
}

func TestMatMulOnOneThreadAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	withThreads(t, 1)
	r := rand.New(rand.NewPCG(4, 4))
	for _, c := range []struct {
		m, n, k int
		la, lb  layout
	}{
		{m: 2, n: 3, k: 4}, {m: 40, n: 1, k: 70}, {m: 64, n: 64, k: 64}, {m: 60, n: 60, k: 60, lb: transposed},
		{m: 40, n: 300, k: 40, la: transposed}, {m: 9, n: 21, k: 6000, la: transposed, lb: transposed},
	} {
		a, b, out := lay[float32](r, c.m, c.k, c.la), lay[float32](r, c.k, c.n, c.lb), lay[float32](r, c.m, c.n, rowMajor)
		e := Epilogue[float32]{Bias: random[float32](r, c.n), ReLU: true}
		if n := numtest.Allocations(10, func() { MatMul(out, a, b, e) }); n != 0 {
			t.Errorf("%+v: %v allocations", c, n)
		}
	}
}

func TestMatMulPanicsOnMisuse(t *testing.T) {
	m := func(rows, cols, n int) Matrix[float32] { return RowMajor(make([]float32, n), rows, cols) }
	columns := m(2, 2, 4).T()
	columns.RowStride, columns.ColStride = 1, 2
	for _, c := range []struct {
		c, a, b Matrix[float32]
		bias    int
		text    string
	}{
		{m(3, 6, 18), m(3, 4, 12), m(5, 6, 30), 0, "cpu: MatMul: inner dimensions differ: [3 4] x [5 6] -> [3 6]"},
		{m(3, 5, 18), m(3, 4, 12), m(4, 6, 24), 0, "another shape"},
		{m(2, 6, 18), m(3, 4, 12), m(4, 6, 24), 0, "another shape"},
		{columns, m(2, 2, 4), m(2, 2, 4), 0, "not row-major"},
		{m(2, 2, 3), m(2, 2, 4), m(2, 2, 4), 0, "exceeds its slice"},
		{m(2, 2, 4), m(2, 2, 3), m(2, 2, 4), 0, "exceeds its slice"},
		{m(2, 2, 4), m(2, 2, 4), m(2, 2, 3), 0, "exceeds its slice"},
		{m(-1, 2, 4), m(-1, 2, 4), m(2, 2, 4), 0, "exceeds its slice"},
		{m(2, 2, 4), m(2, 2, 4), m(2, 2, 4), 3, "a bias of 3 elements"},
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var misuse interface {
					error
					Misuse()
				}
				if !errors.As(err, &misuse) || !strings.Contains(err.Error(), c.text) {
					t.Errorf("panic %v, want %q", err, c.text)
				}
			}()
			e := Epilogue[float32]{}
			if c.bias > 0 {
				e.Bias = make([]float32, c.bias)
			}
			MatMul(c.c, c.a, c.b, e)
		}()
	}
}

func FuzzMatMulMatchesTheDefinition(f *testing.F) {
	f.Add(uint64(1), uint8(3), uint8(4), uint16(5), uint8(0), uint8(0))
	f.Add(uint64(2), uint8(15), uint8(33), uint16(300), uint8(2), uint8(4))
	f.Add(uint64(3), uint8(9), uint8(9), uint16(7000), uint8(2), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, m, n uint8, k uint16, la, lb uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		depth := int(k) % 8000
		checkMatMul(t, r, int(m), int(n)%64, depth, layout(la)%layouts, layout(lb)%layouts, randomEpilogue[float32](r, int(n)%64), int(seed%4))
	})
}

func BenchmarkMatMul(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, d := range [][3]int{{2, 3, 4}, {32, 32, 32}, {2708, 16, 1433}, {20000, 64, 128}, {512, 512, 512}} {
		m, n, k := d[0], d[1], d[2]
		for trans, way := range []string{"AB", "AtB", "ABt"} {
			b.Run(fmt.Sprintf("f32/%dx%dx%d/%s", m, k, n, way), func(b *testing.B) { benchmarkGemm[float32](b, r, m, n, k, trans) })
			b.Run(fmt.Sprintf("f64/%dx%dx%d/%s", m, k, n, way), func(b *testing.B) { benchmarkGemm[float64](b, r, m, n, k, trans) })
		}
	}
}

func benchmarkGemm[T kern.Float](b *testing.B, r *rand.Rand, m, n, k, trans int) {
	x, y, c := random[T](r, m*k), random[T](r, k*n), make([]T, m*n)
	for b.Loop() {
		MatMul(RowMajor(c, m, n), asStored(x, m, k, trans == 1), asStored(y, k, n, trans == 2), Epilogue[T]{})
	}
	b.ReportMetric(2*float64(m)*float64(n)*float64(k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
