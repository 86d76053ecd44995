// Tests of the element-wise kernels and the reductions, over lengths, alignments
// and special values, with guards around every slice.

package kern

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"
)

// guard surrounds every slice a kernel gets: written over, it betrays an
// overrun; read, it poisons a result.
var guard = float32(math.NaN())

const guardBits = 0x7fc0dead

// guarded is a slice with guards on both sides, at a chosen misalignment.
type guarded[T Float] struct {
	whole []T
	lo    int
	s     []T
}

func newGuarded[T Float](n, offset int) *guarded[T] {
	const margin = 40
	g := &guarded[T]{whole: make([]T, margin+offset+n+margin), lo: margin + offset}
	for i := range g.whole {
		g.whole[i] = T(math.Float32frombits(guardBits))
	}
	g.s = g.whole[g.lo : g.lo+n]
	return g
}

func (g *guarded[T]) check(t *testing.T, what string) {
	t.Helper()
	for i, v := range g.whole {
		if inside := i >= g.lo && i < g.lo+len(g.s); !inside && v == v {
			t.Fatalf("%s: element %d of %d was written: %v", what, i-g.lo, len(g.s), v)
		}
	}
}

// fillRandom fills with numbers around 1, and with special values if asked.
func fillRandom[T Float](r *rand.Rand, s []T, special bool) {
	tiny, huge := 1e-42, 3e38
	if _, ok := any(s).([]float64); ok {
		tiny, huge = 1e-320, 1.7e308
	}
	specials := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), tiny, -tiny, huge, -huge}
	for i := range s {
		s[i] = T(r.NormFloat64())
		if special && r.IntN(3) == 0 {
			s[i] = T(specials[r.IntN(len(specials))])
		}
	}
}

var lengths = func() []int {
	var n []int
	for i := range 131 {
		n = append(n, i)
	}
	n = append(n, 257, 1000)
	if runtime.GOARCH == "amd64" { // about 8 KiB of either type, from where on its loops fetch ahead
		n = append(n, 1023, 1024, 1161, 2047, 2048, 2337)
	}
	return n
}()

func same[T Float](a, b T) bool {
	return a == b || a != a && b != b
}

// forSets runs a test on every set there is: the chosen ones, where they are not the
// references, and these.
func forSets(t *testing.T, f32 func(*testing.T, *Set[float32]), f64 func(*testing.T, *Set[float64])) {
	if ISA() != "go" {
		t.Run("float32/"+ISA(), func(t *testing.T) { f32(t, For[float32]()) })
	}
	if below, name := slower32(); below != nil {
		t.Run("float32/"+name, func(t *testing.T) { f32(t, below) })
	}
	t.Run("float32/reference", func(t *testing.T) { f32(t, Reference[float32]()) })
	if ISA() != "go" && assembly64 {
		t.Run("float64/"+ISA(), func(t *testing.T) { f64(t, For[float64]()) })
	}
	if below, name := slower64(); below != nil {
		t.Run("float64/"+name, func(t *testing.T) { f64(t, below) })
	}
	t.Run("float64/reference", func(t *testing.T) { f64(t, Reference[float64]()) })
}

func TestElementwiseKernelsMatchTheirReferenceLoops(t *testing.T) {
	forSets(t, testElementwise[float32], testElementwise[float64])
}

