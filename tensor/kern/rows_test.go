// Tests of softmax, normalisation and bias of rows, against float64.

package kern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

var (
	rowWidths = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 47, 63, 64, 65, 100, 128, 257, 600}
	rowCounts = []int{0, 1, 2, 3, 8, 15, 16, 17, 37}
)

// eachShape runs f for shapes of rows.
func eachShape(f func(rows, n int)) {
	for _, n := range rowWidths {
		for _, rows := range rowCounts {
			f(rows, n)
		}
	}
}

// fillScores fills with what softmax may meet: rows of plain numbers, far apart, with
// -Inf, with +Inf, with NaN, and of nothing but -Inf.
func fillScores[T Float](r *rand.Rand, x []T, n int) {
	for row := 0; row*n < len(x); row++ {
		s := x[row*n : (row+1)*n]
		for i := range s {
			s[i] = T(r.NormFloat64())
		}
		switch row % 8 {
		case 1:
			for i := range s {
				s[i] *= 1e4
			}
		case 2:
			for i := range s {
				if r.IntN(2) == 0 && i > 0 {
					s[i] = T(math.Inf(-1))
				}
			}
		case 3:
			s[r.IntN(n)] = T(math.NaN())
		case 4:
			s[r.IntN(n)] = T(math.Inf(1))
		case 5:
			for i := range s {
				s[i] = T(math.Inf(-1))
			}
		case 6:
			for i := range s {
				s[i] += 1e5
			}
		}
	}
}

// softmaxOf returns the softmax of a row and its logarithm.
func softmaxOf[T Float](x []T) (soft, logs []float64) {
	m, sum := math.Inf(-1), 0.0
	for _, v := range x {
		m = math.Max(m, float64(v)) // NaN wins
	}
	for _, v := range x {
		sum += math.Exp(float64(v) - m)
	}
	for _, v := range x {
		soft = append(soft, math.Exp(float64(v)-m)/sum)
		logs = append(logs, float64(v)-m-math.Log(sum))
	}
	return soft, logs
}

func TestSoftmaxRowsMatchFloat64(t *testing.T) {
	forSets(t, testSoftmax[float32], testSoftmax[float64])
}

func testSoftmax[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(61, 62))
	eachShape(func(rows, n int) {
		what := fmt.Sprintf("rows=%d n=%d", rows, n)
		x, soft, logs := newGuarded[T](rows*n, n%7), newGuarded[T](rows*n, n%5), newGuarded[T](rows*n, n%3)
		fillScores(r, x.s, n)
		set.SoftmaxRows(soft.s, x.s, n)
		set.LogSoftmaxRows(logs.s, x.s, n)
		soft.check(t, what)
		logs.check(t, what)
		for row := range rows {
			lo, hi := row*n, (row+1)*n
			wantSoft, wantLogs := softmaxOf(x.s[lo:hi])
			for i := range n {
				got, want := float64(soft.s[lo+i]), wantSoft[i]
				// An exponential is as exact as its argument.
				if !near(got, want, epsilon[T]()*want*(8+math.Abs(wantLogs[i]))+1.3e-38) {
					t.Fatalf("SoftmaxRows %s: row %d: of %v is %v, want %v", what, row, x.s[lo+i], got, want)
				}
				got, want = float64(logs.s[lo+i]), wantLogs[i]
				if !near(got, want, epsilon[T]()*(4+2*math.Abs(want))) {
					t.Fatalf("LogSoftmaxRows %s: row %d: of %v is %v, want %v", what, row, x.s[lo+i], got, want)
				}
			}
			alone := newGuarded[T](n, row%8)
			set.SoftmaxRow(alone.s, x.s[lo:hi])
			compare(t, what+" SoftmaxRow", alone, soft.s[lo:hi])
			set.LogSoftmaxRow(alone.s, x.s[lo:hi])
			compare(t, what+" LogSoftmaxRow", alone, logs.s[lo:hi])
		}
		in := newGuarded[T](rows*n, 1)
		copy(in.s, x.s)
		set.SoftmaxRows(in.s, in.s, n)
		compare(t, what+" SoftmaxRows in place", in, soft.s)
		copy(in.s, x.s)
		set.LogSoftmaxRows(in.s, in.s, n)
		compare(t, what+" LogSoftmaxRows in place", in, logs.s)
	})
}

