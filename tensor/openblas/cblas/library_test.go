// Tests against the library that is installed; without one they are skipped,
// except those of what needs none.

package cblas

import (
	"errors"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"
)

// installed returns the library of this machine.
func installed(t *testing.T) *Library {
	t.Helper()
	l, err := Open("")
	if err != nil {
		t.Skip(err)
	}
	return l
}

func TestOpenFailsWithThePathOfAMissingLibrary(t *testing.T) {
	l, err := Open("libnosuchblas.so.7")
	if err == nil || l != nil {
		t.Fatalf("Open returned %v, %v", l, err)
	}
	if !regexp.MustCompile(`^cblas: .*libnosuchblas\.so\.7`).MatchString(err.Error()) {
		t.Errorf("the error does not name the library: %v", err)
	}
}

func TestOpenRefusesALibraryThatIsNoBLAS(t *testing.T) {
	const libm = "libm.so.6"
	if _, err := open(libm); err == nil || !regexp.MustCompile(`has no cblas_|cannot open|cannot be loaded|not found`).MatchString(err.Error()) {
		t.Errorf("Open(%q): %v", libm, err)
	}
}

func TestVersionNamesTheLibrary(t *testing.T) {
	l := installed(t)
	if !regexp.MustCompile(`^(openblas [\d.]+.* \(\w+\)|mkl [\d.]+|blis .+|unknown cblas)$`).MatchString(l.Version()) {
		t.Errorf("Version() is %q", l.Version())
	}
	if l.Path() == "" {
		t.Error("Path() is empty")
	}
}

func TestProductsMatchTheDefinition(t *testing.T) {
	l := installed(t)
	r := rand.New(rand.NewPCG(1, 1))
	const m, n, k, pad = 5, 7, 9, 3
	for _, threads := range []int{1, 2} {
		l.SetThreads(threads)
		for mode := range 4 {
			transA, transB := mode&1 != 0, mode&2 != 0
			lda, ldb, ldc := k+pad, n+pad, n+pad
			if transA {
				lda = m + pad
			}
			if transB {
				ldb = k + pad
			}
			a, b, c := make([]float64, 20*20), make([]float64, 20*20), make([]float64, m*ldc)
			a32, b32, c32 := make([]float32, len(a)), make([]float32, len(b)), make([]float32, len(c))
			for i := range a {
				a[i], b[i] = r.NormFloat64(), r.NormFloat64()
				a32[i], b32[i] = float32(a[i]), float32(b[i])
			}
			for i := range c {
				c[i] = r.NormFloat64()
				c32[i] = float32(c[i])
			}
			want := make([]float64, len(c))
			copy(want, c)
			for i := range m {
				for j := range n {
					s := 0.0
					for p := range k {
						x, y := a[(i*lda+p)%len(a)], b[(p*ldb+j)%len(b)]
						if transA {
							x = a[p*lda+i]
						}
						if transB {
							y = b[j*ldb+p]
						}
						s += x * y
					}
					want[i*ldc+j] = 2*s + 0.5*c[i*ldc+j]
				}
			}
			l.Dgemm(transA, transB, m, n, k, 2, a, lda, b, ldb, 0.5, c, ldc)
			l.Sgemm(transA, transB, m, n, k, 2, a32, lda, b32, ldb, 0.5, c32, ldc)
			for i := range want {
				if math.Abs(c[i]-want[i]) > 1e-12 || math.Abs(float64(c32[i])-want[i]) > 1e-4 {
					t.Fatalf("trans %v %v: element %d is %v and %v, want %v", transA, transB, i, c[i], c32[i], want[i])
				}
			}
		}
	}
}

func TestProductsPanicWhenAMatrixExceedsItsSlice(t *testing.T) {
	l := &Library{} // the check comes before the call
	for _, c := range []struct {
		matrix    string // which does not fit
		transA    bool
		m, n, k   int
		lenA, lda int
		lenB, ldb int
		lenC, ldc int
	}{
		{matrix: "A", m: 2, n: 2, k: 3, lenA: 5, lda: 3, lenB: 6, ldb: 2, lenC: 4, ldc: 2},
		{matrix: "A", transA: true, m: 2, n: 2, k: 3, lenA: 6, lda: 1, lenB: 6, ldb: 2, lenC: 4, ldc: 2},
		{matrix: "B", m: 2, n: 2, k: 3, lenA: 6, lda: 3, lenB: 5, ldb: 2, lenC: 4, ldc: 2},
		{matrix: "C", m: 2, n: 2, k: 3, lenA: 6, lda: 3, lenB: 6, ldb: 2, lenC: 4, ldc: 3},
		{matrix: "A", m: -1, n: 2, k: 0, lenA: 0, lda: 1, lenB: 0, ldb: 2, lenC: 0, ldc: 2},
		{matrix: "A", m: 1, n: 1, k: math.MaxInt32 + 1, lenA: 0, lda: math.MaxInt32 + 1, lenB: 0, ldb: 1, lenC: 1, ldc: 1},
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var size *SizeError
				if !errors.As(err, &size) || size.Matrix != c.matrix {
					t.Errorf("%+v: panic %v", c, err)
				}
			}()
			l.Sgemm(c.transA, false, c.m, c.n, c.k, 1, make([]float32, c.lenA), c.lda, make([]float32, c.lenB), c.ldb, 0, make([]float32, c.lenC), c.ldc)
		}()
	}
}

func TestProductsOfNothingTouchNothing(t *testing.T) {
	l := &Library{} // would fault if called
	l.Sgemm(false, false, 0, 3, 2, 1, nil, 2, make([]float32, 6), 3, 0, nil, 3)
	l.Dgemm(false, false, 3, 0, 2, 1, make([]float64, 6), 2, nil, 1, 0, nil, 1)
}