func testElementwise[T Float](t *testing.T, set *Set[T]) {
	ref := Reference[T]()
	binary := []struct {
		name      string
		got, want func(dst, a, b []T)
	}{
		{"Add", set.Add, ref.Add}, {"Sub", set.Sub, ref.Sub}, {"Mul", set.Mul, ref.Mul}, {"Div", set.Div, ref.Div},
		{"Max", set.Max, ref.Max}, {"Min", set.Min, ref.Min},
		{"AddScalar", func(dst, a, b []T) { set.AddScalar(dst, a, 1.25) }, func(dst, a, b []T) { ref.AddScalar(dst, a, 1.25) }},
		{"MulScalar", func(dst, a, b []T) { set.MulScalar(dst, a, -3) }, func(dst, a, b []T) { ref.MulScalar(dst, a, -3) }},
		{"MulScalar NaN", func(dst, a, b []T) { set.MulScalar(dst, a, T(guard)) }, func(dst, a, b []T) { ref.MulScalar(dst, a, T(guard)) }},
		{"ReLU", func(dst, a, b []T) { set.ReLU(dst, a) }, func(dst, a, b []T) { ref.ReLU(dst, a) }},
		{"LeakyReLU", func(dst, a, b []T) { set.LeakyReLU(dst, a, 0.2) }, func(dst, a, b []T) { ref.LeakyReLU(dst, a, 0.2) }},
		{"Step", func(dst, a, b []T) { set.Step(dst, a, 0, 1, 0.2) }, func(dst, a, b []T) { ref.Step(dst, a, 0, 1, 0.2) }},
		{"Step NaN", func(dst, a, b []T) { set.Step(dst, a, 0.5, T(guard), -1) }, func(dst, a, b []T) { ref.Step(dst, a, 0.5, T(guard), -1) }},
		{"LeakyReLU negative slope", func(dst, a, b []T) { set.LeakyReLU(dst, a, -2) }, func(dst, a, b []T) { ref.LeakyReLU(dst, a, -2) }},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, k := range binary {
		for _, n := range lengths {
			for _, special := range []bool{false, true} {
				what := fmt.Sprintf("%s n=%d", k.name, n)
				a, b, dst := newGuarded[T](n, n%9), newGuarded[T](n, n%7), newGuarded[T](n, n%5)
				fillRandom(r, a.s, special)
				fillRandom(r, b.s, special)
				want := make([]T, n)
				k.want(want, a.s, b.s)
				k.got(dst.s, a.s, b.s)
				dst.check(t, what)
				for i := range want {
					if !same(dst.s[i], want[i]) {
						t.Fatalf("%s: element %d of (%v, %v) is %v, want %v", what, i, a.s[i], b.s[i], dst.s[i], want[i])
					}
				}
				// In place, on either operand.
				k.got(a.s, a.s, b.s)
				a.check(t, what+" in place")
				for i := range want {
					if !same(a.s[i], want[i]) {
						t.Fatalf("%s in place: element %d is %v, want %v", what, i, a.s[i], want[i])
					}
				}
			}
		}
	}
}

func TestGroupsAreEachWithTheirNumber(t *testing.T) {
	forSets(t, testGroups[float32], testGroups[float64])
}

func testGroups[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, group := range []int{0, 1, 3, 4, 7, 8, 9, 12, 16, 20, 24, 32, 40, 64} {
		for _, groups := range []int{0, 1, 2, 5, 8} {
			for _, c := range []struct {
				name string
				run  func(dst, x, y []T, group int)
				of   func(x, y T) T
			}{
				{"AddGroups", set.AddGroups, func(x, y T) T { return x + y }},
				{"SubGroups", set.SubGroups, func(x, y T) T { return x - y }},
				{"MulGroups", set.MulGroups, func(x, y T) T { return x * y }},
				{"DivGroups", set.DivGroups, func(x, y T) T { return x / y }},
			} {
				x, y, dst := newGuarded[T](groups*group, 3), newGuarded[T](groups, 1), newGuarded[T](groups*group, 5)
				fillRandom(r, x.s, groups == 5)
				fillRandom(r, y.s, groups == 5)
				want := make([]T, groups*group)
				for i := range want {
					want[i] = c.of(x.s[i], y.s[i/group])
				}
				what := fmt.Sprintf("%s group=%d groups=%d", c.name, group, groups)
				c.run(dst.s, x.s, y.s, group)
				compare(t, what, dst, want)
				c.run(x.s, x.s, y.s, group)
				compare(t, what+" in place", x, want)
			}
		}
	}
}

func TestGroupsAreSetToTheBitsOfTheirNumber(t *testing.T) {
	forSets(t, testSetGroups[float32], testSetGroups[float64])
}

func testSetGroups[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(25, 26))
	bits := func(x []T) []byte {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(T(0))))
	}
	for _, group := range []int{0, 1, 3, 4, 7, 8, 9, 12, 16, 20, 24, 32, 40, 64} {
		for _, groups := range []int{0, 1, 2, 5, 8} {
			y, dst := newGuarded[T](groups, 1), newGuarded[T](groups*group, 5)
			for i := range bits(y.s) {
				bits(y.s)[i] = byte(r.Uint32())
			}
			if groups > 1 { // a NaN that signals: the bit below the exponent is 0
				b := bits(y.s[1:2])
				b[len(b)-1], b[len(b)-2], b[0] = 0x7f, map[int]byte{4: 0x80, 8: 0xf0}[len(b)], 1
			}
			what := fmt.Sprintf("SetGroups group=%d groups=%d", group, groups)
			set.SetGroups(dst.s, y.s, group)
			dst.check(t, what)
			for i := range dst.s {
				if !bytes.Equal(bits(dst.s[i:i+1]), bits(y.s[i/group:i/group+1])) {
					t.Fatalf("%s: element %d is %x, want %x", what, i, bits(dst.s[i:i+1]), bits(y.s[i/group:i/group+1]))
				}
			}
		}
	}
}

func TestMultiplyAddKernelsMatchTheirReferenceLoops(t *testing.T) {
	forSets(t, testMultiplyAdd[float32], testMultiplyAdd[float64])
}