// TestWidthsOfVectorsGiveTheSameBitsOfRows: nor does what sums a row depend on the
// processor's vectors.
func TestWidthsOfVectorsGiveTheSameBitsOfRows(t *testing.T) {
	below, name := slower32()
	if below == nil {
		t.Skip("there is one width")
	}
	r := rand.New(rand.NewPCG(67, 68))
	for _, n := range lengths[1:] {
		const rows = 5
		x, got, want := make([]float32, rows*n), make([]float32, rows*n), make([]float32, rows*n)
		fillScores(r, x, n)
		for kernel, f := range map[string][2]func(dst, x []float32, n int){
			"SoftmaxRows":    {For[float32]().SoftmaxRows, below.SoftmaxRows},
			"LogSoftmaxRows": {For[float32]().LogSoftmaxRows, below.LogSoftmaxRows},
		} {
			f[0](got, x, n)
			f[1](want, x, n)
			for i := range got {
				if !same(got[i], want[i]) {
					t.Fatalf("%s of %d rows of %d is %v at %d, with %s %v", kernel, rows, n, got[i], i, name, want[i])
				}
			}
		}
	}
}

func TestSoftmaxGradientsMatchFloat64(t *testing.T) {
	forSets(t, testSoftmaxGradients[float32], testSoftmaxGradients[float64])
}

func testSoftmaxGradients[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(63, 64))
	eachShape(func(rows, n int) {
		what := fmt.Sprintf("rows=%d n=%d", rows, n)
		x, g := newGuarded[T](rows*n, n%7), newGuarded[T](rows*n, n%5)
		fillRandom(r, x.s, false)
		fillRandom(r, g.s, false)
		if rows > 2 {
			g.s[n] = T(math.NaN()) // of row 1 alone
		}
		for _, logs := range []bool{false, true} {
			y, dst := newGuarded[T](rows*n, n%4), newGuarded[T](rows*n, n%3)
			kernel := set.SoftmaxGradRows
			set.SoftmaxRows(y.s, x.s, n)
			if logs {
				kernel = set.LogSoftmaxGradRows
				set.LogSoftmaxRows(y.s, x.s, n)
			}
			kernel(dst.s, g.s, y.s, n)
			dst.check(t, what)
			for row := range rows {
				var s, scale float64
				for i := row * n; i < (row+1)*n; i++ {
					term := float64(g.s[i])
					if !logs {
						term *= float64(y.s[i])
					}
					s += term
					scale += math.Abs(term)
				}
				for i := row * n; i < (row+1)*n; i++ {
					gi, yi := float64(g.s[i]), float64(y.s[i])
					want := yi * (gi - s)
					size := yi * (math.Abs(gi) + scale)
					if logs {
						want = gi - math.Exp(yi)*s
						size = math.Abs(gi) + math.Exp(yi)*scale
					}
					if !near(float64(dst.s[i]), want, epsilon[T]()*size*float64(8+n/8)) {
						t.Fatalf("%s logs=%v: row %d column %d is %v, want %v", what, logs, row, i-row*n, dst.s[i], want)
					}
				}
			}
			in := newGuarded[T](rows*n, 2)
			copy(in.s, g.s)
			kernel(in.s, in.s, y.s, n)
			compare(t, what+" in place of g", in, dst.s)
			kernel(y.s, g.s, y.s, n)
			compare(t, what+" in place of y", y, dst.s)
		}
	})
}

func TestNormRowsAndTheirGradientMatchFloat64(t *testing.T) {
	forSets(t, testNorm[float32], testNorm[float64])
}

func testNorm[T Float](t *testing.T, set *Set[T]) {
	const eps = 1e-5
	r := rand.New(rand.NewPCG(65, 66))
	eachShape(func(rows, n int) {
		what := fmt.Sprintf("rows=%d n=%d", rows, n)
		x, g := newGuarded[T](rows*n, n%7), newGuarded[T](rows*n, n%5)
		fillRandom(r, x.s, false)
		fillRandom(r, g.s, false)
		for i := range x.s {
			x.s[i] += T(i / n % 3) // means of some size
		}
		if rows > 2 {
			x.s[2*n-1] = T(math.Inf(1)) // in row 1 alone
		}
		dst, mean, rstd := newGuarded[T](rows*n, n%4), newGuarded[T](rows, 1), newGuarded[T](rows, 2)
		set.NormRows(dst.s, x.s, mean.s, rstd.s, n, eps)
		for _, s := range []*guarded[T]{dst, mean, rstd} {
			s.check(t, what)
		}
		back := newGuarded[T](rows*n, n%3)
		set.NormGradRows(back.s, g.s, x.s, mean.s, rstd.s, n)
		back.check(t, what)
		tol := epsilon[T]() * float64(16+n/4)
		for row := range rows {
			xs, gs := x.s[row*n:(row+1)*n], g.s[row*n:(row+1)*n]
			var m, variance, level, along, size float64
			for _, v := range xs {
				m += float64(v) / float64(n)
			}
			if math.IsInf(m, 0) {
				m = math.NaN() // there are no distances from it
			}
			for _, v := range xs {
				variance += (float64(v) - m) * (float64(v) - m) / float64(n)
			}
			k := 1 / math.Sqrt(variance+eps)
			for i, v := range gs {
				h := (float64(xs[i]) - m) * k
				level += float64(v) / float64(n)
				along += float64(v) * h / float64(n)
				size += math.Abs(float64(v)) * (1 + math.Abs(h)) / float64(n)
			}
			if !near(float64(mean.s[row]), m, tol*(1+math.Abs(m))) || !near(float64(rstd.s[row]), k, tol*k*4) {
				t.Fatalf("%s: row %d: mean %v, rstd %v, want %v, %v", what, row, mean.s[row], rstd.s[row], m, k)
			}
			for i, v := range xs {
				h := (float64(v) - m) * k
				if got := float64(dst.s[row*n+i]); !near(got, h, tol*k*(4+math.Abs(m))) {
					t.Fatalf("%s: row %d column %d is %v, want %v", what, row, i, got, h)
				}
				want := k * (float64(gs[i]) - level - h*along)
				if got := float64(back.s[row*n+i]); !near(got, want, tol*k*k*(4+math.Abs(m))*(math.Abs(float64(gs[i]))+size*(1+math.Abs(h)))) {
					t.Fatalf("%s: gradient of row %d column %d is %v, want %v", what, row, i, got, want)
				}
			}
		}
		in := newGuarded[T](rows*n, 2)
		copy(in.s, g.s)
		set.NormGradRows(in.s, in.s, x.s, mean.s, rstd.s, n)
		compare(t, what+" gradient in place of g", in, back.s)
		set.NormRows(x.s, x.s, mean.s, rstd.s, n, eps)
		compare(t, what+" in place", x, dst.s)
	})
}

func TestAConstantRowIsNormalisedToZero(t *testing.T) {
	forSets(t, testConstantRow[float32], testConstantRow[float64])
}

func testConstantRow[T Float](t *testing.T, set *Set[T]) {
	for _, n := range rowWidths {
		x, mean, rstd := make([]T, n), make([]T, 1), make([]T, 1)
		for i := range x {
			x[i] = 3.3 // whose sums are rounded
		}
		set.NormRows(x, x, mean, rstd, n, 1e-12)
		for i, v := range x {
			if v != 0 || mean[0] != 3.3 || !near(float64(rstd[0]), 1e6, 1) {
				t.Fatalf("n=%d: column %d is %v with mean %v, rstd %v", n, i, v, mean[0], rstd[0])
			}
		}
	}
}