func testMultiplyAdd[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range lengths {
		for _, special := range []bool{false, true} {
			for _, name := range []string{"Axpy", "MulAdd"} {
				what := fmt.Sprintf("%s n=%d", name, n)
				y, a, b := newGuarded[T](n, n%3), newGuarded[T](n, n%8), newGuarded[T](n, n%6)
				fillRandom(r, y.s, special)
				fillRandom(r, a.s, special)
				fillRandom(r, b.s, special)
				tame(y.s)
				tame(a.s)
				tame(b.s)
				if name == "Axpy" {
					for i := range b.s {
						b.s[i] = 0.7
					}
				}
				old := append([]T(nil), y.s...)
				if name == "Axpy" {
					set.Axpy(y.s, a.s, 0.7)
				} else {
					set.MulAdd(y.s, a.s, b.s)
				}
				y.check(t, what)
				for i := range y.s {
					product := float64(a.s[i]) * float64(b.s[i])
					want := float64(old[i]) + product
					tol := epsilon[T]() * (math.Abs(float64(old[i])) + math.Abs(product))
					if !near(float64(y.s[i]), want, tol) {
						t.Fatalf("%s: %v + %v*%v is %v, want %v", what, old[i], a.s[i], b.s[i], y.s[i], want)
					}
				}
			}
		}
	}
}

// tame replaces finite numbers whose product overflows: whether Inf - Inf shows
// up there depends on where the rounding is.
func tame[T Float](s []T) {
	for i, v := range s {
		if m := math.Abs(float64(v)); m > 1e18 && !math.IsInf(m, 0) {
			s[i] = 2
		}
	}
}

func near(got, want, tol float64) bool {
	return got == want || math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= tol+1e-44
}

func epsilon[T Float]() float64 {
	if _, ok := any(T(0)).(float32); ok {
		return 1.3e-7
	}
	return 2.3e-16
}

func TestReductionsMatchFloat64Sums(t *testing.T) {
	forSets(t, testReductions[float32], testReductions[float64])
}

func testReductions[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range lengths {
		a, b := newGuarded[T](n, n%8), newGuarded[T](n, n%5)
		fillRandom(r, a.s, false)
		fillRandom(r, b.s, false)
		var dot, sum, scaleDot, scaleSum float64
		largest := math.Inf(-1)
		for i := range a.s {
			x, y := float64(a.s[i]), float64(b.s[i])
			dot += x * y
			scaleDot += math.Abs(x * y)
			sum += x
			scaleSum += math.Abs(x)
			largest = max(largest, x)
		}
		tol := epsilon[T]() * float64(n/8+8)
		if got := float64(set.Dot(a.s, b.s)); math.Abs(got-dot) > tol*scaleDot {
			t.Errorf("Dot n=%d is %v, want %v", n, got, dot)
		}
		if got := float64(set.Sum(a.s)); math.Abs(got-sum) > tol*scaleSum {
			t.Errorf("Sum n=%d is %v, want %v", n, got, sum)
		}
		if got := float64(set.MaxOf(a.s)); got != largest {
			t.Errorf("MaxOf n=%d is %v, want %v", n, got, largest)
		}
		for i := range a.s { // a NaN or an infinity anywhere shows
			old := a.s[i]
			for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
				a.s[i] = T(v)
				if got := set.Sum(a.s); !same(got, T(v)) {
					t.Fatalf("Sum n=%d with %v at %d is %v", n, v, i, got)
				}
				if got := set.Dot(a.s, b.s); got-got == 0 && b.s[i] != 0 {
					t.Fatalf("Dot n=%d with %v at %d is %v", n, v, i, got)
				}
				if got := set.MaxOf(a.s); v > 0 || v != v {
					if !same(got, T(v)) {
						t.Fatalf("MaxOf n=%d with %v at %d is %v", n, v, i, got)
					}
				}
			}
			a.s[i] = old
		}
		for i := range a.s { // all negative, the maximum at every place in turn
			for k := range a.s {
				a.s[k] = -2
			}
			a.s[i] = -1
			if got := set.MaxOf(a.s); got != -1 {
				t.Fatalf("MaxOf n=%d with the maximum at %d is %v", n, i, got)
			}
		}
	}
}