// TestConstantRowsHaveNoNaN: neither a variance that rounding makes negative nor what a
// kernel puts beyond the end of a row shows.
func TestConstantRowsHaveNoNaN(t *testing.T) {
	forSets(t, testConstantRowsHaveNoNaN[float32], testConstantRowsHaveNoNaN[float64])
}

func testConstantRowsHaveNoNaN[T Float](t *testing.T, set *Set[T]) {
	const far, steep = 0x1p116, 1e6 // whose product is no float32
	for _, n := range rowWidths {
		x, g, dst, mean, rstd := make([]T, n), make([]T, n), make([]T, n), make([]T, 1), make([]T, 1)
		for v := T(0.1); v < 10; v += 0.1 {
			for i := range x {
				x[i] = v
			}
			set.NormRows(dst, x, mean, rstd, n, 1e-30)
			if !(rstd[0] > 0) {
				t.Fatalf("n=%d: rstd of nothing but %v is %v", n, v, rstd[0])
			}
		}
		for i := range x {
			x[i], g[i] = far, T(i%2)
		}
		level := float64(n/2) / float64(n)
		set.NormGradRows(dst, g, x, []T{far}, []T{steep}, n)
		for i, v := range dst {
			if want := steep * (float64(i%2) - level); !near(float64(v), want, 1) {
				t.Fatalf("n=%d: gradient of column %d is %v, want %v", n, i, v, want)
			}
		}
	}
}

func TestAddRowAddsToEveryRow(t *testing.T) {
	forSets(t, testAddRow[float32], testAddRow[float64])
}

func testAddRow[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(67, 68))
	eachShape(func(rows, n int) {
		what := fmt.Sprintf("rows=%d n=%d", rows, n)
		x, row := newGuarded[T](rows*n, n%7), newGuarded[T](n, n%5)
		fillRandom(r, x.s, rows%2 == 1)
		fillRandom(r, row.s, rows%2 == 1)
		want, positive := make([]T, rows*n), make([]T, rows*n)
		for i := range want {
			want[i] = x.s[i] + row.s[i%n]
			positive[i] = max(want[i], 0)
		}
		dst := newGuarded[T](rows*n, n%3)
		set.AddRow(dst.s, x.s, row.s)
		compare(t, what+" AddRow", dst, want)
		set.AddRowReLU(dst.s, x.s, row.s)
		compare(t, what+" AddRowReLU", dst, positive)
		set.AddRow(x.s, x.s, row.s)
		compare(t, what+" AddRow in place", x, want)
	})
}

func TestSumRowsIntoAddsEveryRow(t *testing.T) {
	forSets(t, testSumRows[float32], testSumRows[float64])
}

func testSumRows[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(69, 70))
	eachShape(func(rows, n int) {
		x, acc := newGuarded[T](rows*n, n%7), newGuarded[T](n, n%5)
		fillRandom(r, x.s, false)
		fillRandom(r, acc.s, false)
		if rows > 1 {
			x.s[rows*n-1] = T(math.NaN()) // of the last column alone
		}
		want, size := make([]float64, n), make([]float64, n)
		for k := range want {
			want[k], size[k] = float64(acc.s[k]), math.Abs(float64(acc.s[k]))
		}
		for i, v := range x.s {
			want[i%n] += float64(v)
			size[i%n] += math.Abs(float64(v))
		}
		set.SumRowsInto(acc.s, x.s, n)
		acc.check(t, "SumRowsInto")
		for k := range want {
			if !near(float64(acc.s[k]), want[k], epsilon[T]()*size[k]*float64(4+rows/4)) {
				t.Fatalf("SumRowsInto rows=%d n=%d: column %d is %v, want %v", rows, n, k, acc.s[k], want[k])
			}
		}
	})
}

func TestColumnSumsAreThoseOfEveryColumn(t *testing.T) {
	forSets(t, testColumnSums[float32], testColumnSums[float64])
}

func testColumnSums[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(71, 72))
	eachShape(func(rows, n int) {
		x, g, shift := newGuarded[T](rows*n, n%7), newGuarded[T](rows*n, n%3), newGuarded[T](n, n%5)
		for _, s := range []*guarded[T]{x, g, shift} {
			fillRandom(r, s.s, false)
		}
		if rows > 1 {
			x.s[rows*n-1] = T(math.NaN()) // of the last column alone
		}
		started := T(3)
		for _, c := range []struct {
			name   string
			run    func(a, b []T)
			first  func(i int) float64
			second func(i int) float64
		}{
			{"ColumnMoments", func(a, b []T) { set.ColumnMoments(a, b, x.s, shift.s) },
				func(i int) float64 { return float64(x.s[i] - shift.s[i%n]) },
				func(i int) float64 { d := float64(x.s[i] - shift.s[i%n]); return d * d }},
			{"ColumnDots", func(a, b []T) { set.ColumnDots(a, b, g.s, x.s, shift.s) },
				func(i int) float64 { return float64(g.s[i]) },
				func(i int) float64 { return float64(g.s[i]) * float64(x.s[i]-shift.s[i%n]) }},
		} {
			a, b := newGuarded[T](n, n%2), newGuarded[T](n, n%4)
			for k := range n {
				a.s[k], b.s[k] = started, started
			}
			c.run(a.s, b.s)
			for i, got := range []*guarded[T]{a, b} {
				term := []func(i int) float64{c.first, c.second}[i]
				got.check(t, c.name)
				for k := range n {
					want, size := float64(started), float64(started)
					for j := k; j < rows*n; j += n {
						want += term(j)
						size += math.Abs(term(j))
					}
					if !near(float64(got.s[k]), want, epsilon[T]()*size*float64(4+rows/4)) {
						t.Fatalf("%s rows=%d n=%d: column %d of result %d is %v, want %v", c.name, rows, n, k, i, got.s[k], want)
					}
				}
			}
		}
	})
}

func TestColumnsAreScaledByTheirNumbers(t *testing.T) {
	forSets(t, testScaledColumns[float32], testScaledColumns[float64])
}

func testScaledColumns[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(73, 74))
	eachShape(func(rows, n int) {
		x, g, dst := newGuarded[T](rows*n, n%7), newGuarded[T](rows*n, n%3), newGuarded[T](rows*n, n%5)
		var p [4]*guarded[T]
		for i := range p {
			p[i] = newGuarded[T](n, (n+i)%4)
			fillRandom(r, p[i].s, false)
		}
		fillRandom(r, x.s, false)
		fillRandom(r, g.s, false)
		shift, a, b, c := p[0].s, p[1].s, p[2].s, p[3].s
		check := func(what string, want func(i, k int) (value, size float64)) {
			dst.check(t, what)
			for i, v := range dst.s {
				if w, size := want(i, i%n); !near(float64(v), w, 8*epsilon[T]()*size) {
					t.Fatalf("%s rows=%d n=%d: element %d is %v, want %v", what, rows, n, i, v, w)
				}
			}
		}
		set.ScaleColumns(dst.s, x.s, shift, a, b)
		check("ScaleColumns", func(i, k int) (value, size float64) {
			d := float64(x.s[i]-shift[k]) * float64(a[k])
			return d + float64(b[k]), math.Abs(d) + math.Abs(float64(b[k]))
		})
		set.GradColumns(dst.s, g.s, x.s, shift, a, b, c)
		check("GradColumns", func(i, k int) (value, size float64) {
			d := float64(x.s[i]-shift[k]) * float64(b[k])
			sum := d + float64(g.s[i]) + float64(c[k])
			return float64(a[k]) * sum, math.Abs(float64(a[k])) * (math.Abs(d) + math.Abs(float64(g.s[i])) + math.Abs(float64(c[k])))
		})
		set.GradColumns(g.s, g.s, x.s, shift, a, b, c)
		compare(t, "GradColumns in place", g, dst.s)
		set.ScaleColumns(dst.s, x.s, shift, a, b)
		set.ScaleColumns(x.s, x.s, shift, a, b)
		compare(t, "ScaleColumns in place", x, dst.s)
	})
}