func TestExpIsAccurateEverywhere(t *testing.T) {
	set := For[float32]()
	var xs []float32
	for x := float32(-110); x < 95; x += 0.00137 {
		xs = append(xs, x)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1e-30, -1e-30, 88.72283, 88.72284, -87.33654, -87.33655, -103.9, -103.98, 1e30, -1e30, math.Inf(1), math.Inf(-1), math.NaN()} {
		xs = append(xs, float32(x))
	}
	got := make([]float32, len(xs))
	set.Exp(got, xs)
	worst := 0.0
	for i, x := range xs {
		want := math.Exp(float64(x))
		switch {
		case x != x:
			if got[i] == got[i] {
				t.Errorf("Exp(NaN) is %v", got[i])
			}
		case want > math.MaxFloat32:
			// The very last numbers below the overflow may round either way.
			if !math.IsInf(float64(got[i]), 1) && want > math.MaxFloat32*(1+3e-7) {
				t.Errorf("Exp(%v) is %v, want +Inf", x, got[i])
			}
		default:
			const denormal = 1.5e-45 // the spacing below the normal range
			err := math.Abs(float64(got[i]) - want)
			if err > 3e-7*want+denormal {
				t.Errorf("Exp(%v) is %v, want %v", x, got[i], want)
			}
			if want > 1.2e-38 {
				worst = max(worst, err/want)
			}
		}
	}
	t.Logf("worst relative error %.2g", worst)
}

func TestExpStaysInBounds(t *testing.T) {
	forSets(t, testExpBounds[float32], testExpBounds[float64])
}

func testExpBounds[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range lengths {
		x, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%4)
		fillRandom(r, x.s, false)
		set.Exp(dst.s, x.s)
		dst.check(t, fmt.Sprintf("Exp n=%d", n))
		for i := range x.s {
			want := math.Exp(float64(x.s[i]))
			if math.Abs(float64(dst.s[i])-want) > 3e-7*want {
				t.Fatalf("Exp n=%d: e^%v is %v, want %v", n, x.s[i], dst.s[i], want)
			}
		}
	}
}

// activations are the functions made of the exponential.
func activations[T Float](set *Set[T]) map[string]struct {
	got  func(dst, x []T)
	want func(x float64) float64
} {
	elu := func(x float64) float64 {
		if x > 0 {
			return x
		}
		return 0.75 * math.Expm1(x)
	}
	return map[string]struct {
		got  func(dst, x []T)
		want func(x float64) float64
	}{
		"ELU":     {func(dst, x []T) { set.ELU(dst, x, 0.75) }, elu},
		"Sigmoid": {set.Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
		"Tanh":    {set.Tanh, math.Tanh},
	}
}

// TestActivationsAreAccurateEverywhere includes the neighbourhood of 0, where
// e^x - 1 cancels.
func TestActivationsAreAccurateEverywhere(t *testing.T) {
	var xs []float32
	for x := float32(-110); x < 95; x += 0.00137 {
		xs = append(xs, x)
	}
	for x := float32(1); x > 1e-44; x *= 0.93 {
		xs = append(xs, x, -x)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 0.34657, 0.34658, -0.34657, -0.34658, 1e30, -1e30, math.Inf(1), math.Inf(-1), math.NaN()} {
		xs = append(xs, float32(x))
	}
	for name, f := range activations(For[float32]()) {
		got, worst := make([]float32, len(xs)), 0.0
		f.got(got, xs)
		for i, x := range xs {
			tiny := 3e-45 // two steps below the normal range
			if name == "Sigmoid" {
				tiny = 3e-39 // 1/e^-x where e^-x overflows
			}
			want := f.want(float64(x))
			if !near(float64(got[i]), want, 3e-7*math.Abs(want)+tiny) {
				t.Fatalf("%s(%v) is %v, want %v", name, x, got[i], want)
			}
			if err := math.Abs(float64(got[i])-want) / math.Abs(want); math.Abs(want) > 1.2e-38 && err > worst && !math.IsInf(want, 0) {
				worst = err
			}
		}
		t.Logf("%s: worst relative error %.2g", name, worst)
	}
}

func TestActivationsStayInBounds(t *testing.T) {
	forSets(t, testActivationBounds[float32], testActivationBounds[float64])
}

func testActivationBounds[T Float](t *testing.T, set *Set[T]) {
	r := rand.New(rand.NewPCG(21, 22))
	for name, f := range activations(set) {
		for _, n := range lengths {
			what := fmt.Sprintf("%s n=%d", name, n)
			x, dst := newGuarded[T](n, n%7), newGuarded[T](n, n%4)
			fillRandom(r, x.s, n%3 == 0)
			f.got(dst.s, x.s)
			dst.check(t, what)
			for i, v := range x.s {
				if want := f.want(float64(v)); !near(float64(dst.s[i]), want, 3e-7*math.Abs(want)) {
					t.Fatalf("%s: of %v is %v, want %v", what, v, dst.s[i], want)
				}
			}
			f.got(x.s, x.s)
			compare(t, what+" in place", x, dst.s)
		}
	}
}
